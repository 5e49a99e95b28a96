"""What the machine provides: clocks, fresh identifiers, the log of a run.

It must not be imported by anything that is passed these.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import structlog
from structlog.typing import EventDict, FilteringBoundLogger

from hairpin.settings import LogLevel


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
def log_to(
    path: Path, *, level: LogLevel = LogLevel.INFO, clean: Callable[[str], str] = str
) -> Iterator[FilteringBoundLogger]:
    """Log to a file, one JSON object a line; nothing global is configured.

    Args:
        path: the file, added to.
        level: from which level on.
        clean: takes credentials out of a text; applied to everything that is logged, tracebacks included.
    """
    with path.open("a", encoding="utf-8", errors="backslashreplace") as stream:
        yield structlog.wrap_logger(
            structlog.WriteLogger(stream),
            processors=[
                structlog.processors.add_log_level,
                structlog.processors.TimeStamper(fmt="iso", utc=True),
                structlog.processors.format_exc_info,
                _Cleaning(clean),
                structlog.processors.JSONRenderer(),
            ],
            wrapper_class=structlog.make_filtering_bound_logger(level.value),
        )


@dataclass(frozen=True, slots=True)
class _Cleaning:
    """Takes credentials out of an event: what reaches the log may have come from anywhere."""

    clean: Callable[[str], str]

    def __call__(self, _: object, __: str, event: EventDict) -> EventDict:
        return {name: self._cleaned(value) for name, value in event.items()}

    def _cleaned(self, value: object) -> object:
        match value:
            case None | bool() | int() | float():
                return value
            case dict():
                return {str(name): self._cleaned(item) for name, item in value.items()}
            case list() | tuple() | set() | frozenset():
                return [self._cleaned(item) for item in value]
        return self.clean(value if isinstance(value, str) else repr(value))
