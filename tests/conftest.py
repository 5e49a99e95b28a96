"""What every test gets: a clean environment, no network beyond this machine, asyncio, and steady Hypothesis settings.

Fixtures for one package live beside its tests, not here.
"""

from __future__ import annotations

import ipaddress
import os
import socket
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests.patience import SLOWNESS

_GGUF = os.environ.get("HAIRPIN_GGUF")
_IN_CI = os.environ.get("HAIRPIN_CI") == "1"
_EXAMPLES = int(os.environ.get("HAIRPIN_EXAMPLES", "50"))
"""How many examples Hypothesis tries per property: fewer than usual on every commit, as many as you like by hand."""
_DEVELOPERS_PREFIXES = ("HAIRPIN_", "OPENAI_", "AZURE_OPENAI_", "LANGCHAIN_", "LANGSMITH_", "LANGGRAPH_")
_DEVELOPERS_DISPLAY = ("FORCE_COLOR", "NO_COLOR", "CLICOLOR_FORCE", "PY_COLORS", "GITHUB_ACTIONS", "COLUMNS", "LINES")
_SUITES = ("e2e", "quality", "packaging")

settings.register_profile("dev", max_examples=_EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", parent=settings.get_profile("dev"), derandomize=True, print_blob=True)


def pytest_configure() -> None:
    """Take the developer's settings out of the environment before any test or subprocess can read them."""
    for name in list(os.environ):
        if name.startswith(_DEVELOPERS_PREFIXES) or name in _DEVELOPERS_DISPLAY:
            del os.environ[name]
    # vectors of one test run are no business of the developer's own cache
    os.environ["HAIRPIN_CACHE_DIR"] = tempfile.mkdtemp(prefix="hairpin-test-cache-")
    settings.load_profile("ci" if _IN_CI else "dev")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the slow suites by their folder, give slow machines time; skip tests of a real model when none is named."""
    usual_s = float(config.getini("timeout") or 0)
    skip = pytest.mark.skip(reason="needs a real model: set HAIRPIN_GGUF to a GGUF file")
    for item in items:
        top = item.path.relative_to(Path(__file__).parent).parts[0]
        if top in _SUITES:
            item.add_marker(top)
        own = item.get_closest_marker("timeout")
        limit_s = own.args[0] if own else usual_s
        item.add_marker(pytest.mark.timeout(limit_s * SLOWNESS), append=False)
        if _GGUF is None and item.get_closest_marker("llm"):
            item.add_marker(skip)


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Run ``@pytest.mark.anyio`` tests on asyncio, the only loop Hairpin supports."""
    return "asyncio"


@pytest.fixture
def gguf(monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the model file that ``llm`` tests use; also set as HAIRPIN_GGUF for this test."""
    assert _GGUF is not None, "only tests marked llm may ask for a model"
    monkeypatch.setenv("HAIRPIN_GGUF", _GGUF)
    return Path(_GGUF)


@pytest.fixture(scope="session")
def _refused_by_guard() -> Iterator[list[str]]:
    """Refuse every connection and look-up that would leave this machine; return the refused hosts."""
    refused: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        for name in ("connect", "connect_ex"):
            patch.setattr(socket.socket, name, _guarded_connect(getattr(socket.socket, name), refused))
        patch.setattr(socket, "getaddrinfo", _guarded_lookup(socket.getaddrinfo, refused))
        yield refused


@pytest.fixture(autouse=True)
def refused_hosts(_refused_by_guard: list[str]) -> Iterator[list[str]]:
    """Fail a test that reached beyond this machine, also when the code under test swallowed the refusal.

    A test that means to reach out clears the list.
    """
    _refused_by_guard.clear()
    yield _refused_by_guard
    assert not _refused_by_guard, f"the test reached for {_refused_by_guard}; tests may only use this machine"


def _guarded_connect(original: Callable[..., Any], refused: list[str]) -> Callable[..., Any]:
    def connect(self: socket.socket, address: Any) -> Any:
        if self.family in (socket.AF_INET, socket.AF_INET6):
            _refuse_remote(address[0], refused)
        return original(self, address)

    return connect


def _guarded_lookup(original: Callable[..., Any], refused: list[str]) -> Callable[..., Any]:
    def getaddrinfo(host: Any, *args: Any, **kwargs: Any) -> Any:
        _refuse_remote(host, refused)
        return original(host, *args, **kwargs)

    return getaddrinfo


def _refuse_remote(host: str | bytes | None, refused: list[str]) -> None:
    name = host.decode() if isinstance(host, bytes) else host
    if name is None or name in ("", "localhost") or _is_local_address(name):
        return
    refused.append(name)
    raise OSError(f"a test reached for {name!r}; tests may only use this machine (127.0.0.1, ::1)")


def _is_local_address(name: str) -> bool:
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified
