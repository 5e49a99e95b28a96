"""The format of ``test_seeds:`` and ``metamorphic:`` in scenario files.

File models, not domain values; ``metamorphic_forms`` makes the values.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Discriminator, Field, Tag

from hairpin.domain.relations import MetamorphicSpec
from hairpin.domain.test_seeds import SeedFormat
from hairpin.packs.campaign_formats import EncoderChoice, EncoderForm
from hairpin.packs.field_types import NonBlank, unique
from hairpin.packs.file_model import FileModel

PerturbationName = Literal["RS", "RR", "RD", "RSR", "RSD", "RRD", "RSRD", "RI"]
RelationName = Literal["MR1", "MR2", "MR3", "MR4"]
BaselineName = Literal["metal", "qaasker"]
Cosine = Annotated[float, Field(ge=-1, le=1)]
Count = Annotated[int, Field(ge=0, le=100)]

_DEFAULT = MetamorphicSpec()


class TestSeedsForm(FileModel):
    """``{file: coqa.json, limit: 20}``: dialogues whose questions are asked as they are, and changed."""

    __test__ = False

    file: NonBlank
    format: SeedFormat = "auto"
    limit: Annotated[int, Field(ge=1)] | None = None
    max_questions: Annotated[int, Field(ge=2)] | None = None
    strict: bool = False


TestSeedsChoice = Annotated[
    Annotated[NonBlank, Tag("text")] | Annotated[TestSeedsForm, Tag("TestSeedsForm")],
    Discriminator(lambda value: "TestSeedsForm" if isinstance(value, dict) else "text"),
]


class MetamorphicForm(FileModel):
    """``metamorphic:``: how conversations are replayed, and what must hold between the answers."""

    perturbations: Annotated[tuple[PerturbationName, ...], unique(str)] = (
        "RS",
        "RR",
        "RD",
        "RSR",
        "RSD",
        "RRD",
        "RSRD",
    )
    ratio: Annotated[float, Field(gt=0, lt=1)] = _DEFAULT.ratio
    executions: Annotated[int, Field(ge=1, le=100)] = _DEFAULT.executions
    relations: Annotated[tuple[RelationName, ...], unique(str)] = ("MR1", "MR2", "MR3", "MR4")
    epsilon: Cosine = _DEFAULT.epsilon
    epsilon_ec: Cosine = _DEFAULT.epsilon_ec
    context: Literal["ec", "llm_judge"] = "ec"
    same_state: bool = False
    comparison: Literal["embedding", "lexical+embedding"] = "embedding"
    gold: Literal["paper", "best"] = "paper"
    baselines: Annotated[tuple[BaselineName, ...], unique(str)] = ()
    metal: Literal["paper", "careful"] = "paper"
    null_replays: Count = _DEFAULT.null_replays
    alpha: Annotated[float, Field(gt=0, lt=1)] = _DEFAULT.alpha
    encoder: EncoderChoice = EncoderForm()
