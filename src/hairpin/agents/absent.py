"""The role that nobody plays: in a run without judges, of written-down turns, no role is ever asked.

It must not stand in for anything: asking it is a bug.
"""

from __future__ import annotations

from typing import NoReturn

from hairpin.domain.rubric import Rubric
from hairpin.ports import Roles


class AbsentRole:
    """Refuses to be asked."""

    async def extract(self, brief: object) -> NoReturn:
        """Refuse."""
        raise _asked("target extractor", brief)

    async def speak(self, brief: object) -> NoReturn:
        """Refuse."""
        raise _asked("user simulator", brief)

    async def choose(self, brief: object) -> NoReturn:
        """Refuse."""
        raise _asked("strategist", brief)

    async def judge(self, brief: object) -> NoReturn:
        """Refuse."""
        raise _asked("turn judge", brief)

    async def score(self, brief: object) -> NoReturn:
        """Refuse."""
        raise _asked("conversation judge", brief)


def absent_roles(rubric: Rubric) -> Roles:
    """Return roles that nobody plays."""
    nobody = AbsentRole()
    return Roles(
        extractor=nobody,
        simulator=nobody,
        strategist=nobody,
        turn_judge=nobody,
        conversation_judges={dimension.id: nobody for dimension in rubric.dimensions},
    )


def _asked(role: str, brief: object) -> RuntimeError:
    return RuntimeError(f"a {role} was asked ({type(brief).__name__}) in a run that has none")
