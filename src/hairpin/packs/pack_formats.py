"""The formats of pack files, version 1: personas, strategies, rubrics and pools of seed phrases.

File models, not domain values. Words for offline agents are in a format of their own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Self

from pydantic import AfterValidator, Field, Tag, model_validator

from hairpin.domain.failures import ModeKind
from hairpin.errors import did_you_mean
from hairpin.packs.field_types import Identifier, NonBlank, PackName, Texts, Version, unique
from hairpin.packs.file_formats import WeightsForm
from hairpin.packs.file_model import FileModel, text_or
from hairpin.packs.validation_messages import invalid

DEFAULT_POOL = "paper"
"""The pool that a strategy pack's name alone stands for."""

_BRACES = re.compile(r"\{[^{}]*\}")


def _takes_the_sentence(phrase: str) -> str:
    if "{text}" not in phrase:
        raise invalid("has no place for the sentence", "write {text} where the sentence goes")
    return phrase


Phrases = tuple[Annotated[NonBlank, AfterValidator(_takes_the_sentence)], ...]


class StyleForm(FileModel):
    """Phrases around a sentence, ``{text}``: of the first one, of a request, of one that is repeated, of an answer."""

    first: Phrases = ()
    ask: Phrases = ()
    again: Phrases = ()
    answer: Phrases = ()


class PersonaFile(FileModel):
    """``agents/personas/<id>.yaml``. ``style``: phrases that an offline user dresses its sentences in."""

    version: Version = 1
    id: Identifier
    title: NonBlank
    description: NonBlank
    style: StyleForm = StyleForm()


class TemplateForm(FileModel):
    """A sentence with ``{slots}``, the target kinds it needs to be known, and those that must not be."""

    text: NonBlank
    needs: Texts = ()
    without: Texts = ()

    @model_validator(mode="after")
    def _closed_braces(self) -> Self:
        if set(_BRACES.sub("", self.text)) & set("{}"):
            raise invalid("has a brace without its partner", "write a slot as {name}", at=("text",))
        return self


class StrategyForm(FileModel):
    """One strategy λ: ``target_mode`` is ξ(λ), ``max_consecutive`` its limit of uses in a row."""

    id: Identifier
    title: NonBlank
    target_mode: Identifier
    max_consecutive: int = Field(default=2, ge=1)
    guidance: str = ""
    templates: tuple[TemplateForm, ...] = ()
    vocabulary: Mapping[str, Annotated[Texts, Field(min_length=1)]] = Field(default_factory=dict)


class StrategyPackFile(FileModel):
    """``strategies/<id>.yaml``: strategies and named pools of them.

    The name of the file alone stands for the pool ``paper``, else the first, else all strategies. ``vocabulary``: texts
    for the slots of all templates; a strategy's own go before them.
    """

    version: Version = 1
    id: Identifier
    title: str = ""
    language: Identifier = "en"
    pools: Mapping[Identifier, Annotated[tuple[Identifier, ...], Field(min_length=1), unique(str)]] = Field(
        default_factory=dict
    )
    strategies: Annotated[tuple[StrategyForm, ...], Field(min_length=1), unique(lambda form: form.id, "id")]
    vocabulary: Mapping[str, Annotated[Texts, Field(min_length=1)]] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _known_members(self) -> Self:
        known = {strategy.id for strategy in self.strategies}
        for pool, members in self.pools.items():
            if pool in known:
                hint = "a pool and a strategy cannot share a name"
                raise invalid("has the name of a strategy", hint, at=("pools", pool))
            for index, member in enumerate(members):
                if member not in known:
                    hint = did_you_mean(member, known) or "list a strategy of this file"
                    raise invalid(f"is no strategy of this file: {member!r}", hint, at=("pools", pool, index))
        return self


class ModeForm(FileModel):
    """A failure mode."""

    id: Identifier
    kind: Annotated[ModeKind, Field(strict=True)]
    title: NonBlank
    definition: NonBlank
    materiality: NonBlank
    positive_example: NonBlank
    negative_example: NonBlank

    @model_validator(mode="after")
    def _judged(self) -> Self:
        if self.kind is ModeKind.CHECK:
            raise invalid("must be 'compliance' or 'response', not 'check'", "checks need no mode", at=("kind",))
        return self


class AnchorsForm(FileModel):
    """What each score means."""

    zero: NonBlank = Field(alias="0")
    one: NonBlank = Field(alias="1")
    two: NonBlank = Field(alias="2")


class DimensionForm(FileModel):
    """A quality dimension d_j."""

    id: Identifier
    title: NonBlank
    question: NonBlank
    anchors: AnchorsForm


class RubricFile(FileModel):
    """``rubrics/<id>/rubric.yaml``."""

    version: Version = 1
    id: Identifier
    title: NonBlank
    modes: Annotated[tuple[ModeForm, ...], Field(min_length=1), unique(lambda form: form.id, "id")]
    dimensions: Annotated[tuple[DimensionForm, ...], Field(min_length=1), unique(lambda form: form.id, "id")]
    weights: WeightsForm = WeightsForm()
    threshold: float = Field(default=0.75, ge=0, le=1)
    critical_modes: Annotated[tuple[Identifier, ...], unique(str)] = ()


class PhraseForm(FileModel):
    """A seed phrase with the combination of tasks it asks for."""

    text: NonBlank
    tasks: Texts = ()


PhraseChoice = Annotated[
    Annotated[NonBlank, Tag("text")] | Annotated[PhraseForm, Tag("PhraseForm")], text_or("PhraseForm")
]


def phrase_text(phrase: str | PhraseForm) -> str:
    """Return the words of a phrase, white space collapsed."""
    return " ".join((phrase if isinstance(phrase, str) else phrase.text).split())


class SeedPoolFile(FileModel):
    """``scenarios/pools/<id>.yaml``: seed phrases, as a list, or as lists by the combination of tasks they ask for."""

    version: Version = 1
    id: PackName
    title: str = ""
    phrases: Annotated[tuple[PhraseChoice, ...], Field(min_length=1), unique(phrase_text)] | None = None
    tasks: Annotated[Mapping[Identifier, Annotated[Texts, Field(min_length=1)]], Field(min_length=1)] | None = None

    @model_validator(mode="after")
    def _one_list(self) -> Self:
        if (self.phrases is None) == (self.tasks is None):
            what = "has neither phrases nor tasks" if self.phrases is None else "has both phrases and tasks"
            raise invalid(what, "write phrases: […], or tasks: {task: […]}")
        first: dict[str, str] = {}
        for task, texts in (self.tasks or {}).items():
            for index, text in enumerate(texts):
                earlier = first.setdefault(phrase_text(text), task)
                if earlier != task:
                    what = f"is listed under {earlier!r} too"
                    raise invalid(what, "keep one of them", at=("tasks", task, index))
        return self
