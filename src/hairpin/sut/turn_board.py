"""Turns that wait for a line of a program, and which of them a line answers.

Pure but for the waiting: it neither starts nor reads programs. A line that belongs to no turn is told, never guessed.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

import anyio
from pydantic import JsonValue

from hairpin.domain.json_paths import MISSING, parse_path, value_at
from hairpin.errors import HairpinError
from hairpin.sut.reply_paths import UnreadableJsonError, as_text, json_trouble, parse_json

_PRINTS: Final = "prints belong on standard error, standard output is for one JSON line"
_SHOWN_BYTES: Final = 2048
_N_REMEMBERED: Final = 10_000

_logger = logging.getLogger(__name__)


class WaitingTurn:
    """One turn that waits for its line."""

    def __init__(self, turn_id: str) -> None:
        self.turn_id = turn_id
        self.done = anyio.Event()
        self.answer: JsonValue = None
        self.trouble: str | None = None

    def settle(self, *, answer: JsonValue = None, trouble: str | None = None) -> None:
        """Give it its answer, or say why there is none."""
        self.answer, self.trouble = answer, trouble
        self.done.set()


class TurnBoard:
    """The turns of one program.

    Args:
        id_path: where an answer repeats its turn's id; ``None``: it answers the one turn that waits.
        error: makes an error of what is wrong, in the program's own words.

    ``stray``: what is wrong with a line that came while no turn waited; the next turn cannot be trusted.
    """

    def __init__(self, *, id_path: str | None, error: Callable[[str], HairpinError]) -> None:
        self.stray: str | None = None
        self._id_path = parse_path(id_path) if id_path is not None else None
        self._error = error
        self._waiting: dict[str, WaitingTurn] = {}
        self._past: dict[str, None] = {}

    @contextmanager
    def waiting(self, turn_id: str) -> Iterator[WaitingTurn]:
        """Let a turn wait while inside; an answer that comes later, or again, is dropped."""
        turn = self._waiting[turn_id] = WaitingTurn(turn_id)
        try:
            yield turn
        finally:
            del self._waiting[turn_id]
            self._remember(turn_id)

    async def answer_to(self, turn: WaitingTurn) -> JsonValue:
        """Return the answer to a waiting turn. Raises what ``error`` makes."""
        await turn.done.wait()
        if turn.trouble is not None:
            raise self._error(turn.trouble)
        return turn.answer

    def take_stray(self) -> str | None:
        """Return ``stray`` and forget it."""
        stray, self.stray = self.stray, None
        return stray

    def hear(self, line: bytes) -> None:
        """Give a line to the turn that it answers."""
        try:
            answer = parse_json(line)
        except UnreadableJsonError as error:
            self._tell(f"wrote a line of {json_trouble(error)}: {_shown(line)}")
            return
        except ValueError:
            self._tell(f"wrote a line that is no JSON ({_PRINTS}): {_shown(line)}")
            return
        if self._id_path is None:
            self._give_to_the_one(answer, line)
        else:
            self._give_by_id(answer, self._id_path, line)

    def fail(self, trouble: str) -> None:
        """Let no turn wait any longer."""
        for turn in self._waiting.values():
            if not turn.done.is_set():
                turn.settle(trouble=trouble)

    def _give_to_the_one(self, answer: JsonValue, line: bytes) -> None:
        turn = next((turn for turn in self._waiting.values() if not turn.done.is_set()), None)
        if turn is None:
            self._tell(f"wrote a line that nobody asked for ({_PRINTS} per turn): {_shown(line)}")
        else:
            turn.settle(answer=answer)

    def _give_by_id(self, answer: JsonValue, path: tuple[str | int, ...], line: bytes) -> None:
        found = value_at(answer, path)
        turn_id = as_text(found)
        turn = self._waiting.get(turn_id)
        if found is MISSING or found is None:
            self._tell(f"wrote an answer without the id of its turn (repeat {{turn_id}} in it): {_shown(line)}")
        elif turn_id in self._past or (turn is not None and turn.done.is_set()):
            _logger.warning("a program answered the turn %s too late or twice; that answer is dropped", turn_id)
        elif turn is None:
            self._tell(f"wrote an answer to a turn that never was: {_shown(line)}")
        else:
            turn.settle(answer=answer)

    def _remember(self, turn_id: str) -> None:
        self._past[turn_id] = None
        if len(self._past) > _N_REMEMBERED:
            del self._past[next(iter(self._past))]

    def _tell(self, trouble: str) -> None:
        """Nobody can say whose answer it was meant to be: all that wait are told, else whoever comes next."""
        if any(not turn.done.is_set() for turn in self._waiting.values()):
            self.fail(trouble)
        else:
            self.stray = self.stray or trouble


def _shown(line: bytes) -> str:
    return line[:_SHOWN_BYTES].decode("utf-8", "replace").strip()
