"""What calibrations and studies of the context check come to, as pages: with what was used, and what to write down.

It runs nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from hairpin.analysis.calibration import Calibration
from hairpin.analysis.context_study import ContextStudy, Reading, context_study
from hairpin.app.answer_calibration import AnswerCalibration
from hairpin.app.replay_study import StudyFindings
from hairpin.app.study_inputs import StudyInputs
from hairpin.domain.labels import AnswerLabels, ContextLabels
from hairpin.reports.calibration import calibration_section
from hairpin.reports.context_study import context_study_sections
from hairpin.reports.pages import Page


def answers_page(inputs: StudyInputs, labels: AnswerLabels, found: AnswerCalibration, encoder: str) -> Page:
    """Return which ε agrees best with people."""
    said = [
        f"Answers are compared by {inputs.spec.comparison.value} with {encoder}.",
        *_blank(found.n_blank),
        _advice("epsilon", found.calibration, inputs),
    ]
    return Page(
        title=f"Calibration of ε by {labels.file}",
        text=(_read(labels), *said),
        sections=(calibration_section(found.calibration),),
    )


def contexts_page(inputs: StudyInputs, labels: ContextLabels, found: StudyFindings) -> Page:
    """Return which ε_EC agrees best with people."""
    study = study_of(inputs, found)
    return Page(
        title=f"Calibration of ε_EC by {labels.file}",
        text=(_read(labels), *_how(inputs, found), _advice("epsilon_ec", ec_calibration(study), inputs)),
        sections=context_study_sections(study)[:2],
    )


def study_page(inputs: StudyInputs, labels: ContextLabels, found: StudyFindings) -> Page:
    """Return how well contexts are told apart, by which similarities, and how steadily."""
    return Page(
        title=f"Context checks beside {labels.file}",
        text=(_read(labels), *_how(inputs, found)),
        sections=context_study_sections(study_of(inputs, found)),
    )


def study_of(inputs: StudyInputs, found: StudyFindings) -> ContextStudy:
    """Return the study of what was found."""
    return context_study(found.findings, epsilon_ec=inputs.spec.epsilon_ec)


def ec_calibration(study: ContextStudy) -> Calibration | None:
    """Return the calibration of what EC compares; ``None`` where no finding has both similarities."""
    return next(line.calibration for line in study.sweep if line.reading is Reading.BOTH)


def _read(labels: AnswerLabels | ContextLabels) -> str:
    said = labels.sentence()
    return f"{said[0].upper()}{said[1:]}."


def _advice(key: str, calibration: Calibration | None, inputs: StudyInputs) -> str:
    if calibration is None:
        return f"There is nothing to find {key} by: no check has the similarities of questions and of answers."
    if calibration.best is None:
        return f"There is no best {key}: {calibration.reason}. Label more, of both kinds."
    if calibration.unsupported:
        return (
            f"The labels do not support any {key}: {calibration.unsupported}. Label more, or compare otherwise: "
            "metamorphic.comparison, or another encoder."
        )
    best, used = calibration.best.threshold, calibration.default.threshold
    own = inputs.scenario.metamorphic
    other = "" if own is None or own.encoder == inputs.spec.encoder else f"encoder: {inputs.spec.encoder.model}, "
    if best == used and not other:
        return f"Keep metamorphic: {{{key}: {best:g}}}."
    return f"Write into the scenario: metamorphic: {{{other}{key}: {best:g}}}; now it is {used:g}."


def _blank(number: int) -> Iterator[str]:
    if number:
        yield f"{number} without an answer: left out, since a blank answer is compared with nothing."


def _how(inputs: StudyInputs, found: StudyFindings) -> Iterator[str]:
    yield f"{inputs.cast.line} Texts were compared with {found.encoder}. Short cuts were off, and so was the cache."
    if found.usage.attempts:
        yield f"Requests to models: {found.usage.attempts}."
    if found.stopped:
        yield f"It ended early: {found.stopped}."
