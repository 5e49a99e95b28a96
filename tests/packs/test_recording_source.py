"""Every value of a file comes with its line; what is none comes with the reason, and the others are still read."""

from __future__ import annotations

import gzip
import hashlib
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.domain.recording import RecordingProblem
from hairpin.errors import InvalidInputError
from hairpin.packs import recording_source
from hairpin.packs.recording_source import Placed, RecordingSource


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "chats.jsonl"


def found(file: Path, data: bytes) -> list[tuple[int, object]]:
    """Return line and value of all that is read, of problems the text."""
    file.write_bytes(data)
    return [
        (each.line, each.value if isinstance(each, Placed) else each.what) for each in RecordingSource(file).values()
    ]


def test_each_line_is_a_value_and_blank_lines_count(file: Path) -> None:
    assert found(file, b'{"a":1}\n\n  \n{"b":2}') == [(1, {"a": 1}), (4, {"b": 2})]


@pytest.mark.parametrize(
    "data",
    [
        b'\xef\xbb\xbf{"a":1}\n{"b":2}\n',
        b'{"a":1}\r\n{"b":2}\r\n',
        b'\xef\xbb\xbf\r\n{"a":1}\r\n{"b":2}',
        b'{"a":1}\r{"b":2}\r',
    ],
)
def test_byte_order_marks_and_line_ends_of_any_kind_change_nothing(file: Path, data: bytes) -> None:
    assert [value for _, value in found(file, data)] == [{"a": 1}, {"b": 2}]


@pytest.mark.parametrize(
    ("line", "what"),
    [
        (b'{"a": }', "not JSON: Expecting value at character 7 of the line"),
        (b'{"a": 1} trailing', "not JSON: Extra data at character 10 of the line"),
        (b'{"a": NaN}', "not readable: NaN is no number of JSON"),
        (b'{"a": {"b": 1, "b": 2}}', "not readable: an object has the key 'b' 2 times"),
        (b'{"a": -Infinity}', "not readable: -Infinity is no number of JSON"),
        (b'{"a": 1e999}', "not readable: 1e999 is too large a number"),
        (b'{"a": "caf\xe9"}', "not UTF-8: byte 0xE9 at position 11 of the line"),
        (b"[" * 100_000 + b"]" * 100_000, "not readable: nested too deeply"),
    ],
)
def test_a_broken_line_is_told_and_the_others_are_read(file: Path, line: bytes, what: str) -> None:
    assert found(file, b'{"first":1}\n' + line + b'\n{"last":1}\n') == [(1, {"first": 1}), (2, what), (3, {"last": 1})]


def test_numbers_of_absurd_length_are_a_problem_of_their_line(file: Path) -> None:
    first, second = found(file, b'{"n": ' + b"9" * 5_000 + b'}\n{"a":1}\n')
    assert "not readable: Exceeds the limit" in str(first[1])
    assert second == (2, {"a": 1})


def test_a_line_that_is_too_long_is_passed_over(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording_source, "MAX_LINE_BYTES", 1024**2)
    long = b'{"a": "' + b"x" * (3 * 1024**2) + b'"}\n'
    assert found(file, b'{"a":1}\n' + long + b'{"b":2}\n' + long[:-1]) == [
        (1, {"a": 1}),
        (2, "longer than 1 MiB"),
        (3, {"b": 2}),
        (4, "longer than 1 MiB"),
    ]


@pytest.mark.parametrize("indent", [None, 1])
def test_an_array_holds_the_values_of_the_file(file: Path, indent: int | None) -> None:
    data = json.dumps([{"turns": []}, {"turns": []}, 3], indent=indent).encode()
    assert [value for _, value in found(file, b"\n" + data + b"\n")] == [{"turns": []}, {"turns": []}, 3]


def test_values_of_an_array_are_told_by_the_line_on_which_they_begin(file: Path) -> None:
    assert found(file, b'[\n{"a":\n1},\n{"b":2}\n]') == [(2, {"a": 1}), (4, {"b": 2})]


def test_a_line_that_is_the_list_of_one_conversations_messages_is_one_value(file: Path) -> None:
    message = {"role": "user", "content": "Hi"}
    data = json.dumps([message]).encode()
    assert found(file, data + b"\n" + data + b"\n") == [(1, [message]), (2, [message])]


def test_values_may_be_spread_over_lines(file: Path) -> None:
    data = b'{\n "a": 1\n}\n{\n "b": 2\n}\n'
    assert found(file, data) == [(1, {"a": 1}), (4, {"b": 2})]


@pytest.mark.parametrize(
    ("data", "line", "what"),
    [
        (b'[\n{"a":1},\n{"b": }\n]', 3, "not JSON: Expecting value at character 7 of the line; nothing after it was"),
        (b'[\n{"a":1}\n{"b":2}\n]', 3, "something other than a comma follows the conversation; it was not read"),
        (b'[\n{"a":1},\n', 3, "the array is not closed; it was not read"),
        (b'[\n{"a":1}\n]\n7', 4, "something follows the array; it was not read"),
    ],
)
def test_where_an_array_breaks_is_told(file: Path, data: bytes, line: int, what: str) -> None:
    (_, value), (where, problem) = found(file, data)
    assert value == {"a": 1}
    assert where == line
    assert str(problem).startswith(what)


def test_an_array_that_is_not_utf_8_is_told_by_line_and_byte(file: Path) -> None:
    assert found(file, b'[\n{"a": "\xe9"}]') == [
        (2, "not UTF-8: byte 0xE9 at position 8 of the line; nothing of the file was read")
    ]


def test_an_array_too_large_to_be_read_whole_is_refused(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording_source, "MAX_WHOLE_BYTES", 1024**2)
    with pytest.raises(InvalidInputError, match="more than 1 MiB; write it as JSON lines"):
        found(file, b"[\n" + b'"' + b"x" * 1024**2 + b'"]')


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le"])
def test_a_file_in_another_encoding_is_refused_or_each_line_is_told(file: Path, encoding: str) -> None:
    data = '{"a":1}\n'.encode(encoding)
    if encoding == "utf-16":
        with pytest.raises(InvalidInputError, match="not UTF-8 but UTF-16; save it as UTF-8"):
            found(file, data)
    else:
        assert all(isinstance(value, str) for _, value in found(file, data))


def test_lines_that_end_in_cr_alone_are_counted(file: Path) -> None:
    assert found(file, b'\r{"a":1}\r\r{"b":2}\r{')[:2] == [(2, {"a": 1}), (4, {"b": 2})]


def test_a_file_that_is_packed_is_refused(file: Path) -> None:
    with pytest.raises(InvalidInputError, match=r"packed with gzip.*gunzip"):
        found(file, gzip.compress(b'{"a":1}\n'))


def test_a_file_that_is_not_there_or_a_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "chat.jsonl").write_bytes(b"")
    with pytest.raises(InvalidInputError, match=r"chats\.jsonl: the file does not exist; did you mean 'chat.jsonl'"):
        list(RecordingSource(tmp_path / "chats.jsonl").values())
    with pytest.raises(InvalidInputError, match="this is a folder; name a file in it"):
        list(RecordingSource(tmp_path).values())
    with pytest.raises(InvalidInputError, match="cannot be read"):
        list(RecordingSource(tmp_path / "a\0b").values())


@pytest.mark.parametrize("data", [b"", b'{"a":1}\n{"b":', b'[\n{"a":1},\n{"b":2}]', b"\xef\xbb\xbf{}\n"])
def test_the_digest_is_that_of_all_bytes(file: Path, data: bytes) -> None:
    file.write_bytes(data)
    source = RecordingSource(file)
    list(source.values())
    assert source.digest == hashlib.sha256(data).hexdigest()


@given(st.binary(max_size=200))
def test_no_bytes_at_all_are_too_much(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    file = tmp_path_factory.getbasetemp() / "any.jsonl"
    file.write_bytes(data)
    if data.startswith((b"\xff\xfe", b"\xfe\xff", b"\x1f\x8b")):
        return
    for each in RecordingSource(file).values():
        assert isinstance(each, Placed | RecordingProblem)
        assert 1 <= each.line <= max(data.count(b"\n"), data.count(b"\r")) + 1
