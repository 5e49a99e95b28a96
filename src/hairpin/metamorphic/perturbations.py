"""Dialogue-level perturbations P^r: sequences of question indexes made from n questions.

It works on indexes alone, so that questions with equal texts stay apart; texts are put in by ``derive``.

Source: MORTAR, section III-C, eq. 19 to 28.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum
from typing import Final, TypeAlias

from hairpin.domain.replay import Perturbation
from hairpin.metamorphic.drawing import below, generator, shuffled, subset
from hairpin.metamorphic.refusal import Refused

Order: TypeAlias = tuple[int | None, ...]
"""Q^r: which question of the test seed is asked in each round, from 0; ``None`` is a foreign round."""

MIN_QUESTIONS: Final = 2
"""So many questions round reduction leaves at least: a dialogue has rounds, plural."""


class Step(StrEnum):
    """One operation on a sequence; perturbations are chains of them."""

    SHUFFLE = "shuffle"
    REDUCE = "reduce"
    DUPLICATE = "duplicate"
    INSERT = "insert"


STEPS: Final[Mapping[Perturbation, tuple[Step, ...]]] = {
    Perturbation.RS: (Step.SHUFFLE,),
    Perturbation.RR: (Step.REDUCE,),
    Perturbation.RD: (Step.DUPLICATE,),
    Perturbation.RSR: (Step.SHUFFLE, Step.REDUCE),
    Perturbation.RSD: (Step.SHUFFLE, Step.DUPLICATE),
    Perturbation.RRD: (Step.REDUCE, Step.DUPLICATE),
    Perturbation.RSRD: (Step.SHUFFLE, Step.REDUCE, Step.DUPLICATE),
    Perturbation.RI: (Step.INSERT,),
}
"""What each perturbation does, first step first (eq. 22 to 28); ``RI`` is ours."""


def perturb(
    questions: Sequence[int], perturbation: Perturbation, *, ratio: float, rng_seed: int, path: tuple[str, ...] = ()
) -> Order | Refused:
    """Return the perturbed sequence.

    Each step draws from a generator of its own, derived from ``rng_seed``, ``path``, the perturbation and the step:
    adding a perturbation, an execution or a step shifts no other.

    Args:
        questions: the indexes of the questions in their order, each once.
        perturbation: which.
        ratio: share of rounds that RR removes and RD doubles, in (0, 1).
        rng_seed: of the source conversation.
        path: what else tells this sequence from others: the test seed's id and the execution.
    """
    order: Order = tuple(questions)
    for step in STEPS[perturbation]:
        made = _apply(step, order, ratio, rng_seed, (*path, perturbation.value, step.value))
        if isinstance(made, Refused):
            return made
        order = made
    return order


def n_changed(ratio: float, n: int) -> int:
    """Return δ = max(1, ratio·n rounded half up), of the ratio as it is written: 0.29·50 is 14.5."""
    exact = Decimal(repr(ratio)) * n
    return max(1, int(exact.quantize(Decimal(1), rounding=ROUND_HALF_UP)))


def _apply(step: Step, order: Order, ratio: float, rng_seed: int, path: tuple[str, ...]) -> Order | Refused:
    match step:
        case Step.SHUFFLE:
            return _shuffle(order, rng_seed, path)
        case Step.REDUCE:
            return _reduce(order, ratio, rng_seed, path)
        case Step.DUPLICATE:
            return _duplicate(order, ratio, rng_seed, path)
        case Step.INSERT:
            return _insert(order, rng_seed, path)


def _shuffle(order: Order, rng_seed: int, path: tuple[str, ...]) -> Order | Refused:
    """Permute, never to the same order (eq. 22): every other order is equally likely."""
    if len(order) < MIN_QUESTIONS:
        return Refused(reason=f"{_rounds(order)}: there is no other order")
    rng = generator(rng_seed, *path)
    drawn = order
    while drawn == order:
        drawn = tuple(shuffled(rng, order))
    return drawn


def _reduce(order: Order, ratio: float, rng_seed: int, path: tuple[str, ...]) -> Order | Refused:
    """Remove δ rounds, at most n − 2, and keep the order of the others (eq. 23)."""
    n_removed = min(n_changed(ratio, len(order)), len(order) - MIN_QUESTIONS)
    if n_removed < 1:
        return Refused(reason=f"{_rounds(order)}: fewer than {MIN_QUESTIONS} would be left")
    removed = set(subset(generator(rng_seed, *path), range(len(order)), n_removed))
    return tuple(index for place, index in enumerate(order) if place not in removed)


def _duplicate(order: Order, ratio: float, rng_seed: int, path: tuple[str, ...]) -> Order | Refused:
    """Insert δ different rounds once more, one after the other, each at a random place, ends included (eq. 24)."""
    if not order:
        return Refused(reason="no question to repeat")
    rng = generator(rng_seed, *path)
    longer = list(order)
    for index in subset(rng, order, n_changed(ratio, len(order))):
        longer.insert(below(rng, len(longer) + 1), index)
    return tuple(longer)


def _insert(order: Order, rng_seed: int, path: tuple[str, ...]) -> Order | Refused:
    """Insert one foreign round before some question: after the last one it would change nothing."""
    if not order:
        return Refused(reason="no question that a foreign round could come before")
    place = below(generator(rng_seed, *path), len(order))
    return (*order[:place], None, *order[place:])


def _rounds(order: Order) -> str:
    return f"{len(order)} question{'s' * (len(order) != 1)}"
