"""The report as JUnit XML: every planned conversation is a test case.

Only a failed conversation is a failure; what has no verdict is an error or skipped, never a failure.
"""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from hairpin.domain.outcome import STOP_RULES
from hairpin.domain.tally import Standing
from hairpin.reports.model import ConversationReport, ReportModel
from hairpin.reports.terminal import transcript
from hairpin.reports.text import one_line, visible

_TRANSCRIPT_WIDTH = 100


def render_junit(report: ReportModel) -> str:
    """Return the report as a JUnit document, one suite per assistant, to be written as UTF-8."""
    root = Element("testsuites", {"name": one_line(report.name), **_counts(report.conversations)})
    for label in report.summary.suts:
        inside = [conversation for conversation in report.conversations if conversation.sut == label]
        root.append(_suite(report, label, inside))
    indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def _suite(report: ReportModel, label: str, conversations: Sequence[ConversationReport]) -> Element:
    suite = Element(
        "testsuite",
        {"name": one_line(f"{report.name} {label}"), "timestamp": report.created_at, **_counts(conversations)},
    )
    properties = SubElement(suite, "properties")
    for name, value in (
        ("run", report.run_id),
        ("fingerprint", report.summary.fingerprint),
        ("gate", report.sentence),
        *((f"agent.{agent.role}", agent.player) for agent in report.agents),
        *_model_properties(report),
    ):
        SubElement(properties, "property", {"name": one_line(name), "value": one_line(value)})
    for conversation in conversations:
        suite.append(_case(report, conversation))
    return suite


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


def _counts(conversations: Sequence[ConversationReport]) -> dict[str, str]:
    standings = [conversation.standing for conversation in conversations]
    return {
        "tests": str(len(standings)),
        "failures": str(standings.count(Standing.FAIL)),
        "errors": str(standings.count(Standing.INVALID)),
        "skipped": str(standings.count(Standing.INCONCLUSIVE) + standings.count(Standing.MISSING)),
        "time": f"{sum(conversation.elapsed_s for conversation in conversations):.3f}",
    }
