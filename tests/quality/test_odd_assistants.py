"""Hairpin's own agents against assistants that understand nothing, or never end."""

from __future__ import annotations

import dataclasses

import pytest

from hairpin.domain.outcome import Verdict
from hairpin.ports import Roles
from tests.quality.conftest import Talker
from tests.quality.driving import Setting, drive

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(120)]


@pytest.mark.parametrize(
    "reply",
    [" " * 20_000 + "x", "a b c " * 900_000, "x" * 100_000, "1" * 100_000, ". " * 50_000, '"' * 100_000, "-" * 100_000],
    ids=["blanks", "words", "no space", "digits", "full stops", "quotation marks", "hyphens"],
)
async def test_no_reply_is_too_long_to_be_judged(reply: str, settings: tuple[Setting, ...], offline: Roles) -> None:
    setting = dataclasses.replace(settings[0], max_turns=2)
    driven = await drive(Talker(lambda _: reply), offline, setting)
    assert driven.judgement.verdict is Verdict.FAIL, driven.transcript()
