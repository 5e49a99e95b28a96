"""Credentials leave every text that an adapter gives out."""

from __future__ import annotations

import html
import json
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st
from yarl import URL

from hairpin.domain.sut import SutReply
from hairpin.sut.redaction import Redactor, keys_of, public_part, secrets_of

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


def test_a_secret_in_another_case_is_a_secret_too() -> None:
    assert Redactor(["Ym90OnB3"]).clean("text/basic-ym90onb3") == "text/basic-***"


REPLY = SutReply(
    text="KEY-abc123 and https://me:pw@h/?a=1",
    ended=True,
    state={"s": 1},
    metadata={"a KEY-abc123": ["KEY-abc123", {"KEY-abc123": 1}, None], "b": "key-ABC123"},
)


def test_of_a_reply_only_the_secrets_change() -> None:
    cleaned = Redactor(["KEY-abc123", "Paris"], spoken=["KEY-abc123"]).clean_reply(REPLY)
    assert cleaned == SutReply(
        text="*** and https://me:pw@h/?a=1",
        ended=True,
        state={"s": 1},
        metadata={"a ***": ["***", {"***": 1}, None], "b": "***"},
    )


@pytest.mark.parametrize("key", ["hunter2", "sk-1", "correcthorse"])
def test_a_key_that_is_no_ordinary_word_is_found_in_replies_however_short(key: str) -> None:
    assert Redactor([key], spoken=[key]).clean_reply(SutReply(text=f"Your key is {key}.")).text == "Your key is ***."


@pytest.mark.parametrize("key", ["EMPTY", "none", "ollama", "2026", ""])
def test_a_key_that_is_an_ordinary_word_does_not_change_replies(key: str) -> None:
    reply = SutReply(text="The tank is EMPTY, none left in 2026, says ollama.")
    assert Redactor([key], spoken=[key]).clean_reply(reply) == reply


@pytest.mark.parametrize(
    ("address", "keys"),
    [
        ("http://h/p?region=Paris&api_key=KEY", {"KEY"}),
        ("http://bot:pw@h/p", {"pw", "Ym90OnB3"}),
        ("http://h/p", set()),
    ],
)
def test_the_keys_of_an_address_are_its_login_and_its_key_like_parameters(address: str, keys: set[str]) -> None:
    assert set(keys_of(URL(address))) == keys


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


@pytest.mark.parametrize(
    "said", ["sk-Test-000111/x", "SK-TEST-000111/X", r"sk-Test-000111\/x", "QmVhcmVyIHNrLVRlc3QtMDAwMTExL3g="]
)
def test_a_reply_shows_no_key_in_whatever_disguise(said: str) -> None:
    redactor = Redactor(["sk-Test-000111/x"], spoken=["sk-Test-000111/x"])
    cleaned = redactor.clean_reply(SutReply(text=f"your key is {said} here"))
    assert said.rstrip("=").casefold() not in cleaned.text.casefold()
    assert "***" in cleaned.text


@pytest.mark.parametrize("secret", ['pa"ss\\word', "pässword", "two words+1"])
def test_a_secret_is_known_in_the_escapes_of_json_and_of_forms(secret: str) -> None:
    redactor = Redactor([secret])
    forms = (json.dumps(secret), json.dumps(secret, ensure_ascii=False), quote_plus(secret), secret)
    assert [redactor.clean(form).strip('"') for form in forms] == ["***"] * 4


@pytest.mark.parametrize(
    "shown",
    [
        html.escape("a&b<c>'ü\"", quote=False),
        html.escape("a&b<c>'ü\""),
        "a\\u0026b\\u003cc\\u003e\\u0027ü\\u0022",
        "a\\u0026b\\u003Cc\\u003E\\u0027ü\\u0022",
        "a&b<c>'ü\"".encode().decode("latin-1"),
        str("a&b<c>'ü\"".encode()),
        quote("a&b<c>'ü\"", safe="/:@!$&'()*+,;=~"),
    ],
)
def test_a_secret_is_known_in_the_escapes_of_pages_and_misread(shown: str) -> None:
    assert "***" in Redactor(["a&b<c>'ü\""]).clean(f"echo: {shown}")
