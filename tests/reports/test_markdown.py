from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.reports.markdown import escaped, render_markdown, table_markdown
from hairpin.reports.tables import CellKind, Column, IntegerCell, MissingCell, Table, TextCell
from tests.reports.sample_campaign import some_sections
from tests.reports.sample_run import a_report

COLUMNS = (Column(name="Mode | kind"), Column(name="Failed", kind=CellKind.INTEGER))


def test_a_table_has_its_title_alignment_note_and_reasons() -> None:
    rows = ((TextCell(text="a|b\nc"), IntegerCell(value=1200)), (TextCell(text="d"), MissingCell(reason="none found")))
    text = table_markdown(Table(id="t", title="Found", note="Of all.", columns=COLUMNS, rows=rows))
    assert text.splitlines() == [
        "### Found",
        "",
        r"| Mode \| kind | Failed |",
        "|:--|--:|",
        r"| a\|b<br>c | 1,200 |",
        "| d | – (a) |",
        "",
        "Of all.",
        "",
        "(a) none found",
        "",
    ]


def test_an_empty_table_says_so() -> None:
    assert "No failure" in table_markdown(Table(id="t", title="T", columns=COLUMNS, empty="No failure"))


@pytest.mark.parametrize("text", ["<script>", "[x](javascript:1)", "**b**", "`c`", "a|b", "![i](u)", "&lt;", "@me"])
def test_what_would_format_is_escaped(text: str) -> None:
    shown = escaped(text)
    assert re.sub(r"\\(.)", r"\1", shown) == text
    assert not re.search(r"(?<!\\)[<>\[\]*`|!&@]", shown)


@given(st.text(alphabet=st.sampled_from("|\\\n\r\t<a`*"), max_size=12))
def test_a_cell_never_ends_its_row_or_column(text: str) -> None:
    shown = escaped(text).replace("<br>", "")
    assert len(shown.splitlines()) <= 1
    assert not re.search(r"(?<!\\)(\\\\)*\|", shown)


def test_the_document_holds_every_section_and_names_every_figure() -> None:
    sections = some_sections()
    text = render_markdown(a_report().model_copy(update={"sections": sections}))
    for section in sections:
        assert f"\n## {escaped(section.title)}\n" in text
    assert "](figures/failures-over-time.svg)" in text
    assert text.startswith("# Morning commute in Munich\n")
    assert text.endswith("\n")
