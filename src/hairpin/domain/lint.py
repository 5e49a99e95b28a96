"""Rules for scenarios and rubrics that are valid and still cannot find anything: pure questions about values.

It must not know files: where a finding stands is the reader's to say.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Final

from hairpin.domain.base import Value
from hairpin.domain.checks import CheckSpec, ContainsCheck, RegexCheck
from hairpin.domain.conversation import normalise
from hairpin.domain.rubric import Dimension, Weights

MOST_SUMS: Final = 5_000
"""So many different sums of the other parts are looked at; a rubric with more of them is not examined."""

_SCORES: Final = (Fraction(0), Fraction(1, 2), Fraction(1))
_COMPLETED: Final = tuple(sorted({Fraction(k, n) for n in range(1, 9) for k in range(n + 1)}))
_ASSERTING: Final = ("^", "$", r"\b", r"\B", r"\A", r"\Z", "(?=", "(?!", "(?<=", "(?<!")
_GREETINGS: Final = ("hello", "hi", "hey", "hello there", "good morning", "good evening", "bye", "goodbye")
_FILLERS: Final = ("thanks", "thank you", "ok", "okay", "yes", "no", "please")
_EMPTY_TALK: Final = frozenset((*_GREETINGS, *_FILLERS))


class Finding(Value):
    """One thing that is valid and pointless. ``where``: file and line; ``hint``: the way out."""

    rule: str
    where: str
    what: str
    why: str
    hint: str

    @property
    def line(self) -> str:
        """The finding in one line."""
        return f"{self.where}: {self.what} [{self.rule}]; {self.why}; {self.hint}"


def always_passes(check: CheckSpec) -> bool:
    """Whether ``check`` passes whatever is replied: its pattern matches the empty text and asserts nothing.

    Such a pattern matches, of any reply, the nothing at its beginning. It may miss patterns that are pointless too.
    """
    if not isinstance(check, RegexCheck):
        return False
    pattern = check.pattern.removeprefix("^").removeprefix(r"\A")
    return not any(sign in pattern for sign in _ASSERTING) and re.search(pattern, "") is not None


def echo_passes(check: CheckSpec, utterance: str) -> bool:
    """Whether an assistant that says the user's words back passes ``check``."""
    if isinstance(check, ContainsCheck):
        words = (check.text.casefold(), utterance.casefold()) if check.ignore_case else (check.text, utterance)
        return words[0] in words[1]
    return isinstance(check, RegexCheck) and re.search(check.pattern, utterance) is not None


def never_matters(weights: Weights, threshold: float) -> tuple[str, ...]:
    """Return the weighted dimensions whose score changes no verdict, whatever the other scores and T are.

    Exact, for T in eighths and simpler; empty where there are more than ``MOST_SUMS`` sums to look at.
    """
    exact = {name: Fraction(str(weight)) for name, weight in weights.dimensions.items() if weight > 0}
    w_targets, theta = Fraction(str(weights.targets)), Fraction(str(threshold))
    return tuple(name for name in exact if _never_tips(name, exact, w_targets, theta))


def _never_tips(name: str, weights: Mapping[str, Fraction], w_targets: Fraction, theta: Fraction) -> bool:
    others = [weight for other, weight in weights.items() if other != name]
    for w_t, ratios in ((w_targets, _COMPLETED), (Fraction(0), (Fraction(0),))):
        needed = theta * (sum(weights.values()) + w_t)
        sums = _sums([*([w * s for s in _SCORES] for w in others), [w_t * ratio for ratio in ratios]])
        if sums is None or any(total < needed <= total + weights[name] for total in sums):
            return False
    return True


def _sums(parts: Iterable[Sequence[Fraction]]) -> set[Fraction] | None:
    found = {Fraction(0)}
    for part in parts:
        found = {total + value for total in found for value in part}
        if len(found) > MOST_SUMS:
            return None
    return found


def targets_decide(weights: Weights, threshold: float) -> bool:
    """Whether a conversation whose targets are all completed passes whatever all dimensions say."""
    w_targets = Fraction(str(weights.targets))
    total = w_targets + sum((Fraction(str(weight)) for weight in weights.dimensions.values()), Fraction(0))
    return w_targets > 0 and w_targets / total >= Fraction(str(threshold)) > 0


def weightless(weights: Weights) -> tuple[str, ...]:
    """Return the dimensions with weight 0: judged, and paid for, for nothing."""
    return tuple(name for name, weight in weights.dimensions.items() if weight == 0)


def equal_anchors(dimension: Dimension) -> tuple[int, int] | None:
    """Return two scores whose texts say the same, or ``None``."""
    said = [normalise(anchor) for anchor in dimension.anchors]
    pairs = ((0, 1), (1, 2), (0, 2))
    return next(((low, high) for low, high in pairs if said[low] == said[high]), None)


def repeated(phrases: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the places of phrases that say what an earlier one says, with the place of that one."""
    first: dict[str, int] = {}
    for index, phrase in enumerate(phrases):
        earlier = first.setdefault(normalise(phrase), index)
        if earlier != index:
            yield index, earlier


def asks_nothing(phrase: str) -> bool:
    """Whether a phrase is a greeting or the like, or no words at all: no target comes of it."""
    said = normalise(phrase)
    return said in _EMPTY_TALK or not any(character.isalnum() for character in said)
