"""Runs of conversations made elsewhere: planned, estimated and kept as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from hairpin.app.forecast import estimate_of
from hairpin.app.inputs import RunInputs, load_import, load_inputs
from hairpin.app.recorded import by_conversation, imported, kept_in_run, longest, planned_of, recordings_of, turns_words
from hairpin.domain.outcome import Role
from hairpin.domain.sut_spec import RecordedSut
from hairpin.errors import InvalidInputError
from tests.packs.recording_files import lines, said

SHORT, LONG = said("Hello", "Hi."), said("A", "1", "B", "2", "C", "3")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "chats.jsonl").write_bytes(lines({"id": "short", "turns": SHORT}, 7, {"id": "long", "turns": LONG}))
    return tmp_path


def chats(**settings: object) -> RunInputs:
    return load_import(RecordedSut(file="chats.jsonl"), **settings)  # type: ignore[arg-type]  # each test gives its own


def test_each_recording_is_a_conversation_of_its_own_length(folder: Path) -> None:
    inputs = chats(overrides={"repeats": "2"})
    planned = list(planned_of(inputs, ("bot",)))
    assert [(each.recording, each.max_turns, each.repeat) for each in planned] == [
        ("short", 1, 0),
        ("short", 1, 1),
        ("long", 3, 0),
        ("long", 3, 1),
    ]
    assert longest(inputs) == 3
    said_again = by_conversation(inputs.scenario, recordings_of(inputs))
    assert {key: recording.id for key, recording in said_again.items()} == {
        "c0001": "short",
        "c0002": "short",
        "c0003": "long",
        "c0004": "long",
    }


def test_a_script_has_as_many_turns_as_are_written_and_others_at_most_those_that_are_allowed(folder: Path) -> None:
    def words(text: str) -> str:
        (folder / "s.yaml").write_text(f"id: s\nsut: testbed\n{text}\n")
        return turns_words(load_inputs("s.yaml"))

    turn = "{user: Take me home, checks: [{contains: home}]}"
    assert words(f"turns: [{turn}]") == "1 turn"
    assert words(f"turns: [{turn}, {turn}]") == "2 turns"
    assert words("seed_phrases: [Take me home]") == "at most 8 turns"
    assert turns_words(chats()) == "at most 3 turns"


def test_only_judges_are_needed(folder: Path) -> None:
    cast = chats().cast
    assert cast.needed == {Role.TURN_JUDGE, Role.CONVERSATION_JUDGE}
    assert cast.line == "Offline agents play every role; no model is asked."


def test_a_run_keeps_the_conversations_beside_its_scenario_under_the_same_name_and_version(folder: Path) -> None:
    kept = kept_in_run(chats(), lambda text: text.replace("Hello", "***"))
    sut = kept.scenario.sut
    assert isinstance(sut, RecordedSut)
    assert (sut.file, sut.name, sut.format, len(sut.version)) == ("recordings.jsonl", "chats", "turns", 12)
    assert recordings_of(kept)[0].exchanges[0].user == "***"
    named = kept_in_run(chats(overrides={"sut.name": "bot", "sut.version": "7"}), str).scenario.sut
    assert named == RecordedSut(file="recordings.jsonl", format="turns", name="bot", version="7")


def test_what_was_skipped_is_kept_with_the_run(folder: Path) -> None:
    told = imported(chats())
    assert told is not None
    assert told.sentence() == "imported from chats.jsonl: 2 conversations, 1 line skipped"
    assert [str(problem) for problem in told.problems] == ["line 2: a number, not an object that holds a conversation"]


def test_estimates_count_the_turns_that_are_there(folder: Path) -> None:
    judged_by_model = "{default: {provider: openai-compatible, base_url: 'http://127.0.0.1:9', model: m}}"
    estimate = estimate_of(chats(overrides={"models": judged_by_model}), canary=False)
    turn_judge = next(role for role in estimate.roles if role.role is Role.TURN_JUDGE)
    assert (estimate.n_conversations, estimate.turns.low, estimate.turns.expected, estimate.turns.high) == (2, 1, 2, 3)
    assert (turn_judge.calls.low, turn_judge.calls.high) == (4, 4)


def test_a_limit_leaves_the_others_out_and_says_so(folder: Path) -> None:
    inputs = chats(limit=1)
    assert [recording.id for recording in recordings_of(inputs)] == ["short"]
    assert inputs.recordings is not None
    assert inputs.recordings.notes == ("only the first 1 of 2 conversations are judged",)


def test_what_of_a_scenario_plays_no_part_is_told(folder: Path) -> None:
    (folder / "s.yaml").write_text(
        "id: s\nsut: {provider: recorded, file: chats.jsonl}\npersonas: [polite, impatient]\n"
        "contexts: [{location: Ulm}, {location: Bonn}]\n"
    )
    inputs = load_inputs("s.yaml")
    assert inputs.recordings is not None
    assert inputs.recordings.notes == (
        "of 2 contexts the first is used, where a conversation names none of its own",
        "2 personas play no part: the users are recorded",
    )
    assert {planned.context.location for planned in planned_of(inputs, ("bot",))} == {"Ulm"}


def test_too_many_conversations_are_refused(folder: Path) -> None:
    with pytest.raises(InvalidInputError, match="2 recorded conversations × 60000 repeats are too many"):
        chats(overrides={"repeats": "60000"})
