"""An encoder whose vectors are computed from the text alone, and which remembers what it was asked."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from hairpin.embeddings.vectors import unit_rows
from hairpin.ports import EncoderIdentity, FloatMatrix


def vector_of(text: str, dimension: int) -> list[float]:
    digest = hashlib.shake_128(text.encode()).digest(dimension)
    return [byte - 127.3 for byte in digest]


@dataclass(eq=False)
class FakeEncoder:
    """Implements ``ports.Encoder``. ``gate``: what each call waits for; ``error``: what each call raises."""

    identity: EncoderIdentity = field(default_factory=lambda: EncoderIdentity("fake", "1", "float32"))
    dimension: int = 8
    asked: list[list[str]] = field(default_factory=list)
    threads: list[threading.Thread] = field(default_factory=list)
    gate: threading.Event | None = None
    error: BaseException | None = None

    def encode(self, texts: Sequence[str]) -> FloatMatrix:
        self.asked.append(list(texts))
        self.threads.append(threading.current_thread())
        if self.gate is not None:
            assert self.gate.wait(20), "nobody opened the gate"
        if self.error is not None:
            raise self.error
        return unit_rows(np.array([vector_of(text, self.dimension) for text in texts]))
