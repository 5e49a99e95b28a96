"""What the machine provides: clocks, fresh identifiers, the log of a run.

It must not be imported by anything that is passed these.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import structlog
from structlog.typing import FilteringBoundLogger


class SystemClock:
    """The machine's clocks."""

    def monotonic(self) -> float:
        """Return seconds on a clock that never goes back."""
        return time.monotonic()

    def now(self) -> datetime:
        """Return the time of day, UTC."""
        return datetime.now(UTC)


def new_id() -> str:
    """Return a fresh identifier: twelve hexadecimal digits."""
    return uuid.uuid4().hex[:12]


@contextmanager
def log_to(path: Path) -> Iterator[FilteringBoundLogger]:
    """Log to a file, one JSON object a line; nothing global is configured."""
    with path.open("a", encoding="utf-8", errors="backslashreplace") as stream:
        yield structlog.wrap_logger(
            structlog.WriteLogger(stream),
            processors=[
                structlog.processors.add_log_level,
                structlog.processors.TimeStamper(fmt="iso", utc=True),
                structlog.processors.format_exc_info,
                structlog.processors.JSONRenderer(),
            ],
            wrapper_class=structlog.make_filtering_bound_logger("info"),
        )
