"""From what a scenario writes to the specification of an assistant, through a whole scenario file."""

from __future__ import annotations

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
from hairpin.packs.scenarios import dump_scenario, load_scenario
from tests.packs.pack_files import built_in, load, problem, write


def sut_of(tmp_path: Path, sut: str) -> SutSpec:
    scenario = load(tmp_path, f"id: demo\nsut: {sut}\nseed_phrases: [Hello]\n")
    dumped = write(tmp_path / "run", {"scenario.yaml": dump_scenario(scenario)}) / "scenario.yaml"
    assert load_scenario(dumped, finder=built_in(tmp_path), overrides={}) == scenario, "it can be stored and read again"
    return scenario.sut


def test_what_is_left_out_has_the_defaults_of_the_specification(tmp_path: Path) -> None:
    assert sut_of(tmp_path, "{provider: http, url: http://h/}") == HttpSut(request=HttpRequest(url="http://h/"))
    assert sut_of(tmp_path, "{provider: websocket, url: ws://h/}") == WebSocketSut(url="ws://h/")
    folder = str(tmp_path / "user")
    process = sut_of(tmp_path, "{provider: process, command: [python, bot.py]}")
    assert process == ProcessSut(command=("python", "bot.py"), folder=folder)
    write(tmp_path / "user", {"app.py": "graph = None\n"})
    graph = sut_of(tmp_path, "{provider: langgraph, graph: './app.py:graph'}")
    assert graph == LangGraphSut(reference="./app.py:graph", folder=folder)
    assert sut_of(tmp_path, "{provider: langgraph, graph: 'string:capwords'}") == LangGraphSut(
        reference="string:capwords"
    )


def test_every_part_of_an_http_assistant_arrives(tmp_path: Path) -> None:
    found = sut_of(
        tmp_path,
        """
  provider: http
  name: Bot
  version: v1
  max_sessions: 2
  url: http://h/{session_id}
  method: PUT
  headers: {X-Key: "{env.KEY}"}
  body: [{text: "{utterance}"}]
  reply: {text: a.b, ended: e, state: s, error: x}
  session: {open: {url: http://h/s, body: "{context}"}, id: id, close: {url: http://h/s, method: DELETE}}
  poll: {url: "http://h/{answer.id}", until: {path: status, equals: [done, failed]}, interval_s: 2}
  idempotent_turns: true
  retries: 1
  max_reply_bytes: 5000
""",
    )
    assert found == HttpSut(
        name="Bot",
        version="v1",
        max_sessions=2,
        request=HttpRequest(
            url="http://h/{session_id}",
            method="PUT",
            headers={"X-Key": "{env.KEY}"},
            body=[{"text": "{utterance}"}],
        ),
        reply=ReplyPaths(text="a.b", ended="e", state="s", error="x"),
        session=HttpSession(
            open=HttpRequest(url="http://h/s", body="{context}"),
            id="id",
            close=HttpRequest(url="http://h/s", method="DELETE"),
        ),
        poll=HttpPolling(
            request=HttpRequest(url="http://h/{answer.id}", method="GET"),
            until=Match(path="status", equals=("done", "failed")),
            interval_s=2,
        ),
        idempotent_turns=True,
        retries=1,
        max_reply_bytes=5000,
    )


@pytest.mark.parametrize(
    ("written", "match"),
    [
        ("{path: done}", Match(path="done")),
        ("{path: done, equals: true}", Match(path="done", equals=(True,))),
        ("{path: done, equals: [1, two]}", Match(path="done", equals=(1, "two"))),
    ],
)
def test_what_ends_a_stream_is_one_value_or_several(tmp_path: Path, written: str, match: Match) -> None:
    found = sut_of(tmp_path, f"{{provider: http, url: http://h/, stream: {{text: d, done: null, until: {written}}}}}")
    assert isinstance(found, HttpSut)
    assert found.stream == HttpStream(text="d", done=None, until=match)


def test_a_path_alone_is_where_the_words_are(tmp_path: Path) -> None:
    found = sut_of(tmp_path, "{provider: http, url: http://h/, reply: a.b}")
    assert isinstance(found, HttpSut)
    assert found.reply == ReplyPaths(text="a.b")


def test_every_part_of_the_other_transports_arrives(tmp_path: Path) -> None:
    socket = sut_of(
        tmp_path,
        '{provider: websocket, url: "ws://h/", headers: {X: y}, subprotocols: [chat], hello: {a: "{context}"},'
        ' ready: {path: ok}, send: "{utterance}", reply: text, only: {path: type, equals: say}, until: {path: last},'
        " full: true, max_reply_bytes: 9}",
    )
    assert socket == WebSocketSut(
        url="ws://h/",
        headers={"X": "y"},
        subprotocols=("chat",),
        hello={"a": "{context}"},
        ready=Match(path="ok"),
        reply=ReplyPaths(text="text"),
        only=Match(path="type", equals=("say",)),
        until=Match(path="last"),
        full=True,
        max_reply_bytes=9,
    )
    process = sut_of(
        tmp_path,
        '{provider: process, command: [bot], environment: {K: "{env.K}"}, hello: {a: 1}, send: ["{utterance}"],'
        " bye: end, reply: r, id: i, max_reply_bytes: 9, name: Bot}",
    )
    assert process == ProcessSut(
        name="Bot",
        command=("bot",),
        folder=str(tmp_path / "user"),
        environment={"K": "{env.K}"},
        hello={"a": 1},
        send=["{utterance}"],
        bye="end",
        reply=ReplyPaths(text="r"),
        id="i",
        max_reply_bytes=9,
    )
    chat = sut_of(
        tmp_path,
        "{provider: openai-compatible, base_url: http://h/v1, model: m, name: Bot, version: v1, max_sessions: 4,"
        " context: json, state: car}",
    )
    assert chat == OpenAiCompatibleSut(
        base_url="http://h/v1", model="m", name="Bot", version="v1", max_sessions=4, context="json", state="car"
    )


def test_an_address_alone_says_too_little(tmp_path: Path) -> None:
    message = problem(tmp_path, "id: demo\nsut: http://127.0.0.1:8000/chat\nseed_phrases: [x]\n")
    assert "s.yaml:2: sut 'http://127.0.0.1:8000/chat' does not say enough; write {provider: http, url: …" in message


@pytest.mark.parametrize(("scheme", "provider"), [("http", "http"), ("wss", "websocket"), ("ftp", "http")])
def test_an_address_alone_is_told_without_its_credentials(tmp_path: Path, scheme: str, provider: str) -> None:
    address = f"{scheme}://bot:s3cretPW@h/chat?api_key=KEY-abc123"
    message = problem(tmp_path, f"id: demo\nsut: {address}\nseed_phrases: [x]\n")
    assert f"sut '{scheme}://h/chat?api_key=***' does not say enough; write {{provider: {provider}" in message
    assert not [secret for secret in ("s3cretPW", "KEY-abc123") if secret in message]
