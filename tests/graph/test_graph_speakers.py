"""Who writes the user's turns."""

from __future__ import annotations

from hairpin.domain.conversation import Utterance, UtteranceSource
from hairpin.graph.speakers import UserTurns


def test_replayed_turns_come_before_scripted_ones() -> None:
    turns = UserTurns(replayed=("a",), scripted=("b",), simulated=False)
    assert turns.written(0) == Utterance(text="a", source=UtteranceSource.REPLAYED)
    assert turns.written(1) == Utterance(text="b", source=UtteranceSource.SCRIPTED)
    assert turns.written(2) is None


def test_a_prefix_is_followed_by_the_simulator() -> None:
    turns = UserTurns(replayed=("a", "b"))
    assert turns.is_scripted_after(0)
    assert not turns.is_scripted_after(1)
    assert not turns.has_more(1)


def test_without_the_simulator_the_user_stays_scripted_to_the_end() -> None:
    turns = UserTurns(scripted=("a",), simulated=False)
    assert turns.is_scripted_after(0)
    assert not turns.has_more(0)


def test_what_is_noted_of_a_replayed_conversation_stands_at_its_first_turn() -> None:
    turns = UserTurns(replayed=("a", "b"), simulated=False, notes=("ended by ###STOP###",))
    assert [utterance.notes for t in (0, 1) if (utterance := turns.written(t))] == [("ended by ###STOP###",), ()]


def test_a_stored_user_says_what_it_said_with_everything_that_was_known_of_it() -> None:
    said = (
        Utterance(text="a", source=UtteranceSource.SIMULATED, notes=("odd",), regenerations=2),
        Utterance(text="b", source=UtteranceSource.SIMULATED, strategy="probe"),
    )
    turns = UserTurns(stored=said, simulated=False)
    assert [turns.written(t) for t in range(3)] == [*said, None]
    assert (turns.n_written, turns.has_more(0), turns.has_more(1)) == (2, True, False)


def test_replayed_turns_keep_the_strategies_that_shaped_them() -> None:
    turns = UserTurns(replayed=("a", "b", "c"), simulated=False, strategies=(None, "recall"))
    written = [turns.written(t) for t in range(3)]
    assert [turn.strategy for turn in written if turn is not None] == [None, "recall", None]
