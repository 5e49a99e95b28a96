"""A program in the place of an assistant on standard input and output, told how to misbehave through a file.

What runs is ``stand_in_program``; here is what it is told to say.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from pydantic import JsonValue

from hairpin.domain.sut_spec import ProcessSut
from hairpin.sut.conformance import stand_in_program
from hairpin.sut.conformance.stand_in import LIMIT_BYTES, SLOW_S, Manner, tree_with, words_in

_LEFT_OUT: Final = frozenset({Manner.GOOD, Manner.ERROR_STATUS, Manner.REDIRECT})


class ProcessStandIn:
    """Answers every turn's line; ``orders`` is the file that the program reads."""

    def __init__(self, spec: ProcessSut, orders: Path) -> None:
        self._spec = spec
        self._orders = orders
        self.manner = Manner.GOOD

    @property
    def manner(self) -> Manner:
        """How turns are answered from now on."""
        return self._manner

    @manner.setter
    def manner(self, manner: Manner) -> None:
        self._manner = manner
        self._orders.write_text(json.dumps(self._order(manner)), encoding="utf-8")

    @property
    def manners(self) -> tuple[Manner, ...]:
        """Return the bad manners that such an assistant may have."""
        left_out = set(_LEFT_OUT) if self._spec.reply.error else {*_LEFT_OUT, Manner.ERROR_OBJECT}
        return tuple(manner for manner in Manner if manner not in left_out)

    async def seen(self) -> str:
        """Return nothing: a late line shows in the turn after it."""
        return ""

    def _order(self, manner: Manner) -> dict[str, JsonValue]:
        return {
            "pause_s": SLOW_S if manner is Manner.SLOW else 0,
            "bytes": self._said(manner).hex(),
            "leaves": manner is Manner.HANG_UP,
        }

    def _said(self, manner: Manner) -> bytes:
        match manner:
            case Manner.GARBAGE:
                return b"<not what was asked for>\n"
            case Manner.BINARY:
                return b"\xff\xfe\x00\x01\n"
            case Manner.ERROR_OBJECT if self._spec.reply.error:
                return self._line({self._spec.reply.error: "out of order"})
            case Manner.HANG_UP:
                line = self._line({self._spec.reply.text: words_in(manner)})
                return line[: len(line) // 2]
        return self._line({self._spec.reply.text: words_in(manner)})

    def _line(self, values: dict[str, JsonValue]) -> bytes:
        named = {self._spec.id: stand_in_program.TURN_ID} if self._spec.id is not None else {}
        return json.dumps(tree_with({**values, **named})).encode() + b"\n"


@asynccontextmanager
async def process_stand_in(spec: ProcessSut) -> AsyncIterator[tuple[ProcessStandIn, ProcessSut]]:
    """Yield one and ``spec`` with its command."""
    with tempfile.TemporaryDirectory(prefix="hairpin-") as folder:
        orders = Path(folder) / "orders.json"
        flags = [*(["hello"] if spec.hello is not None else []), *(["id"] if spec.id is not None else [])]
        command = (sys.executable, "-S", "-E", stand_in_program.__file__, str(orders), *flags)
        update = {"command": command, "folder": folder, "max_reply_bytes": LIMIT_BYTES}
        yield ProcessStandIn(spec, orders), spec.model_copy(update=update)
