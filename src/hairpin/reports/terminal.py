"""Plain text for the terminal: the lines that sum up a run, and the transcript of one conversation.

It returns text and prints nothing. Every mark is ASCII, so a console without UTF-8 loses no meaning.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

from hairpin.domain.arm import Arm
from hairpin.domain.records import RunStatus
from hairpin.domain.tally import GroupSummary, Standing
from hairpin.reports.canaries import canary_pairs
from hairpin.reports.confirmation import confirmation_words
from hairpin.reports.judge_differences import DIFFERENCES, difference_lines
from hairpin.reports.ledger import count_words, row_words
from hairpin.reports.model import (
    ConversationReport,
    EndpointRow,
    FailureReport,
    ModelsReport,
    ReportModel,
    TargetReport,
    TurnReport,
    UsageRow,
    ViolationReport,
)
from hairpin.reports.models_used import cost_words
from hairpin.reports.replays import replay_words, replayed_line, violation_lines
from hairpin.reports.simulated_users import simulator_words
from hairpin.reports.state_text import MOST_STATE_CHANGES, state_text
from hairpin.reports.text import NO_ANSWER, one_line, visible, wrap
from hairpin.reports.wording import RECORDED

DEFAULT_WIDTH = 88
_ALIGNED = 500
"""Of so many conversations the longest id says where the next column begins; a longer one later shifts its own line."""
_FINDINGS = (Standing.FAIL, Standing.INVALID, Standing.INCONCLUSIVE)


def run_summary(report: ReportModel, *, width: int = DEFAULT_WIDTH, max_findings: int = 10) -> str:
    """Return what a run found: counts, rates, failures by mode, the failing conversations, and the gate's sentence.

    Args:
        report: the run.
        width: columns of the terminal.
        max_findings: how many conversations are shown; the others are counted.
    """
    lines = [
        f"{one_line(report.title)}: {one_line(report.heading)}",
        *wrap(report.sentence, width=width, first="  ", rest="  "),
        *(wrap(report.doubt, width=width, first="  ", rest="  ") if report.doubt else []),
        "",
        *_paired(_count_pairs(report), width),
        *_arm_lines(report, width),
        *_mode_lines(report, width),
        *_replay_lines(report, width),
        *_judged_again(report, width),
        *_model_lines(report.models, width),
        *_findings(report, width, max_findings),
    ]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _arm_lines(report: ReportModel, width: int) -> list[str]:
    """Return what the arms of a campaign found, and how they compare; nothing for other runs."""
    if not any(section.id in ("overview", "comparison") for section in report.sections):
        return []
    arms = sorted(report.summary.arms.items(), key=lambda pair: (pair[0] == Arm.BASELINE.value, pair[0]))
    pairs = [(f"{arm} arm", _arm_words(group)) for arm, group in arms]
    said = [text for section in report.sections if section.id == "comparison" for text in section.text]
    lines = [*_paired(pairs, width), *(line for text in said for line in wrap(text, width=width))]
    return ["", *lines] if lines else []


def _judged_again(report: ReportModel, width: int) -> Iterator[str]:
    for section in report.sections:
        if section.id == DIFFERENCES:
            yield from difference_lines(section, width=width)


def _arm_words(group: GroupSummary) -> str:
    counts = group.conversations
    rated = counts.passed + counts.failed
    if not rated:
        return f"{counts.planned} conversations, none of them passed or failed"
    types, score = group.unique_failure_types_per_conversation, group.mean_success_score
    parts = [f"{counts.failed} of {rated} failed ({100 * counts.failed / rated:.1f} %)"]
    parts += [] if types is None else [f"{types:.2f} failure types per conversation"]
    parts += [] if score is None else [f"mean C {score:.2f}"]
    return ", ".join(parts)


def conversation_lines(conversations: Iterable[ConversationReport], *, width: int = DEFAULT_WIDTH) -> Iterator[str]:
    """Yield one line per conversation: its id, where it stands and why; and how to see one whole."""
    stream, how = iter(conversations), "no conversation was planned"
    first = list(islice(stream, _ALIGNED))
    columns = max((len(visible(conversation.id)) for conversation in first), default=0)
    for conversation in chain(first, stream):
        if not conversation.index:
            how = f"\none of them: {visible(conversation.show_command)}"
        yield _listed(conversation, width, columns)
    yield how


def _listed(conversation: ConversationReport, width: int, columns: int) -> str:
    modes = ", ".join(found.mode.title for found in conversation.failing_modes)
    why = "; ".join(filter(None, (conversation.reason, modes or conversation.low_parts)))
    text = one_line(f"({conversation.sut}) {why}")
    head = f"{visible(conversation.id):<{columns}}  {conversation.standing_words:<12}  "
    first, *others = wrap(text, width=width - 1, first=head, rest=" " * len(head))
    return first + ("…" if others else "")


def transcript(conversation: ConversationReport, *, width: int = DEFAULT_WIDTH) -> str:
    """Return one conversation: its setting, every turn with its failures, targets, scores and the verdict with reasons.

    Args:
        conversation: what to show.
        width: columns of the terminal.
    """
    lines = [
        *_paired(_setting(conversation), width),
        "",
        *(line for turn in conversation.turns for line in _turn(turn, width)),
        *_ending(conversation, width),
        *_targets(conversation.targets, width),
        *_scores(conversation, width),
        "",
        *wrap(f"{conversation.standing.value.upper()}: {conversation.reason}", width=width, rest="  "),
        *_ledger_lines(conversation, width),
        *_failing_modes(conversation, width),
        *_model_lines(conversation.models, width),
    ]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _ledger_lines(conversation: ConversationReport, width: int) -> list[str]:
    if conversation.ledger is None:
        return []
    return list(wrap(f"no clean verdict, blame {row_words(conversation.ledger)}", width=width, rest="  "))


def _count_pairs(report: ReportModel) -> list[tuple[str, str]]:
    summary = report.summary
    pairs = _verdict_pairs(report) if summary.conversations.planned or not summary.metamorphic.planned else []
    if summary.metamorphic.planned:
        pairs.append(("replayed", replayed_line(summary.metamorphic)))
    pairs += [(f"sut {one_line(label)}", _sut_line(report, label)) for label in summary.suts]
    return pairs + _how_pairs(report)


def _verdict_pairs(report: ReportModel) -> list[tuple[str, str]]:
    summary, counts = report.summary, report.summary.conversations
    rate = "none" if summary.failure_rate is None else f"{100 * summary.failure_rate:.1f} %"
    pairs = [
        (
            "planned",
            f"{counts.planned} = {counts.passed} passed + {counts.failed} failed + {counts.inconclusive} inconclusive"
            f" + {counts.invalid} invalid + {counts.missing} missing",
        ),
        ("failure rate", f"{rate} of {counts.passed + counts.failed} passed or failed"),
    ]
    if summary.mean_success_score is not None:
        pairs.append(("mean C", f"{summary.mean_success_score:.2f} (threshold {report.threshold:g})"))
    if summary.invalid_by_blame:
        blamed = ", ".join(f"{number} {blame}" for blame, number in summary.invalid_by_blame.items())
        pairs.append(("invalid by", blamed))
    if summary.ledger.rows > counts.invalid + counts.inconclusive + counts.missing or summary.ledger.overridden:
        pairs.append(("no clean verdict", count_words(summary.ledger)))
    if summary.simulator.reviewed:
        pairs.append(("users", simulator_words(summary.simulator)))
    if summary.confirmation.tried:
        pairs.append(("confirmed", confirmation_words(summary.confirmation)))
    if summary.canaries is not None:
        pairs += canary_pairs(summary.canaries)
    return pairs


def _how_pairs(report: ReportModel) -> list[tuple[str, str]]:
    summary, llm = report.summary, report.summary.llm
    pairs = []
    if summary.regenerations:
        pairs.append(("made anew", f"{_count(summary.regenerations, 'utterance')} of the simulated user"))
    if llm.calls:
        tokens = f"{llm.prompt_tokens} + {llm.completion_tokens} tokens"
        requests = _count(llm.attempts, "request")
        pairs.append(("model calls", f"{llm.calls} ({requests}, {tokens}, cost {cost_words(llm)})"))
    if report.status is not RunStatus.FINISHED:
        pairs.append(("status", ": ".join(filter(None, (report.status.value, summary.status_detail)))))
    if report.imported is not None:
        pairs.append(("conversations", "; ".join((report.imported.sentence(), *report.imported.notes))))
    if report.agents_note:
        pairs.append(("agents", report.agents_note))
    return pairs


def _sut_line(report: ReportModel, label: str) -> str:
    sut = report.summary.suts[label]
    counts = sut.conversations
    who = " ".join(part for part in (sut.name, sut.version, f"({sut.transport})") if part)
    if report.summary.metamorphic.planned and not counts.planned:
        return who
    return (
        f"{who}: {counts.failed} of {counts.passed + counts.failed} failed, {counts.planned} planned, "
        f"{'nothing was sent' if sut.transport == RECORDED else _count(sut.calls, 'call')}"
    )


def _mode_lines(report: ReportModel, width: int) -> list[str]:
    if not report.modes:
        return []
    pairs = [
        (
            f"  {one_line(row.mode.title)}",
            f"{row.count.instances} in {row.count.conversations} conversation{'s' * (row.count.conversations != 1)}"
            + (", critical" if row.critical else ""),
        )
        for row in report.modes
    ]
    return ["", "failures by mode", *_paired(pairs, width)]


def _replay_lines(report: ReportModel, width: int) -> list[str]:
    found = list(violation_lines(report, width=width))
    note = wrap(report.epsilon_note, width=width, first="note: ", rest="      ") if report.epsilon_note else []
    return [*([""] if found else []), *found, *([""] if note else []), *note]


def _model_lines(models: ModelsReport | None, width: int) -> list[str]:
    if models is None:
        return []
    rows = [(f"  {row.title}", _usage_words(row)) for row in models.roles]
    rows += [(f"  {one_line(row.endpoint)}", _time_words(row)) for row in models.endpoints]
    return ["", "models", *_paired(rows, width)]


def _usage_words(row: UsageRow) -> str:
    parts = [
        _count(row.calls, "call"),
        _count(row.requests, "request"),
        f"{row.prompt_tokens} + {row.completion_tokens} tokens",
    ]
    if row.cached_share:
        parts.append(f"{100 * row.cached_share:.0f} % of the prompts cached by the provider")
    if row.from_cache:
        parts.append(f"{_count(row.from_cache, 'answer')} from the response cache")
    parts.append(f"cost {row.cost}")
    if row.failed:
        parts.append("without a usable answer: " + ", ".join(f"{each.number} {each.words}" for each in row.failed))
    return f"{', '.join(map(one_line, row.models))}: {'; '.join(parts)}"


def _time_words(row: EndpointRow) -> str:
    mean = "" if row.mean_answer_s is None else f", {row.mean_answer_s:.2f} s each"
    return (
        f"{_count(row.requests, 'request')}: {row.answer_s:.1f} s answering{mean}; "
        f"waited {row.queue_wait_s:.1f} s for a free slot, {row.retry_wait_s:.1f} s to try again"
    )


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


def _findings(report: ReportModel, width: int, max_findings: int) -> list[str]:
    shown = [c for wanted in _FINDINGS for c in report.conversations if c.standing is wanted]
    shown += [c for c in report.conversations if c.standing not in _FINDINGS and c.failing_modes]
    lines: list[str] = []
    for conversation in shown[:max_findings]:
        lines += ["", f"{conversation.standing.value} {conversation.id} ({one_line(conversation.sut)})"]
        if conversation.opening:
            lines += wrap(f'"{one_line(conversation.opening)}"', width=width, first="  ", rest="   ")
        lines += wrap(conversation.reason, width=width, first="  ", rest="  ")
        lines += _low_scores(conversation, width)
        lines += _failing_modes(conversation, width)
        lines.append(f"  {visible(conversation.show_command)}")
        lines += [f"  {visible(conversation.replay_command)}"] if conversation.replay_command else []
    if max_findings:
        lines += _more(report, shown[:max_findings], shown[max_findings:], width)
    return lines


def _more(
    report: ReportModel, listed: Sequence[ConversationReport], left: Sequence[ConversationReport], width: int
) -> list[str]:
    """Return how many findings are not listed, by what they are.

    The report may hold only some of a big run's; how many failed or are invalid was counted over all.
    """
    counts = report.summary.conversations
    totals = {
        Standing.FAIL: (counts.failed, "more failed"),
        Standing.INVALID: (counts.invalid, "more invalid"),
        Standing.INCONCLUSIVE: (counts.inconclusive, "more inconclusive"),
    }
    named = [(total - sum(c.standing is each for c in listed), what) for each, (total, what) in totals.items()]
    others = sum(c.standing not in _FINDINGS for c in left)
    named.append((others, "more that did not fail but have failures"))
    told = ", ".join(f"{number} {what}" for number, what in named if number > 0)
    if not told:
        return []
    if report.shown_note:  # a command is not broken over lines
        return ["", f"and {told}; hairpin show {shlex.quote(report.location)} lists them"]
    return ["", *wrap(f"and {told}, all in the report", width=width)]


def _low_scores(conversation: ConversationReport, width: int) -> Iterator[str]:
    if conversation.low_parts:
        yield from wrap(one_line(conversation.low_parts), width=width, first="  ", rest="  ")


def _failing_modes(conversation: ConversationReport, width: int) -> Iterator[str]:
    for found in conversation.failing_modes:
        turns = f"turn{'s' if len(found.turns) > 1 else ''} {', '.join(map(str, found.turns))}"
        evidence = f": {one_line(found.evidence)}" if found.evidence else ""
        yield from wrap(f"{found.mode.title} at {turns}{evidence}", width=width, first="  - ", rest="    ")


def _setting(conversation: ConversationReport) -> list[tuple[str, str]]:
    pairs = [
        ("conversation", f"{conversation.id} (repeat {conversation.repeat}, random seed {conversation.rng_seed})"),
        ("sut", conversation.sut),
        _source(conversation),
        ("persona", conversation.persona.title),
        ("context", conversation.context.label()),
    ]
    vehicle = ", ".join(f"{name} {value}" for name, value in conversation.context.vehicle.items())
    return [*pairs, ("vehicle", vehicle)] if vehicle else pairs


def _source(conversation: ConversationReport) -> tuple[str, str]:
    if conversation.recording is not None:
        return "recording", conversation.recording
    if conversation.replay is not None:
        return "replay", replay_words(conversation.replay)
    return "seed phrase", conversation.seed_phrase or "none (script)"


def _turn(turn: TurnReport, width: int) -> Iterator[str]:
    strategy = f" [{one_line(turn.strategy.title)}]" if turn.strategy else ""
    yield f"turn {turn.t}{strategy}"
    yield from wrap(turn.user, width=width, first="  user       ", rest="             ")
    if turn.regenerations:
        anew = f"made anew {turn.regenerations} time{'s' * (turn.regenerations != 1)} before it was said"
        yield from wrap(anew, width=width, first="             note: ", rest="             ")
    for note in turn.notes:
        yield from wrap(note, width=width, first="             note: ", rest="             ")
    reply = turn.assistant if turn.answered else NO_ANSWER
    yield from wrap(reply, width=width, first="  assistant  ", rest="             ")
    yield from _states(turn, width)
    for failure in turn.failures:
        yield from _failure(failure, width)
    for violation in turn.violations:
        yield from _violation(violation, width)
    for change in turn.changes:
        words = ", ".join(kind.value for kind in change.kinds)
        if words:
            yield from wrap(f"{words}: {change.target_id}", width=width, first="     target  ", rest="             ")
    yield ""


def _states(turn: TurnReport, width: int) -> Iterator[str]:
    """Yield what changed in the side channel, the first few."""
    for change in turn.state_changes[:MOST_STATE_CHANGES]:
        yield from wrap(one_line(state_text(change)), width=width, first="     state   ", rest="             ")
    more = len(turn.state_changes) - MOST_STATE_CHANGES
    if more > 0:
        yield f"             and {more} more; the report shows the whole state"


def _failure(failure: FailureReport, width: int) -> Iterator[str]:
    critical = " (critical)" if failure.critical else ""
    target = f", target: {failure.target or failure.target_id}" if failure.target_id else ""
    yield from wrap(f"{failure.mode.title}{critical}{target}", width=width, first="  !! FAILURE ", rest="             ")
    if failure.evidence:
        yield from wrap(failure.evidence, width=width, first="             ", rest="             ")


def _violation(found: ViolationReport, width: int) -> Iterator[str]:
    similarity = "" if found.similarity is None else f", similarity {found.similarity:.2f}"
    text = (
        f'{found.relation.value} ({found.words}): compared with "{one_line(found.compared_with)}" '
        f"({one_line(found.origin)}){similarity}"
    )
    yield from wrap(text, width=width, first="  !! VIOLATED ", rest="             ")


def _ending(conversation: ConversationReport, width: int) -> Iterator[str]:
    if conversation.pending_utterance is not None:
        yield "not answered"
        yield from wrap(conversation.pending_utterance, width=width, first="  user       ", rest="             ")
        yield ""
    if conversation.stop:
        detail = f": {conversation.stop.detail}" if conversation.stop.detail else ""
        text = f"{conversation.stop.words} ({conversation.stop.reason.value}){detail}"
        yield from wrap(text, width=width, first="ended: ", rest="       ")


def _targets(targets: Iterable[TargetReport], width: int) -> Iterator[str]:
    for n, target in enumerate(targets):
        if not n:
            yield from ("", "targets")
        since = "" if target.introduced is None else f", said at turn {target.introduced}"
        resolved = "" if target.resolved is None else f", {target.state.value} at turn {target.resolved}"
        limits = f" [{'; '.join(target.constraints)}]" if target.constraints else ""
        text = f"{target.text}{limits}: {target.state.value}{since}{resolved}"
        yield from wrap(text, width=width, first=f"  {one_line(target.id):<4} ", rest="       ")


def _scores(conversation: ConversationReport, width: int) -> Iterator[str]:
    score = conversation.score
    if score.value is None and not score.dimensions:
        return
    yield from ("", "scores")
    for row in score.dimensions:
        shown = "no score" if row.score is None else f"{row.score} of 2"
        weight = "" if row.weight in (None, 1) else f", weight {row.weight:g}"
        yield from wrap(f"{row.dimension.title}: {shown}{weight}", width=width, first="  ", rest="    ")
        if row.reasoning:
            yield from wrap(row.reasoning, width=width, first="    ", rest="    ")
    for ratio in score.ratios:
        value = "none" if ratio.value is None else f"{ratio.completed} of {ratio.total} = {ratio.value:.2f}"
        yield from wrap(f"{ratio.title}: {value}", width=width, first="  ", rest="    ")
    value = "undefined" if score.value is None else f"{score.value:.2f}"
    yield f"  C = {value}, threshold {score.threshold:g}"


def _paired(pairs: Iterable[tuple[str, str]], width: int) -> Iterator[str]:
    rows = [(visible(name), text) for name, text in pairs]
    size = max((len(name) for name, _ in rows), default=0)
    for name, text in rows:
        yield from wrap(text, width=width, first=f"{name:<{size}}  ", rest=" " * (size + 2))
