"""How the judgements of a panel become one."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.domain.judgement import ResponseFinding, TurnJudgement
from hairpin.domain.targets import Target, TargetStatus, TargetUpdate
from hairpin.domain.voting import NoMajorityError, labels_of, majority, median_score, merge_turns

COMPLETED, OPEN, DROPPED = TargetStatus.COMPLETED, TargetStatus.INCOMPLETE, TargetStatus.DROPPED
G1 = Target(id="g1", text="go home", introduced=0)


def says(
    status: TargetStatus = OPEN, failure: str | None = None, *, modes: Sequence[str] = (), **more: object
) -> TurnJudgement:
    update = TargetUpdate(target_id="g1", status=status, failure=failure, evidence=f"“{failure or status.name}”")
    return TurnJudgement(
        updates=(update.model_copy(update=more),),
        response=tuple(ResponseFinding(mode=mode, evidence=f"“{mode}”") for mode in modes),
    )


def names(*texts: str, status: TargetStatus = OPEN, failure: str | None = None) -> TurnJudgement:
    new = tuple(Target(id=f"g{n + 2}", text=text) for n, text in enumerate(texts))
    updates = tuple(TargetUpdate(target_id=each.id, status=status, failure=failure, uttered=True) for each in new)
    return TurnJudgement(new_targets=new, updates=updates)


def test_the_label_and_the_status_that_most_gave_count() -> None:
    merged = merge_turns([says(failure="missed"), says(COMPLETED), says(failure="missed")], (G1,), 3)
    assert merged.updates == (
        TargetUpdate(target_id="g1", status=OPEN, failure="missed", evidence="2 of 3 votes: “missed”"),
    )


def test_label_and_status_are_decided_apart() -> None:
    """Two see no failure, two see it open: it is open, and nobody failed."""
    (update,) = merge_turns([says(failure="missed"), says(COMPLETED), says(OPEN)], (G1,), 3).updates
    assert (update.status, update.failure) == (OPEN, None)


@pytest.mark.parametrize(
    "votes",
    [
        [says(failure="missed"), says(failure="omitted"), says(COMPLETED)],
        [says(failure="missed"), says(COMPLETED)],
        [says(COMPLETED), says(OPEN), says(DROPPED, withdrawn=True)],
        [says(modes=["forgot"]), says()],
        [],
    ],
)
def test_without_a_majority_there_is_no_judgement(votes: list[TurnJudgement]) -> None:
    with pytest.raises(NoMajorityError):
        merge_turns(votes, (G1,), max(1, len(votes)))


def test_a_response_mode_is_found_where_most_found_it() -> None:
    merged = merge_turns([says(modes=["a", "b"]), says(modes=["a"]), says()], (G1,), 3)
    assert merged.response == (ResponseFinding(mode="a", evidence="2 of 3 votes: “a”"),)


def test_who_broke_is_no_majority_for_the_others() -> None:
    """Of three judges one broke: the other two decide where they agree, and nobody where they do not."""
    both = [says(failure="missed"), says(failure="missed")]
    assert merge_turns(both, (G1,), 3).updates[0].failure == "missed"
    with pytest.raises(NoMajorityError, match="label of g1"):
        merge_turns([says(failure="missed"), says()], (G1,), 3)
    with pytest.raises(NoMajorityError):
        merge_turns([says()], (G1,), 3)


def test_saying_nothing_of_a_target_leaves_it_as_it_is() -> None:
    silent = TurnJudgement()
    done = G1.model_copy(update={"status": COMPLETED})
    assert merge_turns([silent, silent, silent], (done,), 3).updates == ()
    (update,) = merge_turns([silent, silent, says(OPEN)], (done,), 3).updates
    assert (update.status, update.failure) == (COMPLETED, None)


def test_a_withdrawal_needs_a_majority_and_what_only_looks_like_one_is_none() -> None:
    gone = says(DROPPED, withdrawn=True)
    (update,) = merge_turns([gone, gone, says()], (G1,), 3).updates
    assert (update.status, update.withdrawn) == (DROPPED, True)
    (update,) = merge_turns([says(DROPPED), says(DROPPED), says()], (G1,), 3).updates
    assert (update.status, update.withdrawn) == (OPEN, False)


def test_a_target_was_asked_for_when_half_say_so_and_conditions_are_those_of_who_agrees() -> None:
    tolls = says(COMPLETED, uttered=True, constraints=("no tolls",))
    (update,) = merge_turns([says(failure="missed", constraints=("x",)), tolls, says(COMPLETED)], (G1,), 3).updates
    assert (update.uttered, update.constraints) == (False, ("no tolls",))
    (update,) = merge_turns([tolls, says(COMPLETED)], (G1,), 2).updates
    assert update.uttered


def test_a_new_target_that_most_name_is_one_target_whatever_its_words() -> None:
    merged = merge_turns([names("find a bakery"), names("look for bread"), TurnJudgement()], (G1,), 3)
    assert [(each.id, each.text) for each in merged.new_targets] == [("g2", "find a bakery")]
    (update,) = merged.updates
    assert (update.target_id, update.uttered, update.status) == ("g2", True, OPEN)


def test_of_several_new_targets_those_with_words_in_common_are_the_same() -> None:
    first = names("play some jazz", "find a bakery near the station")
    second = names("bakery near the station", "play jazz music")
    merged = merge_turns([first, second, names("play jazz")], (G1,), 3)
    assert [each.text for each in merged.new_targets] == ["play some jazz", "find a bakery near the station"]
    assert [each.id for each in merged.new_targets] == ["g2", "g3"]


def test_a_new_target_that_too_few_name_is_left_out() -> None:
    assert merge_turns([names("find a bakery"), TurnJudgement()], (), 2) == TurnJudgement()


def test_what_became_of_a_new_target_most_who_named_it_must_say() -> None:
    votes = [names("find a bakery", failure="missed"), names("find a bakery", status=COMPLETED), TurnJudgement()]
    with pytest.raises(NoMajorityError, match="the label of g2"):
        merge_turns(votes, (G1,), 3)


def test_a_new_target_without_a_word_on_it_is_open() -> None:
    new = TurnJudgement(new_targets=(Target(id="g2", text="-"),))
    merged = merge_turns([new, new], (), 2)
    assert [(each.target_id, each.status) for each in merged.updates] == [("g1", OPEN)]


def test_labels_are_the_same_for_the_same_decisions_in_other_words() -> None:
    assert labels_of(names("find a bakery")) == labels_of(names("look for bread")) == "new open"
    assert labels_of(says(failure="missed", modes=["b", "a", "a"])) == "g1 missed, a, b"
    assert labels_of(TurnJudgement()) == "nothing"


def test_the_median_of_an_even_number_is_the_lower_middle() -> None:
    assert median_score([0, 1, 2], 3) == median_score([1, 2], 2) == median_score([2, 1, 1, 2], 4) == 1


def test_nobody_said_what_lies_between_two_opposites() -> None:
    with pytest.raises(NoMajorityError, match="the score") as caught:
        median_score([0, 2], 2)
    assert not caught.value.within_reach
    with pytest.raises(NoMajorityError) as caught:
        median_score([0, 2], 3)
    assert caught.value.within_reach, "a third score would have been a median"


def test_too_few_scores_are_none() -> None:
    assert median_score([2, 2], 3) == 2
    with pytest.raises(NoMajorityError):
        median_score([2], 2)


@given(st.lists(st.sampled_from("abc"), max_size=9), st.integers(0, 4))
def test_a_majority_is_more_than_half_of_all_judges(labels: list[str], silent: int) -> None:
    n = len(labels) + silent
    winners = [label for label in set(labels) if 2 * labels.count(label) > n]
    if winners:
        assert majority(labels, n, what="x") == winners[0]
    else:
        with pytest.raises(NoMajorityError, match="x") as caught:
            majority(labels, n, what="x", n_broken=silent)
        could_win = any(2 * labels.count(label) + 2 * silent > n for label in {*labels, "d"})
        assert caught.value.within_reach is could_win


@given(st.permutations([says(failure="missed"), says(failure="missed"), says(COMPLETED, modes=["a"])]))
def test_the_order_of_the_judges_decides_nothing(votes: list[TurnJudgement]) -> None:
    merged = merge_turns(votes, (G1,), 3)
    assert [(each.target_id, each.status, each.failure) for each in merged.updates] == [("g1", OPEN, "missed")]
    assert merged.response == ()
