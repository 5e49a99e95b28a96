"""Annotations in SQL: what raters said of conversations, and which of their words count.

Functions of a connection only; writing is the writer's.
"""

from __future__ import annotations

from sqlalchemy import Connection, func, select

from hairpin.domain.annotations import Annotation
from hairpin.store.codec import column_text, stored, to_json
from hairpin.store.schema import annotation_rows
from hairpin.store.writer import Row


def annotation_row(run_id: str, annotation: Annotation, *, recorded_at: str) -> Row:
    """Return the row of ``annotations``."""
    return {
        "run_id": column_text(run_id),
        "conversation_id": column_text(annotation.conversation),
        "rater": column_text(annotation.rater),
        "verdict": annotation.verdict.value if annotation.verdict is not None else None,
        "blame": annotation.blame.value if annotation.blame is not None else None,
        "recorded_at": recorded_at,
        "value": to_json(annotation),
    }


def read_annotations(connection: Connection, run_id: str, place: str) -> tuple[Annotation, ...]:
    """Return what counts: of one rater and conversation the last row, in the order stored."""
    table = annotation_rows.c
    last = (
        select(func.max(table.row_number))
        .where(table.run_id == column_text(run_id))
        .group_by(table.conversation_id, table.rater)
    )
    query = select(table.value).where(table.row_number.in_(last)).order_by(table.row_number)
    return tuple(stored(Annotation, text, place, "annotations") for text in connection.execute(query).scalars())
