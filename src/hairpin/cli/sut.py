"""``hairpin sut``: assistants under test by themselves, without a campaign.

It must not import the composition root before a command runs.
"""

from __future__ import annotations

import typer

from hairpin.cli import sut_check, sut_serve

application = typer.Typer(no_args_is_help=True, help="Check that an assistant is fit to be tested, or serve one.")


@application.callback()
def group() -> None:
    """Check that an assistant is fit to be tested, or serve one."""


application.command("check")(sut_check.check)
application.command("serve")(sut_serve.serve)
