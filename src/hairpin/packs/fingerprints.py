"""What of a scenario goes into a run's fingerprint, as named digests.

Two runs whose parts are equal asked the same of assistants; who the assistant is, the adapter says.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from pydantic import BaseModel, JsonValue

from hairpin.domain.arm import Arm
from hairpin.domain.checks import CheckSpec, FunctionCheck
from hairpin.domain.fingerprint import digest
from hairpin.domain.model_spec import AzureModel, LocalModel, ModelSpec
from hairpin.domain.relations import MetamorphicSpec
from hairpin.domain.scenario import Scenario
from hairpin.domain.sut_spec import LangGraphSut, ProcessSut, PythonSut, SutSpec
from hairpin.domain.users import Persona
from hairpin.packs.dump import model_without_credentials, without_credentials
from hairpin.packs.files import read_file
from hairpin.packs.functions import referenced_file
from hairpin.sut.configured import without_places

_HOW_REACHED = {"base_url", "endpoint", "api_key_env", "limits", "price"}
"""Where a model is reached and how hard it is driven; neither what it is nor how it is asked."""

_NOT_SETTINGS = {
    "title",
    "tags",
    "sut",
    "rubric",
    "strategies",
    "personas",
    "models",
    "panels",
    "origins",
    "checks",
    "script",
    "tasks",
    "campaign",
    "test_seeds",
    "metamorphic",
}

_CAMPAIGN_SETTINGS = {"arms", "pairing", "max_turns", "pools"}
"""What decides whom assistants meet. The others say for how long, how often and at what pace: time and how arms share
it, numbers of conversations, of failures, of runs and of retries."""


_PLACE_OF_TEST_SEEDS = {"file", "format", "strict"}
"""What is in the file counts, not where it is, how it is written or what becomes of broken records."""

_HOW_ENCODED = {"device", "batch_size", "base_url", "api_key_env"}
"""Where an encoder runs and how hard it is driven."""


def scenario_fingerprint_parts(scenario: Scenario) -> dict[str, str]:
    """Return the digests of a scenario: packs, rubric, strategies, personas, settings, sut, models, files.

    ``settings`` leaves out title and tags, of a campaign how long it is and how often it is run, and what test seeds
    hold: who reads them adds their digest. ``sut`` leaves out the host, the names of variables and the folders, so that
    neither a rename nor another machine changes them; it is of all assistants where a campaign has its own. ``models``
    holds what the model of each role is and how it is asked; of a local one the file's name. ``user_files`` holds the
    bytes of the user's Python files that check replies; ``sut_files`` those of the assistants: Python files, and files
    beside the scenario that the command of a program names.

    Raises:
        InvalidInputError: a user's file cannot be read any more.
    """
    packs = sorted((o.kind, o.name, o.digest) for o in scenario.origins if o.kind != "scenario")
    return {
        "packs": _digest(packs),
        "rubric": _digest(_data(scenario.rubric)),
        "strategies": _digest([_data(strategy) for strategy in scenario.strategies]),
        "personas": _digest([_data(persona) for persona in _personas(scenario)]),
        "settings": _digest(_settings(scenario)),
        "sut": _digest(_assistants(scenario)),
        "models": _digest(_models(scenario)),
        "user_files": _digest(sorted(set(_files_of_checks(scenario)))),
        "sut_files": _digest(sorted(set(_files_of_assistants(scenario)))),
    }


def _settings(scenario: Scenario) -> dict[str, object]:
    settings: dict[str, object] = scenario.model_dump(mode="json", exclude=_NOT_SETTINGS)
    settings["checks"] = _checks(scenario.checks)
    settings["script"] = [(turn.user, _checks(turn.checks)) for turn in scenario.script]
    if scenario.campaign is not None:
        told = scenario.campaign.model_dump(mode="json", include=_CAMPAIGN_SETTINGS)
        baseline = scenario.campaign.baseline
        learnt = {"learning": _data(scenario.campaign.learning)} if Arm.LEARNED in scenario.campaign.arms else {}
        settings["campaign"] = {**told, **learnt, "baseline": [baseline.persona.id, baseline.max_turns]}
    if scenario.test_seeds is not None:
        settings["test_seeds"] = scenario.test_seeds.model_dump(mode="json", exclude=_PLACE_OF_TEST_SEEDS)
    if scenario.metamorphic is not None:
        settings["metamorphic"] = _metamorphic(scenario.metamorphic)
    return settings


def _metamorphic(spec: MetamorphicSpec) -> dict[str, JsonValue]:
    """Return how conversations are replayed; of the encoder what it is, of a folder its name."""
    encoder = spec.encoder.model_dump(mode="json", exclude=_HOW_ENCODED)
    model = spec.encoder.model
    named = Path(model).name if model.startswith(("/", "~")) else model
    return {**_data(spec), "encoder": {**encoder, "model": named}}


def _personas(scenario: Scenario) -> tuple[Persona, ...]:
    return scenario.personas if scenario.campaign is None else (*scenario.personas, scenario.campaign.baseline.persona)


def _suts(scenario: Scenario) -> Mapping[str, SutSpec]:
    """Return the assistants of a campaign by label, else the scenario's own."""
    return (scenario.campaign.suts if scenario.campaign else None) or {"": scenario.sut}


def _assistants(scenario: Scenario) -> object:
    told = {label: without_places(_data(without_credentials(sut))) for label, sut in _suts(scenario).items()}
    return told.get("", told)


def _models(scenario: Scenario) -> dict[str, JsonValue]:
    told: dict[str, JsonValue] = {role.value: _model(model) for role, model in scenario.models.items()}
    for role, panel in scenario.panels.items():
        members: list[JsonValue] = [None if member is None else _model(member) for member in panel.members]
        told[role.value] = {"panel": members, "repeats": panel.repeats}
    return told


def _model(model: ModelSpec) -> dict[str, JsonValue]:
    """Return what ``model`` is and how it is asked; who knows what is deployed need not know its name there."""
    told = {key: value for key, value in _data(model_without_credentials(model)).items() if key not in _HOW_REACHED}
    if isinstance(model, AzureModel) and model.model:
        del told["deployment"]
    if isinstance(model, LocalModel) and model.gguf is not None:
        told["gguf"] = Path(model.gguf).name
    return told


def _checks(checks: Sequence[CheckSpec]) -> list[dict[str, object]]:
    return [check.model_dump(mode="json", exclude={"folder"}) for check in checks]


def _files_of_checks(scenario: Scenario) -> Iterator[tuple[str, str]]:
    """Yield name and digest of every Python file of the user's that checks replies."""
    for check in _all_checks(scenario):
        if isinstance(check, FunctionCheck):
            yield from _python_file(check.reference, check.folder)


def _files_of_assistants(scenario: Scenario) -> Iterator[tuple[str, str]]:
    """Yield name and digest of every file of the user's that an assistant is made of."""
    for sut in _suts(scenario).values():
        if isinstance(sut, PythonSut | LangGraphSut):
            yield from _python_file(sut.reference, sut.folder)
        elif isinstance(sut, ProcessSut):
            yield from _files_of_command(sut)


def _python_file(reference: str, folder: str | None) -> Iterator[tuple[str, str]]:
    file = referenced_file(reference, folder)
    if file is not None:
        yield reference.rpartition(":")[0], _file_digest(file, "Python file")


def _files_of_command(sut: ProcessSut) -> Iterator[tuple[str, str]]:
    """Yield the files below the program's folder that its command names; what lies elsewhere is the machine's."""
    for word in sut.command if sut.folder is not None else ():
        file = Path(sut.folder or ".") / word
        if not Path(word).is_absolute() and file.is_file():
            yield word, _file_digest(file, "file of the program")


def _file_digest(file: Path, what: str) -> str:
    return hashlib.sha256(read_file(file, what)).hexdigest()


def _all_checks(scenario: Scenario) -> Iterator[CheckSpec]:
    yield from scenario.checks
    for turn in scenario.script:
        yield from turn.checks


def _data(value: BaseModel) -> dict[str, JsonValue]:
    return value.model_dump(mode="json")


def _digest(value: object) -> str:
    return digest(json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":")))
