"""What judging the conversations of a stored run again starts from.

It opens no session, and builds no adapter but that of what is written down; ``app.run`` runs it like any other run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from hairpin.app.cast import load_cast
from hairpin.app.inputs import RunInputs
from hairpin.app.stored import StoredRun, open_stored
from hairpin.app.stored_packs import packs_of
from hairpin.domain.recording import LeftOut
from hairpin.domain.records import ConversationRecord
from hairpin.domain.rejudging import StoredTranscript, rejudged_of, transcript_of
from hairpin.domain.scenario import Scenario
from hairpin.domain.sut_spec import RecordedSut
from hairpin.errors import InvalidInputError
from hairpin.llm.prices import PriceTable
from hairpin.packs.checks import build_checks
from hairpin.packs.finder import PackFinder
from hairpin.packs.prices import load_prices
from hairpin.packs.recordings import stored_recordings
from hairpin.packs.rejudging import rejudging_scenario
from hairpin.store.directory import RECORDINGS_FILE


def load_rejudging(
    run: str | Path,
    *,
    rubric: str | None = None,
    conversations: Sequence[str] = (),
    packs: Sequence[Path] = (),
    overrides: Mapping[str, str] | None = None,
) -> RunInputs:
    """Load the conversations of a stored run and everything that judging them again needs.

    Args:
        run: its folder, its database, or the beginning of its name.
        rubric: a rubric in place of that of the run.
        conversations: the ids of those to judge; by default all that have an outcome.
        packs: folders searched before those that the run was made with.
        overrides: ``--set`` values by dotted key: what of judging is another.

    Raises:
        UserError: there is no such run or conversation, none of them can be judged, or something must be mended.
        StoreError: its database cannot be read.
    """
    with open_stored(run) as stored:
        info, scenario = stored.run_info(), stored.scenario()
        found = tuple(_transcripts(stored, scenario, conversations))
        location = stored.directory.path.resolve()
    transcripts = tuple(each for each in found if isinstance(each, StoredTranscript))
    left_out = tuple(each for each in found if isinstance(each, LeftOut))
    if not transcripts:
        raise _nothing_to_judge(location, left_out)
    known = packs_of(info, where=location)
    finder = PackFinder.standard(packs=(*packs, *known), project=Path.cwd())
    sut = RecordedSut(file=RECORDINGS_FILE, format="stored", assistants=info.suts)
    again = rejudging_scenario(scenario, sut, finder=finder, rubric=rubric, overrides=overrides)
    beside = finder.beside(location)
    cast = load_cast(again, beside)
    return RunInputs(
        scenario=again,
        cast=cast,
        checks=build_checks(again.checks),
        turn_checks=tuple(build_checks(turn.checks) for turn in again.script),
        prices=load_prices(beside)[0] if cast.models else PriceTable(),
        recordings=replace(stored_recordings(transcripts, RECORDINGS_FILE), formats=(("stored", len(transcripts)),)),
        packs=known,
        rejudged=rejudged_of(info, str(location), scenario.rubric, transcripts, left_out),
    )


def _transcripts(
    stored: StoredRun, scenario: Scenario, conversations: Sequence[str]
) -> Iterator[StoredTranscript | LeftOut]:
    """Yield those of the run that were held for themselves, or those wanted, in plan order."""
    for record in _records(stored, conversations):
        if record.planned.for_itself and record.planned.replay is None:
            yield transcript_of(record, n_script=len(scenario.script))


def _records(stored: StoredRun, conversations: Sequence[str]) -> Iterator[ConversationRecord]:
    if not conversations:
        yield from stored.conversations()
        return
    wanted = [stored.conversation(each) for each in dict.fromkeys(conversations)]
    for record in wanted:
        if not record.planned.for_itself or record.planned.replay is not None:
            raise InvalidInputError(
                f"conversation {record.planned.id!r} was not held for itself, so its judgement is in no figure",
                where=str(stored.directory.path),
                hint="name the conversation that it follows",
            )
    yield from sorted(wanted, key=lambda record: record.planned.index)


def _nothing_to_judge(location: Path, left_out: Sequence[LeftOut]) -> InvalidInputError:
    why = f"the first: {left_out[0].id}: {left_out[0].why}" if left_out else "it holds none that has a judgement"
    return InvalidInputError(
        f"no conversation of the run can be judged again; {why}",
        where=str(location),
        hint="'hairpin show RUN' lists its conversations",
    )
