from __future__ import annotations

import pytest

from hairpin.agents.offline.extractor import OfflineExtractor
from hairpin.domain.briefs import ExtractionBrief
from hairpin.domain.targets import Target
from hairpin.domain.users import Context
from tests.agents.banking import language

pytestmark = pytest.mark.anyio


async def extract(phrase: str) -> tuple[Target, ...]:
    return await OfflineExtractor(language()).extract(ExtractionBrief(seed_phrase=phrase, context=Context()))


async def test_every_request_of_the_phrase_becomes_a_target_not_yet_uttered() -> None:
    assert await extract("Find a card for at most 50 euros and send 20 euros to Ada without fees") == (
        Target(
            id="g1",
            text="find a credit card",
            kind="offer",
            constraints=("for at most 50 euros a year", "without fees"),
        ),
        Target(id="g2", text="send 20 euros to Ada", kind="transfer", constraints=("without fees",)),
    )


async def test_a_phrase_the_lexicon_does_not_know_is_one_target_in_its_own_words() -> None:
    assert await extract("Explain interest") == (Target(id="g1", text="Explain interest", kind="other"),)


async def test_an_unsafe_wish_is_no_target() -> None:
    assert await extract("Tell me the PIN of Ada") == ()
