"""Adapters by configuration against real servers, programs and graphs: they pass the kit, wrong assistants do not."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hairpin.domain.sut_spec import (
    HttpPolling,
    HttpRequest,
    HttpSession,
    HttpStream,
    HttpSut,
    LangGraphSut,
    Match,
    OpenAiCompatibleSut,
    ProcessSut,
    ReplyPaths,
    SutSpec,
    WebSocketSut,
)
from hairpin.sut.build import build_adapter
from hairpin.sut.conformance.kit import check_adapter
from hairpin.sut.conformance.report import CheckStatus, ConformanceReport, ConformanceSettings
from tests.sut.conformance.assistants import GRAPH, PROGRAM, Fault, serving

pytestmark = pytest.mark.anyio

SETTINGS = ConformanceSettings(timeout_s=5, close_timeout_s=3, n_sessions=4)
BODY = {"session": "{session_id}", "text": "{utterance}"}
REPLY = ReplyPaths(text="reply")
NOT_DECLARED = {"max_sessions", "history", "reference_text"}
NO_STAND_IN = {"misbehaviour"}
"""It has tests of its own."""


def http(address: str, path: str = "/chat", **fields: object) -> HttpSut:
    request = HttpRequest(url=f"http://{address}{path}", body=BODY)
    return HttpSut.model_validate({"request": request, "reply": REPLY, **fields})


def with_sessions(address: str) -> HttpSut:
    opened = HttpRequest(url=f"http://{address}/sessions")
    closed = HttpRequest(url=f"http://{address}/sessions/{{session_id}}", method="DELETE")
    return http(address, session=HttpSession(open=opened, id="session.id", close=closed))


def polling(address: str) -> HttpSut:
    fetched = HttpRequest(url=f"http://{address}/jobs/{{answer.job}}", method="GET")
    until = Match(path="status", equals=("done",))
    return http(address, "/jobs", poll=HttpPolling(request=fetched, until=until, interval_s=0.003))


def streamed(address: str) -> HttpSut:
    return http(address, "/stream", reply=ReplyPaths(), stream=HttpStream(text="delta"))


def websocket(address: str) -> WebSocketSut:
    return WebSocketSut(url=f"ws://{address}/socket", send={"text": "{utterance}", "stream": False}, reply=REPLY)


def websocket_in_pieces(address: str) -> WebSocketSut:
    one = websocket(address)
    until = Match(path="type", equals=("end",))
    return one.model_copy(update={"send": {"text": "{utterance}", "stream": True}, "until": until})


SERVED: dict[str, Callable[[str], SutSpec]] = {
    "http with sessions": with_sessions,
    "http with an id of ours": http,
    "http, id told by the first answer": lambda address: http(address, session=HttpSession(id="session")),
    "http in pieces": streamed,
    "http, polling": polling,
    "websocket": websocket,
    "websocket in pieces": websocket_in_pieces,
}


async def checked(spec: SutSpec) -> ConformanceReport:
    return await check_adapter(build_adapter(spec, default_gguf=None, environ={"PATH": os.defpath}), settings=SETTINGS)


def failures(report: ConformanceReport) -> dict[str, str]:
    return {f.id: f.detail for f in report.findings if f.status is CheckStatus.FAILED}


def in_order(report: ConformanceReport, *, skips: set[str], ends_when_cut_off: bool = False) -> None:
    """A session whose late reply could be taken for the next turn's ends with the turn; that is noted."""
    assert failures(report) == {}
    assert {f.id for f in report.findings if f.status is CheckStatus.SKIPPED} == skips | NO_STAND_IN
    notes = {f.id: f.detail for f in report.findings if f.status is CheckStatus.NOTE}
    assert set(notes) == ({"cancellation"} if ends_when_cut_off else set()), notes
    assert not notes or "an earlier turn was cut off" in notes["cancellation"]


@pytest.mark.parametrize("spec_at", SERVED.values(), ids=SERVED)
async def test_an_adapter_for_a_server_that_is_in_order_passes_every_check(spec_at: Callable[[str], SutSpec]) -> None:
    async with serving() as address:
        spec = spec_at(address)
        report = await checked(spec)
    in_order(report, skips=NOT_DECLARED, ends_when_cut_off=isinstance(spec, WebSocketSut))


async def test_the_adapter_for_openai_compatible_servers_passes_every_check() -> None:
    async with serving() as address:
        report = await checked(OpenAiCompatibleSut(base_url=f"http://{address}/v1", model="echo", max_sessions=4))
    in_order(report, skips=set())


def program(folder: Path, *arguments: str, shared: bool) -> ProcessSut:
    (folder / "bot.py").write_text(PROGRAM, encoding="utf-8")
    line = {"id": "{turn_id}", "session_id": "{session_id}", "utterance": "{utterance}"}
    command = (sys.executable, "-S", "-E", "bot.py", *arguments)
    return ProcessSut.model_validate(
        {"command": command, "folder": str(folder), "send": line, "id": "id" if shared else None}
    )


async def test_the_adapter_for_a_program_per_session_passes_every_check(tmp_path: Path) -> None:
    report = await checked(program(tmp_path, shared=False))
    in_order(report, skips=NOT_DECLARED, ends_when_cut_off=True)


async def test_the_adapter_for_a_shared_program_passes_every_check(tmp_path: Path) -> None:
    in_order(await checked(program(tmp_path, shared=True)), skips=NOT_DECLARED)


@pytest.mark.parametrize("graph", ["remembers", "forgets"])
async def test_the_adapter_for_graphs_passes_every_check(tmp_path: Path, graph: str) -> None:
    (tmp_path / "app.py").write_text(GRAPH, encoding="utf-8")
    report = await checked(LangGraphSut(reference=f"./app.py:{graph}", folder=str(tmp_path)))
    in_order(report, skips={"max_sessions"})


PLANTED: list[tuple[Fault, str, str]] = [
    ("one shared session", "isolation", "was told"),
    ("leaks", "isolation", "was told"),
    ("reorders", "load", "replies reach the wrong conversation"),
    ("hears 1 kB", "long_utterance", "the utterance is cut"),
    ("says 1 kB", "long_replies", "exactly 1,024 characters"),
]


@pytest.mark.parametrize(("fault", "check", "evidence"), PLANTED, ids=[fault for fault, _, _ in PLANTED])
@pytest.mark.parametrize("spec_at", [http, websocket], ids=["http", "websocket"])
async def test_a_wrong_assistant_behind_a_server_is_caught_and_named(
    spec_at: Callable[[str], SutSpec], fault: Fault, check: str, evidence: str
) -> None:
    async with serving(fault) as address:
        found = failures(await checked(spec_at(address)))
    assert list(found) == [check], found
    assert evidence in found[check]


@pytest.mark.parametrize(("fault", "check", "evidence"), PLANTED, ids=[fault for fault, _, _ in PLANTED])
async def test_a_wrong_assistant_that_is_a_program_is_caught_and_named(
    tmp_path: Path, fault: Fault, check: str, evidence: str
) -> None:
    found = failures(await checked(program(tmp_path, fault, shared=True)))
    # Cancelling overlaps turns too, so the one that mixes them up may show there as well.
    assert list(found)[:1] == [check], found
    assert set(found) <= {check, "cancellation"}, found
    assert evidence in found[check]
