"""What earlier questions named, and which of it a pronoun means: the most salient that agrees.

It must not rewrite questions.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from hairpin.agents.offline import english
from hairpin.agents.offline.earlier_requests import is_request
from hairpin.agents.offline.ellipsis import BESIDE
from hairpin.agents.offline.noun_phrases import NounPhrase, noun_phrases, stem, subject_of, tokens
from hairpin.agents.offline.reference_answerer import find_answer
from hairpin.agents.offline.story_reader import ReadStory, names_in, read

_TOPIC: Final = re.compile(
    r"^(?:(?:can|could) you )?(?:tell me|describe|explain|i(?:'d| would) like to (?:know|learn)|"
    r"(?:what|who)(?:'s| is| are| was| were)|(?:and )?(?:what|how) about)\b",
    re.IGNORECASE,
)
_WHO_IS: Final = re.compile(r"^who(?:'s| is| was) (?P<whom>.+?)[?\s]*$", re.IGNORECASE)
_WHO: Final = re.compile(r"^who (?P<did>(?!are |were ).+?)[?\s]*$", re.IGNORECASE)
_RECENCY: Final = 0.4
_FAMILIARITY: Final = 0.35
_RELATIONAL: Final = 0.9
_OWNED: Final = 0.6
_TOPIC_BONUS: Final = 0.5
_SUBJECT_BONUS: Final = 0.1
_WHERE: Final = 0.7
_ANSWER_BONUS: Final = 0.7
"""Salience: per question, for having been named before, and for the place in the question; set by trial on questions
of TREC CAsT, whose rewrites hardly change when they are moved."""

_SURE: Final = 0.75
_LONGEST_ANSWER: Final = 5


@dataclass(frozen=True, slots=True)
class Named:
    """Something that was named: ``gender`` of a person (``m``, ``f`` or ``""`` if not known), ``None`` of a thing."""

    text: str
    gender: str | None
    plural: bool = False
    preposition: str = ""
    salience: float = 0.0


@dataclass(slots=True)
class Antecedents:
    """The memory of one series of questions. What a question asks for is named too, if the story tells it."""

    story_text: str | None
    _named: list[Named] = field(default_factory=list)
    _n_questions: int = 0

    @property
    def story(self) -> ReadStory | None:
        """Return the story read, if there is one."""
        return None if self.story_text is None else read(self.story_text)

    def note(self, question: str) -> None:
        """Remember what ``question``, which stands alone, names and asks for."""
        self._n_questions += 1
        verb = next((token for token in tokens(question) if token.is_word), None) if is_request(question) else None
        text = question if verb is None else question[verb.end :]
        phrases = noun_phrases(text)
        for place, phrase in enumerate(phrases):
            gender = self.gender_of(phrase)
            recency = _RECENCY * self._n_questions
            salience = recency + _salience(text, phrase, place, phrases) + self._familiarity(phrase)
            name = _definite(phrase.text)
            if name and phrase.head not in english.DATES | english.NUMBER_WORDS:
                self._named.append(Named(name, gender, phrase.plural, phrase.preposition, salience))
        self._note_answer(question)

    def person(self, gender: str) -> str | None:
        """Return who was named last, of ``gender`` or else of none that is known; a name if need be."""
        for wanted in (gender, ""):
            found = next((n.text for n in reversed(self._named) if n.gender == wanted), None)
            if found is not None:
                return found
        if self.story is not None:
            return None
        return next((n.text for n in reversed(self._named) if n.gender is None and n.text[:1].isupper()), None)

    def people(self) -> str | None:
        """Return the two people named last, joined."""
        last = dict.fromkeys(n.text for n in reversed(self._named) if n.gender is not None)
        return " and ".join(reversed([*last][:2])) if len(last) > 1 else None

    def thing(self, *, plural: bool | None = None, avoid: frozenset[str] = frozenset()) -> str | None:
        """Return the most salient thing; one whose number agrees is preferred, one that is in ``avoid`` is left out."""
        things = [n for n in self._named if n.gender is None and stem(n.text.split()[-1]) not in avoid]
        agreeing = [n for n in things if plural is None or n.plural is plural or _is_name(n)] or things
        return max(agreeing, key=lambda n: n.salience).text if agreeing else None

    def topic(self) -> str | None:
        """Return what the questions have been about most: what was named by the most of them, of those the last."""
        things = [n for n in self._named if n.gender is None and n.text.split()[-1].lower() not in english.RELATIONAL]
        counts = Counter(n.text.removeprefix("the ").lower() for n in things)
        return max(reversed(things), key=lambda n: counts[n.text.removeprefix("the ").lower()]).text if things else None

    def place(self) -> str | None:
        """Return where something was said to be, last, with its preposition."""
        for named in reversed(self._named):
            if named.gender is None and named.preposition in english.PLACE_PREPOSITIONS:
                return f"{named.preposition} {named.text}"
        name = next((n.text for n in reversed(self._named) if n.gender is None and n.text[:1].isupper()), None)
        return None if name is None else f"in {name}"

    def with_head(self, head: str) -> str | None:
        """Return what was named last by a longer name that ends with ``head``."""
        for named in reversed(self._named):
            words = named.text.split()
            content = words[1:] if words[0].lower() in english.DETERMINERS else words
            if len(content) > 1 and stem(content[-1]) == stem(head) and content[-1].lower() != "one":
                return named.text
        return None

    def gender_of(self, phrase: NounPhrase) -> str | None:
        """Return the gender of a person, ``""`` when it is not known, ``None`` when it is no person's."""
        if phrase.head in english.MALE:
            return "m"
        if phrase.head in english.FEMALE:
            return "f"
        if self.story is not None:
            known = self.story.gender(phrase.text)
            if known:
                return known
        return "" if phrase.head in english.KIN else None

    def _familiarity(self, phrase: NounPhrase) -> float:
        said = sum(n.text.lower().endswith(phrase.core) for n in self._named)
        return min(said, 4) * _FAMILIARITY

    def _note_answer(self, question: str) -> None:
        words = [t.bare.split("'")[0] for t in tokens(question) if t.is_word]
        if not words or words[0] not in ("who", "where", "what", "which"):
            return
        answer = None if self.story_text is None else find_answer(self.story_text, question)
        sure = answer is not None and answer.support >= _SURE and len(answer.text.split()) <= _LONGEST_ANSWER
        if answer is not None and sure:
            self._note_found(answer.text, words[0])
        elif words[0] == "who" and BESIDE not in question:
            self._note_whoever(question)

    def _note_found(self, answer: str, wh: str) -> None:
        if wh == "who":
            gender = None if self.story is None else self.story.gender(answer)
            self._named.append(Named(answer, gender or ""))
            return
        preposition, _, rest = answer.partition(" ")
        if preposition.lower() not in english.PREPOSITIONS:
            preposition, rest = "", answer
        bonus = -_WHERE if preposition in english.PLACE_PREPOSITIONS else _ANSWER_BONUS
        recency = _RECENCY * self._n_questions
        phrases = noun_phrases(rest)
        if phrases and phrases[0].text == rest and self.gender_of(phrases[0]) is None:
            self._named.append(Named(_definite(rest), None, phrases[0].plural, preposition, recency + bonus))

    def _note_whoever(self, question: str) -> None:
        """Remember "the person who …", or who was asked about, as somebody."""
        is_somebody = _WHO_IS.match(question)
        did = _WHO.match(question)
        if is_somebody is not None:
            phrases = noun_phrases(question)
            gender = self.gender_of(phrases[-1]) if phrases else None
            self._named.append(Named(_definite(is_somebody["whom"]), gender or ""))
        elif did is not None:
            self._named.append(Named(f"the person {_whoever(did['did'])}", ""))


def _whoever(did: str) -> str:
    """Return "who keeps the boat", and "whom Mina did marry" of "did Mina marry"."""
    auxiliary, _, rest = did.partition(" ")
    if auxiliary not in ("did", "does", "do") or " " not in rest:
        return f"who {did}"
    subject = subject_of(rest)
    return f"whom {subject} {auxiliary} {rest[len(subject) :].strip()}"


def _is_name(named: Named) -> bool:
    return named.text.removeprefix("the ")[:1].isupper()


def names_of_people(text: str, story: ReadStory | None) -> tuple[str, ...]:
    """Return the people of the story whom ``text`` names, in order."""
    if story is None:
        return ()
    return tuple(name for name in names_in(text, story.genders) if story.gender(name))


def _salience(question: str, phrase: NounPhrase, place: int, phrases: tuple[NounPhrase, ...]) -> float:
    score = 0.0
    if phrase.head in english.RELATIONAL or phrase.owned:
        score -= _RELATIONAL
    if question[max(0, phrase.start - 3) : phrase.start].endswith(("'s ", "’s ")):
        score -= _OWNED
    if place == 0 or phrases[place - 1].owned:
        score += _TOPIC_BONUS if _TOPIC.match(question) else _SUBJECT_BONUS
    if phrase.preposition in english.PLACE_PREPOSITIONS:
        score -= _WHERE
    return score


def _definite(text: str) -> str:
    first, _, rest = text.partition(" ")
    if first.lower() in english.WH_WORDS or first.lower() in ("any", "some", "no", "another", "other", "all", "my"):
        return rest.removeprefix("other ") if rest else ""
    return f"the {rest}" if first.lower() in ("a", "an", "the") else text
