"""PostgreSQL: what is refused, in words that help and without the password, and several runs side by side."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest
from sqlalchemy import URL, make_url

from hairpin.errors import StoreError
from hairpin.store import postgres
from hairpin.store.runs import SqlRunStore
from hairpin.store.target import StoreTarget
from tests.postgres import GUARDED, PASSWORD, postgres_url
from tests.store.places import PostgresPlace
from tests.store.store_values import StandingClock, a_plan, a_run, an_exchange, an_outcome

__all__ = ["postgres_url"]
pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def no_password_of_the_developers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("PGPASSWORD", raising=False)
    monkeypatch.setenv("PGPASSFILE", str(tmp_path / "none"))


@pytest.fixture
def place(postgres_url: str) -> PostgresPlace:
    return PostgresPlace(postgres_url)


@pytest.fixture
def store(place: PostgresPlace, clock: StandingClock) -> Iterator[SqlRunStore]:
    with place.create(clock) as opened:
        yield opened


def parsed(url: str, **changes: object) -> URL:
    target = StoreTarget.parse(make_url(url).set(**changes).render_as_string(hide_password=False))  # type: ignore[arg-type]
    assert target.url is not None
    return target.url


def refusal(url: URL) -> str:
    with pytest.raises(StoreError) as caught:
        postgres.create_database(url, run_id="r1")
    assert PASSWORD not in everything_said(caught.value)
    return str(caught.value)


def everything_said(error: BaseException) -> str:
    """The messages of an error and of all its causes, as a traceback would show them."""
    said = []
    cause: BaseException | None = error
    while cause is not None:
        said += [str(cause), repr(cause)]
        cause = cause.__cause__ or cause.__context__
    return "\n".join(said)


async def begin(store: SqlRunStore, run_id: str) -> None:
    await store.create_run(a_run(run_id))
    await store.lease(a_plan(1)[0], attempt_id=f"of {run_id}", worker="w", lease_s=60)


async def test_several_runs_share_a_database_and_do_not_see_each_other(
    place: PostgresPlace, clock: StandingClock
) -> None:
    with place.create(clock, "r1") as first, place.create(clock, "r2") as second:
        for store, run_id in ((first, "r1"), (second, "r2")):
            await begin(store, run_id)
            await store.log(f"of {run_id}").record_exchange(an_exchange(user=run_id))
        with first.drive(), second.drive():
            assert await first.abort_open_attempts("gone") == 1
        await second.finish_attempt("of r2", an_outcome())
        assert [r.exchanges[0].user for r in second.conversations()] == ["r2"]
        assert (first.progress().finished, second.progress().finished) == (frozenset[int](), frozenset({0}))
        assert (first.progress().aborted, second.progress().aborted) == ({"gone": 1}, {})
        assert (first.run_info().run_id, second.run_info().run_id) == ("r1", "r2")


async def test_a_store_takes_the_run_it_was_opened_for_and_no_other(store: SqlRunStore) -> None:
    with pytest.raises(StoreError, match="opened for run 'r1', not 'r2'"):
        await store.create_run(a_run("r2"))
    await store.create_run(a_run("r1"))
    with pytest.raises(StoreError, match="holds run 'r1' already"):
        await store.create_run(a_run("r1"))


def test_a_missing_database_is_named(place: PostgresPlace) -> None:
    says = refusal(parsed(place.url, database="nowhere"))
    assert 'database "nowhere" does not exist; create it, or name another one' in says


def test_a_server_that_is_not_there_is_named(place: PostgresPlace) -> None:
    url = make_url(place.url).update_query_dict({"host": "/nowhere"})
    says = refusal(parsed(url.render_as_string(hide_password=False)))
    assert says.startswith("postgresql://postgres")
    assert "No such file or directory" in says
    assert "is the server running, and is the address right?" in says


def test_a_refused_connection_is_explained() -> None:
    says = refusal(parsed(f"postgresql://me:{quote(PASSWORD, safe='')}@127.0.0.1:1/db"))
    assert says.startswith("postgresql://me@127.0.0.1:1/db: no connection: ")
    assert "is the server running" in says


@pytest.mark.parametrize("password", ["", "wrong"])
def test_a_wrong_password_is_refused_with_the_ways_to_give_one(place: PostgresPlace, password: str) -> None:
    says = refusal(parsed(place.url, username=GUARDED, password=password))
    assert "give the password in HAIRPIN_STORE, in PGPASSWORD or in .pgpass" in says
    assert "wrong" not in says


def test_the_right_password_is_in_no_name(place: PostgresPlace, clock: StandingClock) -> None:
    url = parsed(place.url, username=GUARDED, password=PASSWORD)
    database = postgres.create_database(url, run_id="r1")
    with (
        closing(postgres.open_run(url, run_id="r1")) as reader,
        SqlRunStore(database, reader, clock) as opened,
        pytest.raises(StoreError, match="holds no run") as caught,
    ):
        opened.progress()
    assert PASSWORD not in everything_said(caught.value)
    assert database.place.startswith(f"postgresql://{GUARDED}@/")
    assert PASSWORD not in f"{database!r} {database.key} {database.engine!r}"


def test_the_password_may_come_from_the_environment(place: PostgresPlace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
    assert postgres.create_database(parsed(place.url, username=GUARDED, password=None), run_id="r1").run_id == "r1"


def test_a_user_without_connections_left_is_told_so(place: PostgresPlace) -> None:
    place.query("CREATE ROLE crowded LOGIN CONNECTION LIMIT 0")
    says = refusal(parsed(place.url, username="crowded"))
    place.query("DROP ROLE crowded")
    assert "too many connections" in says
    assert "close other connections or raise the server's max_connections" in says


def test_a_user_who_may_make_no_tables_is_told_so(place: PostgresPlace) -> None:
    place.query("CREATE ROLE guest LOGIN")
    says = refusal(parsed(place.url, username="guest"))
    place.query("DROP ROLE guest")
    assert "let it create and write tables" in says


def test_a_read_only_database_is_refused_before_anything_is_spent(place: PostgresPlace) -> None:
    name = make_url(place.url).database
    place.query(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    assert "read-only; give the address of the primary server" in refusal(parsed(place.url))


def test_tables_of_somebody_else_with_these_names_are_left_alone(place: PostgresPlace) -> None:
    place.query("CREATE TABLE runs (mine int)")
    assert "has tables of these names that are not Hairpin's" in refusal(parsed(place.url))
    assert place.query("SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'") == [("runs",)]


def test_a_database_that_holds_no_unicode_is_refused(place: PostgresPlace) -> None:
    name = f"{make_url(place.url).database}_latin"
    place.query(f"CREATE DATABASE {name} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
    says = refusal(parsed(place.url, database=name))
    place.query(f"DROP DATABASE {name} WITH (FORCE)")
    assert "its encoding is LATIN1, which cannot hold every text; create it with UTF8" in says


def test_a_database_without_a_run_is_not_opened(place: PostgresPlace, clock: StandingClock) -> None:
    with pytest.raises(StoreError, match=place.called + "a database, but not of a Hairpin run"):
        place.open(clock)
    assert place.query("SELECT 1 FROM information_schema.tables WHERE table_schema = 'public'") == []


def end_sessions(place: PostgresPlace, name: str) -> None:
    place.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        f"WHERE datname = current_database() AND application_name LIKE '{name}' AND pid <> pg_backend_pid()"
    )


async def test_a_server_that_is_gone_stores_nothing_says_so_and_lets_the_run_go_on_later(
    store: SqlRunStore, place: PostgresPlace, clock: StandingClock
) -> None:
    await begin(store, "r1")
    await store.log("of r1").record_exchange(an_exchange(0))
    end_sessions(place, "hairpin %")
    for t in (1, 2):
        with pytest.raises(StoreError, match=place.called + "the connection to the server is lost; .*resume"):
            await store.log("of r1").record_exchange(an_exchange(t))
    store.close()
    with place.open(clock) as again:
        assert [exchange.t for exchange in again.conversation("c0001").exchanges] == [0]
        await again.abort_open_attempts("lost")
        assert again.progress().aborted == {"lost": 1}


def test_a_lock_whose_connection_is_lost_ends_without_a_second_error(
    store: SqlRunStore, place: PostgresPlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The writer, whose connection is gone too, has said so."""
    monkeypatch.setattr("hairpin.store.postgres.NOTICING_S", 30)
    with store.drive():
        end_sessions(place, "hairpin %")
    with store.drive():
        assert len(place.query("SELECT 1 FROM pg_locks WHERE locktype = 'advisory'")) == 1


async def test_a_full_disk_stops_the_run_and_says_so(store: SqlRunStore, place: PostgresPlace) -> None:
    """The server's own error, raised where it would raise it."""
    await begin(store, "r1")
    place.query(
        "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$"
    )
    place.query("CREATE TRIGGER full_disk BEFORE INSERT ON exchanges EXECUTE FUNCTION full_disk()")
    with pytest.raises(StoreError, match=r"the server's disk is full; free .*could not extend file"):
        await store.log("of r1").record_exchange(an_exchange())
    with pytest.raises(StoreError, match="the server's disk is full"):
        await store.abort_attempt("of r1", "interrupted")


async def test_tables_that_somebody_locks_are_waited_for_and_then_named(
    place: PostgresPlace, clock: StandingClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hairpin.store.postgres.LOCK_TIMEOUT_S", 0.2)
    with place.create(clock) as store, psycopg.connect(place.url) as other:
        await begin(store, "r1")
        other.execute("LOCK TABLE exchanges")
        with pytest.raises(StoreError, match=r"another session holds the tables locked, for more than 0\.2 s"):
            await store.log("of r1").record_exchange(an_exchange())
        other.rollback()
        await store.log("of r1").record_exchange(an_exchange())
        assert len(store.conversation("c0001").exchanges) == 1


def test_a_reader_cannot_write(store: SqlRunStore, place: PostgresPlace) -> None:
    with (
        closing(place.reader()) as reader,
        pytest.raises(StoreError, match=r"read-only"),
        reader._reading() as connection,
    ):
        connection.exec_driver_sql("DELETE FROM runs")


def test_two_processes_may_make_the_tables_at_the_same_time(place: PostgresPlace) -> None:
    code = (
        "import sys; from hairpin.store import postgres; from hairpin.store.target import StoreTarget; "
        "postgres.create_database(StoreTarget.parse(sys.argv[1]).url, run_id=sys.argv[2])"
    )
    children = [subprocess.Popen([sys.executable, "-c", code, place.url, run]) for run in ("r1", "r2")]
    assert [child.wait() for child in children] == [0, 0]


def test_the_options_of_the_url_are_kept(postgres_url: str) -> None:
    """Tables can live in a schema of their own, beside those of others."""
    PostgresPlace(postgres_url).query("CREATE SCHEMA mine")
    url = make_url(postgres_url).update_query_dict({"options": "-csearch_path=mine"})
    postgres.create_database(parsed(url.render_as_string(hide_password=False)), run_id="r1")
    tables = "SELECT DISTINCT table_schema FROM information_schema.tables WHERE table_name IN ('runs', 'plan')"
    assert PostgresPlace(postgres_url).query(tables) == [("mine",)]
