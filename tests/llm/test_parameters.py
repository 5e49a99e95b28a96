"""Parameters that are Hairpin's own cannot be set by a user."""

from __future__ import annotations

import pytest

from hairpin.errors import InvalidInputError
from hairpin.llm.parameters import RESERVED_PARAMETERS, check_parameters


@pytest.mark.parametrize("name", sorted(RESERVED_PARAMETERS))
def test_what_hairpin_sets_is_refused_with_the_reason(name: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        check_parameters({"temperature": 0, name: 1}, where="models.simulator.parameters")
    assert str(caught.value).startswith(f"models.simulator.parameters: {name!r} cannot be set: ")


def test_the_output_cap_has_a_name_of_its_own() -> None:
    with pytest.raises(InvalidInputError, match="max_output_tokens"):
        check_parameters({"max_completion_tokens": 5})


def test_everything_else_may_be_set() -> None:
    check_parameters({"reasoning_effort": "low", "verbosity": "low", "top_p": 0.9, "seed": 1, "stop": ["x"]})
