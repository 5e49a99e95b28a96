"""What every check stands on: the driver, what to say, and what is known of the assistant so far.

It makes no check itself.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import anyio

from hairpin.ports import SutAdapter
from hairpin.sut.conformance.driving import Driver, error_text
from hairpin.sut.conformance.report import CheckStatus, ConformanceSettings, Finding
from hairpin.sut.threads import run_in_daemon_thread


@dataclass(frozen=True, slots=True)
class Profile:
    """How an assistant behaves, as far as the checks need to know.

    Attributes:
        deterministic: the same words in fresh sessions got the same replies, so that replies can be compared.
        varied: different words got different replies, so that a reply tells what it answers.
        repeats_words: a word that it is asked to repeat is in its reply.
        repeats_all: its reply holds the whole utterance.
        latency_s: how long a turn takes, the median.
    """

    deterministic: bool = False
    varied: bool = False
    repeats_words: bool = False
    repeats_all: bool = False
    latency_s: float = 0.0

    @property
    def comparable(self) -> bool:
        """Whether a reply that belongs elsewhere would be noticed by comparing it."""
        return self.deterministic and self.varied


@dataclass(slots=True)
class Ground:
    """What checks are given. ``profile`` is what earlier checks learnt; ``findings``: how they came out, by id."""

    driver: Driver
    settings: ConformanceSettings
    utterances: tuple[str, ...]
    fresh: Callable[[], SutAdapter] | None
    profile: Profile
    findings: dict[str, Finding]
    works_at_once: int | None = None
    no_other: str = ""

    async def another(self) -> Driver | None:
        """Return a driver of another such adapter; ``None`` where none can be made, ``no_other`` says why.

        It is made in a thread, for a constructor may hang.
        """
        if self.fresh is None or self.no_other:
            return None
        try:
            with anyio.fail_after(self.settings.timeout_s) as scope:
                adapter = await run_in_daemon_thread(self.fresh)
        except Exception as error:  # noqa: BLE001  # whatever the constructor raises is data
            why = f"not within {self.settings.timeout_s:g} s" if scope.cancelled_caught else error_text(error)
            self.no_other = f"no other adapter could be made: {why}"
            return None
        return Driver(adapter, self.settings, patience=self.driver.patience)

    def failed(self, check_id: str) -> bool:
        """Whether an earlier check failed."""
        found = self.findings.get(check_id)
        return found is not None and found.status is CheckStatus.FAILED


Outcome = tuple[CheckStatus, str]
"""How a check came out, and its detail."""


@dataclass(frozen=True, slots=True)
class Check:
    """One check. ``run`` may raise StepError, which is a failure of this check."""

    id: str
    title: str
    run: Callable[[Ground], Awaitable[Outcome]]


def ok(detail: str) -> Outcome:
    """Return that all is as it should be."""
    return CheckStatus.OK, detail


def failed(detail: str) -> Outcome:
    """Return that the assistant or its adapter does what ruins a campaign."""
    return CheckStatus.FAILED, detail


def skipped(detail: str) -> Outcome:
    """Return that the check was not made, and why."""
    return CheckStatus.SKIPPED, detail


def noted(detail: str) -> Outcome:
    """Return what is worth knowing and no fault."""
    return CheckStatus.NOTE, detail
