from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hairpin.agents.offline.style import Manner, dressed
from hairpin.domain.users import Persona
from tests.agents.banking import NEUTRAL

BLUNT = Persona(id="blunt", title="Blunt", description="?", style={"ask": ("Now. {text}", "{text} Quick!")})


def test_without_a_phrase_a_sentence_is_only_made_whole() -> None:
    assert dressed("send it", Manner.ASK, NEUTRAL, rng_seed=1, t=0) == "Send it."
    assert dressed("why?", Manner.ASK, NEUTRAL, rng_seed=1, t=0) == "Why?"


def test_a_persona_wraps_the_sentence_and_varies_it() -> None:
    found = {dressed("send it", Manner.ASK, BLUNT, rng_seed=1, t=t) for t in range(20)}
    assert found == {"Now. Send it.", "Send it. Quick!"}


@given(st.sampled_from(Manner), st.integers(), st.integers(min_value=0, max_value=99))
def test_what_is_said_stays_whole(manner: Manner, rng_seed: int, t: int) -> None:
    assert "Send 20 euros." in dressed("Send 20 euros.", manner, BLUNT, rng_seed=rng_seed, t=t)
