"""Serving one of Hairpin's own assistants: the assistant, the server, and the hidden log of its faults.

It must not print; the command line does.
"""

from __future__ import annotations

import gc
import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import anyio

from hairpin.app.system import new_id
from hairpin.domain.sut import SutIdentity
from hairpin.domain.sut_spec import StorySut, TestbedSut
from hairpin.errors import InvalidInputError
from hairpin.ports import SutAdapter
from hairpin.testbed.adapter import TestbedAdapter
from hairpin.testbed.faults.base import FaultStrike
from hairpin.testbed.server.serving import serving
from hairpin.testbed.server.sessions import SessionLimits
from hairpin.testbed.server.snippets import snippets
from hairpin.testbed.story.adapter import StoryAdapter

OwnSut = TestbedSut | StorySut


@dataclass(frozen=True, slots=True)
class ServeRequest:
    """What to serve and where. ``log``: the file for the hidden log of faults; ``None``: it is not kept."""

    sut: OwnSut
    host: str = "127.0.0.1"
    port: int = 0
    log: Path | None = None
    limits: SessionLimits = field(default_factory=SessionLimits)


@dataclass(frozen=True, slots=True)
class Serving:
    """A server that listens. ``snippets``: a ``sut:`` block per transport."""

    url: str
    identity: SutIdentity
    snippets: Mapping[str, str]


async def serve_until_signal(request: ServeRequest, *, started: Callable[[Serving], None]) -> None:
    """Serve until SIGINT or SIGTERM; turns that are under way are finished.

    Raises:
        UserError: nothing can listen there, the log cannot be written, or the assistant cannot be made.
    """
    with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals, _strike_log(request.log) as note:
        adapter = own_adapter(request.sut, on_strike=note)
        async with serving(
            adapter, new_id=new_id, host=request.host, port=request.port, limits=request.limits
        ) as place:
            identity = adapter.describe()
            gc.freeze()  # what is loaded stays as long as the server: looking at it again and again takes a tenth of it
            started(Serving(f"http://{place.authority}", identity, snippets(place.authority, identity)))
            async for _ in signals:
                break


def own_adapter(sut: OwnSut, *, on_strike: Callable[[FaultStrike], None]) -> SutAdapter:
    """Return the assistant that ``sut`` names; ``on_strike`` is told of all its faults do. Raises UserError."""
    match sut:
        case TestbedSut():
            return TestbedAdapter(sut.faults, sut.wording, on_strike=on_strike)
        case StorySut():
            return StoryAdapter(sut.faults, sut.story, on_strike=on_strike)


@contextmanager
def _strike_log(path: Path | None) -> Iterator[Callable[[FaultStrike], None]]:
    """Write strikes to ``path``, one JSON object a line, each at once; the file is begun anew."""
    if path is None:
        yield _forget
        return
    try:
        stream = path.open("w", encoding="utf-8")
    except OSError as error:
        hint = "name a file in a folder that exists"
        raise InvalidInputError(f"cannot be written: {error.strerror}", where=str(path), hint=hint) from error
    with stream:

        def note(strike: FaultStrike) -> None:
            stream.write(strike.model_dump_json() + "\n")
            stream.flush()

        yield note


def _forget(_: FaultStrike) -> None:
    return
