"""Agreement of judges with people, from stored runs and files of annotations: what is compared, and the result.

It must not print; the command line does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

from hairpin.analysis.agreement.bootstrap import IntervalMethod
from hairpin.analysis.agreement.model import AgreementStudy, StudyRatings, StudySettings
from hairpin.analysis.agreement.opinions import LabelPrecision, label_precisions, votes_of
from hairpin.analysis.agreement.rating_study import study_agreement
from hairpin.analysis.agreement.scale import ORDINAL_SCALE, Levels, Scale, Weighting
from hairpin.analysis.agreement.verdicts import VerdictRule
from hairpin.app.agreement_inputs import (
    JudgedRun,
    Sourced,
    joined,
    judge_names,
    judged_run,
    people_sheets,
    rates,
    require_same_conversations,
    unused_of,
)
from hairpin.app.annotating import names_of
from hairpin.app.stored import StoredRun, open_stored
from hairpin.domain.annotations import Annotation
from hairpin.domain.base import Value
from hairpin.domain.rubric import Weights
from hairpin.errors import InvalidInputError, UnknownReferenceError
from hairpin.packs.annotation_files import RunNames, read_annotations
from hairpin.reports.agreement import AgreementReport
from hairpin.reports.glossary import Glossary

DEFAULT_THRESHOLD = 0.75
MAX_RESAMPLES = 100_000
MAX_PEOPLE = 200
"""All of them are compared with each other, and every pair is in the result."""

MAX_COMPARISONS = 50_000_000
"""Pairs of people on all dimensions, in every resample: some minutes."""

_FILES = (".csv", ".tsv", ".txt", ".json", ".jsonl", ".ndjson")
_STORES = ("store.json",)


class AgreementChoices(Value):
    """How agreement is asked for. ``threshold`` ``None``: that of the first run, or the usual one."""

    weighting: Weighting = Weighting.QUADRATIC
    levels: Levels = Levels.DECLARED
    scale: Scale = ORDINAL_SCALE
    threshold: float | None = None
    n_resamples: int = 2000
    interval: IntervalMethod = IntervalMethod.BCA
    rng_seed: int = 1
    rater: str | None = None


def choices_of(
    *,
    weights: str = Weighting.QUADRATIC,
    scale: str = "0,1,2",
    threshold: float | None = None,
    n_resamples: int = 2000,
    interval: str = IntervalMethod.BCA,
    rng_seed: int = 1,
    rater: str | None = None,
) -> AgreementChoices:
    """Return what was chosen in the words of the command line.

    Raises:
        InvalidInputError: a word that there is not, a scale that is none, or a number out of range.
    """
    for where, word, words in (("--weights", weights, Weighting), ("--interval", interval, IntervalMethod)):
        known = [each.value for each in words]
        if word not in known:
            raise UnknownReferenceError(where.removeprefix("--"), word, where=where, known=known)
    if threshold is not None and not 0 <= threshold <= 1:
        what = f"must be from 0 to 1, not {threshold:g}"
        raise InvalidInputError(what, where="--threshold", hint="for example 0.75")
    if not 0 <= n_resamples <= MAX_RESAMPLES:
        what = f"must be from 0 to {MAX_RESAMPLES}, not {n_resamples}"
        raise InvalidInputError(what, where="--resamples", hint="for example 2000")
    levels, declared = _scale(scale)
    return AgreementChoices(
        weighting=Weighting(weights),
        levels=levels,
        scale=declared,
        threshold=threshold,
        n_resamples=n_resamples,
        interval=IntervalMethod(interval),
        rng_seed=rng_seed,
        rater=rater,
    )


def agreement_of(references: Sequence[str], choices: AgreementChoices) -> AgreementReport:
    """Return how far judges agree with people, and people with each other.

    Args:
        references: stored runs of the same conversations, and files of annotations, in any order. What is stored of
            the runs with ``hairpin annotate`` counts too. Without a run, people are compared with each other.
        choices: how.

    Raises:
        InvalidInputError: there is no such run or file, a file is wrong, the runs are of different conversations, a
            rater contradicts himself, or nobody rates anything.
        StoreError: a database cannot be read.
    """
    files = [reference for reference in references if is_annotations(reference)]
    with ExitStack() as stack:
        names = [reference for reference in references if reference not in files]
        stored = [stack.enter_context(open_stored(name)) for name in names]
        _require_different(stored)
        runs = [judged_run(each) for each in stored]
        require_same_conversations(runs)
        annotations = joined(_sources(stored, files, choices.rater))
        rule = _rule(stored, annotations, choices)
        glossary = stored[0].glossary() if stored else Glossary()
        choice = tuple(each.choice for each in stored if each.choice)
    judges = judge_names(runs)
    study = _study(runs, judges, annotations, rule, choices)
    labels = _labels(runs, judges, annotations)
    if study is None and not labels:
        raise InvalidInputError(
            "nobody rates a conversation",
            where=", ".join(references),
            hint="name a file of annotations: 'hairpin annotate RUN --template FILE.csv' writes one to fill in",
        )
    rated = {said.conversation for said in annotations if rates(said)}
    return AgreementReport(
        runs=tuple(run.location for run in runs),
        judges=tuple(judges),
        files=tuple(files),
        n_annotations=len(annotations),
        n_unrated=len({name for run in runs for name in run.words} - rated),
        study=study,
        labels=labels,
        titles={name: entry.title for name, entry in glossary.dimensions.items()},
        modes={name: entry.title for name, entry in glossary.modes.items()},
        choices=choice,
    )


def is_annotations(reference: str) -> bool:
    """Whether ``reference`` names a file of annotations; what does not is a run."""
    path = Path(reference)
    return path.suffix.lower() in _FILES and path.name not in _STORES and not path.is_dir()


def _scale(written: str) -> tuple[Levels, Scale]:
    if written.strip() == "seen":
        return Levels.SEEN, ORDINAL_SCALE
    hint = "write the levels from low to high, such as 0,1,2, or seen"
    try:
        return Levels.DECLARED, Scale(levels=tuple(int(level) for level in written.split(",")))
    except ValueError as error:  # pydantic's is one
        raise InvalidInputError(f"{written!r} is no scale", where="--scale", hint=hint) from error


def _require_different(stored: Sequence[StoredRun]) -> None:
    ids = [each.run_info().run_id for each in stored]
    for number, each in enumerate(stored):
        if ids[number] in ids[:number]:
            hint = "name each run once; 'hairpin rejudge' makes a run with other judges"
            raise InvalidInputError("the run is named twice", where=str(each.directory.path), hint=hint)


def _sources(stored: Sequence[StoredRun], files: Sequence[str], rater: str | None) -> Iterator[Sourced]:
    names: RunNames | None = names_of(stored[0]) if stored else None
    for each in stored:
        yield Sourced(str(each.directory.path), each.reader.annotations())
    for file in files:
        yield Sourced(file, read_annotations(Path(file), rater=rater, names=names))


def _rule(stored: Sequence[StoredRun], annotations: Sequence[Annotation], choices: AgreementChoices) -> VerdictRule:
    """Return the weights and θ by which everybody's scores become verdicts: those of the first run."""
    if stored:
        rubric = stored[0].scenario().rubric
        threshold = rubric.threshold if choices.threshold is None else choices.threshold
        weights = rubric.weights.model_copy(
            update={"dimensions": {each.id: rubric.weights.dimensions.get(each.id, 0.0) for each in rubric.dimensions}}
        )
        unused = unused_of([each.scenario().rubric for each in stored], threshold)
        source = f"of the run {stored[0].directory.name}{unused}"
        return VerdictRule(weights=weights, threshold=threshold, source=source)
    dimensions = dict.fromkeys(name for said in annotations for name in said.scores)
    threshold = DEFAULT_THRESHOLD if choices.threshold is None else choices.threshold
    weights = Weights(dimensions=dict.fromkeys(dimensions, 1.0))
    return VerdictRule(weights=weights, threshold=threshold, source="equal, as no run is named")


def _study(
    runs: Sequence[JudgedRun],
    judges: Sequence[str],
    annotations: Sequence[Annotation],
    rule: VerdictRule,
    choices: AgreementChoices,
) -> AgreementStudy | None:
    rated = dict.fromkeys(said.conversation for said in annotations if rates(said))
    order = [name for run in runs[:1] for name in run.words if name in rated]
    conversations = tuple(dict.fromkeys([*order, *rated]))
    if not conversations or not rule.weights.dimensions:
        return None
    ratings = StudyRatings(
        conversations=conversations,
        dimensions=tuple(rule.weights.dimensions),
        people=people_sheets(annotations),
        judges=tuple(run.sheet(name) for run, name in zip(runs, judges, strict=True)),
    )
    _require_feasible(ratings, choices.n_resamples)
    settings = StudySettings(
        scale=choices.scale,
        weighting=choices.weighting,
        levels=choices.levels,
        rule=rule,
        n_resamples=choices.n_resamples,
        interval=choices.interval,
        rng_seed=choices.rng_seed,
    )
    try:
        return study_agreement(ratings, settings)
    except ValueError as error:  # a score that is not on the scale
        raise InvalidInputError(str(error), where="--scale", hint="dimensions are scored 0, 1 or 2") from error


def _require_feasible(ratings: StudyRatings, n_resamples: int) -> None:
    n = len(ratings.people)
    if n > MAX_PEOPLE:
        what = f"{n:,} people rate, and at most {MAX_PEOPLE} are compared with each other"
        raise InvalidInputError(what, where="annotations", hint="leave people out, or compare them group by group")
    pairs = n * (n - 1) // 2 * len(ratings.dimensions)
    rows = 1 + len(ratings.conversations)
    if pairs * (rows + n_resamples) > MAX_COMPARISONS:
        what = f"{n} people are {pairs:,} pairs on all dimensions: {n_resamples:,} resamples of them take too long"
        fewer = (MAX_COMPARISONS // pairs - rows) // 10 * 10
        hint = f"take {fewer:,}, or fewer people" if fewer > 0 else "leave people out, or compare them group by group"
        raise InvalidInputError(what, where="--resamples", hint=hint)


def _labels(
    runs: Sequence[JudgedRun], judges: Sequence[str], annotations: Sequence[Annotation]
) -> tuple[LabelPrecision, ...]:
    votes = votes_of(annotations)
    return tuple(
        found for run, name in zip(runs, judges, strict=True) for found in label_precisions(name, run.failures, votes)
    )
