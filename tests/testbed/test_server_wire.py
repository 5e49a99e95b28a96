"""What travels between clients and servers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.testbed.server.problems import RequestProblem
from hairpin.testbed.server.wire import SpokenMessage, exchanges, pieces


@given(st.text())
def test_pieces_of_a_text_make_the_text_and_each_has_words(text: str) -> None:
    found = pieces(text)
    assert "".join(found) == text
    assert all(found)


def said(*lines: str) -> list[SpokenMessage]:
    return [
        SpokenMessage.model_validate({"role": "user" if line.startswith("u") else "assistant", "content": line})
        for line in lines
    ]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ((), []),
        (("u1", "a1", "u2", "a2"), [("u1", "a1"), ("u2", "a2")]),
        (("u1", "u2", "a2"), [("u1", ""), ("u2", "a2")]),
        (("u1", "a1", "a2"), [("u1", "a1\na2")]),
    ],
)
def test_messages_become_exchanges(lines: tuple[str, ...], expected: list[tuple[str, str]]) -> None:
    found = exchanges(said(*lines), where="history")
    assert [(e.user, e.assistant) for e in found] == expected
    assert [e.t for e in found] == list(range(len(found)))


def test_an_answer_before_the_first_question_is_refused() -> None:
    with pytest.raises(RequestProblem, match=r"history\.0: an answer comes before"):
        exchanges(said("a1", "u1"), where="history")
