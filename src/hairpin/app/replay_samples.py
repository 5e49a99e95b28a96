"""Files for a person to label, drawn from a stored run: violations, contexts, answers.

It asks nobody and encodes nothing: what was found is in the rows. Whoever asks decides where the text goes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from enum import StrEnum

from hairpin.analysis.metamorphic.detections import draw_detections
from hairpin.analysis.metamorphic.label_draws import draw_answers, draw_contexts
from hairpin.analysis.metamorphic.model import METHOD_OF
from hairpin.analysis.metamorphic.scored import ScoredFamily
from hairpin.app.stored import StoredRun
from hairpin.domain.base import Value
from hairpin.domain.detections import Detection
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
    """A file to label.

    ``n_items``: how many are in it; ``to_label``: the key that a person fills in; ``short``: what there was too little
    of, ``""`` if there was enough.
    """

    text: str
    n_items: int
    to_label: str
    short: str = ""


def draw_sample(stored: StoredRun, kind: SampleKind, *, number: int, rng_seed: int) -> Sample:
    """Draw ``number`` items of a run, of detections so many of each method; fewer where there are fewer.

    Raises:
        InvalidInputError: the run has none.
    """
    match kind:
        case SampleKind.DETECTIONS:
            scored = tuple(stored.scored_families())
            detections = draw_detections(scored, tuple(Method), per_method=number, rng_seed=rng_seed)
            short = _short_of_methods(scored, detections, number)
            sample = Sample(text=dump_detections(detections), n_items=len(detections), to_label="genuine", short=short)
        case SampleKind.CONTEXTS:
            contexts = draw_contexts(stored.reader.families(), number=number, rng_seed=rng_seed)
            short = _short(len(contexts), kind, number)
            sample = Sample(
                text=dump_context_items(contexts), n_items=len(contexts), to_label="equivalent", short=short
            )
        case SampleKind.ANSWERS:
            answers = draw_answers(stored.reader.families(), number=number, rng_seed=rng_seed)
            short = _short(len(answers), kind, number)
            sample = Sample(text=dump_answer_items(answers), n_items=len(answers), to_label="correct", short=short)
    if not sample.n_items:
        replayed = next(stored.reader.families(), None) is not None
        why = _NOTHING[kind] if replayed else "nothing was replayed in this run"
        raise InvalidInputError(
            f"there is nothing to label: {why}", where=str(stored.directory.path), hint="name another run"
        )
    return sample


def _short(n_items: int, kind: SampleKind, number: int) -> str:
    return f"{number} {kind.value} were asked for, and there are only {n_items}" if n_items < number else ""


def _short_of_methods(scored: Sequence[ScoredFamily], drawn: Sequence[Detection], number: int) -> str:
    """Say of which methods that checked anything there are fewer violations than asked for."""
    checked = {METHOD_OF[check.relation] for each in scored for check in each.checks}
    found = Counter(each.method for each in drawn)
    few = [f"{found[method]} of {method.value}" for method in Method if method in checked and found[method] < number]
    return f"{number} detections of each method were asked for, and there are only {', '.join(few)}" if few else ""


_NOTHING = {
    SampleKind.DETECTIONS: "no relation was violated in this run",
    SampleKind.CONTEXTS: "no question was found in two different contexts in this run",
    SampleKind.ANSWERS: "no question of this run has both a gold answer and a reply",
}
