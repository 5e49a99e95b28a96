"""What the tables promise, to Hairpin and to people who read them with SQL."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import insert
from sqlalchemy.dialects import postgresql
from sqlalchemy.exc import IntegrityError
from sqlalchemy.schema import CreateIndex, CreateTable

from hairpin.errors import StoreError
from hairpin.store import schema, sqlite
from hairpin.store.runs import SqlRunStore
from tests.store.store_values import query


def test_the_tables_are_those_of_the_design(file_store: SqlRunStore, path: Path) -> None:
    names = {name for (name,) in query(path, "SELECT name FROM sqlite_master WHERE type = 'table'")}
    facts = {"runs", "plan", "attempts", "outcomes", "exchanges", "failures", "target_events", "dimension_scores"}
    replays = {"follow_ups", "derivations", "context_checks", "folds", "relation_checks"}
    trust = {"annotations", "simulator_reviews", "turn_ballots"}
    assert (
        facts | replays | trust | {"llm_calls", "leases", "activity", "run_states", "aborts", "hairpin_version"}
        == names
    )


def test_every_row_about_an_attempt_carries_it() -> None:
    """What is planned, and what is found of several conversations together, is of no attempt."""
    without = {"runs", "run_states", "plan", "activity"}
    without |= {"follow_ups", "derivations", "context_checks", "folds", "relation_checks", "annotations"}
    assert {name for name, table in schema.metadata.tables.items() if "attempt_id" not in table.c} == without


def test_a_database_of_something_else_is_refused_and_left_alone(path: Path) -> None:
    with sqlite3.connect(path) as file:
        file.execute("CREATE TABLE songs (title TEXT)")
    file.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="not of a Hairpin run"):
        sqlite.open_file(path)
    assert path.read_bytes() == before


def test_only_one_outcome_of_a_conversation_can_be_the_accepted_one(path: Path) -> None:
    outcome = {
        "run_id": "r",
        "conversation_id": "c",
        "stop_reason": "x",
        "elapsed_s": 0,
        "recorded_at": "",
        "value": "",
    }
    run = {"run_id": "r", "name": "", "created_at": "", "fingerprint": "", "value": ""}
    plan = {"run_id": "r", "conversation_id": "c", "plan_index": 0, "sut": "", "arm": "", "persona": "", "repeat": 0}
    plan |= {"run": 0, "task": ""}
    with sqlite.create_file(path).engine.begin() as connection:
        connection.execute(insert(schema.runs), run)
        connection.execute(insert(schema.plan), {**plan, "value": ""})
        for number in (1, 2, 3):
            attempt = {"attempt_id": f"a{number}", "run_id": "r", "conversation_id": "c", "number": number}
            connection.execute(insert(schema.attempts), {**attempt, "worker": "w", "started_at": ""})
        connection.execute(insert(schema.outcomes), {**outcome, "attempt_id": "a1", "accepted": True})
        connection.execute(insert(schema.outcomes), {**outcome, "attempt_id": "a2", "accepted": False})
        with pytest.raises(IntegrityError, match="UNIQUE"):
            connection.execute(insert(schema.outcomes), {**outcome, "attempt_id": "a3", "accepted": True})


def test_the_same_tables_can_be_made_in_postgresql() -> None:
    """No type of one dialect only, and the accepted outcome is unique there too."""
    dialect = postgresql.dialect()  # type: ignore[no-untyped-call]  # SQLAlchemy leaves it unannotated
    made = [str(CreateTable(table).compile(dialect=dialect)) for table in schema.metadata.sorted_tables]
    assert len(made) == len(schema.metadata.tables)
    assert str(CreateIndex(schema.accepted_once).compile(dialect=dialect)).endswith("WHERE accepted")
