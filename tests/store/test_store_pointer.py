"""``store.json``: says which run of which database, and never the password."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hairpin.errors import InvalidInputError, StoreError
from hairpin.store.pointer import StorePointer, read_pointer, target_of, write_pointer
from hairpin.store.target import StoreTarget


def password(pointer: StorePointer, store: str) -> str | None:
    url = target_of(pointer, {"HAIRPIN_STORE": store}, where=Path("store.json")).url
    assert url is not None
    return None if url.password is None else str(url.password)


def test_what_is_written_is_read_and_has_no_password(tmp_path: Path) -> None:
    path = tmp_path / "store.json"
    write_pointer(path, StoreTarget.parse("postgresql://me:hush@h/d?sslmode=require"), "r1")
    assert json.loads(path.read_text()) == {
        "version": 1,
        "url": "postgresql://me@h/d?sslmode=require",
        "run_id": "r1",
    }
    assert read_pointer(path) == StorePointer(url="postgresql://me@h/d?sslmode=require", run_id="r1")


@pytest.mark.parametrize(
    ("store", "expected"),
    [
        ("postgresql://me:hush@h/d", "hush"),
        ("postgresql://other:hush@h:5432/d", "hush"),
        ("postgresql://me:hush@elsewhere/d", None),
        ("", None),
    ],
)
def test_the_password_comes_from_the_environment_if_it_names_the_same_database(
    store: str, expected: str | None
) -> None:
    """That of another database is never sent to this one."""
    assert password(StorePointer(url="postgresql://me@h/d", run_id="r1"), store) == expected


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "does not say where the run is stored"),
        ("[]", "does not say where the run is stored"),
        ('{"url": "postgresql://h/d"}', "does not say where the run is stored"),
        ('{"url": "postgresql://h/d", "run_id": "r1", "version": 9}', "of version 9, this Hairpin reads version 1"),
    ],
)
def test_what_says_something_else_is_refused(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "store.json"
    path.write_text(content)
    with pytest.raises(StoreError, match=rf"store\.json: {message}"):
        read_pointer(path)


def test_what_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"store\.json: cannot be read: No such file"):
        read_pointer(tmp_path / "store.json")


@pytest.mark.parametrize("url", ["", "file:///tmp", "postgresql://h"])
def test_an_address_that_is_none_is_refused_naming_the_file(url: str) -> None:
    with pytest.raises(InvalidInputError, match=r"^store\.json: "):
        target_of(StorePointer(url=url, run_id="r1"), {}, where=Path("store.json"))
