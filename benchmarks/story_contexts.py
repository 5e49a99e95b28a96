"""Contexts of the story assistant's closed world, labelled by its truth, for ``hairpin metamorphic ec-study``.

    python -m benchmarks.story_contexts --number 40 > story_contexts.jsonl
    hairpin metamorphic ec-study story_contexts.jsonl --scenario MODELS.yaml

Half of them are equivalent. What a model finds is in docs/results/metamorphic_coqa.md.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from random import Random

from hairpin.domain.labels import ContextItem
from hairpin.domain.rng import derive_rng_seed
from hairpin.packs.label_files import dump_context_items
from hairpin.testbed.story.generating import generate_story
from hairpin.testbed.story.resolving import equivalent
from hairpin.testbed.story.series import question_series
from hairpin.testbed.story.telling import tell

FIRST_STORY = 101
"""The offline agents were built on earlier ones."""

N_QUESTIONS = 8


def main() -> None:
    """Write the labelled contexts to the standard output."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--number", type=int, default=40, help="how many contexts (default 40)")
    number = parser.parse_args().number
    wanted = {True: number - number // 2, False: number // 2}
    drawn = []
    for item in _contexts():
        if wanted[bool(item.equivalent)]:
            wanted[bool(item.equivalent)] -= 1
            drawn.append(item)
        if not any(wanted.values()):
            break
    sys.stdout.write(dump_context_items(drawn))


def _contexts() -> Iterator[ContextItem]:
    """Yield one question of each story in another order of its questions, where something has to be found out."""
    number = FIRST_STORY
    while True:
        rng = Random(derive_rng_seed(number, "story contexts"))
        story = generate_story(number)
        asked = tuple(each.text for each in question_series(story, rng_seed=number, n_questions=N_QUESTIONS))
        order = rng.sample(range(len(asked)), len(asked))
        follow_up = tuple(asked[index] for index in order)
        position = rng.randrange(len(order))
        index = order[position]
        if asked[:index] != follow_up[:position]:
            yield ContextItem(
                id=f"story{number}",
                reference_text=tell(story, order=number),
                question=asked[index],
                source=asked[:index],
                follow_up=follow_up[:position],
                equivalent=equivalent(story, asked, index, follow_up, position),
            )
        number += 1


if __name__ == "__main__":
    main()
