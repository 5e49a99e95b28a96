"""Cosines on the device of the encoder: those of numpy, whatever the number of pairs and the device."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from hairpin.embeddings import cosines, devices
from hairpin.embeddings.cosines import device_pair_cosines, flipped_decisions
from hairpin.embeddings.vectors import unit_rows
from hairpin.errors import EncoderError
from hairpin.ports import FloatMatrix, IndexArray
from tests.embeddings.test_devices import FakeTorch

EPSILON = 0.6


def vectors_of(n: int, dimension: int = 384, *, rng_seed: int = 0) -> FloatMatrix:
    """Return unit vectors that lie together as those of answers do, with cosines on both sides of ε."""
    rng = np.random.default_rng(rng_seed)
    return unit_rows(rng.normal(size=(1, dimension)) * 1.2 + rng.normal(size=(n, dimension)))


def pairs_of(n_vectors: int, n_pairs: int, *, rng_seed: int = 0) -> tuple[IndexArray, IndexArray]:
    left, right = np.random.default_rng(rng_seed).integers(0, n_vectors, (2, n_pairs))
    return left, right


def reference(vectors: FloatMatrix, left: IndexArray, right: IndexArray) -> Any:
    wide = vectors.astype(np.float64)
    products = np.clip(np.einsum("ij,ij->i", wide[left], wide[right]), -1, 1)
    return np.where(left == right, 1.0, products)


@given(n_vectors=st.integers(1, 30), n_pairs=st.integers(0, 200), rng_seed=st.integers(0, 99))
@settings(deadline=None, max_examples=40)
def test_they_are_the_products_of_unit_rows_within_bounds(n_vectors: int, n_pairs: int, rng_seed: int) -> None:
    vectors = vectors_of(n_vectors, 5, rng_seed=rng_seed)
    left, right = pairs_of(n_vectors, n_pairs, rng_seed=rng_seed)
    found = device_pair_cosines("cpu")(vectors, left, right)
    assert found.dtype == np.float32
    assert found.shape == (n_pairs,)
    assert np.abs(found - reference(vectors, left, right)).max(initial=0) < 1e-6
    assert np.abs(found).max(initial=0) <= 1
    assert (found[left == right] == 1).all()


@pytest.mark.parametrize(("n_vectors", "n_pairs"), [(300, 1_000), (40, 9_000)], ids=["gathered", "from a table"])
def test_many_pairs_go_in_batches(monkeypatch: pytest.MonkeyPatch, n_vectors: int, n_pairs: int) -> None:
    monkeypatch.setattr(cosines, "_AT_ONCE_CPU", 400)
    vectors, (left, right) = vectors_of(n_vectors), pairs_of(n_vectors, n_pairs)
    found = device_pair_cosines("cpu")(vectors, left, right)
    assert np.abs(found - reference(vectors, left, right)).max() < 1e-6


def test_equal_and_opposite_vectors_are_exactly_1_and_no_more() -> None:
    row = unit_rows(np.full((1, 384), 0.1))
    vectors = np.concatenate([row, row, -row])
    found = device_pair_cosines("cpu")(vectors, np.array([0, 0, 0]), np.array([0, 1, 2]))
    assert found[0] == 1.0
    assert found[1] == pytest.approx(1.0)
    assert found[2] == pytest.approx(-1.0)
    assert np.abs(found).max() <= 1.0


@pytest.mark.parametrize(
    ("left", "right", "said"),
    [
        ([0], [2], "indexes 2 to 2 for 2 vectors"),
        ([-1], [0], "indexes -1 to -1 for 2 vectors"),
        ([0, 1], [0], "as many left as right"),
        ([[0]], [[0]], "as many left as right"),
    ],
)
def test_pairs_that_are_none_are_refused(left: list[int], right: list[int], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        device_pair_cosines("cpu")(vectors_of(2), np.array(left), np.array(right))


def test_no_pairs_of_no_vectors_are_no_cosines() -> None:
    none = np.zeros(0, np.int64)
    assert device_pair_cosines("cpu")(np.zeros((0, 0), np.float32), none, none).shape == (0,)


def test_vectors_of_a_model_in_half_precision_differ_by_less_than_what_is_promised() -> None:
    """A model in float16 hands out rounded rows; what follows is computed in float32 on every device."""
    full = vectors_of(500)
    half = unit_rows(full.astype(np.float16))
    left, right = pairs_of(500, 20_000)
    compute = device_pair_cosines("cpu")
    a, b = compute(full, left, right), compute(half, left, right)
    assert 0 < np.abs(a - b).max() <= 2e-3
    near = np.abs(a - EPSILON) <= 2e-3
    assert 0.1 < (a >= EPSILON).mean() < 0.9, "there is something to decide"
    assert flipped_decisions(a, b, EPSILON) <= int(near.sum())
    assert flipped_decisions(a[~near], b[~near], EPSILON) == 0


def test_decisions_are_counted_that_fall_on_the_other_side() -> None:
    a = np.array([0.59, 0.6, 0.61, 0.2], np.float32)
    b = np.array([0.6, 0.59, 0.62, 0.3], np.float32)
    assert flipped_decisions(a, b, EPSILON) == 2
    assert flipped_decisions(a, a, EPSILON) == 0


def test_the_device_is_chosen_as_for_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in says that there is CUDA, and computes on the CPU what is moved there."""
    moved: list[str] = []
    fake = FakeTorch(n_cuda=1)

    class Tensor:
        def __init__(self, inner: torch.Tensor) -> None:
            self.inner = inner

        def to(self, device: str) -> torch.Tensor:
            moved.append(device)
            return self.inner

    def as_tensor(index: IndexArray, *, device: str) -> torch.Tensor:
        moved.append(device)
        return torch.as_tensor(index)

    for name, value in {
        "from_numpy": lambda array: Tensor(torch.from_numpy(array)),
        "as_tensor": as_tensor,
        "inference_mode": torch.inference_mode,
    }.items():
        monkeypatch.setattr(fake, name, value, raising=False)
    monkeypatch.setattr(devices, "_may_have_accelerator", lambda: True)
    vectors, (left, right) = vectors_of(5), pairs_of(5, 3)
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "torch", fake)
        compute = device_pair_cosines("auto")
    found = compute(vectors, left, right)  # torch itself looks for the module when it first computes
    assert moved == ["cuda", "cuda", "cuda"], "the vectors once, each batch of indexes once"
    assert np.abs(found - reference(vectors, left, right)).max() < 1e-6


def test_without_torch_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(EncoderError, match=r"cosines on device cpu: needs torch.*pip install 'hairpin\[embeddings\]'"):
        device_pair_cosines("cpu")


def test_a_device_that_is_not_there_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", FakeTorch())
    with pytest.raises(EncoderError, match="sees no CUDA device here; set device: auto or cpu"):
        device_pair_cosines("cuda")


def test_the_devices_of_this_torch_agree() -> None:
    """Where torch finds an accelerator, its cosines are those of the CPU."""
    best = devices.choose_device("auto")
    vectors, (left, right) = vectors_of(300), pairs_of(300, 2_000)
    found = device_pair_cosines(best)(vectors, left, right)
    assert np.abs(found - reference(vectors, left, right)).max() <= (1e-6 if best == "cpu" else 1e-5)
