"""Finding and reading the prompts of the roles, ``agents/<name>.md``.

What fills the slots, and what stands between system text and request, is the roles' work.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from pydantic import Field

from hairpin.domain.prompts import SLOT, PromptSlots, RolePrompt
from hairpin.domain.scenario import PackOrigin
from hairpin.errors import InvalidInputError, UnknownReferenceError, did_you_mean
from hairpin.packs.field_types import Identifier
from hairpin.packs.file_model import FileModel
from hairpin.packs.finder import PackFinder
from hairpin.packs.kinds import PackKind
from hairpin.packs.problems import Problems
from hairpin.packs.prompt_text import SECTIONS, PromptText, Section, split_prompt
from hairpin.packs.yaml_source import Document, validate_tree

_SLOT_LIKE: Final = re.compile(r"\{\{[^{}]*\}\}")


class FrontMatter(FileModel):
    """What stands above the sections. ``version`` is the prompt's own: raise it with each change of the text."""

    id: Identifier
    version: int = Field(ge=1)
    title: str = ""


def find_prompt(name: str, finder: PackFinder, *, slots: PromptSlots) -> tuple[RolePrompt, PackOrigin]:
    """Return the prompt called ``name``, and where it came from.

    Args:
        name: one of ``domain.prompts.ALL_PROMPTS``.
        finder: where packs are; a user's file shadows the one that ships with Hairpin.
        slots: what the role fills.

    Raises:
        InvalidInputError: there is none, or it is not valid; says file and line, one line per problem.
    """
    file = finder.find(PackKind.PROMPT, name)
    if file is None:
        known = finder.names(PackKind.PROMPT)
        raise UnknownReferenceError("prompt", name, where=str(PackKind.PROMPT.path(name)), known=known)
    return load_prompt(file.data, file.where, name=name, slots=slots), file.origin


def load_prompt(data: bytes, where: str, *, name: str, slots: PromptSlots) -> RolePrompt:
    """Return the prompt that the bytes of a file hold; raises InvalidInputError."""
    text = split_prompt(data, where)
    problems = Problems()
    document = problems.attempt(lambda: _front_matter(text, where, name))
    for section in text.sections:
        for error in _wrong_slots(section, slots, where):
            problems.note(error)
    for error in _missing_slots(text, slots, where):
        problems.note(error)
    problems.raise_if_any()
    if document is None:
        raise AssertionError("what is missing was noted as a problem")
    system, request = text.sections
    return RolePrompt(id=document.value.id, version=document.value.version, system=system.text, request=request.text)


def _front_matter(text: PromptText, where: str, name: str) -> Document[FrontMatter]:
    document = validate_tree(text.front_matter, where, FrontMatter)
    if document.value.id != name:
        what = f"id must be {name!r} like the name of the file, not {document.value.id!r}"
        raise InvalidInputError(what, where=document.where("id"), hint="rename the file or change the id")
    return document


def _wrong_slots(section: Section, slots: PromptSlots, where: str) -> Iterator[InvalidInputError]:
    mine, others = _known(section, slots), slots.system | slots.request
    for match in _SLOT_LIKE.finditer(section.text):
        place = f"{where}:{section.line_at(match.start())}"
        slot = SLOT.fullmatch(match[0])
        if slot is None:
            hint = "a slot is {{ name }}; put a space between braces that are none"
            yield InvalidInputError(f"{match[0]!r} is no slot", where=place, hint=hint)
        elif slot[1] not in others:
            hint = did_you_mean(slot[1], mine) or f"'# {section.title}' has no slots"
            yield InvalidInputError(f"unknown slot {slot[1]!r}", where=place, hint=hint)
        elif slot[1] not in mine:
            other = next(title for title in SECTIONS if title != section.title)
            what = f"the slot {slot[1]!r} cannot be filled in '# {section.title}'"
            yield InvalidInputError(what, where=place, hint=f"move it to '# {other}'")


def _missing_slots(text: PromptText, slots: PromptSlots, where: str) -> Iterator[InvalidInputError]:
    for name in sorted(slots.required):
        homes = [section for section in text.sections if name in _known(section, slots)]
        if not any(match[1] == name for section in homes for match in SLOT.finditer(section.text)):
            titles = " or ".join(f"'# {section.title}'" for section in homes)
            what = f"the slot {name!r} is missing from {titles}"
            yield InvalidInputError(what, where=f"{where}:{homes[0].line}", hint=f"add '{{{{ {name} }}}}'")


def _known(section: Section, slots: PromptSlots) -> frozenset[str]:
    return slots.system if section.title == SECTIONS[0] else slots.request
