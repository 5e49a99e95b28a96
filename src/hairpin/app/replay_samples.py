"""Files for a person to label, drawn from a stored run: violations, contexts, answers.

It asks nobody and encodes nothing: what was found is in the rows. Whoever asks decides where the text goes.
"""

from __future__ import annotations

from enum import StrEnum

from hairpin.analysis.metamorphic.detections import draw_detections
from hairpin.analysis.metamorphic.label_draws import draw_answers, draw_contexts
from hairpin.app.stored import StoredRun
from hairpin.domain.base import Value
from hairpin.domain.replay import Method
from hairpin.errors import InvalidInputError
from hairpin.packs.detection_files import dump_detections
from hairpin.packs.label_files import dump_answer_items, dump_context_items


class SampleKind(StrEnum):
    """What is drawn."""

    DETECTIONS = "detections"
    CONTEXTS = "contexts"
    ANSWERS = "answers"


class Sample(Value):
    """A file to label. ``n_items``: how many are in it; ``to_label``: the key that a person fills in."""

    text: str
    n_items: int
    to_label: str


def draw_sample(stored: StoredRun, kind: SampleKind, *, number: int, rng_seed: int) -> Sample:
    """Draw ``number`` items of a run, of detections so many of each method; fewer where there are fewer.

    Raises:
        InvalidInputError: the run has none.
    """
    match kind:
        case SampleKind.DETECTIONS:
            scored = tuple(stored.scored_families())
            detections = draw_detections(scored, tuple(Method), per_method=number, rng_seed=rng_seed)
            sample = Sample(text=dump_detections(detections), n_items=len(detections), to_label="genuine")
        case SampleKind.CONTEXTS:
            contexts = draw_contexts(stored.reader.families(), number=number, rng_seed=rng_seed)
            sample = Sample(text=dump_context_items(contexts), n_items=len(contexts), to_label="equivalent")
        case SampleKind.ANSWERS:
            answers = draw_answers(stored.reader.families(), number=number, rng_seed=rng_seed)
            sample = Sample(text=dump_answer_items(answers), n_items=len(answers), to_label="correct")
    if not sample.n_items:
        replayed = next(stored.reader.families(), None) is not None
        why = _NOTHING[kind] if replayed else "nothing was replayed in this run"
        raise InvalidInputError(
            f"there is nothing to label: {why}", where=str(stored.directory.path), hint="name another run"
        )
    return sample


_NOTHING = {
    SampleKind.DETECTIONS: "no relation was violated in this run",
    SampleKind.CONTEXTS: "no question was found in two different contexts in this run",
    SampleKind.ANSWERS: "no question of this run has both a gold answer and a reply",
}
