"""What goes out: values in addresses, headers and bodies of templates, heard by a real server."""

from __future__ import annotations

from typing import Any

import pytest

from hairpin.domain.sut import SessionStart
from hairpin.domain.sut_spec import HttpRequest, HttpSut
from hairpin.domain.users import Context
from hairpin.errors import AdapterFaultError, InvalidInputError, UserError
from hairpin.sut.http_adapter import HttpAdapter
from tests.sut.http_servers import asked, http_sut, serving, session_with

pytestmark = pytest.mark.anyio

CONTEXT = Context(location="Zürich", date="2026-11-29", vehicle={"battery": 40}, reference_text="Closes at 18:00.")

FORM = "application/x-www-form-urlencoded"


def say(text: Any) -> Any:
    return lambda heard: {"reply": text}


async def test_every_part_of_a_conversation_can_be_in_the_body() -> None:
    body: dict[str, Any] = {
        "text": "{utterance}",
        "id": "{conversation_id}",
        "session": "{session_id}",
        "seed": "{rng_seed}",
        "t": "{t}",
        "turn": "{turn_id}",
        "context": "{context}",
        "where": "in {context.location}",
        "before": "{history}",
        "all": "{messages}",
        "time": "{context.time}",
        "fixed": {"{{braces}}": [1, True, None]},
    }
    start = SessionStart(conversation_id="c7", context=CONTEXT, rng_seed=3)
    async with serving(say("Done.")) as server, session_with(http_sut(server, body=body), start=start) as session:
        await session.send("one")
        await session.send("two")
    first, second = server.bodies
    assert first | {"session": "", "turn": ""} == {
        "text": "one",
        "id": "c7",
        "session": "",
        "seed": 3,
        "t": 0,
        "turn": "",
        "context": CONTEXT.model_dump(mode="json"),
        "where": "in Zürich",
        "before": [],
        "all": [{"role": "user", "content": "one"}],
        "time": None,
        "fixed": {"{braces}": [1, True, None]},
    }
    assert second["t"] == 1
    assert second["before"] == [{"role": "user", "content": "one"}, {"role": "assistant", "content": "Done."}]
    assert second["session"] == first["session"]
    assert second["turn"] != first["turn"]


async def test_values_stay_within_their_part_of_the_address() -> None:
    path = "/in/{context.location}/say?text={utterance}&api-version=3&lang=d%C3%A9"
    start = SessionStart(conversation_id="c", context=Context(location="a/b?c#d%2F é"))
    async with serving(say("ok")) as server:
        await asked(http_sut(server, path, method="GET", body=None), "x&y=z+1 #%é\n👍", start=start)
    (heard,) = server.heard
    assert (heard.method, heard.text, heard.path) == ("GET", "", "/in/a/b?c#d%2F é/say")
    assert heard.query == {"text": "x&y=z+1 #%é\n👍", "api-version": "3", "lang": "dé"}
    assert "Content-Type" not in heard.headers


@pytest.mark.parametrize(
    ("fields", "content_type", "sent"),
    [
        ({"body": "{utterance}"}, "text/plain; charset=utf-8", "a&b é"),
        ({"body": "User: {utterance}"}, "text/plain; charset=utf-8", "User: a&b é"),
        ({"body": "{messages}"}, "application/json", '[{"role": "user", "content": "a&b \\u00e9"}]'),
        ({"body": "<m>x</m>", "headers": {"content-type": "text/xml"}}, "text/xml", "<m>x</m>"),
        (
            {"body": {"m": "{utterance}", "n": "{t}", "none": None}, "headers": {"Content-Type": FORM}},
            FORM,
            "m=a%26b+%C3%A9&n=0&none=",
        ),
        ({"body": "m={utterance}&n=1", "headers": {"Content-Type": FORM}}, FORM, "m=a%26b+%C3%A9&n=1"),
    ],
)
async def test_a_text_is_sent_as_it_is_and_all_else_as_json_or_as_the_form_that_the_header_says(
    fields: dict[str, Any], content_type: str, sent: str
) -> None:
    async with serving(say("ok")) as server:
        await asked(http_sut(server, **fields), "a&b é")
    (heard,) = server.heard
    assert (heard.headers["Content-Type"], heard.text) == (content_type, sent)


async def test_a_value_cannot_add_a_header() -> None:
    async with serving(say("ok")) as server:
        spec = http_sut(server, headers={"X-Said": "{utterance}", "X-Where": "{context.location}"})
        with pytest.raises(AdapterFaultError, match=r"X-Said .* cannot hold a line break .*'{utterance}'"):
            await asked(spec, "a\r\nX-Evil: 1")
        start = SessionStart(conversation_id="c", context=Context(location="Zürich"))
        await asked(spec, "plain", start=start)
    assert [heard.headers["X-Said"] for heard in server.heard] == ["plain"]
    assert server.heard[0].headers["X-Where"] == "Zürich"


@pytest.mark.parametrize(
    ("environ", "said"),
    [
        ({}, "environment variable BOT_KEY is not set"),
        ({"BOT_KEY": " "}, "environment variable BOT_KEY is not set"),
        ({"BOT_KEY": "k-1\r\nX-Evil: 1"}, r"BOT_KEY holds characters that no header can have \(Authorization\)"),
    ],
)
async def test_a_missing_or_broken_variable_is_the_users_to_mend(environ: dict[str, str], said: str) -> None:
    spec = HttpSut(request=HttpRequest(url="http://127.0.0.1:9/", headers={"Authorization": "Bearer {env.BOT_KEY}"}))
    with pytest.raises(UserError, match=said) as caught:
        await HttpAdapter(spec, environ=environ).open(SessionStart(conversation_id="c"))
    assert "k-1" not in str(caught.value)


async def test_host_and_login_may_come_from_the_environment() -> None:
    async with serving(lambda heard: "ok") as server:
        host = server.url.removeprefix("http://")
        environ = {"HOST": f" {host}\n", "BOT_USER": "bot", "BOT_PASSWORD": "p@ss:/w"}
        url = "http://{env.BOT_USER}:{env.BOT_PASSWORD}@{env.HOST}/chat"
        await asked(HttpSut(request=HttpRequest(url=url)), environ=environ)
        with pytest.raises(UserError, match=r"http://{env.HOST}/chat is no HTTP address once .*; look at the env"):
            await asked(HttpSut(request=HttpRequest(url=url)), environ={**environ, "HOST": "evil.example/?"})
    assert server.heard[0].headers["Authorization"] == "Basic Ym90OnBAc3M6L3c="


def test_a_login_in_the_address_and_one_in_a_header_are_refused() -> None:
    request = HttpRequest(url="http://{env.A}:{env.B}@127.0.0.1:9/", headers={"authorization": "Bearer {env.C}"})
    with pytest.raises(InvalidInputError, match="both a user name in its address and a header Authorization"):
        HttpAdapter(HttpSut(request=request), environ={})
