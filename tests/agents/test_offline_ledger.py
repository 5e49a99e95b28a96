from __future__ import annotations

from hairpin.agents.offline.ledger import Heard, Ledger, hear
from hairpin.agents.offline.reading import read_user
from hairpin.domain.targets import TargetStatus
from tests.agents.banking import language


def heard(*utterances: str, waiting: tuple[int, ...] = ()) -> Heard:
    """Fold utterances without replies; ``waiting``: what a question was put about before the last."""
    ledger = Ledger()
    for t, text in enumerate(utterances):
        if t == len(utterances) - 1:
            ledger = ledger.model_copy(update={"waiting": waiting})
        result = hear(ledger, read_user(text, language()), t=t, language=language())
        ledger = result.ledger
    return result


def test_a_request_is_known_from_when_it_was_first_made() -> None:
    result = heard("Send 20 euros to Ada", "What is my balance?", "Send 20 euros to Ada")
    assert [(ask.introduced, ask.asked, ask.times) for ask in result.ledger.asks] == [(0, 2, 2), (1, 1, 1)]
    assert result.addressed == (0,)


def test_other_parameters_make_another_request() -> None:
    assert len(heard("Send 20 euros to Ada", "Send 50 euros to Ada").ledger.asks) == 2


def test_a_constraint_holds_since_it_was_first_stated() -> None:
    result = heard("Send 20 euros to Ada without fees", "Hello", "Send 20 euros to Ada without fees")
    (fact,) = result.ledger.established
    assert (fact.constraint, fact.since, fact.restated, fact.ask) == ("no_fees", 0, 2, None)


def test_a_constraint_with_another_value_takes_the_place_of_the_old_one() -> None:
    result = heard("Find a card for at most 50 euros", "for at most 20 euros")
    (fact,) = result.ledger.established
    assert (dict(fact.params), fact.since, fact.ask) == ({"amount": "20"}, 1, 0)


def test_a_standing_constraint_is_in_force_for_later_requests_and_others_are_not() -> None:
    result = heard("Find a card for at most 50 euros without fees", "Find a savings account")
    facts = result.ledger.facts_of(result.ledger.asks[1], language())
    assert [fact.constraint for fact in facts] == ["no_fees"]


def test_a_lifted_constraint_is_gone() -> None:
    assert heard("Send 20 euros to Ada without fees", "Fees are fine").ledger.established == ()


def test_a_withdrawn_request_is_dropped_with_its_constraints() -> None:
    result = heard("Find a card for at most 50 euros", "Never mind the card")
    assert result.dropped == (0,)
    assert result.addressed == ()
    assert result.ledger.asks[0].status is TargetStatus.DROPPED
    assert result.ledger.established == ()


def test_never_mind_alone_drops_what_the_assistant_asked_about_else_the_latest_open_request() -> None:
    both = "Send 20 euros to Ada and find a card"
    assert heard(both, "Never mind", waiting=(0,)).dropped == (0,)
    assert heard(both, "Never mind").dropped == (1,)


def test_withdrawing_what_was_never_asked_for_drops_nothing() -> None:
    assert heard("Send 20 euros to Ada", "Never mind the savings account").dropped == ()


def test_a_dropped_request_opens_again_when_the_user_asks_anew() -> None:
    result = heard("Find a card", "Never mind the card", "Find a card")
    assert result.ledger.asks[0].status is TargetStatus.INCOMPLETE


def test_instead_drops_the_open_request_of_that_kind() -> None:
    result = heard("Send 20 euros to Ada", "Send 20 euros to Grace instead")
    assert (result.dropped, result.addressed) == ((0,), (1,))


def test_an_utterance_that_asks_for_nothing_answers_the_question() -> None:
    result = heard("Send 20 euros to Ada", "The younger", waiting=(0,))
    assert (result.addressed, result.answered) == ((0,), (0,))


def test_a_choice_answers_the_question_and_is_a_request_only_without_one() -> None:
    assert len(heard("Send 20 euros to Ada", "The first one", waiting=(0,)).ledger.asks) == 1
    assert len(heard("Send 20 euros to Ada", "The first one").ledger.asks) == 2
