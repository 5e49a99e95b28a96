"""The offline user simulator: says the next thing a user with these wishes would say.

Of its brief only wishes reach the utterance, never the persona's description or the strategy's guidance.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from hairpin.agents.offline.analysis import DialogueReader
from hairpin.agents.offline.ledger import Ask
from hairpin.agents.offline.naming import request_text
from hairpin.agents.offline.standing import MAX_TIMES, Standing
from hairpin.agents.offline.style import Manner, dressed
from hairpin.agents.offline.text import options_in, shuffled
from hairpin.agents.offline.wishes import fillings, sensible, strategy_wishes
from hairpin.domain.briefs import SpeakBrief
from hairpin.domain.conversation import Utterance
from hairpin.domain.templates import UtteranceTemplate

Line = tuple[str, Manner]
"""What to say, and in which manner a persona dresses it."""


class OfflineSimulator:
    """Answers the assistant, pursues the strategy, works towards open targets, or keeps the conversation going."""

    def __init__(self, reader: DialogueReader) -> None:
        self._reader = reader

    async def speak(self, brief: SpeakBrief) -> Utterance:
        """Return u_t: for t = 0 the seed phrase, later the first line that fits and was not said before."""
        if brief.t == 0 or not brief.history:
            text = dressed(brief.seed_phrase, Manner.FIRST, brief.persona, rng_seed=brief.rng_seed, t=brief.t)
            return Utterance(text=text)
        standing = Standing(brief.history, self._reader)
        rng_seed = brief.rng_seed + brief.t
        if brief.strategy is not None:
            wish = next(strategy_wishes(brief.strategy, standing, rng_seed=rng_seed), None)
            if wish is not None:
                text = dressed(wish, Manner.ASK, brief.persona, rng_seed=brief.rng_seed, t=brief.t)
                return Utterance(text=text, strategy=brief.strategy.id)
        lines = _Lines(brief, standing, rng_seed)
        wish, manner = next(lines.fresh(), None) or lines.last_resort()
        return Utterance(text=dressed(wish, manner, brief.persona, rng_seed=brief.rng_seed, t=brief.t))


class _Lines:
    """What an unguided user can say now, the most urgent first."""

    def __init__(self, brief: SpeakBrief, standing: Standing, rng_seed: int) -> None:
        self.brief = brief
        self.standing = standing
        self.language = standing.language
        self.rng_seed = rng_seed

    def fresh(self) -> Iterator[Line]:
        """Yield lines that were not said before."""
        for line in self._all():
            if not self.standing.has_said(line[0]):
                yield line

    def last_resort(self) -> Line:
        """Return a line that is at least not what was said just before."""
        spoken = [exchange.user for exchange in self.brief.history[:-1]] + [self.brief.seed_phrase]
        others = [text for text in spoken if not self.standing.just_said(text)]
        texts = [template.text for template in self.language.follow_ups if not template.slots]
        others += [text for text in texts if not self.standing.just_said(text)]
        return (shuffled(others, self.rng_seed, "last resort")[0] if others else self.brief.seed_phrase, Manner.AGAIN)

    def _all(self) -> Iterator[Line]:
        yield from self._answers()
        yield from ((target.text, Manner.ASK) for target in self.brief.targets if target.open and not target.uttered)
        yield from self._relaxed()
        for ask in self.standing.open_asks():
            if ask.times < MAX_TIMES:
                yield from self._again(ask)
        for template in shuffled(self.language.follow_ups, self.rng_seed, "follow-up"):
            for text in self._filled(template, {}):
                if sensible(text, self.standing):
                    yield text, Manner.ASK
        for ask in self.standing.open_asks():
            yield from self._again(ask)

    def _answers(self) -> Iterator[Line]:
        question = self.standing.question()
        if question is None:
            return
        for answer in self.language.answers:
            match = answer.asked.first(question)
            if match is None:
                continue
            options = options_in(match.groupdict().get("options") or "")
            for option in shuffled(options, self.rng_seed, "option") if options else (None,):
                for template in shuffled(answer.texts, self.rng_seed, "answer"):
                    given = {} if option is None else {"option": option}
                    yield from ((text, Manner.ANSWER) for text in self._filled(template, given))

    def _relaxed(self) -> Iterator[Line]:
        """Give up a constraint of which the assistant says that it cannot be met."""
        last = self.standing.last
        if last is None or last.impossible is None:
            return
        for fact in self.standing.ledger.established:
            kind = self.language.constraint(fact.constraint)
            if kind.kept.found(last.impossible) or kind.said.found(last.impossible):
                for template in shuffled(kind.lifts, self.rng_seed, "lift"):
                    yield from ((text, Manner.ANSWER) for text in self._filled(template, fact.params))

    def _again(self, ask: Ask) -> Iterator[Line]:
        kind = self.language.request(ask.kind)
        for template in shuffled(kind.asks if kind is not None else (), self.rng_seed, "again"):
            if all(slot in ask.params for slot in template.slots):
                texts = self._filled(template, ask.params)
                yield from ((with_conditions(text, self._conditions(ask)), Manner.AGAIN) for text in texts)
        for template in shuffled(self.language.repeats, self.rng_seed, "repeat"):
            given = {"request": request_text(ask, self.language)}
            yield from ((text, Manner.AGAIN) for text in self._filled(template, given))

    def _conditions(self, ask: Ask) -> tuple[str, ...]:
        """Return the conditions that were said with a request and so may have been ignored with it."""
        facts = self.standing.ledger.facts_of(ask, self.language)
        kinds = [(fact, self.language.constraint(fact.constraint)) for fact in facts if fact.since == ask.introduced]
        return tuple(kind.suffix.fill(fact.params) for fact, kind in kinds if kind.suffix is not None)

    def _filled(self, template: UtteranceTemplate, given: Mapping[str, str]) -> Iterator[str]:
        yield from fillings(template, self.standing, rng_seed=self.rng_seed, given=given)


def with_conditions(sentence: str, conditions: Sequence[str]) -> str:
    """Return ``sentence`` with conditions behind its last word."""
    if not conditions:
        return sentence
    body = sentence.rstrip(".?!")
    return f"{body} {' and '.join(conditions)}{sentence[len(body) :]}"
