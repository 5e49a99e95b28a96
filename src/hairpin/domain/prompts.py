"""A role's prompt: the stable instructions and the request that follows the conversation, with slots to fill.

Which slots a role fills, and what it appends in between, the role knows.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from hairpin.domain.base import Value
from hairpin.domain.outcome import Role

PROMPT_NAMES: Final[Mapping[Role, str]] = {
    Role.SIMULATOR: "user_simulator",
    Role.EXTRACTOR: "target_extractor",
    Role.STRATEGIST: "strategist",
    Role.TURN_JUDGE: "turn_judge",
    Role.CONVERSATION_JUDGE: "conversation_judge",
    Role.SIMULATOR_REVIEWER: "simulator_reviewer",
    Role.DECONTEXTUALISER: "decontextualiser",
    Role.REFERENCE_ANSWERER: "reference_answerer",
    Role.CONTEXT_JUDGE: "context_judge",
    Role.QUESTION_WRITER: "question_writer",
}
"""What the prompt of each role is called."""

SEED_WRITER: Final = "seed_writer"
"""The prompt by which a model writes seed phrases; that is no role, it takes no part in conversations."""

ALL_PROMPTS: Final = frozenset({*PROMPT_NAMES.values(), SEED_WRITER})

SLOT: Final = re.compile(r"\{\{\s*([a-z_]+)\s*\}\}")
"""``{{ name }}``."""


class RolePrompt(Value):
    """``system`` is what it is told first and always; ``request`` what it is asked at the end, anew each time."""

    id: str
    version: int = 1
    system: str
    request: str


class PromptSlots(Value):
    """The slots that a role fills: those of the system text, which stay the same for a whole conversation, and those
    of the request. A prompt must use all of ``required``, each in a section that has it.
    """

    system: frozenset[str] = frozenset()
    request: frozenset[str] = frozenset()
    required: frozenset[str] = frozenset()


def fill(text: str, values: Mapping[str, str]) -> str:
    """Return ``text`` with every slot filled; what a value holds is never taken for a slot.

    Raises:
        KeyError: a slot has no value.
    """
    return SLOT.sub(lambda match: values[match[1]], text)
