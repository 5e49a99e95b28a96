"""Finding and reading the canaries of a rubric, ``rubrics/<id>/canaries.yaml``.

Who is asked about them is decided elsewhere.
"""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import Field

from hairpin.domain.canary import Canaries, DimensionCanary, TurnCanary
from hairpin.domain.conversation import DialogueTurn
from hairpin.domain.rubric import Rubric
from hairpin.domain.scenario import PackOrigin
from hairpin.domain.targets import Target
from hairpin.errors import UnknownReferenceError
from hairpin.packs.beside_rubric import find_beside
from hairpin.packs.field_types import Identifier, NonBlank, Texts, Version, unique
from hairpin.packs.file_model import FileModel
from hairpin.packs.finder import PackFinder
from hairpin.packs.problems import Problems
from hairpin.packs.yaml_source import Document, load_document

CANARY_FILE: Final = "canaries.yaml"
GOOD: Final = "known-good transcript"
BAD: Final = "known-bad transcript"


class TurnForm(FileModel):
    """One exchange; an empty ``assistant`` is a reply."""

    user: NonBlank
    assistant: str


class CanaryTargetForm(FileModel):
    """A target, open as the judged exchange begins. ``asked``: the earlier exchange in which the user asked for it."""

    id: Identifier
    text: NonBlank
    kind: Identifier = "other"
    constraints: Texts = ()
    asked: int | None = Field(default=None, ge=0)


Turns = Annotated[tuple[TurnForm, ...], Field(min_length=1)]
Targets = Annotated[tuple[CanaryTargetForm, ...], unique(lambda form: form.id, "id")]


class GoodTurnForm(FileModel):
    """The last of ``turns`` must get no label."""

    turns: Turns
    targets: Targets = ()


class BadTurnForm(GoodTurnForm):
    """The last of ``turns`` must get each of the labels ``modes``."""

    modes: Annotated[tuple[Identifier, ...], Field(min_length=1), unique(str)]


class TurnJudgeForm(FileModel):
    """The turn judge's."""

    good: GoodTurnForm
    bad: BadTurnForm


class ConversationForm(FileModel):
    """A whole conversation."""

    turns: Turns


class DimensionCanariesForm(FileModel):
    """A dimension's: ``good`` must score 2, ``bad`` less."""

    good: ConversationForm
    bad: ConversationForm


class CanaryFile(FileModel):
    """``rubrics/<id>/canaries.yaml``."""

    version: Version = 1
    id: Identifier
    language: Identifier = "en"
    turn_judge: TurnJudgeForm
    dimensions: Annotated[dict[Identifier, DimensionCanariesForm], Field(min_length=1)]


def find_canaries(rubric: Rubric, finder: PackFinder) -> tuple[Canaries, PackOrigin] | None:
    """Return the canaries of ``rubric`` and where they came from, or ``None`` if it has none; as ``find_beside``."""
    return find_beside(rubric, finder, CANARY_FILE, load_canaries)


def load_canaries(data: bytes, where: str, rubric: Rubric) -> Canaries:
    """Return the canaries that the bytes of a file hold; raises InvalidInputError."""
    document = load_document(data, where, CanaryFile)
    _refuse_unknown(document, rubric)
    form = document.value
    turns = [
        TurnCanary(name=GOOD, turns=_turns(form.turn_judge.good.turns), targets=_targets(form.turn_judge.good)),
        TurnCanary(
            name=BAD,
            turns=_turns(form.turn_judge.bad.turns),
            targets=_targets(form.turn_judge.bad),
            modes=form.turn_judge.bad.modes,
        ),
    ]
    dimensions = [
        DimensionCanary(name=name, dimension=dimension, turns=_turns(conversation.turns), good=name == GOOD)
        for dimension, pair in form.dimensions.items()
        for name, conversation in ((GOOD, pair.good), (BAD, pair.bad))
    ]
    return Canaries(rubric=rubric.id, language=form.language, turns=tuple(turns), dimensions=tuple(dimensions))


def _refuse_unknown(document: Document[CanaryFile], rubric: Rubric) -> None:
    problems, form = Problems(), document.value
    if form.id != rubric.id:
        problems.add(f"id must be {rubric.id!r} like the rubric, not {form.id!r}", where=document.where("id"))
    modes = [mode.id for mode in rubric.modes]
    for index, mode in enumerate(form.turn_judge.bad.modes):
        if mode not in modes:
            place = document.where("turn_judge", "bad", "modes", index)
            problems.note(UnknownReferenceError("failure mode", mode, where=place, known=modes))
    dimensions = [dimension.id for dimension in rubric.dimensions]
    for name in form.dimensions:
        if name not in dimensions:
            place = document.key_where("dimensions", name)
            problems.note(UnknownReferenceError("dimension", name, where=place, known=dimensions))
    _refuse_late_targets(document, problems)
    problems.raise_if_any()


def _refuse_late_targets(document: Document[CanaryFile], problems: Problems) -> None:
    for name, form in (("good", document.value.turn_judge.good), ("bad", document.value.turn_judge.bad)):
        for index, target in enumerate(form.targets):
            if target.asked is not None and target.asked >= len(form.turns) - 1:
                place = document.where("turn_judge", name, "targets", index, "asked")
                what = f"asked must be an exchange before the judged one, not {target.asked}"
                hint = "exchanges count from 0 and the last one is judged; leave the key out for a request made in it"
                problems.add(what, where=place, hint=hint)


def _turns(forms: tuple[TurnForm, ...]) -> tuple[DialogueTurn, ...]:
    return tuple(DialogueTurn(t=t, user=form.user, assistant=form.assistant) for t, form in enumerate(forms))


def _targets(form: GoodTurnForm) -> tuple[Target, ...]:
    return tuple(
        Target(id=item.id, text=item.text, kind=item.kind, constraints=item.constraints, introduced=item.asked)
        for item in form.targets
    )
