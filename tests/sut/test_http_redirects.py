"""Redirects: followed on the configured host, told everywhere else."""

from __future__ import annotations

from typing import Any

import pytest

from hairpin.domain.sut_spec import HttpRequest, HttpSut
from hairpin.errors import SutError
from tests.sut.http_servers import Heard, asked, http_sut, serving, status

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("code", [307, 308])
async def test_a_redirect_on_the_host_is_followed_with_method_and_body(code: int) -> None:
    def answer(heard: Heard) -> Any:
        return status(code, Location="/chat/?v=2#x") if heard.path == "/chat" else {"reply": "ok"}

    async with serving(answer) as server:
        spec = http_sut(server, headers={"Authorization": "Bearer {env.KEY}"})
        assert (await asked(spec, environ={"KEY": "key-12345"})).text == "ok"
    first, second = server.heard
    assert (second.method, second.path, dict(second.query)) == ("POST", "/chat/", {"v": "2"})
    assert (second.text, second.headers["Authorization"]) == (first.text, "Bearer key-12345")


@pytest.mark.parametrize("code", [301, 302, 303, 307, 308])
async def test_a_get_survives_every_redirect_on_its_host(code: int) -> None:
    def answer(heard: Heard) -> Any:
        return status(code, Location="/new") if heard.path == "/chat" else {"reply": "ok"}

    async with serving(answer) as server:
        assert (await asked(http_sut(server, method="GET", body=None))).text == "ok"


@pytest.mark.parametrize("code", [301, 302, 303])
async def test_a_redirect_that_would_lose_the_turn_is_an_error(code: int) -> None:
    async with serving(lambda heard: status(code, Location="/new")) as server:
        with pytest.raises(SutError, match=f"a POST with status {code}, a redirect that would lose .* into 'url'"):
            await asked(http_sut(server))
    assert len(server.heard) == 1


@pytest.mark.parametrize("location", ["http://127.0.0.1:1/x?token=key-12345", "https://{host}/chat", "//example.org/"])
async def test_a_redirect_to_another_host_is_told_and_nothing_is_sent_there(location: str) -> None:
    async with serving(lambda heard: status(307, Location=location.replace("{host}", heard.headers["Host"]))) as server:
        spec = http_sut(server, headers={"Authorization": "Bearer {env.KEY}"})
        with pytest.raises(SutError, match=r"redirects to https?://[^/]+, which is not followed: ") as error:
            await asked(spec, environ={"KEY": "key-12345"})
    assert len(server.heard) == 1
    assert "key-12345" not in str(error.value)


async def test_a_login_in_the_new_address_is_not_used() -> None:
    def answer(heard: Heard) -> Any:
        new = f"http://evil:pw@{heard.headers['Host']}/new"
        return status(307, Location=new) if heard.path == "/chat" else {"reply": "ok"}

    async with serving(answer) as server:
        await asked(http_sut(server))
    assert "Authorization" not in server.heard[1].headers


@pytest.mark.parametrize("location", [{}, {"Location": "http://["}, {"Location": "javascript:alert(1)"}])
async def test_a_redirect_to_nowhere_is_an_error(location: dict[str, str]) -> None:
    async with serving(lambda heard: status(307, **location)) as server:
        with pytest.raises(SutError, match="status 307 without a usable address to go to"):
            await asked(http_sut(server))


async def test_redirects_without_end_are_an_error() -> None:
    async with serving(lambda heard: status(307, Location=f"{heard.path}x")) as server:
        with pytest.raises(SutError, match="redirects more than 5 times"):
            await asked(http_sut(server))
    assert len(server.heard) == 6


async def test_a_session_is_not_opened_by_a_redirect_either() -> None:
    async with serving(lambda heard: status(302, Location="/login")) as server:
        spec = HttpSut.model_validate(
            {"request": {"url": server.url}, "session": {"open": HttpRequest(url=server.url + "/sessions")}}
        )
        with pytest.raises(SutError, match="/sessions answered a POST with status 302"):
            await asked(spec)
