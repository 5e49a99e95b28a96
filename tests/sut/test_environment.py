"""Environment variables that templates name."""

from __future__ import annotations

import pytest
from pydantic import JsonValue

from hairpin.errors import UserError
from hairpin.sut.environment import environment_values, variables_named

TEMPLATES: list[JsonValue] = ["x {env.A}", {"k {env.B}": [1, "{env.A} {utterance}"]}, None]


def test_every_variable_is_found_once_in_texts_keys_and_lists() -> None:
    assert variables_named(TEMPLATES) == ("A", "B")


def test_values_come_from_the_environment_without_outer_space() -> None:
    assert environment_values(TEMPLATES, {"A": " a\n", "B": "b", "C": "c"}, where="it") == {"A": "a", "B": "b"}


@pytest.mark.parametrize(
    ("environ", "said"),
    [
        ({}, "environment variables A and B are not set; the configuration of it asks for it"),
        ({"A": "a", "B": "  "}, "environment variable B is not set"),
    ],
)
def test_what_is_missing_or_empty_is_named(environ: dict[str, str], said: str) -> None:
    with pytest.raises(UserError) as caught:
        environment_values(TEMPLATES, environ, where="it")
    assert said in str(caught.value)
