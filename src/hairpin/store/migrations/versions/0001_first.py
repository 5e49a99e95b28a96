"""The tables as they were first released."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision: str | None = None

# SQLite numbers rows by itself only in a column of exactly this type.
ROW_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create all tables."""
    _run()
    _attempts()
    _ends()
    _conversations()
    _model_calls()


def _run() -> None:
    """What was planned, and how far it came."""
    op.create_table(
        "runs",
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("created_at", sa.String(), nullable=False),
        sa.Column("fingerprint", sa.String(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("run_id", name=op.f("pk_runs")),
    )
    op.create_table(
        "run_states",
        sa.Column("row_number", ROW_NUMBER, autoincrement=True, nullable=False),
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("elapsed_s", sa.Float(), nullable=False),
        sa.Column("recorded_at", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["runs.run_id"], name=op.f("fk_run_states_run_id")),
        sa.PrimaryKeyConstraint("row_number", name=op.f("pk_run_states")),
    )
    op.create_index(op.f("ix_run_states_run_id"), "run_states", ["run_id"])
    op.create_table(
        "plan",
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("conversation_id", sa.String(), nullable=False),
        sa.Column("plan_index", sa.BigInteger(), nullable=False),
        sa.Column("sut", sa.String(), nullable=False),
        sa.Column("arm", sa.String(), nullable=False),
        sa.Column("persona", sa.String(), nullable=False),
        sa.Column("repeat", sa.BigInteger(), nullable=False),
        sa.Column("run", sa.BigInteger(), nullable=False),
        sa.Column("task", sa.String(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["runs.run_id"], name=op.f("fk_plan_run_id")),
        sa.PrimaryKeyConstraint("run_id", "conversation_id", name=op.f("pk_plan")),
        sa.UniqueConstraint("run_id", "plan_index", name=op.f("uq_plan_run_id_plan_index")),
    )
    op.create_table(
        "activity",
        sa.Column("row_number", ROW_NUMBER, autoincrement=True, nullable=False),
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("run", sa.BigInteger(), nullable=False),
        sa.Column("sut", sa.String(), nullable=False),
        sa.Column("arm", sa.String(), nullable=False),
        sa.Column("active_s", sa.Float(), nullable=False),
        sa.Column("recorded_at", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["runs.run_id"], name=op.f("fk_activity_run_id")),
        sa.PrimaryKeyConstraint("row_number", name=op.f("pk_activity")),
    )
    op.create_index(op.f("ix_activity_run_id"), "activity", ["run_id"])


def _attempts() -> None:
    """Tries at planned conversations."""
    op.create_table(
        "attempts",
        sa.Column("attempt_id", sa.String(), nullable=False),
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("conversation_id", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("worker", sa.String(), nullable=False),
        sa.Column("started_at", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["run_id", "conversation_id"],
            ["plan.run_id", "plan.conversation_id"],
            name=op.f("fk_attempts_run_id_conversation_id"),
        ),
        sa.PrimaryKeyConstraint("attempt_id", name=op.f("pk_attempts")),
        sa.UniqueConstraint(
            "run_id", "conversation_id", "number", name=op.f("uq_attempts_run_id_conversation_id_number")
        ),
    )


def _ends() -> None:
    """What became of attempts, and who works at what."""
    op.create_table(
        "aborts",
        sa.Column("attempt_id", sa.String(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("recorded_at", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["attempt_id"], ["attempts.attempt_id"], name=op.f("fk_aborts_attempt_id")),
        sa.PrimaryKeyConstraint("attempt_id", name=op.f("pk_aborts")),
    )
    op.create_table(
        "outcomes",
        sa.Column("attempt_id", sa.String(), nullable=False),
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("conversation_id", sa.String(), nullable=False),
        sa.Column("accepted", sa.Boolean(), nullable=False),
        sa.Column("stop_reason", sa.String(), nullable=False),
        sa.Column("verdict", sa.String(), nullable=True),
        sa.Column("blame", sa.String(), nullable=True),
        sa.Column("success_score", sa.Float(), nullable=True),
        sa.Column("elapsed_s", sa.Float(), nullable=False),
        sa.Column("recorded_at", sa.String(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["attempt_id"], ["attempts.attempt_id"], name=op.f("fk_outcomes_attempt_id")),
        sa.ForeignKeyConstraint(
            ["run_id", "conversation_id"],
            ["plan.run_id", "plan.conversation_id"],
            name=op.f("fk_outcomes_run_id_conversation_id"),
        ),
        sa.PrimaryKeyConstraint("attempt_id", name=op.f("pk_outcomes")),
    )
    op.create_index(
        "ux_outcomes_accepted",
        "outcomes",
        ["run_id", "conversation_id"],
        unique=True,
        sqlite_where=sa.text("accepted = 1"),
        postgresql_where=sa.text("accepted"),
    )
    op.create_table(
        "leases",
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("conversation_id", sa.String(), nullable=False),
        sa.Column("attempt_id", sa.String(), nullable=False),
        sa.Column("worker", sa.String(), nullable=False),
        sa.Column("expires_at_s", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["attempt_id"], ["attempts.attempt_id"], name=op.f("fk_leases_attempt_id")),
        sa.ForeignKeyConstraint(
            ["run_id", "conversation_id"],
            ["plan.run_id", "plan.conversation_id"],
            name=op.f("fk_leases_run_id_conversation_id"),
        ),
        sa.PrimaryKeyConstraint("run_id", "conversation_id", name=op.f("pk_leases")),
    )
    op.create_index(op.f("ix_leases_attempt_id"), "leases", ["attempt_id"])


def _conversations() -> None:
    """What was said in an attempt, and what was found in it."""
    op.create_table(
        "exchanges",
        sa.Column("attempt_id", sa.String(), nullable=False),
        sa.Column("t", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("strategy", sa.String(), nullable=True),
        sa.Column("latency_ms", sa.Float(), nullable=False),
        sa.Column("regenerations", sa.Integer(), nullable=False),
        sa.Column("recorded_at", sa.String(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["attempt_id"], ["attempts.attempt_id"], name=op.f("fk_exchanges_attempt_id")),
        sa.PrimaryKeyConstraint("attempt_id", "t", name=op.f("pk_exchanges")),
    )
    op.create_table(
        "failures",
        sa.Column("row_number", ROW_NUMBER, autoincrement=True, nullable=False),
        sa.Column("attempt_id", sa.String(), nullable=False),
        sa.Column("t", sa.Integer(), nullable=False),
        sa.Column("mode", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("target_id", sa.String(), nullable=True),
        sa.Column("strategy", sa.String(), nullable=True),
        sa.Column("value", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["attempt_id"], ["attempts.attempt_id"], name=op.f("fk_failures_attempt_id")),
        sa.PrimaryKeyConstraint("row_number", name=op.f("pk_failures")),
    )
    op.create_index(op.f("ix_failures_attempt_id"), "failures", ["attempt_id"])
    op.create_table(
        "target_events",
        sa.Column("row_number", ROW_NUMBER, autoincrement=True, nullable=False),
        sa.Column("attempt_id", sa.String(), nullable=False),
        sa.Column("t", sa.Integer(), nullable=True),
        sa.Column("target_id", sa.String(), nullable=False),
        sa.Column("target_kind", sa.String(), nullable=False),
        sa.Column("old_status", sa.Integer(), nullable=True),
        sa.Column("status", sa.Integer(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["attempt_id"], ["attempts.attempt_id"], name=op.f("fk_target_events_attempt_id")),
        sa.PrimaryKeyConstraint("row_number", name=op.f("pk_target_events")),
    )
    op.create_index(op.f("ix_target_events_attempt_id"), "target_events", ["attempt_id"])
    op.create_table(
        "dimension_scores",
        sa.Column("row_number", ROW_NUMBER, autoincrement=True, nullable=False),
        sa.Column("attempt_id", sa.String(), nullable=False),
        sa.Column("dimension", sa.String(), nullable=False),
        sa.Column("score", sa.Integer(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["attempt_id"], ["attempts.attempt_id"], name=op.f("fk_dimension_scores_attempt_id")),
        sa.PrimaryKeyConstraint("row_number", name=op.f("pk_dimension_scores")),
        sa.UniqueConstraint("attempt_id", "dimension", name=op.f("uq_dimension_scores_attempt_id_dimension")),
    )
    op.create_index(op.f("ix_dimension_scores_attempt_id"), "dimension_scores", ["attempt_id"])


def _model_calls() -> None:
    """Hairpin's own requests to models."""
    op.create_table(
        "llm_calls",
        sa.Column("row_number", ROW_NUMBER, autoincrement=True, nullable=False),
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("attempt_id", sa.String(), nullable=True),
        sa.Column("purpose", sa.String(), nullable=False),
        sa.Column("call_id", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("endpoint", sa.String(), nullable=False),
        sa.Column("model", sa.String(), nullable=False),
        sa.Column("outcome", sa.String(), nullable=False),
        sa.Column("prompt_tokens", sa.BigInteger(), nullable=True),
        sa.Column("completion_tokens", sa.BigInteger(), nullable=True),
        sa.Column("cached_prompt_tokens", sa.BigInteger(), nullable=True),
        sa.Column("reasoning_tokens", sa.BigInteger(), nullable=True),
        sa.Column("cost_usd", sa.Float(), nullable=True),
        sa.Column("queue_wait_ms", sa.Float(), nullable=False),
        sa.Column("retry_wait_ms", sa.Float(), nullable=False),
        sa.Column("latency_ms", sa.Float(), nullable=False),
        sa.Column("started_at", sa.String(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["attempt_id"], ["attempts.attempt_id"], name=op.f("fk_llm_calls_attempt_id")),
        sa.ForeignKeyConstraint(["run_id"], ["runs.run_id"], name=op.f("fk_llm_calls_run_id")),
        sa.PrimaryKeyConstraint("row_number", name=op.f("pk_llm_calls")),
    )
    op.create_index(op.f("ix_llm_calls_attempt_id"), "llm_calls", ["attempt_id"])
    op.create_index(op.f("ix_llm_calls_run_id"), "llm_calls", ["run_id"])
