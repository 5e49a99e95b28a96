from __future__ import annotations

from hairpin.analysis.agreement.opinions import Place, label_precisions, votes_of
from hairpin.domain.annotations import Annotation, LabelOpinion

OMITTED, FORGOTTEN = "request_omitted", "context_forgotten"


def said(rater: str, *labels: tuple[int, str, bool, str | None]) -> Annotation:
    opinions = tuple(LabelOpinion(t=t, mode=mode, holds=holds, target_id=target) for t, mode, holds, target in labels)
    return Annotation(conversation="c", rater=rater, labels=opinions)


def place(t: int, mode: str, target: str | None = None) -> Place:
    return Place(conversation="c", t=t, mode=mode, target_id=target)


def test_the_majority_decides_and_ties_and_silence_are_counted_apart() -> None:
    votes = votes_of(
        [
            said("ann", (0, FORGOTTEN, True, None), (1, FORGOTTEN, True, None), (2, FORGOTTEN, False, None)),
            said("bob", (0, FORGOTTEN, True, None), (1, FORGOTTEN, False, None), (2, FORGOTTEN, False, None)),
        ]
    )
    of_all, of_mode = label_precisions("j", [place(t, FORGOTTEN) for t in range(4)], votes)
    assert (of_all.mode, of_mode.mode) == (None, FORGOTTEN)
    for found in (of_all, of_mode):
        assert (found.genuine.successes, found.genuine.n, found.ties, found.unlabelled) == (1, 2, 1, 1)
        assert found.missed == 0


def test_what_people_see_and_the_judge_did_not_label_is_missed() -> None:
    votes = votes_of([said("ann", (0, OMITTED, True, "g1"), (1, OMITTED, False, "g1"))])
    found = label_precisions("j", [], votes)[0]
    assert (found.genuine.rate, found.missed) == (None, 1)
    assert found.genuine.reason == "no labelled failure has a majority"


def test_what_is_said_of_a_turn_holds_for_its_targets_that_nothing_is_said_of() -> None:
    votes = votes_of([said("ann", (0, OMITTED, True, None), (0, OMITTED, False, "g2"))])
    found = label_precisions("j", [place(0, OMITTED, "g1"), place(0, OMITTED, "g2")], votes)[0]
    assert (found.genuine.successes, found.genuine.n, found.missed) == (1, 2, 0)


def test_each_rater_has_one_vote_on_a_failure_and_the_one_that_names_the_target_counts() -> None:
    votes = votes_of(
        [said("ann", (0, OMITTED, True, "g1"), (0, OMITTED, False, None)), said("bob", (0, OMITTED, False, None))]
    )
    found = label_precisions("j", [place(0, OMITTED, "g1"), place(0, OMITTED, "g2")], votes)[0]
    assert (found.genuine.successes, found.genuine.n, found.ties) == (0, 1, 1)


def test_one_rater_has_no_alpha_and_it_is_said() -> None:
    found = label_precisions("j", [place(0, FORGOTTEN)], votes_of([said("ann", (0, FORGOTTEN, True, None))]))[0]
    assert (found.alpha.value, found.alpha.reason) == (None, "no item has two ratings")


def test_without_labels_there_is_no_table() -> None:
    assert label_precisions("j", [place(0, FORGOTTEN)], {}) == ()
