from __future__ import annotations

from itertools import pairwise

import pytest

from hairpin.agents.offline.simulator import OfflineSimulator
from hairpin.domain.briefs import SpeakBrief
from hairpin.domain.conversation import Utterance, normalise
from hairpin.domain.strategies import Strategy
from hairpin.domain.targets import Target, TargetStatus
from hairpin.domain.users import Context
from tests.agents.banking import BUNDLING, NEUTRAL, STACKING, history, reader

pytestmark = pytest.mark.anyio
SEED_PHRASE = "send 20 euros to Ada"
SENT = ("Send 20 euros to Ada.", "I sent 20 euros to Ada.")


async def speak(
    *pairs: tuple[str, str],
    strategy: Strategy | None = None,
    targets: tuple[Target, ...] = (),
    seed_phrase: str = SEED_PHRASE,
    rng_seed: int = 1,
) -> Utterance:
    brief = SpeakBrief(
        t=len(pairs),
        max_turns=8,
        seed_phrase=seed_phrase,
        context=Context(location="Secretville"),
        persona=NEUTRAL,
        history=history(*pairs),
        targets=targets,
        strategy=strategy,
        rng_seed=rng_seed,
    )
    return await OfflineSimulator(reader()).speak(brief)


async def test_the_first_utterance_is_the_seed_phrase_whatever_the_strategy() -> None:
    said = await speak(strategy=BUNDLING)
    assert (said.text, said.strategy) == ("Send 20 euros to Ada.", None)


async def test_a_strategy_that_fits_is_followed_and_named() -> None:
    said = await speak(SENT, strategy=STACKING)
    assert (said.text, said.strategy) == ("And without fees.", "stacking")


async def test_a_strategy_that_does_not_fit_is_left_aside() -> None:
    said = await speak(("Hello", "Hello."), strategy=STACKING)
    assert said.strategy is None


async def test_a_question_is_answered_with_one_of_its_options() -> None:
    asked = ("Send 20 euros to Alex.", "Do you mean Alex Young or Alex Old?")
    answers = {(await speak(asked, rng_seed=seed)).text for seed in range(20)}
    assert answers == {"I mean Alex Young.", "I mean Alex Old."}


async def test_a_wish_not_yet_uttered_comes_before_the_rest() -> None:
    card = Target(id="g2", text="find a credit card", kind="offer")
    assert (await speak(SENT, targets=(card,))).text == "Find a credit card."


async def test_an_ignored_wish_is_asked_for_again_in_other_words() -> None:
    ignored = ("Send 20 euros to Ada.", "Nice weather.")
    assert (await speak(ignored)).text in {"Transfer 20 euros to Ada.", "Pay 20 euros to Ada."}


async def test_a_condition_that_cannot_be_met_is_given_up() -> None:
    blocked = ("Send 20 euros to Ada without fees.", "There is no way without fees.")
    assert (await speak(blocked)).text == "Fees are fine after all."


async def test_a_user_who_waits_for_nothing_keeps_the_conversation_going() -> None:
    said = await speak(SENT)
    assert said.text in {"What is my balance?", "How long does a transfer take?"}


async def test_nothing_of_the_brief_but_wishes_reaches_the_utterance() -> None:
    done = Target(id="g1", text="send 20 euros to Ada", kind="transfer", status=TargetStatus.COMPLETED, introduced=0)
    for rng_seed in range(10):
        said = (await speak(SENT, strategy=BUNDLING, targets=(done,), rng_seed=rng_seed)).text
        assert "secret" not in said.casefold()
        assert "{" not in said


async def test_it_never_says_the_same_twice_in_a_row_nor_nothing_even_to_a_mute_assistant() -> None:
    said: list[tuple[str, str]] = []
    for _ in range(40):
        said.append(((await speak(*said)).text, ""))
    texts = [normalise(text) for text, _ in said]
    assert all(texts)
    assert all(one != following for one, following in pairwise(texts))


async def test_the_same_brief_gives_the_same_utterance() -> None:
    assert await speak(SENT, strategy=BUNDLING) == await speak(SENT, strategy=BUNDLING)


async def test_a_seed_phrase_beyond_the_lexicon_is_asked_for_again() -> None:
    strange = ("Please explain compound interest.", "Nice weather.")
    said = await speak(strange, seed_phrase="please explain compound interest")
    assert "compound interest" in said.text
