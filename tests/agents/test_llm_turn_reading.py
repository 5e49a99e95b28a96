"""What a turn judge's answer means."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.agents.llm.turn_answers import TurnAnswer, turn_answer
from hairpin.agents.llm.turn_reading import judgement_of, refuse_impossible
from hairpin.domain.briefs import TurnBrief
from hairpin.domain.judgement import TurnJudgement, failures_of
from hairpin.domain.targets import Target, TargetStatus, apply_updates
from hairpin.domain.users import Context
from hairpin.ports import InvalidAnswerError
from tests.agents.judge_model import spoken
from tests.domain.builders import COMPLIANCE_MODES, a_rubric

RUBRIC = a_rubric()
OUTCOMES = ("completed", "open", "withdrawn", *COMPLIANCE_MODES)
HISTORY = ("Book a table for two", "For when?")
NOW = ("Tonight at 8, outside. And a taxi", "Booked for 8,\ninside.")
TABLE = Target(id="g1", text="book a table", kind="booking", constraints=("for two",), introduced=0)
FLOWERS = Target(id="g2", text="order flowers")


def verdict(target_id: str, outcome: str = "open", **other: object) -> dict[str, object]:
    return {"target_id": target_id, "asked": False, "evidence": "", "outcome": outcome, "constraints": None, **other}


def new(text: str, outcome: str = "open", **other: object) -> dict[str, object]:
    return {"text": text, "kind": "taxi", "constraints": [], "evidence": "", "outcome": outcome, **other}


def answer(*targets: object, new_targets: object = (), found: object = ()) -> TurnAnswer:
    said = {"reasoning": "why", "targets": targets, "new_targets": new_targets, "response_failures": found}
    return turn_answer(RUBRIC.modes).model_validate(said)


def read(said: TurnAnswer, *targets: Target, now: tuple[str, str] = NOW) -> TurnJudgement:
    history, turn = spoken(HISTORY, now)
    brief = TurnBrief(history=(history,), turn=turn, context=Context(), targets=targets, modes=RUBRIC.modes)
    return judgement_of(said, brief)


@pytest.mark.parametrize(
    ("outcome", "status", "withdrawn", "failure"),
    [
        ("completed", TargetStatus.COMPLETED, False, None),
        ("open", TargetStatus.INCOMPLETE, False, None),
        ("withdrawn", TargetStatus.DROPPED, True, None),
        ("constraint_missed", TargetStatus.INCOMPLETE, False, "constraint_missed"),
    ],
)
def test_an_outcome_is_a_status_or_a_failure_never_both(
    outcome: str, status: TargetStatus, withdrawn: bool, failure: str | None
) -> None:
    (update,) = read(answer(verdict("g1", outcome, asked=True)), TABLE).updates
    assert (update.status, update.withdrawn, update.failure, update.uttered) == (status, withdrawn, failure, True)


def test_constraints_replace_the_old_ones_only_where_they_changed() -> None:
    (same,) = read(answer(verdict("g1")), TABLE).updates
    (changed,) = read(answer(verdict("g1", constraints=["for  two", "outside", "for two", " "])), TABLE).updates
    assert same.constraints is None
    assert changed.constraints == ("for two", "outside")


def test_a_new_target_gets_the_next_free_id_and_its_own_verdict() -> None:
    said = answer(
        verdict("g1"), new_targets=[new("a  taxi", "request_omitted", kind="Taxi ride!", constraints=["tonight"])]
    )
    found = read(said, TABLE, Target(id="g3", text="x"))
    (target,) = found.new_targets
    assert (target.id, target.text, target.kind, target.constraints) == ("g2", "a taxi", "taxi_ride", ("tonight",))
    assert found.updates[-1].target_id == "g2"
    assert (found.updates[-1].uttered, found.updates[-1].failure) == (True, "request_omitted")


def test_a_new_target_that_repeats_a_known_one_is_that_one_asked_for_now() -> None:
    found = read(answer(new_targets=[new("Order flowers.", "completed"), new("taxi"), new("Taxi")]), FLOWERS)
    assert [target.id for target in found.new_targets] == ["g1"]
    assert [(update.target_id, update.uttered) for update in found.updates] == [("g2", True), ("g1", True)]


def test_a_verdict_goes_before_a_new_target_of_the_same_text() -> None:
    found = read(answer(verdict("g2", "withdrawn"), new_targets=[new("order flowers", "completed")]), FLOWERS)
    assert [(update.target_id, update.withdrawn) for update in found.updates] == [("g2", True)]


@pytest.mark.parametrize(
    ("evidence", "kept"),
    [
        ("booked for 8, INSIDE", "“booked for 8, INSIDE”"),
        ('"Tonight at 8"', "“Tonight at 8”"),
        ("> For when?", "“For when?”"),
        ("", ""),
        ("The assistant\ndid not listen", "not a quotation: The assistant did not listen"),
    ],
)
def test_evidence_is_a_quotation_or_says_that_it_is_none(evidence: str, kept: str) -> None:
    found = read(answer(found=[{"evidence": evidence, "mode": "planning_poor"}]))
    assert [(finding.mode, finding.evidence) for finding in found.response] == [("planning_poor", kept)]


def test_an_empty_reply_can_be_quoted() -> None:
    (update,) = read(answer(verdict("g1", "request_omitted", evidence="(no answer)")), TABLE, now=("Hi", "")).updates
    assert update.evidence == "“(no answer)”"


@pytest.mark.parametrize(
    ("said", "complaint"),
    [
        (answer(verdict("g1"), verdict("g2"), verdict("g9")), "there is no target 'g9'; the listed ones are: g1, g2"),
        (answer(verdict("g1"), verdict("g2"), verdict("g1")), "'g1' stands there twice"),
        (answer(verdict("g1")), "these open targets are missing: g2"),
        (answer(verdict("g1"), verdict("g2", "request_omitted")), "the user has not asked for 'g2' yet"),
        (answer(verdict("g1"), verdict("g2"), new_targets=[new(" ")]), "a text is blank"),
    ],
)
def test_an_answer_that_cannot_be_is_refused_with_what_to_mend(said: TurnAnswer, complaint: str) -> None:
    with pytest.raises(InvalidAnswerError, match=complaint):
        refuse_impossible(said, (TABLE, FLOWERS))


@pytest.mark.parametrize(
    ("verdicts", "new_targets", "complaint"),
    [
        ((verdict("g1"), verdict("g2")), [new("Order flowers.", "request_omitted")], "say it once, under targets"),
        ((verdict("g1"), verdict("g2", "completed")), [new("order flowers")], "which is 'completed' under targets"),
        ((verdict("g1"), verdict("g2")), [new("taxi"), new("Taxi!", "request_omitted")], "as 'open' and as"),
        ((verdict("g1"), verdict("g2")), [new("?!")], "a text is blank"),
    ],
)
def test_two_outcomes_of_one_target_are_refused_so_that_no_failure_is_lost(
    verdicts: tuple[object, ...], new_targets: list[object], complaint: str
) -> None:
    with pytest.raises(InvalidAnswerError, match=complaint):
        refuse_impossible(answer(*verdicts, new_targets=new_targets), (TABLE, FLOWERS))


def test_one_outcome_said_twice_of_a_target_is_accepted() -> None:
    said = answer(verdict("g1"), verdict("g2"), new_targets=[new("order flowers"), new("taxi"), new("Taxi")])
    refuse_impossible(said, (TABLE, FLOWERS))
    assert [target.text for target in read(said, TABLE, FLOWERS).new_targets] == ["taxi"]


@pytest.mark.parametrize("spelt", ["G1", " g1 ", '"g1"', "“G1”", "`g1`\n"])
def test_an_id_is_understood_whatever_its_case_and_what_is_around_it(spelt: str) -> None:
    said = answer(verdict(spelt, "completed"))
    refuse_impossible(said, (TABLE,))
    assert [(update.target_id, update.status) for update in read(said, TABLE).updates] == [
        ("g1", TargetStatus.COMPLETED)
    ]


def test_an_id_that_could_mean_two_targets_or_stands_there_in_two_spellings_is_refused() -> None:
    upper, lower = Target(id="G1", text="a"), Target(id="g1", text="b")
    refuse_impossible(answer(verdict("G1"), verdict("g1")), (upper, lower))
    with pytest.raises(InvalidAnswerError, match="there is no target '\"g1\"'"):
        refuse_impossible(answer(verdict('"g1"'), verdict("G1")), (upper, lower))
    with pytest.raises(InvalidAnswerError, match="'g1' stands there twice"):
        refuse_impossible(answer(verdict("g1"), verdict("G1")), (lower,))


def test_targets_that_are_closed_may_be_left_out() -> None:
    done = TABLE.model_copy(update={"status": TargetStatus.COMPLETED, "resolved": 0})
    refuse_impossible(answer(), (done,))
    assert read(answer(), done).updates == ()


def test_a_target_that_was_asked_for_now_or_before_can_fail() -> None:
    said = answer(verdict("g1", "request_omitted"), verdict("g2", "request_omitted", asked=True))
    refuse_impossible(said, (TABLE, FLOWERS))
    assert {update.failure for update in read(said, TABLE, FLOWERS).updates} == {"request_omitted"}


words = st.sampled_from(["order flowers", "Order flowers!", "taxi", "book a table", "x", "…"])


@given(
    verdicts=st.dictionaries(st.sampled_from(["g1", "g2"]), st.sampled_from(OUTCOMES), max_size=2),
    fresh=st.lists(st.tuples(words, st.sampled_from(("completed", "open", *COMPLIANCE_MODES))), max_size=4),
    found=st.lists(st.sampled_from(["planning_poor", "safety_violation"]), max_size=3),
)
def test_every_answer_that_is_accepted_can_be_applied_and_counted(
    verdicts: dict[str, str], fresh: list[tuple[str, str]], found: list[str]
) -> None:
    said = answer(
        *(verdict(name, outcome, asked=True) for name, outcome in verdicts.items()),
        new_targets=[new(text, outcome) for text, outcome in fresh],
        found=[{"evidence": "", "mode": mode} for mode in found],
    )
    judgement = read(said, TABLE, FLOWERS)
    changes = apply_updates((TABLE, FLOWERS), judgement.updates, judgement.new_targets, t=1)
    failures = failures_of(judgement, RUBRIC, t=1, strategy=None)
    failed = {failure.target_id for failure in failures if failure.target_id is not None}
    assert all(target.open for target in changes.targets if target.id in failed)
