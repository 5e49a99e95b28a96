"""SGD: what the user says, in order; which turns only answer the system, its annotation says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hairpin.domain.test_seeds import SeedQuestion
from tests.packs.seed_texts import only, problems, read


def turn(speaker: str, utterance: str, *acts: str) -> dict[str, Any]:
    return {"speaker": speaker, "utterance": utterance, "frames": [{"actions": [{"act": act} for act in acts]}]}


RIDE = {
    "dialogue_id": "3_7",
    "services": ["Ride_1", "Alarm_1"],
    "turns": [
        turn("USER", "Get me a cab. ", "INFORM_INTENT"),
        turn("SYSTEM", "Is two seats right?", "CONFIRM"),
        turn("USER", "Yes.", "AFFIRM"),
        turn("SYSTEM", "It is on its way.", "NOTIFY_SUCCESS"),
        turn("USER", "What does it cost?", "REQUEST"),
    ],
}


def test_the_utterances_of_the_user_are_the_questions(tmp_path: Path) -> None:
    found = read(tmp_path, [RIDE])
    seed = only(found)
    assert (seed.id, seed.origin, found.imported.format) == ("3_7", "SGD (Ride_1, Alarm_1)", "sgd")
    assert seed.questions == (
        SeedQuestion(text="Get me a cab."),
        SeedQuestion(text="Yes.", needs_reply=True),
        SeedQuestion(text="What does it cost?"),
    )
    assert (seed.reference_text, seed.has_gold) == (None, False)


@pytest.mark.parametrize(
    ("turns", "said"),
    [
        ([turn("BOT", "Hello")], "turns[0] has 'BOT' for 'speaker'"),
        ([{"utterance": "Hello"}], "turns[0] has None for 'speaker'"),
        ([turn("USER", " ")], "turns[0]: 'utterance' is blank"),
        ([turn("SYSTEM", "Hello")], "its user says nothing"),
        ([], "its user says nothing"),
        ("Hello", "'turns' is a text, not a list"),
        ([3], "turns[0] is a number, not an object"),
    ],
)
def test_a_broken_dialogue_is_told_and_skipped(tmp_path: Path, turns: object, said: str) -> None:
    found = read(tmp_path, [{"dialogue_id": "b", "turns": turns}, RIDE])
    assert problems(found) == [f"record 1 (b): {said}"]
    assert only(found).id == "3_7"


@pytest.mark.parametrize("frames", [None, 3, [3], [{}], [{"actions": 3}], [{"actions": ["AFFIRM"]}]])
def test_without_a_readable_annotation_nothing_is_said_to_need_a_reply(tmp_path: Path, frames: object) -> None:
    turns = [{"speaker": "USER", "utterance": text, "frames": frames} for text in ("a", "b")]
    seed = only(read(tmp_path, {"turns": turns}))
    assert [question.needs_reply for question in seed.questions] == [False, False]
    assert (seed.id, seed.origin) == ("seeds", "SGD")
