"""Run directories: making one, finding one again, and where its files are.

It must not know what the files hold.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import re
import shutil
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from hairpin.errors import InvalidInputError, StoreError, UnknownReferenceError

RUNS_FOLDER = "runs"
"""Where runs go, under the folder that the user is in."""

RECORDINGS_FILE = "recordings.jsonl"
"""In a run directory: the conversations that were made elsewhere, in one format, as they are judged."""

TEST_SEEDS_FILE = "test_seeds.jsonl"
"""In a run directory: the test seeds that are replayed, in one format."""

ROOM_MB = 4
"""A run begins only where there is room for so much, which is some hundred conversations."""

_MAX_SLUG = 60


@dataclass(frozen=True, slots=True)
class RunDirectory:
    """One run's folder, ``<name>-<utc>-<id>``, and its files."""

    path: Path

    @property
    def name(self) -> str:
        """The folder's own name."""
        return self.path.name

    @property
    def scenario(self) -> Path:
        """The scenario, fully resolved, without secrets."""
        return self.path / "scenario.yaml"

    @property
    def recordings(self) -> Path:
        """The conversations that were made elsewhere; there are none in most runs."""
        return self.path / RECORDINGS_FILE

    @property
    def test_seeds(self) -> Path:
        """The test seeds that are replayed; there are none in most runs."""
        return self.path / TEST_SEEDS_FILE

    @property
    def database(self) -> Path:
        """The rows, unless they are in PostgreSQL."""
        return self.path / "run.sqlite"

    @property
    def pointer(self) -> Path:
        """Which PostgreSQL database has the rows, if one has."""
        return self.path / "store.json"

    @property
    def has_store(self) -> bool:
        """Whether this is the directory of a run: its rows are in it, or it says where they are."""
        return _is_file(self.database) or _is_file(self.pointer)

    @property
    def log(self) -> Path:
        """The log, one JSON object a line."""
        return self.path / "log.jsonl"

    @property
    def summary(self) -> Path:
        """The summary as JSON."""
        return self.path / "summary.json"

    @property
    def report(self) -> Path:
        """The report as one HTML file."""
        return self.path / "report.html"

    @property
    def junit(self) -> Path:
        """The report as JUnit XML."""
        return self.path / "junit.xml"


def create_run_directory(root: Path, name: str, *, created: datetime, run_id: str) -> RunDirectory:
    """Make a new, empty run directory under ``root``, which is made too if need be.

    Args:
        root: the folder of all runs.
        name: what the run is called; only letters, digits, ``_``, ``.`` and ``-`` of it are kept.
        created: when the run began, with a time zone.
        run_id: tells apart runs of one name and second; should even that exist, a number is added.

    Raises:
        InvalidInputError: the folder cannot be made or written.
    """
    stem = f"{slug(name)}-{created.astimezone(UTC):%Y%m%dT%H%M%SZ}-{slug(run_id)}"
    try:
        root.mkdir(parents=True, exist_ok=True)
        path = _make_new(root, stem)
        with contextlib.ExitStack() as undo:
            undo.callback(_remove_empty, path)
            _try_writing(path)
            undo.pop_all()
    except OSError as error:
        raise InvalidInputError(
            f"no run directory can be made here: {error.strerror or error}",
            where=str(root),
            hint=f"choose a folder that can be written and has {ROOM_MB} MB left, with --out",
        ) from error
    return RunDirectory(path)


@contextlib.contextmanager
def discarded_on_error(run: RunDirectory) -> Iterator[None]:
    """Take a run directory away again when what is done in the block, before anything ran, raises."""
    try:
        yield
    except BaseException:
        shutil.rmtree(run.path, ignore_errors=True)
        raise


def find_run(reference: str | Path, *, root: Path = Path(RUNS_FOLDER)) -> RunDirectory:
    """Return the run that ``reference`` means.

    Args:
        reference: the path of a run directory or of the ``run.sqlite`` or ``store.json`` in it, or the unique beginning
            of a run's name, or of the id at the end of its name, under ``root``.
        root: the folder of all runs.

    Raises:
        InvalidInputError: it is a path, but not of a run; or several runs begin like that.
        UnknownReferenceError: there is no such run.
    """
    wanted = str(reference)
    if wanted and (run := _run_at(Path(reference))) is not None:
        return run
    names = sorted(_run_names(root))
    matching = [wanted] if wanted in names else [name for name in names if wanted and _begins(name, wanted)]
    if len(matching) > 1:
        shown = ", ".join(matching[:6]) + (" …" if len(matching) > 6 else "")
        raise InvalidInputError(
            f"{len(matching)} runs begin with {wanted!r}: {shown}", where=str(root), hint="give more of the name"
        )
    if not matching:
        raise _not_found(wanted, root, names)
    return RunDirectory(root / matching[0])


def write_text(path: Path, text: str) -> None:
    """Write a text file, UTF-8 with ``\\n`` line ends, so that at every moment there is the old file or the new one.

    Lone surrogates, which UTF-8 cannot carry, are written as ``\\udXXX``.

    Raises:
        StoreError: it cannot be written; what was there before is still there.
    """
    write_parts(path, (text,))


def write_parts(path: Path, parts: Iterable[str]) -> None:
    """Write a text file like ``write_text``, from parts that need not be in memory together.

    Raises:
        StoreError: it cannot be written; what was there before is still there.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("wb") as file:
            file.writelines(part.encode("utf-8", "backslashreplace") for part in parts)
        temporary.replace(path)
    except OSError as error:
        raise StoreError(
            f"{path}: cannot be written: {error.strerror or error}; free space or change its rights"
        ) from error
    finally:
        # Gone already when all went well; the parts may also have failed, in their own way.
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def slug(text: str) -> str:
    """Return ``text`` as part of a file name: ASCII, lower case, never empty."""
    ascii_text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9_.]+", "-", ascii_text)[:_MAX_SLUG].strip("-.") or "run"


def _make_new(root: Path, stem: str) -> Path:
    for number in itertools.count(1):
        path = root / (stem if number == 1 else f"{stem}-{number}")
        with contextlib.suppress(FileExistsError):
            path.mkdir()
            return path
    raise AssertionError


def _try_writing(path: Path) -> None:
    """Write and remove as much as a small run needs: a full disk is found now and not after models were paid."""
    probe = path / ".probe"
    try:
        with probe.open("wb") as file:
            for _ in range(ROOM_MB):
                file.write(bytes(1_000_000))
    finally:
        probe.unlink(missing_ok=True)


def _remove_empty(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.rmdir()


def _run_at(path: Path) -> RunDirectory | None:
    """Return the run at a path, if it is that of a run directory or of the database in one."""
    run = RunDirectory(path)
    if run.has_store:
        return run
    run = RunDirectory(path.parent)
    return run if path.name in (run.database.name, run.pointer.name) and _is_file(path) else None


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a name too long for this file system, or a folder that may not be looked into
        return False


def _not_found(wanted: str, root: Path, names: list[str]) -> InvalidInputError:
    path = Path(wanted)
    with contextlib.suppress(OSError):
        if wanted and path.exists():
            return InvalidInputError(
                "not a run directory: it has neither run.sqlite nor store.json" if path.is_dir() else "not a run",
                where=wanted,
                hint="give the folder that 'hairpin run' printed, or the beginning of its name",
            )
    hint = None if names else "there are no runs yet; 'hairpin run SCENARIO' makes one"
    return UnknownReferenceError("run", wanted, where=str(root), known=names, hint=hint)


def _run_names(root: Path) -> list[str]:
    if not root.is_dir():
        return []
    return [entry.name for entry in root.iterdir() if RunDirectory(entry).has_store]


def _begins(name: str, beginning: str) -> bool:
    """Whether a run's name, or the part after its date, begins like that."""
    folded = name.lower(), re.sub(r"^.*-\d{8}T\d{6}Z-", "", name).lower()
    return any(text.startswith(beginning.lower()) for text in folded)
