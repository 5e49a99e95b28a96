"""SVG drawings made fit for the report: only shapes and words, nothing that runs or loads, ids of their own.

It draws nothing; that is ``reports.plotting``. What is not known to be harmless is an error, not left out in silence,
but for the metadata that drawing programs add.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from xml.etree.ElementTree import Element, ParseError, SubElement, fromstring, register_namespace, tostring

SVG = "http://www.w3.org/2000/svg"
XLINK = "http://www.w3.org/1999/xlink"

_SHAPES = frozenset(
    {"svg", "g", "defs", "path", "clipPath", "rect", "circle", "ellipse", "line", "polyline", "polygon", "use"}
    | {"text", "tspan", "title", "desc"}
)
_DROPPED = frozenset({"metadata", "style"})
_ATTRIBUTES = frozenset(
    {"id", "d", "x", "y", "x1", "x2", "y1", "y2", "dx", "dy", "r", "cx", "cy", "rx", "ry", "width", "height", "points"}
    | {"viewBox", "version", "transform", "style", "class", "role", "aria-label", "href", "clip-path", "font-size"}
    | {"preserveAspectRatio", "fill", "stroke", "stroke-width", "text-anchor"}
)
_LOCAL_URL = re.compile(r"url\(#([^)\s\"']+)\)")
_OUTSIDE = re.compile(r"url\((?!#)|@import|expression|javascript:|\\", re.IGNORECASE)
_FONTS = re.compile(r"font-family: [^;]*")
_DOCTYPE = re.compile(r"<!DOCTYPE[^>\[]*>")


def clean(svg: str, *, prefix: str, label: str, colours: Mapping[str, str]) -> str:
    """Return a drawing that a page may hold as it is.

    Args:
        svg: the drawing, one SVG document.
        prefix: begins every id in it, so that several drawings share a page.
        label: what it shows, for those who cannot see it.
        colours: CSS colours by the colours drawn, ``#rrggbb``; a page's colours for light and dark come in so.

    Raises:
        ValueError: it is no SVG, or holds an element, an attribute or a reference that is not known to be harmless.
    """
    try:
        root = fromstring(_DOCTYPE.sub("", svg))
    except ParseError as error:
        raise ValueError(f"the drawing {prefix} is no SVG: {error}") from error
    if root.tag != f"{{{SVG}}}svg":
        raise ValueError(f"the drawing {prefix} is no SVG but {root.tag!r}")
    _clean_element(root, prefix, colours)
    root.attrib = {"viewBox": root.get("viewBox", ""), "role": "img", "aria-label": label, "class": "drawing"}
    register_namespace("", SVG)
    return tostring(root, encoding="unicode")


def standalone(svg: str) -> str:
    """Return a clean drawing as a file of its own: on white paper, whatever the viewer's colours."""
    root = fromstring(svg)
    _, _, width, height = root.get("viewBox", "").split()
    root.set("width", width)
    root.set("height", height)
    root.set("style", "color: #1d1f23; font-family: system-ui, sans-serif")
    paper = SubElement(root, f"{{{SVG}}}rect", {"width": "100%", "height": "100%", "style": "fill: #ffffff"})
    root.remove(paper)
    root.insert(0, paper)
    register_namespace("", SVG)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def _clean_element(element: Element, prefix: str, colours: Mapping[str, str]) -> None:
    name = element.tag.removeprefix(f"{{{SVG}}}")
    if name not in _SHAPES:
        raise ValueError(f"the drawing {prefix} holds <{element.tag}>; only shapes and words are let in")
    element.attrib = dict(_clean_attribute(key, value, prefix, colours) for key, value in element.attrib.items())
    for child in list(element):
        if child.tag.removeprefix(f"{{{SVG}}}") in _DROPPED:
            element.remove(child)
        else:
            _clean_element(child, prefix, colours)


def _clean_attribute(key: str, value: str, prefix: str, colours: Mapping[str, str]) -> tuple[str, str]:
    name = key.removeprefix(f"{{{XLINK}}}")
    if name not in _ATTRIBUTES:
        raise ValueError(f"the drawing {prefix} has the attribute {name}={value!r}; it is not known to be harmless")
    if name == "href":
        if not value.startswith("#"):
            raise ValueError(f"the drawing {prefix} refers to {value!r}; only its own parts may be named")
        return name, f"#{prefix}-{value[1:]}"
    if name == "id":
        return name, f"{prefix}-{value}"
    if name == "aria-label":
        return name, value
    if _OUTSIDE.search(value):
        raise ValueError(f"the drawing {prefix} has {name}={value!r}, which could load something")
    return name, _styled(_LOCAL_URL.sub(rf"url(#{prefix}-\1)", value), colours)


def _styled(value: str, colours: Mapping[str, str]) -> str:
    """Return a value with the page's colours and fonts."""
    value = _FONTS.sub("font-family: inherit", value)
    for drawn, wanted in colours.items():
        value = value.replace(drawn, wanted)
    return value
