"""Which words of a text are the assistant's."""

from __future__ import annotations

import pytest

from hairpin.agents.llm.role_slips import role_slips


@pytest.mark.parametrize(
    ("plain", "slips"),
    [
        ("where is it?", ()),
        ("how can i help you?", ("how can i help you",)),
        ("i'm sorry to hear that.", ()),
        ("i'm sorry to hear that. you're welcome.", ("i'm sorry to hear", "you're welcome")),
        ("please tell me your case number.", ()),
        ("text my mum: how can i help you?", ()),
        ("text my mum. how can i help you?", ("how can i help you",)),
    ],
)
def test_one_clear_sign_or_two_faint_ones_make_a_slip(plain: str, slips: tuple[str, ...]) -> None:
    assert role_slips(plain) == slips
