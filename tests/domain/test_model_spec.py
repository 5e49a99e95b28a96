"""Which model plays a role."""

from __future__ import annotations

import pytest
from pydantic import TypeAdapter, ValidationError

from hairpin.domain.model_spec import (
    AzureModel,
    CompatibleModel,
    LocalModel,
    ModelLimits,
    ModelSpec,
    OpenAiModel,
    StructuredMode,
    label_of,
)


@pytest.mark.parametrize(
    ("spec", "label"),
    [
        (OpenAiModel(model="gpt-4.1-mini"), "openai gpt-4.1-mini"),
        (AzureModel(endpoint="https://e", deployment="judge", api_version="1", model="gpt-4.1"), "azure judge"),
        (CompatibleModel(base_url="http://127.0.0.1/v1", model="m"), "openai-compatible m"),
        (LocalModel(gguf="/models/small.gguf"), "local small.gguf"),
        (LocalModel(gguf="C:\\models\\small.gguf"), "local small.gguf"),
        (LocalModel(), "local HAIRPIN_GGUF"),
    ],
)
def test_a_model_is_called_by_provider_and_name(spec: ModelSpec, label: str) -> None:
    assert label_of(spec) == label


def test_a_specification_is_told_apart_by_its_provider() -> None:
    spec: ModelSpec = TypeAdapter(ModelSpec).validate_python({"provider": "openai", "model": "m"})
    assert spec == OpenAiModel(model="m")


def test_a_local_model_is_asked_one_thing_at_a_time_in_a_form_with_bounds() -> None:
    assert LocalModel().limits == ModelLimits(concurrency=1, timeout_s=600.0)
    assert LocalModel().structured_output is StructuredMode.JSON_SCHEMA
    assert OpenAiModel(model="m").structured_output is None


def test_an_output_cap_is_always_there() -> None:
    with pytest.raises(ValidationError):
        OpenAiModel(model="m", max_output_tokens=0)
    assert OpenAiModel(model="m").max_output_tokens > 0
