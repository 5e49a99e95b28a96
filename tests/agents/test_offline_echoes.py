from __future__ import annotations

import pytest

from hairpin.agents.offline.echoes import Heard
from tests.agents.banking import language

SAID = "Hello there. Send 20 euros to Ada! What is my balance?"


@pytest.mark.parametrize(
    ("sentence", "rest"),
    [
        ("Done: send 20 euros to Ada.", "done:"),
        ("OK, what is your balance?", "ok,"),
        ("What is your balance is 50.", None),
        ("Send 20 euros to Ada with a number like 7.", None),
        ("Send 20 euros to Ada, as far as I can tell from here.", None),
        ("I sent it.", None),
        ("Hello there.", None),
    ],
)
def test_what_stands_around_a_wish_of_the_user_is_found_when_it_is_little(sentence: str, rest: str | None) -> None:
    found = Heard(SAID, language()).around(sentence)
    assert (found.strip() if found is not None else None) == rest


def test_a_request_said_back_word_for_word_is_an_echo_and_a_greeting_is_none() -> None:
    heard = Heard(SAID, language())
    assert heard.echoed_in("Send 20 euros to Ada.")
    assert not heard.echoed_in("Hello there.")
    assert not heard.echoed_in("Send 50 euros to Ada.")
