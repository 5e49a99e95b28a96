from __future__ import annotations

import pytest

from hairpin.agents.llm.languages import language_name


@pytest.mark.parametrize(
    ("tag", "name"), [("en", "English"), ("DE", "German"), ("de-AT", "German (de-AT)"), ("tlh", "tlh")]
)
def test_languages_are_called_by_their_names(tag: str, name: str) -> None:
    assert language_name(tag) == name
