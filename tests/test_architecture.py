"""The layout of Hairpin, enforced on the whole source tree; and each rule, shown to refuse what it should."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests import architecture_rules as rules
from tests.architecture_sources import Source, parse, read_package
from tests.patience import SLOWNESS

ROOT = Path(__file__).parents[1]
PACK_FOLDERS = ("agents", "strategies", "rubrics", "scenarios")
NOT_MIRRORED = ("e2e/", "quality/", "packaging/", "tools/", "packs/", "test_architecture.py", "test_suite_guards.py")
Rule = Callable[[Sequence[Source]], list[str]]
SOURCES = read_package(ROOT / "src" / "hairpin")


@pytest.mark.parametrize(
    "rule",
    [
        rules.layer_violations,
        rules.cycle_violations,
        rules.relative_import_violations,
        rules.late_import_violations,
        rules.cli_start_violations,
        rules.heavy_library_violations,
        rules.pure_core_violations,
        rules.ambient_violations,
        rules.concurrency_violations,
        rules.long_function_violations,
        rules.domain_word_violations,
    ],
)
def test_the_source_keeps(rule: Rule) -> None:
    assert rule(SOURCES) == []


def test_no_function_of_tests_tools_and_benchmarks_is_too_long() -> None:
    folders = (read_package(ROOT / name) for name in ("tests", "tools", "benchmarks"))
    assert [line for sources in folders for line in rules.long_function_violations(sources)] == []


def test_pack_folders_hold_no_code() -> None:
    assert [path for folder in PACK_FOLDERS for path in (ROOT / folder).rglob("*.py")] == []


def test_every_test_mirrors_a_module() -> None:
    tests = ROOT / "tests"
    paths = [path.relative_to(tests).as_posix() for path in sorted(tests.rglob("test_*.py"))]
    assert rules.unmirrored_tests(paths, SOURCES, NOT_MIRRORED) == []


def test_test_modules_have_unique_names() -> None:
    names = [path.name for path in (ROOT / "tests").rglob("*.py") if path.name != "conftest.py"]
    assert sorted(name for name in set(names) if names.count(name) > 1) == []


def loaded_by(program: str) -> set[str]:
    """Run ``program`` in a fresh interpreter and return which heavy libraries it loaded."""
    report = f"import sys; print('loaded:', *({set(rules.HEAVY)!r} & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", f"{program}\n{report}"],
        capture_output=True,
        text=True,
        timeout=50 * SLOWNESS,
        check=True,
    )
    return set(done.stdout.splitlines()[-1].removeprefix("loaded:").split())


def test_importing_hairpin_loads_no_heavy_library() -> None:
    assert loaded_by("import hairpin") == set()


def test_help_loads_no_heavy_library_but_the_one_that_prints_it() -> None:
    program = """
import sys
from hairpin.cli import main
sys.argv = ["hairpin", "--help"]
try:
    main()
except SystemExit as stop:
    assert not stop.code, stop.code
"""
    assert loaded_by(program) == {"typer"}


def test_a_heavy_library_would_be_noticed() -> None:
    assert loaded_by("import jinja2") == {"jinja2"}


def violations(rule: Rule, *modules: tuple[str, str]) -> list[str]:
    return rule([parse(name, text) for name, text in modules])


@pytest.mark.parametrize(
    ("importer", "statement"),
    [
        ("hairpin.errors", "from hairpin.domain.base import Value"),
        ("hairpin.domain.plan", "import hairpin.ports"),
        ("hairpin.ports", "from hairpin.sut import callable"),
        ("hairpin.graph.nodes", "from hairpin.store.writer import Writer"),
        ("hairpin.packs.loader", "from hairpin.agents.offline import judge"),
        ("hairpin.store.writer", "from hairpin.campaign.runner import Runner"),
        ("hairpin.reports.html", "from hairpin.app import build"),
        ("hairpin.campaign.runner", "def f():\n    from hairpin.cli import main"),
        (
            "hairpin.domain.plan",
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from hairpin.ports import Clock",
        ),
        ("hairpin.sut.http", "from hairpin import run"),
        ("hairpin.helpers.misc", "from hairpin.errors import HairpinError"),
    ],
)
def test_refuses_an_import_that_points_outwards_or_sideways(importer: str, statement: str) -> None:
    assert violations(rules.layer_violations, (importer, statement))


@pytest.mark.parametrize(
    ("importer", "statement"),
    [
        ("hairpin.cli.run", "from hairpin.app import build"),
        ("hairpin.graph.nodes", "from hairpin.agents.offline import judge"),
        ("hairpin.sut.local", "from hairpin.llm.server import Server"),
        ("hairpin.app", "from hairpin.store.writer import Writer\nfrom hairpin.graph.build import build"),
        ("hairpin.sut.http", "import aiohttp"),
    ],
)
def test_allows_an_import_that_points_inwards_or_stays_in_its_group(importer: str, statement: str) -> None:
    assert violations(rules.layer_violations, (importer, statement)) == []


def test_refuses_a_cycle_also_inside_one_package() -> None:
    found = violations(
        rules.cycle_violations,
        ("hairpin.store.a", "from hairpin.store import b"),
        ("hairpin.store.b", "import hairpin.store.c"),
        ("hairpin.store.c", "def f():\n    from hairpin.store.a import x"),
    )
    assert len(found) == 1
    assert all(f"hairpin.store.{name}" in found[0] for name in "abc")


def test_refuses_a_relative_import() -> None:
    assert violations(rules.relative_import_violations, ("hairpin.store.a", "from . import b")) == [
        "hairpin.store.a:1: relative import"
    ]


def test_refuses_an_own_import_inside_a_function_outside_the_command_line() -> None:
    late = "def f():\n    import hairpin.errors"
    assert violations(rules.late_import_violations, ("hairpin.store.a", late))
    assert violations(rules.late_import_violations, ("hairpin.cli.run", late)) == []


def test_refuses_a_command_module_that_loads_the_program_at_once() -> None:
    assert violations(rules.cli_start_violations, ("hairpin.cli.run", "from hairpin.app import build"))
    late = "def run():\n    from hairpin.app import build"
    assert violations(rules.cli_start_violations, ("hairpin.cli.run", late)) == []


@pytest.mark.parametrize("library", sorted(rules.HEAVY))
def test_refuses_a_heavy_library_outside_its_wrapper(library: str) -> None:
    assert violations(rules.heavy_library_violations, ("hairpin.domain.plan", f"import {library}.part"))
    for home in rules.HEAVY[library]:
        assert violations(rules.heavy_library_violations, (f"hairpin.{home}.x", f"from {library} import y")) == []


@pytest.mark.parametrize("text", ["import pathlib", "from os import path", "import networkx", "async def f(): ..."])
def test_refuses_io_waiting_and_libraries_in_the_domain(text: str) -> None:
    assert violations(rules.pure_core_violations, ("hairpin.domain.plan", text))


@pytest.mark.parametrize(
    "text",
    [
        "import random\nrandom.choice([1])",
        "from random import shuffle\nshuffle([1])",
        "import random\nrandom.Random()",
        "from random import Random\nRandom()",
        "import time\ntime.monotonic()",
        "from time import sleep as wait\nwait(1)",
        "from datetime import datetime as dt, UTC\ndt.now(UTC)",
        "import datetime\ndatetime.date.today()",
        "from uuid import uuid4\nuuid4()",
        "import os\nos.environ['A']",
        "import os\nos.environ.get('A')",
        "from os import environ\nenviron.get('A')",
        "import os\nos.getenv('A')",
        "import secrets\nsecrets.token_hex()",
    ],
)
def test_refuses_to_ask_the_world_in_the_core(text: str) -> None:
    assert violations(rules.ambient_violations, ("hairpin.campaign.runner", text))
    assert violations(rules.ambient_violations, ("hairpin.settings", text)) == []


@pytest.mark.parametrize(
    "text",
    [
        "import random\nrng = random.Random(7)",
        "from random import Random\ndef f(rng: Random) -> None: rng.choice([1])",
        "from datetime import datetime\ndef f(clock): return clock.now() - datetime(2026, 1, 1)",
        "def f(time): return time.monotonic",
        "import os\nos.sep",
    ],
)
def test_allows_seeded_generators_and_what_is_passed_in(text: str) -> None:
    assert violations(rules.ambient_violations, ("hairpin.campaign.runner", text)) == []


@pytest.mark.parametrize(
    "text",
    [
        "import asyncio\nasync def f(): await asyncio.gather()",
        "import asyncio\nasync def f(): asyncio.create_task(g())",
        "from asyncio import ensure_future\nensure_future(g())",
        "async def f(loop): loop.create_task(g())",
    ],
)
def test_refuses_tasks_without_a_group(text: str) -> None:
    assert violations(rules.concurrency_violations, ("hairpin.campaign.runner", text))


def test_allows_a_bare_task_in_run_graph_and_start_alone_only() -> None:
    text = "import asyncio\nasync def {}(): asyncio.create_task(g())"
    assert violations(rules.concurrency_violations, ("hairpin.graph.run", text.format("run_graph"))) == []
    assert violations(rules.concurrency_violations, ("hairpin.graph.run", text.format("run_nodes")))
    assert violations(rules.concurrency_violations, ("hairpin.campaign.run", text.format("run_graph")))
    assert violations(rules.concurrency_violations, ("hairpin.sut.own_task", text.format("start_alone"))) == []
    assert violations(rules.concurrency_violations, ("hairpin.sut.http_turn", text.format("run_graph")))


def test_refuses_a_function_of_more_than_sixty_lines() -> None:
    def lines(n: int) -> str:
        return "def f():\n" + "    x = 1\n" * (n - 1)

    assert violations(rules.long_function_violations, ("hairpin.app", lines(60))) == []
    assert violations(rules.long_function_violations, ("hairpin.app", lines(61))) == ["hairpin.app:1: f has 61 lines"]


@pytest.mark.parametrize("text", ["avoid_tolls = 1", "# opens the Airbag", "KIND = 'plan a route'", '"""Routes."""'])
def test_refuses_words_of_one_domain_outside_the_testbed(text: str) -> None:
    assert violations(rules.domain_word_violations, ("hairpin.agents.offline.judge", text))
    assert violations(rules.domain_word_violations, ("hairpin.testbed.world", text)) == []


@pytest.mark.parametrize("text", ["routes = app.router.add_route", "x = 'autoroute'", "extolled = 1"])
def test_allows_words_that_only_look_alike(text: str) -> None:
    assert violations(rules.domain_word_violations, ("hairpin.sut.http", text)) == []


def test_lets_a_web_server_speak_of_its_routes() -> None:
    assert violations(rules.domain_word_violations, ("hairpin.testing.server", "'no such route'")) == []


def test_knows_which_test_belongs_to_which_module() -> None:
    sources = [parse(name, "") for name in ("hairpin.store.writer", "hairpin.agents.offline.judge", "hairpin.ports")]
    good = [
        "store/test_writer.py",
        "store/test_store_writer.py",
        "store/test_writer_locking.py",
        "agents/test_offline_judge.py",
        "agents/offline/test_judge.py",
        "test_ports.py",
        "e2e/test_anything.py",
    ]
    assert rules.unmirrored_tests(good, sources, ["e2e/"]) == []
    bad = ["store/test_judge.py", "test_writer.py", "store/test_everything.py"]
    assert len(rules.unmirrored_tests(bad, sources, ["e2e/"])) == 3
