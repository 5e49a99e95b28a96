"""YAML as a tree: core schema, places, and what is refused before anything is built."""

from __future__ import annotations

import math
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.errors import InvalidInputError
from hairpin.packs.tree_paths import find, key_place, place_of
from hairpin.packs.yaml_tree import MAX_DEPTH, Scalar, Table, core_value, parse_yaml


def refused(data: bytes | str) -> str:
    with pytest.raises(InvalidInputError) as caught:
        parse_yaml(data if isinstance(data, bytes) else data.encode(), "f.yaml")
    assert caught.value.hint
    return str(caught.value)


def error_of(data: bytes) -> InvalidInputError | None:
    try:
        parse_yaml(data, "f.yaml")
    except InvalidInputError as error:
        return error
    return None


@pytest.mark.parametrize(
    "text", ["no", "No", "yes", "on", "off", "y", "n", "17:40", "1_000", "2026-11-29", "0b1", "<<", "="]
)
def test_words_that_older_yaml_converts_stay_texts(text: str) -> None:
    assert core_value(text) == text


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None),
        ("~", None),
        ("null", None),
        ("Null", None),
        ("true", True),
        ("FALSE", False),
        ("12", 12),
        ("-7", -7),
        ("007", 7),
        ("0x1F", 31),
        ("0o17", 15),
        ("1.10", 1.1),
        ("1.", 1.0),
        (".5", 0.5),
        ("1e3", 1000.0),
        (".inf", math.inf),
        ("-.INF", -math.inf),
    ],
)
def test_plain_scalars_follow_the_core_schema(text: str, value: object) -> None:
    found = core_value(text)
    assert (found, type(found)) == (value, type(value))


def test_nan_follows_the_core_schema() -> None:
    assert math.isnan(float(str(core_value(".nan"))))


def test_a_number_of_absurd_length_is_a_text() -> None:
    assert core_value("9" * 5000) == "9" * 5000


def test_every_value_knows_its_line() -> None:
    tree = parse_yaml(b"a: 1\nb:\n  - x\n  - |\n    long\nc:\n\nd: {e: 2}\n", "f.yaml")
    assert [place_of(tree, path) for path in (("a",), ("b", 0), ("b", 1), ("d", "e"))] == [
        "f.yaml:1",
        "f.yaml:3",
        "f.yaml:4",
        "f.yaml:8",
    ]
    assert place_of(tree, ("c",)) == "f.yaml:6", "an empty value stands where its key does"
    assert place_of(parse_yaml(b"a:\n  - x\n  -\n  - ''\n", "f.yaml"), ("a", 1)) == "f.yaml:3"
    assert key_place(tree, ("b",)) == "f.yaml:2"
    assert place_of(tree, ("d", "missing")) == "f.yaml:8"


def test_a_byte_order_mark_and_windows_line_ends_change_nothing() -> None:
    text = 'persona: "Zoë, 客户, 👩‍🔧"\nb: 2\n'
    windows = b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()
    for data in (text.encode(), windows):
        tree = parse_yaml(data, "f.yaml")
        assert find(tree, ("persona",)) == Scalar("Zoë, 客户, 👩‍🔧", False, "f.yaml:1")
        assert place_of(tree, ("b",)) == "f.yaml:2"


def test_bytes_that_are_not_utf_8_are_refused_with_their_position() -> None:
    assert refused(b"a: 1\r\nb: caf\xe9\n") == (
        "f.yaml:2: byte 0xE9 at byte position 12 is not UTF-8; save the file as UTF-8"
    )
    assert "byte position 14" in refused(b"\xef\xbb\xbfa: 1\nb: caf\xe9\n"), "counted in the file, with its mark"
    assert "byte position 0" in refused("a: 1".encode("utf-16"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "f.yaml:1: the file is empty; write at least one"),
        ("# nothing\n", "f.yaml:1: the file is empty; write at least one"),
        ("a: 1\nb: 2\na: 3\n", "f.yaml:3: duplicate key 'a'; it stands at f.yaml:1 already; keep one of them"),
        ("'a': 1\na: 2\n", "f.yaml:2: duplicate key 'a'"),
        ("x: {a: 1, a: 1}\n", "f.yaml:1: duplicate key 'a'"),
        (
            "a: 1\nb: !!python/object x\n",
            "f.yaml:2: the tag 'tag:yaml.org,2002:python/object' is not allowed; remove it",
        ),
        ("a: ! x\n", "f.yaml:1: the tag '!' is not allowed"),
        ("a: !local {b: 1}\n", "f.yaml:1: the tag '!local' is not allowed"),
        ("%YAML 1.1\n---\na: 1\n", "f.yaml:2: %YAML and %TAG lines are not allowed"),
        ("%TAG ! tag:x,2000:\n---\na: 1\n", "f.yaml:2: %YAML and %TAG lines are not allowed"),
        ("a: 1\n---\nb: 2\n", "f.yaml:2: a second document begins; keep one document per file"),
        ("a: 1\nb: &b [1, *b]\n", "f.yaml:2: an alias refers to what it stands in"),
        ("a: *nobody\n", "f.yaml:1: the text is not valid YAML: found undefined alias 'nobody'"),
        ("base: &b {x: 1}\nd:\n  <<: *b\n", "f.yaml:3: merge keys (<<) are not supported; write the keys out"),
        ("? [a, b]\n: 1\n", "f.yaml:1: a key must be a text"),
        ("a: 1\nb: 'open\n", "f.yaml:3: the text is not valid YAML"),
        ("a: [1\nb: 2\n", "f.yaml:2: the text is not valid YAML"),
        ("a: b: c\n", "f.yaml:1: the text is not valid YAML"),
        ("a: 1\n\tb: 2\n", "f.yaml:2: the text is not valid YAML"),
        ('a: "\\q"\n', "f.yaml:1: the text is not valid YAML"),
        ('a: "\\UFFFFFFFF"\n', "f.yaml:1: the text is not valid YAML"),
        (
            "a: 1\nb: \x07\n",
            'f.yaml:2: the character U+0007 cannot stand in a file; write it as "\\x07" in double quotes',
        ),
        (
            "a: x\u2028y\n",
            'f.yaml:1: the character U+2028 cannot stand in a file; write it as "\\u2028" in double quotes',
        ),
        ('a: "\\ud83d"\n', "f.yaml:1: half of a surrogate pair is no character"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_line(text: str, said: str) -> None:
    assert refused(text).startswith(said)


def test_deep_nesting_is_refused_in_any_style() -> None:
    assert "f.yaml:1: values are nested more than 64 deep" in refused("[" * 10_000)
    assert f"nested more than {MAX_DEPTH} deep" in refused("- " * (MAX_DEPTH + 1) + "x")
    assert f"nested more than {MAX_DEPTH} deep" in refused(
        "\n".join(["- &a0 x", *(f"- &a{n} [*a{n - 1}]" for n in range(1, MAX_DEPTH + 2))])
    ), "also when it is built from aliases"
    parse_yaml(("[" * MAX_DEPTH + "]" * MAX_DEPTH).encode(), "f.yaml")


def test_aliases_may_not_grow_without_bound() -> None:
    lines = ["- &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"- &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]
    assert refused("\n".join(lines)).startswith("f.yaml:5: more than 100000 values, aliases followed")


def test_an_alias_stands_for_its_anchor() -> None:
    tree = parse_yaml(b"a: &x {k: 1}\nb: *x\n", "f.yaml")
    assert isinstance(tree, Table)
    assert tree.entries["a"] == tree.entries["b"]


@given(st.text())
def test_any_text_comes_out_of_double_quotes_unchanged(text: str) -> None:
    """Written as JSON writes it, surrogate pairs included."""
    escaped = "".join(
        f"\\u{unit:04x}" for unit in memoryview(text.encode("utf-16-le", "surrogatepass")).cast("H").tolist()
    )
    tree = parse_yaml(f'"{escaped}"'.encode(), "f.yaml")
    assert isinstance(tree, Scalar)
    assert tree.value() == text


@given(
    st.text(
        alphabet=st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp"), exclude_characters="\ufeff")
    )
)
def test_any_visible_text_comes_out_of_single_quotes_unchanged(text: str) -> None:
    tree = parse_yaml(("'" + text.replace("'", "''") + "'").encode(), "f.yaml")
    assert isinstance(tree, Scalar)
    assert tree.value() == text


@given(st.binary(max_size=200) | st.text(alphabet=string.printable + "é\u2028\x85", max_size=200).map(str.encode))
def test_any_bytes_give_a_tree_or_a_message_with_a_line(data: bytes) -> None:
    error = error_of(data)
    if error is not None:
        assert error.where.startswith("f.yaml:")
        assert error.where.removeprefix("f.yaml:").isdecimal()
        assert error.hint
