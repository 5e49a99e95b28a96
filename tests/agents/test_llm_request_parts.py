from __future__ import annotations

import pytest

from hairpin.agents.llm.request_parts import request_parts
from hairpin.domain.prompts import RolePrompt
from hairpin.errors import InvalidInputError


def prompt(request: str) -> RolePrompt:
    return RolePrompt(id="p", system="s", request=request)


def test_each_part_is_the_text_below_its_heading() -> None:
    found = request_parts(prompt("## One\n\n a\nb\n\n## Two words \nc"), ("One", "Two words"))
    assert found == {"One": "a\nb", "Two words": "c"}


@pytest.mark.parametrize(
    ("request_text", "message"),
    [
        ("## One\na\n## Thre\nb", "unknown part 'Thre'.*did you mean 'Three'"),
        ("## One\na", "the part 'Three' is missing"),
        ("## One\na\n## Three\n\n", "the part 'Three' is missing"),
        ("no heading", "the part 'One' is missing"),
    ],
)
def test_what_is_missing_or_unknown_is_named(request_text: str, message: str) -> None:
    with pytest.raises(InvalidInputError, match=message):
        request_parts(prompt(request_text), ("One", "Three"))
