"""Who says what of which conversations: annotations joined by rater, and stored runs as what their judges say.

It must not compute agreement.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from hairpin.analysis.agreement.opinions import Place
from hairpin.analysis.agreement.verdicts import RaterSheet
from hairpin.app.stored import StoredRun
from hairpin.domain.annotations import Annotation
from hairpin.domain.outcome import Role
from hairpin.domain.records import ConversationRecord, RunInfo
from hairpin.domain.rubric import Rubric
from hairpin.errors import InvalidInputError

_NAMED = 3


@dataclass(frozen=True, slots=True)
class Sourced:
    """Annotations with where they are from."""

    where: str
    annotations: tuple[Annotation, ...]


@dataclass(slots=True)
class JudgedRun:
    """What the judges of one stored run say, and of which words.

    Attributes:
        words: a digest of every conversation's exchanges; those that never ended are left out.
        failures: where its judges saw failures.
    """

    info: RunInfo
    location: str
    words: dict[str, str] = field(default_factory=dict)
    scores: dict[str, Mapping[str, int]] = field(default_factory=dict)
    completed: dict[str, float] = field(default_factory=dict)
    failures: list[Place] = field(default_factory=list)

    @property
    def judge(self) -> str:
        """What plays the conversation judges."""
        return self.info.agents.get(Role.CONVERSATION_JUDGE, "offline")

    def sheet(self, name: str) -> RaterSheet:
        """Return what its judges say under ``name``."""
        return RaterSheet(name=name, scores=self.scores, completed=self.completed, is_judge=True)

    def add(self, record: ConversationRecord) -> None:
        """Take in a conversation that was held for itself."""
        name, outcome = record.planned.id, record.outcome
        if outcome is None:
            return
        self.words[name] = _digest(record)
        if record.scores:
            self.scores[name] = {each.dimension: each.score for each in record.scores}
        if outcome.judgement.ratios.uttered is not None:
            self.completed[name] = outcome.judgement.ratios.uttered
        self.failures += [
            Place(conversation=name, t=each.t, mode=each.mode, target_id=each.target_id) for each in record.failures
        ]


def judged_run(stored: StoredRun) -> JudgedRun:
    """Return what the judges of a stored run say; conversations are read one after another."""
    found = JudgedRun(stored.run_info(), str(stored.directory.path))
    for record in stored.conversations():
        if record.planned.for_itself and record.planned.replay is None:
            found.add(record)
    return found


def judge_names(runs: Sequence[JudgedRun]) -> list[str]:
    """Return a name for the judges of each run: what plays them, with a number where several are played alike."""
    judges = [run.judge for run in runs]
    return [
        judge if judges.count(judge) == 1 else f"{judge} #{judges[: number + 1].count(judge)}"
        for number, judge in enumerate(judges)
    ]


def require_same_conversations(runs: Sequence[JudgedRun]) -> None:
    """Refuse runs of different conversations, or of different words under the same id.

    A run that judges another's conversations again may lack as many as it says it left out.

    Raises:
        InvalidInputError: says which.
    """
    every = {name for run in runs for name in run.words}
    for run in runs:
        lacking = sorted(every - run.words.keys())
        if len(lacking) > (run.info.rejudged.n_left_out if run.info.rejudged else 0):
            _refuse(run, f"lacks {_named(lacking)} that {_holder(runs, lacking[0]).location} has")
    for run in runs[1:]:
        differing = [name for name in run.words if runs[0].words.get(name, run.words[name]) != run.words[name]]
        if differing:
            _refuse(run, f"other words were said in {_named(differing)} than in {runs[0].location}")


def joined(sources: Iterable[Sourced]) -> tuple[Annotation, ...]:
    """Return one annotation of each rater and conversation, in order; what is said twice alike counts once.

    Raises:
        InvalidInputError: a rater says two things of one conversation.
    """
    found: dict[tuple[str, str], tuple[Annotation, str]] = {}
    for source in sources:
        for said in source.annotations:
            key = (said.conversation, said.rater)
            known = found.get(key)
            found[key] = (said, source.where) if known is None else (_both(*known, said, source.where), source.where)
    return tuple(said for said, _ in found.values())


def people_sheets(annotations: Sequence[Annotation]) -> tuple[RaterSheet, ...]:
    """Return what each person says, in the order in which they first say anything."""
    return tuple(
        RaterSheet(
            name=rater,
            scores={each.conversation: each.scores for each in own if each.scores},
            completed={each.conversation: each.completed for each in own if each.completed is not None},
            stated={each.conversation: each.verdict for each in own if each.verdict is not None},
        )
        for rater in dict.fromkeys(each.rater for each in annotations)
        for own in [[each for each in annotations if each.rater == rater and rates(each)]]
        if own
    )


def rates(said: Annotation) -> bool:
    """Whether an annotation rates the conversation as a whole; others are of single failures, or of blame."""
    return bool(said.scores) or said.verdict is not None


def unused_of(rubrics: Sequence[Rubric], threshold: float) -> str:
    """Return what plays no part where the first of ``rubrics`` and ``threshold`` count, as the end of a sentence."""
    used = {each.id for each in rubrics[0].dimensions}
    unused = {
        "thresholds of runs": [f"{each:g}" for each in sorted({rubric.threshold for rubric in rubrics} - {threshold})],
        "dimensions of other runs": sorted({each.id for rubric in rubrics for each in rubric.dimensions} - used),
    }
    return "".join(f"; {what} that play no part: {', '.join(names)}" for what, names in unused.items() if names)


def _both(first: Annotation, where: str, second: Annotation, also: str) -> Annotation:
    for name in ("completed", "verdict", "blame"):
        one, other = getattr(first, name), getattr(second, name)
        if None not in (one, other) and one != other:
            _contradicts(first, name, (where, one), (also, other))
    for dimension in first.scores.keys() & second.scores.keys():
        if first.scores[dimension] != second.scores[dimension]:
            one, other = first.scores[dimension], second.scores[dimension]
            _contradicts(first, f"the score of {dimension!r}", (where, one), (also, other))
    labels = {(each.t, each.mode, each.target_id): each for each in first.labels}
    for label in second.labels:
        known = labels.setdefault((label.t, label.mode, label.target_id), label)
        if known.holds != label.holds:
            _contradicts(first, f"{label.mode!r} at turn {label.t}", (where, known.holds), (also, label.holds))
    own = second.model_dump(exclude_none=True, include={"completed", "verdict", "blame"})
    return first.model_copy(
        update={"scores": {**first.scores, **second.scores}, "labels": tuple(labels.values()), **own}
    )


def _contradicts(said: Annotation, what: str, one: tuple[str, object], other: tuple[str, object]) -> None:
    raise InvalidInputError(
        f"{said.rater!r} says two things of {said.conversation!r}: {what} is {one[1]} in {one[0]}, {other[1]} here",
        where=other[0],
        hint="correct one of them; 'hairpin annotate RUN --from FILE' replaces what is stored",
    )


def _digest(record: ConversationRecord) -> str:
    said = json.dumps([[each.user, each.assistant] for each in record.exchanges])
    return hashlib.blake2b(said.encode(), digest_size=16).hexdigest()


def _holder(runs: Sequence[JudgedRun], conversation: str) -> JudgedRun:
    return next(run for run in runs if conversation in run.words)


def _named(conversations: Sequence[str]) -> str:
    more = f" and {len(conversations) - _NAMED} more" if len(conversations) > _NAMED else ""
    return f"{', '.join(conversations[:_NAMED])}{more}"


def _refuse(run: JudgedRun, what: str) -> None:
    hint = "name runs of the same conversations: a run, and what 'hairpin rejudge' made of it"
    raise InvalidInputError(what, where=run.location, hint=hint)
