"""Panels: several judges, or one asked several times, for each decision.

Who sits on one, and how players of a run are told apart; counting votes is ``domain.voting``'s work.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple, TypeAlias

from pydantic import Field

from hairpin.domain.base import Value
from hairpin.domain.model_spec import ModelSpec, label_of
from hairpin.domain.outcome import Role

MAX_MEMBERS: Final = 9
MAX_REPEATS: Final = 9

OFFLINE_MEMBER: Final = "offline"

PANEL_ROLES: Final = (Role.TURN_JUDGE, Role.CONVERSATION_JUDGE)
"""The roles that several can play together."""


class Seat(NamedTuple):
    """A place on the panel that plays ``role``, from 0."""

    role: Role
    number: int


PlayerKey: TypeAlias = Role | Seat
"""Which of a run's models it is: the one that plays a role, or one of a panel."""


def role_of(player: PlayerKey) -> Role:
    """Return the role that ``player`` plays, or helps to."""
    return player.role if isinstance(player, Seat) else player


class PanelSpec(Value):
    """Who decides together. ``None`` is the offline judge, who is asked once: it would only say the same again."""

    members: tuple[ModelSpec | None, ...] = Field(min_length=1, max_length=MAX_MEMBERS)
    repeats: int = Field(default=1, ge=1, le=MAX_REPEATS)

    @property
    def label(self) -> str:
        """Who sits on it, as the summary says."""
        return f"panel of {len(self.voters)}: " + ", ".join(self._members())

    @property
    def voters(self) -> tuple[tuple[int, str], ...]:
        """Every vote to be cast: the seat, and how reports call it."""
        names = tuple(self.names)
        return tuple(
            (seat, names[seat] if repeats == 1 else f"{names[seat]}, {n + 1}")
            for seat, member in enumerate(self.members)
            for repeats in (1 if member is None else self.repeats,)
            for n in range(repeats)
        )

    @property
    def names(self) -> Iterator[str]:
        """How reports call the members; of two alike, the second has a number."""
        seen: dict[str, int] = {}
        for member in self.members:
            name = OFFLINE_MEMBER if member is None else label_of(member)
            seen[name] = seen.get(name, 0) + 1
            yield name if seen[name] == 1 else f"{name} #{seen[name]}"

    def models(self, role: Role) -> Mapping[PlayerKey, ModelSpec]:
        """Return the members that are models, by seat."""
        return {Seat(role, number): member for number, member in enumerate(self.members) if member is not None}

    def _members(self) -> Iterator[str]:
        for name, member in zip(self.names, self.members, strict=True):
            yield f"{name} {self.repeats} times" if member is not None and self.repeats > 1 else name
