"""What holds of seeded faults in every conversation, with all of them on."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from hairpin.domain.sut_spec import FaultSpec
from hairpin.testbed.faults.conditions import CONDITIONS
from hairpin.testbed.faults.provocations import PROVOCATIONS
from hairpin.testbed.faults.seeded import FAULTS
from tests.testbed.talking import hold

SAID = sorted({utterance for p in PROVOCATIONS for utterance in (*p.provoking, *p.harmless)})
MORE = ("Thanks", "blub", "The second one", "Skip it", "Never mind", "Cancel the route", "The one in Pasing", "")
conversations = st.lists(st.sampled_from([*SAID, *MORE]), min_size=1, max_size=8)
seeds = st.integers(0, 2**62)


@st.composite
def fault_sets(draw: st.DrawFn) -> tuple[FaultSpec, ...]:
    chosen = draw(st.sets(st.sampled_from([fault.id for fault in FAULTS])))
    return tuple(
        FaultSpec(
            id=fault,
            after=draw(st.integers(0, 3)),
            probability=draw(st.sampled_from([0.3, 0.7, 1.0])),
            when=tuple(draw(st.lists(st.sampled_from(sorted(CONDITIONS)), max_size=1))),
        )
        for fault in sorted(chosen)
    )


@given(conversations, seeds)
def test_all_faults_together_never_break_the_assistant_and_log_what_exists(said: Sequence[str], rng_seed: int) -> None:
    talk = hold(*said, faults=[fault.id for fault in FAULTS], rng_seed=rng_seed)
    assert all(talk.replies)
    assert all(0 <= strike.t < len(said) for strike in talk.strikes)
    assert [strike.t for strike in talk.strikes] == sorted(strike.t for strike in talk.strikes)
    assert len(set(talk.strikes)) == len(talk.strikes)


@given(conversations, fault_sets(), seeds)
def test_the_same_random_seed_gives_the_same_strikes_and_states(
    said: Sequence[str], faults: tuple[FaultSpec, ...], rng_seed: int
) -> None:
    once, again = (hold(*said, faults=faults, rng_seed=rng_seed) for _ in range(2))
    assert (once, once.states) == (again, again.states)


@given(conversations, fault_sets(), seeds)
def test_faults_that_never_strike_change_no_byte(
    said: Sequence[str], faults: tuple[FaultSpec, ...], rng_seed: int
) -> None:
    never = [spec.model_copy(update={"probability": 0.0}) for spec in faults]
    faulty, clean = hold(*said, faults=never, rng_seed=rng_seed), hold(*said, rng_seed=rng_seed)
    assert faulty.strikes == ()
    assert (faulty.replies, faulty.states) == (clean.replies, clean.states)


@given(conversations, fault_sets(), seeds)
def test_a_conversation_without_a_strike_is_a_conversation_without_faults(
    said: Sequence[str], faults: tuple[FaultSpec, ...], rng_seed: int
) -> None:
    """Whatever a fault does is in the log: up to the first strike replies and states are those of a clean assistant."""
    faulty, clean = hold(*said, faults=faults, rng_seed=rng_seed), hold(*said, rng_seed=rng_seed)
    first = min((strike.t for strike in faulty.strikes), default=len(said))
    assert (faulty.replies[:first], faulty.states[:first]) == (clean.replies[:first], clean.states[:first])


@given(conversations, fault_sets(), seeds, st.data())
def test_a_session_rebuilt_from_a_history_goes_on_like_the_one_that_lived_through_it(
    said: Sequence[str], faults: tuple[FaultSpec, ...], rng_seed: int, data: st.DataObject
) -> None:
    live = hold(*said, faults=faults, rng_seed=rng_seed)
    t = data.draw(st.integers(0, len(said) - 1))
    resumed = hold(*said[t:], faults=faults, rng_seed=rng_seed, history=live.history(said[:t]))
    assert (resumed.replies, resumed.states) == (live.replies[t:], live.states[t:])
    assert resumed.strikes == tuple(strike for strike in live.strikes if strike.t >= t)
