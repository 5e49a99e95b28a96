"""Tables and figures that are of no single run: a page with a title, as plain text, Markdown and HTML.

It lays out sections as reports do; what is in them was computed elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum

from hairpin.domain.base import Value
from hairpin.reports.files import ReportFile
from hairpin.reports.html import render_page
from hairpin.reports.markdown import FIGURES_FOLDER, escaped, section_lines
from hairpin.reports.svg import standalone
from hairpin.reports.table_text import table_lines
from hairpin.reports.tables import Figure, Section, Table
from hairpin.reports.text import one_line, wrap


class PageFormat(StrEnum):
    """What a page can be written as."""

    HTML = "html"
    MARKDOWN = "md"


class Page(Value):
    """A title, paragraphs, and sections."""

    title: str
    text: tuple[str, ...] = ()
    sections: tuple[Section, ...] = ()


def page_text(page: Page, *, width: int) -> str:
    """Return the page as plain text: the numbers of figures in place of drawings, folded tables left out."""
    lines = [one_line(page.title)]
    lines += [line for paragraph in page.text for line in wrap(paragraph, width=width, rest="  ")]
    for section in page.sections:
        lines += ["", f"== {one_line(section.title)}"]
        lines += [line for paragraph in section.text for line in wrap(paragraph, width=width)]
        for table in _shown(section):
            lines += ["", *table_lines(table, width=width), *(wrap(table.note, width=width) if table.note else [])]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def page_files(page: Page, stem: str, wanted: PageFormat) -> Iterator[ReportFile]:
    """Yield the files of one format: ``<stem>.html``; or ``<stem>.md`` with ``figures/<id>.svg`` beside it."""
    if wanted is PageFormat.HTML:
        yield ReportFile(f"{stem}.html", (render_page(page.title, page.text, page.sections),))
        return
    yield ReportFile(f"{stem}.md", (_markdown(page),))
    yield from figure_files(page.sections)


def figure_files(sections: Sequence[Section]) -> Iterator[ReportFile]:
    """Yield the drawings of ``sections``, as ``figures/<id>.svg``."""
    for section in sections:
        for part in section.parts:
            if isinstance(part, Figure):
                yield ReportFile(f"{FIGURES_FOLDER}/{part.id}.svg", (standalone(part.svg),))


def _markdown(page: Page) -> str:
    lines = [f"# {escaped(page.title)}", ""]
    for paragraph in page.text:
        lines += [escaped(paragraph), ""]
    for section in page.sections:
        lines += section_lines(section)
    return "\n".join(lines).rstrip("\n") + "\n"


def _shown(section: Section) -> Iterator[Table]:
    for table in section.tables:
        if not table.folded:
            yield table
