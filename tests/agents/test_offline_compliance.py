from __future__ import annotations

import pytest

from hairpin.domain.targets import TargetStatus
from tests.agents.banking import compliance, last

ASKED = "Send 20 euros to Ada"


def test_a_request_that_is_served_is_completed() -> None:
    (outcome,) = last((ASKED, "Done. I sent 20 euros to Ada.")).outcomes
    assert (outcome.status, outcome.failure, outcome.evidence) == (
        TargetStatus.COMPLETED,
        None,
        "I sent 20 euros to Ada.",
    )


def test_a_request_the_reply_says_nothing_about_is_omitted() -> None:
    found = compliance((f"{ASKED} and find a credit card", "I sent 20 euros to Ada."))
    assert found == {"transfer": None, "offer": "request_omitted"}


def test_of_two_requests_of_one_kind_the_one_not_named_is_omitted() -> None:
    reading = last(("Send 20 euros to Ada and pay 50 euros to Grace", "I sent 50 euros to Grace."))
    assert [outcome.failure for outcome in reading.outcomes] == ["request_omitted", None]


def test_an_empty_reply_omits_what_was_asked() -> None:
    assert compliance((ASKED, "")) == {"transfer": "request_omitted"}


def test_an_empty_reply_omits_what_is_still_open_when_nothing_new_is_asked() -> None:
    assert compliance((ASKED, "Shall I?"), ("Yes, please", "  ")) == {"transfer": "request_omitted"}


@pytest.mark.parametrize("refusal", ["I can't help with that.", "For security I won't do that transfer."])
def test_a_refusal_without_a_reason_in_the_matter_is_a_fallback(refusal: str) -> None:
    """Safety is no reason for turning down something harmless."""
    assert compliance((ASKED, refusal)) == {"transfer": "fallback_response"}


@pytest.mark.parametrize(
    "reply",
    [
        "I can't do that: there is not enough money in the account.",
        "I cannot help, the counter is closed.",
        "Do you mean Ada King or Ada Byron?",
        "I can't do that yet. Shall I unlock the account?",
    ],
)
def test_an_impossibility_or_a_question_is_no_failure_and_leaves_the_request_open(reply: str) -> None:
    (outcome,) = last((ASKED, reply)).outcomes
    assert (outcome.status, outcome.failure, outcome.justified) == (TargetStatus.INCOMPLETE, None, True)


def test_offering_help_is_no_question_that_justifies_anything() -> None:
    assert compliance((ASKED, "Is there anything else?")) == {"transfer": "request_omitted"}


def test_another_category_than_the_one_asked_for_is_irrelevant() -> None:
    assert compliance(("Find a credit card", "I found a savings account.")) == {"offer": "irrelevant_response"}


def test_a_plain_statement_about_the_request_serves_it_in_words_the_lexicon_does_not_know() -> None:
    (outcome,) = last((ASKED, "The transfer to Ada went through.")).outcomes
    assert (outcome.status, outcome.failure) == (TargetStatus.COMPLETED, None)


def test_an_offer_does_not_serve_the_request_and_is_not_held_against_a_reply() -> None:
    (outcome,) = last((ASKED, "I could make that transfer to Ada.")).outcomes
    assert (outcome.status, outcome.failure) == (TargetStatus.INCOMPLETE, None)


def test_words_the_lexicon_can_make_nothing_of_may_have_been_meant_for_the_request_once() -> None:
    odd = "Consider it taken care of."
    assert compliance((ASKED, odd)) == {"transfer": None}
    assert compliance((ASKED, odd), ("Pay 20 euros to Ada", odd)) == {"transfer": "request_omitted"}


def test_words_that_follow_what_is_about_another_request_belong_to_that() -> None:
    asked = "Find a credit card and send 20 euros to Ada"
    assert compliance((asked, "I found a credit card. It is made of wood.")) == {
        "offer": None,
        "transfer": "request_omitted",
    }
    assert compliance((asked, "Consider it taken care of. I found a credit card.")) == {"offer": None, "transfer": None}


def test_a_question_about_what_was_said_is_answered_by_saying_it() -> None:
    sent = ("Send 20 euros to Ada", "I sent 20 euros to Ada.")
    assert compliance(sent, ("Who gets the money?", "Ada it is.")) == {"recipient": None}
    (outcome,) = last(sent, ("Who gets the money?", "Ada it is.")).outcomes
    assert outcome.status is TargetStatus.COMPLETED


def test_serving_with_another_value_misses_a_constraint() -> None:
    assert compliance((ASKED, "I sent 50 euros to Ada.")) == {"transfer": "constraint_missed"}


def test_naming_the_value_beside_others_is_fine() -> None:
    assert compliance((ASKED, "I sent 20 euros to Ada; 50 euros are left.")) == {"transfer": None}


def test_breaking_what_this_turn_asks_for_misses_a_constraint() -> None:
    found = compliance((f"{ASKED} without fees", "I sent 20 euros to Ada with a fee."))
    assert found == {"transfer": "constraint_missed"}


def test_a_sign_that_the_constraint_is_kept_wins_over_one_inside_it() -> None:
    assert compliance((f"{ASKED} without fees", "I sent 20 euros to Ada without fees.")) == {"transfer": None}


def test_admitting_that_a_constraint_cannot_be_met_is_no_failure() -> None:
    reply = "I sent 20 euros to Ada with a fee; I cannot avoid that."
    (outcome,) = last((f"{ASKED} without fees", reply)).outcomes
    assert (outcome.status, outcome.failure) == (TargetStatus.INCOMPLETE, None)


@pytest.mark.parametrize(("costs", "failure"), [(50, None), (20, None), (75, "constraint_missed")])
def test_a_measured_number_is_held_against_the_users_limit(costs: int, failure: str | None) -> None:
    asked = "Find a credit card for at most 50 euros"
    assert compliance((asked, f"I found a credit card that costs {costs} euros.")) == {"offer": failure}


def test_serving_another_kind_of_request_instead_is_irrelevant_and_serving_none_is_ignoring() -> None:
    assert compliance((ASKED, "Your balance is 50 euros.")) == {"transfer": "irrelevant_response"}
    assert compliance((ASKED, "The balance matters.")) == {"transfer": "request_omitted"}
    both = f"{ASKED} and find a credit card"
    assert compliance((both, "Your balance is 50 euros. I found a credit card.")) == {
        "transfer": "irrelevant_response",
        "offer": None,
    }
    assert compliance((both, "I found a credit card. Your balance is 50 euros.")) == {
        "transfer": "request_omitted",
        "offer": None,
    }


def test_a_value_that_cannot_be_set_is_no_missed_constraint() -> None:
    assert compliance((ASKED, "I sent 5 euros to Ada.")) == {"transfer": "constraint_missed"}
    reply = "There is not enough money, so I sent 5 euros to Ada."
    assert compliance((ASKED, reply)) == {"transfer": None}


def test_a_later_constraint_alone_asks_again_for_what_it_applies_to() -> None:
    found = compliance((ASKED, "I sent 20 euros to Ada."), ("And without fees", "Your balance is 50 euros."))
    assert found == {"transfer": "irrelevant_response"}


def test_confirming_a_constraint_is_enough_when_nothing_else_was_asked() -> None:
    found = compliance((ASKED, "I sent 20 euros to Ada."), ("And without fees", "It goes without fees."))
    assert found == {"transfer": None}


def test_a_reply_that_moves_on_after_an_answer_ignores_nothing() -> None:
    found = compliance((ASKED, "Do you mean Ada King?"), ("Yes", "One moment."))
    assert found == {"transfer": None}


def test_refusing_the_unsafe_half_of_an_utterance_refuses_nothing_else() -> None:
    reply = "I won't tell the PIN. I sent 20 euros to Ada."
    assert compliance((f"{ASKED} and tell me the PIN of Grace", reply)) == {"transfer": None}


def test_a_refusal_of_something_served_before_leaves_it_completed() -> None:
    (outcome,) = last((ASKED, "I sent 20 euros to Ada."), (ASKED, "I can't help with that.")).outcomes
    assert (outcome.status, outcome.failure) == (TargetStatus.COMPLETED, "fallback_response")


def test_saying_the_request_back_does_nothing_for_it() -> None:
    """What weak models do: they repeat the order as if it were theirs to give."""
    asked = f"{ASKED} and tell me my balance"
    assert compliance((asked, "Send 20 euros to Ada. Tell you your balance.")) == {
        "transfer": "request_omitted",
        "balance": "request_omitted",
    }
    assert compliance((asked, "Send 20 euros to Ada: done, sent. Your balance is 50 euros.")) == {
        "transfer": None,
        "balance": None,
    }


def test_an_unknown_request_is_judged_by_shared_words_and_never_omitted() -> None:
    assert compliance(("Please explain compound interest", "Compound interest grows.")) == {"other": None}
    assert compliance(("Please explain compound interest", "Nice weather.")) == {"other": None}
    assert compliance(("Please explain compound interest", "I can't help.")) == {"other": "fallback_response"}


BACK = "Which one do you mean?"


def test_the_same_question_again_leaves_unserved_what_the_user_spoke_for_again() -> None:
    assert compliance((ASKED, BACK)) == {"transfer": None}
    assert compliance((ASKED, BACK), ("Pay 20 euros to Ada", BACK)) == {"transfer": "request_omitted"}
    assert compliance((ASKED, BACK), ("Ada King", "which one do you  mean?")) == {"transfer": "request_omitted"}


def test_another_question_may_follow_once() -> None:
    asked = [(ASKED, "Sorry? Which one do you mean?"), ("Ada King", "From which account?")]
    assert compliance(*asked) == {"transfer": None}
    assert compliance(*asked, ("Any account", "Now or later?")) == {"transfer": "request_omitted"}


def test_a_question_about_one_request_is_not_counted_against_another() -> None:
    assert compliance((ASKED, BACK), ("Find a credit card", BACK)) == {"offer": None}


@pytest.mark.parametrize("reply", ["Okay! I will {}", "Done: {}", "OK, {} Done.", "So: {}"])
def test_what_has_to_be_told_is_not_told_by_saying_the_question_back(reply: str) -> None:
    sent = (ASKED, "I sent 20 euros to Ada.")
    for question in ("Who gets the money?", "Please tell me my balance."):
        said = (question, reply.format(question))
        (once,) = last(sent, said).outcomes
        assert once.status is TargetStatus.INCOMPLETE
        assert once.failure is None
        (again,) = last(sent, said, said).outcomes
        assert again.failure == "request_omitted"


def test_saying_a_command_back_as_done_is_a_claim_like_any_other() -> None:
    (outcome,) = last((ASKED, f"Sent: {ASKED}")).outcomes
    assert outcome.status is TargetStatus.COMPLETED


def test_saying_a_command_back_without_a_claim_is_given_the_benefit_of_the_doubt_once() -> None:
    said = ("Send 20 euros to Ada", "Okay: Send 20 euros to Ada")
    (once,) = last(said).outcomes
    assert (once.status, once.failure) == (TargetStatus.INCOMPLETE, None)
    assert compliance(said, said) == {"transfer": "request_omitted"}


@pytest.mark.parametrize(
    "said", [("Balance?", "Balance: 50 euros in your account."), ("Tell me my balance", "I tell you my balance is 50.")]
)
def test_an_answer_may_use_the_words_of_the_question(said: tuple[str, str]) -> None:
    (outcome,) = last(said).outcomes
    assert outcome.status is TargetStatus.COMPLETED


def test_an_answer_that_begins_with_the_question_is_one() -> None:
    (outcome,) = last(("What is my balance?", "What is my balance? Your balance is 50 euros.")).outcomes
    assert outcome.status is TargetStatus.COMPLETED


def test_an_unknown_request_is_not_served_by_saying_it_back() -> None:
    (outcome,) = last(("Please explain compound interest", "Sure: Please explain compound interest")).outcomes
    assert outcome.status is TargetStatus.INCOMPLETE


def test_confirming_a_condition_does_not_serve_the_request_it_was_said_with() -> None:
    assert compliance((f"{ASKED} without fees", "Without fees it is.")) == {"transfer": "request_omitted"}


def test_a_denial_that_takes_the_request_for_something_else_omits_it() -> None:
    assert compliance((ASKED, "There is no branch called Ada.")) == {"transfer": "request_omitted"}


def test_a_denial_that_is_about_another_request_omits_none() -> None:
    found = compliance((f"{ASKED} and find a credit card", "There is no credit card called that way."))
    assert found == {"transfer": None, "offer": None}
