"""Assistants reached by configuration as data: their templates, their hosts, and what of them is a place."""

from __future__ import annotations

import pytest

from hairpin.domain.sut_spec import (
    HttpPolling,
    HttpRequest,
    HttpSession,
    HttpSut,
    LangGraphSut,
    Match,
    ProcessSut,
    SutSpec,
    TestbedSut,
    WebSocketSut,
)
from hairpin.sut.configured import hosts_of, templates_of, without_places

HTTP = HttpSut(
    request=HttpRequest(url="http://u:{env.P}@h:1/a?b={t}", headers={"X": "{env.X}"}, body={"url": "http://k/"}),
    session=HttpSession(open=HttpRequest(url="http://h:1/open", body="{context}")),
    poll=HttpPolling(request=HttpRequest(url="https://{env.HOST}/poll"), until=Match(path="x")),
)


def test_every_template_of_every_request_is_found() -> None:
    found = templates_of(HTTP)
    for part in (
        "http://u:{env.P}@h:1/a?b={t}",
        "{env.X}",
        {"url": "http://k/"},
        "{context}",
        "https://{env.HOST}/poll",
    ):
        assert part in found
    assert templates_of(TestbedSut()) == ()


@pytest.mark.parametrize(
    ("spec", "hosts"),
    [
        (HTTP, ("h:1", "{env.HOST}")),
        (WebSocketSut(url="wss://{env.T}@h/a"), ("h",)),
        (ProcessSut(command=("bot",)), ()),
        (LangGraphSut(reference="a:b"), ()),
    ],
)
def test_the_hosts_are_those_of_its_addresses_without_logins(spec: SutSpec, hosts: tuple[str, ...]) -> None:
    assert hosts_of(spec) == hosts


def test_without_places_an_address_is_its_path_and_a_variable_has_no_name() -> None:
    found = without_places(HTTP.model_dump(mode="json"))
    assert found["request"] == {
        "url": "/a",
        "method": "POST",
        "headers": {"X": "{env}"},
        "body": {"url": "http://k/"},
    }, "an address in a body is what is said, not where"
    assert "h:1" not in str(found)
    assert not {"retries", "max_sessions"} & set(found)
