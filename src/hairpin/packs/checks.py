"""Checks that can be run: the specifications of a scenario with the users' functions loaded.

What a failed check means for the verdict is decided in the domain.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import anyio

from hairpin.domain.checks import (
    CheckResult,
    CheckSpec,
    ContainsCheck,
    FunctionCheck,
    RegexCheck,
    StateCheck,
    contains,
    matches,
    state_holds,
)
from hairpin.domain.conversation import Exchange
from hairpin.errors import HairpinError, InvalidInputError
from hairpin.packs.functions import load_callable, raised_at
from hairpin.ports import Check
from hairpin.sut.threads import run_in_daemon_thread

CHECK_TIMEOUT_S: Final = 30.0

_MOST_ARGUMENTS: Final = 3
_POSITIONAL: Final = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def build_checks(specs: Sequence[CheckSpec], *, timeout_s: float = CHECK_TIMEOUT_S) -> tuple[Check, ...]:
    """Return the checks that ``specs`` describe, in their order.

    A function gets ``(reply: str, exchange: Exchange, history: tuple[Exchange, ...])``, or as many of these, from the
    left, as it takes. It returns ``True`` or ``None`` (passed), ``False``, a text (failed, with this detail) or a
    ``CheckResult``. A plain function runs in a daemon thread; an async one is awaited.

    Args:
        specs: the specifications.
        timeout_s: how long a function may take for one reply.

    Raises:
        InvalidInputError: a function cannot be loaded or takes other arguments.
    """
    return tuple(_build(spec, timeout_s) for spec in specs)


def _build(spec: CheckSpec, timeout_s: float) -> Check:
    if not isinstance(spec, FunctionCheck):
        return _PlainCheck(spec)
    where = f"check {spec.reference}"
    function = load_callable(spec.reference, folder=spec.folder, where=where)
    return _FunctionCheck(spec, function, _arguments_taken(function, where), timeout_s)


@dataclass(frozen=True, slots=True)
class _PlainCheck:
    """A check on the words or the side channel, without code of a user's."""

    spec: ContainsCheck | RegexCheck | StateCheck

    @property
    def name(self) -> str:
        return self.spec.name

    async def run(self, exchange: Exchange, history: tuple[Exchange, ...]) -> CheckResult:  # noqa: ARG002  # the port's
        if isinstance(self.spec, ContainsCheck):
            return contains(self.spec, exchange.assistant)
        if isinstance(self.spec, StateCheck):
            return state_holds(self.spec, exchange.state)
        return matches(self.spec, exchange.assistant)


@dataclass(frozen=True, slots=True)
class _FunctionCheck:
    """A user's function, called with ``n_arguments`` arguments."""

    spec: FunctionCheck
    function: Callable[..., Any]
    n_arguments: int
    timeout_s: float

    @property
    def name(self) -> str:
        return self.spec.name

    async def run(self, exchange: Exchange, history: tuple[Exchange, ...]) -> CheckResult:
        arguments = (exchange.assistant, exchange, history)[: self.n_arguments]
        said: object = None
        with anyio.move_on_after(self.timeout_s) as scope:
            try:
                said = await self._call(arguments)
            except HairpinError:
                raise
            except Exception as error:
                what = f"raised {type(error).__name__}: {error}"
                raise self._broken(what, "mend it, or let it return a text that says what is wrong", error) from error
        if scope.cancelled_caught:
            raise self._broken(f"did not return within {self.timeout_s:g} s", "make it faster", None)
        return self._result(said)

    async def _call(self, arguments: tuple[object, ...]) -> object:
        if inspect.iscoroutinefunction(self.function) or inspect.iscoroutinefunction(type(self.function).__call__):
            return await self.function(*arguments)
        said = await run_in_daemon_thread(self.function, *arguments)
        return await said if inspect.isawaitable(said) else said

    def _result(self, said: object) -> CheckResult:
        if isinstance(said, CheckResult):
            return said.model_copy(update={"name": self.name})
        if said is None or isinstance(said, bool):
            return CheckResult(name=self.name, passed=said is not False)
        if isinstance(said, str):
            return CheckResult(name=self.name, passed=False, detail=said)
        hint = "return True, False, None, a text or a CheckResult"
        raise self._broken(f"returned a value of type {type(said).__name__}", hint, None)

    def _broken(self, what: str, hint: str, error: Exception | None) -> InvalidInputError:
        code = getattr(inspect.unwrap(self.function), "__code__", None)
        own_file = code.co_filename if code is not None else None
        own_place = f"{own_file}:{code.co_firstlineno}" if code is not None else self.name
        place = raised_at(error, own_file) if error is not None and own_file is not None else None
        return InvalidInputError(f"the check {self.spec.reference} {what}", where=place or own_place, hint=hint)


def _arguments_taken(function: Callable[..., Any], where: str) -> int:
    hint = "a check takes (reply), (reply, exchange) or (reply, exchange, history)"
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError) as error:
        raise InvalidInputError("its arguments are not known", where=where, hint=hint) from error
    positional = [parameter for parameter in parameters if parameter.kind in _POSITIONAL]
    n_needed = sum(parameter.default is parameter.empty for parameter in positional)
    takes_any = any(parameter.kind is parameter.VAR_POSITIONAL for parameter in parameters)
    n_taken = _MOST_ARGUMENTS if takes_any else min(len(positional), _MOST_ARGUMENTS)
    if n_taken == 0 or n_needed > n_taken:
        raise InvalidInputError(f"it takes {len(positional)} arguments", where=where, hint=hint)
    if any(
        parameter.kind is parameter.KEYWORD_ONLY and parameter.default is parameter.empty for parameter in parameters
    ):
        raise InvalidInputError("it needs keyword arguments", where=where, hint=hint)
    return n_taken
