from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from xml.etree.ElementTree import Element

import html5lib
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hairpin.domain.arm import Arm
from hairpin.domain.conversation import Exchange
from hairpin.domain.outcome import Role, StopReason, Verdict
from hairpin.domain.records import ConversationRecord, RunInfo, RunStatus
from hairpin.domain.scoring import DimensionScore
from hairpin.domain.sut import SutIdentity
from hairpin.domain.users import Context
from hairpin.reports.glossary import Glossary
from hairpin.reports.html import CONTENT_SECURITY_POLICY, render_html
from hairpin.reports.model import ReportModel
from tests.reports.sample_run import (
    FORGOTTEN,
    a_report,
    a_run,
    ended_by,
    events,
    exchanges,
    failed,
    missing,
    outcome,
    passed,
    planned,
    scripted,
    used_models,
)

HOSTILE = (
    "</script><img src=x onerror=alert(1)><b>hi</b>",
    '"><svg onload=alert(2)>',
    "[click](javascript:alert(3))",
    "' onmouseover='alert(4)",
    "javascript:alert(5)",
    "</pre><plaintext>",
    "</title></style><script>alert(6)</script>",
    "<!-- gone",
    "-->",
    "${1}",
    "{{7*7}}",
    "{% raw %}",
    "{# note #}",
    "&lt;b&gt; &amp; &#x3c;script&#x3e;",
    "<a href='javascript:alert(7)'>x</a>",
    "]]>",
)
ELEMENTS = {
    *("html", "head", "meta", "title", "link", "style", "body", "header", "main", "section", "footer", "aside", "div"),
    *("h1", "h2", "h3", "h4", "p", "span", "b", "bdi", "i", "strong", "a", "ol", "ul", "li", "dl", "dt", "dd", "pre"),
    *("table", "thead", "tbody", "tr", "th", "td", "details", "summary", "sub"),
}


def parsed(html: str) -> Element:
    """Parse as a browser does; a parse error means that the markup is not what was meant."""
    parser = html5lib.HTMLParser(namespaceHTMLElements=False, strict=True)
    document = parser.parse(html)
    assert isinstance(document, Element)
    return document


def page(report: ReportModel) -> Element:
    return parsed(render_html(report))


def elements(root: Element) -> Iterator[Element]:
    return root.iter()


@cache
def sample_page() -> Element:
    return page(a_report())


def text_of(root: Element) -> str:
    return "".join(root.itertext())


def words_of(root: Element) -> str:
    return " ".join(" ".join(root.itertext()).split())


def by_id(root: Element, name: str) -> Element:
    (found,) = [element for element in elements(root) if element.get("id") == name]
    return found


def hostile_run(text: str) -> RunInfo:
    return a_run(suts=(text,)).model_copy(
        update={
            "run_id": text,
            "name": text,
            "title": text,
            "tags": (text,),
            "hairpin_version": text,
            "created_at": text,
            "fingerprint": text,
            "fingerprint_parts": {text: text},
            "agents": {"turn_judge": text, text: text},
            "suts": {text: SutIdentity(name=text, version=text, transport=text)},
            "critical_modes": (text,),
            "status": RunStatus.STOPPED,
            "status_detail": text,
        }
    )


def hostile_record(text: str, index: int, verdict: Verdict) -> ConversationRecord:
    exchange = Exchange(
        t=0, user=text, assistant=text, strategy=text, state={text: text}, metadata={text: [text]}, notes=(text,)
    )
    context = Context(location=text, date=text, time=text, vehicle={text: text}, reference_text=text)
    event = events()[0]
    target = event.target.model_copy(update={"id": text, "text": text, "kind": text, "constraints": (text,)})
    reason = StopReason.SUT_ERROR if verdict is Verdict.INVALID else StopReason.TURNS_EXHAUSTED
    end = outcome(verdict, reason, score=0.1, role=Role.TURN_JUDGE, detail=text, note=text, pending=text)
    return ConversationRecord(
        planned=planned(index, sut=text, seed_phrase=text, persona=text).model_copy(
            update={"id": f"{text}{index}", "context": context}
        ),
        attempts=1,
        exchanges=(exchange,),
        failures=(
            FORGOTTEN.model_copy(update={"t": 0, "mode": text, "strategy": text, "target_id": text, "evidence": text}),
        ),
        target_events=(event.model_copy(update={"target": target, "reason": text}),),
        scores=(DimensionScore(dimension=text, score=1, reasoning=text),),
        outcome=end,
    )


def hostile_page(text: str) -> Element:
    verdicts = (Verdict.FAIL, Verdict.PASS, Verdict.INVALID, Verdict.INCONCLUSIVE)
    records = [hostile_record(text, i, verdict) for i, verdict in enumerate(verdicts)]
    return page(a_report(records, run=hostile_run(text), glossary=Glossary()))


@pytest.mark.parametrize("text", HOSTILE)
def test_markup_from_any_field_is_shown_and_never_run(text: str) -> None:
    root = hostile_page(text)
    for element in elements(root):
        assert element.tag in ELEMENTS
        assert not [name for name in element.attrib if name.startswith("on")]
        for name in ("href", "src", "action", "formaction", "srcdoc", "data"):
            assert re.fullmatch(r"#[A-Za-z0-9_-]+|data:,", element.get(name, "#x"))
        assert re.fullmatch(r"|width: \d+\.\d%|flex: \d+ 0 0|[a-z-]+: [a-z0-9 .();:-]+", element.get("style", ""))
    assert text_of(root).count(text) > 60
    assert text in text_of(by_id(root, "i0-t0"))


@settings(max_examples=10)
@given(st.text(alphabet=st.sampled_from("<>&\"'`=/!-{}%#$ax\u202e\x00\n"), min_size=1, max_size=12))
def test_no_text_adds_an_element(text: str) -> None:
    marked = {element.tag for element in elements(hostile_page(text))}
    assert marked <= ELEMENTS


def test_the_page_needs_no_script_and_loads_nothing() -> None:
    root = sample_page()
    tags = {element.tag for element in elements(root)}
    assert not tags & {"script", "img", "iframe", "object", "embed", "svg", "form", "input", "base"}
    (link,) = [element for element in elements(root) if element.tag == "link"]
    assert (link.get("rel"), link.get("href")) == ("icon", "data:,")
    (style,) = [element for element in elements(root) if element.tag == "style"]
    assert not re.search(r"url\(|@import|expression", style.text or "")


def test_the_policy_forbids_everything_but_inline_style() -> None:
    root = sample_page()
    metas = [element for element in elements(root) if element.tag == "meta"]
    policies = [meta.get("content") for meta in metas if meta.get("http-equiv") == "Content-Security-Policy"]
    assert policies == [CONTENT_SECURITY_POLICY]
    assert "default-src 'none'; style-src 'unsafe-inline'; img-src data:" in CONTENT_SECURITY_POLICY
    head = render_html(a_report()).split("<style>", 1)[0]
    assert CONTENT_SECURITY_POLICY in head, "a policy after the style would not hold for it"


@pytest.mark.parametrize("unseen", ["\u202e", "\u2066", "\u200b", "\x1b", "\x00", "\ufeff"])
def test_characters_that_steer_a_screen_are_named_instead(unseen: str) -> None:
    root = hostile_page(f"pay {unseen}now")
    shown = f"U+{ord(unseen):04X}"
    assert unseen not in text_of(root)
    named = [element for element in elements(root) if element.get("class") == "unseen" and element.text == shown]
    assert len(named) > 40


def test_unicode_is_kept_as_it_was_said() -> None:
    words = text_of(page(a_report([failed()])))
    for text in ("👩‍🔧 🚗", "客户 Zoë", "ﬂight →", "مرحبا، أين أقرب محطة شحن؟"):
        assert text in words


def test_white_space_of_a_reply_is_kept() -> None:
    assert "Yes.\n\n- first stop: Viktualienmarkt\n- second" in text_of(page(a_report([failed()])))


def test_every_count_is_shown_even_when_it_is_zero() -> None:
    root = page(a_report([passed()]))
    (tally,) = [element for element in elements(root) if element.get("class") == "tally"]
    shown = {text_of(item[1]): text_of(item[0]) for item in tally}
    assert shown == {"planned": "1", "passed": "1", "failed": "0", "inconclusive": "0", "invalid": "0", "missing": "0"}


def test_verdict_and_gate_stand_at_the_top() -> None:
    root = page(a_report([failed(0), passed(1)]))
    (decision,) = [element for element in elements(root) if (element.get("class") or "").startswith("decision")]
    assert text_of(decision) == "Failed gate failed: 1 of 2 conversations failed (--fail-on any) 1 critical failure"


def test_without_a_gate_nothing_is_called_passed() -> None:
    root = page(a_report([failed(0)], fail_on="none"))
    (decision,) = [element for element in elements(root) if (element.get("class") or "").startswith("decision")]
    assert decision.get("class") == "decision ungated"
    assert text_of(decision).startswith("Finished gate not set (--fail-on none): 1 of 1 conversation failed")


def test_failures_are_marked_on_their_turn_with_strategy_and_evidence() -> None:
    root = page(a_report([failed()]))
    turn = by_id(root, "c0001-t3")
    words = words_of(turn)
    assert "Context Recall aims at context forgotten" in words
    (mark,) = [element for element in elements(turn) if element.get("class") == "mark"]
    assert "Context forgotten" in text_of(mark)
    assert "the reply offers the A8 toll road" in text_of(mark)
    assert not [element for element in elements(by_id(root, "c0001-t0")) if element.get("class") == "mark"]


def test_an_empty_reply_is_named() -> None:
    assert "(no answer)" in text_of(by_id(page(a_report([failed()])), "c0001-t4"))


def test_targets_are_shown_over_time() -> None:
    root = by_id(page(a_report([failed()])), "c0001")
    (strip,) = [element for element in elements(root) if element.get("class") == "strip"]
    rows = [
        [cell.get("class") for cell in elements(row) if cell.tag == "td"] for row in elements(strip) if row.tag == "tr"
    ]
    assert rows[1] == [*["cell completed"] * 3, *["cell open"] * 3, *["cell completed"] * 2, "small"]
    assert "reopened" in text_of(strip)


def test_scores_come_with_their_reasoning() -> None:
    words = words_of(by_id(page(a_report([failed()])), "c0001"))
    assert "0.42 C, threshold 0.75" in words
    assert "Safety Compliance weight 2 0 / 2 Film!" in words
    assert "T: uttered targets completed 1 / 3 = 0.33" in words


def test_invalid_conversations_say_what_happened_and_who_is_to_blame() -> None:
    section = by_id(page(a_report([ended_by(0, StopReason.SUT_ERROR), passed(1)])), "invalid")
    words = words_of(section)
    assert "The assistant: the assistant broke off with an error – 1" in words
    assert "the assistant broke off with an error after 2 turns sut_error what happened by sut_error" in words


def test_models_are_shown_with_their_use_only_when_they_played_a_role() -> None:
    words = words_of(by_id(page(a_report([passed()], usage=used_models())), "models"))
    assert "User simulator gpt-4.1-mini 1 3 2,000 51.2 % 80 2 unreported" in words
    assert "unknown: at least 0.0009 USD; 1 request reported no tokens 1 rate limited, 1 timed out" in words
    assert "https://api.openai.com/v1 3 600 ms 7.0 s 980 ms 327 ms" in words
    plain = page(a_report([passed()]))
    assert "models" not in {element.get("id") for element in elements(plain)}


def test_a_name_of_a_model_or_endpoint_is_shown_literally() -> None:
    evil = "<script>alert(1)</script>"
    usage = used_models()
    counts = usage.by_role["simulator"].model_copy(update={"models": (evil,), "failed": {evil: 1}})
    changed = {"by_role": {"simulator": counts}, "by_endpoint": {evil: counts}, "by_model": {evil: counts}}
    root = page(a_report([passed()], usage=usage.model_copy(update=changed)))
    assert words_of(by_id(root, "models")).count(evil) == 3
    assert not [element for element in elements(root) if element.tag == "script"]


def test_an_utterance_that_was_made_anew_is_marked() -> None:
    anew = passed().exchanges[0].model_copy(update={"regenerations": 2, "notes": ("spoke as the assistant",)})
    root = page(a_report([passed().model_copy(update={"exchanges": (anew,)})]))
    assert "made anew 2 times" in words_of(by_id(root, "c0002-t0"))
    assert "spoke as the assistant" in words_of(by_id(root, "c0002-t0"))


def test_links_lead_somewhere() -> None:
    root = sample_page()
    ids = [element.get("id") for element in elements(root) if element.get("id")]
    assert len(ids) == len(set(ids))
    targets = {(element.get("href") or "")[1:] for element in elements(root) if element.tag == "a"}
    assert targets <= set(ids)


def test_every_conversation_is_one_folded_entry() -> None:
    root = sample_page()
    entries = [e for e in elements(root) if e.tag == "details" and (e.get("class") or "").startswith("conversation ")]
    assert len(entries) == len(a_report().conversations)
    assert not [entry for entry in entries if "open" in entry.attrib]


def test_long_lists_are_folded() -> None:
    broken = [ended_by(i, StopReason.SUT_ERROR) for i in range(6)]
    root = page(a_report([*broken, *(failed(i) for i in range(6, 18))]))
    (group,) = [element for element in elements(by_id(root, "invalid")) if element.get("class") == "group"]
    assert "open" not in group.attrib
    assert [element for element in elements(by_id(root, "critical")) if element.tag == "details"]


@pytest.mark.parametrize(
    "records",
    [
        (),
        (missing(0),),
        (scripted(0),),
        (passed(0).model_copy(update={"exchanges": exchanges(0), "target_events": ()}),),
    ],
    ids=["nothing planned", "nothing started", "a script", "nothing said"],
)
def test_degenerate_runs_render(records: tuple[ConversationRecord, ...]) -> None:
    assert "Hairpin report" in text_of(page(a_report(records)))


def test_arms_appear_when_there_are_two() -> None:
    other = passed(1).planned.model_copy(update={"arm": Arm.BASELINE})
    assert "Arms" in text_of(page(a_report([failed(0), passed(1).model_copy(update={"planned": other})])))
    assert "Arms" not in text_of(page(a_report([failed(0)])))


def test_the_same_report_gives_the_same_bytes() -> None:
    assert render_html(a_report()) == render_html(a_report())


@pytest.mark.parametrize(
    ("changed", "shown"),
    [
        ({"elapsed_s": 0.25}, "250 ms"),
        ({"elapsed_s": 12.34}, "12.3 s"),
        ({"elapsed_s": 83.4}, "1 min 23 s"),
        ({"elapsed_s": 14401.0}, "4 h 00 min"),
    ],
)
def test_durations_are_readable(changed: Mapping[str, object], shown: str) -> None:
    run = a_run().model_copy(update=dict(changed))
    assert shown in text_of(page(a_report([passed()], run=run)))


def test_a_low_score_without_a_failing_mode_says_in_the_overview_what_it_was_lost_by() -> None:
    silent = failed(0).model_copy(update={"failures": ()})
    root = page(a_report([silent]))
    (entry,) = (element for element in elements(root) if element.tag == "summary" and "c0001" in words_of(element))
    assert "Safety Compliance 0 of 2" in words_of(entry)
    assert "Safety Compliance 0 of 2" in words_of(by_id(root, "c0001"))
