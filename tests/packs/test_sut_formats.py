"""How assistants that are reached by configuration are written in a scenario, and what is said of mistakes."""

from __future__ import annotations

import pytest

from hairpin.errors import InvalidInputError
from hairpin.packs.file_formats import ScenarioFile
from hairpin.packs.sut_formats import HttpForm, LangGraphForm, OpenAiCompatibleForm, ProcessForm, WebSocketForm
from hairpin.packs.yaml_source import load_model


def sut_of(text: str) -> object:
    lines = "".join(f"  {line}\n" for line in text.strip().splitlines())
    source = f"id: demo\nsut:\n{lines}seed_phrases: [Hello]\n"
    return load_model(source.encode(), "s.yaml", ScenarioFile).sut


def refused(text: str) -> str:
    with pytest.raises(InvalidInputError) as caught:
        sut_of(text)
    return str(caught.value)


def test_the_shortest_http_assistant_is_an_address() -> None:
    form = sut_of("provider: http\nurl: http://127.0.0.1:8000/chat")
    assert isinstance(form, HttpForm)
    assert (form.method, form.reply, form.retries, form.max_reply_bytes) == ("POST", "", 0, 1024**2)


def test_an_http_assistant_can_be_written_whole() -> None:
    form = sut_of(
        """
provider: http
name: Bot
version: "7"
max_sessions: 3
url: https://{env.HOST}/chat/{session_id}?key={env.KEY}
method: PUT
headers: {Authorization: "Bearer {env.TOKEN}"}
body: {text: "{utterance}", context: "{context}"}
reply: {text: "choices[0].text", ended: done, state: car, error: error}
session:
  open: {url: "https://h/sessions", body: {seed: "{rng_seed}"}}
  id: id
  close: {url: "https://h/sessions/{session_id}", method: DELETE}
poll: {url: "https://h/jobs/{answer.id}", until: {path: status, equals: [done, failed]}, interval_s: 0.2}
idempotent_turns: yes_
retries: 2
""".replace("yes_", "true")
    )
    assert isinstance(form, HttpForm)
    assert form.poll is not None
    assert (form.poll.method, form.poll.until.equals) == ("GET", ["done", "failed"])


def test_the_other_transports_can_be_written() -> None:
    socket = sut_of('provider: websocket\nurl: ws://h/\nsend: {text: "{utterance}"}\nuntil: {path: last}')
    assert isinstance(socket, WebSocketForm)
    process = sut_of('provider: process\ncommand: [python, bot.py]\nenvironment: {KEY: "{env.KEY}"}')
    assert isinstance(process, ProcessForm)
    graph = sut_of('provider: langgraph\ngraph: ./app.py:graph\nconfig: {configurable: {thread_id: "{session_id}"}}')
    assert isinstance(graph, LangGraphForm)
    chat = sut_of("provider: openai-compatible\nbase_url: http://h/v1\nmodel: m\ncontext: json\nstate: x.state")
    assert isinstance(chat, OpenAiCompatibleForm)
    assert (chat.context, chat.state) == ("json", "x.state")


HTTP = "provider: http\nurl: http://h/\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("provider: http", "s.yaml:2: the key 'url' is missing in sut"),
        (HTTP + "body: {text: {utterance}}", "s.yaml:5: sut.body has {utterance} without quotes"),
        (HTTP + 'body: "{uterance}"', "s.yaml:5: sut.body has an unknown placeholder {uterance}; did you mean"),
        (HTTP + 'body:\n  a: 1\n  api_key: "KEY-abc123"', "s.yaml:7: sut.body.api_key must not hold a credential"),
        (HTTP + "headers: {Authorization: KEY-abc123}", "sut.headers.Authorization must not hold a credential"),
        (HTTP + "headers: {X: {env.KEY}}", "sut.headers.X must be a text, not a mapping"),
        (HTTP + "reply: a..b", "sut.reply must be a path"),
        (HTTP + 'reply: {text: "[*].text", state: "[*].s"}', "sut.reply.state must be a path: '[*].s' has [*], which"),
        (HTTP + 'session: {id: "[*].id"}', "sut.session.id must be a path: '[*].id' has [*], which stands only"),
        (HTTP + "reply: {txt: a}", "unknown key 'txt' in sut.reply; did you mean 'text'?"),
        (HTTP + "method: FETCH", "sut.method must be 'GET' or"),
        (HTTP + "retries: 2", "s.yaml:5: sut.retries would send a turn twice; set idempotent_turns: true"),
        (HTTP + "retries: 11\nidempotent_turns: true", "sut.retries must be at most 10"),
        (HTTP + "max_reply_bytes: 0", "sut.max_reply_bytes must be at least 1"),
        (HTTP + "stream: {}\npoll: {url: http://h/, until: {path: a}}", "sut.poll stands beside stream"),
        (HTTP + "stream: {text: a}\nreply: a", "sut.reply names the words of a whole answer, beside stream"),
        (HTTP + "stream: {text: a}\nreply: {text: a}", "sut.reply names the words of a whole answer, beside stream"),
        (HTTP + "session: {}", "sut.session is empty; add open, id or close"),
        (HTTP + "session: {open: {url: 'http://h/{t}'}}", "sut.session.open.url has an unknown placeholder {t}"),
        (HTTP + "session: {open: {url: http://h/, headers: {X: '{utterance}'}}}", "unknown placeholder {utterance}"),
        (HTTP + "poll: {url: http://h/}", "the key 'until' is missing in sut.poll"),
        (
            HTTP + "poll: {url: http://h/, until: {path: a}, interval_s: 0}",
            "sut.poll.interval_s must be greater than 0",
        ),
        ("provider: websocket\nurl: http://h/\nsend: '{answer}'", "sut.send has an unknown placeholder {answer}"),
        ("provider: process\ncommand: []", "sut.command is empty"),
        (
            "provider: langgraph\ngraph: ./a.py:g\nconfig: {a: '{utterance}'}",
            "sut.config.a has an unknown placeholder {utter",
        ),
        ("provider: htp\nurl: http://h/", "sut has an unknown provider 'htp'; did you mean 'http'?"),
        ("provider: openai-compatible\nbase_url: http://h/v1\nmodel: m\ncontext: xml", "sut.context must be 'text' or"),
    ],
)
def test_a_mistake_is_told_with_its_line_and_the_way_out(text: str, said: str) -> None:
    message = refused(text)
    assert said in message
    assert "KEY-abc123" not in message


def test_credentials_in_an_address_are_refused_without_showing_them() -> None:
    message = refused("provider: http\nurl: http://bot:s3cretPW@127.0.0.1:9/chat?api_key=KEY-abc123")
    assert message.startswith("s.yaml:4: sut.url must not hold a credential; write {env.NAME}")
    assert not [secret for secret in ("s3cretPW", "KEY-abc123", "bot") if secret in message]
