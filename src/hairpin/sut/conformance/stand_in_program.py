"""The program that stands in for an assistant on standard input and output; it is run by its path, by any Python.

It needs the standard library alone, and does what the file named first on its command line says when a line comes.
"""

from __future__ import annotations

import json
import re
import sys
import time
from pathlib import Path

TURN_ID = "the id of the turn"
"""Stands in an answer for the id that its turn came with."""

_ID = re.compile(rb"[0-9a-f]{32}/[0-9]+")


def main(orders: Path, *, hears_hello: bool, by_id: bool) -> None:
    """Answer every line of a turn until the input ends."""
    for n, line in enumerate(sys.stdin.buffer):
        turn_id = _ID.search(line)
        if (by_id and turn_id is None) or (hears_hello and not by_id and n == 0):
            continue
        order = json.loads(orders.read_text(encoding="utf-8"))
        time.sleep(order["pause_s"])
        said = bytes.fromhex(order["bytes"])
        if turn_id is not None:
            said = said.replace(TURN_ID.encode(), turn_id[0])
        sys.stdout.buffer.write(said)
        sys.stdout.buffer.flush()
        if order["leaves"]:
            return


if __name__ == "__main__":
    main(Path(sys.argv[1]), hears_hello="hello" in sys.argv[2:], by_id="id" in sys.argv[2:])
