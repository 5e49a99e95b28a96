"""What replays of a run are made and judged with: the encoder, who checks contexts, who writes questions.

It must not run anything.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager

from structlog.typing import FilteringBoundLogger

from hairpin.app.assistants import adapters_of, closing_adapters
from hairpin.app.diversity import find_local_encoder, local_encoder
from hairpin.app.inputs import RunInputs
from hairpin.app.recorded import seeds_of
from hairpin.app.replay_cast import Models, context_checker, question_writer
from hairpin.campaign.replaying import Replaying
from hairpin.domain.encoder import EncoderSpec
from hairpin.domain.test_seeds import TestSeed
from hairpin.embeddings.batching import BatchingEncoder
from hairpin.embeddings.cosines import device_pair_cosines
from hairpin.embeddings.devices import choose_device
from hairpin.errors import EncoderError, InvalidInputError
from hairpin.metamorphic.text_vectors import numpy_pair_cosines
from hairpin.ports import PairCosines, SutAdapter
from hairpin.settings import Settings


def require_replayable(inputs: RunInputs, adapters: Mapping[str, SutAdapter], settings: Settings) -> None:
    """Refuse, before anything runs, replays that could not be compared or told about.

    Raises:
        InvalidInputError: there is no encoder, or an assistant takes no reference text and test seeds have one.
    """
    scenario = inputs.scenario
    if scenario.metamorphic is None:
        return
    found = local_encoder(settings, scenario.metamorphic.encoder)
    if found.encoder is None:
        raise InvalidInputError(
            f"answers cannot be compared: {found.reason}",
            where=f"scenario {scenario.id!r}, metamorphic",
            hint="pip install 'hairpin[minilm]', or name an encoder: metamorphic: {encoder: …}",
        )
    _require_reference_texts(seeds_of(inputs), adapters)


async def check_replayable(inputs: RunInputs, settings: Settings) -> tuple[str, ...]:
    """Refuse what ``require_replayable`` does where nothing is run; return what went wrong closing the assistants.

    Raises:
        UserError: an assistant cannot be built, or as ``require_replayable``.
    """
    adapters, notes = adapters_of(inputs.scenario, settings), list[str]()
    async with closing_adapters(adapters, notes):
        require_replayable(inputs, adapters, settings)
    return tuple(notes)


def _require_reference_texts(seeds: Sequence[TestSeed], adapters: Mapping[str, SutAdapter]) -> None:
    told = [seed.id for seed in seeds if seed.reference_text is not None]
    for label, adapter in adapters.items():
        if told and not adapter.capabilities.takes_reference_text:
            raise InvalidInputError(
                f"takes no reference text, and {len(told)} of {len(seeds)} test seeds have one, such as {told[0]!r}",
                where=f"assistant {label!r}",
                hint="an adapter says capabilities = Capabilities(takes_reference_text=True) and sends "
                "start.context.reference_text along; in a scenario write a template with it",
            )


@asynccontextmanager
async def replaying(
    inputs: RunInputs, models: Models, settings: Settings, logger: FilteringBoundLogger
) -> AsyncIterator[Replaying | None]:
    """Give, for the time of the block, what replays are made with; ``None`` where nothing is replayed.

    Raises:
        EncoderError: there is no encoder.
    """
    scenario = inputs.scenario
    spec = scenario.metamorphic
    if spec is None:
        yield None
        return
    found = await find_local_encoder(settings, spec.encoder, logger)
    if found.encoder is None:
        raise EncoderError(found.reason)
    async with BatchingEncoder.running(found.encoder) as service:
        yield Replaying(
            spec=spec,
            checker=context_checker(inputs.cast, models, scenario, spec, service),
            encoder=service,
            test_seeds={seed.id: seed for seed in seeds_of(inputs)},
            writer=question_writer(inputs.cast, models),
            pair_cosines=cosines_of(spec.encoder),
            language=scenario.language,
        )


def cosines_of(spec: EncoderSpec) -> PairCosines:
    """Return what computes cosines: torch where vectors are made on an accelerator, numpy elsewhere."""
    if spec.base_url is not None:
        return numpy_pair_cosines
    device = choose_device(spec.device)
    return numpy_pair_cosines if device == "cpu" else device_pair_cosines(device)
