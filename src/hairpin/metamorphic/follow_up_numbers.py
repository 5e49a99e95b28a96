"""Fixed places: the number and the name of every follow-up that a source conversation can ever have.

Each has its own, whatever else is derived and whatever turns out not to be applicable. It derives nothing.
"""

from __future__ import annotations

from typing import Final

from hairpin.domain.plan import MAX_FOLLOW_UPS
from hairpin.domain.relations import MetamorphicSpec
from hairpin.domain.replay import Method, Perturbation
from hairpin.errors import InvalidInputError
from hairpin.metamorphic.metal import MetalRelation
from hairpin.metamorphic.qaasker import QaaskerRelation

_EXECUTIONS: Final = 100
"""As many as the specification allows, of null replays too."""

_PERTURBATIONS: Final = 16
"""Twice as many as there are: those to come find room behind them."""

_BASELINES_FROM: Final = _EXECUTIONS * (1 + _PERTURBATIONS)
_PER_QUESTION: Final = len(MetalRelation) + len(QaaskerRelation)

MAX_BASELINE_QUESTIONS: Final = (MAX_FOLLOW_UPS - _BASELINES_FROM) // _PER_QUESTION
"""So many questions a test seed can have for which single questions are changed."""


def null_number(execution: int) -> int:
    """Return the number of a null replay."""
    return execution


def mortar_number(perturbation: Perturbation, execution: int) -> int:
    """Return the number of a perturbed follow-up."""
    return _EXECUTIONS * (1 + list(Perturbation).index(perturbation)) + execution


def baseline_number(relation: MetalRelation | QaaskerRelation, index: int) -> int:
    """Return the number of the test case in which question ``index``, from 0, is changed."""
    return _BASELINES_FROM + index * _PER_QUESTION + [*MetalRelation, *QaaskerRelation].index(relation)


def baseline_name(relation: MetalRelation | QaaskerRelation, index: int) -> str:
    """Return what comes behind the source's id; questions count from 1."""
    method = Method.METAL if isinstance(relation, MetalRelation) else Method.QAASKER
    return f"{method.value}.{relation.value}.q{index + 1:02d}"


def check_number(spec: MetamorphicSpec, n_questions: int) -> None:
    """Refuse what would be more follow-ups than one conversation can have.

    Raises:
        InvalidInputError: single questions are changed, and the test seed has more than MAX_BASELINE_QUESTIONS.
    """
    if spec.baselines and n_questions > MAX_BASELINE_QUESTIONS:
        raise InvalidInputError(
            f"a test seed of {n_questions} questions is too long for changing single questions",
            where="metamorphic.baselines",
            hint=f"take {MAX_BASELINE_QUESTIONS} questions at most (test_seeds.max_questions), or leave baselines out",
        )
