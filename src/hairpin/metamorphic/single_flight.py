"""A bounded memo of answers that cost a call: who asks for the same while it is being found waits for it.

It must not know what is asked.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable

import anyio


class SingleFlight:
    """Finds each text once. A call that fails is not remembered: who waited for it, and who asks later, try again."""

    def __init__(self, *, max_entries: int) -> None:
        """Keep at most ``max_entries`` texts; those not asked for longest go first."""
        self._max_entries = max_entries
        self._found: OrderedDict[str, str] = OrderedDict()
        self._locks: dict[str, tuple[anyio.Lock, int]] = {}

    async def get(self, key: str, find: Callable[[], Awaitable[str]]) -> str:
        """Return what is remembered for ``key``, else what ``find`` returns. Raises what ``find`` raises."""
        lock, waiting = self._locks.get(key, (anyio.Lock(), 0))
        self._locks[key] = (lock, waiting + 1)
        try:
            async with lock:
                if key not in self._found:
                    self._found[key] = await find()
                self._found.move_to_end(key)
                found = self._found[key]
                while len(self._found) > self._max_entries:
                    self._found.popitem(last=False)
                return found
        finally:
            lock, waiting = self._locks.pop(key)
            if waiting > 1:
                self._locks[key] = (lock, waiting - 1)

    def clear(self) -> None:
        """Forget everything that was found."""
        self._found.clear()

    def __len__(self) -> int:
        """Return how many texts are remembered."""
        return len(self._found)
