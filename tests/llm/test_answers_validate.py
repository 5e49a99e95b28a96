from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Literal

import pytest
from pydantic import BaseModel, Field, field_validator

from hairpin.domain.base import Value
from hairpin.domain.llm_calls import CallOutcome
from hairpin.llm.answers.problems import AnswerProblem
from hairpin.llm.answers.schema import shape_of
from hairpin.llm.answers.validate import check_answer, read_answer, validate
from hairpin.ports import InvalidAnswerError
from tests.llm.verdicts import TurnVerdict, Verdict


class Mood(StrEnum):
    VERY_GOOD = "very good"
    VERY_BAD = "very bad"


class Everything(Value):
    """One field of each kind."""

    mood: Mood
    label: Literal["a-b", "ab", "context_forgotten"]
    status: Literal[-1, 0, 1]
    count: int = Field(ge=0)
    share: float
    sure: bool
    mode: Literal["x", "none of these"] | None
    note: str | None
    either: int | list[str]


GOOD: dict[str, object] = {
    "mood": "very good",
    "label": "ab",
    "status": 0,
    "count": 1,
    "share": 0.5,
    "sure": True,
    "mode": None,
    "note": None,
    "either": 1,
}


def read(**changes: object) -> Everything:
    return validate({**GOOD, **changes}, Everything, shape_of(Everything))


def detail(**changes: object) -> str:
    with pytest.raises(AnswerProblem) as caught:
        read(**changes)
    assert caught.value.outcome is CallOutcome.INVALID_ANSWER
    assert "\n" not in caught.value.detail
    return caught.value.detail


@pytest.mark.parametrize(
    ("field", "given", "wanted"),
    [
        ("mood", "VERY_GOOD", Mood.VERY_GOOD),
        ("mood", " Very good. ", Mood.VERY_GOOD),
        ("mood", '**"very good"**', Mood.VERY_GOOD),
        ("mood", "[`very-good`],", Mood.VERY_GOOD),
        ("label", "Context Forgotten", "context_forgotten"),
        ("label", "a-b", "a-b"),
        ("status", 1.0, 1),
        ("status", "-1", -1),
        ("count", 2.0, 2),
        ("count", "3", 3),
        ("share", "0.7", 0.7),
        ("share", 1, 1.0),
        ("sure", "True", True),
        ("mode", "None", None),
        ("mode", "null", None),
        ("mode", "None of these", "none of these"),
        ("note", "null", "null"),
        ("note", "half \ud83d", "half \ufffd"),
        ("note", "\ud83d\ude00", "😀"),
        ("either", "4", 4),
        ("either", ["x"], ["x"]),
    ],
)
def test_how_a_value_is_written_is_forgiven(field: str, given: object, wanted: object) -> None:
    found = getattr(read(**{field: given}), field)
    assert found == wanted
    assert type(found) is type(wanted)


@pytest.mark.parametrize(
    ("field", "given", "told"),
    [
        ("mood", "good", 'mood: must be one of "very good" | "very bad", not \'good\''),
        ("mood", None, "mood: must be one of"),
        ("label", "A_B", "label: must be one of"),
        ("label", "context_forgotten / ab", "label: must be one of"),
        ("status", True, "status: must be one of -1 | 0 | 1, not True"),
        ("status", 2, "status: must be one of"),
        ("status", "1/2", "status: must be one of"),
        ("count", 1.5, "count: must be a whole number, at least 0, not 1.5"),
        ("count", True, "count: must be a whole number"),
        ("count", -1, "count: Input should be greater than or equal to 0, not -1"),
        ("share", "4/5", "share: must be a number, not '4/5'"),
        ("share", "0,7", "share: must be a number"),
        ("share", "70%", "share: must be a number"),
        ("share", "1_0", "share: must be a number"),
        ("share", "٣", "share: must be a number"),
        ("share", float("nan"), "share: must be a number, not nan"),
        ("share", float("inf"), "share: must be a number"),
        ("share", 10**400, "share: must be a number"),
        ("share", None, "share: must be a number"),
        ("sure", 1, "sure: must be true or false, not 1"),
        ("sure", "yes", "sure: must be true or false"),
        ("mode", "y", "mode: must be one of"),
        *(("mood", f"{sign}very good", "mood: must be one of") for sign in ("!", "¬", "≠", "❌ ", "✗", "~", "<")),
        ("mood", "very good?", "mood: must be one of"),
        ("mood", "v\u0336ery good", "mood: must be one of"),
        ("sure", "!true", "sure: must be true or false"),
        ("sure", "¬true", "sure: must be true or false"),
        ("mode", "!none", "mode: must be one of"),
        ("note", 5, "note: must be a string, not 5"),
        ("either", {}, "either: must be one of <whole number> | [<string>, ...], not {}"),
    ],
)
def test_what_a_value_says_is_never_bent(field: str, given: object, told: str) -> None:
    assert detail(**{field: given}).startswith(told)


@pytest.mark.parametrize("field", list(GOOD))
def test_every_key_must_be_there(field: str) -> None:
    with pytest.raises(AnswerProblem, match=f"^{field}: is missing$"):
        validate({key: value for key, value in GOOD.items() if key != field}, Everything, shape_of(Everything))


class WithDefault(BaseModel):
    label: Literal["a", "b"] | None = None


def test_a_default_does_not_stand_in_for_a_key_that_was_misspelt() -> None:
    with pytest.raises(AnswerProblem, match="label: is missing"):
        validate({"lable": "a"}, WithDefault, shape_of(WithDefault))


def test_keys_that_nobody_asked_for_are_left_out() -> None:
    assert read(confidence=float("nan"), extra={"mood": 1}) == read()


@pytest.mark.parametrize("key", ["Status", "STATUS ", "sta_tus", "status*"])
def test_a_key_that_comes_again_in_other_letters_must_say_the_same(key: str) -> None:
    assert detail(**{key: 1}) == f"status: comes twice, also as {key!r}, with different values"
    assert read(**{key: 0}) == read()


def test_a_fault_deep_inside_says_where() -> None:
    target = '{"target_id": "g1", "reasoning": "", "status": 3}'
    text = f'{{"reasoning": "r", "targets": [{target}], "response": {{}}, "confidence": 2}}'
    with pytest.raises(AnswerProblem) as caught:
        read_answer(text, TurnVerdict)
    assert caught.value.detail == (
        "targets[0].status: must be one of -1 | 0 | 1, not 3; targets[0].failure: is missing; "
        "response: must be an array, not {}"
    )


def test_many_faults_are_cut_to_what_a_model_can_use() -> None:
    with pytest.raises(AnswerProblem) as caught:
        read_answer('{"mood": 1, "x": "' + "y" * 1000 + '"}', Everything)
    assert caught.value.detail.endswith("; and 4 more")


B05 = [
    ("0.9", 0.9),
    ('"0.7"', 0.7),
    ("1", 1.0),
    ("95.0", None),
    ("-0.1", None),
    ("1e9", None),
    ("1e999", None),
    ("NaN", None),
    ("Infinity", None),
    ("-Infinity", None),
    ("true", None),
    ('"4/5"', None),
    ("4/5", None),
    ('"high"', None),
    ("null", None),
    ("[0.5]", None),
]


@pytest.mark.parametrize(("written", "wanted"), B05)
def test_a_score_outside_its_range_is_invalid_and_never_clamped(written: str, wanted: float | None) -> None:
    text = f'{{"verdict": "pass", "score": {written}, "reason": "ok"}}'
    if wanted is not None:
        assert read_answer(text, Verdict).score == wanted
        return
    with pytest.raises(AnswerProblem) as caught:
        read_answer(text, Verdict)
    assert caught.value.outcome is CallOutcome.INVALID_ANSWER


class Guarded(BaseModel):
    items: Sequence[str]

    @field_validator("items")
    @classmethod
    def _refuse_none(cls, items: Sequence[str]) -> Sequence[str]:
        if not items:
            raise ValueError("name at least one")
        return items


def test_what_the_types_own_validators_say_reaches_the_model() -> None:
    with pytest.raises(AnswerProblem, match=r"^items: Value error, name at least one$"):
        read_answer('{"items": []}', Guarded)


def test_what_the_role_says_of_an_answer_reaches_the_model() -> None:
    def refuse(answer: Verdict) -> None:
        raise InvalidAnswerError("a pass needs\na reason")

    verdict = Verdict(verdict="pass", score=1, reason="")
    check_answer(verdict, None)
    with pytest.raises(AnswerProblem, match=r"^a pass needs a reason$"):
        check_answer(verdict, refuse)
