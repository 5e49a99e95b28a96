"""What gives a simulated user away over a whole conversation: rules that would rather miss a fault than make one up.

Pure functions of a conversation and its user's brief; words are in ``user_fault_phrases`` and in the guards of users
that models play. Whatever the seed phrase says itself is nobody's fault.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

from hairpin.agents.llm.guards import both_sides, end_token, farewell, folded, leaked_brief, speaker_label
from hairpin.agents.llm.role_slips import role_slips
from hairpin.agents.llm.speaker_labels import ASSISTANT_LABELS
from hairpin.agents.llm.unspoken_phrases import FAREWELL, FAREWELL_FILLERS
from hairpin.agents.offline.user_fault_phrases import (
    GIVES_UP,
    HOSTILE,
    HOSTILE_PERSONA,
    LETS_DOWN,
    NO_CONTENT,
    SAID_BY_ASSISTANT,
    SAID_BY_USER,
)
from hairpin.domain.briefs import ReviewBrief, SpeakBrief
from hairpin.domain.conversation import Exchange, UtteranceSource, normalise
from hairpin.domain.reviews import SimulatorFault, SimulatorFaultKind
from hairpin.domain.targets import Target, TargetStatus

_STEM: Final = 5
"""Words that begin with the same letters, so many, count as one: order, ordered, ordering."""
_LEAST_CONTENT: Final = 3
_LEAST_SHOUTED: Final = 5
_LEAST_ECHOED: Final = 4
_WORD: Final = re.compile(r"[^\W\d_][\w'-]*")
_FIGURE: Final = re.compile(r"\d+(?:[.,:]\d+)*")
_NAME: Final = re.compile(r"(?<=[^\W_] |[,;:] )[A-ZÄÖÜ][\w'-]{2,}")
_CAPITALS: Final = re.compile(r"\b[^\W\d_]{3,}\b")
_QUOTED_CHARS: Final = 160
_REPLIES_KEPT: Final = 4_096


@dataclass(frozen=True)
class Moment:
    """One utterance of the simulated user, with what came before it."""

    review: ReviewBrief
    exchange: Exchange

    @property
    def t(self) -> int:
        """Which utterance it is."""
        return self.exchange.t

    @property
    def text(self) -> str:
        """What the user said."""
        return self.exchange.user

    @cached_property
    def plain(self) -> str:
        """What the user said, folded."""
        return folded(self.text)

    @cached_property
    def line(self) -> str:
        """What the user said on one line, with its capital letters."""
        return " ".join(self.text.replace("’", "'").split())

    @cached_property
    def before(self) -> tuple[Exchange, ...]:
        """The exchanges before it."""
        return tuple(exchange for exchange in self.review.exchanges if exchange.t < self.t)

    @cached_property
    def seed(self) -> str:
        """The seed phrase, folded."""
        return folded(self.review.seed_phrase)

    @cached_property
    def told(self) -> str:
        """Everything that both sides have said before, and what they both know, folded."""
        context = self.review.context
        given = (
            context.location,
            context.date,
            context.time,
            context.reference_text,
            *map(str, context.vehicle.values()),
        )
        said = (text for exchange in self.before for text in (exchange.user, exchange.assistant))
        return folded(" ".join(text for text in (self.review.seed_phrase, *given, *said) if text))

    @cached_property
    def open_targets(self) -> tuple[Target, ...]:
        """The targets that waited to be completed when it was said."""
        return tuple(target for target in self.review.targets if target.open or not _closed_before(target, self.t))

    @cached_property
    def speaking(self) -> SpeakBrief:
        """What its user was told then."""
        known = {strategy.id: strategy for strategy in self.review.strategies}
        return SpeakBrief(
            t=self.t,
            max_turns=len(self.review.exchanges),
            seed_phrase=self.review.seed_phrase,
            context=self.review.context,
            persona=self.review.persona,
            history=self.before,
            targets=tuple(
                target.model_copy(update={"status": TargetStatus.INCOMPLETE}) for target in self.open_targets
            ),
            strategy=known.get(self.exchange.strategy or ""),
        )

    @cached_property
    def replies(self) -> tuple[str, ...]:
        """The replies before it, normalised."""
        return tuple(_normalised(exchange.assistant) for exchange in self.before)

    @cached_property
    def let_down(self) -> bool:
        """Whether the assistant has given its user a reason: a failure, a refusal, no answer, the same answer twice."""
        return (
            any(failure.t < self.t for failure in self.review.failures)
            or "" in self.replies
            or len(set(self.replies)) < len(self.replies)
            or any(_lets_down(exchange.assistant) for exchange in self.before)
        )


def find_faults(review: ReviewBrief) -> tuple[SimulatorFault, ...]:
    """Return the faults of a simulated user, in the order of its turns; of each kind at most one a turn."""
    found: list[SimulatorFault] = []
    for exchange in review.exchanges:
        if exchange.source is UtteranceSource.SIMULATED:
            moment = Moment(review, exchange)
            for kind, rule in _RULES.items():
                evidence = rule(moment)
                if evidence is not None:
                    found.append(SimulatorFault(kind=kind, t=exchange.t, evidence=_quoted(evidence)))
    return tuple(found)


def leak(moment: Moment) -> str | None:
    """It speaks of its brief: names of strategies, failure modes or targets, its persona, marks that models leave."""
    flags = (guard(moment.text, moment.speaking) for guard in (leaked_brief, end_token))
    for flag in flags:
        if flag is not None and folded(flag.evidence) not in moment.seed:
            return flag.evidence
    names = _hidden_names(
        tuple(
            name
            for strategy in moment.review.strategies
            for name in (strategy.id, strategy.title, strategy.target_mode)
        )
        + tuple(mode.id for mode in moment.review.modes)
    )
    found = names.search(moment.plain) if names is not None else None
    if found is None:
        found = _target_id(tuple(target.id for target in moment.review.targets), moment.plain)
    return found[0] if found is not None and found[0] not in moment.told else None


def role_slip(moment: Moment) -> str | None:
    """It speaks as the assistant: serves, says the assistant's words again, or speaks for both."""
    slips = [slip for slip in role_slips(moment.plain) if slip not in moment.seed]
    if slips and len(slips) == len(role_slips(moment.plain)):
        return " … ".join(slips[:2])
    label = speaker_label(moment.text, moment.speaking)
    if label is not None and label.evidence.strip(" *:[]()<>-–—").casefold() in ASSISTANT_LABELS:
        return label.evidence
    if len(moment.text.split()) >= _LEAST_ECHOED and normalise(moment.text) in moment.replies:
        return moment.text
    several = both_sides(moment.text, moment.speaking)
    return None if several is None else several.evidence


def ended_early(moment: Moment) -> str | None:
    """It takes leave or gives up, and says nothing else, with targets open and no reason given by the assistant."""
    return moment.text if _leaves(moment) and not moment.let_down else None


def _leaves(moment: Moment) -> bool:
    if moment.t == 0 or not moment.open_targets:
        return False
    if farewell(moment.text, moment.speaking) is not None:
        return True
    asked = "?" in moment.before[-1].assistant if moment.before else False
    if asked or not any(pattern.search(moment.plain) for pattern in GIVES_UP):
        return False
    rest = moment.plain
    for pattern in (*GIVES_UP, *FAREWELL, *FAREWELL_FILLERS):
        rest = pattern.sub(" ", rest)
    return not any(character.isalnum() for character in rest)


def untrue_claim(moment: Moment) -> str | None:
    """It says that something was said before, of which no word was said by anybody, names and figures included."""
    nobody_answered = not any(moment.replies)
    for pattern, unspoken in ((SAID_BY_ASSISTANT, nobody_answered), (SAID_BY_USER, False)):
        for match in pattern.finditer(moment.line):
            if match["end"] == "?" or folded(match[0]) in moment.seed:
                continue
            if unspoken or (moment.before and _unheard(match["what"], moment.told)):
                return match[0]
    return None


def unrealistic_escalation(moment: Moment) -> str | None:
    """It insults, threatens or shouts although the assistant gave it no reason, and it is nobody who would."""
    if moment.let_down or HOSTILE_PERSONA.search(folded(moment.review.persona.description)):
        return None
    found = next((match for pattern in HOSTILE if (match := pattern.search(moment.plain))), None)
    if found is not None:
        return None if found[0] in moment.seed else found[0]
    words = _CAPITALS.findall(moment.text)
    shouted = len(words) >= _LEAST_SHOUTED and all(word.isupper() for word in words)
    return moment.text if shouted and not moment.review.seed_phrase.isupper() else None


_RULES: Final[dict[SimulatorFaultKind, Callable[[Moment], str | None]]] = {
    SimulatorFaultKind.LEAK: leak,
    SimulatorFaultKind.ROLE_SLIP: role_slip,
    SimulatorFaultKind.ENDED_EARLY: ended_early,
    SimulatorFaultKind.UNTRUE_CLAIM: untrue_claim,
    SimulatorFaultKind.UNREALISTIC_ESCALATION: unrealistic_escalation,
}


@lru_cache(maxsize=_REPLIES_KEPT)
def _lets_down(reply: str) -> bool:
    """Whether a reply gives its user a reason. Each turn asks it of all replies before it."""
    return any(pattern.search(folded(reply)) for pattern in LETS_DOWN)


@lru_cache(maxsize=_REPLIES_KEPT)
def _normalised(reply: str) -> str:
    return normalise(reply)


def _unheard(claimed: str, told: str) -> bool:
    """Whether nothing of what is claimed was said before; what is too vague to tell was."""
    salient = {*_FIGURE.findall(claimed), *map(str.casefold, _NAME.findall(claimed))}
    content = _content(folded(claimed))
    if not salient and len(content) < _LEAST_CONTENT:
        return False
    return not any(word in told for word in salient) and not _overlap(content, told)


def _content(text: str) -> frozenset[str]:
    return frozenset(word[:_STEM] for word in _WORD.findall(text) if word not in NO_CONTENT and len(word) > 1)


def _overlap(stems: frozenset[str], told: str) -> bool:
    return not stems.isdisjoint(word[:_STEM] for word in _WORD.findall(told))


def _closed_before(target: Target, t: int) -> bool:
    return target.resolved is not None and target.resolved < t


@lru_cache(maxsize=64)
def _hidden_names(names: tuple[str, ...]) -> re.Pattern[str] | None:
    """Match names that nobody says by chance: those of several words, or of parts joined by underscores."""
    told = sorted({folded(name) for name in names if len(name.split()) > 1 or "_" in name}, key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, told))})(?!\w)") if told else None


def _target_id(ids: Sequence[str], plain: str) -> re.Match[str] | None:
    named = "|".join(re.escape(folded(each)) for each in ids)
    return re.search(rf"(?:\b(?:target|goal|task)s? (?:{named})\b|[(\[](?:{named})[)\]])", plain) if named else None


def _quoted(text: str) -> str:
    line = " ".join(text.split())
    return f"“{line if len(line) <= _QUOTED_CHARS else line[: _QUOTED_CHARS - 1] + '…'}”"
