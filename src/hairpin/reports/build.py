"""Builds the report of a run from what was stored: the one place where reports compute.

Folding figures is ``domain.summary``; one conversation is ``reports.conversation``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from hairpin.domain.gate import Gate, GateDecision, GateOutcome, decide
from hairpin.domain.outcome import Blame, StopReason
from hairpin.domain.records import ConversationRecord, RunInfo
from hairpin.domain.summary import Summary
from hairpin.domain.tally import ModeCount, Standing
from hairpin.reports.conversation import build_conversation, named
from hairpin.reports.glossary import Glossary
from hairpin.reports.model import (
    AgentReport,
    ConversationReport,
    CriticalRow,
    InvalidGroup,
    ModeRow,
    OutsideRow,
    ReportModel,
    StandingGroup,
)
from hairpin.reports.models_used import build_models
from hairpin.reports.timeline import turn_anchor
from hairpin.reports.wording import (
    ALL_OFFLINE_NOTE,
    BLAME_WORDS,
    HEADINGS,
    SOME_OFFLINE_NOTE,
    STANDING_NOTES,
    STANDING_WORDS,
    STOP_WORDS,
    UNFINISHED_HEADINGS,
    humanise,
    is_offline,
    role_words,
)

# What a reader looks for first.
_ORDER = (Standing.FAIL, Standing.INCONCLUSIVE, Standing.INVALID, Standing.MISSING, Standing.PASS)
_NONE = ModeCount(instances=0, conversations=0)


def build_report(
    run: RunInfo,
    summary: Summary,
    records: Iterable[ConversationRecord],
    *,
    decision: GateDecision | None = None,
    glossary: Glossary | None = None,
    location: str | None = None,
) -> ReportModel:
    """Return the report of ``run``.

    Args:
        run: what is true of the whole run.
        summary: the fold of the same records.
        records: one per planned conversation, in plan order.
        decision: whether the run passes and why; by default what ``--fail-on any`` says.
        glossary: titles; without them ids are shown as words.
        location: how the user names the run on the command line; the run's id by default.
    """
    decision, titles = decision or decide(summary, Gate()), glossary or Glossary()
    conversations = tuple(build_conversation(run, record, glossary=titles, location=location) for record in records)
    agents = _agents(run)
    return ReportModel(
        run_id=run.run_id,
        name=run.name,
        title=run.title or humanise(run.name),
        tags=run.tags,
        location=location or run.run_id,
        hairpin_version=run.hairpin_version,
        created_at=run.created_at,
        status=run.status,
        outcome=decision.outcome,
        exit_code=decision.outcome.exit_code,
        heading=_heading(run, decision.outcome),
        sentence=decision.sentence if run.status not in UNFINISHED_HEADINGS else f"so far: {decision.sentence}",
        threshold=run.threshold,
        scored=run.scored,
        agents=agents,
        agents_note=_agents_note(agents),
        imported=run.imported,
        fingerprint_parts=dict(sorted(run.fingerprint_parts.items())),
        summary=summary,
        modes=_modes(run, summary, titles),
        outside=_outside(summary, titles),
        critical=_critical(summary, conversations, titles),
        invalid=_invalid(conversations),
        models=build_models(summary.llm),
        groups=_groups(conversations),
        conversations=conversations,
    )


def _heading(run: RunInfo, outcome: GateOutcome) -> str:
    return UNFINISHED_HEADINGS.get(run.status) or HEADINGS[outcome]


def _agents(run: RunInfo) -> tuple[AgentReport, ...]:
    return tuple(
        AgentReport(role=role, title=role_words(role), player=player, offline=is_offline(player))
        for role, player in run.agents.items()
    )


def _agents_note(agents: Sequence[AgentReport]) -> str:
    offline = [agent.title for agent in agents if agent.offline]
    if len(offline) == len(agents) and offline:
        return ALL_OFFLINE_NOTE
    first, *others = offline or [""]
    return SOME_OFFLINE_NOTE.format(roles=", ".join((first, *map(str.lower, others)))) if first else ""


def _modes(run: RunInfo, summary: Summary, titles: Glossary) -> tuple[ModeRow, ...]:
    counts = summary.failures_by_mode
    most = max((count.instances for count in counts.values()), default=1)
    rows = [
        ModeRow(
            mode=named(mode, titles.mode(mode)),
            count=count,
            critical=mode in run.critical_modes,
            share=count.instances / most,
            by_sut={label: sut.failures_by_mode.get(mode, _NONE) for label, sut in summary.suts.items()},
        )
        for mode, count in counts.items()
    ]
    return tuple(sorted(rows, key=lambda row: (-row.count.instances, row.mode.id)))


def _outside(summary: Summary, titles: Glossary) -> tuple[OutsideRow, ...]:
    return tuple(
        OutsideRow(standing=Standing(where), mode=named(mode, titles.mode(mode)), count=count)
        for where, counts in summary.failures_outside_rates.items()
        for mode, count in counts.items()
    )


def _critical(
    summary: Summary, conversations: Sequence[ConversationReport], titles: Glossary
) -> tuple[CriticalRow, ...]:
    anchors = {conversation.id: conversation.anchor for conversation in conversations}
    return tuple(
        CriticalRow(
            conversation=item.conversation,
            sut=item.sut,
            anchor=turn_anchor(anchors[item.conversation], item.t),
            t=item.t,
            mode=named(item.mode, titles.mode(item.mode)),
            standing=item.standing,
        )
        for item in summary.critical
    )


def _invalid(conversations: Sequence[ConversationReport]) -> tuple[InvalidGroup, ...]:
    """Return one group per blame and stop reason; the most frequent blame comes first, and in it the reason."""
    ended: dict[tuple[Blame | None, StopReason], list[str]] = {}
    blamed: Counter[Blame | None] = Counter()
    for conversation in conversations:
        if conversation.standing is Standing.INVALID and conversation.stop is not None:
            blamed[conversation.blame] += 1
            ended.setdefault((conversation.blame, conversation.stop.reason), []).append(conversation.id)
    ordered = sorted(
        ended.items(), key=lambda item: (-blamed[item[0][0]], str(item[0][0]), -len(item[1]), item[0][1].value)
    )
    return tuple(
        InvalidGroup(
            blame=blame,
            title=BLAME_WORDS[blame] if blame else "nobody in particular",
            reason=reason,
            words=STOP_WORDS[reason],
            conversations=tuple(ids),
        )
        for (blame, reason), ids in ordered
    )


def _groups(conversations: Sequence[ConversationReport]) -> tuple[StandingGroup, ...]:
    groups = []
    for where in _ORDER:
        inside = tuple(conversation for conversation in conversations if conversation.standing is where)
        if inside:
            groups.append(
                StandingGroup(
                    standing=where, title=STANDING_WORDS[where], note=STANDING_NOTES[where], conversations=inside
                )
            )
    return tuple(groups)
