"""What conversations are expected to take."""

from __future__ import annotations

from hairpin.campaign.pace import REMEMBERED, Pace


def test_nothing_is_expected_before_one_has_ended() -> None:
    assert (Pace().conversation_s, Pace().judging_s) == (0.0, 0.0)


def test_nine_in_ten_took_what_is_expected_at_most() -> None:
    pace = Pace()
    for number in range(1, 11):
        pace.learn(elapsed_s=float(number), judging_s=number / 10)
    assert (pace.conversation_s, pace.judging_s) == (9.0, 0.9)


def test_one_conversation_is_taken_at_its_word() -> None:
    pace = Pace()
    pace.learn(elapsed_s=4.0, judging_s=1.0)
    assert (pace.conversation_s, pace.judging_s) == (4.0, 1.0)


def test_an_assistant_that_became_slower_is_noticed() -> None:
    pace = Pace()
    for _ in range(200):
        pace.learn(elapsed_s=1.0, judging_s=0.0)
    for _ in range(REMEMBERED):
        pace.learn(elapsed_s=30.0, judging_s=2.0)
    assert (pace.conversation_s, pace.judging_s) == (30.0, 2.0)


def test_what_was_learnt_before_a_run_was_resumed_says_nothing_of_judging() -> None:
    pace = Pace()
    pace.learn(elapsed_s=7.0)
    assert (pace.conversation_s, pace.judging_s) == (7.0, 0.0)
