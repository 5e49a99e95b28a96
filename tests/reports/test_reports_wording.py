from __future__ import annotations

import pytest

from hairpin.reports.wording import duration_words, kind_words


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.25, "0.25 s"), (25, "25 s"), (90, "90 s"), (900, "15 min"), (5400, "1 h 30 min"), (14400, "4 h")],
)
def test_durations_are_told_in_the_units_people_use(seconds: float, words: str) -> None:
    assert duration_words(seconds) == words


def test_kinds_of_targets_are_words_within_a_sentence() -> None:
    assert kind_words("play_media") == "play media"
    assert kind_words("navigation + media") == "navigation + media"
