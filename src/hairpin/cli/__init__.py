"""The command line.

Commands import the composition root inside their bodies, so that ``hairpin --help`` stays quick.
"""

from __future__ import annotations

import typer

from hairpin.cli import demo, packs, report, run, show, validate
from hairpin.cli.console import make_streams_forgiving

application = typer.Typer(
    name="hairpin",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Test a conversational assistant through many-turn conversations and see exactly where it loses the line.",
    epilog="Exit codes: 0 gate passed, 1 gate failed, 2 you can fix it, 3 the assistant, a provider or Hairpin broke, "
    "or too little was valid to say, 130/143 interrupted.",
)
application.command("demo")(demo.demo)
application.command("run")(run.run)
application.command("show")(show.show)
application.command("report")(report.report)
application.command("validate")(validate.validate)
application.add_typer(packs.application, name="packs")


def main() -> None:
    """Run the command line."""
    make_streams_forgiving()
    application()
