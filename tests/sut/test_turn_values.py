from __future__ import annotations

from hairpin.domain.conversation import Exchange
from hairpin.domain.sut import SessionStart
from hairpin.domain.users import Context
from hairpin.sut.turn_values import SESSION_PLACEHOLDERS, TURN_PLACEHOLDERS, session_values, turn_values

EARLIER = Exchange(t=0, user="Hi", assistant="Hello")


def test_a_turn_knows_the_session_the_history_and_itself() -> None:
    start = SessionStart(conversation_id="c1", context=Context(location="Munich"), rng_seed=7, history=(EARLIER,))
    session = session_values(start, session_id="s9")
    turn = turn_values(session, [EARLIER], "And now?")
    said = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]
    assert session["history"] == said
    assert turn["messages"] == [*said, {"role": "user", "content": "And now?"}]
    assert (turn["t"], turn["utterance"], turn["turn_id"], turn["rng_seed"]) == (1, "And now?", "s9/1", 7)
    assert turn["context"] == {
        "location": "Munich",
        "date": None,
        "time": None,
        "vehicle": {},
        "reference_text": None,
    }


def test_what_may_be_written_is_what_there_is() -> None:
    session = session_values(SessionStart(conversation_id="c1"), session_id="s")
    assert set(session) == set(SESSION_PLACEHOLDERS) - {"env"}
    assert set(turn_values(session, (), "Hi")) == set(TURN_PLACEHOLDERS) - {"env"}
