"""What people say beside what a run says, as tables.

It computes nothing; ``analysis.peoples_word`` does.
"""

from __future__ import annotations

from hairpin.analysis.peoples_word import PeoplesWord
from hairpin.domain.ledger import NOBODY
from hairpin.domain.outcome import Blame
from hairpin.reports.cells import count, counts, interval, intervals, text, words
from hairpin.reports.glossary import Glossary
from hairpin.reports.ledger import blame_words
from hairpin.reports.rater_names import rater_names
from hairpin.reports.tables import Table


def peoples_tables(found: PeoplesWord, titles: Glossary) -> tuple[Table, ...]:
    """Return whom people blame, which labels they call right, and which failures were missed; empty ones left out."""
    tables = (_blame(found), _precision(found, titles), _missed(found, titles))
    return tuple(table for table in tables if table.rows)


def peoples_words(found: PeoplesWord) -> str:
    """Say who said something of how many conversations, and what becomes of it."""
    conversations = f"{found.conversations} conversation{'s' * (found.conversations != 1)}"
    return (
        f"{rater_names(found.raters)} said something of {conversations}. Where more than half of those who say"
        " anything of a verdict contradict it, the conversation is listed here."
    )


def _blame(found: PeoplesWord) -> Table:
    same = found.agreement
    bounds = f"95 % interval {100 * same.low:.0f} to {100 * same.high:.0f} %"
    agreed = (
        "" if same.rate is None else f"The same in {same.successes} of {same.n}: {100 * same.rate:.0f} %, {bounds}. "
    )
    return Table(
        id="ledger-people-blame",
        title="Whom the run and people blame",
        note=f"{agreed}Of several raters, what more than half say; ties are left out.",
        columns=(words("The run says", header=True), words("People say"), counts("Conversations")),
        rows=tuple((text(_who(pair.run)), text(_who(pair.people)), count(pair.number)) for pair in found.blame),
    )


def _precision(found: PeoplesWord, titles: Glossary) -> Table:
    return Table(
        id="ledger-people-labels",
        title="Labelled failures that people call right",
        note="Of those that somebody labelled; ties of raters are left out of the share.",
        columns=(
            words("Mode", header=True),
            counts("Right"),
            counts("Labelled"),
            intervals("Precision"),
            counts("Ties"),
        ),
        rows=tuple(
            (
                text(titles.mode(each.mode).title),
                count(each.right.successes),
                count(each.right.n),
                interval(each.right),
                count(each.ties),
            )
            for each in found.precision
        ),
    )


def _missed(found: PeoplesWord, titles: Glossary) -> Table:
    return Table(
        id="ledger-people-missed",
        title="Failures that people see and the run does not",
        columns=(
            words("Conversation", header=True),
            counts("Turn"),
            words("Mode"),
            words("Target"),
            words("By the word of"),
        ),
        rows=tuple(
            (
                text(each.conversation),
                count(each.t),
                text(titles.mode(each.mode).title),
                text(each.target_id or ""),
                text(", ".join(each.raters)),
            )
            for each in found.missed
        ),
    )


def _who(blame: str) -> str:
    return blame_words(None if blame == NOBODY else Blame(blame))
