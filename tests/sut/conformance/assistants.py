"""Assistants that listen well, behind HTTP, WebSockets and standard input: in order, or with one fault.

They are written as others would write them; none knows Hairpin.
"""

from __future__ import annotations

import asyncio
import json
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from typing import Any, Literal

from aiohttp import web

WORK_S = 0.004

Fault = Literal["one shared session", "leaks", "reorders", "hears 1 kB", "says 1 kB"]


class Brain:
    """Says what it hears, and what it heard before in the session."""

    def __init__(self, fault: Fault | None = None) -> None:
        self._fault = fault
        self._heard: defaultdict[str, list[str]] = defaultdict(list)
        self._last = ""
        self._waiting: list[asyncio.Future[str]] = []

    async def reply(self, session: str, utterance: str) -> str:
        """Return the reply, after some work."""
        text = self._text("everybody" if self._fault == "one shared session" else session, utterance)
        if self._fault == "reorders":
            return await self._another(text)
        await asyncio.sleep(WORK_S)
        return text[:1024] if self._fault == "says 1 kB" else text

    def _text(self, session: str, utterance: str) -> str:
        said = utterance[:1024] if self._fault == "hears 1 kB" else utterance
        before = [*self._heard[session], *([self._last] if self._fault == "leaks" else [])]
        self._heard[session].append(said)
        self._last = said
        return f"You said: {said} Before that I heard: {' '.join(before) or 'nothing'}"

    async def _another(self, text: str) -> str:
        """Of turns that overlap the first to end gets the reply to the last that came."""
        mine: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._waiting.append(mine)
        await asyncio.sleep(WORK_S)
        newest = self._waiting.pop()
        newest.set_result(text)
        return await mine


class Assistant:
    """One brain behind every kind of door."""

    def __init__(self, fault: Fault | None = None) -> None:
        self._brain = Brain(fault)
        self._numbers = count(1)
        self._jobs: dict[str, asyncio.Task[str]] = {}

    def application(self) -> web.Application:
        """Return its doors."""
        app = web.Application(client_max_size=2**20)
        app.router.add_post("/sessions", self._open)
        app.router.add_delete("/sessions/{id}", self._close)
        app.router.add_post("/chat", self._chat)
        app.router.add_post("/stream", self._stream)
        app.router.add_post("/jobs", self._begin)
        app.router.add_get("/jobs/{id}", self._poll)
        app.router.add_post("/v1/chat/completions", self._complete)
        app.router.add_get("/socket", self._socket)
        return app

    async def _open(self, _: web.Request) -> web.Response:
        return web.json_response({"session": {"id": f"s{next(self._numbers)}"}})

    async def _close(self, _: web.Request) -> web.Response:
        return web.Response(status=204)

    async def _chat(self, request: web.Request) -> web.Response:
        asked = await request.json()
        session = asked["session"] or f"s{next(self._numbers)}"
        reply = await self._brain.reply(session, asked["text"])
        return web.json_response({"reply": reply, "session": session})

    async def _stream(self, request: web.Request) -> web.StreamResponse:
        asked = await request.json()
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        for piece in _pieces(await self._brain.reply(asked["session"], asked["text"])):
            await response.write(f"data: {json.dumps({'delta': piece})}\n\n".encode())
        await response.write(b"data: [DONE]\n\n")
        return response

    async def _begin(self, request: web.Request) -> web.Response:
        asked = await request.json()
        number = str(next(self._numbers))
        self._jobs[number] = asyncio.create_task(self._brain.reply(asked["session"], asked["text"]))
        return web.json_response({"job": number})

    async def _poll(self, request: web.Request) -> web.Response:
        job = self._jobs[request.match_info["id"]]
        return web.json_response({"status": "done", "reply": job.result()} if job.done() else {"status": "running"})

    async def _complete(self, request: web.Request) -> web.Response:
        """Answer from the messages alone: such a server remembers nothing."""
        *before, last = [m["content"] for m in (await request.json())["messages"] if m["role"] != "assistant"]
        await asyncio.sleep(WORK_S)
        content = f"You said: {last} Before that I heard: {' '.join(before) or 'nothing'}"
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": content}}
        return web.json_response({"object": "chat.completion", "choices": [choice]})

    async def _socket(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        session = f"s{next(self._numbers)}"
        async for message in socket:
            asked: dict[str, Any] = message.json()
            reply = await self._brain.reply(session, asked["text"])
            for part in _parts(reply, streamed=asked["stream"]):
                await socket.send_json(part)
        return socket


@asynccontextmanager
async def serving(fault: Fault | None = None) -> AsyncIterator[str]:
    """Serve an assistant on loopback; yield where, without the scheme."""
    runner = web.AppRunner(Assistant(fault).application(), shutdown_timeout=0.1, handler_cancellation=True)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


def _pieces(text: str) -> list[str]:
    n = max(1, -(-len(text) // 3))
    return [text[at : at + n] for at in range(0, len(text), n)]


def _parts(reply: str, *, streamed: bool) -> list[dict[str, str]]:
    if not streamed:
        return [{"reply": reply}]
    return [*({"type": "piece", "reply": piece} for piece in _pieces(reply)), {"type": "end"}]


PROGRAM = """
import json, os, queue, sys, threading, time

fault = sys.argv[1] if len(sys.argv) > 1 else ""
heard, last, lines = {}, "", queue.Queue()


def read():
    for line in sys.stdin:
        lines.put(json.loads(line))
    lines.put(None)


def text_of(asked):
    global last
    session = "everybody" if fault == "one shared session" else asked["session_id"]
    said = asked["utterance"][:1024] if fault == "hears 1 kB" else asked["utterance"]
    before = heard.setdefault(session, []) + ([last] if fault == "leaks" else [])
    text = f"You said: {said} Before that I heard: {' '.join(before) or 'nothing'}"
    heard[session].append(said)
    last = said
    return text[:1024] if fault == "says 1 kB" else text


threading.Thread(target=read, daemon=True).start()
while (asked := lines.get()) is not None:
    time.sleep(0.002)
    batch = [asked]
    while fault == "reorders" and not lines.empty():
        batch.append(lines.get())
    texts = [text_of(asked) for asked in batch if asked]
    for asked, text in zip(batch, reversed(texts)):
        print(json.dumps({"id": asked.get("id"), "text": text}), flush=True)
"""
"""A program that keeps the sessions of its lines apart; its argument is a fault."""

GRAPH = """
import asyncio
from langchain_core.messages import AIMessage
from langgraph.checkpoint.memory import MemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph


async def answer(state):
    *before, last = [m.content for m in state["messages"] if m.type != "ai"]
    await asyncio.sleep(0.004)
    return {"messages": [AIMessage(f"You said: {last} Before that I heard: {' '.join(before) or 'nothing'}")]}


def build():
    graph = StateGraph(MessagesState)
    graph.add_node("answer", answer)
    graph.add_edge(START, "answer")
    graph.add_edge("answer", END)
    return graph


remembers = build().compile(checkpointer=MemorySaver())
forgets = build().compile()
"""
