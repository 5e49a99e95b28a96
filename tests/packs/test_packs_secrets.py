"""Credentials taken out of texts and addresses."""

from __future__ import annotations

import pytest
from pydantic import JsonValue

from hairpin.packs.secrets import is_secret_name, mask_urls, secret_within, strip_url, without_secrets


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("http://bot:PW@h:9/c?api_key=K&v=1", "http://h:9/c?api_key=***&v=1"),
        ("see https://PW@h/x and ws://a:b@i?token=K.", "see https://h/x and ws://i?token=***"),
        ("user@example.org asks key=1", "user@example.org asks key=1"),
        ("http://h/x@y", "http://h/x@y"),
    ],
)
def test_addresses_keep_host_and_path_alone(text: str, masked: str) -> None:
    assert mask_urls(text) == masked


def test_an_address_is_stripped_of_what_may_be_a_credential() -> None:
    assert strip_url("http://bot:PW@h:9/c?api_key=K&v=1#PW") == "http://h:9/c?v=1"
    assert strip_url("http://h/v1") == "http://h/v1"


@pytest.mark.parametrize(
    "name", ["api_key", "apikey", "API-KEY", "X-Api-Key", "key", "access_token", "Authorization", "sig"]
)
def test_names_of_credentials_are_known(name: str) -> None:
    assert is_secret_name(name)


@pytest.mark.parametrize("name", ["max_tokens", "max_completion_tokens", "temperature", "keyword", "monkey", "seed"])
def test_ordinary_names_are_none(name: str) -> None:
    assert not is_secret_name(name)


def test_credentials_are_found_and_taken_out_at_any_depth() -> None:
    parameters: dict[str, JsonValue] = {"seed": 1, "extra": [{"id": "web"}, {"X-Api-Key": "K", "n": 1}], "token": None}
    assert secret_within(parameters) == ("extra", 1, "X-Api-Key")
    assert without_secrets(parameters) == {"seed": 1, "extra": [{"id": "web"}, {"n": 1}]}
    assert secret_within({"token": None}) == ("token",)


def test_a_schema_may_describe_a_field_called_like_a_credential() -> None:
    schema: dict[str, JsonValue] = {"schema": {"properties": {"token": {"type": "string"}}}}
    assert secret_within(schema) is None
    assert without_secrets(schema) == schema
