"""Which installed distributions a distribution needs, with its extras, on this machine.

It reads metadata only; it installs and judges nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib.metadata import Distribution, PackageNotFoundError, distribution

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

Finder = Callable[[str], Distribution]


class MissingDependencyError(Exception):
    """A needed distribution is not installed, so nothing can be said of what it needs in turn."""

    def __init__(self, name: str, needed_by: str) -> None:
        super().__init__(f"{name} is not installed, but {needed_by} needs it; install Hairpin with all its extras")


def closure(name: str, extras: Iterable[str], find: Finder = distribution) -> dict[str, Distribution]:
    """Return every distribution that ``name`` with ``extras`` needs, itself left out, by canonical name.

    Raises:
        MissingDependencyError: one of them is not installed.
    """
    found: dict[str, Distribution] = {}
    done: set[tuple[str, str]] = set()
    waiting = [(canonicalize_name(name), extra, "the caller") for extra in ("", *extras)]
    while waiting:
        current, extra, needed_by = waiting.pop()
        if (current, extra) in done:
            continue
        done.add((current, extra))
        try:
            found[current] = find(current)
        except PackageNotFoundError as missing:
            raise MissingDependencyError(current, needed_by) from missing
        for requirement in _needed(found[current], extra):
            child = canonicalize_name(requirement.name)
            waiting += [(child, child_extra, current) for child_extra in ("", *requirement.extras)]
    del found[canonicalize_name(name)]
    return dict(sorted(found.items()))


def runtime_extras(name: str, find: Finder = distribution) -> list[str]:
    """Return the extras of ``name`` that users install: all but ``dev``."""
    return sorted(set(find(name).metadata.get_all("Provides-Extra") or []) - {"dev"})


def _needed(dist: Distribution, extra: str) -> list[Requirement]:
    requirements = [Requirement(text) for text in dist.requires or []]
    return [r for r in requirements if r.marker is None or r.marker.evaluate({"extra": extra})]
