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
    ],
)
def test_refuses_what_no_encoder_can_be(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        EncoderSpec.model_validate(wrong)


def test_runs_no_code_of_a_model_unless_told_to() -> None:
    assert EncoderSpec().trust_remote_code is False
