"""Seed phrases in files of users: text, JSON lines, CSV; every problem with its line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.domain.campaign import SeedPhrase
from hairpin.errors import InvalidInputError
from hairpin.packs.seed_files import read_seed_phrases

TAKE, FIND = SeedPhrase(text="Take me home"), SeedPhrase(text="Find a park, a large one", task="search")


def phrases(text: str | bytes, name: str) -> tuple[SeedPhrase, ...]:
    return read_seed_phrases(text if isinstance(text, bytes) else text.encode(), Path(name)).phrases


def refused(text: str | bytes, name: str) -> str:
    with pytest.raises(InvalidInputError) as caught:
        phrases(text, name)
    return str(caught.value)


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_text_holds_one_phrase_a_line(mark: str, end: str) -> None:
    text = f"{mark}Take me  home{end}{end}  Zoë's café, bitte {end}"
    assert phrases(text, "p.txt") == (TAKE, SeedPhrase(text="Zoë's café, bitte"))


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_json_lines_name_text_and_task(mark: str) -> None:
    text = f'{mark}{{"text": "Take me home"}}\n\n{{"task": "search", "text": "Find a park, a large one"}}\n'
    assert phrases(text, "p.jsonl") == (TAKE, FIND)


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_csv_has_columns_in_any_order(mark: str, end: str) -> None:
    rows = [f"{mark}Task,text", ",Take me home", "", 'search,"Find a park, a large one"']
    assert phrases(end.join(rows), "p.csv") == (TAKE, FIND)
    assert phrases("text\nTake me home\n", "P.CSV") == (TAKE,)


def test_a_pool_is_called_as_its_file() -> None:
    assert read_seed_phrases(b"Take me home", Path("a/mine.txt")).name == "mine"


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("p.txt", " \n", "p.txt: the file has no seed phrase; write one on each line"),
        ("p.csv", "text,task\n", "p.csv: the file has no seed phrase; the first line names the columns"),
        ("p.jsonl", "", 'p.jsonl: the file has no seed phrase; write {"text"'),
        ("p.txt", "a\nb\n\n a\n", "p.txt:4: 'a' is the same as line 1; keep one of them"),
        ("p.txt", b"a\ncaf\xe9", "p.txt:2: byte 0xE9 at byte position 5 is not UTF-8; save the file as UTF-8"),
        ("p.jsonl", '{"text": "a"}\n{"text": ', "p.jsonl:2: this is no JSON: "),
        ("p.jsonl", '\n["a"]', "p.jsonl:2: this is no JSON object; write"),
        ("p.jsonl", '{"text": "a", "tsk": "b"}', "p.jsonl:1: unknown key 'tsk'; known: 'task', 'text'"),
        ("p.jsonl", '{"task": "b"}', "p.jsonl:1: text is missing, or text or task is no text"),
        ("p.jsonl", '{"text": 7}', "p.jsonl:1: text is missing, or text or task is no text"),
        ("p.jsonl", '{"text": " "}', "p.jsonl:1: text is blank; write something, or remove the line"),
        ("p.jsonl", '{"text": "\\ud83d"}', "p.jsonl:1: half a character, a lone surrogate, is no text"),
        ("p.csv", "txt,task\na,b\n", "p.csv:1: the columns are 'txt', 'task', not 'text' and 'task'; the first"),
        ("p.csv", "text;task\na;b\n", "p.csv:1: the columns are 'text;task', not"),
        ("p.csv", "text,text\na,b\n", "p.csv:1: the columns are 'text', 'text', not"),
        ("p.csv", "task\nb\n", "p.csv:1: the columns are 'task', not"),
        ("p.csv", "text\na\nTurn left, please\n", "p.csv:3: 2 values for 1 columns; put a text with commas"),
        ("p.csv", "text,task\n,b\n", "p.csv:2: text is blank"),
        ("p.csv", 'text\n"a"b\n', "p.csv:2: this is no CSV: "),
    ],
)
def test_what_is_wrong_is_named_by_line(name: str, text: str | bytes, said: str) -> None:
    assert refused(text, name).startswith(said)


def test_all_problems_are_said_at_once() -> None:
    assert refused('{"text": ""}\n{}\n1\n', "p.jsonl").count("p.jsonl:") == 3


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=1, max_size=6))
def test_json_lines_hold_any_text(texts: list[str]) -> None:
    words = list(dict.fromkeys(" ".join(text.split()) for text in texts if text.strip())) or ["a"]
    lines = "\n".join(json.dumps({"text": text}) for text in words)
    assert [phrase.text for phrase in phrases(lines, "p.jsonl")] == words
