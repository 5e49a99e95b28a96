"""The offline roles, joined: one lexicon plays them all.

It must not read files; the lexicon, the rubric and the strategies are handed in.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from hairpin.agents.absent import absent_roles
from hairpin.agents.offline.analysis import DialogueReader
from hairpin.agents.offline.conversation_judge import OfflineConversationJudge
from hairpin.agents.offline.extractor import OfflineExtractor
from hairpin.agents.offline.simulator import OfflineSimulator
from hairpin.agents.offline.strategist import OfflineStrategist
from hairpin.agents.offline.turn_judge import OfflineTurnJudge
from hairpin.domain.lexicon import DimensionSignals, Lexicon
from hairpin.domain.outcome import Role
from hairpin.domain.rubric import Rubric
from hairpin.domain.strategies import Strategy
from hairpin.errors import InvalidInputError, did_you_mean
from hairpin.ports import Roles


def build_offline_roles(
    *,
    rubric: Rubric,
    lexicon: Lexicon,
    strategies: Sequence[Strategy] = (),
    language: str = "en",
    needed: Collection[Role] = tuple(Role),
) -> Roles:
    """Return the offline agents for every role that is needed; the others are nobody's.

    Args:
        rubric: the dimensions to judge; its modes reach the turn judge with each brief.
        lexicon: the words of the domain.
        strategies: those of the scenario; one without templates cannot be spoken offline.
        language: of the conversation.
        needed: the roles that no model plays.

    Raises:
        InvalidInputError: the lexicon lacks the language or a needed dimension, or no strategy has a template although
            the simulator is offline.
    """
    words = lexicon.languages.get(language)
    if words is None:
        known = ", ".join(repr(name) for name in sorted(lexicon.languages))
        raise InvalidInputError(
            f"the offline agents do not speak {language!r}",
            where=f"lexicon {lexicon.id!r}",
            hint=f"they speak {known}; give every role a model under 'models:', add the language to the rubric's "
            "signals.yaml, or let checks decide (turns, oracles: [])",
        )
    if Role.SIMULATOR in needed:
        _refuse_mute(strategies)
    reader, nobody = DialogueReader(words), absent_roles(rubric)
    judged = [dimension.id for dimension in rubric.dimensions] if Role.CONVERSATION_JUDGE in needed else []
    return Roles(
        extractor=OfflineExtractor(words) if Role.EXTRACTOR in needed else nobody.extractor,
        simulator=OfflineSimulator(reader) if Role.SIMULATOR in needed else nobody.simulator,
        strategist=OfflineStrategist(reader) if Role.STRATEGIST in needed else nobody.strategist,
        turn_judge=OfflineTurnJudge(reader) if Role.TURN_JUDGE in needed else nobody.turn_judge,
        conversation_judges={
            **nobody.conversation_judges,
            **{name: OfflineConversationJudge(reader, _signals(lexicon, name)) for name in judged},
        },
    )


def _signals(lexicon: Lexicon, dimension: str) -> DimensionSignals:
    signals = lexicon.dimensions.get(dimension)
    if signals is None:
        hint = did_you_mean(dimension, lexicon.dimensions)
        raise InvalidInputError(
            f"has no signals for the rubric's dimension {dimension!r}",
            where=f"lexicon {lexicon.id!r}",
            hint=f"{hint}; add it under 'dimensions:', or give the role conversation_judge a model",
        )
    return signals


def _refuse_mute(strategies: Sequence[Strategy]) -> None:
    mute = [strategy.id for strategy in strategies if not strategy.templates]
    if mute and len(mute) == len(strategies):
        raise InvalidInputError(
            f"no strategy has a template to speak by: {', '.join(map(repr, mute))}",
            where="strategies",
            hint="add 'templates:' to them, or give the roles simulator and strategist a model",
        )
