from __future__ import annotations

from hairpin.agents.offline.ledger import Ledger, hear
from hairpin.agents.offline.naming import constraint_text, match_targets, request_text
from hairpin.agents.offline.reading import read_user
from hairpin.domain.targets import Target
from tests.agents.banking import language


def ledger(text: str) -> Ledger:
    return hear(Ledger(), read_user(text, language()), t=0, language=language()).ledger


def test_names_hold_the_parameters_and_read_back_as_the_same_request() -> None:
    asks = ledger("Please transfer 20 euros to Ada and show me a card").asks
    for ask in asks:
        (again,) = read_user(request_text(ask, language()), language()).requests
        assert (again.kind, again.params) == (ask.kind, ask.params)


def test_a_constraint_is_named_with_its_value() -> None:
    (fact,) = ledger("Find a card for at most 50 euros").established
    assert constraint_text(fact, language()) == "for at most 50 euros a year"


def test_targets_are_found_by_their_words_whoever_wrote_them() -> None:
    asks = ledger("Send 20 euros to Ada and find a card").asks
    targets = (
        Target(id="a", text="The user wants to find a credit card", kind="offer"),
        Target(id="b", text="Pay 20 euros to Ada", kind="whatever"),
    )
    assert match_targets(asks, targets, language()) == {0: "b", 1: "a"}


def test_a_target_with_another_value_is_another_one() -> None:
    asks = ledger("Send 20 euros to Ada").asks
    assert match_targets(asks, (Target(id="a", text="send 50 euros to Ada", kind="transfer"),), language()) == {}


def test_every_target_is_used_once() -> None:
    asks = ledger("Send 20 euros to Ada and pay 50 euros to Ada").asks
    targets = (Target(id="a", text="send 20 euros to Ada", kind="transfer"),)
    assert match_targets(asks, targets, language()) == {0: "a"}
