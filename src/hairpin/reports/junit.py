"""The report as JUnit XML: every planned conversation is a test case, and every test seed with its replays one.

Only a failed conversation, or a test seed with a violated relation, is a failure; what has no verdict is an error or
skipped, never a failure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeAlias
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from hairpin.analysis.metamorphic.scored import ScoredFamily
from hairpin.domain.outcome import STOP_RULES
from hairpin.domain.tally import ConversationCounts, Standing
from hairpin.reports.junit_seeds import CaseCounts, count_seeds, is_seed, seed_case
from hairpin.reports.model import ConversationReport, ReportModel
from hairpin.reports.relation_rows import Families
from hairpin.reports.terminal import transcript
from hairpin.reports.text import one_line, visible

_TRANSCRIPT_WIDTH = 100


Conversations: TypeAlias = Callable[[str], Iterable[ConversationReport]]
"""Gives all conversations of an assistant, by its label, in plan order."""


def junit_parts(report: ReportModel, conversations: Conversations, families: Families = tuple) -> Iterator[str]:
    """Yield the report as a JUnit document in parts, one suite per assistant, holding one conversation at a time.

    ``families``: of replays, with their checks; gone through once for all counts and once for each assistant.
    """
    suts = report.summary.suts
    seeds = count_seeds(report.name, report.location, families())
    counts = {
        label: _counts_of(sut.conversations, report.seconds.get(label, 0.0)) + seeds.get(label, CaseCounts())
        for label, sut in suts.items()
    }
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    total = sum(counts.values(), start=CaseCounts())
    yield from _open("testsuites", {"name": one_line(report.name), **_attributes(total)}, empty=not suts)
    for label in suts:
        own = (each for each in families() if each.sut == label and is_seed(each))
        yield from _suite(report, label, _attributes(counts[label]), conversations, own)
    if suts:
        yield "</testsuites>\n"


def _suite(
    report: ReportModel,
    label: str,
    counts: Mapping[str, str],
    conversations: Conversations,
    seeds: Iterable[ScoredFamily],
) -> Iterator[str]:
    name = one_line(f"{report.name} {label}")
    yield "  "
    yield from _open("testsuite", {"name": name, "timestamp": report.created_at, **counts})
    yield _laid_out(_properties(report))
    for conversation in conversations(label):
        if conversation.replay is not None:  # it can neither pass nor fail
            continue
        yield _laid_out(_case(report, conversation))
    for scored in seeds:
        yield _laid_out(seed_case(report.name, report.location, scored))
    yield "  </testsuite>\n"


def _open(tag: str, attributes: Mapping[str, str], *, empty: bool = False) -> Iterator[str]:
    whole = tostring(Element(tag, dict(attributes)), encoding="unicode")
    yield (whole if empty else whole.removesuffix(" />") + ">") + "\n"


def _laid_out(element: Element) -> str:
    indent(element, level=2)
    return f"    {tostring(element, encoding='unicode').rstrip()}\n"


def _properties(report: ReportModel) -> Element:
    properties = Element("properties")
    for name, value in (
        ("run", report.run_id),
        ("fingerprint", report.summary.fingerprint),
        ("gate", report.sentence),
        *((f"agent.{agent.role}", agent.player) for agent in report.agents),
        *_model_properties(report),
    ):
        SubElement(properties, "property", {"name": one_line(name), "value": one_line(value)})
    return properties


def _model_properties(report: ReportModel) -> list[tuple[str, str]]:
    if report.models is None:
        return []
    total = report.models.total
    used = [("llm.requests", total.requests), ("llm.prompt_tokens", total.prompt_tokens)]
    used += [("llm.completion_tokens", total.completion_tokens)]
    return [*((name, str(number)) for name, number in used), ("llm.cost", total.cost)]


def _case(report: ReportModel, conversation: ConversationReport) -> Element:
    parts = [conversation.id, one_line(conversation.opening), conversation.persona.id, conversation.context.label()]
    case = Element(
        "testcase",
        {
            "classname": one_line(f"{report.name}.{conversation.sut}"),
            "name": one_line(" | ".join(part for part in parts if part)),
            "time": f"{conversation.elapsed_s:.3f}",
        },
    )
    result = _result(conversation)
    if result is not None:
        case.append(result)
    elif conversation.failing_modes:
        SubElement(case, "system-out").text = _body(conversation)
    return case


def _result(conversation: ConversationReport) -> Element | None:
    message = one_line(_message(conversation))
    if conversation.standing is Standing.PASS:
        return None
    if conversation.standing is Standing.FAIL:
        element = Element("failure", {"type": "conversation_failed", "message": message})
    elif conversation.standing is Standing.INVALID:
        element = Element("error", {"type": _error_type(conversation), "message": message})
    else:
        element = Element("skipped", {"message": message})
    if conversation.turns or conversation.pending_utterance:
        element.text = _body(conversation)
    return element


def _error_type(conversation: ConversationReport) -> str:
    """Return ``invalid.<reason>``, and whose it was where several can end one so: ``invalid.refused.judge``."""
    stop, blame = conversation.stop, conversation.blame
    if stop is None:
        return "invalid"
    return ".".join(filter(None, ("invalid", stop.reason, blame if STOP_RULES[stop.reason].blame is None else None)))


def _message(conversation: ConversationReport) -> str:
    modes = [
        f"{found.mode.id} at turn{'s' if len(found.turns) > 1 else ''} {', '.join(map(str, found.turns))}"
        for found in conversation.failing_modes
    ]
    found = f"; found {', '.join(modes)}" if modes else ""
    return f"{conversation.standing_words}: {conversation.reason}{found}"


def _body(conversation: ConversationReport) -> str:
    return visible(f"\n{conversation.show_command}\n\n{transcript(conversation, width=_TRANSCRIPT_WIDTH)}")


def _counts_of(counts: ConversationCounts, seconds: float) -> CaseCounts:
    return CaseCounts(
        tests=counts.planned,
        failures=counts.failed,
        errors=counts.invalid,
        skipped=counts.inconclusive + counts.missing,
        seconds=seconds,
    )


def _attributes(counts: CaseCounts) -> dict[str, str]:
    return {
        "tests": str(counts.tests),
        "failures": str(counts.failures),
        "errors": str(counts.errors),
        "skipped": str(counts.skipped),
        "time": f"{counts.seconds:.3f}",
    }
