"""The HTML report: one self-contained file that needs no script and loads nothing.

It only lays out a ``ReportModel``; every text in it may come from a model and is shown literally.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup, escape
from pydantic import JsonValue

from hairpin.reports.cell_text import cell_text, column_title
from hairpin.reports.model import ReportModel
from hairpin.reports.replays import replay_words, replayed_line
from hairpin.reports.simulated_users import simulator_words
from hairpin.reports.state_text import MOST_STATE_CHANGES, state_text
from hairpin.reports.tables import Figure, Section
from hairpin.reports.text import one_line, pieces, visible

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
)

MOST_ROWS = 200
"""So many rows of a table or list are shown on the page."""


def render_html(report: ReportModel) -> str:
    """Return the report as an HTML document, to be written as UTF-8."""
    # The policy is a constant without double quotes, so it stands in its attribute as it is.
    return _template("report").render(report=report, csp=Markup(CONTENT_SECURITY_POLICY))


def render_page(title: str, text: Sequence[str], sections: Sequence[Section]) -> str:
    """Return sections that are of no single run as an HTML document, to be written as UTF-8."""
    csp = Markup(CONTENT_SECURITY_POLICY)
    return _template("page").render(title=title, text=text, sections=sections, csp=csp)


def literal(value: object) -> object:
    """Return text as markup that shows it as it is, with unseen characters named; other values are left alone.

    Every expression of the template passes through here, so no value can be forgotten.
    """
    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    shown = [
        escape(part) if seen else Markup('<span class="unseen" title="unseen character">{}</span>').format(part)
        for part, seen in pieces(value)
    ]
    return Markup().join(shown)


@cache
def _template(name: str) -> Template:
    environment = Environment(
        loader=PackageLoader("hairpin.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=literal,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {
        "visible": visible,
        "one_line": one_line,
        "number": _number,
        "compact": "{:g}".format,
        "percent": _percent,
        "duration": _duration,
        "count_of": "{:,}".format,
        "pretty_json": _pretty_json,
        "state_change": state_text,
        "cell_text": cell_text,
        "column_title": column_title,
        "drawing": _drawing,
        "replay_words": replay_words,
        "simulator_words": simulator_words,
        "replayed_line": replayed_line,
    }
    environment.globals |= {"most_state_changes": MOST_STATE_CHANGES, "most_rows": MOST_ROWS}
    return environment.get_template(f"{name}.html.j2")


def _drawing(figure: Figure) -> Markup:
    """Return a figure's drawing as markup: ``reports.svg`` let nothing in but shapes and words."""
    return Markup(figure.svg)


def _number(value: float | None, digits: int = 2) -> str:
    return "–" if value is None else f"{value:.{digits}f}"


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f} %"


def _duration(seconds: float) -> str:
    if seconds < 1:
        return f"{1000 * seconds:.0f} ms"
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02d} min" if hours else f"{minutes} min {rest:02d} s"


def _pretty_json(value: Mapping[str, JsonValue]) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True)
