"""How trials are played: whose words stand, who decides by which random seed, and what cannot be said again."""

from __future__ import annotations

import pytest

from hairpin.campaign.playing import trial_playing
from hairpin.domain.conversation import Exchange, Utterance
from hairpin.domain.outcome import Stop, StopReason
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.records import ConversationRecord, Outcome
from hairpin.domain.scoring import unjudged
from hairpin.domain.trials import Trial, TrialKind
from hairpin.domain.users import Context
from hairpin.errors import InvalidInputError

REJUDGE, REPLAY, _ = TrialKind
PLANNED = PlannedConversation(
    index=0,
    id="c0001",
    sut="ica",
    seed_phrase="Hi",
    persona="neutral",
    context=Context(),
    repeat=0,
    max_turns=4,
    rng_seed=11,
)


def source(n: int = 3, *, pending: str | None = None) -> ConversationRecord:
    stop = Stop(reason=StopReason.SUT_ERROR if pending else StopReason.TURNS_EXHAUSTED)
    exchanges = tuple(
        Exchange(
            t=t,
            user=f"u{t}",
            assistant=f"a{t}",
            strategy=f"s{t}" if t else None,
            latency_ms=100.0 + t,
            notes=("began late",) if t == 0 else (),
        )
        for t in range(n)
    )
    outcome = Outcome(stop=stop, judgement=unjudged(stop), pending_utterance=pending)
    return ConversationRecord(planned=PLANNED, exchanges=exchanges, outcome=outcome)


def a_trial(kind: TrialKind, *, from_turn: int = 0) -> Trial:
    return Trial(source="c0001", kind=kind, number=0, from_turn=from_turn)


def test_judging_again_keeps_words_strategies_latencies_and_the_judges_random_seed() -> None:
    playing = trial_playing(source(), a_trial(REJUDGE))
    assert playing.turns.written(1) == Utterance(text="u1", source="replayed", strategy="s1")
    assert [each.assistant for each in playing.standing] == ["a0", "a1", "a2"]
    assert (playing.latencies_ms, playing.rng_root) == ((100.0, 101.0, 102.0), 11)
    written = playing.turns.written(0)
    assert written is not None
    assert written.notes == ("began late",)


def test_a_replay_keeps_the_users_words_alone() -> None:
    playing = trial_playing(source(), a_trial(REPLAY))
    assert (playing.standing, playing.latencies_ms, playing.rng_root) == ((), (), 11)
    assert [playing.turns.written(t) for t in range(4)] == [
        *(Utterance(text=f"u{t}", source="replayed", strategy=f"s{t}" if t else None) for t in range(3)),
        None,
    ]


def test_a_replay_from_a_later_turn_lets_the_replies_before_it_stand() -> None:
    playing = trial_playing(source(), a_trial(REPLAY, from_turn=2))
    assert [each.assistant for each in playing.standing] == ["a0", "a1"]
    assert playing.turns.n_written == 3


def test_what_got_no_reply_is_said_again_where_the_assistant_answers_anew() -> None:
    """An error of the assistant is replayed with the utterance that it met."""
    broken = source(1, pending="and then?")
    assert trial_playing(broken, a_trial(REPLAY)).turns.replayed == ("u0", "and then?")
    assert trial_playing(broken, a_trial(REJUDGE)).turns.replayed == ("u0",)


@pytest.mark.parametrize(
    ("record", "trial", "says"),
    [
        (source(0), a_trial(REJUDGE), "nothing was said in it"),
        (source(0), a_trial(REPLAY), "nothing was said in it"),
        (source(2), a_trial(REPLAY, from_turn=2), "from turn 2: its user has 2 turns"),
    ],
)
def test_what_cannot_be_said_again_is_refused(record: ConversationRecord, trial: Trial, says: str) -> None:
    with pytest.raises(InvalidInputError, match=says):
        trial_playing(record, trial)
