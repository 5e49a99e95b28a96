from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from hairpin.domain.labels import AnswerItem, AnswerLabels, ContextItem, ContextLabels, LabelCounts


@given(st.lists(st.sampled_from([True, False, None])))
def test_every_label_is_counted_once(labels: list[bool | None]) -> None:
    counts = LabelCounts.of(labels)
    assert counts.n_true + counts.n_false + counts.n_unlabelled == len(labels)
    assert counts.n_unlabelled == labels.count(None)


def test_a_file_of_labels_says_what_was_read() -> None:
    contexts = ContextLabels(
        file="c.jsonl",
        items=(ContextItem(id="1", question="Who?", equivalent=True),),
        counts=LabelCounts(n_true=1, n_unlabelled=3),
    )
    assert contexts.sentence() == (
        "read from c.jsonl: 1 label, 1 equivalent, 0 not equivalent; 3 without a label skipped"
    )
    answers = AnswerLabels(
        file="a.csv",
        items=(AnswerItem(id="1", answer="Bonn", output="", correct=False),),
        counts=LabelCounts(n_true=1, n_false=1),
    )
    assert answers.sentence() == "read from a.csv: 2 labels, 1 correct, 1 wrong"


def test_labels_of_nothing_are_no_labels() -> None:
    with pytest.raises(ValidationError):
        ContextLabels(file="c", items=(), counts=LabelCounts())
