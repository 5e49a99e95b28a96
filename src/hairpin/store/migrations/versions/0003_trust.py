"""Tables for what people say of conversations, for votes of panels, and for reviews of simulated users."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

# SQLite numbers rows by itself only in a column of exactly this type.
ROW_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create the tables; none that exists changes, so that an older run merely has no rows in them."""
    op.create_table(
        "annotations",
        sa.Column("row_number", ROW_NUMBER, autoincrement=True, nullable=False),
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("conversation_id", sa.String(), nullable=False),
        sa.Column("rater", sa.String(), nullable=False),
        sa.Column("verdict", sa.String(), nullable=True),
        sa.Column("blame", sa.String(), nullable=True),
        sa.Column("recorded_at", sa.String(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["run_id", "conversation_id"],
            ["plan.run_id", "plan.conversation_id"],
            name=op.f("fk_annotations_run_id_conversation_id"),
        ),
        sa.PrimaryKeyConstraint("row_number", name=op.f("pk_annotations")),
    )
    op.create_index(op.f("ix_annotations_run_id_conversation_id"), "annotations", ["run_id", "conversation_id"])
    op.create_table(
        "turn_ballots",
        sa.Column("attempt_id", sa.String(), nullable=False),
        sa.Column("t", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("unanimous", sa.Boolean(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["attempt_id"], ["attempts.attempt_id"], name=op.f("fk_turn_ballots_attempt_id")),
        sa.PrimaryKeyConstraint("attempt_id", "t", name=op.f("pk_turn_ballots")),
    )
    op.create_table(
        "simulator_reviews",
        sa.Column("attempt_id", sa.String(), nullable=False),
        sa.Column("spoiled", sa.Boolean(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["attempt_id"], ["attempts.attempt_id"], name=op.f("fk_simulator_reviews_attempt_id")),
        sa.PrimaryKeyConstraint("attempt_id", name=op.f("pk_simulator_reviews")),
    )
