"""How two judgements of the same conversations differ, as a section with tables, and as lines for a terminal.

It computes nothing; ``analysis.judge_differences`` does.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from hairpin.analysis.judge_differences import SCORES, DifferenceExample, JudgeDifferences
from hairpin.domain.recording import Rejudged
from hairpin.reports.cell_text import NO_VALUE, cell_text
from hairpin.reports.cells import count, counts, number, percents, share, text, words
from hairpin.reports.glossary import Glossary
from hairpin.reports.table_text import table_lines
from hairpin.reports.tables import Cell, Section, Table
from hairpin.reports.text import wrap

DIFFERENCES: Final = "judge-differences"
"""The id of the section."""

_CLIPPED: Final = 200
_BESIDE: Final = "before"
_NOW: Final = "now"
_EXAMPLES: Final = "judged-examples"


def differences_section(
    found: JudgeDifferences,
    titles: Glossary,
    *,
    before: Glossary | None = None,
    rejudged: Rejudged | None = None,
    thresholds: tuple[float | None, float | None] = (None, None),
) -> Section:
    """Return tables of verdicts, failure modes, dimensions and examples.

    ``titles``: what the rubric of now calls things; ``before``: what that of before did, ``None`` where nobody knows.
    ``rejudged``: the run judged again; ``thresholds``: θ before and now, ``None`` where there is none or nobody knows.
    """
    known = titles if before is None else before.beside(titles)
    tables = (_verdicts(found), _modes(found, known), _dimensions(found, known), _examples(found, known))
    rubrics = () if before is None else _rubric_words(before, titles)
    without = () if rejudged is None or not rejudged.n_left_out else (_left_out(rejudged),)
    return Section(
        id=DIFFERENCES,
        title="What is judged differently",
        text=(*_sentences(found, rejudged), *rubrics, *_threshold_words(*thresholds)),
        parts=(*tables, *without),
    )


def difference_lines(section: Section, *, width: int) -> Iterator[str]:
    """Yield the section as lines of plain text, each example in a paragraph; tables without rows are left out."""
    yield ""
    yield section.title
    for paragraph in section.text:
        yield from wrap(paragraph, width=width, first="  ", rest="  ")
    for table in section.tables:
        if not table.rows:
            continue
        yield ""
        if table.id != _EXAMPLES:
            yield from table_lines(table, width=width)
            continue
        yield table.title
        for row in table.rows:
            yield from wrap(_told(*map(cell_text, row)), width=width, first="  ", rest="    ")


def _told(what: str, conversation: str, turn: str, *said: str) -> str:
    before, now, *evidence = said
    place = conversation if turn == NO_VALUE else f"{conversation} turn {turn}"
    why = [f"“{each}”" if each else "" for each in evidence]
    return f"{place}, {what}: {_BESIDE} {before} {why[0]}".rstrip() + f"; {_NOW} {now} {why[1]}".rstrip()


def _sentences(found: JudgeDifferences, rejudged: Rejudged | None) -> Iterator[str]:
    if rejudged is not None:
        yield f"{rejudged.sentence()}; “{_BESIDE}” is what was judged in that run."
    n = found.n_conversations
    if not n:
        yield "No conversation has both judgements."
        return
    same = "all exactly as before" if found.identical == n else f"exactly as before: {found.identical}"
    yield f"Judged twice: {_number(n, 'conversation')} with {_number(found.n_turns, 'exchange')}; {same}."
    if found.unpaired:
        yield f"Judged once, and not compared: {_number(found.unpaired, 'conversation')}."
    if found.n_scored:
        changed = f"C differs in {found.n_score_changes} of {_number(found.n_scored, 'conversation')}"
        mean = f", by {found.mean_score_change:+.3f} on average over all" if found.n_score_changes else ""
        yield f"The verdict differs in {_number(found.n_verdict_changes, 'conversation')}. {changed}{mean}."
    targets = found.targets
    if targets.differing:
        yield f"Targets that stand differently at the end: in {targets.differing} of {_number(n, 'conversation')}."


def _rubric_words(before: Glossary, now: Glossary) -> Iterator[str]:
    """Say what only one of the rubrics has: there the judgements differ whatever judges think."""
    only = {_BESIDE: _only_in(before, now), _NOW: _only_in(now, before)}
    told = [f"only {when}: {', '.join(names)}" for when, names in only.items() if names]
    if told:
        yield f"The rubric is another. What only one has the other cannot judge: {'; '.join(told)}."


def _only_in(one: Glossary, other: Glossary) -> list[str]:
    modes = [entry.title for name, entry in one.modes.items() if name not in other.modes]
    return modes + [entry.title for name, entry in one.dimensions.items() if name not in other.dimensions]


def _threshold_words(before: float | None, now: float | None) -> Iterator[str]:
    if before is not None and now is not None and before != now:
        yield f"The threshold was {before:g} and is {now:g} now: the same C can be another verdict."


def _verdicts(found: JudgeDifferences) -> Table:
    return Table(
        id="judged-verdicts",
        title="Verdicts",
        columns=(words(_BESIDE, header=True), words(_NOW), counts("conversations")),
        rows=tuple((text(each.before.value), text(each.after.value), count(each.number)) for each in found.verdicts),
    )


def _modes(found: JudgeDifferences, titles: Glossary) -> Table:
    return Table(
        id="judged-modes",
        title="Labels, by failure mode",
        note="An exchange counts once for a mode, of however many targets it was found.",
        columns=(
            words("failure mode", header=True),
            counts("both"),
            counts(f"only {_BESIDE}"),
            counts(f"only {_NOW}"),
            percents("alike"),
        ),
        rows=tuple(
            (
                text(titles.mode(each.mode).title),
                count(each.both),
                count(each.only_before),
                count(each.only_after),
                share(each.both / (each.both + each.differing)),
            )
            for each in found.modes
        ),
        empty="Neither judgement has a label.",
    )


def _dimensions(found: JudgeDifferences, titles: Glossary) -> Table:
    """Return per dimension and score before how many have which score now."""
    columns = [counts(f"{_NOW} {_score_word(score)}") for score in SCORES]
    rows: list[tuple[Cell, ...]] = []
    for each in found.dimensions:
        title = text(titles.dimension(each.dimension).title)
        for score, line in zip(SCORES, each.confusion, strict=True):
            if any(line):
                rows.append((title, text(_score_word(score)), *map(count, line), share(each.same / each.number)))
    return Table(
        id="judged-dimensions",
        title="Scores, by dimension",
        note="Alike: the share of all conversations that have the same score in the dimension.",
        columns=(words("dimension", header=True), words(_BESIDE), *columns, percents("alike")),
        rows=tuple(rows),
        empty="Neither judgement has scores.",
    )


def _examples(found: JudgeDifferences, titles: Glossary) -> Table:
    return Table(
        id=_EXAMPLES,
        title="Examples",
        columns=(
            words("what", header=True),
            words("conversation"),
            counts("turn"),
            words(_BESIDE),
            words(_NOW),
            words(f"evidence {_BESIDE}"),
            words(f"evidence {_NOW}"),
        ),
        rows=tuple(_example(what, example) for what, example in _all_examples(found, titles)),
        empty="Nothing is judged differently.",
    )


def _all_examples(found: JudgeDifferences, titles: Glossary) -> Iterator[tuple[str, DifferenceExample]]:
    for example in found.verdict_examples:
        yield "verdict", example
    for mode in found.modes:
        for example in mode.examples:
            yield titles.mode(mode.mode).title, example
    for dimension in found.dimensions:
        for example in dimension.examples:
            yield titles.dimension(dimension.dimension).title, example
    for example in found.targets.examples:
        yield "targets", example


def _example(what: str, example: DifferenceExample) -> tuple[Cell, ...]:
    turn = number(None, "of the whole conversation") if example.t is None else count(example.t)
    told = (example.before, example.after, example.before_evidence, example.after_evidence)
    return (text(what), text(example.conversation), turn, *(text(_clipped(each)) for each in told))


def _left_out(rejudged: Rejudged) -> Table:
    more = rejudged.n_left_out - len(rejudged.left_out)
    return Table(
        id="judged-left-out",
        title="Left out",
        note=f"and {more} more" if more else "",
        columns=(words("conversation", header=True), words("why")),
        rows=tuple((text(each.id), text(each.why)) for each in rejudged.left_out),
    )


def _score_word(score: int | None) -> str:
    return "none" if score is None else str(score)


def _number(number_: int, noun: str) -> str:
    return f"{number_} {noun}{'s' * (number_ != 1)}"


def _clipped(words_: str) -> str:
    line = " ".join(words_.split())
    return line if len(line) <= _CLIPPED else line[: _CLIPPED - 1] + "…"
