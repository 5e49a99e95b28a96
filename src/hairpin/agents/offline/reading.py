"""What a user utterance says, by the signals of a lexicon: requests, conditions, withdrawals, unsafe wishes.

It reads one utterance alone; what it means after the ones before is ``agents.offline.ledger``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from pydantic import Field

from hairpin.agents.offline.text import overlaps_any, readable
from hairpin.domain.base import Value
from hairpin.domain.lexicon import Language, UnsafeWish

Span = tuple[int, int]

OTHER_KIND = "other"
"""The kind of a request that the lexicon does not know."""


class Request(Value):
    """A request found in an utterance, with the canonical values of its parameters."""

    kind: str
    params: Mapping[str, str] = Field(default_factory=dict)
    span: Span
    quote: str


class Condition(Value):
    """A constraint found in an utterance, with the canonical values of its parameters."""

    constraint: str
    params: Mapping[str, str] = Field(default_factory=dict)
    span: Span
    quote: str


class Withdrawal(Value):
    """Something the user drops; ``what`` is ``None`` when the words do not say."""

    what: str | None
    quote: str


class UserReading(Value):
    """Everything an utterance says.

    ``lifted``: constraint ids; ``unsafe``: wishes that must be declined; ``other``: it asks for something of which the
    lexicon knows no more than that.
    """

    text: str
    requests: tuple[Request, ...] = ()
    conditions: tuple[Condition, ...] = ()
    lifted: tuple[str, ...] = ()
    withdrawals: tuple[Withdrawal, ...] = ()
    unsafe: tuple[UnsafeWish, ...] = ()
    other: Request | None = None
    instead: bool = False
    recalls: bool = False


def read_user(text: str, language: Language) -> UserReading:
    """Read an utterance, or the beginning of one that is very long."""
    return _Reader(readable(text), language).reading()


class _Reader:
    """Reads one utterance; spans that mean one thing are not read again as another."""

    def __init__(self, text: str, language: Language) -> None:
        self.text = text
        self.language = language
        self.dropped = [match.span() for match in _longest(language.user.withdrawn.all(text))]

    def reading(self) -> UserReading:
        unsafe = self._unsafe()
        lifted = self._lifted()
        wishes = [span for _, span in unsafe]
        lifts = [span for _, span in lifted]
        requests = self._requests([*wishes, *self.dropped])
        conditions = self._conditions([*wishes, *self.dropped, *lifts])
        recalls = self.language.user.recall.found(self.text)
        understood = bool(requests or conditions or lifted or unsafe or self.dropped or recalls)
        return UserReading(
            text=self.text,
            requests=requests,
            conditions=conditions,
            lifted=tuple(dict.fromkeys(name for name, _ in lifted)),
            withdrawals=self._withdrawals(),
            unsafe=tuple(wish for wish, _ in unsafe),
            other=None if understood else self._other(),
            instead=self.language.user.instead.found(self.text),
            recalls=recalls,
        )

    def _other(self) -> Request | None:
        if not self.language.user.request.found(self.text):
            return None
        return Request(kind=OTHER_KIND, params={"text": self.text}, span=(0, len(self.text)), quote=self.text)

    def _unsafe(self) -> list[tuple[UnsafeWish, Span]]:
        found = ((wish, wish.said.first(self.text)) for wish in self.language.unsafe)
        return [(wish, match.span()) for wish, match in found if match is not None]

    def _lifted(self) -> list[tuple[str, Span]]:
        found: list[tuple[str, Span]] = []
        for kind in self.language.constraints:
            found += [(kind.id, match.span()) for match in kind.lifted.all(self.text)]
            found += [(kind.id, span) for span in self.dropped if kind.said.found(self.text[slice(*span)])]
        return found

    def _withdrawals(self) -> tuple[Withdrawal, ...]:
        found = []
        for match in _longest(self.language.user.withdrawn.all(self.text)):
            what = match.groupdict().get("what")
            if what is None or not any(kind.said.found(match.group()) for kind in self.language.constraints):
                found.append(Withdrawal(what=what, quote=match.group()))
        return tuple(found)

    def _requests(self, taken: list[Span]) -> tuple[Request, ...]:
        matches = [(kind, match) for kind in self.language.requests for match in kind.said.all(self.text)]
        matches.sort(key=lambda found: -len(found[1].group()))
        accepted: list[Request] = []
        for kind, match in matches:
            if not overlaps_any(match.span(), [*taken, *(request.span for request in accepted)]):
                params = self._params(match, kind.parameters)
                accepted.append(Request(kind=kind.id, params=params, span=match.span(), quote=match.group()))
        return tuple(sorted(accepted, key=lambda request: request.span))

    def _conditions(self, taken: list[Span]) -> tuple[Condition, ...]:
        accepted: list[Condition] = []
        for kind in self.language.constraints:
            match = next((m for m in _longest(kind.said.all(self.text)) if not overlaps_any(m.span(), taken)), None)
            if match is not None:
                params = self._params(match, kind.parameters)
                accepted.append(Condition(constraint=kind.id, params=params, span=match.span(), quote=match.group()))
        return tuple(sorted(accepted, key=lambda condition: condition.span))

    def _params(self, match: re.Match[str], parameters: Mapping[str, str]) -> dict[str, str]:
        values = {name: value for name, value in match.groupdict().items() if value is not None and name in parameters}
        return {name: self.language.slots[parameters[name]].canonical(value) for name, value in values.items()}


def _longest(matches: Iterable[re.Match[str]]) -> list[re.Match[str]]:
    """Return the matches without those that overlap a longer one, in the order of the text."""
    kept: list[re.Match[str]] = []
    for match in sorted(matches, key=lambda found: -len(found.group())):
        if not overlaps_any(match.span(), [other.span() for other in kept]):
            kept.append(match)
    return sorted(kept, key=lambda found: found.start())
