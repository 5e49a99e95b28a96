"""The benchmark of seeded faults as tables: what is found, what is made up, and by which strategies.

It computes nothing; figures are ``analysis.fault_benchmark``'s.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from hairpin.analysis.fault_benchmark_model import (
    Configuration,
    Confusion,
    FalseAlarms,
    FaultBenchmark,
    FaultRecall,
    IndirectFinding,
    Part,
    Rate,
    StrategyTable,
)
from hairpin.reports.cells import (
    count,
    counts,
    interval,
    intervals,
    missing,
    number,
    numbers,
    percent,
    percents,
    share,
    text,
    words,
    written,
)
from hairpin.reports.tables import Cell, Column, Section, Table

NEVER = "never found"
NOBODY = "no exchange shows a strike"

PART_WORDS: Mapping[Part, str] = {
    Part.IN_SAMPLE: "In sample: the wordings and fault parameters that the offline agents were built on.",
    Part.HELD_OUT: "Held out: a wording and fault parameters that those who built the offline agents did not look at.",
}


def fault_sections(
    benchmark: FaultBenchmark, indirect: Sequence[IndirectFinding], *, titles: Mapping[str, str]
) -> tuple[Section, ...]:
    """Return the tables of the benchmark. ``titles``: of failure modes and strategies, by id."""
    made = (
        _overview(benchmark),
        *(_recall_section(benchmark, part) for part in _parts(benchmark)),
        _alarm_section(benchmark.alarms, titles) if benchmark.alarms else None,
        _indirect_section(indirect) if indirect else None,
        _confusion_section(benchmark.confusions, titles) if benchmark.confusions else None,
        _strategy_section(benchmark.strategies, titles) if benchmark.strategies else None,
    )
    return tuple(section for section in made if section is not None)


def _parts(benchmark: FaultBenchmark) -> tuple[Part, ...]:
    found = {recall.cell.part for recall in benchmark.recalls}
    return tuple(part for part in Part if part in found)


def _overview(benchmark: FaultBenchmark) -> Section | None:
    overall = [recall for part in Part for recall in benchmark.overall(part)]
    if not overall and not benchmark.alarms:
        return None
    alarms = {each.cell: each for each in benchmark.alarms}
    recalls = {each.cell: each for each in overall}
    cells = dict.fromkeys((*recalls, *alarms))
    table = Table(
        id="benchmark-overview",
        title="All faults together",
        note=_RECALL_NOTE + " False alarms: labels in conversations with the assistant without faults, with an exact "
        "Poisson interval.",
        columns=(
            *_cell_columns(),
            intervals("Found at all"),
            intervals("Right label"),
            intervals("Right label, right turn"),
            numbers("False alarms per 100 turns"),
            written("95 % interval"),
        ),
        rows=tuple(_overview_row(cell, recalls.get(cell), alarms.get(cell)) for cell in cells),
    )
    return Section(id="benchmark-overview", title="How many are found, how many are made up", parts=(table,))


_RECALL_NOTE = (
    "Of the conversations in which a reply shows a strike: those with any label from there on, with the right one, "
    "and with the right one in an exchange that shows a strike; with Wilson's 95 % intervals, which take "
    "conversations for independent."
)


def _overview_row(cell: Configuration, recall: FaultRecall | None, alarms: FalseAlarms | None) -> tuple[Cell, ...]:
    shares = [missing(NOBODY)] * 3
    if recall is not None:
        shares = [interval(recall.found), interval(recall.labelled), interval(recall.at_turn)]
    rate, span = _rate(alarms)
    return (*_cell_cells(cell), *shares, rate, span)


def _rate(alarms: FalseAlarms | None) -> tuple[Cell, Cell]:
    rate = alarms.alarms if alarms is not None else None
    if rate is None or rate.per_100 is None or rate.high is None:
        return missing("nothing was said to it"), missing("nothing was said to it")
    return number(rate.per_100), text(f"{rate.low:.2f} to {rate.high:.2f}")


def _recall_section(benchmark: FaultBenchmark, part: Part) -> Section:
    recalls = [each for each in benchmark.recalls if each.cell.part is part]
    cells = tuple(dict.fromkeys(each.cell for each in recalls))
    return Section(
        id=f"recall-{part.value}",
        title=f"Fault by fault, {part.value}",
        text=(PART_WORDS[part],),
        parts=tuple(
            table
            for index, cell in enumerate(cells)
            for table in _recall_tables(cell, [each for each in recalls if each.cell == cell], index)
        ),
    )


def _recall_tables(cell: Configuration, recalls: Sequence[FaultRecall], index: int) -> Iterator[Table]:
    name = f"{cell.part.value}-{index}"
    yield Table(
        id=f"recall-{name}",
        title=f"Recall: {_titled(cell)}",
        note=f"{_RECALL_NOTE} Strikes: those that got the right label in their exchange.",
        columns=(
            words("Fault", header=True),
            counts("Conversations"),
            counts("With a strike"),
            intervals("Found at all"),
            intervals("Right label"),
            intervals("Right label, right turn"),
            counts("Strikes"),
            intervals("Strikes found"),
        ),
        rows=tuple(
            (
                text(each.fault or "all"),
                count(each.n_conversations),
                count(each.found.n),
                interval(each.found),
                interval(each.labelled),
                interval(each.at_turn),
                count(each.strikes.n),
                interval(each.strikes),
            )
            for each in recalls
        ),
    )
    yield Table(
        id=f"effort-{name}",
        title=f"What finding takes: {_titled(cell)}",
        note="First: in the order of the plan, up to the first right label at the right turn, with the tokens of "
        "Hairpin's own model calls. Turns with a find: per 100, with an exact Poisson interval. Unseen strikes change "
        "what the assistant keeps in mind, but no reply of theirs shows it, and they count nowhere. Other labels may "
        "be justified by what a strike spoilt earlier.",
        columns=(
            words("Fault", header=True),
            counts("Turns"),
            counts("Conversations to the first"),
            counts("Turns to the first"),
            counts("Tokens to the first"),
            numbers("Turns with a find per 100"),
            written("95 % interval"),
            counts("Unseen strikes"),
            counts("Other labels"),
            counts("Invalid conversations"),
        ),
        rows=tuple(_effort_row(each) for each in recalls if each.fault is not None),
    )


def _effort_row(recall: FaultRecall) -> tuple[Cell, ...]:
    first, rate = recall.first, recall.per_100
    firsts = (
        (missing(NEVER),) * 3
        if first is None
        else (count(first.conversations), count(first.turns), count(first.tokens))
    )
    return (
        text(recall.fault or "all"),
        count(recall.n_turns),
        *firsts,
        number(rate.per_100, NOBODY),
        missing(NOBODY) if rate.high is None else text(f"{rate.low:.2f} to {rate.high:.2f}"),
        count(recall.n_unseen),
        count(recall.n_other),
        count(recall.n_invalid),
    )


def _alarm_section(alarms: Sequence[FalseAlarms], titles: Mapping[str, str]) -> Section:
    table = Table(
        id="false-alarms",
        title="The assistant without faults",
        note="Labels count once per exchange; failed: of the conversations that passed or failed.",
        columns=(
            *_cell_columns(),
            counts("Turns"),
            counts("Labels"),
            numbers("Per 100 turns"),
            written("95 % interval"),
            intervals("Conversations with a label"),
            intervals("Failed"),
            counts("Invalid"),
            words("Labels given"),
        ),
        rows=tuple(
            (
                *_cell_cells(each.cell),
                count(each.alarms.n),
                count(each.alarms.events),
                *_rate(each),
                interval(each.conversations),
                interval(each.failed),
                count(each.n_invalid),
                text(", ".join(f"{titles.get(mode, mode)} {n}" for mode, n in each.by_mode) or "none"),
            )
            for each in alarms
        ),
    )
    return Section(id="false-alarms", title="False alarms", parts=(table,))


def _indirect_section(indirect: Sequence[IndirectFinding]) -> Section:
    table = Table(
        id="indirect",
        title="Replays and session checks",
        note="F11, and the clean assistant beside it: of the conversations that were asked anew and show a strike (of "
        "the clean one: all), those with a violated MR1 or MR3. F12, and the clean assistant: of the assistants that "
        "'hairpin sut check' tried, one in each wording, those that it found unfit.",
        columns=(
            words("Part", header=True),
            words("Fault", header=True),
            words("Parameters", header=True),
            counts("Tried"),
            intervals("Found"),
            counts("Without a visible strike"),
        ),
        rows=tuple(
            (
                text(each.part.value),
                text(each.fault),
                text(each.variant),
                count(each.found.n),
                interval(each.found),
                count(each.unseen),
            )
            for each in indirect
        ),
    )
    return Section(id="indirect", title="Faults that no single exchange shows", parts=(table,))


def _confusion_section(confusions: Sequence[Confusion], titles: Mapping[str, str]) -> Section:
    return Section(
        id="confusion",
        title="True fault and label",
        text=(
            "Exchanges that show a strike, over all strategies; of the assistant without faults all exchanges. An "
            "exchange can have several labels.",
        ),
        parts=tuple(_confusion(each, index, titles) for index, each in enumerate(confusions)),
    )


def _confusion(confusion: Confusion, index: int, titles: Mapping[str, str]) -> Table:
    return Table(
        id=f"confusion-{index}",
        title=f"Labels of struck exchanges: {confusion.part.value}, judged by {confusion.judge}",
        columns=(
            words("Fault", header=True),
            words("Earns"),
            counts("Exchanges"),
            *(percents(titles.get(mode, mode)) for mode in confusion.modes),
            percents("No label"),
        ),
        rows=tuple(
            (
                text(row.fault),
                text(", ".join(titles.get(mode, mode) for mode in row.earns) or "nothing"),
                count(row.n),
                *(share(n / row.n if row.n else None, NOBODY) for n in (*row.labels, row.none)),
            )
            for row in confusion.rows
        ),
    )


def _strategy_section(tables: Sequence[StrategyTable], titles: Mapping[str, str]) -> Section:
    return Section(
        id="fault-strategies",
        title="What each strategy finds",
        text=(
            "Of the utterances that a strategy wrote, those whose reply shows a strike; and of these, those that got "
            "the right label. The first says what the strategy provokes, the second what the judge makes of it.",
        ),
        parts=tuple(
            _strategies(table, kind, index, titles)
            for index, table in enumerate(each for each in tables if each.faults)
            for kind in ("struck", "found")
        ),
    )


def _strategies(table: StrategyTable, kind: str, index: int, titles: Mapping[str, str]) -> Table:
    provoked = kind == "struck"
    return Table(
        id=f"strategies-{kind}-{index}",
        title=f"{'Strikes per utterance' if provoked else 'Strikes found'}: {_titled(table.cell)}",
        columns=(words("Strategy", header=True), *(percents(fault) for fault in table.faults)),
        rows=tuple(
            (
                text("no strategy" if row.strategy is None else titles.get(row.strategy, row.strategy)),
                *(percent(finding.struck if provoked else finding.found) for finding in row.findings),
            )
            for row in table.rows
        ),
    )


def _cell_columns() -> tuple[Column, ...]:
    return words("Part", header=True), words("Strategies", header=True), words("Judge", header=True)


def _cell_cells(cell: Configuration) -> tuple[Cell, ...]:
    return text(cell.part.value), text(cell.pool), text(cell.judge)


def _titled(cell: Configuration) -> str:
    return f"{cell.part.value}, {cell.pool}, judged by {cell.judge}"


def noted(benchmark: FaultBenchmark) -> Iterator[str]:
    """Yield what the figures come to, in one sentence for each part."""
    for part in _parts(benchmark):
        overall = benchmark.overall(part)
        if overall:
            rates = [each.alarms for each in benchmark.alarms if each.cell.part is part]
            yield f"{part.value.capitalize()}: {_found_words(overall)}{_alarm_words(rates)}."


def _found_words(overall: Sequence[FaultRecall]) -> str:
    """Say how many are found where fewest are, of the configurations in which something struck."""
    rates = [each.at_turn.rate for each in overall if each.at_turn.rate is not None]
    if not rates:
        return "no fault struck in a reply, so nothing is known of what is found (more --conversations help)"
    return f"at least {100 * min(rates):.1f} % found with the right label at the right turn"


def _alarm_words(alarms: Sequence[Rate]) -> str:
    """Say how many failures are made up where most are, with its interval: few turns allow for many."""
    known = [(each.per_100, each) for each in alarms if each.per_100 is not None]
    if not known:
        return ""
    rate, most = max(known, key=lambda each: (each[0], each[1].high or 0.0))
    interval = "" if most.high is None else f" (95 % interval {most.low:.2f} to {most.high:.2f})"
    return f", and at most {rate:.2f} false alarms per 100 turns{interval}"
