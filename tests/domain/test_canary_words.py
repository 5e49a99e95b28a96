from __future__ import annotations

from fractions import Fraction

from hairpin.domain.canary_rates import CanarySummary, ErrorRate, ModeErrors, error_rate
from hairpin.domain.canary_words import counted_line, share_words, told


def errors(wrong: int, n: int) -> ErrorRate:
    return error_rate([Fraction(1)] * wrong + [Fraction(0)] * (n - wrong))


def summary(
    failed_good: tuple[int, int] | None = (0, 8),
    passed_bad: tuple[int, int] | None = (0, 8),
    made_up: tuple[int, int] | None = (0, 8),
    missed: tuple[int, int] | None = (0, 8),
    by_mode: dict[str, tuple[int, int]] | None = None,
    undecided: dict[str, int] | None = None,
    planned: int = 16,
) -> CanarySummary:
    good, bad, labels, none = (each and errors(*each) for each in (failed_good, passed_bad, made_up, missed))
    return told(
        CanarySummary(
            planned=planned,
            undecided=undecided or {},
            good=8,
            bad=8,
            transcripts=16,
            failed_good=good,
            passed_bad=bad,
            made_up=labels,
            missed=none,
            by_mode={
                mode: ModeErrors(missed=errors(*found), made_up=errors(0, 8)) for mode, found in (by_mode or {}).items()
            },
        )
    )


def test_judges_that_are_right_are_trusted_and_nothing_is_said() -> None:
    found = summary()
    assert (found.trusted, found.findings) == (True, ())
    assert counted_line(found) == "canaries 16: 0 of 8 known-good failed, 0 of 8 known-bad passed"


def test_a_judge_that_always_fails_or_passes_is_called_so() -> None:
    always_fails = summary(failed_good=(8, 8), made_up=(8, 8))
    assert always_fails.trusted is False
    assert always_fails.findings == (
        "The judges call every known-good conversation a failure (8 of 8).",
        "The turn judge labels every known-good conversation with a failure (8 of 8).",
    )
    always_passes = summary(passed_bad=(8, 8), missed=(8, 8), by_mode={"rude": (3, 3)})
    assert always_passes.trusted is False
    assert always_passes.findings == (
        "The judges pass every known-bad conversation (8 of 8).",
        "The turn judge misses the failure in every known-bad conversation (8 of 8).",
    )


def test_a_judge_that_errs_now_and_then_gets_its_share_with_an_interval() -> None:
    found = summary(failed_good=(2, 10), missed=(3, 8), by_mode={"rude_word": (2, 2), "slow": (1, 2)})
    assert found.trusted is False
    assert found.findings == (
        "The judges fail 20 % of the known-good conversations (2 of 10, 95 % interval 6 to 51 %).",
        "The turn judge misses the failure in 38 % of the known-bad conversations (3 of 8, 95 % interval 14 to 69 %).",
        "The turn judge never found what was planted of: rude word.",
    )


def test_one_error_in_ten_is_still_believed() -> None:
    assert summary(failed_good=(1, 10), passed_bad=(1, 10)).trusted is True


def test_with_few_of_a_kind_nothing_is_said_of_it() -> None:
    found = summary(failed_good=(4, 4), passed_bad=(0, 0))
    assert found.trusted is None
    assert found.findings == (
        "Only 4 known-good and 0 known-bad transcripts were judged: too few to say how often verdicts are wrong there.",
    )
    assert summary(failed_good=(4, 4), passed_bad=(9, 9)).trusted is False
    assert counted_line(found) == "canaries 16: 4 of 4 known-good failed"


def test_before_the_first_canary_nothing_is_known() -> None:
    found = summary((0, 0), (0, 0), (0, 0), (0, 0), planned=0)
    assert (found.trusted, found.findings) == (
        None,
        ("No canary has been mixed in yet: nothing is known of the judges' errors.",),
    )
    assert counted_line(found) == "canaries 0"


def test_undecided_canaries_are_told_with_their_reasons() -> None:
    found = summary(undecided={"judge_fault": 2, "missing": 1}, planned=19)
    assert found.findings == ("Of 19 canaries 3 got no pass or fail and are in no rate (2 judge fault, 1 missing).",)
    assert counted_line(found).endswith(", 3 undecided")


def test_where_no_judge_decides_on_verdicts_the_failure_rate_is_not_spoken_of() -> None:
    found = summary(failed_good=None, passed_bad=None)
    assert found.trusted is None
    assert found.findings == ("No judge decides on verdicts in this run: canaries say nothing of its failure rate.",)
    assert counted_line(found) == "canaries 16: 0 of 8 known-good labelled, 0 of 8 known-bad missed"
    assert summary(made_up=None, missed=None).findings == ()


def test_shares_of_transcripts_asked_about_again_have_a_digit_more() -> None:
    assert share_words(error_rate([Fraction(1, 3), Fraction(1)])) == "1.3 of 2"
