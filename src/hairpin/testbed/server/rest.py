"""The REST transport: sessions as resources.

It must not hold a session itself; ``sessions`` does.
"""

from __future__ import annotations

from collections.abc import Callable

from aiohttp import web

from hairpin.domain.sut import SutIdentity
from hairpin.testbed.server.problems import json_answer
from hairpin.testbed.server.sessions import Sessions
from hairpin.testbed.server.wire import OpenRequest, TurnRequest, bounded, parse, reply_body


class RestRoutes:
    """``/sessions`` and ``/health``.

    Args:
        sessions: those of the server.
        identity: who answers.
        new_id: names conversations that come without a name.
    """

    def __init__(self, sessions: Sessions, identity: SutIdentity, *, new_id: Callable[[], str]) -> None:
        self._sessions = sessions
        self._identity = identity
        self._new_id = new_id

    def routes(self) -> tuple[web.RouteDef, ...]:
        """Return what is served."""
        return (
            web.get("/health", self._health),
            web.post("/sessions", self._open),
            web.post("/sessions/{id}/turns", self._turn),
            web.delete("/sessions/{id}", self._close),
        )

    async def _health(self, _: web.Request) -> web.Response:
        who = {"name": self._identity.name, "version": self._identity.version}
        return json_answer({"status": "ok", **who, "sessions": len(self._sessions)})

    async def _open(self, request: web.Request) -> web.Response:
        wanted = parse(await request.read() or b"{}", OpenRequest, where="body")
        start = wanted.start(default_id=self._new_id(), where="body")
        return json_answer({"session_id": await self._sessions.open(start, where="body")}, status=201)

    async def _turn(self, request: web.Request) -> web.Response:
        turn = parse(await request.read(), TurnRequest, where="body")
        utterance = bounded(turn.utterance, where="body.utterance")
        return json_answer(reply_body(await self._sessions.say(request.match_info["id"], utterance)))

    async def _close(self, request: web.Request) -> web.Response:
        await self._sessions.close(request.match_info["id"])
        return web.Response(status=204)
