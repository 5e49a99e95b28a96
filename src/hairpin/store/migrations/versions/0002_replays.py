"""Tables for conversations that were derived from others, and for what was checked of them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

# SQLite numbers rows by itself only in a column of exactly this type.
ROW_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create the tables; none that exists changes, so that an older run merely has no rows in them."""
    _derived()
    _contexts()
    _relations()


def _derived() -> None:
    """What was derived from which conversation."""
    op.create_table(
        "follow_ups",
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("conversation_id", sa.String(), nullable=False),
        sa.Column("source_id", sa.String(), nullable=False),
        sa.Column("method", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["run_id", "conversation_id"],
            ["plan.run_id", "plan.conversation_id"],
            name=op.f("fk_follow_ups_run_id_conversation_id"),
        ),
        sa.PrimaryKeyConstraint("run_id", "conversation_id", name=op.f("pk_follow_ups")),
    )
    op.create_index(op.f("ix_follow_ups_run_id_source_id"), "follow_ups", ["run_id", "source_id"])
    op.create_table(
        "derivations",
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("source_id", sa.String(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["run_id", "source_id"],
            ["plan.run_id", "plan.conversation_id"],
            name=op.f("fk_derivations_run_id_source_id"),
        ),
        sa.PrimaryKeyConstraint("run_id", "source_id", name=op.f("pk_derivations")),
    )


def _contexts() -> None:
    """Whether a question asks for the same fact in the follow-up as in its source."""
    op.create_table(
        "context_checks",
        sa.Column("row_number", ROW_NUMBER, autoincrement=True, nullable=False),
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("conversation_id", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("question_index", sa.Integer(), nullable=False),
        sa.Column("method", sa.String(), nullable=False),
        sa.Column("repeat", sa.Integer(), nullable=False),
        sa.Column("equivalent", sa.Boolean(), nullable=True),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("cos_q", sa.Float(), nullable=True),
        sa.Column("cos_a", sa.Float(), nullable=True),
        sa.Column("value", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["run_id", "conversation_id"],
            ["follow_ups.run_id", "follow_ups.conversation_id"],
            name=op.f("fk_context_checks_run_id_conversation_id"),
        ),
        sa.PrimaryKeyConstraint("row_number", name=op.f("pk_context_checks")),
    )
    op.create_index(op.f("ix_context_checks_run_id_conversation_id"), "context_checks", ["run_id", "conversation_id"])


def _relations() -> None:
    """What holds between the answers of a source and its follow-ups."""
    op.create_table(
        "folds",
        sa.Column("row_number", ROW_NUMBER, autoincrement=True, nullable=False),
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("source_id", sa.String(), nullable=False),
        sa.Column("complete", sa.Boolean(), nullable=False),
        sa.Column("n_follow_ups", sa.Integer(), nullable=False),
        sa.Column("recorded_at", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["run_id", "source_id"], ["plan.run_id", "plan.conversation_id"], name=op.f("fk_folds_run_id_source_id")
        ),
        sa.PrimaryKeyConstraint("row_number", name=op.f("pk_folds")),
    )
    op.create_index(op.f("ix_folds_run_id_source_id"), "folds", ["run_id", "source_id"])
    op.create_table(
        "relation_checks",
        sa.Column("row_number", ROW_NUMBER, autoincrement=True, nullable=False),
        sa.Column("fold", ROW_NUMBER, nullable=False),
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("source_id", sa.String(), nullable=False),
        sa.Column("relation", sa.String(), nullable=False),
        sa.Column("question_index", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("similarity", sa.Float(), nullable=True),
        sa.Column("violated", sa.Boolean(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("level", sa.Integer(), nullable=True),
        sa.Column("value", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["fold"], ["folds.row_number"], name=op.f("fk_relation_checks_fold")),
        sa.PrimaryKeyConstraint("row_number", name=op.f("pk_relation_checks")),
    )
    op.create_index(op.f("ix_relation_checks_fold"), "relation_checks", ["fold"])
