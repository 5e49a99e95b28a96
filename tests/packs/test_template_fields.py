"""Templates, paths and addresses of assistants reached by configuration: what may be written, and what may not."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import JsonValue, TypeAdapter, ValidationError

from hairpin.packs.template_fields import (
    Headers,
    PathText,
    PollTemplate,
    PollUrlTemplate,
    SessionTemplate,
    SessionUrlTemplate,
    Template,
    TextPath,
    UrlTemplate,
    WebSocketUrlTemplate,
)

SECRETS = ("s3cretPW", "KEY-abc123", "TOK-zzz999")


def refused(field: Any, value: object) -> str:
    with pytest.raises(ValidationError) as caught:
        TypeAdapter(field).validate_python(value)
    (item,) = caught.value.errors()
    context = item["ctx"]
    at = ".".join(str(step) for step in context.get("at", ()))
    return f"{at} {context['what']}; {context['hint']}".strip()


def accepted(field: Any, value: object) -> bool:
    return bool(TypeAdapter(field).validate_python(value) == value)


@pytest.mark.parametrize(
    "template",
    [
        "{utterance}",
        {"m": "{messages}", "c": {"d": "{context.date}"}, "t": ["{t}", 1, None, True], "{{fixed}}": "a {{b}}"},
        {"{turn_id}": "{context.vehicle.battery}"},
        {"api_key": "{env.BOT_KEY}", "auth": {"user": "x", "token": "Bearer {env.TOKEN}"}, "token": ""},
        {"options": {"key": 5}, "max_tokens": 100},
        None,
        7,
    ],
)
def test_templates_hold_any_json_with_placeholders(template: JsonValue) -> None:
    assert accepted(Template, template)


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("{uterance}", "has an unknown placeholder {uterance}; did you mean {utterance}?"),
        (
            {"a": [1, "on {contxt.date}"]},
            "a.1 has an unknown placeholder {contxt.date}; did you mean {context.date}?",
        ),
        ({"a": {"{uterance}": 1}}, "a has an unknown placeholder {uterance}; did you mean {utterance}?"),
        ({"a": "{UTTERANCE}"}, "a has an unknown placeholder {UTTERANCE}; did you mean {utterance}?"),
        ({"a": "{MY_TOK}"}, "a has an unknown placeholder {MY_TOK}; write {env.MY_TOK} for the environment variable"),
        ({"a": "x ${MY_TOK}"}, "a has an unknown placeholder {MY_TOK}; write {env.MY_TOK} for the environment"),
        ({"a": ["{ENV.MY_TOK}"]}, "a.0 has an unknown placeholder {ENV.MY_TOK}; write {env.MY_TOK} for the"),
        ("{ENV.X}", "has an unknown placeholder {ENV.X}; write {env.X} for the environment variable X"),
        ("{user}", "has an unknown placeholder {user}; known here: {context}, {conversation_id}, {env.NAME}, "),
        ("{answer.id}", "has an unknown placeholder {answer.id};"),
        ("{env}", "has {env} without the name of a variable; write {env.NAME}"),
        ("{ utterance }", "has a brace that belongs to no placeholder; write placeholders like {utterance}"),
        ('{"m": "{utterance}"}', "has a brace that belongs to no placeholder"),
        ({"a": [{"b": "{"}]}, "a.0.b has a brace that belongs to no placeholder"),
        ({"{": 1}, "has a brace that belongs to no placeholder"),
        ("{context..date}", "has a brace that belongs to no placeholder"),
        (
            {"m": {"utterance": None}},
            'has {utterance} without quotes, which YAML reads as a mapping; write "{utterance}"',
        ),
        ({"m": [{"context.date": None}]}, "has {context.date} without quotes"),
        ({"env.KEY": None}, "has {env.KEY} without quotes"),
    ],
)
def test_what_is_no_template_is_refused_with_the_way_out(template: JsonValue, said: str) -> None:
    assert refused(Template, template).startswith(said)


def test_which_placeholders_there_are_depends_on_when_a_template_is_filled() -> None:
    assert accepted(SessionTemplate, {"history": "{history}", "id": "{session_id}"})
    assert "unknown placeholder {utterance}" in refused(SessionTemplate, "{utterance}")
    assert "unknown placeholder {t}" in refused(SessionUrlTemplate, "http://h/{t}")
    assert accepted(PollTemplate, "{answer.job.id}")
    assert accepted(PollUrlTemplate, "http://h/{answer.job.id}?t={t}")
    assert 'write "{answer.id}"' in refused(PollTemplate, {"id": {"answer.id": None}})


@pytest.mark.parametrize(
    ("template", "at"),
    [
        ({"api_key": "KEY-abc123"}, "api_key"),
        ({"a": [{"token": "TOK-zzz999"}]}, "a.0.token"),
        ({"api_key": "{env.KEY}", "password": "s3cretPW"}, "password"),
        ({"api_key": "KEY-abc123{{}}"}, "api_key"),
        ({"api_key": "KEY-abc123 {"}, "api_key"),
        ({"key": 123456}, "key"),
    ],
)
def test_a_credential_that_is_written_out_is_refused_and_not_shown(template: JsonValue, at: str) -> None:
    message = refused(Template, template)
    assert message.startswith(f"{at} must not hold a credential; write {{env.NAME}}")
    assert not [secret for secret in SECRETS if secret in message]


@pytest.mark.parametrize("path", ["", "reply", "choices[0].message.content", "a[-1]", "[0].x", "a b.ü-1"])
def test_paths_are_names_and_indices(path: str) -> None:
    assert accepted(PathText, path)


@pytest.mark.parametrize("path", [".a", "a.", "a..b", "a[x]", "a[0", "$[0]]", "a]b"])
def test_what_is_no_path_is_refused(path: str) -> None:
    assert "must be a path: " in refused(PathText, path)
    assert "at character" in refused(PathText, path)


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"X-Where": "{context.location}", "Accept": "text/plain"},
        {"Authorization": "Bearer {env.TOKEN}", "X-Api-Key": "{env.KEY}", "Cookie": "sid={env.SID}; theme=dark"},
        {"Authorization": "Bearer {session_id}"},
    ],
)
def test_headers_are_names_and_templates(headers: dict[str, str]) -> None:
    assert accepted(Headers, headers)


@pytest.mark.parametrize(
    ("headers", "said"),
    [
        ({"X Y": "1"}, "X Y has 'X Y', which is no name of a header"),
        ({"": "1"}, "has '', which is no name of a header"),
        ({"X": "a\r\nY: b"}, "X holds a line break or control character"),
        ({"X-Where": "{contxt}"}, "X-Where has an unknown placeholder {contxt}; did you mean {context}?"),
        ({"X": "{"}, "X has a brace that belongs to no placeholder"),
        ({"Authorization": "Bearer TOK-zzz999"}, "Authorization must not hold a credential; write {env.NAME}"),
        ({"authorization": "Bearer TOK-zzz999 {"}, "authorization must not hold a credential"),
        ({"Cookie": "sid=TOK-zzz999"}, "Cookie must not hold a credential"),
        ({"X-Api-Key": "KEY-abc123{{t}}"}, "X-Api-Key must not hold a credential"),
    ],
)
def test_wrong_headers_are_refused_by_name_and_without_their_value(headers: dict[str, str], said: str) -> None:
    message = refused(Headers, headers)
    assert message.startswith(said)
    assert not [secret for secret in SECRETS if secret in message]


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:8000/chat",
        "https://h/{session_id}/turns?text={utterance}&key={env.KEY}&max_tokens=5",
        "http://{env.HOST}:{env.PORT}/",
        "http://bot:{env.PASSWORD}@h/",
        "http://{env.USER}:{env.PASSWORD}@h/",
        "http://{env.TOKEN}@[::1]:8000/",
    ],
)
def test_addresses_may_hold_placeholders(url: str) -> None:
    assert accepted(UrlTemplate, url)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "localhost:8000/chat",
        "ftp://h/",
        "ws://h/",
        "http://",
        "http://h:0/",
        "http://[::1",
        "http://h/a b",
        "{env.URL}",
    ],
)
def test_what_is_no_address_is_refused(url: str) -> None:
    assert refused(UrlTemplate, url).startswith("must be a http or https URL; write it like http://127.0.0.1:8000/chat")


@pytest.mark.parametrize(
    "url",
    [
        "http://bot:s3cretPW@127.0.0.1:9/chat?api_key=KEY-abc123",
        "http://bot:s3cretPW@127.0.0.1:9/chat",
        "http://bot:s3cretPW@127.0.0.1:9/{",
        "http://bot:s3cretPW@{env.HOST}/{uterance}",
        "http://{env.USER}:s3cretPW@h/",
        "http://TOK-zzz999@h/",
        "http://h/chat?api_key=KEY-abc123",
        "http://h/chat?v=1;api%5Fkey=KEY-abc123",
        "http://h/chat?token=TOK-zzz999{{t}}",
        "http://h/chat#token=TOK-zzz999",
    ],
)
def test_a_credential_in_an_address_is_refused_and_not_shown(url: str) -> None:
    message = refused(UrlTemplate, url)
    assert message.startswith("must not hold a credential; write {env.NAME}")
    assert not [secret for secret in (*SECRETS, "bot") if secret in message]


def test_a_host_does_not_change_from_turn_to_turn() -> None:
    for url in ("http://{utterance}/", "http://h.{context.location}.example/", "http://h:{t}/"):
        assert refused(UrlTemplate, url).startswith("has a host that changes from turn to turn")


def test_sockets_have_schemes_of_their_own() -> None:
    assert accepted(WebSocketUrlTemplate, "wss://{env.TOKEN}@h/{session_id}")
    assert refused(WebSocketUrlTemplate, "ftp://h").startswith("must be a ws or wss or http or https URL")


def test_only_the_path_of_a_text_may_lead_to_several_places() -> None:
    assert accepted(TextPath, "[*].text")
    assert refused(PathText, "events[*].slot").startswith("must be a path: 'events[*].slot' has [*], which stands only")


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ({"m": "{TOK9zzz999}"}, "m has an unknown placeholder; write {env.NAME} for"),
        ({"m": "${AKIAIOSFODNN7EXAMPLE}"}, "m has an unknown placeholder; write {env.NAME} for"),
        ({"m": "{contxt.TOK-zzz999}"}, "m has an unknown placeholder {contxt}; did you mean {context}?"),
        ({"m": "{tokzzztokzzztokzzztokzzz}"}, "m has an unknown placeholder; known here: "),
        ({"m": "{TOK-zzz999}"}, "m has a brace that belongs to no placeholder"),
        ({"m": "TOK-zzz999 {uterance}"}, "m has an unknown placeholder {uterance}"),
    ],
)
def test_what_may_be_a_credential_is_not_shown_as_an_unknown_placeholder(template: JsonValue, said: str) -> None:
    message = refused(Template, template)
    assert message.startswith(said)
    assert not any(secret in message for secret in ("zzz", "AKIA"))
