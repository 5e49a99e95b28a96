"""The tables of a run's database; a change of them is a new file in ``migrations/versions`` too.

It must not hold rules; types are those that every SQL dialect has. Rows are facts and are only ever added; ``leases``
alone changes. The column ``value`` holds a whole frozen value as JSON text and is what Hairpin reads back; the columns
beside it repeat the parts that SQL selects and folds by.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

# SQLite numbers rows by itself only in a column of exactly this type.
_RowNumber = BigInteger().with_variant(Integer(), "sqlite")


def _row_number() -> Column[int]:
    return Column("row_number", _RowNumber, primary_key=True, autoincrement=True)


def _attempt() -> Column[str]:
    return Column("attempt_id", ForeignKey("attempts.attempt_id"), nullable=False, index=True)


def _attempt_key() -> Column[str]:
    return Column("attempt_id", ForeignKey("attempts.attempt_id"), primary_key=True)


def _value() -> Column[str]:
    return Column("value", Text, nullable=False)


def _planned_reference() -> ForeignKeyConstraint:
    return ForeignKeyConstraint(["run_id", "conversation_id"], ["plan.run_id", "plan.conversation_id"])


def _source_reference() -> ForeignKeyConstraint:
    return ForeignKeyConstraint(["run_id", "source_id"], ["plan.run_id", "plan.conversation_id"])


runs = Table(
    "runs",
    metadata,
    Column("run_id", String, primary_key=True),
    Column("name", String, nullable=False),
    Column("created_at", String, nullable=False),
    Column("fingerprint", String, nullable=False),
    _value(),
)

run_states = Table(
    "run_states",
    metadata,
    _row_number(),
    Column("run_id", ForeignKey("runs.run_id"), nullable=False, index=True),
    Column("status", String, nullable=False),
    Column("detail", Text, nullable=False),
    Column("elapsed_s", Float, nullable=False),
    Column("recorded_at", String, nullable=False),
)

plan = Table(
    "plan",
    metadata,
    Column("run_id", ForeignKey("runs.run_id"), primary_key=True),
    Column("conversation_id", String, primary_key=True),
    Column("plan_index", BigInteger, nullable=False),
    Column("sut", String, nullable=False),
    Column("arm", String, nullable=False),
    Column("persona", String, nullable=False),
    Column("repeat", BigInteger, nullable=False),
    Column("run", BigInteger, nullable=False),
    Column("task", String, nullable=False),
    _value(),
    UniqueConstraint("run_id", "plan_index"),
)

follow_ups = Table(
    "follow_ups",
    metadata,
    Column("run_id", String, primary_key=True),
    Column("conversation_id", String, primary_key=True),
    Column("source_id", String, nullable=False),
    Column("method", String, nullable=False),
    Column("kind", String, nullable=False),
    _planned_reference(),
    Index(None, "run_id", "source_id"),
)
"""Which planned conversations were derived from which; their questions are in the plan."""

attempts = Table(
    "attempts",
    metadata,
    Column("attempt_id", String, primary_key=True),
    Column("run_id", String, nullable=False),
    Column("conversation_id", String, nullable=False),
    Column("number", Integer, nullable=False),
    Column("worker", String, nullable=False),
    Column("started_at", String, nullable=False),
    _planned_reference(),
    UniqueConstraint("run_id", "conversation_id", "number"),
)

aborts = Table(
    "aborts",
    metadata,
    _attempt_key(),
    Column("detail", Text, nullable=False),
    Column("recorded_at", String, nullable=False),
)

outcomes = Table(
    "outcomes",
    metadata,
    _attempt_key(),
    Column("run_id", String, nullable=False),
    Column("conversation_id", String, nullable=False),
    Column("accepted", Boolean, nullable=False),
    Column("stop_reason", String, nullable=False),
    Column("verdict", String),
    Column("blame", String),
    Column("success_score", Float),
    Column("elapsed_s", Float, nullable=False),
    Column("recorded_at", String, nullable=False),
    _value(),
    _planned_reference(),
)

accepted_once = Index(
    "ux_outcomes_accepted",
    outcomes.c.run_id,
    outcomes.c.conversation_id,
    unique=True,
    sqlite_where=text("accepted = 1"),  # to the letter as queries say it, or SQLite does not use the index
    postgresql_where=text("accepted"),
)
"""Of all outcomes of a planned conversation one is the accepted one: the first."""

exchanges = Table(
    "exchanges",
    metadata,
    _attempt_key(),
    Column("t", Integer, primary_key=True, autoincrement=False),
    Column("source", String, nullable=False),
    Column("strategy", String),
    Column("latency_ms", Float, nullable=False),
    Column("regenerations", Integer, nullable=False),
    Column("recorded_at", String, nullable=False),
    _value(),
)

failures = Table(
    "failures",
    metadata,
    _row_number(),
    _attempt(),
    Column("t", Integer, nullable=False),
    Column("mode", String, nullable=False),
    Column("kind", String, nullable=False),
    Column("target_id", String),
    Column("strategy", String),
    _value(),
)

target_events = Table(
    "target_events",
    metadata,
    _row_number(),
    _attempt(),
    Column("t", Integer),
    Column("target_id", String, nullable=False),
    Column("target_kind", String, nullable=False),
    Column("old_status", Integer),
    Column("status", Integer, nullable=False),
    _value(),
)

dimension_scores = Table(
    "dimension_scores",
    metadata,
    _row_number(),
    _attempt(),
    Column("dimension", String, nullable=False),
    Column("score", Integer, nullable=False),
    _value(),
    UniqueConstraint("attempt_id", "dimension"),
)

llm_calls = Table(
    "llm_calls",
    metadata,
    _row_number(),
    Column("run_id", ForeignKey("runs.run_id"), nullable=False, index=True),
    Column("attempt_id", ForeignKey("attempts.attempt_id"), index=True),
    Column("purpose", String, nullable=False),
    Column("call_id", String, nullable=False),
    Column("number", Integer, nullable=False),
    Column("role", String, nullable=False),
    Column("endpoint", String, nullable=False),
    Column("model", String, nullable=False),
    Column("outcome", String, nullable=False),
    Column("prompt_tokens", BigInteger),
    Column("completion_tokens", BigInteger),
    Column("cached_prompt_tokens", BigInteger),
    Column("reasoning_tokens", BigInteger),
    Column("cost_usd", Float),
    Column("queue_wait_ms", Float, nullable=False),
    Column("retry_wait_ms", Float, nullable=False),
    Column("latency_ms", Float, nullable=False),
    Column("started_at", String, nullable=False),
    _value(),
)
"""Hairpin's own requests to models, one row each; calls made for no conversation have no attempt."""

activity = Table(
    "activity",
    metadata,
    _row_number(),
    Column("run_id", ForeignKey("runs.run_id"), nullable=False, index=True),
    Column("run", BigInteger, nullable=False),
    Column("sut", String, nullable=False),
    Column("arm", String, nullable=False),
    Column("active_s", Float, nullable=False),
    Column("recorded_at", String, nullable=False),
)
"""How much active time a cell and arm had used by then; of one cell and arm the last row counts."""

leases = Table(
    "leases",
    metadata,
    Column("run_id", String, primary_key=True),
    Column("conversation_id", String, primary_key=True),
    _attempt(),
    Column("worker", String, nullable=False),
    Column("expires_at_s", Float, nullable=False),
    _planned_reference(),
)

derivations = Table(
    "derivations",
    metadata,
    Column("run_id", String, primary_key=True),
    Column("source_id", String, primary_key=True),
    _value(),
    _source_reference(),
)

context_checks = Table(
    "context_checks",
    metadata,
    _row_number(),
    Column("run_id", String, nullable=False),
    Column("conversation_id", String, nullable=False),
    Column("position", Integer, nullable=False),
    Column("question_index", Integer, nullable=False),
    Column("method", String, nullable=False),
    Column("repeat", Integer, nullable=False),
    Column("equivalent", Boolean),
    Column("reason", String, nullable=False),
    Column("cos_q", Float),
    Column("cos_a", Float),
    _value(),
    ForeignKeyConstraint(["run_id", "conversation_id"], ["follow_ups.run_id", "follow_ups.conversation_id"]),
    Index(None, "run_id", "conversation_id"),
)

folds = Table(
    "folds",
    metadata,
    _row_number(),
    Column("run_id", String, nullable=False),
    Column("source_id", String, nullable=False),
    Column("complete", Boolean, nullable=False),
    Column("n_follow_ups", Integer, nullable=False),
    Column("recorded_at", String, nullable=False),
    _source_reference(),
    Index(None, "run_id", "source_id"),
)
"""When the relations of a source and its follow-ups were checked; of one source the last row counts."""

relation_checks = Table(
    "relation_checks",
    metadata,
    _row_number(),
    Column("fold", ForeignKey("folds.row_number"), nullable=False, index=True),
    Column("run_id", String, nullable=False),
    Column("source_id", String, nullable=False),
    Column("relation", String, nullable=False),
    Column("question_index", Integer, nullable=False),
    Column("kind", String, nullable=False),
    Column("similarity", Float),
    Column("violated", Boolean),
    Column("reason", Text, nullable=False),
    Column("level", Integer),
    _value(),
)
"""The checks of all folds; those of a fold that another one followed count no more."""

annotation_rows = Table(
    "annotations",
    metadata,
    _row_number(),
    Column("run_id", String, nullable=False),
    Column("conversation_id", String, nullable=False),
    Column("rater", String, nullable=False),
    Column("verdict", String),
    Column("blame", String),
    Column("recorded_at", String, nullable=False),
    _value(),
    _planned_reference(),
    Index(None, "run_id", "conversation_id"),
)
"""What raters say of conversations; of one rater and conversation the last row counts."""

turn_ballots = Table(
    "turn_ballots",
    metadata,
    _attempt_key(),
    Column("t", Integer, primary_key=True, autoincrement=False),
    Column("unanimous", Boolean, nullable=False),
    _value(),
)
"""What each member of a panel of turn judges said of an exchange; of a dimension it stands with the score."""

simulator_reviews = Table(
    "simulator_reviews",
    metadata,
    _attempt_key(),
    Column("spoiled", Boolean, nullable=False),
    _value(),
)
"""Whether a simulated user was such that its conversation says nothing of the assistant."""
