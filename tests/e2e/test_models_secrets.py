"""Planted credentials, echoed by everybody who gets them, are in nothing that a run writes or prints (B19)."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pydantic import JsonValue

from hairpin.campaign.events import SilentListener
from hairpin.domain.plan import PlannedConversation
from hairpin.settings import LogLevel, read_settings
from hairpin.testing import Answer, FakeAnswer, FakeModelServer, FakeRequest
from hairpin.testing.role_player import play_roles
from tests.e2e.model_runs import LINE, SCORE, TURN, form_of, model_at, run_models, scenario_of, write_scenario

if TYPE_CHECKING:
    from tests.cli.conftest import Cli
    from tests.e2e.conftest import Workspace

PASSWORD, URL_KEY, TOKEN, MODEL_KEY = "s3cretPW", "KEY-abc123", "TOK-zzz999", "sk-test-000111"
ENVIRONMENT = {"JUDGE_TOKEN": TOKEN, "ROLE_KEY": MODEL_KEY}
BASIC = base64.b64encode(f"bot:{PASSWORD}".encode()).decode()
PLANTED = (PASSWORD, URL_KEY, TOKEN, MODEL_KEY, BASIC)
PHRASES: JsonValue = ["Guide me to Marienplatz", *(f"Find a {p}" for p in ("pharmacy", "bakery", "hotel", "museum"))]
FORMATS = ("report.html", "report.json", "junit.xml")


def echo_of(request: FakeRequest) -> str:
    headers = dict(request.headers)
    return json.dumps({"path": f"{request.path}?{request.query}", "headers": headers})


class EchoingRole:
    """Play every role, and put the whole request into whatever can hold a text; for some answer with it as an error."""

    def __init__(self) -> None:
        self.has_been_busy = False

    def __call__(self, request: FakeRequest) -> Answer:
        said = str(request.messages)
        if "Find a pharmacy" in said and form_of(request) == SCORE:
            return FakeAnswer.error(422, f"I cannot read {echo_of(request)}")
        if "Find a bakery" in said and form_of(request) == TURN and not self.has_been_busy:
            self.has_been_busy = True
            return FakeAnswer.error(503, f"busy with {echo_of(request)}")
        answer = json.loads(play_roles(request))
        for field in ("reasoning", "thought"):
            if field in answer:
                answer[field] += f" I was asked: {echo_of(request)}"
        if "Find a museum" in said and form_of(request) == LINE:
            assert URL_KEY in request.query
            answer["utterance"] += f" It is {URL_KEY}."
        return json.dumps(answer)


def echoing_assistant(request: FakeRequest) -> Answer:
    if "Find a hotel" in request.last_user_text:
        return FakeAnswer.error(422, f"I cannot read {echo_of(request)}")
    return f"You sent {echo_of(request)}"


def with_secrets(base_url: str) -> str:
    return base_url.replace("http://", f"http://bot:{PASSWORD}@") + f"?api_key={URL_KEY}"


def models_of(server: FakeModelServer) -> dict[str, JsonValue]:
    """Return models that have one kind of credential each."""
    return {
        "default": model_at(server, base_url=with_secrets(server.base_url)),
        "turn_judge": model_at(server, api_key_env="ROLE_KEY"),
        "conversation_judge": model_at(server, api_key_env="JUDGE_TOKEN"),
    }


def leaks_in(folder: Path) -> list[str]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert {"log.jsonl", "run.sqlite", "scenario.yaml", "summary.json", "report.html"} <= {path.name for path in files}
    return leaks({str(path): path.read_bytes().decode("utf-8", "replace") for path in files})


def leaks(texts: dict[str, str]) -> list[str]:
    return [
        f"{name}: …{text[max(0, at - 160) : at + 60]}…"
        for name, text in texts.items()
        for secret in PLANTED
        if (at := text.lower().find(secret.lower())) >= 0
    ]


def test_nothing_of_a_run_at_debug_holds_a_credential_though_everybody_echoes_them(
    workspace: Workspace, quick: Cli
) -> None:
    with FakeModelServer(default=EchoingRole()) as roles, FakeModelServer(default=echoing_assistant) as assistant:
        sut = model_at(assistant, base_url=with_secrets(assistant.base_url))
        scenario = scenario_of(models_of(roles), sut=sut, seed_phrases=PHRASES)
        write_scenario(workspace.folder, scenario)
        run = workspace.hairpin("run", "s.yaml", "--no-canary", "--log-level", "debug", env=ENVIRONMENT)
        sent = [str(dict(request.headers)) + request.query for request in (*roles.requests, *assistant.requests)]
        hosts = [server.base_url.removeprefix("http://") for server in (roles, assistant)]
    assert all(secret in str(sent) for secret in (BASIC, URL_KEY, TOKEN, MODEL_KEY)), "they were sent all the same"
    folder = workspace.run_folder()
    report = quick("report", str(folder), "--format", "html,json,junit")
    show = quick("show", str(folder), "c0002")
    assert {path.name for path in folder.iterdir()} >= set(FORMATS), run.err + report.err
    assert leaks_in(folder) == []
    assert leaks({"run": run.out + run.err, "report": report.out + report.err, "show": show.out + show.err}) == []
    assert all(host in (folder / "scenario.yaml").read_text() for host in hosts), "host and path stay readable"
    assert hosts[0] in (folder / "summary.json").read_text()
    log = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
    assert any("busy with" in str(line) for line in log), "errors are logged, in the provider's words"
    assert json.loads((folder / "summary.json").read_text())["stop_reasons"] == {
        "provider_error": 1,
        "simulator_fault": 1,
        "sut_error": 1,
        "turns_exhausted": 2,
    }


class BrokenListener(SilentListener):
    """Breaks Hairpin itself, with everything it knows in the error."""

    def conversation_started(self, planned: PlannedConversation) -> None:
        raise RuntimeError(f"broken while holding {PLANTED} for http://bot:{PASSWORD}@h/v1?api_key={URL_KEY}")


def raising(utterance: str) -> str:
    raise RuntimeError(f"broken while holding {PLANTED}")


@pytest.mark.anyio
@pytest.mark.parametrize("where", ["in the adapter", "in Hairpin itself"])
async def test_an_exception_that_holds_credentials_is_stored_and_logged_without_them(
    tmp_path: Path, where: str
) -> None:
    async with FakeModelServer(default=play_roles) as roles:
        run = await run_models(
            tmp_path,
            scenario_of(models_of(roles)),
            sut=raising if where == "in the adapter" else lambda utterance: "fine",
            listener=SilentListener() if where == "in the adapter" else BrokenListener(),
            settings=read_settings(ENVIRONMENT),
            log_level=LogLevel.DEBUG,
        )
    assert run.finished.exit_code == 3
    assert "broken while holding" in run.html
    assert leaks_in(run.folder) == []
    assert leaks({"error": str(run.finished.error), "report": run.finished.report.model_dump_json()}) == []
