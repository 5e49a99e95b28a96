"""Addresses of databases: read in every usual form, shown without a password."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import make_url

from hairpin.errors import InvalidInputError
from hairpin.store.target import StoreTarget

SECRET = "p%40ss%2Fword"


@pytest.mark.parametrize("text", [None, ""])
def test_nothing_means_a_file(text: str | None) -> None:
    target = StoreTarget.parse(text)
    assert (target.url, target.address) == (None, "")


@pytest.mark.parametrize("scheme", ["postgresql", "postgres", "postgresql+psycopg"])
def test_a_database_is_read_whatever_its_scheme_is_called(scheme: str) -> None:
    target = StoreTarget.parse(f"{scheme}://me:{SECRET}@db.example:5433/runs")
    assert target.url is not None
    assert (target.url.drivername, target.url.password) == ("postgresql+psycopg", "p@ss/word")
    assert target.address == "postgresql://me@db.example:5433/runs"


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("postgresql://h/d?password=hush&sslmode=require", "postgresql://h/d?sslmode=require"),
        ("postgresql://me:hush@/d?host=/run/pg&sslpassword=hush", "postgresql://me@/d?host=/run/pg"),
        ("postgresql://m%40e:hush@[::1]/d", "postgresql://m%40e@[::1]/d"),
    ],
)
def test_secrets_are_left_out_wherever_they_stand(text: str, address: str) -> None:
    target = StoreTarget.parse(text)
    assert target.address.replace("%2F", "/") == address
    assert "hush" not in repr(target)


def test_secrets_are_known_so_that_others_can_keep_them_back() -> None:
    url = "postgresql://me:p%40ss@h/d?sslpassword=hush&password=again&sslmode=require"
    assert set(StoreTarget.parse(url).secrets) == {"p@ss", "hush", "again"}
    assert StoreTarget.parse("").secrets == StoreTarget.parse("postgresql://h/d").secrets == ()


@given(st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=8))
def test_no_password_is_ever_shown(password: str) -> None:
    written = make_url("postgresql://me@db/runs").set(password=password).render_as_string(hide_password=False)
    target = StoreTarget.parse(written)
    assert target.url is not None
    assert str(target.url.password) == password
    assert target.address == "postgresql://me@db/runs"
    assert StoreTarget.parse(target.address).same_database(target)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("mysql://me:hush@db/runs", "not the address of a PostgreSQL database"),
        ("hush", "not the address of a PostgreSQL database"),
        ("postgresql://me:hush@db", "the address names no database"),
        ("postgresql://me:hush@db:hush/runs", "the address cannot be read"),
        ("postgresql://", "the address names no database"),
        ("postgresql://me:hu@sh/pw@db/runs", "the address cannot be read: it has more than one @"),
    ],
)
def test_what_is_no_address_is_refused_without_repeating_it(text: str, says: str) -> None:
    with pytest.raises(InvalidInputError, match=f"HAIRPIN_STORE: {says}; write postgresql://user") as caught:
        StoreTarget.parse(text)
    assert "hush" not in str(caught.value)
    assert caught.value.__cause__ is None


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("postgresql://a:x@h/d", "postgresql://b@h:5432/d", True),
        ("postgresql:///d?host=/run", "postgresql://me@/d?host=/run&sslmode=disable", True),
        ("postgresql://h/d", "postgresql://h/e", False),
        ("postgresql://h/d", "postgresql://g/d", False),
        ("postgresql://h/d", "postgresql://h:5433/d", False),
        ("postgresql://h/d", "", False),
    ],
)
def test_one_database_is_one_whoever_logs_in(one: str, other: str, same: bool) -> None:
    assert StoreTarget.parse(one).same_database(StoreTarget.parse(other)) is same
    assert StoreTarget.parse(other).same_database(StoreTarget.parse(one)) is same


def test_the_environment_names_the_database() -> None:
    assert StoreTarget.of_environment({"HAIRPIN_STORE": "postgresql://h/d"}).address == "postgresql://h/d"
    assert StoreTarget.of_environment({}).url is None
