"""Keys, passwords and secret parameters appear in no log, error, value or repr, whatever goes wrong."""

from __future__ import annotations

import json
import logging
import socket
import traceback
from collections.abc import Iterator

import pytest
from structlog.testing import LogCapture

from hairpin.domain.model_spec import AzureModel, CompatibleModel, ModelLimits, ModelSpec
from hairpin.errors import HairpinError
from hairpin.llm.completion import CallError
from hairpin.llm.model_transport import ModelTransport
from hairpin.testing import FakeAnswer, FakeModelServer, FakeRequest
from tests.llm.transport_fixtures import providers, request

pytestmark = pytest.mark.anyio

PASSWORD, PARAMETER, KEY, AZURE_KEY = "s3cretPW", "KEY-abc123", "sk-test-000111", "TOK-zzz999"
SECRETS = (PASSWORD, PARAMETER, KEY, AZURE_KEY, "Ym90OnMzY3JldFBX")
ENVIRON = {"OPENAI_API_KEY": KEY, "AZURE_OPENAI_API_KEY": AZURE_KEY}
LIMITS = ModelLimits(timeout_s=0.5)
LIBRARIES = ("", "openai", "httpx2", "httpx", "httpcore2", "aiohttp", "asyncio", "langchain_core", "langchain_openai")


@pytest.fixture
def everything_logged(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    """Log all libraries from DEBUG on."""
    with caplog.at_level(logging.DEBUG):
        for name in LIBRARIES:
            logging.getLogger(name).setLevel(logging.DEBUG)
        yield caplog
        for name in LIBRARIES[1:]:
            logging.getLogger(name).setLevel(logging.NOTSET)


def models(base_url: str) -> list[ModelSpec]:
    """Return models that hold each secret in each place."""
    address = f"{base_url}?api_key={PARAMETER}&region=eu"
    return [
        CompatibleModel(base_url=address.replace("://", f"://bot:{PASSWORD}@"), model="m", limits=LIMITS),
        CompatibleModel(base_url=address, model="m", api_key_env="OPENAI_API_KEY", limits=LIMITS),
        AzureModel(
            endpoint=f"{base_url.removesuffix('/v1')}?subscription-key={PARAMETER}",
            deployment="d",
            api_version="1",
            limits=LIMITS,
        ),
    ]


def everything_sent(asked: FakeRequest) -> FakeAnswer:
    """Answer with an error that repeats the whole request, headers and all."""
    echo = {"query": asked.query, "headers": dict(asked.headers), "url": f"http://bot:{PASSWORD}@h/?{asked.query}"}
    return FakeAnswer(status=422, body={"detail": json.dumps(echo), "error": {"message": json.dumps(echo)}})


def echoed_as_answer(asked: FakeRequest) -> FakeAnswer:
    return FakeAnswer(json.dumps({"query": asked.query, "headers": dict(asked.headers)}), finish_reason="length")


def key_refused(asked: FakeRequest) -> FakeAnswer:
    return FakeAnswer.error(401, f"Incorrect API key provided: {dict(asked.headers)} {asked.query}")


def parameter_refused(asked: FakeRequest) -> FakeAnswer:
    return FakeAnswer.error(400, f"Unsupported parameter: 'max_tokens'. {asked.query} {dict(asked.headers)}")


def page(asked: FakeRequest) -> FakeAnswer:
    return FakeAnswer(body=f"<p>{asked.query} {dict(asked.headers)}</p>", content_type="text/html")


ANSWERS = [
    everything_sent,
    echoed_as_answer,
    key_refused,
    parameter_refused,
    page,
    FakeAnswer.hanging(),
    FakeAnswer.cut_off(),
    FakeAnswer(status=302, headers={"Location": f"http://bot:{PASSWORD}@h/"}),
    FakeAnswer("fine"),
]


@pytest.mark.parametrize("traced", [False, True])
@pytest.mark.parametrize("answer", ANSWERS, ids=lambda answer: getattr(answer, "__name__", "answer"))
async def test_no_secret_leaves_whatever_the_server_does(
    answer: FakeAnswer, traced: bool, everything_logged: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    log = LogCapture()
    async with FakeModelServer(default=answer) as server, providers(ENVIRON, log=log, traced=traced) as made:
        said = [await everything_said(made.transport(model)) for model in models(server.base_url)]
        assert sent_secrets(server.requests) == set(SECRETS)
    assert_clean("\n".join([*said, everything_logged.text, repr(log.entries), *capfd.readouterr()]))


async def test_no_secret_leaves_when_nobody_answers(everything_logged: pytest.LogCaptureFixture) -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        base_url = f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
    async with providers(ENVIRON) as made:
        said = [await everything_said(made.transport(model)) for model in models(base_url)]
    assert_clean("\n".join([*said, everything_logged.text]))


async def test_the_run_can_clean_any_text_of_all_its_endpoints() -> None:
    async with providers(ENVIRON) as made:
        for model in models("http://h/v1"):
            made.transport(model)
        assert_clean(made.clean(" ".join(SECRETS)))


async def everything_said(way: ModelTransport) -> str:
    """Ask once; return all that can be seen of the way, of its parts, and of what came of it."""
    model = await way._connect()
    client = model.root_async_client
    seen = [repr(way), str(way), repr(model), str(model), repr(vars(client)), repr(client._client._transport)]
    seen += [model.model_dump_json(exclude={"http_socket_options"}), repr(way.identity), repr(model._reader)]
    try:
        seen.append(repr(await way.complete(request())))
    except (CallError, HairpinError) as error:
        seen += [repr(error), repr(vars(error)), "".join(traceback.format_exception(error))]
        seen += [repr(cause) for cause in (error.__cause__, error.__context__)]
    return "\n".join(seen)


def sent_secrets(requests: tuple[FakeRequest, ...]) -> set[str]:
    """Return the secrets that were sent, in whatever form: else the test would show nothing."""
    sent = " ".join(f"{item.query} {dict(item.headers)}" for item in requests)
    return {secret for secret in SECRETS if secret in sent} | {PASSWORD}


def assert_clean(text: str) -> None:
    found = [secret for secret in SECRETS if secret.lower() in text.lower()]
    assert not found, f"{found} in {text}"
