"""The response cache: the same question gets the same answer, any other question a new one."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import anyio
import pytest
import structlog
from hypothesis import given
from hypothesis import strategies as st
from structlog.testing import CapturingLogger

from hairpin.domain.llm_calls import TokenCounts
from hairpin.errors import InvalidInputError, UserError
from hairpin.llm.completion import Completion, CompletionRequest
from hairpin.llm.response_cache import ResponseCache, cache_key
from hairpin.ports import ChatMessage
from tests.patience import SLOWNESS

pytestmark = pytest.mark.anyio

ANSWER = Completion(
    text='{"status": "completed"}', reasoning="hm", tokens=TokenCounts(prompt_tokens=9, completion_tokens=3)
)
PLACE: dict[str, Any] = {"endpoint": "https://m.example/v1", "model": "judge-1", "parameters": {}, "repeat": 0}


def ask(*texts: str, cap: int = 100, response_format: dict[str, Any] | None = None) -> CompletionRequest:
    messages = tuple(ChatMessage(role="user", text=text) for text in texts or ("Judge this.",))
    return CompletionRequest(messages=messages, output_tokens=cap, response_format=response_format)


@pytest.fixture
def said() -> CapturingLogger:
    return CapturingLogger()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cache.sqlite"


def open_cache(path: Path, said: CapturingLogger, **more: float) -> ResponseCache:
    log = structlog.wrap_logger(said, processors=[], wrapper_class=structlog.make_filtering_bound_logger(0))
    return ResponseCache.open(path, log=log, **more)


@pytest.fixture
def cache(path: Path, said: CapturingLogger) -> Iterator[ResponseCache]:
    with closing(open_cache(path, said)) as opened:
        yield opened


async def test_an_answer_comes_back_whole_also_after_closing(
    cache: ResponseCache, path: Path, said: CapturingLogger
) -> None:
    key = cache_key(ask(), **PLACE)
    assert await cache.get(key) is None
    await cache.put(key, ANSWER)
    assert await cache.get(key) == ANSWER
    cache.close()
    cache.close()
    with closing(open_cache(path, said)) as again:
        assert await again.get(key) == ANSWER


async def test_text_that_utf_8_cannot_carry_comes_back(cache: ResponseCache) -> None:
    odd = Completion(text="\ud800 ﬂ 客户 \0")
    await cache.put("k", odd)
    assert await cache.get("k") == odd


@pytest.mark.parametrize(
    "change",
    [
        {"endpoint": "https://other.example/v1"},
        {"model": "judge-2"},
        {"parameters": {"temperature": 0}},
        {"parameters": {"temperature": 0.0001}},
        {"repeat": 1},
    ],
)
def test_everything_an_answer_depends_on_is_in_the_key(change: dict[str, Any]) -> None:
    assert cache_key(ask(), **{**PLACE, **change}) != cache_key(ask(), **PLACE)


def test_the_request_is_in_the_key() -> None:
    requests = [
        ask(),
        ask("Judge that."),
        ask("Judge this.", ""),
        ask("Judge", " this."),
        ask(cap=101),
        ask(response_format={"type": "json_object"}),
        ask(response_format={"type": "json_schema", "json_schema": {"name": "a"}}),
        CompletionRequest(messages=(ChatMessage(role="system", text="Judge this."),), output_tokens=100),
    ]
    assert len({cache_key(request, **PLACE) for request in requests}) == len(requests)


def test_the_order_of_parameters_does_not_matter() -> None:
    one, other = {"top_p": 1, "seed": 3}, {"seed": 3, "top_p": 1}
    assert cache_key(ask(), **{**PLACE, "parameters": one}) == cache_key(ask(), **{**PLACE, "parameters": other})


@given(st.lists(st.text(), min_size=1, max_size=4), st.lists(st.text(), min_size=1, max_size=4))
def test_different_prompts_never_share_a_key(left: list[str], right: list[str]) -> None:
    same = cache_key(ask(*left), **PLACE) == cache_key(ask(*right), **PLACE)
    assert same == (left == right)


async def test_repeats_and_drafts_get_answers_of_their_own(cache: ResponseCache) -> None:
    await cache.put(cache_key(ask(), **PLACE), ANSWER)
    assert await cache.get(cache_key(ask(), **PLACE)) == ANSWER
    assert await cache.get(cache_key(ask(), **{**PLACE, "repeat": 1})) is None
    assert await cache.get(cache_key(ask(), **PLACE, draft=1)) is None


def a_folder(path: Path) -> None:
    path.mkdir()


def a_text(path: Path) -> None:
    path.write_text("not a database, and long enough for SQLite to see it " * 40, encoding="utf-8")


def another_database(path: Path) -> None:
    with closing(sqlite3.connect(path)) as file:
        file.execute("CREATE TABLE songs (title TEXT)")


def a_later_version(path: Path) -> None:
    with closing(sqlite3.connect(path)) as file:
        file.execute("PRAGMA application_id = 7")


@pytest.mark.parametrize("make", [a_folder, a_text, another_database, a_later_version])
def test_what_is_no_cache_is_refused_by_name_and_left_alone(make: Any, path: Path, said: CapturingLogger) -> None:
    make(path)
    before = path.read_bytes() if path.is_file() else b""
    with pytest.raises(InvalidInputError) as caught:
        open_cache(path, said)
    assert isinstance(caught.value, UserError)
    assert str(path) in str(caught.value)
    assert "leave the cache off" in str(caught.value)
    assert (path.read_bytes() if path.is_file() else b"") == before


def test_a_folder_that_does_not_exist_is_named(tmp_path: Path, said: CapturingLogger) -> None:
    with pytest.raises(InvalidInputError, match="lies in a folder that does not exist"):
        open_cache(tmp_path / "nowhere" / "cache.sqlite", said)


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everything")
def test_a_read_only_file_is_refused_at_opening(path: Path, said: CapturingLogger) -> None:
    open_cache(path, said).close()
    path.chmod(0o400)
    with pytest.raises(InvalidInputError, match="cannot be used"):
        open_cache(path, said)


def test_a_file_that_somebody_holds_locked_is_refused_after_a_while(path: Path, said: CapturingLogger) -> None:
    open_cache(path, said).close()
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(InvalidInputError, match="locked"):
            open_cache(path, said, busy_timeout_s=0.05)


async def test_a_file_that_fails_later_costs_the_cache_and_not_the_run(
    cache: ResponseCache, path: Path, said: CapturingLogger
) -> None:
    await cache.put("k", ANSWER)
    with closing(sqlite3.connect(path)) as other:
        other.execute("DROP TABLE responses")
    assert await cache.get("k") is None
    await cache.put("k", ANSWER)
    assert [call.method_name for call in said.calls] == ["warning"]
    assert "no such table" in str(said.calls[0])


async def test_an_entry_that_cannot_be_read_is_made_anew(
    cache: ResponseCache, path: Path, said: CapturingLogger
) -> None:
    await cache.put("k", ANSWER)
    with closing(sqlite3.connect(path)) as other, other:
        other.execute("""UPDATE responses SET completion = '{"text": 7'""")
    assert await cache.get("k") is None
    await cache.put("k", ANSWER)
    assert await cache.get("k") == ANSWER
    assert len(said.calls) == 1


async def test_a_closed_cache_knows_nothing(cache: ResponseCache) -> None:
    cache.close()
    await cache.put("k", ANSWER)
    assert await cache.get("k") is None


async def test_many_calls_at_once_get_their_own_answers(cache: ResponseCache) -> None:
    async def use(number: int) -> None:
        answer = Completion(text=f"answer {number}")
        await cache.put(f"k{number}", answer)
        assert await cache.get(f"k{number}") == answer

    async with anyio.create_task_group() as tasks:
        for number in range(64):
            tasks.start_soon(use, number)


_CHILD = """
import sys, anyio, structlog
from pathlib import Path
from hairpin.llm.completion import Completion
from hairpin.llm.response_cache import ResponseCache
log = structlog.wrap_logger(structlog.PrintLogger(sys.stderr), processors=[structlog.processors.JSONRenderer()])
async def main(name):
    cache = ResponseCache.open(Path(sys.argv[1]), log=log)
    for number in range(30):
        await cache.put(f"{name}{number}", Completion(text=f"{name}{number}"))
        await cache.put("shared", Completion(text="the same"))
    cache.close()
anyio.run(main, sys.argv[2])
"""


async def test_processes_share_a_file_from_its_making_on(path: Path, said: CapturingLogger) -> None:
    children = [
        subprocess.Popen([sys.executable, "-c", _CHILD, str(path), name], stderr=subprocess.PIPE)  # noqa: ASYNC220  # started at once, on purpose
        for name in ("a", "b")
    ]
    for child in children:
        _, errors = child.communicate(timeout=60 * SLOWNESS)
        assert (child.returncode, errors) == (0, b"")
    with closing(open_cache(path, said)) as cache:
        for key in ("a0", "a29", "b0", "b29"):
            assert await cache.get(key) == Completion(text=key)
        assert await cache.get("shared") == Completion(text="the same")
