"""What the roles of replays will take: calls and characters, from low to high, by how much is replayed.

Pure arithmetic; what is planned exactly is ``metamorphic.derive``'s.
"""

from __future__ import annotations

from typing import Final

from hairpin.domain.outcome import Role
from hairpin.domain.relations import MetamorphicSpec
from hairpin.domain.replay import Method, Perturbation

QUESTION_CHARS: Final = (40, 60, 120)
"""Characters of one earlier question."""

STORY_CHARS: Final = (500, 1_700, 4_000)
"""Characters of a reference text; one of CoQA has some 1,700."""

PER_CHECK: Final = (0.2, 0.7, 2.0)
"""Rewrites, or answers, per context check: a memo and exact short cuts save most of two each."""

QAASKER_RELATIONS: Final = 3


def questions_per_source(spec: MetamorphicSpec) -> float:
    """Return how many questions all follow-ups of one source ask, per question of the source."""
    return spec.executions * sum(_length(each, spec.ratio) for each in spec.perturbations)


def replay_calls(spec: MetamorphicSpec, role: Role, n_questions: float, level: int) -> float:
    """Return how often ``role`` is asked in replaying sources of ``n_questions`` in all.

    ``level``: 0 is low, 1 expected, 2 high.
    """
    if role is Role.QUESTION_WRITER:
        return QAASKER_RELATIONS * n_questions if Method.QAASKER in spec.baselines else 0.0
    checks = n_questions * questions_per_source(spec)
    return checks if role is Role.CONTEXT_JUDGE else checks * PER_CHECK[level]


def replay_chars(role: Role, n_earlier: float, level: int) -> float:
    """Return the characters of one prompt of ``role`` beside its instructions; ``n_earlier`` questions come before."""
    earlier = 0.0 if role is Role.REFERENCE_ANSWERER else n_earlier
    contexts = 2 if role is Role.CONTEXT_JUDGE else 1
    return STORY_CHARS[level] + (contexts * earlier + 1) * QUESTION_CHARS[level]


_REDUCED: Final = frozenset({Perturbation.RR, Perturbation.RSR, Perturbation.RRD, Perturbation.RSRD})
_DOUBLED: Final = frozenset({Perturbation.RD, Perturbation.RSD, Perturbation.RRD, Perturbation.RSRD})


def _length(perturbation: Perturbation, ratio: float) -> float:
    """Return how long a follow-up is, relative to its source; a foreign round needs no check."""
    reduced = 1 - ratio if perturbation in _REDUCED else 1.0
    return reduced * (1 + ratio) if perturbation in _DOUBLED else reduced
