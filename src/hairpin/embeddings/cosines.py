"""Cosines of many pairs of vectors on the device of their encoder.

Must not choose pairs. Computes in float32 on every device, so that a decision does not depend on where it was made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hairpin.embeddings.devices import check_device, choose_device
from hairpin.embeddings.extras import import_extra
from hairpin.ports import FloatArray, FloatMatrix, IndexArray, PairCosines

if TYPE_CHECKING:
    from numpy.typing import NDArray

_AT_ONCE_CPU: Final = 1_024
_AT_ONCE_ACCELERATOR: Final = 65_536
"""Pairs whose rows are gathered together: what fits the caches of a CPU, and keeps an accelerator busy."""

_MOST_FOR_A_TABLE: Final = 8_192
"""Vectors whose products with each other are 256 MB."""

_PRODUCTS_PER_PAIR: Final = 16
"""A product in a table costs less than a sixteenth of one whose rows are gathered first."""


def device_pair_cosines(device: str) -> PairCosines:
    """Return what computes cosines on ``device``: ``auto`` is cuda, else mps, else cpu. Imports torch.

    Raises:
        EncoderError: torch is not installed, or does not have that device here.
    """
    torch: Any = import_extra("torch", needed_for=f"cosines on device {device}")
    chosen = choose_device(device)
    check_device(chosen)
    return _TorchCosines(torch, chosen)


def flipped_decisions(a: FloatArray, b: FloatArray, epsilon: float) -> int:
    """Return how many of the (n,) cosines ``a`` and ``b`` of the same pairs lie on different sides of ``epsilon``.

    A cosine of exactly ``epsilon`` counts as alike, as in MORTAR's relations (eq. 34 to 41).
    """
    return int(np.count_nonzero((a >= epsilon) != (b >= epsilon)))


class _TorchCosines:
    """Implements ``ports.PairCosines``."""

    def __init__(self, torch: Any, device: str) -> None:
        self._torch = torch
        self._device = device
        self._at_once = _AT_ONCE_CPU if device == "cpu" else _AT_ONCE_ACCELERATOR

    def __call__(self, vectors: FloatMatrix, left: IndexArray, right: IndexArray) -> FloatArray:
        """Return the (n,) cosines of the unit rows ``left[k]`` and ``right[k]`` of ``vectors``, within [−1, 1].

        Raises:
            ValueError: ``left`` and ``right`` differ in shape, or name a row that is not there.
        """
        _check(len(vectors), left, right)
        if not len(left):
            return np.zeros(0, np.float32)
        with self._torch.inference_mode():
            moved = self._torch.from_numpy(np.ascontiguousarray(vectors, dtype=np.float32)).to(self._device)
            if len(vectors) <= _MOST_FOR_A_TABLE and len(vectors) ** 2 <= _PRODUCTS_PER_PAIR * len(left):
                table = moved @ moved.T
                products = self._batched(left, right, lambda a, b: table[a, b])
            else:
                products = self._batched(left, right, lambda a, b: (moved[a] * moved[b]).sum(dim=1))
        products[left == right] = 1.0
        return products

    def _batched(self, left: IndexArray, right: IndexArray, product: Any) -> FloatArray:
        found: NDArray[np.float32] = np.empty(len(left), np.float32)
        for start in range(0, len(left), self._at_once):
            some = slice(start, start + self._at_once)
            a, b = (self._torch.as_tensor(index[some], device=self._device) for index in (left, right))
            found[some] = product(a, b).clamp(-1.0, 1.0).cpu().numpy()
        return found


def _check(n_vectors: int, left: IndexArray, right: IndexArray) -> None:
    """An index that is out of range would end every later use of a CUDA device, so it is found before."""
    if left.shape != right.shape or left.ndim != 1:
        raise ValueError(f"pairs need as many left as right indexes, not {left.shape} and {right.shape}")
    for index in (left, right):
        if len(index) and not (int(index.min()) >= 0 and int(index.max()) < n_vectors):
            raise ValueError(f"indexes {index.min()} to {index.max()} for {n_vectors} vectors, counted from 0")
