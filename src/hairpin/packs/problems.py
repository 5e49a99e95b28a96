"""Collecting what is wrong with a user's files, so that all of it is said at once.

It finds nothing itself; readers add to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from hairpin.errors import InvalidInputError

T = TypeVar("T")


class SeveralProblemsError(InvalidInputError):
    """More than one thing is wrong: one line each, in the order found. ``where`` is the place of the first."""

    def __init__(self, problems: Sequence[InvalidInputError]) -> None:
        self.problems = tuple(problems)
        first = problems[0]
        prefix = f"{first.where}: "
        super().__init__("\n".join(str(problem) for problem in problems).removeprefix(prefix), where=first.where)


class Problems:
    """A list of problems that is raised when it is complete."""

    def __init__(self) -> None:
        self._found: dict[str, InvalidInputError] = {}

    def __len__(self) -> int:
        """Return how many were noted."""
        return len(self._found)

    def add(self, what: str, *, where: str, hint: str | None = None) -> None:
        """Note that ``what`` is wrong at ``where``."""
        self.note(InvalidInputError(what, where=where, hint=hint))

    def note(self, error: InvalidInputError) -> None:
        """Note an error that was made elsewhere; the problems of a file stay single, the same one is noted once."""
        for problem in error.problems if isinstance(error, SeveralProblemsError) else (error,):
            self._found.setdefault(str(problem), problem)

    def attempt(self, make: Callable[[], T]) -> T | None:
        """Return what ``make`` returns, or note the problem that it raises and return ``None``."""
        try:
            return make()
        except InvalidInputError as error:
            self.note(error)
            return None

    @contextmanager
    def noted_at(self, where: str) -> Iterator[None]:
        """Note what is wrong in the body as standing at ``where``, which the body does not know."""
        try:
            yield
        except InvalidInputError as error:
            self.add(error.what, where=where, hint=error.hint)

    def raise_if_any(self) -> None:
        """Raise the one problem, or all of them as one error."""
        if self._found:
            raise one_error(tuple(self._found.values()))


def one_error(problems: Sequence[InvalidInputError]) -> InvalidInputError:
    """Return the one problem itself, or all of them as one error."""
    return problems[0] if len(problems) == 1 else SeveralProblemsError(problems)


def line_of(error: InvalidInputError) -> int:
    """Return the line of the place of ``error``, 0 if it has none."""
    line = error.where.rpartition(":")[2]
    return int(line) if line.isdecimal() else 0
