from __future__ import annotations

from xml.etree.ElementTree import Element, fromstring

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hairpin.domain.outcome import STOP_RULES, Role, StopReason, Verdict
from hairpin.domain.records import ConversationRecord
from tests.reports.sample_run import a_report, ended_by, failed, missing, passed, sample_records, scripted, used_models
from tests.reports.whole_reports import junit_of


def document(*records: ConversationRecord) -> Element:
    return fromstring(junit_of(a_report(records or None)).encode())


def case(record: ConversationRecord) -> Element:
    (found,) = document(record).iter("testcase")
    return found


def test_every_planned_conversation_is_a_test_case_in_the_suite_of_its_assistant() -> None:
    root = document()
    suites = {suite.get("name"): len(suite.findall("testcase")) for suite in root}
    assert suites == {"munich_commute clean": 24, "munich_commute faulty": 2}
    assert root.get("tests") == str(len(sample_records()))


def test_counts_agree_with_the_cases() -> None:
    root = document()
    for element in (root, *root):
        cases = list(element.iter("testcase"))
        assert element.get("tests") == str(len(cases))
        for attribute, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert element.get(attribute) == str(sum(found.find(tag) is not None for found in cases))


def test_a_failed_conversation_is_a_failure_with_modes_turns_and_reproduction() -> None:
    failure = case(failed()).find("failure")
    assert failure is not None
    message = failure.get("message") or ""
    assert "C 0.42 is below the threshold 0.75" in message
    assert "constraint_missed at turn 1, safety_violation at turn 2, context_forgotten at turn 3" in message
    body = failure.text or ""
    for part in ("random seed 123456789", "Steakhaus am Tor", "!! FAILURE Context forgotten", "Munich, 2026-11-29"):
        assert part in body
    assert "hairpin show 'runs/munich commute' c0001" in body


def test_a_passed_conversation_is_a_plain_case_and_shows_what_was_found_in_it() -> None:
    assert len(case(passed())) == 0
    noted = case(passed().model_copy(update={"failures": failed().failures[1:2], "exchanges": failed().exchanges}))
    assert noted.find("failure") is None
    assert "Constraint missed" in (noted.findtext("system-out") or "")


@pytest.mark.parametrize("reason", StopReason)
def test_only_a_failed_conversation_is_a_failure(reason: StopReason) -> None:
    """What has no verdict is an error or skipped: the assistant did not fail."""
    found = case(ended_by(0, reason))
    assert found.find("failure") is None
    verdict = STOP_RULES[reason].verdict
    if verdict is Verdict.INVALID:
        error = found.find("error")
        assert error is not None
        assert (error.get("type") or "").startswith(f"invalid.{reason}")
        assert f"what happened by {reason}" in (error.get("message") or "")
    elif verdict is Verdict.INCONCLUSIVE:
        assert found.find("skipped") is not None


@pytest.mark.parametrize(
    ("role", "whose"), [(Role.TURN_JUDGE, "judge"), (Role.SIMULATOR, "simulator"), (Role.EXTRACTOR, "simulator")]
)
def test_a_refusal_is_an_error_that_says_whose_it_was(role: Role, whose: str) -> None:
    """A judge that refuses is told apart from a user that refuses; neither is the assistant's failure."""
    found = case(ended_by(0, StopReason.REFUSED, role=role))
    error = found.find("error")
    assert error is not None
    assert error.get("type") == f"invalid.refused.{whose}"
    assert "what happened by refused" in (error.get("message") or "")


def test_what_models_used_is_a_property_of_each_suite() -> None:
    plain, used = (fromstring(junit_of(a_report([passed()], usage=usage))) for usage in (None, used_models()))
    names = {element.get("name"): element.get("value") for element in used.iter("property")}
    assert names["llm.requests"] == "6"
    assert (names["llm.cost"] or "").startswith("unknown: at least 0.0009 USD")
    assert not [e for e in plain.iter("property") if (e.get("name") or "").startswith("llm.")]


def test_a_missing_conversation_is_skipped() -> None:
    skipped = case(missing(0)).find("skipped")
    assert skipped is not None
    assert skipped.get("message") == "missing: it was not started"


def test_a_failed_check_says_which() -> None:
    failure = case(scripted()).find("failure")
    assert failure is not None
    assert "'Marienplatz' is not in the reply" in (failure.text or "")


@settings(max_examples=30)
@given(st.text(alphabet=st.characters(codec="utf-8"), min_size=1))
def test_any_text_gives_valid_xml(text: str) -> None:
    record = failed()
    spoken = record.exchanges[0].model_copy(update={"user": text, "assistant": text})
    where = record.planned.model_copy(update={"seed_phrase": text})
    marked = record.failures[0].model_copy(update={"evidence": text, "t": 0})
    changed = {"exchanges": (spoken,), "planned": where, "failures": (marked,)}
    assert case(record.model_copy(update=changed)).find("failure") is not None


def test_control_characters_are_named() -> None:
    where = failed().planned.model_copy(update={"seed_phrase": "a\x00b\x1b[31m\ufffe"})
    name = case(failed().model_copy(update={"planned": where})).get("name") or ""
    assert "a<U+0000>b<U+001B>[31m<U+FFFE>" in name


def test_unicode_is_kept() -> None:
    failure = case(failed()).find("failure")
    assert failure is not None
    assert "👩‍🔧 🚗, 客户 Zoë says ﬂight →" in (failure.text or "")


def test_nothing_planned_gives_empty_suites() -> None:
    root = fromstring(junit_of(a_report([])))
    assert (root.get("tests"), len(list(root.iter("testcase")))) == ("0", 0)
