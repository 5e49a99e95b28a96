"""Finding a LangGraph application: an object that can be invoked, or a function that makes one.

It invokes nothing. The library is not imported here: whoever wrote the application did.
"""

from __future__ import annotations

import hashlib
import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from hairpin.domain.fingerprint import digest
from hairpin.domain.sut_spec import LangGraphSut
from hairpin.errors import InvalidInputError, UserError
from hairpin.packs.functions import load_object, referenced_file
from hairpin.sut.fault_text import typed_text_of
from hairpin.sut.threads import is_async

_HINT: Final = "name a compiled graph, or a function without arguments that returns one"


class GraphSource:
    """One application, imported; made when it is first needed, if it is an async function that makes it.

    Args:
        spec: names it.

    Raises:
        InvalidInputError: it cannot be found or imported, or is nothing that can be invoked.
        UserError: the function that makes it raised.
    """

    def __init__(self, spec: LangGraphSut) -> None:
        self._where = f"sut {spec.reference!r}"
        found = load_object(spec.reference, folder=spec.folder, where=self._where)
        self._maker: Callable[..., Any] | None = None
        self.graph: object = None
        if is_graph(found):
            self.graph = found
            return
        self._maker = self._checked_maker(found)
        if not is_async(self._maker):
            self._take(self._made(self._maker))

    async def load(self) -> object:
        """Return the application; an async function is called once, the first time. Raises as the constructor."""
        if self.graph is None and self._maker is not None:
            try:
                self._take(await self._maker())
            except Exception as error:
                raise self._not_made(error) from error
        return self.graph

    @property
    def remembers(self) -> bool:
        """Whether it keeps its threads by itself, with a checkpointer."""
        checkpointer = getattr(self.graph, "checkpointer", None)
        return checkpointer is not None and checkpointer is not False

    def _made(self, maker: Callable[..., Any]) -> object:
        try:
            return maker()
        except (Exception, SystemExit) as error:
            raise self._not_made(error) from error

    def _take(self, made: object) -> None:
        if not is_graph(made):
            raise InvalidInputError(f"it returned {_kind(made)}", where=self._where, hint=_hint_for(made))
        self.graph = made

    def _not_made(self, error: BaseException) -> UserError:
        if isinstance(error, UserError):
            return error
        return UserError(f"{self._where}: making the graph raised {typed_text_of(error)}")

    def _checked_maker(self, found: object) -> Callable[..., Any]:
        if not callable(found):
            raise InvalidInputError(f"{_kind(found)} is no graph", where=self._where, hint=_hint_for(found))
        needed = _needed_arguments(found)
        if needed:
            what = f"it needs arguments that nobody gives: {', '.join(needed)}"
            raise InvalidInputError(what, where=self._where, hint=_HINT)
        return found


def is_graph(value: object) -> bool:
    """Whether ``value`` can be invoked as a compiled graph can."""
    invokes = callable(getattr(value, "ainvoke", None)) or callable(getattr(value, "invoke", None))
    return invokes and not isinstance(value, type)


def graph_version(spec: LangGraphSut) -> str:
    """Return a digest of the settings and of the file in which the application is written."""
    settings = spec.model_dump_json(exclude={"name", "version", "max_sessions", "folder"})
    return digest(f"{settings}\n{_source_digest(spec)}")[:16]


def _source_digest(spec: LangGraphSut) -> str:
    file = referenced_file(spec.reference, spec.folder)
    if file is None:
        module = sys.modules.get(spec.reference.rpartition(":")[0])
        file = Path(module.__file__) if module is not None and module.__file__ else None
    try:
        return hashlib.sha256(file.read_bytes()).hexdigest() if file is not None else ""
    except OSError:
        return ""


def _needed_arguments(function: Callable[..., Any]) -> list[str]:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return []
    variadic = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [p.name for p in parameters if p.default is p.empty and p.kind not in variadic]


def _hint_for(value: object) -> str:
    if callable(getattr(value, "compile", None)):
        return "that graph is not compiled: call its compile()"
    return _HINT


def _kind(value: object) -> str:
    return "None" if value is None else f"an object of type {type(value).__name__}"
