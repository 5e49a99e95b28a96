"""The JSON schema of scenario files."""

from __future__ import annotations

import json

from hairpin.packs.file_formats import ScenarioFile
from hairpin.packs.schema import scenario_schema


def test_the_schema_names_every_key_and_refuses_others() -> None:
    schema = json.loads(scenario_schema())
    assert set(schema["properties"]) == set(ScenarioFile.model_fields)
    assert schema["required"] == ["id", "sut"]
    assert schema["additionalProperties"] is False
    assert schema["title"] == "Hairpin scenario"
