"""Making an adapter of whatever Python object a user hands over.

Finding objects by name is ``sut.references``.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Final, cast

from hairpin.domain.conversation import Exchange
from hairpin.domain.sut import Capabilities, SessionStart, SutIdentity
from hairpin.errors import InvalidInputError, UserError
from hairpin.ports import SutAdapter, SutSession
from hairpin.sut.base import ReplySession, TextAdapter
from hairpin.sut.fault_text import typed_text_of
from hairpin.sut.guard import GuardedAdapter
from hairpin.sut.threads import call_user_code

_ARGUMENTS: Final = ("utterance", "start", "history")
_REPLY_HINT: Final = "write 'def reply(self, utterance, start, history)', plain or async"
_HINT: Final = "give a function (utterance) -> str, or a subclass of hairpin.TextAdapter or hairpin.SutAdapter"


class CallableAdapter(SutAdapter):
    """Asks a function: ``(utterance)``, ``(utterance, start)`` or ``(utterance, start, history)``, sync or async."""

    capabilities = Capabilities()

    def __init__(self, function: Callable[..., object], *, n_arguments: int, identity: SutIdentity) -> None:
        self._function = function
        self._n_arguments = n_arguments
        self._identity = identity

    def describe(self) -> SutIdentity:
        """Return the name the user gave, with a digest of the function's source file as version."""
        return self._identity

    async def open(self, start: SessionStart) -> SutSession:
        """Open a session that keeps the history for the function."""
        return ReplySession(start, self._reply, adapter=self._identity.name)

    async def _reply(self, utterance: str, start: SessionStart, history: tuple[Exchange, ...]) -> object:
        return await call_user_code(self._function, *(utterance, start, history)[: self._n_arguments])


def adapter_of(obj: object, *, name: str) -> SutAdapter:
    """Return an adapter for ``obj``: a function, an adapter, a class of either, or a function without arguments
    that makes one.

    Args:
        obj: what the user handed over.
        name: how the user refers to it, for messages; also its name in reports unless it describes itself.

    Raises:
        InvalidInputError: it is nothing that answers, or its class needs arguments.
        UserError: its constructor raised; the error is the cause.
    """
    found = _made(obj, name) if isinstance(obj, type) or _is_factory(obj) else obj
    if callable(getattr(found, "open", None)):
        return _guarded(found, name)
    if not callable(found) or isinstance(found, type):
        raise InvalidInputError(f"{_kind(found)} is no adapter", where=name, hint=_near_miss(found) or _HINT)
    n_arguments = _count_arguments(found, name)
    return CallableAdapter(
        found, n_arguments=n_arguments, identity=SutIdentity(name=name, version=source_digest(found))
    )


def source_digest(obj: object) -> str:
    """Return a digest of the file in which ``obj`` or its class is written; ``''`` when it cannot be read."""
    while isinstance(obj, functools.partial):
        obj = obj.func
    coded = cast("Callable[..., object]", obj) if inspect.isroutine(obj) or isinstance(obj, type) else type(obj)
    try:
        file = inspect.getfile(coded)
        return hashlib.sha256(Path(file).read_bytes()).hexdigest()[:16]
    except (TypeError, OSError):
        return ""


def _made(maker: object, name: str) -> object:
    """Call a class or factory without arguments."""
    if isinstance(maker, type):
        _refuse_needed_arguments(maker, name)
    try:
        made = cast("Callable[[], object]", maker)()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise UserError(f"{name}: making the adapter raised {typed_text_of(error)}") from error
    if inspect.iscoroutine(made):
        made.close()
        raise InvalidInputError("it takes no argument and is async", where=name, hint=_HINT)
    return made


def _refuse_needed_arguments(maker: type, name: str) -> None:
    needed = [p.name for p in _parameters(maker) if p.default is p.empty and p.kind not in _VARIADIC]
    if needed:
        raise InvalidInputError(
            f"{maker.__name__} cannot be made without arguments (it needs {', '.join(needed)})",
            where=name,
            hint="give them defaults, or name a function without arguments that returns the adapter",
        )


def _is_factory(obj: object) -> bool:
    if isinstance(obj, type) or not callable(obj) or callable(getattr(obj, "open", None)):
        return False
    try:
        return not inspect.signature(obj).parameters
    except (TypeError, ValueError):
        return False


def _guarded(adapter: object, name: str) -> SutAdapter:
    missing = [part for part in ("capabilities", "describe", "aclose") if not hasattr(adapter, part)]
    if missing:
        raise InvalidInputError(
            f"{_kind(adapter)} has no {' and no '.join(missing)}",
            where=name,
            hint="subclass hairpin.SutAdapter: it has defaults for all but open",
        )
    found = cast("SutAdapter", adapter)
    if isinstance(found, TextAdapter):
        _refuse_unusable_reply(found, name)
    if type(adapter).__module__.startswith("hairpin."):
        return found
    if not isinstance(found.capabilities, Capabilities):
        raise InvalidInputError(
            f"capabilities is {_kind(found.capabilities)}", where=name, hint="set it to hairpin.Capabilities(…)"
        )
    return GuardedAdapter(found, identity=_identity_of(found, name), label=name)


def _refuse_unusable_reply(adapter: TextAdapter, name: str) -> None:
    """Find what would otherwise go wrong at the first turn and look like the assistant's error."""
    kind = type(adapter).__name__
    if type(adapter).reply is TextAdapter.reply:
        raise InvalidInputError(f"{kind} does not override reply", where=name, hint=_REPLY_HINT)
    try:
        inspect.signature(adapter.reply).bind("utterance", "start", "history")
    except TypeError as error:
        raise InvalidInputError(f"{kind}.reply cannot be called so: {error}", where=name, hint=_REPLY_HINT) from error


def _identity_of(adapter: SutAdapter, name: str) -> SutIdentity:
    """Return how the adapter describes itself; its source is part of the version, so that a changed file shows."""
    digest = source_digest(adapter)
    if getattr(type(adapter), "describe", None) is SutAdapter.describe:
        return SutIdentity(name=name, version=digest)
    try:
        identity = adapter.describe()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise UserError(f"{name}: describe() raised {typed_text_of(error)}") from error
    if not isinstance(identity, SutIdentity):
        raise InvalidInputError(
            f"describe() returned {_kind(identity)}", where=name, hint="return a SutIdentity(name=…, version=…)"
        )
    version = "+".join(part for part in (identity.version, digest) if part)
    return identity.model_copy(update={"version": version})


_VARIADIC: Final = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
_POSITIONAL: Final = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def _count_arguments(function: Callable[..., object], name: str) -> int:
    """Return how many of utterance, start and history ``function`` takes.

    An optional parameter counts only when it is called as we call it: ``(utterance, temperature=0.2)`` takes one.
    """
    parameters = _parameters(function)
    positional = [p for p in parameters if p.kind in _POSITIONAL]
    needed = [p for p in positional if p.default is p.empty]
    keywords = [p.name for p in parameters if p.kind is p.KEYWORD_ONLY and p.default is p.empty]
    if len(needed) > len(_ARGUMENTS) or keywords:
        extra = [p.name for p in needed[len(_ARGUMENTS) :]] + keywords
        raise InvalidInputError(
            f"it needs arguments that nobody gives: {', '.join(extra)}",
            where=name,
            hint="take (utterance), (utterance, start) or (utterance, start, history)",
        )
    n_arguments = max(len(needed), 1)
    while (
        n_arguments < min(len(positional), len(_ARGUMENTS)) and positional[n_arguments].name == _ARGUMENTS[n_arguments]
    ):
        n_arguments += 1
    return n_arguments


def _parameters(function: Callable[..., object]) -> list[inspect.Parameter]:
    """Return the parameters of ``function``; ``[]`` for one written in C that does not tell."""
    try:
        return list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return []


def _near_miss(obj: object) -> str | None:
    if callable(getattr(obj, "reply", None)):
        return "subclass hairpin.TextAdapter"
    if callable(getattr(obj, "send", None)):
        return "that is a session; give a hairpin.SutAdapter whose open returns it"
    return None


def _kind(obj: object) -> str:
    return "None" if obj is None else f"an object of type {type(obj).__name__}"
