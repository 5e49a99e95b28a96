"""Python objects of users, found by reference: ``./file.py:name`` and ``package.module:Name``.

It loads and never calls; ``checks`` and the adapters do.

A file becomes a module under a name of its own that depends on its path and its text: nothing is put on ``sys.path``,
no byte code is written beside it, a file loaded twice is one module, and a changed file is a new one.
"""

from __future__ import annotations

import hashlib
import importlib
import sys
import traceback
from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from hairpin.errors import InvalidInputError, UnknownReferenceError, did_you_mean
from hairpin.packs.files import read_file

ADAPTER_GROUP: Final = "hairpin.adapters"


def split_reference(reference: str, *, where: str) -> tuple[str, str]:
    """Return the file or module of ``reference`` and the name in it; raises InvalidInputError when it has not both."""
    source, colon, name = reference.rpartition(":")
    if not colon or not source.strip() or not all(part.isidentifier() for part in name.split(".")):
        hint = "write ./file.py:name or package.module:name"
        raise InvalidInputError(f"{reference!r} names no Python object", where=where, hint=hint)
    return source, name


def is_file_reference(reference: str) -> bool:
    """Whether ``reference`` names a file (``./file.py:name``) and not a module or an entry point."""
    source = reference.rpartition(":")[0]
    return source.endswith(".py") or source.startswith((".", "/")) or "/" in source or "\\" in source


def referenced_file(reference: str, folder: str | Path | None) -> Path | None:
    """Return the file that ``reference`` names, relative to ``folder``, or ``None`` if it names none."""
    return Path(folder or ".") / reference.rpartition(":")[0] if is_file_reference(reference) else None


def load_object(reference: str, *, folder: str | Path | None, where: str) -> object:
    """Import what ``reference`` names.

    Args:
        reference: ``./file.py:name`` (relative to ``folder``), ``package.module:name`` or the name of an entry point
            of the group ``hairpin.adapters``; ``name`` may be dotted.
        folder: where relative files are.
        where: the place that refers to it, for messages.

    Raises:
        InvalidInputError: it cannot be found or its code cannot be imported; names the user's file and line.
    """
    if ":" not in reference:
        return _from_entry_point(reference, where)
    source, name = split_reference(reference, where=where)
    file = referenced_file(reference, folder)
    module = _module_of_package(source, where) if file is None else _module_of_file(file, where)
    return _attribute(module, name, source, where)


def load_callable(reference: str, *, folder: str | Path | None, where: str) -> Callable[..., Any]:
    """Like ``load_object``, for what will be called; raises InvalidInputError when it cannot be."""
    found = load_object(reference, folder=folder, where=where)
    if not callable(found):
        hint = "name a function or a class"
        raise InvalidInputError(
            f"{reference!r} is of type {type(found).__name__} and cannot be called", where=where, hint=hint
        )
    return found


def adapter_names() -> tuple[str, ...]:
    """Return the names of the adapters that installed packages offer."""
    return tuple(sorted({point.name for point in entry_points(group=ADAPTER_GROUP)}))


def raised_at(error: BaseException, file: str | None = None) -> str | None:
    """Return ``file:line`` of the innermost frame of ``error`` in ``file``, or in any; ``None`` if there is none."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{error.filename}:{error.lineno or 1}"
    frames = traceback.extract_tb(error.__traceback__)
    lines = [f"{frame.filename}:{frame.lineno}" for frame in frames if file is None or frame.filename == file]
    return lines[-1] if lines else None


def _from_entry_point(name: str, where: str) -> object:
    point = next(iter(entry_points(group=ADAPTER_GROUP, name=name)), None)
    if point is None:
        hint = "write ./file.py:Name, package.module:Name or testbed"
        raise UnknownReferenceError("adapter", name, where=where, known=(*adapter_names(), "testbed"), hint=hint)
    try:
        return point.load()
    except (Exception, SystemExit) as error:
        raise _not_imported(f"the adapter {name!r} ({point.value})", error, None, where) from error


def _module_of_file(file: Path, where: str) -> ModuleType:
    code = read_file(file, "Python file", where=where)
    path = str(file.resolve())
    name = f"hairpin_user_{file.stem}_{hashlib.sha256(path.encode() + bytes(1) + code).hexdigest()[:16]}"
    if name in sys.modules:
        return sys.modules[name]
    module = ModuleType(name)
    module.__file__ = path
    sys.modules[name] = module
    try:
        exec(compile(code, path, "exec", dont_inherit=True), module.__dict__)
    except BaseException as error:
        del sys.modules[name]
        if isinstance(error, Exception | SystemExit):
            raise _not_imported(str(file), error, path, where) from error
        raise
    return module


def _module_of_package(name: str, where: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except (Exception, SystemExit) as error:
        if isinstance(error, ModuleNotFoundError) and f"{name}.".startswith(f"{error.name}."):
            hint = "install it in this environment, or name a file beside the scenario: ./file.py:Name"
            raise InvalidInputError(f"no module named {error.name!r}", where=where, hint=hint) from error
        raise _not_imported(name, error, None, where) from error


def _not_imported(what: str, error: BaseException, path: str | None, where: str) -> InvalidInputError:
    place = raised_at(error, path) or where
    said = f"{type(error).__name__}: {error.msg if isinstance(error, SyntaxError) else error}"
    hint = "mend the code" + _sibling_hint(error, path)
    return InvalidInputError(f"{what} cannot be imported ({where} refers to it): {said}", where=place, hint=hint)


def _sibling_hint(error: BaseException, path: str | None) -> str:
    if path is None or not isinstance(error, ModuleNotFoundError) or not error.name:
        return ", or what it needs"
    sibling = Path(path).with_name(f"{error.name.partition('.')[0]}.py")
    if sibling.is_file() or sibling.with_suffix("").is_dir():
        return f"; {sibling.name} lies beside it, but that folder is not on Python's path: install it or set PYTHONPATH"
    return f", or install {error.name!r}"


def _attribute(module: ModuleType, name: str, source: str, where: str) -> object:
    found: object = module
    for part in name.split("."):
        if not hasattr(found, part):
            own = [key for key in vars(found) if not key.startswith("_")] if hasattr(found, "__dict__") else []
            hint = did_you_mean(part, own) or "it defines no names"
            raise InvalidInputError(f"{source!r} has no {name!r}", where=where, hint=hint)
        found = getattr(found, part)
    return found
