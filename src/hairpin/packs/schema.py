"""The JSON schema of scenario files, for editors.

Derived from the file model; nothing is said twice.
"""

from __future__ import annotations

import json

from hairpin.packs.file_formats import ScenarioFile


def scenario_schema() -> str:
    """Return the JSON schema (draft 2020-12) of a scenario file, as indented JSON."""
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Hairpin scenario",
        **{key: value for key, value in ScenarioFile.model_json_schema().items() if key != "title"},
    }
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
