"""The JSON schema of scenario files."""

from __future__ import annotations

import json

from hairpin.domain.outcome import Role
from hairpin.packs.file_formats import ScenarioFile
from hairpin.packs.schema import scenario_schema


def test_the_schema_names_every_key_and_refuses_others() -> None:
    schema = json.loads(scenario_schema())
    assert set(schema["properties"]) == set(ScenarioFile.model_fields)
    assert schema["required"] == ["id", "sut"]
    assert schema["additionalProperties"] is False
    assert schema["title"] == "Hairpin scenario"


def test_the_schema_knows_the_roles_and_their_providers() -> None:
    schema = json.loads(scenario_schema())
    roles = schema["$defs"]["ModelsForm"]
    assert set(roles["properties"]) == {"default", *Role}
    assert roles["additionalProperties"] is False
    providers = schema["$defs"]["AzureModelForm"], schema["$defs"]["LocalModelForm"]
    assert [form["properties"]["provider"]["const"] for form in providers] == ["azure", "local"]
    assert schema["$defs"]["LimitsForm"]["additionalProperties"] is False
