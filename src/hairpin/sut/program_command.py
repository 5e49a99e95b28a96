"""What is run: the program found as a shell would find it, its environment, and which version of it that is.

It starts nothing by itself.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from pydantic import JsonValue

from hairpin.domain.fingerprint import digest
from hairpin.domain.sut_spec import ProcessSut
from hairpin.domain.sut_template import fill_text
from hairpin.errors import InvalidInputError, UserError
from hairpin.sut.chat_completion import one_line
from hairpin.sut.program import Program

_FOR_PYTHON: Final = {"PYTHONUNBUFFERED": "1", "PYTHONIOENCODING": "utf-8"}
"""Python keeps what it writes to a pipe to itself until there is much of it; a reply would never come."""

_PYTHONS: Final = frozenset({"python", "python3"})
_MAX_DIGESTED_BYTES: Final = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Command:
    """A program that can be started.

    Attributes:
        name: how messages call it: by its name, else as the user wrote it.
        words: the program's path and its arguments.
        folder: where it runs.
        environment: all its variables.
    """

    name: str
    words: tuple[str, ...]
    folder: Path
    environment: Mapping[str, str]

    @classmethod
    def of(cls, spec: ProcessSut, values: Mapping[str, JsonValue], environ: Mapping[str, str]) -> Self:
        """Return the command of ``spec``, its variables filled with ``values``. Raises UserError."""
        added = {name: fill_text(text, values) for name, text in spec.environment.items()}
        environment = {**_FOR_PYTHON, **environ, **added}
        folder = Path(spec.folder or ".").absolute()
        if not folder.is_dir():
            raise InvalidInputError(f"the folder {str(folder)!r} does not exist", where=_where(spec))
        program = _found(spec, folder, environment.get("PATH", os.defpath))
        name = spec.name or one_line(" ".join(spec.command))
        return cls(name, (program, *spec.command[1:]), folder, environment)

    async def start(self, program: Program) -> None:
        """Start it. Raises UserError."""
        try:
            await program.start(self.words, folder=self.folder, environment=self.environment)
        except OSError as error:
            hint = "does its first line name an interpreter?" if isinstance(error, FileNotFoundError) else None
            what = f"it cannot be started: {error.strerror or error}"
            raise InvalidInputError(what, where=f"program {self.name!r}", hint=hint) from error
        except ValueError:
            # No cause: its text may hold the value of a variable.
            raise UserError(f"program {self.name!r}: an argument or variable holds a character that none can") from None


def program_version(spec: ProcessSut) -> str:
    """Return a digest of the settings and of the files that the command names below its folder."""
    settings = spec.model_dump_json(exclude={"name", "version", "max_sessions", "folder"})
    files = [_file_digest(Path(spec.folder or ".") / word) for word in spec.command]
    return digest("\n".join([settings, *files]))[:16]


def _found(spec: ProcessSut, folder: Path, path: str) -> str:
    word = spec.command[0]
    if "/" in word or os.sep in word:
        return _file(spec, folder / word)
    found = shutil.which(word, path=path)
    if found is None and word in _PYTHONS:
        found = sys.executable
    if found is None:
        beside = (folder / word).is_file()
        hint = f"write ./{word}" if beside else "is it installed, and on the PATH?"
        raise InvalidInputError(f"there is no program {word!r}", where=_where(spec), hint=hint)
    return found


def _file(spec: ProcessSut, file: Path) -> str:
    if not file.is_file():
        hint = "a relative path is below the scenario's folder"
        raise InvalidInputError(f"there is no program {str(file)!r}", where=_where(spec), hint=hint)
    if not os.access(file, os.X_OK):
        hint = f"make it executable (chmod +x), or name what runs it: [python, {spec.command[0]}]"
        raise InvalidInputError(f"the program {str(file)!r} is not executable", where=_where(spec), hint=hint)
    return str(file)


def _where(spec: ProcessSut) -> str:
    return f"sut {spec.name or spec.command[0]!r}: command"


def _file_digest(path: Path) -> str:
    try:
        if not path.is_file() or path.stat().st_size > _MAX_DIGESTED_BYTES:
            return ""
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except (OSError, ValueError):
        return ""
