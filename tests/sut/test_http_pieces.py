"""Streamed answers taken apart: the same pieces however the bytes are cut."""

from __future__ import annotations

from itertools import pairwise
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.sut.http_pieces import Piece, parser_of


def pieces_of(kind: Literal["sse", "lines"], *chunks: bytes) -> list[Piece]:
    parser = parser_of(kind)
    return [piece for chunk in chunks for piece in parser.feed(chunk)] + parser.close()


@pytest.mark.parametrize(
    ("stream", "pieces"),
    [
        ("data: a\n\ndata: b\n\n", [Piece("a"), Piece("b")]),
        ("data: a\r\n\r\ndata: b\r\rdata:c\n\n", [Piece("a"), Piece("b"), Piece("c")]),
        ("\ufeffdata: a\n\n", [Piece("a")]),
        ("event: token\nid: 7\nretry: 10\ndata: a\n\ndata: b\n\n", [Piece("a", "token"), Piece("b")]),
        ("data: one\ndata: two\n\n", [Piece("one\ntwo")]),
        ("data:  indented\n\n", [Piece(" indented")]),
        ("data:\n\n", [Piece("")]),
        ("data\n\n", [Piece("")]),
        (": keep-alive\n\n: another\ndata: a\n\n", [Piece("a")]),
        ("event: end\n\n", [Piece("", "end")]),
        ("data: a\n\ndata: no blank line after it", [Piece("a"), Piece("no blank line after it")]),
        ("data: a:b: c\n\n", [Piece("a:b: c")]),
        ("unknown: x\n\n\n\n", []),
        ("", []),
    ],
)
def test_events_are_read_as_the_standard_says(stream: str, pieces: list[Piece]) -> None:
    assert pieces_of("sse", stream.encode()) == pieces
    assert pieces_of("sse", *(bytes([byte]) for byte in stream.encode())) == pieces


@pytest.mark.parametrize(
    ("stream", "pieces"),
    [
        ('{"a": 1}\n{"a": 2}\n', ['{"a": 1}', '{"a": 2}']),
        ("a\r\n\r\n  \nb", ["a", "b"]),
        ("\ufeffa\n", ["a"]),
        ("a\u2028b\rc\n", ["a\u2028b\rc"]),
        ("", []),
    ],
)
def test_a_line_that_is_not_blank_is_a_piece(stream: str, pieces: list[str]) -> None:
    assert [piece.data for piece in pieces_of("lines", stream.encode())] == pieces


def test_bytes_that_are_no_utf_8_become_replacement_characters() -> None:
    assert pieces_of("sse", b"data: \xff\xe2\x82", b"\n\n") == [Piece("��")]


stream_texts = st.text(st.sampled_from("data: event\r\n\n\n{}é👍\ufeff"), max_size=80)
kinds = st.sampled_from(("sse", "lines"))


@given(kinds, stream_texts | st.text(max_size=40), st.lists(st.integers(0, 200), max_size=12))
def test_any_chunking_gives_the_same_pieces(kind: Literal["sse", "lines"], text: str, cuts: list[int]) -> None:
    data = text.encode("utf-8", "surrogatepass")
    edges = [0, *sorted(cut for cut in cuts if cut < len(data)), len(data)]
    chunks = [data[start:end] for start, end in pairwise(edges)]
    assert pieces_of(kind, *chunks) == pieces_of(kind, data)


words = st.text(st.characters(exclude_characters="\r\n", codec="utf-8"), max_size=20)


@given(st.lists(st.lists(words, min_size=1, max_size=3), max_size=5), st.sampled_from(("\n", "\r\n", "\r")))
def test_what_a_server_writes_as_events_is_read_back(events: list[list[str]], end: str) -> None:
    stream = "".join("".join(f"data: {line}{end}" for line in lines) + end for lines in events)
    assert [piece.data for piece in pieces_of("sse", stream.encode())] == ["\n".join(lines) for lines in events]
