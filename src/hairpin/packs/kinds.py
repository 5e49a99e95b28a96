"""The kinds of packs and where their files lie below a folder of packs.

It reads no folder; ``finder`` does.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path, PurePosixPath

from hairpin.domain.prompts import ALL_PROMPTS
from hairpin.errors import InvalidInputError, did_you_mean
from hairpin.packs.field_types import is_pack_name


class PackKind(StrEnum):
    """What a pack file is; the value is its name in messages and on the command line."""

    PERSONA = "persona"
    STRATEGY = "strategy"
    RUBRIC = "rubric"
    SCENARIO = "scenario"
    POOL = "pool"
    PROMPT = "prompt"

    @property
    def folder(self) -> PurePosixPath:
        """The folder of the kind, below a folder of packs."""
        return PurePosixPath(_FOLDERS[self])

    @property
    def file_name(self) -> str | None:
        """The name of the file where each pack of the kind is a folder, else ``None``."""
        return _FILE_NAMES.get(self)

    @property
    def pattern(self) -> str:
        """The glob pattern of the kind's files below ``folder``."""
        return f"**/{self.file_name or '*' + self._suffix}"

    @property
    def _suffix(self) -> str:
        return ".md" if self is PackKind.PROMPT else ".yaml"

    def path(self, name: str) -> PurePosixPath:
        """Return where the pack called ``name`` lies, below a folder of packs."""
        return self.folder / name / self.file_name if self.file_name else self.folder / f"{name}{self._suffix}"

    def name_of(self, path: Path, root: Path) -> str | None:
        """Return the name of the pack whose file is ``path`` below ``root``, or ``None`` if it is none of this kind."""
        relative = path.relative_to(root / self.folder)
        if self is PackKind.SCENARIO and relative.parts[0] == "pools":
            return None
        name = relative.parent.as_posix() if self.file_name else relative.with_suffix("").as_posix()
        if self is PackKind.PROMPT:  # other texts may lie in a folder of that name
            return name if name in ALL_PROMPTS else None
        return name if is_pack_name(name) else None


_FOLDERS = {
    PackKind.PERSONA: "agents/personas",
    PackKind.STRATEGY: "strategies",
    PackKind.RUBRIC: "rubrics",
    PackKind.SCENARIO: "scenarios",
    PackKind.POOL: "scenarios/pools",
    PackKind.PROMPT: "agents",
}
_FILE_NAMES = {PackKind.RUBRIC: "rubric.yaml"}
_PLURALS = {PackKind.STRATEGY: "strategies"}


def kind_called(text: str, *, where: str) -> PackKind:
    """Return the kind that ``text`` names in singular or plural; raises InvalidInputError."""
    names = {name: kind for kind in PackKind for name in (kind.value, _PLURALS.get(kind, f"{kind.value}s"))}
    if text.lower() in names:
        return names[text.lower()]
    raise InvalidInputError(f"unknown kind of pack {text!r}", where=where, hint=did_you_mean(text, names))
