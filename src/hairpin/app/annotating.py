"""What people say of a stored run: taken in from a file, and files for them to fill in.

It changes no outcome: annotations stand beside what the run says.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from random import Random

from hairpin.app.loop import run_in_loop
from hairpin.app.stored import StoredRun, open_stored
from hairpin.app.system import SystemClock
from hairpin.domain.base import Value
from hairpin.domain.failures import CHECK_FAILED
from hairpin.domain.records import ConversationRecord
from hairpin.domain.rng import derive_rng_seed
from hairpin.domain.summary import to_json
from hairpin.domain.tally import Standing, standing
from hairpin.errors import InvalidInputError, StoreError
from hairpin.packs.annotation_files import KEYS, SAYINGS, RunNames, read_annotations
from hairpin.reports.blinded import blinded_transcripts
from hairpin.reports.rater_names import rater_names
from hairpin.store.directory import RunDirectory, write_text
from hairpin.store.opening import open_run_store


class Only(StrEnum):
    """Which conversations a template holds. ``UNCLEAN``: those without pass or fail."""

    FAILED = "failed"
    PASSED = "passed"
    UNCLEAN = "unclean"


_STANDINGS = {
    Only.FAILED: (Standing.FAIL,),
    Only.PASSED: (Standing.PASS,),
    Only.UNCLEAN: (Standing.INCONCLUSIVE, Standing.INVALID, Standing.MISSING),
}


class Stored(Value):
    """What was taken in.

    Attributes:
        overriding: how many give a verdict or blame of their own.
        replaced: how many take the place of something else that their rater said of the conversation before.
    """

    run_id: str
    file: str
    annotations: int
    raters: tuple[str, ...]
    conversations: int
    labels: int
    overriding: int
    replaced: int

    def sentence(self) -> str:
        """Say what was stored."""
        replaced = ""
        if self.replaced:
            replaced = (
                f"; {self.replaced} of them {'takes' if self.replaced == 1 else 'take'} the place of all that the same "
                "rater said of the conversation before, also of what is left empty now"
            )
        return (
            f"{_counted(self.annotations, 'annotation')} of {_counted(self.conversations, 'conversation')} by "
            f"{rater_names(self.raters)} stored: "
            f"{_counted(self.overriding, 'verdict or blame', 'verdicts or blames')}, "
            f"{_counted(self.labels, 'label')}{replaced}"
        )


class Template(Value):
    """A table to fill in and the transcripts that belong to it; ``n_found``: how many there were to choose from."""

    table: str
    transcripts: str
    n_conversations: int
    n_found: int


def annotate(reference: str | Path, file: Path, *, rater: str | None = None) -> Stored:
    """Store what ``file`` says of the conversations of a run, and write its summary anew where it has one.

    Raises:
        InvalidInputError: there is no such run, or something in the file is wrong.
        StoreError: the run's database cannot be written, or, with the annotations stored, the summary cannot.
    """
    with open_stored(reference) as stored:
        directory, run_id = stored.directory, stored.run_info().run_id
        found = read_annotations(file, rater=rater, names=names_of(stored))
        before = {(each.conversation, each.rater): each for each in stored.reader.annotations()}

    async def write() -> None:
        with open_run_store(directory, clock=SystemClock()) as store:
            await store.record_annotations(found)

    run_in_loop(write)
    if directory.summary.is_file():
        _write_summary_anew(directory)
    return Stored(
        run_id=run_id,
        file=str(file),
        annotations=len(found),
        raters=tuple(dict.fromkeys(each.rater for each in found)),
        conversations=len({each.conversation for each in found}),
        labels=sum(len(each.labels) for each in found),
        overriding=sum(each.verdict is not None or each.blame is not None for each in found),
        replaced=sum(before.get((each.conversation, each.rater), each) != each for each in found),
    )


def _write_summary_anew(directory: RunDirectory) -> None:
    with open_stored(directory.path) as stored:
        summary = to_json(stored.summary())
    try:
        write_text(directory.summary, summary)
    except StoreError as error:
        raise StoreError(
            f"{error}; the annotations are stored all the same, only this file does not know of them"
        ) from error


def names_of(stored: StoredRun) -> RunNames:
    """Return what annotations of a run may name: its conversations, those that replay or try others left out."""
    rubric = stored.scenario().rubric
    return RunNames(
        conversations={each.planned.id: len(each.exchanges) for each in stored.conversations() if _rateable(each)},
        dimensions=tuple(dimension.id for dimension in rubric.dimensions),
        modes=(*(mode.id for mode in rubric.modes), CHECK_FAILED),
    )


def template_of(
    stored: StoredRun, *, table: str, sample: int | None, only: Only | None, rater: str = "", rng_seed: int = 1
) -> Template:
    """Return an empty table of conversations in which something was said, in an order that tells nothing.

    Args:
        stored: the run.
        table: what the table's file will be called.
        sample: so many of them, drawn at random; ``None``: all.
        only: those that stand so; ``None``: any.
        rater: who will fill it in, where that is known.
        rng_seed: the same number draws the same conversations in the same order.

    Raises:
        InvalidInputError: there is none.
    """
    run = stored.run_info()
    ids = [
        each.planned.id
        for each in stored.conversations()
        if _rateable(each) and each.exchanges and (only is None or standing(each) in _STANDINGS[only])
    ]
    if not ids:
        what = f"no conversation is {only.value}" if only else "in no conversation was anything said"
        raise InvalidInputError(what, where=str(stored.directory.path), hint="choose another --only, or another run")
    shuffled = sorted(ids)
    Random(derive_rng_seed(rng_seed, run.run_id, "annotation template")).shuffle(shuffled)
    chosen = shuffled[:sample]
    rubric, title = stored.scenario().rubric, run.title or run.name
    records = [stored.conversation(conversation) for conversation in chosen]
    return Template(
        table=_table(chosen, [dimension.id for dimension in rubric.dimensions], rater),
        transcripts=blinded_transcripts(title, rubric, records, table=table),
        n_conversations=len(chosen),
        n_found=len(ids),
    )


def _rateable(record: ConversationRecord) -> bool:
    return record.planned.for_itself and record.planned.replay is None


def _table(conversations: Sequence[str], dimensions: Sequence[str], rater: str) -> str:
    """Return the table as CSV; the mark in front lets spreadsheets know that it is UTF-8."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow((*KEYS, *dimensions, *SAYINGS))
    empty = [""] * (len(dimensions) + len(SAYINGS))
    writer.writerows([conversation, rater, *empty] for conversation in conversations)
    return "\ufeff" + text.getvalue()


def _counted(number: int, what: str, several: str = "") -> str:
    return f"{number} {what if number == 1 else several or what + 's'}"
