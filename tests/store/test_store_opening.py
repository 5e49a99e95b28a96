"""Run directories whose rows are in a file, and ones whose rows are in a server: used in the same way."""

from __future__ import annotations

import resource
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

import pytest

from hairpin.errors import StoreError
from hairpin.store.directory import RunDirectory, find_run
from hairpin.store.opening import create_run_store, open_run_reader, open_run_store
from hairpin.store.target import StoreTarget
from hairpin.store.versions import REVISIONS
from tests.postgres import GUARDED, PASSWORD
from tests.store.places import FilePlace, Place
from tests.store.store_values import StandingClock, a_plan, a_run

pytestmark = pytest.mark.anyio


@pytest.fixture
def directory(tmp_path: Path) -> RunDirectory:
    return RunDirectory(tmp_path)


@pytest.fixture
def target(place: Place) -> StoreTarget:
    url = place.address if "://" in place.address else ""
    return StoreTarget.parse(url.replace("postgres:@", f"{GUARDED}:{quote(PASSWORD, safe='')}@"))


@pytest.fixture
def environ(target: StoreTarget) -> dict[str, str]:
    return {"HAIRPIN_STORE": target.url.render_as_string(hide_password=False)} if target.url else {}


async def test_a_run_is_made_found_read_and_gone_on_with(
    target: StoreTarget, environ: dict[str, str], directory: RunDirectory, clock: StandingClock
) -> None:
    with create_run_store(target, directory, run_id="r1", clock=clock) as store:
        await store.create_run(a_run())
    found = find_run(directory.path)
    with open_run_store(found, clock=clock, environ=environ) as store:
        await store.add_plan(a_plan(2))
    with closing(open_run_reader(found, environ=environ)) as reader:
        assert reader.run_info() == a_run()
        assert reader.conversation_ids() == ("c0001", "c0002")


def test_no_file_of_the_run_holds_the_password(
    target: StoreTarget, directory: RunDirectory, clock: StandingClock
) -> None:
    with create_run_store(target, directory, run_id="r1", clock=clock):
        files = list(directory.path.iterdir())
    assert files
    assert not any(b"p@ss" in file.read_bytes() or b"p%40ss" in file.read_bytes() for file in files if file.is_file())


def test_a_server_that_refuses_leaves_nothing_that_points_at_it(directory: RunDirectory, clock: StandingClock) -> None:
    target = StoreTarget.parse("postgresql://127.0.0.1:1/d")
    with pytest.raises(StoreError, match="no connection"):
        create_run_store(target, directory, run_id="r1", clock=clock)
    assert list(directory.path.iterdir()) == []


def test_a_directory_without_a_store_is_refused(directory: RunDirectory, clock: StandingClock) -> None:
    with pytest.raises(StoreError, match="no such file"):
        open_run_store(directory, clock=clock, environ={})
    with pytest.raises(StoreError, match="no such file"):
        open_run_reader(directory)


def as_it_was_before(place: Place) -> None:
    """Make the tables those of the first version."""
    for table in (
        "turn_ballots",
        "simulator_reviews",
        "annotations",
        "relation_checks",
        "folds",
        "context_checks",
        "derivations",
        "follow_ups",
    ):
        place.query(f"DROP TABLE {table}")
    place.query("UPDATE hairpin_version SET version_num = '0001'")


async def test_a_run_of_an_older_hairpin_can_be_read(
    target: StoreTarget, environ: dict[str, str], directory: RunDirectory, clock: StandingClock, place: Place
) -> None:
    """Its tables are brought up to date on the way; of a file a copy is kept."""
    with create_run_store(target, directory, run_id="r1", clock=clock) as store:
        await store.create_run(a_run())
        await store.add_plan(a_plan(2))
    rows = place if target.url else FilePlace(directory.database)
    as_it_was_before(rows)
    with closing(open_run_reader(directory, environ=environ)) as reader:
        assert reader.conversation_ids() == ("c0001", "c0002")
        assert reader.progress().unfinished == tuple(a_plan(2))
        assert list(reader.families()) == []
    assert rows.query("SELECT version_num FROM hairpin_version") == [(REVISIONS[-1],)]
    files = {file.name for file in directory.path.iterdir()}
    kept = {"store.json"} if target.url else {"run.sqlite", f"run.sqlite.before-{REVISIONS[-1]}"}
    assert files == kept


@pytest.mark.parametrize("place", ["sqlite"], indirect=True)
async def test_an_older_file_that_cannot_be_written_is_refused_with_the_way_out(
    target: StoreTarget, directory: RunDirectory, clock: StandingClock
) -> None:
    with create_run_store(target, directory, run_id="r1", clock=clock) as store:
        await store.create_run(a_run())
    as_it_was_before(FilePlace(directory.database))
    copy = directory.database.with_name(f"run.sqlite.before-{REVISIONS[-1]}.tmp")
    copy.mkdir()  # nothing can be put there, whoever asks
    says = (
        "written by an older Hairpin, and its tables cannot be brought up to date .*; read it where it can be written"
    )
    with pytest.raises(StoreError, match=says):
        open_run_reader(directory)
    assert FilePlace(directory.database).query("SELECT version_num FROM hairpin_version") == [("0001",)]


@pytest.mark.parametrize("place", ["sqlite"], indirect=True)
async def test_a_copy_that_finds_no_room_leaves_nothing_on_the_full_disk(
    target: StoreTarget, directory: RunDirectory, clock: StandingClock
) -> None:
    """Half a copy is of no use to anybody, and takes the room that was left."""
    with create_run_store(target, directory, run_id="r1", clock=clock) as store:
        await store.create_run(a_run())
    as_it_was_before(FilePlace(directory.database))
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (64_000, hard))
    try:
        with pytest.raises(StoreError, match="tables cannot be brought up to date"):
            open_run_reader(directory)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert [file.name for file in directory.path.iterdir()] == ["run.sqlite"]
