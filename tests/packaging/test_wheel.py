"""The wheel, built from the sdist, holds what users need and works where nothing else of this project is."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from email.message import Message
from email.parser import Parser
from importlib.metadata import Distribution
from pathlib import Path

import pytest

from dependency_closure import closure
from tests.patience import SLOWNESS

ROOT = Path(__file__).parents[2]
PACK_FOLDERS = ("agents", "strategies", "rubrics", "scenarios")
NO_NETWORK = """
import ipaddress, os, sys

def watch(event, args):
    if event == "socket.getaddrinfo":
        host = args[0]
    elif event == "socket.connect" and isinstance(args[1], tuple):
        host = args[1][0]
    else:
        return
    host = host.decode() if isinstance(host, bytes) else host
    try:
        local = host in (None, "", "localhost") or ipaddress.ip_address(host).is_loopback
    except ValueError:
        local = False
    if not local:
        os.write(2, f"reached for the network: {host}\\n".encode())
        os._exit(99)

sys.addaudithook(watch)
"""

pytestmark = pytest.mark.timeout(170)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the sdist, and the wheel from the sdist; return their folder."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    (path,) = built.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def wheel_files(wheel: Path) -> frozenset[str]:
    with zipfile.ZipFile(wheel) as archive:
        return frozenset(archive.namelist())


@pytest.fixture(scope="module")
def metadata(wheel: Path) -> Message:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        return Parser().parsestr(archive.read(name).decode())


@pytest.fixture(scope="module")
def elsewhere(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel where only its declared dependencies are; return the folder of the programs.

    The dependencies are copied from this environment, so that it needs no network: exactly what the metadata names,
    without development tools and extras. An import of anything else fails there.
    """
    folder = tmp_path_factory.mktemp("elsewhere") / "venv"
    venv.create(folder, with_pip=True)
    programs = folder / "bin"
    (site_packages,) = (folder / "lib").glob("python*/site-packages")
    for dist in closure("hairpin", []).values():
        copy_distribution(dist, site_packages)
    (site_packages / "sitecustomize.py").write_text(NO_NETWORK, encoding="utf-8")
    run(programs / "python", "-m", "pip", "install", "--no-index", "--no-deps", "--quiet", str(wheel), cwd=folder)
    return programs


def copy_distribution(dist: Distribution, target: Path) -> None:
    assert dist.files, f"{dist.name} does not say which files it has"
    for file in dist.files:
        source = Path(str(dist.locate_file(file)))
        if ".." in file.parts or "__pycache__" in file.parts or not source.is_file():
            continue
        (target / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target / file)


def run(*command: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run a program with nothing of this environment but PATH; it must succeed."""
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env={"PATH": os.environ["PATH"], "HOME": str(cwd), "PIP_DISABLE_PIP_VERSION_CHECK": "1"},
        capture_output=True,
        text=True,
        timeout=60 * SLOWNESS,
        check=False,
    )
    assert done.returncode == 0, f"exit code {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done


def tracked_files(*folders: str) -> set[str]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *folders],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return {name for name in listed.stdout.splitlines() if Path(name).name != ".gitkeep" and (ROOT / name).is_file()}


def test_the_sdist_can_build_the_wheel_and_holds_no_tests(built: Path) -> None:
    (path,) = built.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md"} <= names
    assert tracked_files("src", *PACK_FOLDERS) <= names
    assert {name.partition("/")[0] for name in names}.isdisjoint({"tests", "tools", "benchmarks", ".ci"})


def test_the_wheel_holds_every_file_of_the_source_and_of_the_packs(wheel_files: frozenset[str]) -> None:
    source = {name.removeprefix("src/") for name in tracked_files("src")}
    packs = {f"hairpin/_packs/{name}" for name in tracked_files(*PACK_FOLDERS)}
    assert packs
    assert source | packs <= wheel_files


def test_the_wheel_holds_nothing_else(wheel_files: frozenset[str]) -> None:
    info = {name for name in wheel_files if ".dist-info/" in name}
    assert {name.partition("/")[0] for name in wheel_files - info} == {"hairpin"}
    expected = {name.removeprefix("src/") for name in tracked_files("src")}
    extra = {name for name in wheel_files - info - expected if not name.startswith("hairpin/_packs/")}
    assert extra == set()
    assert not [name for name in wheel_files if "tests" in name.split("/") or name.endswith(".pyc")]


def test_the_wheel_says_that_it_is_typed_and_carries_its_licence(
    wheel_files: frozenset[str], metadata: Message
) -> None:
    assert "hairpin/py.typed" in wheel_files
    assert [name for name in wheel_files if name.endswith(".dist-info/licenses/LICENSE")]
    assert metadata["License-Expression"] == "Apache-2.0"
    assert metadata["Requires-Python"] == ">=3.11"


def test_the_packs_hold_no_code(wheel_files: frozenset[str]) -> None:
    assert not [name for name in wheel_files if name.startswith("hairpin/_packs/") and name.endswith(".py")]


def test_what_is_installed_is_consistent(elsewhere: Path, tmp_path: Path) -> None:
    assert "No broken requirements" in run(elsewhere / "python", "-m", "pip", "check", cwd=tmp_path).stdout


def test_help_works_elsewhere(elsewhere: Path, tmp_path: Path) -> None:
    assert "demo" in run(elsewhere / "hairpin", "--help", cwd=tmp_path).stdout


def test_the_built_in_packs_are_found_elsewhere(elsewhere: Path, tmp_path: Path) -> None:
    assert "in_car" in run(elsewhere / "hairpin", "packs", "list", cwd=tmp_path).stdout


def test_the_demo_works_elsewhere_without_the_network(elsewhere: Path, tmp_path: Path) -> None:
    printed = run(elsewhere / "hairpin", "demo", "--out", "found", cwd=tmp_path).stdout
    (report,) = (tmp_path / "found").rglob("report.html")
    assert report.name in printed


def test_reaching_for_the_network_there_would_be_noticed(elsewhere: Path, tmp_path: Path) -> None:
    program = "import socket; socket.create_connection(('192.0.2.1', 9))"
    with pytest.raises(AssertionError, match=r"reached for the network: 192\.0\.2\.1"):
        run(elsewhere / "python", "-c", program, cwd=tmp_path)
