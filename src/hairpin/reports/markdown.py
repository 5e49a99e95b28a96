"""Tables and sections as Markdown (GitHub's), for wikis and pull requests.

Text from models and assistants is escaped: it shows as it is and formats nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from hairpin.reports.cell_text import cell_text, column_title
from hairpin.reports.model import ReportModel
from hairpin.reports.tables import Align, Cell, Figure, MissingCell, Section, Table
from hairpin.reports.text import visible

FIGURES_FOLDER = "figures"
"""Beside ``report.md``: where its drawings are."""

_ACTIVE = re.compile(r"[\\`*_\[\]<>|~&$#!@]")
_RULES = {Align.START: ":--", Align.END: "--:"}


def escaped(text: str) -> str:
    """Return ``text`` as one line of Markdown that shows it literally; line breaks become ``<br>``."""
    return _ACTIVE.sub(r"\\\g<0>", visible(text).replace("\t", " ")).replace("\n", "<br>")


def table_markdown(table: Table) -> str:
    """Return a table under its title, with its note and the reasons for missing values; ends with a newline."""
    return "\n".join(_titled(table.title, [*_grid(table), *_under(table)])) + "\n"


def render_markdown(report: ReportModel) -> str:
    """Return all sections of ``report`` as one document, to be written as UTF-8 beside the folder of its figures."""
    run, version = escaped(report.run_id), escaped(report.hairpin_version)
    lines = [
        f"# {escaped(report.title)}",
        "",
        f"**{escaped(report.heading)}**: {escaped(report.sentence)}",
        "",
        *([f"**{escaped(report.doubt)}**", ""] if report.doubt else []),
        f"Run {run}, started {escaped(report.created_at)}, Hairpin {version}.",
        "",
    ]
    for section in report.sections:
        lines += section_lines(section)
    return "\n".join(lines).rstrip("\n") + "\n"


def section_lines(section: Section) -> Iterator[str]:
    """Yield a section as lines of Markdown; its drawings are in the folder ``FIGURES_FOLDER`` beside it."""
    yield from (f"## {escaped(section.title)}", "")
    for paragraph in section.text:
        yield from (escaped(paragraph), "")
    for part in section.parts:
        if isinstance(part, Figure):
            yield from _titled(part.title, [_image(part), "", *_note(part.note)])
        else:
            yield from _titled(part.title, [*_grid(part), *_under(part)])


def _titled(title: str, lines: list[str]) -> list[str]:
    return [f"### {escaped(title)}", "", *lines]


def _image(figure: Figure) -> str:
    return f"![{escaped(figure.title)}]({FIGURES_FOLDER}/{figure.id}.svg)"


def _grid(table: Table) -> list[str]:
    if not table.rows:
        return [escaped(table.empty), ""]
    marks = table.reasons
    return [
        _line(column_title(column) for column in table.columns),
        "|" + "|".join(_RULES[column.align] for column in table.columns) + "|",
        *("| " + " | ".join(_cell(cell, marks) for cell in row) + " |" for row in table.rows),
        "",
    ]


def _line(texts: Iterator[str]) -> str:
    return "| " + " | ".join(map(escaped, texts)) + " |"


def _cell(cell: Cell, marks: Mapping[str, str]) -> str:
    mark = f" ({marks[cell.reason]})" if isinstance(cell, MissingCell) else ""
    return escaped(cell_text(cell)) + mark


def _under(table: Table) -> list[str]:
    reasons = "; ".join(f"({mark}) {reason}" for reason, mark in table.reasons.items())
    return [*_note(table.note), *_note(reasons)]


def _note(text: str) -> list[str]:
    return [escaped(text), ""] if text else []
