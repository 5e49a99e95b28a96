"""A resolved scenario as YAML, for the run directory; it can be loaded again.

No credentials: keys are only ever names of environment variables, and addresses lose user, password and key-like
parameters. Same scenario, same bytes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final

from pydantic import JsonValue

from hairpin.domain.encoder import EncoderSpec
from hairpin.domain.model_spec import AzureModel, CompatibleModel, ModelSpec
from hairpin.domain.panels import PanelSpec
from hairpin.domain.scenario import Scenario
from hairpin.domain.sut_spec import LocalSut, OpenAiCompatibleSut, SutSpec
from hairpin.packs.field_types import Version
from hairpin.packs.file_model import FileModel
from hairpin.packs.secrets import strip_url, without_secrets
from hairpin.packs.yaml_tree import UNUSABLE_CHARACTERS

RESOLVED_KEY: Final = "resolved"

_HEADER: Final = "# A scenario as Hairpin ran it: packs read, names looked up.\n"
_PLAIN_KEY: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class ResolvedScenarioFile(FileModel):
    """What ``dump_scenario`` writes."""

    version: Version
    resolved: Scenario


def dump_scenario(scenario: Scenario) -> str:
    """Return ``scenario`` as YAML that ``load_scenario`` reads back to the same value, credentials apart."""
    models = {role: model_without_credentials(model) for role, model in scenario.models.items()}
    panels = {role: panel_without_credentials(panel) for role, panel in scenario.panels.items()}
    changes: dict[str, object] = {"sut": without_credentials(scenario.sut), "models": models, "panels": panels}
    if scenario.campaign is not None:
        suts = {label: without_credentials(sut) for label, sut in scenario.campaign.suts.items()}
        encoder = encoder_without_credentials(scenario.campaign.encoder)
        changes["campaign"] = scenario.campaign.model_copy(update={"suts": suts, "encoder": encoder})
    if scenario.metamorphic is not None:
        encoder = encoder_without_credentials(scenario.metamorphic.encoder)
        changes["metamorphic"] = scenario.metamorphic.model_copy(update={"encoder": encoder})
    safe = scenario.model_copy(update=changes)
    return _HEADER + to_yaml({"version": 1, RESOLVED_KEY: safe.model_dump(mode="json")})


def without_credentials(sut: SutSpec) -> SutSpec:
    """Return ``sut`` without anything that may be a credential."""
    if not isinstance(sut, OpenAiCompatibleSut | LocalSut):
        return sut
    parameters = without_secrets(sut.parameters)
    if isinstance(sut, LocalSut):
        return sut.model_copy(update={"parameters": parameters})
    return sut.model_copy(update={"parameters": parameters, "base_url": strip_url(sut.base_url)})


def model_without_credentials(model: ModelSpec) -> ModelSpec:
    """Return ``model`` without anything that may be a credential."""
    changes: dict[str, object] = {"parameters": without_secrets(model.parameters)}
    if isinstance(model, AzureModel):
        changes["endpoint"] = strip_url(model.endpoint)
    elif isinstance(model, CompatibleModel):
        changes["base_url"] = strip_url(model.base_url)
    return model.model_copy(update=changes)


def panel_without_credentials(panel: PanelSpec) -> PanelSpec:
    """Return ``panel`` without anything that may be a credential."""
    members = [None if member is None else model_without_credentials(member) for member in panel.members]
    return panel.model_copy(update={"members": tuple(members)})


def encoder_without_credentials(encoder: EncoderSpec) -> EncoderSpec:
    """Return ``encoder`` without anything that may be a credential."""
    if encoder.base_url is None:
        return encoder
    return encoder.model_copy(update={"base_url": strip_url(encoder.base_url)})


def to_yaml(value: dict[str, JsonValue]) -> str:
    """Return ``value`` as a YAML document in block style; every text in double quotes, so that none is mistaken."""
    return "\n".join(_block(value, "")) + "\n"


def _block(value: JsonValue, indent: str) -> Iterator[str]:
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from _entry(f"{indent}{_key(key)}:", inner, indent)
    elif isinstance(value, list) and value:
        for inner in value:
            yield from _entry(f"{indent}-", inner, indent)
    else:
        yield indent + _scalar(value)


def _entry(start: str, value: JsonValue, indent: str) -> Iterator[str]:
    if isinstance(value, dict | list) and value:
        yield start
        yield from _block(value, indent + "  ")
    else:
        yield f"{start} {_scalar(value)}"


def _key(key: str) -> str:
    return key if _PLAIN_KEY.fullmatch(key) else _quoted(key)


def _scalar(value: JsonValue) -> str:
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, dict | list):
        return "{}" if isinstance(value, dict) else "[]"
    return json.dumps(value)


def _quoted(text: str) -> str:
    return UNUSABLE_CHARACTERS.sub(lambda match: f"\\u{ord(match.group()):04x}", json.dumps(text, ensure_ascii=False))
