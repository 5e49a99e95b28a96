"""Files as models: what the model asks for decides how a value is read, and every problem names its line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field

from hairpin.errors import InvalidInputError
from hairpin.packs.file_model import FileModel
from hairpin.packs.problems import SeveralProblemsError
from hairpin.packs.yaml_source import load_document, load_model


class Inner(FileModel):
    text: str = ""


class Sample(FileModel):
    text: str = ""
    maybe: str | None = None
    texts: tuple[str, ...] = ()
    strict: bool = False
    count: int = 0
    share: float = Field(default=0.0, ge=0, le=1)
    colour: Literal["red", "green"] = "red"
    by_name: Mapping[str, Inner] = Field(default_factory=dict)
    anything: Mapping[str, str | int | float | bool] = Field(default_factory=dict)


def sample(text: str) -> Sample:
    return load_model(text.encode(), "f.yaml", Sample)


def outcome(data: bytes) -> Sample | InvalidInputError:
    try:
        return load_model(data, "f.yaml", Sample)
    except InvalidInputError as error:
        return error


def refused(text: str) -> str:
    with pytest.raises(InvalidInputError) as caught:
        sample(text)
    return str(caught.value)


@pytest.mark.parametrize(
    "text", ["yes", "no", "on", "off", "y", "true", "False", "1.10", "007", "0x1F", "1e3", ".inf", "17:40"]
)
def test_a_text_field_keeps_the_written_text(text: str) -> None:
    loaded = sample(f"text: {text}\ntexts: [{text}, '{text}']\nmaybe: {text}\nby_name: {{{text}: {{text: {text}}}}}\n")
    assert loaded == Sample(text=text, texts=(text, text), maybe=text, by_name={text: Inner(text=text)})


@pytest.mark.parametrize("text", ["null", "~", "Null"])
def test_null_is_no_text_and_quoting_is_the_way_out(text: str) -> None:
    assert refused(f"texts:\n  - a\n  - {text}\n") == (
        f'f.yaml:3: texts[1] must be a text, not empty ({text}); give a value, or quote it ("{text}") if this text is'
        " meant, or leave the key out"
    )
    assert sample(f"texts: ['{text}']").texts == (text,)
    assert sample(f"maybe: {text}").maybe is None


def test_a_key_without_a_value_is_told_from_a_blank_text() -> None:
    assert refused("count: 1\ntext:\nstrict: true\n").startswith(
        "f.yaml:2: text must be a text, not empty; give a value"
    )
    assert sample("text: ''").text == ""


@pytest.mark.parametrize("text", ['"false"', '"true"', "no", "yes", "0", "1"])
def test_only_true_and_false_are_boolean(text: str) -> None:
    """A quoted or old-style false must never become true."""
    shown = text.replace('"', "'") if text[0] == '"' else f"'{text}'" if text.isalpha() else text
    assert refused(f"strict: {text}") == (
        f"f.yaml:1: strict must be true or false, not {shown}; write true or false without quotes"
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("count: '3'", "f.yaml:1: count must be a whole number, not '3'; write a whole number without quotes"),
        ("count: 1.5", "f.yaml:1: count must be a whole number, not 1.5; write a whole number without quotes"),
        ("count: true", "f.yaml:1: count must be a whole number, not true; write a whole number without quotes"),
        ("share: 1.5", "f.yaml:1: share must be at most 1, not 1.5; write a number at most 1"),
        ("share: -.inf", "f.yaml:1: share must be a finite number, not -.inf; write an ordinary number"),
        ("share: .nan", "f.yaml:1: share must be a finite number, not .nan; write an ordinary number"),
        ("colour: gren", "f.yaml:1: colour must be 'red' or 'green', not 'gren'; did you mean 'green'?"),
        ("texts: a", "f.yaml:1: texts must be a list, not 'a'; write a list: [a, b], or one '- ' per line"),
        ("by_name: [a]", "f.yaml:1: by_name must be a mapping, not a list; write 'key: value' lines"),
        ("text: {a: b}", "f.yaml:1: text must be a text, not a mapping; write a text"),
        ("- a", "f.yaml:1: the file must be a mapping, not a list; write 'key: value' lines"),
        ("hello", "f.yaml:1: the file must be a mapping, not 'hello'; write 'key: value' lines"),
        ("textt: a", "f.yaml:1: unknown key 'textt'; did you mean 'text'?"),
        ("by_name:\n  a:\n    txt: b", "f.yaml:3: unknown key 'txt' in by_name.a; did you mean 'text'?"),
        (
            "anything:\n  a: [1]",
            "f.yaml:2: anything.a must be a text or a whole number or a number or true or false, not a list;"
            " write a text",
        ),
    ],
)
def test_a_wrong_value_is_named_with_the_way_out(text: str, said: str) -> None:
    assert refused(text) == said


def test_all_problems_of_a_file_are_said_at_once_by_line() -> None:
    with pytest.raises(SeveralProblemsError) as caught:
        sample("count: x\n\nnope: 1\nshare: 2\n")
    assert str(caught.value).splitlines() == [
        "f.yaml:1: count must be a whole number, not 'x'; write a whole number without quotes",
        "f.yaml:3: unknown key 'nope'; known: 'anything', 'by_name', 'colour', 'count', 'maybe', 'share', 'strict',"
        " 'text', 'texts'",
        "f.yaml:4: share must be at most 1, not 2; write a number at most 1",
    ]
    assert caught.value.where == "f.yaml:1"
    assert len(caught.value.problems) == 3


def test_the_kinds_of_a_mixed_mapping_are_kept() -> None:
    loaded = sample("anything: {a: 30, b: 1.5, c: true, d: no, e: '30'}").anything
    assert [loaded[key] for key in "abcde"] == [30, 1.5, True, "no", "30"]
    assert [type(loaded[key]) for key in "abcde"] == [int, float, bool, str, str]


def test_credentials_in_a_wrong_address_are_not_repeated() -> None:
    said = refused("colour: http://bot:s3cretPW@host/x?api_key=KEY-abc&a=1")
    assert "'http://host/x?api_key=***&a=1'" in said


def test_a_document_knows_where_its_values_stand() -> None:
    document = load_document(b"text: a\nby_name:\n  x: {text: b}\n", "f.yaml", Sample)
    assert document.where("by_name", "x", "text") == "f.yaml:3"
    assert document.key_where("by_name") == "f.yaml:2"
    assert document.where("count") == "f.yaml:1", "what was not written stands where the file begins"
    assert (document.has("text"), document.has("count")) == (True, False)


@given(st.text(alphabet=st.characters(codec="utf-8")))
def test_any_text_reaches_a_text_field_unchanged(text: str) -> None:
    assert sample(f"text: {json.dumps(text)}").text == text


@given(st.from_regex(r"[A-Za-z0-9.+~-]{1,12}", fullmatch=True))
def test_any_plain_word_reaches_a_text_field_unchanged_or_is_null(text: str) -> None:
    """Whatever a word looks like (a number, a boolean), a text field keeps it."""
    loaded = outcome(f"text: {text}".encode())
    if text in ("~", "null", "Null", "NULL", "-"):
        assert isinstance(loaded, InvalidInputError)
    else:
        assert loaded == Sample(text=text)


@given(st.binary(max_size=120) | st.text(alphabet="abtextcount:[]{}'\"-#&*!|>\n \t,0", max_size=120).map(str.encode))
def test_any_bytes_give_a_model_or_a_message_with_a_line(data: bytes) -> None:
    loaded = outcome(data)
    if isinstance(loaded, InvalidInputError):
        assert loaded.where.removeprefix("f.yaml:").isdecimal()


def test_a_text_is_read_once_for_its_place_and_model_and_errors_are_told_every_time() -> None:
    data = b"text: once"
    assert load_document(data, "once.yaml", Sample) is load_document(bytes(data), "once.yaml", Sample)
    assert load_document(data, "other.yaml", Sample).where("text") == "other.yaml:1"
    for _ in range(2):
        with pytest.raises(InvalidInputError, match=r"once\.yaml:1"):
            load_document(b"txt: once", "once.yaml", Sample)
