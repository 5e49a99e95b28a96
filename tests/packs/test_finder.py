"""Where packs are looked for, what shadows what, and what is said when there is none."""

from __future__ import annotations

import hashlib
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from hairpin.errors import HairpinError, InvalidInputError, UnknownReferenceError
from hairpin.packs import finder
from hairpin.packs.finder import BUILT_IN, PLUGIN_GROUP, PackFinder, PackRoot, built_in_folder
from hairpin.packs.kinds import PackKind, kind_called
from tests.packs.pack_files import PERSONA, built_in, write


def persona(folder: Path, title: str) -> Path:
    return write(folder, {"agents/personas/neutral.yaml": PERSONA.format(id="neutral") + f"# {title}\n"})


def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> EntryPoint:
    write(tmp_path / "site", {"finder_plugin/__init__.py": "raise RuntimeError('found, not run')\n"})
    persona(tmp_path / "site" / "finder_plugin", "plugin")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    return EntryPoint("extra", "finder_plugin", PLUGIN_GROUP)


def test_the_first_folder_that_has_a_pack_shadows_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """--packs, the scenario's folder, the project's, plugins, built-in: taking one away shows the next."""
    point = plugin(tmp_path, monkeypatch)
    named, beside, project = (persona(tmp_path / name, name) for name in ("named", "beside", "project"))
    steps = (
        ("--packs", PackFinder.standard(packs=[named], project=project, plugins=[point]).beside(beside)),
        ("scenario folder", PackFinder.standard(project=project, plugins=[point]).beside(beside)),
        ("project", PackFinder.standard(project=project, plugins=[point])),
        ("plugin extra", PackFinder.standard(plugins=[point])),
        (BUILT_IN, PackFinder.standard(plugins=[])),
    )
    for label, searched in steps:
        file = searched.find(PackKind.PERSONA, "neutral")
        assert file is not None
        assert file.label == label
    assert "finder_plugin" not in sys.modules


def test_a_found_file_carries_its_origin_and_digest(tmp_path: Path) -> None:
    folder = persona(tmp_path, "mine")
    file = PackFinder((PackRoot("project", folder),)).require(PackKind.PERSONA, "neutral", where="s.yaml:1")
    path = folder / "agents/personas/neutral.yaml"
    assert file.origin.origin == f"project: {path}"
    assert file.origin.digest == hashlib.sha256(path.read_bytes()).hexdigest()
    assert (file.origin.kind, file.origin.name) == ("persona", "neutral")


def test_what_ships_keeps_its_origin_also_in_the_checkout() -> None:
    standard = PackFinder.standard(project=built_in_folder(), plugins=[])
    assert [root.label for root in standard.roots] == [BUILT_IN]


def test_an_unknown_pack_is_refused_with_the_closest_name_and_the_place(tmp_path: Path) -> None:
    with pytest.raises(UnknownReferenceError) as caught:
        built_in(tmp_path).require(PackKind.PERSONA, "polit", where="s.yaml:4")
    assert str(caught.value) == "s.yaml:4: unknown persona 'polit'; did you mean 'polite'?"


def test_where_nothing_exists_the_message_says_where_to_write_it(tmp_path: Path) -> None:
    with pytest.raises(
        UnknownReferenceError, match=r"unknown rubric 'x'; write rubrics/x/rubric\.yaml beside the scenario"
    ):
        PackFinder((PackRoot("project", tmp_path),)).require(PackKind.RUBRIC, "x", where="s.yaml:1")


@pytest.mark.parametrize("name", ["../neutral", "/etc/passwd", "a\\b", "", ".", "..", "a//b", "a/../b"])
def test_a_name_never_leaves_its_folder(tmp_path: Path, name: str) -> None:
    write(tmp_path, {"agents/neutral.yaml": "x: 1\n", "agents/personas/a/x.yaml": "x: 1\n"})
    assert PackFinder((PackRoot("project", tmp_path),)).find(PackKind.PERSONA, name) is None


def test_names_are_listed_by_kind_and_pools_are_no_scenarios(tmp_path: Path) -> None:
    found = built_in(tmp_path)
    assert found.names(PackKind.PERSONA) == ("neutral", "polite")
    assert found.names(PackKind.RUBRIC) == ("in_car",)
    assert found.names(PackKind.STRATEGY) == ("in_car",)
    assert found.names(PackKind.POOL) == ("in_car/1",)
    assert found.names(PackKind.SCENARIO) == ("shipped",)


def test_packs_must_name_a_folder(tmp_path: Path) -> None:
    with pytest.raises(
        InvalidInputError, match=r"^--packs: the folder '.*gone' does not exist; name a folder that holds"
    ):
        PackFinder.standard(packs=[tmp_path / "gone"], plugins=[])
    write(tmp_path, {"file": "x"})
    with pytest.raises(InvalidInputError, match=r"^--packs: '.*file' is a file; name a folder"):
        PackFinder.standard(packs=[tmp_path / "file"], plugins=[])


def test_an_installation_without_packs_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finder, "__file__", str(tmp_path / "site/hairpin/packs/finder.py"))
    with pytest.raises(HairpinError, match="the packs that ship with Hairpin are missing; install Hairpin again"):
        built_in_folder()


@pytest.mark.parametrize("value", ["no_such_plugin_package", "no_such_package.inner", "json.decoder"])
def test_a_plugin_without_a_folder_is_refused_by_name(value: str) -> None:
    with pytest.raises(InvalidInputError, match=r"^plugin 'bad' \(hairpin\.packs\): .*; install the plugin again"):
        PackFinder.standard(plugins=[EntryPoint("bad", value, PLUGIN_GROUP)])


def test_kinds_are_known_in_singular_and_plural() -> None:
    assert kind_called("Personas", where="packs list") is PackKind.PERSONA
    assert kind_called("strategies", where="packs list") is PackKind.STRATEGY
    with pytest.raises(
        InvalidInputError, match=r"packs list: unknown kind of pack 'persnas'; did you mean 'personas'\?"
    ):
        kind_called("persnas", where="packs list")
