from __future__ import annotations

from xml.etree.ElementTree import fromstring

import pytest

from hairpin.reports.svg import SVG, clean, standalone

HEAD = f'<svg xmlns="{SVG}" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 10 20" width="10pt" height="20pt">'


def cleaned(inside: str) -> str:
    return clean(f"{HEAD}{inside}</svg>", prefix="f", label="A figure", colours={"#010203": "currentColor"})


def test_ids_and_what_refers_to_them_begin_with_the_prefix() -> None:
    text = cleaned('<defs><path id="m" d="M0 0"/></defs><use xlink:href="#m"/><g clip-path="url(#m)"/>')
    assert '<path id="f-m"' in text
    assert 'href="#f-m"' in text
    assert 'clip-path="url(#f-m)"' in text


def test_a_drawing_says_what_it_shows_and_takes_the_size_of_its_place() -> None:
    root = fromstring(cleaned("<g/>"))
    assert (root.get("role"), root.get("aria-label"), root.get("viewBox")) == ("img", "A figure", "0 0 10 20")
    assert root.get("width") is None


def test_colours_and_fonts_are_the_pages() -> None:
    text = cleaned("<text style=\"fill: #010203; font-family: 'DejaVu Sans', sans-serif; x: 1\">hi</text>")
    assert 'style="fill: currentColor; font-family: inherit; x: 1"' in text


def test_metadata_and_styles_of_the_whole_page_are_dropped() -> None:
    text = cleaned("<metadata>x</metadata><defs><style>*{fill:red}</style></defs>")
    assert "metadata" not in text
    assert "style" not in text


@pytest.mark.parametrize(
    "inside",
    [
        "<script>alert(1)</script>",
        "<foreignObject/>",
        '<image href="http://x/y.png"/>',
        '<g onload="alert(1)"/>',
        '<use href="http://x/y.svg#a"/>',
        '<use xlink:href="data:image/svg+xml,x"/>',
        '<g style="fill: url(http://x)"/>',
        '<g style="background: url( #a)"/>',
        '<g style="fill: \\75rl(http://x)"/>',
        "<a/>",
        "<animate/>",
    ],
)
def test_what_could_run_or_load_is_refused(inside: str) -> None:
    with pytest.raises(ValueError, match="the drawing f"):
        cleaned(inside)


@pytest.mark.parametrize("text", ["", "<svg", "<html/>", "<!DOCTYPE x [<!ENTITY e 'x'>]><svg>&e;</svg>"])
def test_what_is_no_svg_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no SVG"):
        clean(text, prefix="f", label="", colours={})


def test_a_file_of_its_own_has_a_size_and_paper() -> None:
    text = standalone(cleaned('<path d="M0 0"/>'))
    root = fromstring(text)
    assert (root.get("width"), root.get("height")) == ("10", "20")
    assert root[0].tag == f"{{{SVG}}}rect"
    assert text.startswith('<?xml version="1.0" encoding="UTF-8"?>\n<svg xmlns=')
