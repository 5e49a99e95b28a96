"""What counts as a dependency: everything an installation pulls in here, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from dependency_closure import MissingDependencyError, closure, runtime_extras
from tests.tools.installed import finder, write_distribution


def test_follows_dependencies_of_dependencies(tmp_path: Path) -> None:
    write_distribution(tmp_path, "app", requires=["Mid>=1"])
    write_distribution(tmp_path, "mid", requires=["leaf"])
    write_distribution(tmp_path, "leaf")
    assert list(closure("app", [], finder(tmp_path))) == ["leaf", "mid"]


def test_survives_a_circle(tmp_path: Path) -> None:
    write_distribution(tmp_path, "app", requires=["a"])
    write_distribution(tmp_path, "a", requires=["b"])
    write_distribution(tmp_path, "b", requires=["a"])
    assert list(closure("app", [], finder(tmp_path))) == ["a", "b"]


def test_takes_an_extra_only_when_it_is_asked_for(tmp_path: Path) -> None:
    write_distribution(tmp_path, "app", requires=['plus; extra == "more"'], header=["Provides-Extra: more"])
    write_distribution(tmp_path, "plus")
    assert list(closure("app", [], finder(tmp_path))) == []
    assert list(closure("app", ["more"], finder(tmp_path))) == ["plus"]


def test_follows_the_extras_that_a_dependency_is_asked_for(tmp_path: Path) -> None:
    write_distribution(tmp_path, "app", requires=["client[fast]"])
    write_distribution(tmp_path, "client", requires=['engine; extra == "fast"', 'docs; extra == "docs"'])
    write_distribution(tmp_path, "engine")
    assert list(closure("app", [], finder(tmp_path))) == ["client", "engine"]


def test_follows_an_extra_that_refers_to_the_distribution_itself(tmp_path: Path) -> None:
    requires = ['app[local]; extra == "all"', 'engine; extra == "local"']
    write_distribution(tmp_path, "app", requires=requires)
    write_distribution(tmp_path, "engine")
    assert list(closure("app", ["all"], finder(tmp_path))) == ["engine"]


def test_leaves_out_what_other_systems_need(tmp_path: Path) -> None:
    write_distribution(tmp_path, "app", requires=['elsewhere; sys_platform == "plan9"'])
    assert list(closure("app", [], finder(tmp_path))) == []


def test_says_who_needs_what_is_missing(tmp_path: Path) -> None:
    write_distribution(tmp_path, "app", requires=["gone"])
    with pytest.raises(MissingDependencyError, match="gone is not installed, but app needs it"):
        closure("app", [], finder(tmp_path))


def test_users_install_every_extra_but_dev(tmp_path: Path) -> None:
    write_distribution(tmp_path, "app", header=["Provides-Extra: dev", "Provides-Extra: local", "Provides-Extra: all"])
    assert runtime_extras("app", finder(tmp_path)) == ["all", "local"]
