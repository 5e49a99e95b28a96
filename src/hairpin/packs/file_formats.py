"""The format of scenario files, version 1.

A file model, not a domain value: it says what may be written. Names in it are resolved by ``scenarios``; the other
files are in ``pack_formats``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, Self

from pydantic import Discriminator, Field, JsonValue, Tag, model_validator

from hairpin.domain.scenario import DEFAULT_MAX_TURNS
from hairpin.domain.trials import MAX_TRIALS
from hairpin.packs.campaign_formats import CampaignForm, SeedPhrasesForm
from hairpin.packs.field_types import (
    Identifier,
    IsoDate,
    Names,
    NonBlank,
    PackName,
    RegexText,
    TimeOfDay,
    Version,
    unique,
)
from hairpin.packs.file_model import FileModel, text_or
from hairpin.packs.metamorphic_formats import MetamorphicForm, TestSeedsChoice
from hairpin.packs.model_formats import ModelsForm
from hairpin.packs.sut_formats import RecordedForm, SutForm
from hairpin.packs.template_fields import PathText
from hairpin.packs.validation_messages import invalid

DEFAULT_RUBRIC = "in_car"
DEFAULT_STRATEGIES = "in_car/paper"

OracleName = Literal["turn_judge", "dimensions"]
SourceKey = Literal["seed_phrases", "turns", "pool", "test_seeds"]
SOURCE_KEYS: tuple[SourceKey, ...] = ("seed_phrases", "turns", "pool", "test_seeds")


class ContainsForm(FileModel):
    """``{contains: text}``: the reply contains the text."""

    contains: NonBlank
    ignore_case: bool = True


class RegexForm(FileModel):
    """``{regex: pattern}``: the reply matches somewhere."""

    regex: RegexText


class FunctionForm(FileModel):
    """``{function: ./file.py:name}``: a function of the user's decides."""

    function: NonBlank


class StateForm(FileModel):
    """``{state: vehicle.speed_kmh, equals: 0}``: what the side channel says; without ``equals`` it says something."""

    state: PathText
    equals: JsonValue = None


def _check_form(value: object) -> str:
    if not isinstance(value, dict):
        return "text"
    keys = {"regex": "RegexForm", "function": "FunctionForm", "state": "StateForm"}
    return next((form for key, form in keys.items() if key in value), "ContainsForm")


CheckForm = Annotated[
    Annotated[NonBlank, Tag("text")]
    | Annotated[ContainsForm, Tag("ContainsForm")]
    | Annotated[RegexForm, Tag("RegexForm")]
    | Annotated[FunctionForm, Tag("FunctionForm")]
    | Annotated[StateForm, Tag("StateForm")],
    Discriminator(_check_form),
]


class TurnForm(FileModel):
    """A turn of a script."""

    user: NonBlank
    checks: tuple[CheckForm, ...] = ()


class ContextForm(FileModel):
    """Where and when a conversation happens."""

    location: NonBlank | None = None
    date: IsoDate | None = None
    time: TimeOfDay | None = None
    vehicle: Mapping[str, str | int | float | bool] = Field(default_factory=dict)
    reference_text: NonBlank | None = None


Weight = Annotated[float, Field(ge=0)]


class WeightsForm(FileModel):
    """``{dimensions: 1 | {id: weight}, targets: 1}``; what is not given keeps the weight it has."""

    dimensions: (
        Annotated[
            Annotated[Weight, Tag("number")] | Annotated[Mapping[str, Weight], Tag("mapping")],
            Discriminator(lambda value: "mapping" if isinstance(value, dict) else "number"),
        ]
        | None
    ) = None
    targets: Weight | None = None


class ConfirmForm(FileModel):
    """How often failed conversations are tried again, by kind of trial."""

    rejudge: Annotated[int, Field(ge=0, lt=MAX_TRIALS)] = 3
    replay: Annotated[int, Field(ge=0, lt=MAX_TRIALS)] = 3
    resimulate: Annotated[int, Field(ge=0, lt=MAX_TRIALS)] = 2


class CanariesForm(FileModel):
    """The share of judged conversations that a transcript with a known judgement follows."""

    share: Annotated[float, Field(gt=0, le=1)] = 0.1


class ScenarioFile(FileModel):
    """A scenario file, whole. Exactly one of ``SOURCE_KEYS`` says what the user wants.

    With a recorded assistant none does; where ``campaign`` names pools none needs to.
    """

    version: Version = 1
    id: Identifier
    title: str = ""
    tags: tuple[NonBlank, ...] = ()
    sut: SutForm
    seed_phrases: SeedPhrasesForm | None = None
    turns: Annotated[tuple[TurnForm, ...], Field(min_length=1)] | None = None
    pool: PackName | None = None
    test_seeds: TestSeedsChoice | None = None
    personas: Annotated[Names, Field(min_length=1)] = ("neutral",)
    contexts: Annotated[tuple[ContextForm, ...], Field(min_length=1), unique(ContextForm.model_dump_json)] = (
        ContextForm(),
    )
    max_turns: int = Field(default=DEFAULT_MAX_TURNS, ge=1)
    strategies: Annotated[Annotated[PackName, Tag("text")] | Annotated[Names, Tag("list")], text_or("list")] | None = (
        None
    )
    rubric: PackName = DEFAULT_RUBRIC
    threshold: Annotated[float, Field(ge=0, le=1)] | None = None
    weights: WeightsForm | None = None
    oracles: Annotated[tuple[OracleName, ...], unique(str)] = ("turn_judge", "dimensions")
    models: ModelsForm = ModelsForm()
    judges_see_state: bool = False
    simulator_review: bool = True
    checks: tuple[CheckForm, ...] = ()
    language: Identifier = "en"
    turn_timeout_s: float = Field(default=60.0, gt=0)
    repeats: int = Field(default=1, ge=1)
    rng_seed: int = 1
    campaign: CampaignForm | None = None
    metamorphic: MetamorphicForm | None = None
    confirm: ConfirmForm | None = None
    canaries: CanariesForm | None = None

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        given = [key for key in SOURCE_KEYS if getattr(self, key) is not None]
        recorded = isinstance(self.sut, RecordedForm)
        if recorded and given:
            raise invalid("stands beside a recorded assistant", "remove it: both sides are recorded", at=(given[0],))
        if recorded and self.metamorphic is not None:
            raise invalid("stands beside a recorded assistant", "remove it: nothing can be asked", at=("metamorphic",))
        if self.campaign is not None and (recorded or self.turns is not None):
            hint = "remove it, or let the user speak freely: seed_phrases or pool"
            raise invalid("needs a user who is not written down", hint, at=("campaign",))
        pools = self.campaign is not None and self.campaign.pools is not None
        if not given and not recorded and not pools:
            none = f"has none of {', '.join(SOURCE_KEYS[:-1])} and {SOURCE_KEYS[-1]}"
            raise invalid(none, "add one of them: it says what the user wants")
        if len(given) > 1:
            hint = f"keep one of {', '.join(SOURCE_KEYS)}"
            raise invalid(f"stands beside {given[0]}", hint, at=(given[1],))
        self._refuse_what_test_seeds_do_not_need()
        return self

    def _refuse_what_test_seeds_do_not_need(self) -> None:
        if self.test_seeds is None:
            return
        if self.campaign is not None:
            hint = "remove one of them: 'hairpin campaign' draws from seed phrases, beside which metamorphic can stand"
            raise invalid("stands beside test_seeds", hint, at=("campaign",))
        for key in ("oracles", "personas", "contexts", "strategies", "max_turns", "confirm", "canaries"):
            if key in self.model_fields_set and getattr(self, key):
                hint = "remove it: the test seeds say what is asked, and relations decide"
                raise invalid("plays no part beside test_seeds", hint, at=(key,))
