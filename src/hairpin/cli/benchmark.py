"""``hairpin benchmark``: how good Hairpin itself is, measured where the truth is known.

It must not compute; ``app.fault_benchmark`` does.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hairpin.cli import options
from hairpin.cli.console import errors_as_messages, note, say, width

if TYPE_CHECKING:
    from hairpin.app.fault_benchmark import BenchmarkReport, BenchmarkRequest
    from hairpin.app.fault_units import Unit
    from hairpin.app.request import FinishedRun
    from hairpin.campaign.events import RunListener
    from hairpin.graph.stopping import StopToken

application = typer.Typer(no_args_is_help=True, help="Measure how good Hairpin itself is where the truth is known.")


@application.callback()
def group() -> None:
    """Measure how good Hairpin itself is where the truth is known."""


Faults = Annotated[
    str | None, typer.Option("--faults", metavar="F1,F2", help="Which faults of the built-in assistant; default: all.")
]
Pools = Annotated[
    str | None,
    typer.Option(
        "--pools",
        metavar="POOL,POOL",
        help="Which strategies, one after the other; default: in_car/paper,in_car/extended.",
    ),
]
Conversations = Annotated[
    int,
    typer.Option(
        "--conversations",
        metavar="N",
        min=1,
        help="With each faulty assistant in each configuration; the one without faults has four times as many.",
    ),
]
PartName = Annotated[
    str,
    typer.Option(
        "--part",
        metavar="PART",
        help="in-sample: what the offline agents were built on; held-out: what they were not; or both.",
    ),
]
JudgeName = Annotated[
    str | None,
    typer.Option("--judge", metavar="NAME", help="What tables call the judge; default: offline, or the model's name."),
]


@application.command("faults", no_args_is_help=False)
def faults(
    faults: Faults = None,
    pools: Pools = None,
    conversations: Conversations = 40,
    part: PartName = "both",
    settings: options.Settings = None,
    judge: JudgeName = None,
    out: Annotated[
        Path, typer.Option("--out", metavar="DIR", help="The benchmark's own folder; the same one goes on with it.")
    ] = Path("benchmark"),
    concurrency: options.Concurrency = 4,
    packs: options.Packs = None,
    max_cost: options.MaxCost = None,
    max_tokens: options.MaxTokens = None,
    cache: options.Cache = None,
    json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON alone.")] = False,
) -> None:
    """Plant faults in the built-in assistant, and say how many are found and how many are made up.

    hairpin benchmark faults --part held-out

    hairpin benchmark faults --conversations 4 --set 'models.turn_judge={provider: local}'
    """
    from hairpin.app.fault_benchmark import BenchmarkRequest, claim_folder, driving
    from hairpin.app.fault_units import load_units, plan_of
    from hairpin.app.spending import SpendingLimits

    with errors_as_messages():
        plan = plan_of(
            faults=_listed(faults),
            pools=_listed(pools),
            part=part,
            n_conversations=conversations,
            judge=judge,
            overrides=options.parse_settings(settings),
            packs=packs or (),
        )
        request = BenchmarkRequest(
            plan=plan,
            out=out,
            concurrency=concurrency,
            spending=SpendingLimits(max_cost_usd=max_cost, max_tokens=max_tokens),
            cache=cache,
        )
        units = load_units(plan)
        claim_folder(request)
        with driving(request):
            code = _run(request, units)
        if code:
            note(f"hairpin: go on with the same command; what is done is kept in {out}")
            raise typer.Exit(code)
        report = _read(request, units)
        _write(request, units, report)
        if json:
            say(report.model_dump_json(indent=2))
            return
        _tell(request, units, report)


def _run(request: BenchmarkRequest, units: tuple[Unit, ...]) -> int:
    """Run what is left; return 0, or the exit code of what ended it early."""
    from hairpin.app.fault_benchmark import is_done
    from hairpin.cli.execution import run_to_end
    from hairpin.graph.stopping import StopToken

    for number, unit in enumerate(units, start=1):
        if is_done(request, unit):
            continue
        note(f"hairpin: run {number} of {len(units)}: {unit.name}")
        stop = StopToken()
        finished, code = run_to_end(partial(_play, request, unit, stop), stop, campaign=True)
        if code >= 128:
            return code
        if finished.error is not None:
            return finished.error.exit_code
    return 0


async def _play(request: BenchmarkRequest, unit: Unit, stop: StopToken, listener: RunListener) -> FinishedRun:
    from hairpin.app.fault_benchmark import run_unit

    return await run_unit(request, unit, listener=listener, stop=stop)


def _read(request: BenchmarkRequest, units: tuple[Unit, ...]) -> BenchmarkReport:
    from hairpin.app.fault_benchmark import read_benchmark
    from hairpin.app.loop import run_in_loop

    note("hairpin: comparing what was found with what struck")
    return run_in_loop(lambda: read_benchmark(request, units))


def _write(request: BenchmarkRequest, units: tuple[Unit, ...], report: BenchmarkReport) -> None:
    from hairpin.app.fault_pages import write_pages

    write_pages(request.out, units, report)


def _tell(request: BenchmarkRequest, units: tuple[Unit, ...], report: BenchmarkReport) -> None:
    from hairpin.app.fault_pages import short_page
    from hairpin.reports.pages import page_text

    say(page_text(short_page(units, report), width=width()).rstrip("\n"))
    say(str(request.out / "benchmark.html"))


def _listed(text: str | None) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip()) if text else ()
