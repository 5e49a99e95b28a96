"""Where packs come from, and which of several files of one name is used.

It finds and reads files; what is in them is checked elsewhere.

A pack is looked for in ``--packs DIR``, the scenario's folder, the project's folders, installed plugins (entry points
``hairpin.packs``) and what ships with Hairpin; the first file found shadows the others.
"""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path, PurePosixPath
from typing import Final, Self

from hairpin.domain.scenario import PackOrigin
from hairpin.errors import HairpinError, InvalidInputError, UnknownReferenceError
from hairpin.packs.field_types import is_pack_name
from hairpin.packs.files import is_file, is_folder, read_file
from hairpin.packs.kinds import PackKind

PLUGIN_GROUP: Final = "hairpin.packs"
BUILT_IN: Final = "built-in"


@dataclass(frozen=True, slots=True)
class PackRoot:
    """A folder that holds ``agents``, ``strategies``, ``rubrics`` and ``scenarios``, or some of them."""

    label: str
    folder: Path


@dataclass(frozen=True, slots=True)
class PackFile:
    """A pack file that was found and read. ``path`` is as users know it; ``label`` says where it came from."""

    kind: str
    name: str
    path: Path
    label: str
    data: bytes

    @property
    def where(self) -> str:
        """How messages call the file."""
        return str(self.path)

    @property
    def origin(self) -> PackOrigin:
        """Where the file came from, with the SHA-256 of its bytes."""
        origin = self.label if self.label == BUILT_IN else f"{self.label}: {self.path}"
        return PackOrigin(kind=self.kind, name=self.name, origin=origin, digest=hashlib.sha256(self.data).hexdigest())


@dataclass(frozen=True, slots=True)
class PackFinder:
    """Folders of packs in the order in which they are searched."""

    roots: tuple[PackRoot, ...]

    @classmethod
    def standard(
        cls, *, packs: Sequence[Path] = (), project: Path | None = None, plugins: Iterable[EntryPoint] | None = None
    ) -> Self:
        """Return the usual folders; the scenario's own is added by ``beside``.

        Args:
            packs: what ``--packs`` names; each must be a folder.
            project: the user's working folder.
            plugins: entry points that name folders of packs; by default those installed.

        Raises:
            InvalidInputError: ``packs`` names no folder, or a plugin has none.
        """
        named = [PackRoot("--packs", _existing(folder)) for folder in packs]
        local = [] if project is None else [PackRoot("project", project)]
        found = entry_points(group=PLUGIN_GROUP) if plugins is None else plugins
        installed = [_plugin_root(point) for point in sorted(found, key=lambda point: point.name)]
        return cls(_without_repeats([*named, *local, *installed, PackRoot(BUILT_IN, built_in_folder())]))

    def beside(self, folder: Path) -> PackFinder:
        """Return a finder that searches ``folder`` after ``--packs`` and before all else."""
        named = [root for root in self.roots if root.label == "--packs"]
        others = [root for root in self.roots if root.label != "--packs"]
        return PackFinder(_without_repeats([*named, PackRoot("scenario folder", folder), *others]))

    def find(self, kind: PackKind, name: str) -> PackFile | None:
        """Return the file of the pack called ``name``, or ``None`` if there is none."""
        if not is_pack_name(name):
            return None
        return self.find_path(kind.path(name), kind=kind.value, name=name)

    def find_path(self, path: PurePosixPath, *, kind: str, name: str) -> PackFile | None:
        """Return the first file at ``path`` below the folders of packs, or ``None``; ``kind`` and ``name`` name it."""
        for root in self.roots:
            file = root.folder / path
            if is_file(file):
                return PackFile(kind, name, file, root.label, read_file(file, kind))
        return None

    def require(self, kind: PackKind, name: str, *, where: str) -> PackFile:
        """Return the file of the pack called ``name``, which ``where`` refers to.

        Raises:
            UnknownReferenceError: there is none; says which exist and where a new one would have to lie.
        """
        file = self.find(kind, name)
        if file is None:
            hint = f"write {kind.path(name if is_pack_name(name) else 'NAME')} beside the scenario"
            raise UnknownReferenceError(kind.value, name, where=where, known=self.names(kind), hint=hint)
        return file

    def names(self, kind: PackKind) -> tuple[str, ...]:
        """Return the names of all packs of ``kind``, sorted."""
        return tuple(sorted({name for name, _, _ in self.listed(kind)}))

    def listed(self, kind: PackKind) -> Iterator[tuple[str, PackRoot, Path]]:
        """Yield name, folder and file of every pack of ``kind``, in search order; a shadowed one comes later."""
        for root in self.roots:
            for path in sorted((root.folder / kind.folder).glob(kind.pattern)):
                name = kind.name_of(path, root.folder)
                if name is not None and path.is_file():
                    yield name, root, path


def built_in_folder() -> Path:
    """Return the folder of the packs that ship with Hairpin: inside an installed wheel, else the checkout.

    Raises:
        HairpinError: the installation has none.
    """
    package = Path(__file__).parents[1]
    for folder in (package / "_packs", package.parents[1]):
        if (folder / "rubrics").is_dir() and (folder / "strategies").is_dir():
            return folder
    raise HairpinError(f"{package}: the packs that ship with Hairpin are missing; install Hairpin again")


def _existing(folder: Path) -> Path:
    if not is_folder(folder):
        what = f"{str(folder)!r} is a file" if is_file(folder) else f"the folder {str(folder)!r} does not exist"
        hint = "name a folder that holds agents, strategies, rubrics or scenarios"
        raise InvalidInputError(what, where="--packs", hint=hint)
    return folder


def _plugin_root(point: EntryPoint) -> PackRoot:
    """Return the folder of the package that an entry point names; the package is found, not run."""
    where = f"plugin {point.name!r} ({PLUGIN_GROUP})"
    try:
        spec = importlib.util.find_spec(point.module)
    except (ImportError, ValueError) as error:
        raise InvalidInputError(f"{point.value!r} cannot be found: {error}", where=where, hint=_REINSTALL) from error
    folders = list(spec.submodule_search_locations or ()) if spec is not None else []
    if not folders or not Path(folders[0]).is_dir():
        raise InvalidInputError(f"{point.value!r} is no package with a folder", where=where, hint=_REINSTALL)
    return PackRoot(f"plugin {point.name}", Path(folders[0]))


_REINSTALL = "install the plugin again, or remove it"


def _without_repeats(roots: Sequence[PackRoot]) -> tuple[PackRoot, ...]:
    """Drop a folder that comes again; what ships with Hairpin stays under that name wherever the user stands."""
    built_in = {root.folder.resolve() for root in roots if root.label == BUILT_IN}
    kept: dict[Path, PackRoot] = {}
    for root in roots:
        real = root.folder.resolve()
        if root.label == BUILT_IN or real not in built_in:
            kept.setdefault(real, root)
    return tuple(kept.values())
