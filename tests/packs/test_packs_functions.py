"""Python objects of users, loaded by reference: nothing leaks into the process, and errors name the user's line."""

from __future__ import annotations

import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from hairpin.errors import InvalidInputError, UnknownReferenceError
from hairpin.packs import functions
from hairpin.packs.functions import is_file_reference, load_callable, load_object
from tests.packs.pack_files import write


def refused(reference: str, folder: Path) -> str:
    with pytest.raises(InvalidInputError) as caught:
        load_callable(reference, folder=folder, where="s.yaml:3")
    return str(caught.value).replace(f"{folder}/", "")


def test_a_file_is_loaded_under_a_name_of_its_own(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write(tmp_path, {f"{name}/ica.py": f"class Ica:\n    name = '{name}'\n"})
    before = list(sys.path)
    loaded = [load_object("./ica.py:Ica.name", folder=tmp_path / name, where="s.yaml:3") for name in ("one", "two")]
    assert loaded == ["one", "two"]
    assert sys.path == before
    assert not list(tmp_path.rglob("__pycache__"))


def test_a_file_loaded_twice_is_one_module_and_a_changed_file_a_new_one(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "state = []\ndef f(): ...\n"})
    first = load_object("./a.py:state", folder=tmp_path, where="x")
    assert load_object("a.py:state", folder=str(tmp_path), where="x") is first
    write(tmp_path, {"a.py": "state = [1]\ndef f(): ...\n"})
    assert load_object("./a.py:state", folder=tmp_path, where="x") == [1]


def test_dataclasses_and_annotations_work_in_a_loaded_file(tmp_path: Path) -> None:
    code = (
        "from __future__ import annotations\nfrom dataclasses import dataclass\n@dataclass\nclass A:\n    x: int = 3\n"
    )
    write(tmp_path, {"a.py": code})
    found = load_callable("./a.py:A", folder=tmp_path, where="x")
    assert found().x == 3


def test_a_module_is_imported_by_its_name() -> None:
    assert load_object("json.decoder:JSONDecoder.decode", folder=None, where="x") is not None


@pytest.mark.parametrize(
    ("reference", "is_file"),
    [
        ("./a.py:f", True),
        ("a.py:f", True),
        ("../a.py:f", True),
        ("/a/b.py:f", True),
        ("a.b:f", False),
        ("plain", False),
    ],
)
def test_files_are_told_from_modules(reference: str, is_file: bool) -> None:
    assert is_file_reference(reference) is is_file


@pytest.mark.parametrize(
    ("code", "reference", "said"),
    [
        ("def polite(): ...", "./u.py:polit", "s.yaml:3: './u.py' has no 'polit'; did you mean 'polite'?"),
        ("polite = 3", "./u.py:polite", "s.yaml:3: './u.py:polite' is of type int and cannot be called; name"),
        ("", "./gone.py:f", "s.yaml:3: Python file 'gone.py' does not exist; there is no .py file"),
        (
            "",
            "no_such_module_here:f",
            "s.yaml:3: no module named 'no_such_module_here'; install it in this environment",
        ),
        ("", "json.nothing:f", "s.yaml:3: no module named 'json.nothing'; install it"),
        ("", "json:dumbs", "s.yaml:3: 'json' has no 'dumbs'; did you mean 'dumps'?"),
        ("", "./u.py:not-a-name", "s.yaml:3: './u.py:not-a-name' names no Python object; write ./file.py:name or"),
        ("\n\ndef f(:\n", "./u.py:f", "u.py:3: u.py cannot be imported (s.yaml:3 refers to it): SyntaxError: "),
        (
            "import json\n\njson.loads('{')\n",
            "./u.py:f",
            "u.py:3: u.py cannot be imported (s.yaml:3 refers to it): JSOND",
        ),
        ("raise SystemExit(3)\n", "./u.py:f", "u.py:1: u.py cannot be imported (s.yaml:3 refers to it): SystemExit: 3"),
        (
            "import no_such_thing\n",
            "./u.py:f",
            "u.py:1: u.py cannot be imported (s.yaml:3 refers to it): ModuleNotFound",
        ),
    ],
)
def test_what_cannot_be_loaded_is_named_with_the_users_line(
    tmp_path: Path, code: str, reference: str, said: str
) -> None:
    folder = tmp_path if "gone" in reference else write(tmp_path, {"u.py": code})
    found = refused(reference, folder)
    assert found.startswith(said)
    assert "; " in found, "the way out follows"


def test_a_file_that_failed_can_be_mended_and_loaded(tmp_path: Path) -> None:
    write(tmp_path, {"u.py": "1/0\n"})
    assert "ZeroDivisionError: division by zero; mend the code" in refused("./u.py:f", tmp_path)
    assert "ZeroDivisionError" in refused("./u.py:f", tmp_path), "a module that failed is not kept"
    write(tmp_path, {"u.py": "def f(): ...\n"})
    assert callable(load_object("./u.py:f", folder=tmp_path, where="x"))


def test_an_import_of_a_neighbouring_file_gets_a_hint(tmp_path: Path) -> None:
    write(tmp_path, {"u.py": "import helper_beside\n", "helper_beside.py": ""})
    assert "helper_beside.py lies beside it, but that folder is not on Python's path" in refused("./u.py:f", tmp_path)


def test_a_file_that_is_not_utf_8_is_refused_as_python_refuses_it(tmp_path: Path) -> None:
    write(tmp_path, {"u.py": b"x = 'caf\xe9'\n"})
    assert "cannot be imported (s.yaml:3 refers to it): SyntaxError: " in refused("./u.py:f", tmp_path)


def test_adapters_of_installed_packages_are_found_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    points = [EntryPoint("ok", "json:loads", "g"), EntryPoint("broken", "no_such_module_at_all:x", "g")]

    def installed(*, group: str, name: str | None = None) -> list[EntryPoint]:
        assert group == "hairpin.adapters"
        return [point for point in points if name in (None, point.name)]

    monkeypatch.setattr(functions, "entry_points", installed)
    assert load_object("ok", folder=None, where="s.yaml:3") is not None
    assert functions.adapter_names() == ("broken", "ok")
    assert "the adapter 'broken' (no_such_module_at_all:x) cannot be imported" in refused("broken", tmp_path)
    with pytest.raises(UnknownReferenceError, match=r"s\.yaml:3: unknown adapter 'brokn'; did you mean 'broken'\?"):
        load_object("brokn", folder=None, where="s.yaml:3")
