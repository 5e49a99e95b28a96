"""The format of ``campaign:`` in scenario files, and of seed phrases in files of their own.

File models, not domain values; ``campaign_forms`` makes the values.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Final, Literal, Self

from pydantic import AfterValidator, Discriminator, Field, Tag, model_validator

from hairpin.domain.durations import parse_duration
from hairpin.domain.encoder import AUTO_MODEL, NOT_FOR_SERVERS
from hairpin.errors import InvalidInputError
from hairpin.packs.field_types import (
    BaseUrl,
    EnvironmentName,
    Identifier,
    NonBlank,
    PackName,
    Texts,
    is_pack_name,
    unique,
)
from hairpin.packs.file_model import FileModel
from hairpin.packs.sut_formats import RecordedForm, SutForm
from hairpin.packs.validation_messages import invalid

DEFAULT_BASELINE_PERSONA: Final = "neutral"
DEFAULT_BASELINE_MAX_TURNS: Final = 8
NOT_COMPARED: Final = "learned: learning is always compared with uniform choice, so it needs the guided arm beside it"
SEED_FILE_SUFFIXES: Final = (".txt", ".jsonl", ".csv")

_EMBEDDINGS_PATH: Final = "/embeddings"
_FILE: Final = re.compile(r"\.{0,2}/.*|.*\.(?:ya?ml|txt|jsonl|csv)")


def is_pool_file(reference: str) -> bool:
    """Whether a pool is named by its file, ``./phrases.txt``, and not as a pack is."""
    return _FILE.fullmatch(reference) is not None


def _duration(text: str) -> str:
    try:
        parse_duration(text, where="")
    except InvalidInputError as error:
        raise invalid(error.what, error.hint or "") from error
    return text


def _pool_reference(text: str) -> str:
    if not is_pool_file(text) and not is_pack_name(text):
        hint = "names look like in_car/1, files like ./pool.yaml or ./phrases.txt"
        raise invalid(f"must name a pool or a file, not {text!r}", hint)
    return text


Duration = Annotated[str, AfterValidator(_duration)]
PoolReference = Annotated[str, AfterValidator(_pool_reference)]
Turns = Annotated[int, Field(ge=1)]


class SeedFileForm(FileModel):
    """``{file: ./phrases.txt}``: seed phrases, one a line, or in JSON lines or CSV with their task combination."""

    file: NonBlank


SeedPhrasesForm = Annotated[
    Annotated[Texts, Field(min_length=1), Tag("list")] | Annotated[SeedFileForm, Tag("SeedFileForm")],
    Discriminator(lambda value: "SeedFileForm" if isinstance(value, dict) else "list"),
]


class BaselineForm(FileModel):
    """The user of the baseline arm, where arms are independent."""

    persona: PackName = DEFAULT_BASELINE_PERSONA
    max_turns: Turns = DEFAULT_BASELINE_MAX_TURNS


class LearningForm(FileModel):
    """How the learned arm learns."""

    epsilon: float = Field(default=0.1, ge=0, le=1)
    optimism: float = Field(default=1.0, ge=0)
    task_optimism: float = Field(default=3.0, ge=0)
    tolerance: float = Field(default=0.5, ge=0, le=1)
    decay: float = Field(default=0.985, gt=0, le=1)
    share: float = Field(default=0.5, gt=0, le=1)


class EncoderForm(FileModel):
    """What turns texts into vectors: a package, a folder, or a name on huggingface.co, and how it is run.

    With ``base_url`` a server does it, OpenAI's or one like it.
    """

    model: NonBlank = AUTO_MODEL
    device: Annotated[str, Field(pattern=r"^(auto|cpu|mps|cuda(:\d{1,3})?)$")] = "auto"
    dtype: Literal["float32", "float16"] | None = None
    trust_remote_code: bool = False
    revision: NonBlank | None = None
    batch_size: Annotated[int, Field(ge=1)] = 64
    max_seq_length: Annotated[int, Field(ge=3)] | None = None
    base_url: BaseUrl | None = None
    api_key_env: EnvironmentName | None = None

    @model_validator(mode="after")
    def _runs_in_one_place(self) -> Self:
        if self.base_url is None:
            if self.api_key_env is not None:
                raise invalid("is for encoders with a base_url", "add base_url, or leave it out", at=("api_key_env",))
            return self
        if self.base_url.partition("?")[0].rstrip("/").endswith(_EMBEDDINGS_PATH):
            hint = f"leave {_EMBEDDINGS_PATH} out: Hairpin adds it"
            raise invalid(f"must end before {_EMBEDDINGS_PATH}", hint, at=("base_url",))
        if self.model == AUTO_MODEL:
            raise invalid("needs a model beside its base_url", "add model, its name on that server")
        for name in NOT_FOR_SERVERS:
            if getattr(self, name):
                raise invalid("is for models that run here", "leave it out, or leave base_url out", at=(name,))
        return self


EncoderChoice = Annotated[
    Annotated[NonBlank, Tag("text")] | Annotated[EncoderForm, Tag("EncoderForm")],
    Discriminator(lambda value: "EncoderForm" if isinstance(value, dict) else "text"),
]


class CampaignForm(FileModel):
    """``campaign:``: what ``hairpin campaign`` does with the scenario; ``hairpin run`` takes no notice of it."""

    time: Duration | None = None
    conversations: int | None = Field(default=None, ge=1)
    max_distinct_failures: int | None = Field(default=None, ge=1)
    arms: Annotated[tuple[Literal["guided", "baseline", "learned"], ...], Field(min_length=1), unique(str)] = (
        "guided",
    )
    split: Literal["time", "count", "total"] = "time"
    pairing: Literal["independent", "paired"] = "independent"
    runs: int = Field(default=1, ge=1)
    max_turns: Annotated[tuple[Turns, ...], Field(min_length=1), unique(str)] | None = None
    pools: Annotated[tuple[PoolReference, ...], Field(min_length=1), unique(str)] | None = None
    suts: Mapping[Identifier, SutForm] = Field(default_factory=dict)
    baseline: BaselineForm = BaselineForm()
    retries: int = Field(default=1, ge=0)
    encoder: EncoderChoice = EncoderForm()
    learning: LearningForm = LearningForm()

    @model_validator(mode="after")
    def _talks_to_somebody(self) -> Self:
        for label, sut in self.suts.items():
            if isinstance(sut, RecordedForm):
                hint = "name an assistant that can be talked to"
                raise invalid("is recorded, so no new conversation can be held with it", hint, at=("suts", label))
        return self

    @model_validator(mode="after")
    def _learning_is_compared(self) -> Self:
        if "learned" in self.arms and "guided" not in self.arms:
            raise invalid(NOT_COMPARED, "add guided to arms", at=("arms",))
        return self
