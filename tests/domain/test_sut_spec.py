from __future__ import annotations

import pytest
from pydantic import TypeAdapter, ValidationError

from hairpin.domain.sut_spec import FaultSpec, LocalSut, OpenAiCompatibleSut, PythonSut, SutSpec, TestbedSut

SPEC: TypeAdapter[SutSpec] = TypeAdapter(SutSpec)


@pytest.mark.parametrize(
    "spec",
    [
        TestbedSut(faults=(FaultSpec(id="F1", after=2, probability=0.5),)),
        PythonSut(reference="./my_ica.py:MyIca", folder="."),
        OpenAiCompatibleSut(base_url="http://127.0.0.1:1/v1", model="m", parameters={"temperature": 0}),
        LocalSut(gguf="model.gguf"),
    ],
)
def test_the_provider_says_which_kind_it_is_also_after_storage(spec: SutSpec) -> None:
    again = SPEC.validate_json(SPEC.dump_json(spec))
    assert (type(again), again) == (type(spec), spec)


def test_an_unknown_provider_is_refused() -> None:
    with pytest.raises(ValidationError, match="provider"):
        SPEC.validate_python({"provider": "oracle"})


@pytest.mark.parametrize("fields", [{"after": -1}, {"probability": 1.1}, {"probability": -0.1}])
def test_a_fault_strikes_after_no_fewer_than_no_turns_with_a_probability(fields: dict[str, float]) -> None:
    with pytest.raises(ValidationError):
        FaultSpec.model_validate({"id": "F1", **fields})
