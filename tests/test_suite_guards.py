"""The guards of the test suite itself: they must be able to fail."""

from __future__ import annotations

import asyncio
import os
import socket
import tempfile
from pathlib import Path

import anyio
import pytest


@pytest.mark.anyio
async def test_async_tests_run_on_asyncio() -> None:
    assert asyncio.get_running_loop().is_running()


@pytest.mark.parametrize("address", ["192.0.2.1", "2001:db8::1"])
def test_a_connection_beyond_this_machine_is_refused(address: str, refused_hosts: list[str]) -> None:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family) as probe, pytest.raises(OSError, match=address):
        probe.connect((address, 9))
    assert refused_hosts == [address]
    refused_hosts.clear()


def test_a_name_beyond_this_machine_is_not_looked_up(refused_hosts: list[str]) -> None:
    with pytest.raises(OSError, match=r"example\.invalid"):
        socket.getaddrinfo("example.invalid", 80)
    refused_hosts.clear()


@pytest.mark.anyio
async def test_an_async_connection_beyond_this_machine_is_refused(refused_hosts: list[str]) -> None:
    with pytest.raises(OSError, match="All connection attempts failed"):
        await anyio.connect_tcp("192.0.2.1", 9)
    assert refused_hosts == ["192.0.2.1"]
    refused_hosts.clear()


def test_a_connection_to_this_machine_works() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as client:
        assert client.getpeername() == server.getsockname()


def test_the_developers_own_settings_are_not_seen() -> None:
    seen = [name for name in os.environ if name.startswith(("HAIRPIN_", "OPENAI_", "LANGSMITH_"))]
    assert seen == ["HAIRPIN_CACHE_DIR"]
    assert Path(os.environ["HAIRPIN_CACHE_DIR"]).is_relative_to(tempfile.gettempdir())
