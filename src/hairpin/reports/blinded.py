"""Transcripts for raters: what was said and what to score, and nothing of what Hairpin made of it.

No verdict, no label, no strategy, no persona and no target: a rater who knows them is no second opinion.
"""

from __future__ import annotations

from collections.abc import Sequence

from hairpin.domain.conversation import Exchange
from hairpin.domain.records import ConversationRecord
from hairpin.domain.rubric import Rubric
from hairpin.reports.markdown import escaped
from hairpin.reports.text import NO_ANSWER


def blinded_transcripts(title: str, rubric: Rubric, records: Sequence[ConversationRecord], *, table: str) -> str:
    """Return the transcripts of ``records``, in this order, as Markdown; ``table``: the file to fill in."""
    lines = [f"# {escaped(title)}: transcripts to rate", ""]
    lines += [f"Fill in {escaped(table)}: one row per conversation. An empty cell says nothing.", ""]
    for dimension in rubric.dimensions:
        lines += [f"* **{escaped(dimension.id)}** ({escaped(dimension.title)}): {escaped(dimension.question)}"]
        lines += [f"    * {score}: {escaped(anchor)}" for score, anchor in enumerate(dimension.anchors)]
    lines += ["* **completed**: the share of what the user asked for that was done, from 0 to 1"]
    lines += ["* **verdict**: pass or fail; **blame**: whose fault it is where it went wrong", ""]
    for record in records:
        lines += _transcript(record)
    return "\n".join(lines).rstrip("\n") + "\n"


def _transcript(record: ConversationRecord) -> list[str]:
    lines = [f"## {escaped(record.planned.id)}", ""]
    context = record.planned.context.label()
    if context:
        lines += [f"Context: {escaped(context)}", ""]
    for exchange in record.exchanges:
        lines += _exchange(exchange)
    pending = record.outcome.pending_utterance if record.outcome is not None else None
    if pending is not None:
        lines += [f"**Turn {len(record.exchanges)}**", "", f"> **User:** {escaped(pending)}", ">"]
        lines += ["> (the conversation ends here)", ""]
    return lines


def _exchange(exchange: Exchange) -> list[str]:
    reply = exchange.assistant if exchange.assistant.strip() else NO_ANSWER
    said = [f"> **User:** {escaped(exchange.user)}", ">", f"> **Assistant:** {escaped(reply)}"]
    return [f"**Turn {exchange.t}**", "", *said, ""]
