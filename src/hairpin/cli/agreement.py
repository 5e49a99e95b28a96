"""``hairpin agreement``: how far judges agree with people, and people with each other.

It must not compute; ``app.agreement`` does.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hairpin.cli.console import errors_as_messages, note, say, width

if TYPE_CHECKING:
    from hairpin.reports.agreement import AgreementReport

EPILOG = (
    "Examples: hairpin agreement ratings.csv; hairpin agreement trip trip-rejudged ratings.csv --out agreement; "
    "hairpin agreement trip --weights linear --json"
)


class Weights(StrEnum):
    """What a disagreement counts."""

    LINEAR = "linear"
    QUADRATIC = "quadratic"
    NONE = "none"


class Intervals(StrEnum):
    """How intervals are found."""

    BCA = "bca"
    PERCENTILE = "percentile"


Inputs = Annotated[
    list[str],
    typer.Argument(
        metavar="RUN… ANNOTATIONS…",
        help="Stored runs of the same conversations by different judges (a run, and what 'hairpin rejudge' made of it) "
        "and files of annotations (.csv, .json, .jsonl). Annotations stored in the runs count too. Without a run: "
        "people among themselves.",
    ),
]
Weighting = Annotated[
    Weights, typer.Option("--weights", help="Of Cohen's κ: what two scores that are further apart count.")
]
ScaleText = Annotated[
    str,
    typer.Option(
        "--scale",
        metavar="0,1,2|seen",
        help="The declared scale that scores are on; or seen: only the levels that two raters gave, as R's irr does.",
    ),
]
Threshold = Annotated[
    float | None,
    typer.Option("--threshold", metavar="THETA", help="θ of pass and fail; default: that of the first run, or 0.75."),
]
Resamples = Annotated[int, typer.Option("--resamples", metavar="N", min=0, max=100_000, help="For intervals.")]
Interval = Annotated[Intervals, typer.Option("--interval", help="How intervals are found from the resamples.")]
RngSeed = Annotated[int, typer.Option("--rng-seed", metavar="N", help="The same number draws the same resamples.")]
Rater = Annotated[str | None, typer.Option("--rater", metavar="NAME", help="Who rates, in rows that do not say who.")]
Out = Annotated[
    Path | None,
    typer.Option("--out", metavar="DIR", help="Write agreement.html, agreement.md with figures, and agreement.json."),
]
Json = Annotated[bool, typer.Option("--json", help="Print everything as JSON alone to stdout.")]


def agreement(
    inputs: Inputs,
    weights: Weighting = Weights.QUADRATIC,
    scale: ScaleText = "0,1,2",
    threshold: Threshold = None,
    resamples: Resamples = 2000,
    interval: Interval = Intervals.BCA,
    rng_seed: RngSeed = 1,
    rater: Rater = None,
    out: Out = None,
    json: Json = False,
) -> None:
    """Say how far judges agree with people, and people with each other; nobody is asked again."""
    from hairpin.app.agreement import agreement_of, choices_of

    with errors_as_messages():
        choices = choices_of(
            weights=weights.value,
            scale=scale,
            threshold=threshold,
            n_resamples=resamples,
            interval=interval.value,
            rng_seed=rng_seed,
            rater=rater,
        )
        _tell(agreement_of(inputs, choices), out, as_json=json)


def _tell(report: AgreementReport, out: Path | None, *, as_json: bool) -> None:
    from hairpin.cli.places import write_files
    from hairpin.reports.agreement import agreement_json, agreement_page
    from hairpin.reports.files import ReportFile
    from hairpin.reports.pages import PageFormat, page_files, page_text

    for choice in report.choices:
        note(f"hairpin: {choice}")
    if as_json:
        say(agreement_json(report).rstrip("\n"))
    page = None if as_json and out is None else agreement_page(report)
    if page is not None and not as_json:
        say(page_text(page, width=width()).rstrip("\n"))
    if out is not None and page is not None:
        files = [file for form in PageFormat for file in page_files(page, "agreement", form)]
        write_files(out, [*files, ReportFile("agreement.json", (agreement_json(report),))])
