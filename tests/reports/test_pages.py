from __future__ import annotations

from hairpin.reports.pages import Page, PageFormat, page_files, page_text
from hairpin.reports.tables import Column, Section, Table, TextCell
from tests.reports.sample_campaign import some_sections

HOSTILE = "</script><b>x</b> [link](javascript:1)"


def a_table(table_id: str, text: str = "x", *, folded: bool = False) -> Table:
    return Table(
        id=table_id,
        title=f"Table {table_id}",
        columns=(Column(name="Words"),),
        rows=((TextCell(text=text),),),
        folded=folded,
    )


def a_page(*tables: Table, title: str = "A page") -> Page:
    return Page(title=title, text=("First words.",), sections=(Section(id="one", title="One", parts=tables),))


def test_plain_text_has_everything_but_folded_tables() -> None:
    text = page_text(a_page(a_table("a"), a_table("b", folded=True)), width=40)
    assert text == "A page\nFirst words.\n\n== One\n\nTable a\nWords\nx\n"


def test_plain_text_holds_the_numbers_of_figures() -> None:
    text = page_text(Page(title="t", sections=some_sections()), width=80)
    assert "<svg" not in text
    assert all(section.title in text for section in some_sections())


def test_markdown_has_its_drawings_beside_it_and_html_within() -> None:
    page = Page(title="t", sections=some_sections())
    files = {file.path: "".join(file.parts) for file in page_files(page, "cmp", PageFormat.MARKDOWN)}
    drawings = [path for path in files if path != "cmp.md"]
    assert drawings
    assert all(path.startswith("figures/") and f"({path})" in files["cmp.md"] for path in drawings)
    (html,) = page_files(page, "cmp", PageFormat.HTML)
    text = "".join(html.parts)
    assert html.path == "cmp.html"
    assert text.count("<svg") == len(drawings)


def test_words_are_shown_and_do_nothing() -> None:
    page = a_page(a_table("a", HOSTILE), title=HOSTILE)
    (html,) = page_files(page, "p", PageFormat.HTML)
    text = "".join(html.parts)
    assert "<b>x" not in text
    assert "&lt;/script&gt;" in text
    assert "default-src 'none'" in text
    (markdown,) = page_files(page, "p", PageFormat.MARKDOWN)
    assert "\\[link\\]" in "".join(markdown.parts)
