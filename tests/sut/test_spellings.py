"""A text is known again in every escape, and in mixtures of them, in which servers send it back."""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Callable
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.sut.spellings import spellings_of

SECRETS = ["TOK-a&b<zzz999", "pä\"ss'wö>rd&x", "tök'en\"/<é&", "pass word+?#[]~!", "a\\b\\\\c", "🔑-key"]


def unicode_escaped(text: str, *, upper: bool = False) -> str:
    """Escape as JSON for web pages does."""
    form = "\\u{:04X}" if upper else "\\u{:04x}"
    return re.sub("[&<>'\"]", lambda found: form.format(ord(found[0])), text)


SPELLINGS: dict[str, Callable[[str], str]] = {
    "plain": str,
    "JSON": lambda s: json.dumps(s)[1:-1],
    "JSON in JSON": lambda s: json.dumps(json.dumps(s))[1:-1],
    "JSON as it is": lambda s: json.dumps(s, ensure_ascii=False)[1:-1],
    "JSON with slashes": lambda s: json.dumps(s)[1:-1].replace("/", "\\/"),
    "JSON for pages": lambda s: re.sub("[&<>]", lambda f: f"\\u{ord(f[0]):04x}", json.dumps(s)[1:-1]),
    "JSON for pages, capitals": lambda s: unicode_escaped(s.replace("\\", "\\\\"), upper=True),
    "HTML": html.escape,
    "HTML without quotes": lambda s: html.escape(s, quote=False),
    "HTML, decimal": lambda s: html.escape(s).replace("&#x27;", "&#39;"),
    "HTML, by name": lambda s: html.escape(s).replace("&#x27;", "&apos;"),
    "HTML in ASCII": lambda s: html.escape(s).encode("ascii", "xmlcharrefreplace").decode(),
    "JSON in HTML": lambda s: html.escape(json.dumps(s)[1:-1]),
    "address": lambda s: quote(s, safe=""),
    "path": quote,
    "form": quote_plus,
    "address of a browser": lambda s: quote(s, safe="~()*!.'"),
    "misread": lambda s: s.encode().decode("latin-1"),
    "Python": repr,
    "Python's bytes": lambda s: repr(s.encode()),
}


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize("spell", SPELLINGS.values(), ids=SPELLINGS.keys())
def test_a_spelling_is_found(secret: str, spell: Callable[[str], str]) -> None:
    assert re.search(spellings_of(secret), f"before {spell(secret)} behind", re.IGNORECASE)


@pytest.mark.parametrize("secret", SECRETS)
def test_what_is_something_else_is_not_found(secret: str) -> None:
    for other in (secret[:-1], secret[1:], secret.replace(secret[3], "§"), base64.b64encode(secret.encode()).decode()):
        assert not re.search(spellings_of(secret), other, re.IGNORECASE)


@given(st.text(min_size=1, max_size=30), st.text(max_size=10), st.text(max_size=10))
def test_any_text_is_found_as_it_is_wherever_it_stands(text: str, before: str, behind: str) -> None:
    assert re.search(spellings_of(text), before + text + behind, re.IGNORECASE)


PRINTABLE = st.characters(codec="utf-8", exclude_categories=["Cc"], exclude_characters="\\")


@given(st.text(PRINTABLE, min_size=1, max_size=30), st.sampled_from(sorted(SPELLINGS)))
def test_any_printable_text_without_backslashes_is_found_in_any_spelling(text: str, name: str) -> None:
    assert re.search(spellings_of(text), SPELLINGS[name](text), re.IGNORECASE)


@pytest.mark.parametrize("secret", ["\\" * 40, '"' * 40 + "x", "'\\\"" * 20, "%5c" * 30])
def test_a_long_run_of_escapes_that_leads_nowhere_ends(secret: str) -> None:
    """It would take for ever if every way to read it were tried."""
    for hostile in ("\\" * 20_000, '\\"' * 10_000, "&#92;" * 4_000, "%5c" * 7_000):
        assert not re.search(spellings_of(secret + "end"), hostile, re.IGNORECASE)
