from __future__ import annotations

import pytest
from pydantic import ValidationError

from hairpin.domain.encoder import EncoderSpec


@pytest.mark.parametrize("device", ["auto", "cpu", "mps", "cuda", "cuda:1"])
def test_takes_the_devices_that_torch_names(device: str) -> None:
    assert EncoderSpec(device=device).device == device


@pytest.mark.parametrize(
    "wrong",
    [
        {"device": "gpu"},
        {"device": "cuda:"},
        {"device": "cuda:1\n"},
        {"model": ""},
        {"model": " "},
        {"dtype": "bfloat16"},
        {"batch_size": 0},
        {"max_seq_length": 2},
        {"revision": ""},
        {"trust_remote_code": None},
        {"base_url": ""},
        {"base_url": "http://127.0.0.1/v1"},
        {"api_key_env": "KEY"},
        {"model": "m", "base_url": "http://127.0.0.1/v1", "dtype": "float16"},
        {"model": "m", "base_url": "http://127.0.0.1/v1", "trust_remote_code": True},
        {"model": "m", "base_url": "http://127.0.0.1/v1", "revision": "v2"},
        {"model": "m", "base_url": "http://127.0.0.1/v1", "max_seq_length": 64},
    ],
)
def test_refuses_what_no_encoder_can_be(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        EncoderSpec.model_validate(wrong)


def test_runs_no_code_of_a_model_unless_told_to() -> None:
    assert EncoderSpec().trust_remote_code is False


def test_a_server_is_told_the_model_how_many_texts_and_where_they_are_compared() -> None:
    spec = EncoderSpec(model="m", base_url="http://127.0.0.1/v1", api_key_env="KEY", batch_size=8, device="cuda")
    assert EncoderSpec.model_validate_json(spec.model_dump_json()) == spec
