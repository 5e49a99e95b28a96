"""Which earlier requests to an assistant bear on a question."""

from __future__ import annotations

import pytest

from hairpin.agents.offline.earlier_requests import bearing_requests, is_request


@pytest.mark.parametrize(
    "text", ["Set the temperature to 20", "Could you play some jazz?", "Please call Anna.", "I am cold"]
)
def test_what_wants_something_done_is_a_request(text: str) -> None:
    assert is_request(text)


@pytest.mark.parametrize("text", ["How warm is it?", "Tell me about sharks.", "Is it late", "", "Can sharks fly?"])
def test_what_asks_for_words_is_none(text: str) -> None:
    assert not is_request(text)


@pytest.mark.parametrize(
    ("earlier", "question", "expected"),
    [
        (["Set the temperature to 20."], "How warm is it?", ["set the temperature to 20"]),
        (["Play some jazz"], "How warm is it?", []),
        (["Play some jazz"], "What is playing?", ["play some jazz"]),
        (["Set the heating to 20", "Set the heating to 22"], "How warm is it?", ["set the heating to 22"]),
        (["Turn the fan on", "Turn the fan off"], "Is the fan on?", ["turn the fan off"]),
        (
            ["Raise the temperature by 2", "Raise the temperature by 2"],
            "How hot is it?",
            ["raise the temperature by 2"] * 2,
        ),
        (["Set the left temperature to 20", "Set the right temperature to 22"], "How warm is it?", 2),
        (["Take me to the airport"], "Where are we going?", ["take me to the airport"]),
        (["Take me to the airport"], "When will we arrive?", ["take me to the airport"]),
        (["Go on", "Listen to me"], "Where are we going?", []),
        (["How warm is it?"], "How warm is it?", []),
        (["Set the temperature to 20"], "Set the temperature to 22", []),
    ],
)
def test_requests_bear_on_what_they_share_words_with(
    earlier: list[str], question: str, expected: list[str] | int
) -> None:
    found = bearing_requests(question, earlier)
    assert len(found) == expected if isinstance(expected, int) else list(found) == expected
