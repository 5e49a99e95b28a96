"""The lists of a report: critical failures, invalid conversations, and all conversations by where they stand.

It decides nothing: which conversations are shown is ``reports.shown``'s.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Mapping, Sequence

from hairpin.domain.outcome import Blame, StopReason
from hairpin.domain.summary import Summary
from hairpin.domain.tally import Standing
from hairpin.reports.conversation import named, stop_report
from hairpin.reports.glossary import Glossary
from hairpin.reports.model import (
    ConversationReport,
    CriticalRow,
    InvalidGroup,
    InvalidRow,
    ListedConversation,
    StandingGroup,
)
from hairpin.reports.shown import Glimpse, Shown
from hairpin.reports.timeline import turn_anchor
from hairpin.reports.wording import BLAME_WORDS, STANDING_NOTES, STANDING_WORDS, STOP_WORDS

# What a reader looks for first.
_ORDER = (Standing.FAIL, Standing.INCONCLUSIVE, Standing.INVALID, Standing.MISSING, Standing.PASS)


def critical_rows(summary: Summary, anchors: Mapping[str, str], titles: Glossary) -> tuple[CriticalRow, ...]:
    """Return every critical failure; ``anchors`` are those of the conversations shown whole, by id."""
    return tuple(
        CriticalRow(
            conversation=item.conversation,
            sut=item.sut,
            anchor=turn_anchor(anchors[item.conversation], item.t) if item.conversation in anchors else None,
            t=item.t,
            mode=named(item.mode, titles.mode(item.mode)),
            standing=item.standing,
        )
        for item in summary.critical
    )


def invalid_groups(shown: Shown, anchors: Mapping[str, str], location: str) -> tuple[InvalidGroup, ...]:
    """Return one group per blame and stop reason; the most frequent blame comes first, and in it the reason."""
    blamed: Counter[Blame | None] = Counter()
    for (blame, _), pile in shown.invalid.items():
        blamed[blame] += pile.number
    ordered = sorted(
        shown.invalid.items(),
        key=lambda item: (-blamed[item[0][0]], str(item[0][0]), -item[1].number, item[0][1].value),
    )
    return tuple(
        InvalidGroup(
            blame=blame,
            title=BLAME_WORDS[blame] if blame else "nobody in particular",
            reason=reason,
            words=STOP_WORDS[reason],
            number=pile.number,
            conversations=tuple(each.id for each in pile.first),
            rows=tuple(
                InvalidRow(
                    id=each.id,
                    anchor=anchors.get(each.id),
                    n_turns=each.n_turns,
                    stop=stop_report(each.stop),
                    replay_command=_replay_command(each.id, reason, location),
                )
                for each in pile.first
            ),
        )
        for (blame, reason), pile in ordered
    )


def _replay_command(conversation: str, reason: StopReason, location: str) -> str:
    if reason is not StopReason.SUT_ERROR:
        return ""
    return f"hairpin replay {shlex.quote(location)} {shlex.quote(conversation)}"


def standing_groups(
    shown: Shown, conversations: Sequence[ConversationReport], titles: Glossary
) -> tuple[StandingGroup, ...]:
    """Return the conversations by where they stand, what a reader looks for first coming first."""
    return tuple(
        StandingGroup(
            standing=where,
            title=STANDING_WORDS[where],
            note=STANDING_NOTES[where],
            number=shown.standings[where],
            conversations=tuple(conversation for conversation in conversations if conversation.standing is where),
            listed=tuple(_listed(glimpse, titles) for glimpse in shown.glimpses if glimpse.standing is where),
        )
        for where in _ORDER
        if shown.standings[where]
    )


def _listed(glimpse: Glimpse, titles: Glossary) -> ListedConversation:
    return ListedConversation(
        id=glimpse.id,
        sut=glimpse.sut,
        standing=glimpse.standing,
        modes=tuple(named(mode, titles.mode(mode)) for mode in glimpse.modes),
        success_score=glimpse.success_score,
        n_turns=glimpse.n_turns,
    )


def shown_note(shown: Shown, location: str) -> str:
    """Say how many conversations are not shown whole, and how to see them; nothing when all are."""
    whole, listed, counted = len(shown.records), len(shown.glimpses), shown.n_counted_only
    if not listed + counted:
        return ""
    parts = [f"{listed:,} more are listed in a line each"] * bool(listed)
    parts += [f"{counted:,} more are only counted"] * bool(counted)
    return (
        f"{whole:,} of {shown.standings.total():,} conversations are shown with their transcripts: the first of each "
        "distinct failure (mode, kind of target, strategy), then critical, failed, invalid, inconclusive and passed "
        f"ones. {' and '.join(parts)}. Any of them: hairpin show {shlex.quote(location)} ID. "
        "The JSON and JUnit reports hold them all."
    )
