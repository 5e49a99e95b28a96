"""Starting and stopping a server."""

from __future__ import annotations

import anyio
import pytest

from hairpin.domain.sut import SessionStart
from hairpin.errors import InvalidInputError
from hairpin.ports import SutAdapter, SutSession
from hairpin.testbed.adapter import TestbedAdapter
from hairpin.testbed.server.serving import ServedAt, serving
from tests.testbed.own_servers import client_of

pytestmark = pytest.mark.anyio


class Broken(SutAdapter, SutSession):
    """An assistant that breaks when it is spoken to."""

    async def open(self, start: SessionStart) -> SutSession:
        return self

    async def send(self, utterance: str) -> str:
        raise RuntimeError("a secret of the inside")


async def test_a_port_that_is_taken_is_named_with_a_way_out() -> None:
    async with serving(TestbedAdapter(), new_id=str) as place:
        assert place.port > 0
        with pytest.raises(InvalidInputError, match=f"127.0.0.1:{place.port}: cannot listen.*0 for a free one"):
            async with serving(TestbedAdapter(), new_id=str, port=place.port):
                pytest.fail("two servers at one port")


async def test_nothing_listens_any_more_when_it_has_stopped() -> None:
    async with serving(TestbedAdapter(), new_id=str) as place:
        pass
    with pytest.raises(OSError, match="onnect"):
        await anyio.connect_tcp(place.host, place.port)


async def test_an_assistant_that_breaks_is_a_500_without_its_inside(caplog: pytest.LogCaptureFixture) -> None:
    async with client_of(Broken()) as client:
        session_id = (await (await client.post("/sessions", json={})).json())["session_id"]
        answer = await client.post(f"/sessions/{session_id}/turns", json={"utterance": "Hi"})
        text = await answer.text()
    assert answer.status == 500
    assert "secret" not in text
    assert "a secret of the inside" in caplog.text


def test_an_ipv6_address_is_bracketed_in_an_address() -> None:
    assert ServedAt(host="::1", port=80).authority == "[::1]:80"
