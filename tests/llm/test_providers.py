"""Which models there are, where they are reached and with what, and what the roles of a run share."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path

import anyio
import pytest

from hairpin.domain.model_spec import AzureModel, CompatibleModel, LocalModel, ModelLimits, ModelSpec, OpenAiModel
from hairpin.errors import InvalidInputError, ModelSetupError, ProviderStoppedError
from hairpin.llm import model_identity
from hairpin.llm.completion import CallError
from hairpin.llm.local_models import LocalModels, SharedServer
from hairpin.llm.model_identity import ModelIdentity, identify
from hairpin.testing import FakeModelServer
from tests.llm.local_server_fixtures import model_file, put_stand_in, wait_until_gone
from tests.llm.transport_fixtures import providers, request, spec

pytestmark = pytest.mark.anyio

AZURE = AzureModel(endpoint="https://me.openai.azure.com/", deployment="judge", api_version="2024-10-21")


def identity_of(model: ModelSpec, **environ: str) -> ModelIdentity:
    return identify(model, environ=environ, default_gguf=None)


def test_a_model_of_openai_is_reached_at_openai_whatever_the_environment_says() -> None:
    identity = identity_of(OpenAiModel(model="gpt-5"), OPENAI_BASE_URL="http://evil/v1", OPENAI_API_KEY="sk")
    assert identity == ModelIdentity(
        provider="openai",
        model="gpt-5",
        endpoint="https://api.openai.com/v1",
        endpoint_key="https://api.openai.com/v1 OPENAI_API_KEY",
        hosts=("api.openai.com",),
        key_variable="OPENAI_API_KEY",
        key_present=True,
    )
    assert identity.name == "openai gpt-5"


def test_a_deployment_is_an_endpoint_of_its_own() -> None:
    identity = identity_of(AZURE)
    assert identity.endpoint == "https://me.openai.azure.com/openai/deployments/judge"
    assert (identity.model, identity.hosts) == ("judge", ("me.openai.azure.com",))
    assert (identity.key_variable, identity.key_present) == ("AZURE_OPENAI_API_KEY", False)


def test_of_an_address_only_the_public_part_is_shown() -> None:
    model = CompatibleModel(base_url="http://bot:s3cretPW@h:81/v1/?api_key=KEY-abc123", model="m")
    identity = identity_of(model)
    assert (identity.endpoint, identity.hosts, identity.key_present) == ("http://h:81/v1", ("h:81",), True)
    assert not any(secret in repr(identity) for secret in ("s3cretPW", "KEY-abc123"))


def test_a_model_file_is_named_and_contacts_nobody(tmp_path: Path) -> None:
    identity = identify(LocalModel(), environ={}, default_gguf=tmp_path / "small.gguf")
    assert (identity.endpoint, identity.model, identity.hosts) == ("local:small.gguf", "small.gguf", ())


def test_models_share_limits_where_endpoint_and_key_are_the_same() -> None:
    keys = [
        identity_of(CompatibleModel(base_url=base_url, model=model, api_key_env=variable)).endpoint_key
        for base_url, model, variable in [
            ("http://h/v1", "a", "K"),
            ("http://h/v1/", "b", "K"),
            ("http://h/v1", "a", "L"),
            ("http://i/v1", "a", "K"),
        ]
    ]
    assert keys[0] == keys[1]
    assert len(set(keys)) == 3


@pytest.mark.parametrize(
    ("model", "environ", "said"),
    [
        (OpenAiModel(model="m"), {}, "environment variable OPENAI_API_KEY is not set.*https://api.openai.com/v1"),
        (OpenAiModel(model="m"), {"OPENAI_API_KEY": " "}, "OPENAI_API_KEY is not set"),
        (OpenAiModel(model="m"), {"OPENAI_API_KEY": "sk\u2013x"}, "OPENAI_API_KEY holds characters that no key has"),
        (AZURE, {"OPENAI_API_KEY": "sk"}, "AZURE_OPENAI_API_KEY is not set"),
        (CompatibleModel(base_url="http://u:p@h/", model="m", api_key_env="K"), {"K": "k"}, "both a user name"),
        (LocalModel(), {}, "HAIRPIN_GGUF"),
    ],
)
async def test_a_missing_or_broken_key_is_the_users_to_mend(
    model: ModelSpec, environ: dict[str, str], said: str
) -> None:
    async with providers(environ) as made:
        with pytest.raises(ModelSetupError, match=said):
            made.transport(model)


async def test_what_is_no_address_and_what_hairpin_sets_are_refused() -> None:
    async with providers() as made:
        with pytest.raises(InvalidInputError, match="base_url"):
            made.transport(CompatibleModel(base_url="localhost:8000", model="m"))
        with pytest.raises(InvalidInputError, match="max_output_tokens"):
            made.transport(spec("http://h/v1", parameters={"max_tokens": 5}))


async def test_the_key_goes_out_as_a_bearers() -> None:
    async with FakeModelServer("x") as server, providers({"K": " k-123 "}) as made:
        await made.transport(spec(server.base_url, api_key_env="K")).complete(request())
    assert server.requests[0].headers["Authorization"] == "Bearer k-123"


async def test_login_and_query_of_an_address_go_out_with_every_request() -> None:
    async with FakeModelServer("x") as server, providers() as made:
        address = server.base_url.replace("://", "://bot:pw@") + "?api_key=K&tier=2"
        await made.transport(spec(address)).complete(request())
    assert server.requests[0].headers["Authorization"] == "Basic Ym90OnB3"
    assert server.requests[0].query == "api_key=K&tier=2"


async def test_a_deployment_is_asked_the_way_azure_wants_it() -> None:
    path = "/openai/deployments/judge/chat/completions"
    async with FakeModelServer("x") as server, providers({"AZURE_OPENAI_API_KEY": "az-1"}) as made:
        model = AZURE.model_copy(update={"endpoint": server.base_url.removesuffix("/v1"), "model": "gpt-5"})
        assert (await made.transport(model).complete(request())).text == "x"
    sent = server.requests[0]
    assert (sent.path, sent.query) == (path, "api-version=2024-10-21")
    assert sent.headers["api-key"] == "az-1"
    assert "Authorization" not in sent.headers
    assert isinstance(sent.body, dict)
    assert (sent.body["model"], sent.body["max_completion_tokens"]) == ("judge", 64)


async def test_the_environment_sends_no_request_elsewhere_and_adds_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    async with FakeModelServer() as elsewhere, FakeModelServer("x") as server:
        for name in ("OPENAI_BASE_URL", "OPENAI_API_BASE", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "OPENAI_PROXY"):
            monkeypatch.setenv(name, elsewhere.base_url)
        for name in ("OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "OPENAI_ORG_ID", "OPENAI_ORGANIZATION", "OPENAI_PROJECT_ID"):
            monkeypatch.setenv(name, "of-the-environment")
        monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Hidden: of-the-environment")
        monkeypatch.setattr(model_identity, "OPENAI_ADDRESS", server.base_url)
        async with providers({"OPENAI_API_KEY": "sk-own"}) as made:
            assert (await made.transport(OpenAiModel(model="m")).complete(request())).text == "x"
    assert elsewhere.requests == ()
    assert "of-the-environment" not in repr(server.requests[0])


async def test_a_model_that_only_newer_interfaces_offer_is_still_asked_for_a_chat_completion() -> None:
    async with FakeModelServer("x") as server, providers(traced=True) as made:
        await made.transport(spec(server.base_url, model="gpt-5-codex")).complete(request())
    assert server.requests[0].path == "/v1/chat/completions"


async def test_roles_on_one_endpoint_share_its_connections() -> None:
    async with FakeModelServer("x", "y") as server, providers() as made:
        ways = [made.transport(spec(server.base_url, model=name)) for name in ("a", "b")]
        models = [await way._connect() for way in ways]
        assert models[0].root_async_client._client is models[1].root_async_client._client


@pytest.mark.skipif(sys.platform != "linux", reason="looks at processes through /proc")
class TestModelFiles:
    @pytest.fixture(autouse=True)
    def _stand_in(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        put_stand_in(tmp_path, monkeypatch)

    async def test_all_roles_on_one_file_share_one_process_started_by_the_first_request(self, tmp_path: Path) -> None:
        gguf = str(model_file(tmp_path))
        async with providers() as made:
            ways = [made.transport(LocalModel(gguf=gguf, limits=ModelLimits(concurrency=n))) for n in (4, 2, 3)]
            (server,) = made._local._servers.values()
            assert server.pid is None
            async with anyio.create_task_group() as group:
                for way in ways:
                    group.start_soon(way.complete, request())
            pid = server.pid
            assert pid is not None
            completion = await ways[0].complete(request())
        await wait_until_gone(pid)
        assert '"n_parallel": 3' in completion.text  # a slot for each, although only two requests come at once
        assert '"model": "good.gguf"' in completion.text
        assert '"max_tokens": 64' in completion.text

    async def test_a_file_is_loaded_before_anything_is_measured_when_asked_to(self, tmp_path: Path) -> None:
        async with providers(default_gguf=model_file(tmp_path)) as made:
            way = made.transport(LocalModel())
            await way.prepare()
            (server,) = made._local._servers.values()
            assert server.pid is not None

    async def test_a_file_that_cannot_be_used_is_the_users_to_mend(self, tmp_path: Path) -> None:
        async with providers() as made:
            with pytest.raises(ModelSetupError, match="cannot be read"):
                made.transport(LocalModel(gguf=str(tmp_path / "none.gguf")))
            with pytest.raises(ModelSetupError, match="cannot be loaded"):
                await made.transport(LocalModel(gguf=str(model_file(tmp_path, "broken")))).complete(request())

    async def test_a_server_that_a_prompt_brings_down_comes_up_anew_a_few_times(self, tmp_path: Path) -> None:
        async with providers(default_gguf=model_file(tmp_path)) as made:
            way, pids = made.transport(LocalModel()), set[int | None]()

            async def bring_down_again_and_again() -> None:
                for _ in range(1000):
                    with suppress(CallError):
                        await way.complete(request("die"))
                    pids.update(server.pid for server in made._local._servers.values())

            with pytest.raises(ProviderStoppedError, match="ended by itself"):
                await bring_down_again_and_again()
        assert len(pids - {None}) == 3

    async def test_servers_of_different_sizes_are_different_servers(self, tmp_path: Path) -> None:
        local, gguf = LocalModels(), model_file(tmp_path)

        def server(context_tokens: int) -> SharedServer:
            return local.server(gguf, context_tokens=context_tokens, n_parallel=1)

        assert server(512) is server(512)
        assert server(512) is not server(1024)
