"""Test seeds as users write them by hand: an id, a story, questions with or without answers.

It reads no file; as YAML or JSON a record is the same.
"""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import Discriminator, Field, Tag, model_validator

from hairpin.domain.test_seeds import SeedQuestion, TestSeed
from hairpin.domain.users import Context
from hairpin.errors import InvalidInputError
from hairpin.packs.field_types import NonBlank
from hairpin.packs.file_formats import ContextForm
from hairpin.packs.file_model import FileModel
from hairpin.packs.problems import SeveralProblemsError, line_of
from hairpin.packs.recording_messages import kind_of
from hairpin.packs.seed_records import NoSeedError, SeedNotes, SeedRecord, tree_of
from hairpin.packs.seeds_coqa import BLANK_STORY
from hairpin.packs.validation_messages import invalid
from hairpin.packs.yaml_source import M, validate_tree
from hairpin.packs.yaml_tree import Items, Scalar, Table, Tree

_SHAPE = "write {id: …, story: …, questions: [{text: …, answer: …}, …]}, or a list of questions"


class QuestionForm(FileModel):
    """A question; ``answer`` for one gold answer, ``answers`` for several."""

    text: NonBlank
    answer: NonBlank | None = None
    answers: tuple[NonBlank, ...] = ()
    needs_reply: bool = False
    rewrite: NonBlank | None = None

    @model_validator(mode="after")
    def _answered_once(self) -> Self:
        if self.answer is not None and self.answers:
            raise invalid("stands beside answer", "keep one of them; answers may hold several", at=("answers",))
        return self


QuestionChoice = Annotated[
    Annotated[NonBlank, Tag("text")] | Annotated[QuestionForm, Tag("QuestionForm")],
    Discriminator(lambda value: "QuestionForm" if isinstance(value, dict) else "text"),
]


class DialogueForm(FileModel):
    """A dialogue; ``story`` is its reference text, which ``context`` may hold as well."""

    id: NonBlank | None = None
    story: str | None = None
    context: ContextForm = ContextForm()
    questions: Annotated[tuple[QuestionChoice, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _one_story(self) -> Self:
        if self.story is not None and self.context.reference_text is not None:
            raise invalid("stands beside context.reference_text", "keep one of them", at=("story",))
        return self


def questions_seed(record: SeedRecord, notes: SeedNotes) -> TestSeed:
    """Return the dialogue of a mapping, or of a list of questions.

    Raises:
        NoSeedError: every problem of the record.
    """
    form = checked_as(DialogueForm, _dialogue(record))
    seed_id = record.name if form.id is None else form.id.strip()
    context = Context(**form.context.model_dump())
    if form.story is not None and not form.story.strip():
        notes.add(BLANK_STORY, seed_id)
    elif form.story is not None:
        context = context.model_copy(update={"reference_text": form.story})
    return TestSeed(id=seed_id, origin="questions", context=context, questions=tuple(map(_question, form.questions)))


def own_seed(record: SeedRecord) -> TestSeed:
    """Return the test seed of a line that ``dump_test_seeds`` wrote, unchanged; raises NoSeedError."""
    return checked_as(TestSeed, tree_of(record.entries, ""))


def checked_as(model: type[M], tree: Tree) -> M:
    """Return the ``model`` that ``tree`` holds; raises NoSeedError with every problem."""
    try:
        return validate_tree(tree, "", model).value
    except InvalidInputError as error:
        found = error.problems if isinstance(error, SeveralProblemsError) else (error,)
        what = "; ".join(f"line {line}: {each.what}" if (line := line_of(each)) else each.what for each in found)
        raise NoSeedError(what, found[0].hint or _SHAPE) from error


def _dialogue(record: SeedRecord) -> Tree:
    tree = tree_of(record.value, "") if record.tree is None else record.tree
    if isinstance(tree, Items):
        return Table({"questions": tree}, {"questions": tree.where}, tree.where)
    if isinstance(tree, Scalar):
        raise NoSeedError(f"it is {kind_of(tree.value())}, not a dialogue", _SHAPE)
    return tree


def _question(form: str | QuestionForm) -> SeedQuestion:
    if isinstance(form, str):
        return SeedQuestion(text=form.strip())
    answers = form.answers if form.answer is None else (form.answer,)
    return SeedQuestion(
        text=form.text.strip(),
        answers=tuple(answer.strip() for answer in answers),
        needs_reply=form.needs_reply,
        rewrite=None if form.rewrite is None else form.rewrite.strip(),
    )
