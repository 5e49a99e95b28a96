"""Finding and reading the known transcripts of a rubric, ``rubrics/<id>/transcripts.yaml``.

Which of them are mixed into a run is decided elsewhere.
"""

from __future__ import annotations

from typing import Annotated, Final, Self

from pydantic import Field, model_validator

from hairpin.domain.known_transcripts import KnownTranscripts, Twins, TwinTurn
from hairpin.domain.rubric import Rubric
from hairpin.domain.scenario import PackOrigin
from hairpin.domain.users import Context
from hairpin.errors import UnknownReferenceError
from hairpin.packs.beside_rubric import find_beside
from hairpin.packs.field_types import Identifier, NonBlank, Version, unique
from hairpin.packs.file_formats import ContextForm
from hairpin.packs.file_model import FileModel
from hairpin.packs.finder import PackFinder
from hairpin.packs.problems import Problems
from hairpin.packs.validation_messages import invalid
from hairpin.packs.yaml_source import Document, load_document

TRANSCRIPT_FILE: Final = "transcripts.yaml"


class TwinTurnForm(FileModel):
    """One exchange: ``reply`` is the same in both, or ``good`` and ``bad`` differ; an empty reply is one."""

    user: NonBlank
    reply: str | None = None
    good: str | None = None
    bad: str | None = None

    @property
    def differs(self) -> bool:
        """Whether the two conversations part here."""
        return self.bad is not None

    @model_validator(mode="after")
    def _replies(self) -> Self:
        given = tuple(text is not None for text in (self.reply, self.good, self.bad))
        if given not in ((True, False, False), (False, True, True)):
            raise invalid(
                "needs 'reply', or 'good' and 'bad'", "write one reply for both, or the right and a wrong one"
            )
        if self.differs and self.good == self.bad:
            raise invalid("has one text as the right and as the wrong reply", "write it as 'reply'")
        return self


class TwinsForm(FileModel):
    """Two conversations with the same user. ``labelled``: default the first exchange with a wrong reply."""

    id: Identifier
    mode: Identifier
    context: ContextForm = ContextForm()
    turns: Annotated[tuple[TwinTurnForm, ...], Field(min_length=1)]
    labelled: Annotated[int, Field(ge=0)] | None = None
    ruined: bool = True


class TranscriptFile(FileModel):
    """``rubrics/<id>/transcripts.yaml``."""

    version: Version = 1
    id: Identifier
    language: Identifier = "en"
    transcripts: Annotated[tuple[TwinsForm, ...], Field(min_length=1), unique(lambda form: form.id, "id")]


def find_transcripts(rubric: Rubric, finder: PackFinder) -> tuple[KnownTranscripts, PackOrigin] | None:
    """Return the known transcripts of ``rubric`` and where they came from, or ``None``; as ``find_beside``."""
    return find_beside(rubric, finder, TRANSCRIPT_FILE, load_transcripts)


def load_transcripts(data: bytes, where: str, rubric: Rubric) -> KnownTranscripts:
    """Return the transcripts that the bytes of a file hold; raises InvalidInputError."""
    document = load_document(data, where, TranscriptFile)
    _refuse_misfits(document, rubric)
    form = document.value
    return KnownTranscripts(rubric=rubric.id, language=form.language, twins=tuple(map(_twins, form.transcripts)))


def _refuse_misfits(document: Document[TranscriptFile], rubric: Rubric) -> None:
    problems, form = Problems(), document.value
    if form.id != rubric.id:
        problems.add(f"id must be {rubric.id!r} like the rubric, not {form.id!r}", where=document.where("id"))
    modes = [mode.id for mode in rubric.modes]
    for index, pair in enumerate(form.transcripts):
        if pair.mode not in modes:
            place = document.where("transcripts", index, "mode")
            problems.note(UnknownReferenceError("failure mode", pair.mode, where=place, known=modes))
        _refuse_unlabelled(document, index, pair, problems)
    problems.raise_if_any()


def _refuse_unlabelled(document: Document[TranscriptFile], index: int, pair: TwinsForm, problems: Problems) -> None:
    wrong = [t for t, turn in enumerate(pair.turns) if turn.differs]
    if not wrong:
        problems.add(
            f"no reply of {pair.id!r} is wrong",
            where=document.where("transcripts", index, "turns"),
            hint="give an exchange 'good' and 'bad' in place of 'reply'",
        )
    elif pair.labelled is not None and pair.labelled not in wrong:
        problems.add(
            f"labelled must be an exchange with a wrong reply, {' or '.join(map(str, wrong))}, not {pair.labelled}",
            where=document.where("transcripts", index, "labelled"),
            hint="exchanges count from 0",
        )


def _twins(form: TwinsForm) -> Twins:
    first_wrong = next(t for t, turn in enumerate(form.turns) if turn.differs)
    return Twins(
        id=form.id,
        mode=form.mode,
        context=Context(**form.context.model_dump()),
        turns=tuple(_turn(turn) for turn in form.turns),
        labelled=first_wrong if form.labelled is None else form.labelled,
        ruined=form.ruined,
    )


def _turn(form: TwinTurnForm) -> TwinTurn:
    same = form.reply or ""
    return TwinTurn(
        user=form.user, good=same if form.good is None else form.good, bad=same if form.bad is None else form.bad
    )
