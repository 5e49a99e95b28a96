from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue, TypeAdapter

from hairpin.domain.checks import (
    CheckResult,
    CheckSpec,
    ContainsCheck,
    FunctionCheck,
    RegexCheck,
    StateCheck,
    check_failure,
    contains,
    matches,
    state_holds,
)
from hairpin.domain.failures import CHECK_FAILED, ModeKind

texts = st.text(max_size=12)


@given(texts, texts, texts)
def test_a_reply_contains_what_stands_anywhere_in_it(before: str, text: str, behind: str) -> None:
    assert contains(ContainsCheck(text=text, ignore_case=False), before + text + behind).passed


@pytest.mark.parametrize(("ignore_case", "passed"), [(True, True), (False, False)])
def test_case_matters_only_when_asked_for(ignore_case: bool, passed: bool) -> None:
    check = ContainsCheck(text="STRASSE", ignore_case=ignore_case)
    assert contains(check, "Die Straße ist frei.").passed is passed


def test_case_is_ignored_by_default() -> None:
    assert contains(ContainsCheck(text="no"), "NO, sorry").passed


def test_a_missing_text_is_named() -> None:
    result = contains(ContainsCheck(text="toll"), "")
    assert (result.passed, result.name, result.detail) == (False, "contains 'toll'", "'toll' is not in the reply")


@pytest.mark.parametrize(("reply", "passed"), [("about 15 min", True), ("soon", False), ("", False)])
def test_a_pattern_may_match_anywhere(reply: str, passed: bool) -> None:
    result = matches(RegexCheck(pattern=r"\d+ min"), reply)
    assert result.passed is passed
    assert bool(result.detail) is not passed


def test_a_failed_check_is_a_failure_of_its_own_mode() -> None:
    result = CheckResult(name="regex 'x'", passed=False, detail="nowhere")
    failure = check_failure(result, t=2, strategy="safety_probe")
    assert (failure.t, failure.mode, failure.kind, failure.target_id) == (2, CHECK_FAILED, ModeKind.CHECK, None)
    assert (failure.strategy, failure.evidence) == ("safety_probe", "regex 'x': nowhere")


def test_the_evidence_of_a_check_without_detail_is_its_name() -> None:
    assert check_failure(CheckResult(name="f", passed=False), t=0, strategy=None).evidence == "f"


@pytest.mark.parametrize(
    ("check", "name"),
    [
        (ContainsCheck(text="a"), "contains 'a'"),
        (RegexCheck(pattern="a+"), "regex 'a+'"),
        (FunctionCheck(reference="./checks.py:polite"), "function ./checks.py:polite"),
    ],
)
def test_a_check_has_a_name_for_reports_and_survives_storage(check: CheckSpec, name: str) -> None:
    assert check.name == name
    adapter: TypeAdapter[CheckSpec] = TypeAdapter(CheckSpec)
    assert adapter.validate_json(adapter.dump_json(check)) == check


STATE: dict[str, JsonValue] = {"vehicle": {"speed": 0, "locked": True, "media": None}, "stops": ["Bakery"]}


@pytest.mark.parametrize(
    ("path", "equals", "detail"),
    [
        ("vehicle.speed", 0, ""),
        ("vehicle.speed", 0.0, ""),
        ("stops[0]", "Bakery", ""),
        ("stops", None, ""),
        ("vehicle", {"speed": 0, "locked": True, "media": None}, ""),
        ("vehicle.speed", 50, "it is 0"),
        ("vehicle.speed", False, "it is 0"),
        ("vehicle.locked", 1, "it is true"),
        ("vehicle.media", None, "it is null"),
        ("vehicle.heating", None, "the state has no 'vehicle.heating'"),
        ("stops[1]", "Bakery", "the state has no 'stops[1]'"),
    ],
)
def test_the_side_channel_holds_a_value_or_the_check_says_what_it_holds(
    path: str, equals: JsonValue, detail: str
) -> None:
    result = state_holds(StateCheck(path=path, equals=equals), STATE)
    assert (result.passed, result.detail) == (not detail, detail)


def test_an_assistant_that_tells_no_state_fails_the_check_and_it_says_so() -> None:
    result = state_holds(StateCheck(path="speed", equals=0), None)
    assert (result.passed, result.name, result.detail) == (False, "state speed is 0", "the assistant told no state")
