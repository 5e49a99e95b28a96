from __future__ import annotations

import pytest

from hairpin.app.agreement_inputs import (
    JudgedRun,
    Sourced,
    joined,
    judge_names,
    people_sheets,
    require_same_conversations,
    unused_of,
)
from hairpin.domain.annotations import Annotation, LabelOpinion
from hairpin.domain.outcome import Verdict
from hairpin.domain.recording import Rejudged
from hairpin.domain.records import RunInfo
from hairpin.errors import InvalidInputError
from tests.domain.builders import a_rubric


def a_run(name: str, words: dict[str, str], *, judge: str = "offline", n_left_out: int | None = None) -> JudgedRun:
    rejudged = None
    if n_left_out is not None:
        rejudged = Rejudged(
            run_id="r",
            name="r",
            location="runs/r",
            created_at="2026-11-30T12:00:00Z",
            fingerprint="f",
            agents={},
            n_conversations=1,
            n_left_out=n_left_out,
        )
    info = RunInfo(
        run_id=name,
        name=name,
        hairpin_version="0",
        created_at="2026-11-30T12:00:00Z",
        fingerprint="f",
        fingerprint_parts={},
        agents={"conversation_judge": judge},
        suts={},
        threshold=0.75,
        rejudged=rejudged,
    )
    return JudgedRun(info, f"runs/{name}", words=words)


def test_what_other_runs_are_judged_by_and_the_comparison_is_not_is_told() -> None:
    first = a_rubric()
    own = first.dimensions[0].model_copy(update={"id": "warmth"})
    other = first.model_copy(update={"dimensions": (*first.dimensions[1:], own), "threshold": 0.5})
    assert unused_of([first, first], first.threshold) == ""
    assert unused_of([first, other], first.threshold) == (
        "; thresholds of runs that play no part: 0.5; dimensions of other runs that play no part: warmth"
    )
    assert unused_of([first, first], 0.6) == f"; thresholds of runs that play no part: {first.threshold:g}"


def test_runs_of_different_conversations_are_refused() -> None:
    with pytest.raises(InvalidInputError, match=r"runs/b: lacks c2, c3, c4 and 1 more that runs/a has"):
        require_same_conversations(
            [a_run("a", dict.fromkeys(("c1", "c2", "c3", "c4", "c5"), "w")), a_run("b", {"c1": "w"})]
        )


def test_runs_of_other_words_are_refused() -> None:
    with pytest.raises(InvalidInputError, match=r"runs/b: other words were said in c1 than in runs/a"):
        require_same_conversations([a_run("a", {"c1": "w"}), a_run("b", {"c1": "other"})])


def test_a_rejudged_run_may_lack_as_many_as_it_left_out() -> None:
    original = a_run("a", {"c1": "w", "c2": "w"})
    require_same_conversations([original, a_run("b", {"c1": "w"}, n_left_out=1)])
    with pytest.raises(InvalidInputError, match="lacks c2"):
        require_same_conversations([original, a_run("b", {"c1": "w"}, n_left_out=0)])


def test_judges_of_one_kind_are_numbered() -> None:
    runs = [a_run("a", {}), a_run("b", {}, judge="gpt-5"), a_run("c", {})]
    assert judge_names(runs) == ["offline #1", "gpt-5", "offline #2"]


def test_what_is_said_in_two_places_is_joined_and_counts_once() -> None:
    label = LabelOpinion(t=0, mode="m", holds=True)
    first = Annotation(conversation="c", rater="ann", scores={"x": 1}, labels=(label,))
    second = Annotation(conversation="c", rater="ann", scores={"x": 1, "y": 2}, completed=0.5, labels=(label,))
    (found,) = joined([Sourced("run", (first,)), Sourced("file", (second,))])
    assert found == second


@pytest.mark.parametrize(
    ("first", "second", "what"),
    [
        ({"scores": {"x": 1}}, {"scores": {"x": 2}}, r"the score of 'x' is 1 in run, 2 here"),
        ({"completed": 0.0}, {"completed": 1.0}, "completed is 0.0 in run, 1.0 here"),
        ({"verdict": Verdict.PASS}, {"verdict": Verdict.FAIL}, "verdict is pass in run, fail here"),
        (
            {"labels": (LabelOpinion(t=3, mode="m", holds=True),)},
            {"labels": (LabelOpinion(t=3, mode="m", holds=False),)},
            "'m' at turn 3 is True in run, False here",
        ),
    ],
)
def test_a_rater_who_says_two_things_is_refused(first: dict[str, object], second: dict[str, object], what: str) -> None:
    said = [Annotation.model_validate({"conversation": "c", "rater": "ann", **each}) for each in (first, second)]
    with pytest.raises(InvalidInputError, match=f"file: 'ann' says two things of 'c': {what}"):
        joined([Sourced("run", (said[0],)), Sourced("file", (said[1],))])


def test_people_have_a_sheet_each_and_those_who_only_label_have_none() -> None:
    annotations = [
        Annotation(conversation="c1", rater="ann", scores={"x": 1}, completed=0.5),
        Annotation(conversation="c1", rater="bob", verdict=Verdict.FAIL),
        Annotation(conversation="c1", rater="eve", labels=(LabelOpinion(t=0, mode="m", holds=True),)),
        Annotation(conversation="c2", rater="ann", scores={"x": 0}),
    ]
    ann, bob = people_sheets(annotations)
    assert (ann.name, ann.scores, ann.completed) == ("ann", {"c1": {"x": 1}, "c2": {"x": 0}}, {"c1": 0.5})
    assert (bob.name, bob.scores, bob.stated) == ("bob", {}, {"c1": Verdict.FAIL})
