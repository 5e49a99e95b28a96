"""Runs of what is written down: what is planned of recordings or test seeds, and what is kept of their file.

It reads no file; ``app.inputs`` does, once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from hairpin.app.inputs import RunInputs
from hairpin.domain.plan import PlannedConversation, plan_conversations, plan_recordings, plan_test_seeds
from hairpin.domain.recording import Imported, Recording
from hairpin.domain.rejudging import StoredTranscript
from hairpin.domain.scenario import Scenario
from hairpin.domain.sut_spec import RecordedSut
from hairpin.domain.test_seeds import TestSeed, TestSeedsSource
from hairpin.packs.recordings import cleaned
from hairpin.store.directory import RECORDINGS_FILE, TEST_SEEDS_FILE

_VERSION_DIGITS: Final = 12
_PROBLEMS_STORED: Final = 100


def planned_of(inputs: RunInputs, suts: Sequence[str]) -> Iterator[PlannedConversation]:
    """Yield every conversation of a run against the assistants ``suts``."""
    if inputs.test_seeds is not None:
        return plan_test_seeds(inputs.scenario, suts, inputs.test_seeds.seeds)
    if inputs.recordings is None:
        return plan_conversations(inputs.scenario, suts)
    if inputs.scenario.rejudges:
        return (transcript.record.planned for transcript in transcripts_of(inputs))
    return plan_recordings(inputs.scenario, suts, inputs.recordings.recordings)


def longest(inputs: RunInputs) -> int:
    """Return the number of exchanges that no conversation of the run exceeds."""
    if inputs.recordings is not None:
        return inputs.recordings.n_turns
    if inputs.test_seeds is not None:
        return max((len(seed.questions) for seed in inputs.test_seeds.seeds), default=1)
    if inputs.scenario.script:
        return len(inputs.scenario.script)
    spec = inputs.scenario.campaign
    levels = () if spec is None else (*spec.max_turns, spec.baseline.max_turns)
    return max((inputs.scenario.max_turns, *levels))


def turns_words(inputs: RunInputs) -> str:
    """Return how many turns the conversations of a plain run have: a script is said to its end."""
    most = longest(inputs)
    if most == 1:
        return "1 turn"
    return f"{most} turns" if inputs.scenario.script else f"at most {most} turns"


def kept_in_run(inputs: RunInputs, clean: Callable[[str], str]) -> RunInputs:
    """Return the inputs as a run directory keeps them.

    The scenario names the copy of the conversations in that directory, relative to itself, so that a stored scenario is
    read like any other; the assistant keeps the name and the version that the original file gave it. ``clean`` takes
    credentials out of what was said, before anything is judged or stored.
    """
    if inputs.test_seeds is not None:
        source = TestSeedsSource(file=TEST_SEEDS_FILE, format="seeds", strict=True)
        return replace(inputs, scenario=inputs.scenario.model_copy(update={"test_seeds": source}))
    read, sut = inputs.recordings, inputs.scenario.sut
    if read is None or not isinstance(sut, RecordedSut):
        return inputs
    if inputs.scenario.rejudges:  # the stored run has it as it is, and judges must see the same
        kept = sut.model_copy(update={"file": RECORDINGS_FILE})
        return replace(inputs, scenario=inputs.scenario.model_copy(update={"sut": kept}))
    kept = RecordedSut(
        file=RECORDINGS_FILE,
        format="turns",
        name=sut.name or Path(sut.file).stem,
        version=sut.version or read.digest[:_VERSION_DIGITS],
    )
    return replace(
        inputs,
        scenario=inputs.scenario.model_copy(update={"sut": kept}),
        recordings=replace(read, recordings=cleaned(read.recordings, clean)),
    )


def recordings_of(inputs: RunInputs) -> tuple[Recording, ...]:
    """Return what is said again; nothing in other runs."""
    return () if inputs.recordings is None else inputs.recordings.recordings


def transcripts_of(inputs: RunInputs) -> tuple[StoredTranscript, ...]:
    """Return the conversations of a stored run that are judged again; nothing in other runs."""
    return tuple(each for each in recordings_of(inputs) if isinstance(each, StoredTranscript))


def seeds_of(inputs: RunInputs) -> tuple[TestSeed, ...]:
    """Return the test seeds that are replayed; none in other runs."""
    return () if inputs.test_seeds is None else inputs.test_seeds.seeds


def by_conversation(scenario: Scenario, recordings: Sequence[Recording]) -> Mapping[str, Recording]:
    """Return what the recorded assistant of ``scenario`` says again, by the id of the planned conversation."""
    by_id = {recording.id: recording for recording in recordings}
    if scenario.rejudges:
        return by_id
    planned = plan_recordings(scenario, (scenario.sut.provider,), recordings)
    return {each.id: by_id[each.recording] for each in planned if each.recording is not None}


def imported(inputs: RunInputs) -> Imported | None:
    """Return what reports say of the file, with the first of its problems; the log has them all."""
    if inputs.recordings is None or inputs.scenario.rejudges:
        return None
    found = inputs.recordings.imported()
    return found.model_copy(update={"problems": found.problems[:_PROBLEMS_STORED]})
