"""The offline reviewer of simulated users."""

from __future__ import annotations

import pytest

from hairpin.agents.offline.simulator_reviewer import OfflineSimulatorReviewer
from hairpin.domain.briefs import ReviewBrief
from hairpin.domain.conversation import Exchange
from hairpin.domain.users import Context, Persona
from hairpin.ports import SimulatorReviewer

pytestmark = pytest.mark.anyio


def brief(*said: str) -> ReviewBrief:
    return ReviewBrief(
        seed_phrase=said[0],
        context=Context(),
        persona=Persona(id="neutral", title="Neutral", description="Plain."),
        exchanges=tuple(Exchange(t=t, user=text, assistant="It is done.") for t, text in enumerate(said)),
    )


async def test_it_says_what_it_found() -> None:
    reviewer: SimulatorReviewer = OfflineSimulatorReviewer()
    review = await reviewer.review(brief("Take me home", "How can I help you?"))
    assert review.spoiled
    assert review.reasoning == "turn 1: spoke as the assistant: “how can i help you”"


async def test_it_speaks_every_language_and_finds_nothing_in_an_honest_user() -> None:
    review = await OfflineSimulatorReviewer().review(brief("Fahr mich nach Hause", "Und ohne Maut bitte"))
    assert (review.spoiled, review.reasoning) == (False, "every turn may be a real user's")
