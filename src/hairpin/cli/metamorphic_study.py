"""``hairpin metamorphic calibrate`` and ``ec-study``: thresholds that agree with people, contexts told apart.

It must not compute; ``app`` and ``analysis`` do.
"""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hairpin.cli import options
from hairpin.cli.console import errors_as_messages, fitted, note, say, width
from hairpin.cli.places import require_new, write_files

if TYPE_CHECKING:
    from hairpin.app.replay_study import StudyFindings, StudyOrder
    from hairpin.app.study_inputs import StudyInputs
    from hairpin.domain.labels import AnswerLabels, ContextLabels
    from hairpin.reports.pages import Page

Labels = Annotated[
    Path,
    typer.Argument(
        metavar="LABELS",
        help="A file of labels, as 'hairpin metamorphic sample' draws it: of answers (correct) or contexts "
        "(equivalent); which of both is told by its content.",
    ),
]
ContextFile = Annotated[
    Path, typer.Argument(metavar="LABELS", help="A file of contexts labelled equivalent: true or false.")
]
Scenario = Annotated[
    str | None,
    typer.Option(
        "--scenario",
        metavar="S",
        help="Whose models check contexts, and whose settings count; by default offline agents, and the defaults.",
    ),
]
Encoder = Annotated[
    str | None,
    typer.Option("--encoder", metavar="MODEL", help="In place of the scenario's: a package, a folder or a name."),
]
Repeats = Annotated[int, typer.Option("--repeats", metavar="K", min=1, max=100, help="How often each is checked.")]
Judge = Annotated[
    bool, typer.Option("--judge", help="Ask models.context_judge of the scenario outright, too, as often.")
]
EpsilonEc = Annotated[
    float | None,
    typer.Option("--epsilon-ec", metavar="E", min=-1, max=1, help="In place of the scenario's epsilon_ec."),
]
OutFolder = Annotated[
    Path | None,
    typer.Option(
        "--out", metavar="DIR", help="Write findings.jsonl, report.md and report.html there; the folder must be new."
    ),
]


def calibrate(
    labels: Labels,
    scenario: Scenario = None,
    encoder: Encoder = None,
    settings: options.Settings = None,
    packs: options.Packs = None,
    max_cost: options.MaxCost = None,
    max_tokens: options.MaxTokens = None,
) -> None:
    """Find the epsilon, or the epsilon_ec, that agrees best with a person's labels. Exit code 3: they support none."""
    from hairpin.app.replay_study import StudyOrder
    from hairpin.app.spending import SpendingLimits
    from hairpin.app.study_inputs import load_study
    from hairpin.domain.labels import AnswerLabels
    from hairpin.packs.label_kinds import read_labels
    from hairpin.reports.pages import page_text

    with errors_as_messages():
        read = read_labels(labels)
        with redirect_stdout(sys.stderr):
            overrides = options.parse_settings(settings)
            inputs = load_study(scenario, encoder=encoder, packs=packs or (), overrides=overrides)
            order = StudyOrder(spending=SpendingLimits(max_cost, max_tokens))
            if isinstance(read, AnswerLabels):
                page, found = _of_answers(inputs, read, order)
            else:
                page, found = _of_contexts(inputs, read, order)
        say(page_text(page, width=width()).rstrip("\n"))
    raise typer.Exit(0 if found else 3)


def ec_study(
    labels: ContextFile,
    scenario: Scenario = None,
    repeats: Repeats = 1,
    judge: Judge = False,
    epsilon_ec: EpsilonEc = None,
    encoder: Encoder = None,
    settings: options.Settings = None,
    packs: options.Packs = None,
    max_cost: options.MaxCost = None,
    max_tokens: options.MaxTokens = None,
    out: OutFolder = None,
) -> None:
    """Say how well contexts are told apart, by which similarities, and how steadily. Exit code 3: it ended early."""
    from hairpin.app.replay_study import StudyOrder
    from hairpin.app.spending import SpendingLimits
    from hairpin.app.study_inputs import load_study
    from hairpin.app.study_pages import study_page
    from hairpin.domain.relations import ContextMethod
    from hairpin.packs.label_files import read_context_labels
    from hairpin.reports.pages import page_text

    with errors_as_messages():
        if out is not None:
            require_new(out)
        read = read_context_labels(labels)
        with redirect_stdout(sys.stderr):
            inputs = load_study(
                scenario,
                methods=(ContextMethod.EC, *[ContextMethod.LLM_JUDGE] * judge),
                encoder=encoder,
                epsilon_ec=epsilon_ec,
                packs=packs or (),
                overrides=options.parse_settings(settings),
            )
            order = StudyOrder(repeats=repeats, spending=SpendingLimits(max_cost, max_tokens))
            found = _studied(inputs, read, order)
        page = study_page(inputs, read, found)
        say(page_text(page, width=width()).rstrip("\n"))
        if out is not None:
            _write(out, page, found)
        if found.stopped:
            note(f"hairpin: ended early: {found.stopped}")
    raise typer.Exit(3 if found.stopped else 0)


def _of_answers(inputs: StudyInputs, labels: AnswerLabels, order: StudyOrder) -> tuple[Page, bool]:
    """Return the page, and whether the labels support a threshold."""
    from hairpin.app.answer_calibration import calibrate_answers
    from hairpin.app.diversity import local_encoder
    from hairpin.app.study_pages import answers_page
    from hairpin.errors import InvalidInputError

    found = local_encoder(order.settings, inputs.spec.encoder, warn=note)
    if found.encoder is None:
        hint = "pip install 'hairpin[minilm]', or name an encoder"
        raise InvalidInputError(f"answers cannot be compared: {found.reason}", where="--encoder", hint=hint)
    calibrated = calibrate_answers(labels.items, inputs.spec, found.encoder)
    page = answers_page(inputs, labels, calibrated, str(found.encoder.identity))
    return page, not calibrated.calibration.unsupported


def _of_contexts(inputs: StudyInputs, labels: ContextLabels, order: StudyOrder) -> tuple[Page, bool]:
    """Return the page, and whether the labels support a threshold."""
    from hairpin.app.study_pages import contexts_page, ec_calibration, study_of

    found = _studied(inputs, labels, order)
    calibration = ec_calibration(study_of(inputs, found))
    is_found = calibration is not None and not calibration.unsupported and not found.stopped
    return contexts_page(inputs, labels, found), is_found


def _studied(inputs: StudyInputs, labels: ContextLabels, order: StudyOrder) -> StudyFindings:
    from hairpin.app.loop import run_in_loop
    from hairpin.app.replay_study import study_contexts

    async def main() -> StudyFindings:
        return await study_contexts(inputs, labels.items, order)

    note(fitted(inputs.cast.line, sys.stderr))
    return run_in_loop(main)


def _write(out: Path, page: Page, found: StudyFindings) -> None:
    """Write the findings and the page into the new folder ``out``, and say where."""
    from hairpin.app.replay_study import findings_lines
    from hairpin.reports.files import ReportFile
    from hairpin.reports.pages import PageFormat, page_files

    pages = [file for form in PageFormat for file in page_files(page, "report", form)]
    write_files(out, [ReportFile("findings.jsonl", findings_lines(found.findings)), *pages])
