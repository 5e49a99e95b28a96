"""What raters say of conversations."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from hairpin.domain.annotations import Annotation


def test_what_a_rater_did_not_say_stays_unsaid() -> None:
    annotation = Annotation(conversation="c0001", rater="mara", scores={"plan_coherence": 1})
    assert (annotation.completed, annotation.verdict, annotation.blame) == (None, None, None)


@pytest.mark.parametrize("completed", [-0.1, 1.1, float("nan")])
def test_the_share_of_completed_targets_is_a_share(completed: float) -> None:
    with pytest.raises(ValidationError):
        Annotation(conversation="c0001", rater="mara", completed=completed)
