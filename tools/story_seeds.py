"""Writes the test seeds that ship: stories of the testbed, with a series of questions and their answers each.

It must not choose among them: story n is what the testbed makes of the number n.
"""

from __future__ import annotations

import sys
from pathlib import Path

from hairpin.packs.recording_source import to_line
from hairpin.testbed.story.generating import generate_story
from hairpin.testbed.story.series import question_series
from hairpin.testbed.story.telling import tell

FILE = Path(__file__).parents[1] / "scenarios" / "test_seeds" / "stories.jsonl"
N_STORIES = 6
N_QUESTIONS = 7


def story_seeds() -> str:
    """Return the file: a dialogue a line."""
    return "".join(f"{to_line(_dialogue(number))}\n" for number in range(1, N_STORIES + 1))


def _dialogue(number: int) -> dict[str, object]:
    story = generate_story(number)
    series = question_series(story, rng_seed=number, n_questions=N_QUESTIONS)
    questions = [{"text": question.text, "answer": question.gold} for question in series]
    return {"id": f"story-{number}", "story": tell(story), "questions": questions}


def main() -> int:
    """Write the file; returns the exit code."""
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(story_seeds(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
