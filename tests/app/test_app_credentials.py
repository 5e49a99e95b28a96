"""What must be there before a run has a folder: keys, model files, the file of the cache."""

from __future__ import annotations

from pathlib import Path

import pytest

from hairpin.app.credentials import credentials_of, require_access
from hairpin.domain.model_spec import CompatibleModel, ModelSpec, OpenAiModel
from hairpin.domain.outcome import Role
from hairpin.domain.panels import Seat
from hairpin.domain.scenario import Scenario
from hairpin.domain.sut_spec import (
    HttpPolling,
    HttpRequest,
    HttpSession,
    HttpSut,
    LangGraphSut,
    Match,
    ProcessSut,
    SutSpec,
    WebSocketSut,
)
from hairpin.errors import InvalidInputError, ModelSetupError
from hairpin.settings import Settings
from tests.packs.pack_files import SCENARIO, load

OWN = CompatibleModel(base_url="http://127.0.0.1:9/v1", model="m", api_key_env="MY_JUDGE_KEY")
OPENAI = OpenAiModel(model="m")
NO_KEYS = Settings(environ={})
KEYS = Settings(environ={"MY_JUDGE_KEY": "k-1", "OPENAI_API_KEY": "k-2"})


def scenario_of(sut: SutSpec, tmp_path: Path) -> Scenario:
    return load(tmp_path).model_copy(update={"sut": sut})


def test_all_missing_keys_are_named_at_once_each_with_the_roles_that_need_it() -> None:
    models: dict[Role | Seat, ModelSpec] = {
        Role.SIMULATOR: OPENAI,
        Role.TURN_JUDGE: OWN,
        Role.CONVERSATION_JUDGE: OPENAI,
    }
    with pytest.raises(ModelSetupError) as caught:
        require_access(models, NO_KEYS)
    first, second = str(caught.value).splitlines()
    assert first.startswith("simulator, conversation judge: environment variable OPENAI_API_KEY is not set")
    assert second.startswith("turn judge: environment variable MY_JUDGE_KEY is not set")


def test_a_cache_that_cannot_be_used_is_found_before_anything_runs(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match="does not exist"):
        require_access({Role.TURN_JUDGE: OWN}, KEYS, cache=tmp_path / "gone" / "answers.db")
    other = tmp_path / "notes.txt"
    other.write_text("not a database, whatever its name says", encoding="utf-8")
    with pytest.raises(InvalidInputError, match=r"notes\.txt"):
        require_access({Role.TURN_JUDGE: OWN}, KEYS, cache=other)


def test_with_keys_and_a_usable_cache_nothing_is_said(tmp_path: Path) -> None:
    cache = tmp_path / "answers.db"
    require_access({Role.TURN_JUDGE: OWN, Role.SIMULATOR: OPENAI}, KEYS, cache=cache)
    assert cache.is_file()
    require_access({}, NO_KEYS, cache=None)


@pytest.mark.parametrize(
    "sut",
    [
        HttpSut(request=HttpRequest(url="http://{env.A}:{env.B}@h/", headers={"X": "{env.C}"}, body=["{env.D}"])),
        HttpSut(
            request=HttpRequest(url="http://h/"),
            session=HttpSession(
                open=HttpRequest(url="http://{env.A}:{env.B}@h/"), close=HttpRequest(url="http://h/?k={env.C}")
            ),
            poll=HttpPolling(request=HttpRequest(url="http://h/", body="{env.D}"), until=Match(path="x")),
        ),
        WebSocketSut(url="ws://{env.A}:{env.B}@h/", headers={"X": "{env.C}"}, hello={"k": "{env.D}"}),
    ],
)
def test_every_variable_that_a_template_names_is_a_secret_and_so_is_a_login_made_of_them(
    tmp_path: Path, sut: SutSpec
) -> None:
    environ = {"A": " user-1\n", "B": "pass/word", "C": "key-12345", "D": "key-67890", "E": "harmless-1"}
    redactor = credentials_of(scenario_of(sut, tmp_path), environ)
    said = "user-1 pass/word pass%2Fword key-12345 key-67890 dXNlci0xOnBhc3Mvd29yZA== harmless-1"
    assert redactor.clean(said) == "*** *** *** *** *** *** harmless-1"


def test_the_variables_of_programs_and_graphs_are_secrets_too(tmp_path: Path) -> None:
    environ = {"A": "key-12345", "B": "key-67890"}
    process = ProcessSut(command=("bot",), environment={"KEY": "{env.A}"}, send={"k": "{env.B}"})
    graph = LangGraphSut(reference="a:b", input={"k": "{env.A}"}, config={"configurable": {"key": "{env.B}"}})
    for sut in (process, graph):
        assert credentials_of(scenario_of(sut, tmp_path), environ).clean("key-12345 key-67890") == "*** ***"


def test_a_missing_variable_is_told_elsewhere(tmp_path: Path) -> None:
    sut = HttpSut(request=HttpRequest(url="http://{env.HOST}/{env.KEY}"))
    assert credentials_of(scenario_of(sut, tmp_path), {"KEY": "key-12345"}).clean("key-12345") == "***"


def test_the_key_and_the_login_of_an_encoder_are_known(tmp_path: Path) -> None:
    encoder = "{model: m, base_url: 'http://u:pass-word@127.0.0.1/v1', api_key_env: EMBEDDINGS_KEY}"
    scenario = load(tmp_path, SCENARIO + f"campaign: {{time: 1m, encoder: {encoder}}}\n")
    clean = credentials_of(scenario, {"EMBEDDINGS_KEY": "k-34567"}).clean
    assert clean("sent k-34567 and pass-word") == "sent *** and ***"
