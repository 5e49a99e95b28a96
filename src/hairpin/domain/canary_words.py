"""What follows from the errors that judges made on canaries, in sentences, and whether a failure rate may be believed.

It must not count; ``domain.canary_rates`` does.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from hairpin.domain.canary_rates import CanarySummary, ErrorRate

MOST_WRONG: Final = 0.1
"""Beyond this share of wrong verdicts on known-good or on known-bad conversations a failure rate is not believed."""

LEAST_ASKED: Final = 5
"""With fewer transcripts of a kind nothing is said of the judges' errors on it."""

LEAST_OF_A_MODE: Final = 2
"""A mode is called missed when so many known-bad transcripts of it were asked about and it was found in none."""


def told(summary: CanarySummary) -> CanarySummary:
    """Return ``summary`` with what is to be said of it, and whether the failure rate may be believed."""
    return summary.model_copy(update={"trusted": _trusted(summary), "findings": tuple(_findings(summary))})


def share_words(errors: ErrorRate) -> str:
    """Return ``3 of 24``; with a digit after the point where transcripts were asked about several times."""
    wrong = f"{errors.wrong:.1f}".removesuffix(".0")
    return f"{wrong} of {errors.n}"


def counted_line(summary: CanarySummary) -> str:
    """Return the errors of verdicts, else of labels, in a few words."""
    kinds = [("known-good failed", summary.failed_good), ("known-bad passed", summary.passed_bad)]
    if summary.failed_good is None:
        kinds = [("known-good labelled", summary.made_up), ("known-bad missed", summary.missed)]
    shown = [f"{share_words(errors)} {words}" for words, errors in kinds if errors is not None and errors.n]
    undecided = sum(summary.undecided.values())
    shown += [f"{undecided} undecided"] if undecided else []
    return f"canaries {summary.planned}" + (f": {', '.join(shown)}" if shown else "")


def _trusted(summary: CanarySummary) -> bool | None:
    kinds = (summary.failed_good, summary.passed_bad)
    known = [errors for errors in kinds if errors is not None and errors.n >= LEAST_ASKED]
    if any(_too_often(errors) for errors in known):
        return False
    return True if len(known) == len(kinds) else None


def _too_often(errors: ErrorRate) -> bool:
    return errors.rate is not None and errors.n >= LEAST_ASKED and errors.rate > MOST_WRONG


def _findings(summary: CanarySummary) -> Iterator[str]:
    if not summary.planned:
        yield "No canary has been mixed in yet: nothing is known of the judges' errors."
        return
    yield from _of_verdicts(summary)
    yield from _of_labels(summary)
    if summary.undecided:
        words = ", ".join(f"{number} {reason.replace('_', ' ')}" for reason, number in summary.undecided.items())
        total = sum(summary.undecided.values())
        yield f"Of {summary.planned} canaries {total} got no pass or fail and are in no rate ({words})."


def _of_verdicts(summary: CanarySummary) -> Iterator[str]:
    good, bad = summary.failed_good, summary.passed_bad
    if good is None or bad is None:
        yield "No judge decides on verdicts in this run: canaries say nothing of its failure rate."
        return
    if _too_often(good):
        yield _often(
            good,
            "The judges call every known-good conversation a failure",
            "The judges fail {} of the known-good conversations",
        )
    if _too_often(bad):
        yield _often(
            bad, "The judges pass every known-bad conversation", "The judges pass {} of the known-bad conversations"
        )
    few = [f"{errors.n} known-{kind}" for kind, errors in (("good", good), ("bad", bad)) if errors.n < LEAST_ASKED]
    if few:
        yield f"Only {' and '.join(few)} transcripts were judged: too few to say how often verdicts are wrong there."


def _of_labels(summary: CanarySummary) -> Iterator[str]:
    good, bad = summary.made_up, summary.missed
    if good is None or bad is None:
        return
    if _too_often(good):
        yield _often(
            good,
            "The turn judge labels every known-good conversation with a failure",
            "The turn judge labels {} of the known-good conversations with a failure",
        )
    if _too_often(bad):
        yield _often(
            bad,
            "The turn judge misses the failure in every known-bad conversation",
            "The turn judge misses the failure in {} of the known-bad conversations",
        )
    never = [
        mode.replace("_", " ")
        for mode, errors in summary.by_mode.items()
        if errors.missed.n >= LEAST_OF_A_MODE and errors.missed.rate == 1
    ]
    if never and bad.rate != 1:
        yield f"The turn judge never found what was planted of: {', '.join(never)}."


def _often(errors: ErrorRate, always: str, often: str) -> str:
    if errors.rate == 1:
        return f"{always} ({share_words(errors)})."
    interval = f"95 % interval {100 * errors.low:.0f} to {100 * errors.high:.0f} %"
    return f"{often.format(f'{100 * (errors.rate or 0):.0f} %')} ({share_words(errors)}, {interval})."
