"""The format of lexicon files, version 1: the words a domain is talked about in, for the offline agents.

File models, not domain values: ``lexicon_compiler`` compiles the patterns and checks the names in them.

A pattern is a regular expression (Python ``re``, upper and lower case alike) in which ``{name}`` stands for a value of
the parameter ``name``, else for the phrase, else for any value of the slot of that name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Self

from pydantic import Field, Tag, model_validator

from hairpin.domain.lexicon import Comparison
from hairpin.packs.field_types import Identifier, NonBlank, Texts, Version, unique
from hairpin.packs.file_model import FileModel, text_or
from hairpin.packs.pack_formats import TemplateForm
from hairpin.packs.validation_messages import invalid

TemplateChoice = Annotated[
    Annotated[NonBlank, Tag("text")] | Annotated[TemplateForm, Tag("TemplateForm")], text_or("TemplateForm")
]
"""A sentence alone, or with what it needs to be known."""

Templates = tuple[TemplateChoice, ...]


class SlotValueForm(FileModel):
    """A value with other words for it; see ``domain.lexicon.SlotValue``."""

    value: NonBlank
    synonyms: Texts = ()
    readings: Texts = ()
    spoken: bool = True


SlotValueChoice = Annotated[
    Annotated[NonBlank, Tag("text")] | Annotated[SlotValueForm, Tag("SlotValueForm")], text_or("SlotValueForm")
]


class SlotForm(FileModel):
    """What can stand in one place of a sentence: listed values, and a ``pattern`` for others."""

    values: tuple[SlotValueChoice, ...] = ()
    pattern: NonBlank | None = None

    @model_validator(mode="after")
    def _something(self) -> Self:
        if not self.values and self.pattern is None:
            raise invalid("has neither values nor a pattern", "give at least one of them")
        return self


class RequestForm(FileModel):
    """A task of the domain; see ``domain.lexicon.RequestKind``."""

    id: Identifier
    title: NonBlank
    parameters: Mapping[Identifier, Identifier] = Field(default_factory=dict)
    said: Annotated[Texts, Field(min_length=1)]
    done: Texts = ()
    about: Texts = ()
    unheard: Texts = ()
    told_by: Texts = ()
    names: Texts = ()
    confirms: Texts = ()
    category: Identifier | None = None
    asks: Templates = ()
    replaces: bool = False
    answers: bool = False
    tells: bool = False


class ConstraintForm(FileModel):
    """A condition on requests; see ``domain.lexicon.ConstraintKind``."""

    id: Identifier
    title: NonBlank
    applies_to: Annotated[Texts, Field(min_length=1)]
    parameters: Mapping[Identifier, Identifier] = Field(default_factory=dict)
    said: Annotated[Texts, Field(min_length=1)]
    lifted: Texts = ()
    kept: Texts = ()
    broken: Texts = ()
    unmet: Texts = ()
    exclusive: Texts = ()
    measured: Texts = ()
    comparison: Annotated[Comparison, Field(strict=True)] | None = None
    sequence: Texts = ()
    standing: bool = False
    conflicts: Texts = ()
    failure: Identifier | None = None
    suffix: NonBlank | None = None
    lifts: Templates = ()


class UnsafeForm(FileModel):
    """A wish that must be declined; see ``domain.lexicon.UnsafeWish``."""

    id: Identifier
    title: NonBlank
    said: Annotated[Texts, Field(min_length=1)]
    complied: Texts = ()
    declined: Texts = ()


class UserForm(FileModel):
    """How users speak; see ``domain.lexicon.UserSignals``."""

    withdrawn: Texts = ()
    instead: Texts = ()
    recall: Texts = ()
    request: Texts = ()
    pointed: Texts = ()
    narrowed: Texts = ()


class ReplyForm(FileModel):
    """How assistants speak; see ``domain.lexicon.ReplySignals``."""

    refused: Texts = ()
    impossible: Texts = ()
    safety_reason: Texts = ()
    asked: Texts = ()
    closing: Texts = ()
    served: Texts = ()
    agreed: Texts = ()
    announced: Texts = ()
    held_back: Texts = ()
    offered: Texts = ()
    courtesy: Texts = ()
    forgot: Texts = ()
    several: Texts = ()
    incoherent: Texts = ()
    overrun: Texts = ()
    listed: Texts = ()


class AnswerForm(FileModel):
    """How a user answers a question; see ``domain.lexicon.Answer``."""

    asked: Annotated[Texts, Field(min_length=1)]
    texts: Annotated[Templates, Field(min_length=1)]


class LanguageForm(FileModel):
    """The words of one language. ``phrases``: parts of patterns with a name."""

    phrases: Mapping[Identifier, NonBlank] = Field(default_factory=dict)
    slots: Mapping[Identifier, SlotForm] = Field(default_factory=dict)
    requests: Annotated[tuple[RequestForm, ...], Field(min_length=1), unique(lambda form: form.id, "id")]
    constraints: Annotated[tuple[ConstraintForm, ...], unique(lambda form: form.id, "id")] = ()
    unsafe: Annotated[tuple[UnsafeForm, ...], unique(lambda form: form.id, "id")] = ()
    user: UserForm = UserForm()
    reply: ReplyForm = ReplyForm()
    answers: tuple[AnswerForm, ...] = ()
    follow_ups: Templates = ()
    repeats: Templates = ()


class DimensionSignalsForm(FileModel):
    """Which modes a dimension looks at; see ``domain.lexicon.DimensionSignals``."""

    modes: Annotated[Texts, Field(min_length=1)]
    severe: Texts = ()


class LexiconFile(FileModel):
    """``rubrics/<id>/signals.yaml``."""

    version: Version = 1
    id: Identifier
    dimensions: Annotated[Mapping[Identifier, DimensionSignalsForm], Field(min_length=1)]
    languages: Annotated[Mapping[Identifier, LanguageForm], Field(min_length=1)]
