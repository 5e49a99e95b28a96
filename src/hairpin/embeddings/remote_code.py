"""Whether a model brings Python code of its own, found in its configuration before any of it can run.

Must not import a model's code, nor the libraries that could.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from hairpin.errors import EncoderError

_TRUSTED_CLASSES: Final = "sentence_transformers."
_LARGE: Final = 4 * 1024 * 1024
"""Bytes; configurations are small, vocabularies are not."""


def code_of(folder: Path) -> tuple[str, ...]:
    """Return what the model in ``folder`` would run of its own: classes that its configuration names; none is ``()``.

    A class with ``--`` in its name lies in another repository.

    Raises:
        EncoderError: a configuration cannot be read, so nothing can be said.
    """
    found = {
        name
        for path in sorted(folder.rglob("*.json"))
        if path.stat().st_size <= _LARGE
        for name in _named_classes(path)
    }
    return tuple(sorted(found))


def refuse_code(model: str, folder: Path) -> None:
    """Raise EncoderError if the model brings code of its own, naming model and setting."""
    classes = code_of(folder)
    if classes:
        shown = ", ".join(classes[:3]) + (" …" if len(classes) > 3 else "")
        raise EncoderError(
            f"{model}: the model brings Python code of its own ({shown}), which is not run; read it in {folder}, then "
            "set trust_remote_code: true if you trust it, or take another model"
        )


def _named_classes(path: Path) -> Iterator[str]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise EncoderError(f"{path}: cannot be read as JSON: {error}; fetch the model again") from error
    yield from _mapped(content)
    if path.name == "modules.json" and isinstance(content, list):
        yield from _foreign(module.get("type") for module in content if isinstance(module, dict))
    if path.name == "router_config.json" and isinstance(content, dict):
        types = content.get("types")
        yield from _foreign(types.values() if isinstance(types, dict) else ())


def _mapped(content: object) -> Iterator[str]:
    """``auto_map`` is how transformers finds a model's own classes: ``{kind: class or [class, ...]}``."""
    if not isinstance(content, Mapping):
        return
    mapped = content.get("auto_map")
    for named in mapped.values() if isinstance(mapped, Mapping) else [mapped] if mapped else []:
        yield from (str(name) for name in (named if isinstance(named, list) else [named]) if name)


def _foreign(names: object) -> Iterator[str]:
    for name in names if hasattr(names, "__iter__") else ():
        if isinstance(name, str) and not name.startswith(_TRUSTED_CLASSES):
            yield name
