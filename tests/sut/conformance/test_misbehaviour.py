"""A misbehaving server in the assistant's place: the adapters of Hairpin tell it from a reply, careless ones do not."""

from __future__ import annotations

import aiohttp
import pytest

from hairpin.domain.json_paths import parse_path, value_at
from hairpin.domain.sut import SessionStart
from hairpin.domain.sut_spec import (
    HttpPolling,
    HttpRequest,
    HttpSession,
    HttpStream,
    HttpSut,
    Match,
    OpenAiCompatibleSut,
    ReplyPaths,
    SutSpec,
)
from hairpin.ports import SutAdapter, SutSession
from hairpin.sut.build import build_adapter
from hairpin.sut.conformance.misbehaviour import StandInSpec, check_misbehaviour
from hairpin.sut.conformance.report import CheckStatus, ConformanceSettings
from hairpin.sut.conformance.stand_in import tree_with

pytestmark = pytest.mark.anyio

REQUEST = HttpRequest(url="https://bot.example/v1/{session_id}/chat?lang=en", body={"message": "{utterance}"})
SPECS: dict[str, StandInSpec] = {
    "openai-compatible": OpenAiCompatibleSut(base_url="https://bot.example/v1", model="m"),
    "json": HttpSut(request=REQUEST, reply=ReplyPaths(text="data[0].words", error="error")),
    "plain text": HttpSut(request=REQUEST),
    "with sessions": HttpSut(
        request=REQUEST,
        reply=ReplyPaths(text="words"),
        session=HttpSession(open=HttpRequest(url="https://bot.example/new"), id="session.id"),
    ),
    "stream": HttpSut(request=REQUEST, stream=HttpStream(text="delta")),
    "polling": HttpSut(
        request=REQUEST,
        reply=ReplyPaths(text="words"),
        poll=HttpPolling(
            request=HttpRequest(url="https://bot.example/jobs", method="GET"),
            until=Match(path="status", equals=("done",)),
        ),
    ),
}
SETTINGS = ConformanceSettings(timeout_s=5)


def build(spec: SutSpec) -> SutAdapter:
    return build_adapter(spec, default_gguf=None, environ={})


@pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)
async def test_an_adapter_by_configuration_tells_every_misbehaviour_from_a_reply(spec: StandInSpec) -> None:
    status, detail = await check_misbehaviour(spec, build, SETTINGS)
    assert status is CheckStatus.OK, detail
    assert "hang-up" in detail


class _Careless(SutAdapter):
    """Takes whatever comes for a reply, from whichever host."""

    def __init__(self, url: str) -> None:
        self.url = url

    async def open(self, start: SessionStart) -> SutSession:
        return _CarelessSession(self.url)


class _CarelessSession(SutSession):
    def __init__(self, url: str) -> None:
        self._url = url

    async def send(self, utterance: str) -> str:
        async with aiohttp.ClientSession() as client, client.post(self._url, json={"message": utterance}) as response:
            return (await response.read()).decode(errors="replace")


async def test_an_adapter_that_takes_anything_for_a_reply_is_found() -> None:
    def careless(spec: StandInSpec) -> SutAdapter:
        assert isinstance(spec, HttpSut)
        return _Careless(spec.request.url)

    status, detail = await check_misbehaviour(SPECS["plain text"], careless, SETTINGS)
    assert status is CheckStatus.FAILED
    assert "error status: it was taken for the reply" in detail
    assert "redirect: another host was asked" in detail
    assert "oversized: it was taken for the reply" in detail


@pytest.mark.parametrize("path", ["words", "data[1].words", "choices[0].message.content", "items[-1]", ""])
def test_a_value_is_where_its_path_says(path: str) -> None:
    assert value_at(tree_with({path: "here"}), parse_path(path)) == "here"


def test_several_paths_share_a_tree() -> None:
    assert tree_with({"a.b": 1, "a.c[0]": 2}) == {"a": {"b": 1, "c": [2]}}
