from __future__ import annotations

from hairpin.agents.offline.standing import Standing
from hairpin.agents.offline.wishes import fillings, sensible, strategy_wishes
from hairpin.domain.templates import UtteranceTemplate
from tests.agents.banking import BUNDLING, STACKING, history, reader

SENT = ("Send 20 euros to Ada", "I sent 20 euros to Ada.")


def standing(*pairs: tuple[str, str]) -> Standing:
    return Standing(history(*pairs), reader())


def fill(text: str, *pairs: tuple[str, str], needs: tuple[str, ...] = (), without: tuple[str, ...] = ()) -> list[str]:
    template = UtteranceTemplate(text=text, needs=needs, without=without)
    return list(fillings(template, standing(*pairs), rng_seed=1))


def test_a_template_waits_for_what_it_needs_and_gives_way_to_what_it_must_not_meet() -> None:
    assert fill("Once more", needs=("transfer",)) == []
    assert fill("Once more", SENT, needs=("transfer",)) == ["Once more"]
    assert fill("Once more", SENT, without=("transfer",)) == []


def test_an_open_slot_takes_a_value_not_spoken_of_and_a_known_one_the_latest_said() -> None:
    assert set(fill("Pay {person}", SENT)) == {"Pay Grace"}
    assert fill("Ask {known:person}", SENT) == ["Ask Ada"] * 4
    assert fill("Ask {known:person}") == []


def test_two_slots_of_a_kind_take_different_values() -> None:
    assert set(fill("{person} and {person_2}")) <= {"Ada and Grace", "Grace and Ada"}


def test_values_that_no_user_would_choose_are_never_taken() -> None:
    assert not any("Alex" in text for text in fill("Pay {person}"))


def test_nothing_is_said_twice() -> None:
    assert fill("Send 20 euros to Ada", SENT) == []


def test_a_strategys_own_vocabulary_comes_first() -> None:
    wishes = set(strategy_wishes(BUNDLING, standing(("Hello", "Hello.")), rng_seed=3))
    assert any("Linus" in wish or "Guido" in wish for wish in wishes)
    assert not any("{" in wish for wish in wishes)


def test_a_strategy_that_does_not_fit_has_nothing_to_say() -> None:
    free = ("Send 20 euros to Ada without fees", "I sent 20 euros to Ada.")
    assert list(strategy_wishes(STACKING, standing(SENT), rng_seed=1)) == ["And without fees"]
    assert list(strategy_wishes(STACKING, standing(free), rng_seed=1)) == []


def test_a_sensible_user_neither_repeats_nor_contradicts_what_holds() -> None:
    free = ("Send 20 euros to Ada without fees", "I sent 20 euros to Ada.")
    assert not sensible("Without fees, please", standing(free))
    assert not sensible("Make it express", standing(free))
    assert not sensible("Please send 20 euros to Ada", standing(SENT))
    assert not sensible("Fees are fine", standing(SENT))
    assert sensible("Fees are fine", standing(free))
    assert sensible("Send 50 euros to Ada", standing(SENT))
