"""Contexts and answers of a run drawn at random for a person to label.

It must not tell what was found of them; the same run and random seed give the same draw.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from random import Random
from typing import TypeVar

from hairpin.domain.families import Family
from hairpin.domain.labels import AnswerItem, ContextItem
from hairpin.domain.records import ConversationRecord
from hairpin.domain.relations import ContextCheck
from hairpin.domain.rng import derive_rng_seed
from hairpin.domain.texts import is_blank

T = TypeVar("T")


def draw_contexts(families: Iterable[Family], *, number: int, rng_seed: int) -> tuple[ContextItem, ...]:
    """Return up to ``number`` decided context checks, as many found equivalent as not where there are enough of both.

    The order tells nothing of what was found. Left out: the same question in the same two contexts once more, and
    equal contexts, of which there is nothing to say. A question that needs the assistant's reply was never decided.

    Source: MORTAR, section V-C3.
    """
    found: dict[tuple[str | None, str, tuple[str, ...], tuple[str, ...]], tuple[ContextItem, bool]] = {}
    for family in families:
        for item, equivalent in _contexts(family):
            found.setdefault((item.reference_text, item.question, item.source, item.follow_up), (item, equivalent))
    alike, other = ([item for item, equivalent in found.values() if equivalent is side] for side in (True, False))
    n_alike = min(len(alike), number - min(len(other), number // 2))
    n_other = min(len(other), number - n_alike)
    rng = Random(derive_rng_seed(rng_seed, "contexts"))  # not for secrets
    drawn = [*rng.sample(alike, n_alike), *rng.sample(other, n_other)]
    rng.shuffle(drawn)
    return tuple(drawn)


def draw_answers(families: Iterable[Family], *, number: int, rng_seed: int) -> tuple[AnswerItem, ...]:
    """Return up to ``number`` answers of source runs (RBT), each beside its first gold answer, in plan order.

    Left out: blank answers and questions without a gold answer.
    """
    all_of_them = [item for family in families for item in _answers(family)]
    rng = Random(derive_rng_seed(rng_seed, "answers"))  # not for secrets
    return tuple(_some(rng, all_of_them, number))


def _some(rng: Random, items: list[T], number: int) -> Iterator[T]:
    for place in sorted(rng.sample(range(len(items)), min(number, len(items)))):
        yield items[place]


def _answers(family: Family) -> Iterator[AnswerItem]:
    questions, source = family.derivation.test_seed.questions, family.source
    for position, (question, exchange) in enumerate(zip(questions, source.exchanges, strict=False)):
        if question.answers and not is_blank(question.answers[0]) and not is_blank(exchange.assistant):
            yield AnswerItem(
                id=f"{source.planned.id}/{position + 1}",
                question=question.text,
                answer=question.answers[0],
                output=exchange.assistant,
            )


def _contexts(family: Family) -> Iterator[tuple[ContextItem, bool]]:
    records = {record.planned.id: record for record in family.follow_ups}
    for check in family.context_checks:
        item = context_item(family, records, check)
        if item is not None and check.finding.equivalent is not None and item.source != item.follow_up:
            yield item, check.finding.equivalent


def context_item(family: Family, records: Mapping[str, ConversationRecord], check: ContextCheck) -> ContextItem | None:
    """Return what ``check`` was about, unlabelled; ``None`` where its follow-up is not among ``records``, by id."""
    record, seed = records.get(check.conversation), family.derivation.test_seed
    if record is None or record.planned.replay is None:
        return None
    replay = record.planned.replay
    return ContextItem(
        id=f"{check.conversation}/{check.position + 1}",
        reference_text=seed.reference_text,
        question=replay.questions[check.position].text,
        source=seed.texts[: check.index],
        follow_up=replay.texts[: check.position],
    )
