"""Credentials leave every text that an adapter gives out."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from yarl import URL

from hairpin.sut.redaction import Redactor, public_part, secrets_of

SECRETS = st.text(st.characters(codec="utf-8", exclude_characters="*"), min_size=3, max_size=40)


@given(SECRETS, st.text(), st.text())
def test_a_secret_is_found_wherever_it_stands(secret: str, before: str, after: str) -> None:
    assert secret not in Redactor([secret]).clean(before + secret + after)


@given(SECRETS)
def test_a_secret_is_found_in_the_form_of_an_address_too(secret: str) -> None:
    assert Redactor([secret]).clean(f"key={quote(secret, safe='')}.") == "key=***."


def test_of_a_secret_that_holds_another_nothing_is_left() -> None:
    assert Redactor(["abc", "abcdef"]).clean("abcdef abc") == "*** ***"


def test_text_without_secrets_is_left_as_it_is() -> None:
    assert Redactor(["abc", "", "x"]).clean("a box of wax") == "a box of wax"


@pytest.mark.parametrize(
    ("address", "secrets"),
    [
        ("http://h/p", set()),
        ("http://h/p?api-version=2024-02-01", set()),
        ("http://h/p?code=KEY", {"KEY"}),
        ("http://bot:pw@h/p", {"pw", "Ym90OnB3"}),
        ("http://token@h/p", {"token", "dG9rZW46"}),
    ],
)
def test_the_secrets_of_an_address(address: str, secrets: set[str]) -> None:
    assert set(secrets_of(URL(address))) == secrets
    assert public_part(URL(address)) == "http://h/p"


def test_a_redactor_shows_nothing_of_what_it_knows() -> None:
    assert "s3cret" not in repr(Redactor(["s3cret"]))
