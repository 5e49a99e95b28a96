"""The server: one application with every transport, on one port.

It must not print, and not decide when to stop.
"""

from __future__ import annotations

import errno
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final

import anyio
from aiohttp import web

from hairpin.domain.base import Value
from hairpin.errors import InvalidInputError
from hairpin.ports import SutAdapter
from hairpin.testbed.server.chat import ChatRoutes
from hairpin.testbed.server.problems import errors_as_json
from hairpin.testbed.server.rest import RestRoutes
from hairpin.testbed.server.sessions import SessionLimits, Sessions
from hairpin.testbed.server.websocket import WebSocketRoutes

MAX_REQUEST_BYTES: Final = 4 * 1024**2
_SHUTDOWN_S: Final = 5.0
_BACKLOG: Final = 1024


class ServedAt(Value):
    """Where a server listens."""

    host: str
    port: int

    @property
    def authority(self) -> str:
        """Host and port as they stand in an address."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


@asynccontextmanager
async def serving(
    adapter: SutAdapter,
    *,
    new_id: Callable[[], str],
    host: str = "127.0.0.1",
    port: int = 0,
    limits: SessionLimits | None = None,
) -> AsyncIterator[ServedAt]:
    """Serve ``adapter`` while the context is open; turns that are under way at its end are finished.

    Args:
        adapter: the assistant; closing it is the caller's work.
        new_id: makes ids of sessions and conversations.
        host: the address to listen at.
        port: 0 is any free one.
        limits: of sessions.

    Raises:
        InvalidInputError: nothing can listen there.
    """
    sessions = Sessions(adapter, new_id=new_id, limits=limits)
    runner = web.AppRunner(
        _application(adapter, sessions, new_id), access_log=None, shutdown_timeout=_SHUTDOWN_S, keepalive_timeout=75.0
    )
    await runner.setup()
    try:
        await _listen(runner, host, port)
        yield ServedAt(host=host, port=runner.addresses[0][1])
    finally:
        with anyio.CancelScope(shield=True):
            await runner.cleanup()
            await sessions.aclose()


def _application(adapter: SutAdapter, sessions: Sessions, new_id: Callable[[], str]) -> web.Application:
    identity = adapter.describe()
    sockets = WebSocketRoutes(sessions, identity, new_id=new_id, max_bytes=MAX_REQUEST_BYTES)
    application = web.Application(middlewares=[errors_as_json], client_max_size=MAX_REQUEST_BYTES)
    application.add_routes(
        [
            *RestRoutes(sessions, identity, new_id=new_id).routes(),
            *sockets.routes(),
            *ChatRoutes(adapter, identity).routes(),
        ]
    )

    async def dismiss(_: web.Application) -> None:
        await sockets.aclose()

    application.on_shutdown.append(dismiss)
    return application


async def _listen(runner: web.AppRunner, host: str, port: int) -> None:
    try:
        await web.TCPSite(runner, host, port, backlog=_BACKLOG).start()
    except OSError as error:
        taken = error.errno == errno.EADDRINUSE
        why = "something else listens there" if taken else (error.strerror or str(error))
        hint = "choose another port, or 0 for a free one" if taken else "choose another host or port"
        raise InvalidInputError(f"cannot listen: {why}", where=f"{host}:{port}", hint=hint) from error
