from __future__ import annotations

from hairpin.agents.offline.analysis import DialogueReader
from hairpin.domain.targets import TargetStatus
from tests.agents.banking import language, last, reader, turns

SENT = ("Send 20 euros to Ada without fees", "I sent 20 euros to Ada without fees.")


def test_a_growing_dialogue_reads_as_if_read_at_once() -> None:
    whole = turns(SENT, ("Find a card", ""), ("Find a card", "I found a credit card with a fee."))
    growing = reader()
    for end in range(1, len(whole) + 1):
        latest = growing.read(whole[:end])
    assert latest == DialogueReader(language()).read(whole)


def test_nothing_is_read_in_an_empty_dialogue() -> None:
    assert reader().read(()) == ()


def test_a_completed_request_opens_again_when_a_later_reply_breaks_its_constraint() -> None:
    reading = last(SENT, ("What is my balance?", "Your balance is 50 euros, with a fee of 3 for Ada."))
    assert reading.ledger.asks[0].status is TargetStatus.INCOMPLETE


def test_an_omitted_request_that_is_served_later_by_name_is_completed() -> None:
    reading = last(
        ("Send 20 euros to Ada", "Your balance is 50 euros."), ("What is my balance?", "I sent 20 euros to Ada.")
    )
    assert reading.ledger.asks[0].status is TargetStatus.COMPLETED


def test_the_assistants_question_waits_for_an_answer_about_what_is_open() -> None:
    assert last(("Send 20 euros to Ada", "Do you mean Ada King?")).ledger.waiting == (0,)
    assert last(("Send 20 euros to Ada", "I sent 20 euros to Ada. Anything else?")).ledger.waiting == ()
