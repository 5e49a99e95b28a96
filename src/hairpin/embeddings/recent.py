"""The vectors of a run that were used last, in memory and bounded.

Must not know how they are made.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class RecentVectors:
    """At most ``max_kept`` vectors by their text; one more pushes out the one whose use is longest ago."""

    def __init__(self, max_kept: int) -> None:
        self._max_kept = max_kept
        self._vectors: OrderedDict[str, NDArray[np.float32]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._vectors)

    def get(self, text: str) -> NDArray[np.float32] | None:
        """Return the vector of ``text``, which is used now; ``None`` if it is not kept."""
        vector = self._vectors.get(text)
        if vector is not None:
            self._vectors.move_to_end(text)
        return vector

    def put(self, text: str, vector: NDArray[np.float32]) -> None:
        """Keep the vector of ``text``, used now."""
        self._vectors[text] = vector
        self._vectors.move_to_end(text)
        if len(self._vectors) > self._max_kept:
            self._vectors.popitem(last=False)
