"""The parts of a prompt file: YAML front matter, then one text per section, each with its lines.

It knows neither roles nor slots; ``prompts`` does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from hairpin.errors import InvalidInputError, did_you_mean
from hairpin.packs.problems import Problems
from hairpin.packs.yaml_tree import Tree, decode, parse_yaml

SECTIONS: Final = ("System", "Request")
"""The headings of a prompt file, in this order."""

_FENCE: Final = re.compile(r" {0,3}(```|~~~)")
_HEADING: Final = re.compile(r"#\s+(.*?)\s*#*\s*")
_SHAPE: Final = "a prompt is '---', id and version, '---', then '# System' and '# Request'"


@dataclass(frozen=True, slots=True)
class Section:
    """The text below a heading, and the line of the heading."""

    title: str
    text: str
    line: int
    first_line: int

    def line_at(self, position: int) -> int:
        """Return the line of the file on which the character at ``position`` of the text stands."""
        return self.first_line + self.text.count("\n", 0, position)


@dataclass(frozen=True, slots=True)
class PromptText:
    """A prompt file in parts."""

    front_matter: Tree
    sections: tuple[Section, Section]


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    text: str


def split_prompt(data: bytes, where: str) -> PromptText:
    """Return the parts of a prompt file; ``where`` names it in messages.

    A heading within a code fence is text.

    Raises:
        InvalidInputError: not UTF-8, no front matter, or not exactly the two sections with something in each.
    """
    text = decode(data, where).replace("\r\n", "\n").replace("\r", "\n")
    lines = [_Line(number, line) for number, line in enumerate(text.split("\n"), start=1)]
    end = _end_of_front_matter(lines, where)
    # One empty line in place of the first '---', so that the lines of messages are those of the file.
    front_matter = parse_yaml("\n".join(["", *(line.text for line in lines[1:end])]).encode(), where)
    return PromptText(front_matter, _sections(lines[end + 1 :], where))


def _end_of_front_matter(lines: Sequence[_Line], where: str) -> int:
    """Return the index of the line that ends the front matter."""
    if lines[0].text.rstrip() != "---":
        raise InvalidInputError("the front matter is missing", where=f"{where}:1", hint=_SHAPE)
    for index, line in enumerate(lines[1:], start=1):
        if line.text.rstrip() == "---":
            return index
    raise InvalidInputError("the front matter does not end", where=f"{where}:1", hint="close it with a line '---'")


def _sections(lines: Sequence[_Line], where: str) -> tuple[Section, Section]:
    problems, headings = Problems(), list(_headings(lines))
    before = lines[: headings[0][0] if headings else len(lines)]
    stray = next((line for line in before if line.text.strip()), None)
    if stray is not None:
        problems.add("text stands before '# System'", where=f"{where}:{stray.number}", hint=_SHAPE)
    found: dict[str, Section] = {}
    for (start, title), (end, _) in zip(headings, [*headings[1:], (len(lines), "")], strict=True):
        section = _section(title, lines[start].number, lines[start + 1 : end])
        if (error := _refused(section, found, where)) is not None:
            problems.note(error)
        found.setdefault(title, section)
    last = lines[-1].number if lines else 1
    for title in SECTIONS:
        if title not in found:
            problems.add(f"the section '# {title}' is missing", where=f"{where}:{last}", hint=_SHAPE)
    problems.raise_if_any()
    return found[SECTIONS[0]], found[SECTIONS[1]]


def _headings(lines: Sequence[_Line]) -> Iterator[tuple[int, str]]:
    """Yield index and title of every first-level heading outside code fences."""
    fence = ""
    for index, line in enumerate(lines):
        mark = _FENCE.match(line.text)
        if mark is not None and fence in ("", mark[1]):
            fence = "" if fence else mark[1]
        elif not fence and (heading := _HEADING.fullmatch(line.text)) is not None:
            yield index, heading[1]


def _section(title: str, line: int, body: Sequence[_Line]) -> Section:
    """Return a section, blank lines around its text gone."""
    written = [index for index, item in enumerate(body) if item.text.strip()]
    kept = body[written[0] : written[-1] + 1] if written else ()
    first = kept[0].number if kept else line
    return Section(title, "\n".join(item.text for item in kept).rstrip(), line, first)


def _refused(section: Section, found: dict[str, Section], where: str) -> InvalidInputError | None:
    """Return what is wrong with a section that comes after those ``found``."""
    place = f"{where}:{section.line}"
    if section.title not in SECTIONS:
        close = did_you_mean(section.title.title(), SECTIONS) or ""
        hint = close if close.startswith("did") else "only '# System' and '# Request' may stand there; use '##' inside"
        return InvalidInputError(f"unknown section '# {section.title}'", where=place, hint=hint)
    if section.title in found:
        hint = f"it begins in line {found[section.title].line} already; keep one of them"
        return InvalidInputError(f"a second section '# {section.title}'", where=place, hint=hint)
    if section.title == SECTIONS[0] and SECTIONS[1] in found:
        return InvalidInputError("'# System' comes after '# Request'", where=place, hint="put it first")
    if not section.text:
        return InvalidInputError(f"the section '# {section.title}' is empty", where=place, hint="write its text")
    return None
