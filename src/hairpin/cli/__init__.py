"""The command line.

Commands import the composition root inside their bodies, so that ``hairpin --help`` stays quick.
"""

from __future__ import annotations

import traceback
from typing import Annotated

import typer

from hairpin.cli import (
    agreement,
    annotate,
    benchmark,
    campaign,
    compare,
    confirm,
    demo,
    doctor,
    import_,
    lint,
    metamorphic,
    packs,
    rejudge,
    replay,
    report,
    resume,
    run,
    schema,
    seeds,
    show,
    sut,
    validate,
)
from hairpin.cli.console import leave, make_streams_forgiving, note, say

application = typer.Typer(
    name="hairpin",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Test a conversational assistant through many-turn conversations and see exactly where it loses the line.",
    epilog="Exit codes: 0 gate passed, 1 gate failed, 2 you can fix it, 3 the assistant, a provider or Hairpin broke, "
    "or too little was valid to say, 130/143 interrupted.",
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        say(f"hairpin {version('hairpin')}")
        raise typer.Exit


@application.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Test a conversational assistant through many-turn conversations and see exactly where it loses the line."""


application.command("demo")(demo.demo)
application.command("run")(run.run)
application.command("campaign")(campaign.campaign)
application.command("resume")(resume.resume)
application.command("import")(import_.import_)
application.command("rejudge")(rejudge.rejudge)
application.command("replay")(replay.replay)
application.command("confirm")(confirm.confirm)
application.command("show")(show.show)
application.command("report")(report.report)
application.command("annotate", epilog=annotate.EPILOG)(annotate.annotate)
application.command("compare")(compare.compare)
application.command("agreement", epilog=agreement.EPILOG)(agreement.agreement)
application.command("seeds")(seeds.seeds)
application.command("validate")(validate.validate)
application.command("lint", epilog=lint.EPILOG)(lint.lint)
application.command("doctor")(doctor.doctor)
application.command("schema")(schema.schema)
application.add_typer(benchmark.application, name="benchmark")
application.add_typer(metamorphic.application, name="metamorphic")
application.add_typer(packs.application, name="packs")
application.add_typer(sut.application, name="sut")


def main() -> None:
    """Run the command line. Whatever happens it ends with an exit code, also when user code left threads behind."""
    make_streams_forgiving()
    code = 0
    try:
        application()
    except SystemExit as done:
        code = done.code if isinstance(done.code, int) else int(done.code is not None)
    except KeyboardInterrupt:
        note("hairpin: interrupted")
        code = 130
    except Exception:  # noqa: BLE001 - the last resort: a bug of ours must not look like a failed gate
        note(f"{traceback.format_exc()}hairpin: this is a bug in Hairpin; please report it with the lines above")
        code = 3
    leave(code)
