"""Adapters named in a scenario: ``./my_ica.py:MyIca``, ``package.module:Name`` or an entry point's name.

Importing is ``packs.functions``; what an object must be is ``sut.callables``.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from pydantic import JsonValue

from hairpin.domain.sut_spec import PythonSut
from hairpin.errors import InvalidInputError, did_you_mean
from hairpin.packs.functions import load_object
from hairpin.ports import SutAdapter
from hairpin.sut.callables import adapter_of
from hairpin.sut.threads import is_async


def adapter_of_reference(spec: PythonSut) -> SutAdapter:
    """Import what ``spec`` names and make an adapter of it, with the options that ``spec`` gives.

    Raises:
        InvalidInputError: it cannot be found or imported, is no adapter, or does not take these options.
        UserError: its constructor raised.
    """
    where = f"sut {spec.reference!r}"
    found = load_object(spec.reference, folder=spec.folder, where=where)
    if spec.options:
        found = _with_options(found, spec.options, where=where)
    return adapter_of(found, name=spec.reference)


def _with_options(maker: object, options: Mapping[str, JsonValue], *, where: str) -> Callable[[], object]:
    """Return a maker without arguments: ``maker`` called with ``options`` as keyword arguments."""
    if not isinstance(maker, type) and not inspect.isroutine(maker):
        what = f"takes no options: it is an object of type {type(maker).__name__}, which is made already"
        raise InvalidInputError(what, where=where, hint="name its class, or a function that makes it")
    if is_async(maker):
        hint = "options are for a class, or for a plain function that makes an adapter"
        raise InvalidInputError("takes no options: it is async", where=where, hint=hint)
    _refuse_wrong_options(maker, options, where)
    return lambda: maker(**options)


def _refuse_wrong_options(maker: Callable[..., Any], options: Mapping[str, JsonValue], where: str) -> None:
    try:
        signature = inspect.Signature() if _has_no_init(maker) else inspect.signature(maker)
    except (TypeError, ValueError):
        return  # written in C; calling it tells
    parameters = signature.parameters.values()
    named = [p for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
    taken = {p.name for p in named}
    if not any(p.kind is p.VAR_KEYWORD for p in parameters):
        for option in options:
            if option not in taken:
                what = f"takes no option {option!r}: it is {maker.__name__}{_shown(signature)}"
                raise InvalidInputError(what, where=where, hint=did_you_mean(option, taken) or "remove it")
    needed = [p.name for p in parameters if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    missing = [name for name in needed if name not in options]
    if missing:
        what = f"needs {', '.join(missing)}, which 'options' does not give: it is {maker.__name__}{_shown(signature)}"
        hint = "options are for a class, or for a function that makes an adapter, not for one that replies"
        raise InvalidInputError(what, where=where, hint=hint)


def _has_no_init(maker: Callable[..., Any]) -> bool:
    """Whether it is a class whose only constructor is that of protocols, which seems to take anything."""
    constructor = getattr(maker, "__init__", None) if isinstance(maker, type) else None
    return getattr(constructor, "__module__", None) == "typing"


def _shown(signature: inspect.Signature) -> str:
    """Return a signature without its annotations."""
    bare = [parameter.replace(annotation=inspect.Parameter.empty) for parameter in signature.parameters.values()]
    return str(inspect.Signature(bare))
