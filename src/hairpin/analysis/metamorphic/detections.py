"""Violations drawn at random for a person to label: so many of each method.

It must not label; the same run and random seed give the same draw.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from hairpin.analysis.metamorphic.model import METHOD_OF
from hairpin.analysis.metamorphic.scored import ScoredFamily
from hairpin.domain.detections import Detection
from hairpin.domain.records import ConversationRecord
from hairpin.domain.relations import MetamorphicRelation, Output, RelationCheck
from hairpin.domain.replay import Method
from hairpin.domain.rng import derive_rng_seed
from hairpin.domain.texts import is_blank


def draw_detections(
    scored: Sequence[ScoredFamily], methods: Sequence[Method], *, per_method: int, rng_seed: int
) -> tuple[Detection, ...]:
    """Return up to ``per_method`` violations of each of ``methods``, drawn without replacement, in a stable order.

    Source: MORTAR, section V-B1.
    """
    found: list[Detection] = []
    for method in methods:
        all_of_it = [
            (each, check)
            for each in scored
            for check in each.checks
            if check.violated and METHOD_OF[check.relation] is method
        ]
        rng = Random(derive_rng_seed(rng_seed, "detections", method.value))  # not for secrets
        places = sorted(rng.sample(range(len(all_of_it)), min(per_method, len(all_of_it))))
        found += [detection_of(*all_of_it[place]) for place in places]
    return tuple(found)


def detection_of(scored: ScoredFamily, check: RelationCheck) -> Detection:
    """Return a violation as a person can judge it; of a group the first of the two outputs that decided it."""
    family = scored.family
    output = check.outputs[0] if check.outputs else Output(conversation=check.source, position=check.index)
    question = family.derivation.test_seed.questions[check.index]
    replayed = exchanges_before(scored, output)
    *earlier, asked = replayed or [(question.text, "")]
    return Detection(
        id="/".join((check.relation.value, output.conversation, str(output.position + 1), str(check.index + 1))),
        method=METHOD_OF[check.relation],
        relation=check.relation,
        kind=check.kind,
        sut=scored.sut,
        conversation=output.conversation,
        turn=output.position,
        reference_text=family.derivation.test_seed.reference_text,
        earlier=tuple(text for text, _ in earlier),
        question=asked[0],
        answer=asked[1],
        compared_with=compared_text(scored, check),
        gold=question.answers[0] if question.answers else None,
        similarity=check.similarity,
    )


def exchanges_before(scored: ScoredFamily, output: Output) -> list[tuple[str, str]]:
    """Return what was asked and answered up to ``output``, a history that was handed over included."""
    record = _records(scored).get(output.conversation)
    if record is None:
        return []
    replay = record.planned.replay
    handed = [(turn.user, turn.assistant) for turn in replay.history] if replay is not None else []
    return [*handed, *((each.user, each.assistant) for each in record.exchanges[: output.position + 1])]


def compared_text(scored: ScoredFamily, check: RelationCheck) -> str:
    """Return what an output was compared with: of a group the other output, else the text that was expected.

    Where it was compared with each of several gold answers, these are all named: a check does not tell which decided.
    """
    if len(check.outputs) > 1:
        told = exchanges_before(scored, check.outputs[1])
        return told[-1][1] if told else ""
    return next(_expected(scored, check), "")


def _expected(scored: ScoredFamily, check: RelationCheck) -> Iterator[str]:
    if check.relation is MetamorphicRelation.QAASKER and check.outputs:
        record = _records(scored).get(check.outputs[0].conversation)
        replay = record.planned.replay if record is not None else None
        if replay is not None and replay.expected is not None:
            yield replay.expected
    answers = [each for each in scored.family.derivation.test_seed.questions[check.index].answers if not is_blank(each)]
    if answers and check.relation is not MetamorphicRelation.METAL:
        yield " / ".join(dict.fromkeys(answers)) if check.n_pairs > 1 else answers[0]
    exchanges = scored.family.source.exchanges
    if check.index < len(exchanges):
        yield exchanges[check.index].assistant


def _records(scored: ScoredFamily) -> dict[str, ConversationRecord]:
    return {record.planned.id: record for record in (scored.family.source, *scored.family.follow_ups)}
