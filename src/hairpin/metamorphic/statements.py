"""Statements made of a question and its answer, by rules on the order of words.

Rules refuse rather than make nonsense; elliptic questions ("Since when?") are refused, as there is nothing to state.

Source: the first step of QAAsker (Chen et al., 2021), as MORTAR, section IV-C, uses it; the rules are ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hairpin.metamorphic.answers import as_cause, as_place, as_time, as_way, phrase_of
from hairpin.metamorphic.clauses import Clause, Part
from hairpin.metamorphic.question_words import (
    ADVERBS,
    AUXILIARIES,
    BE,
    DETERMINERS,
    DO,
    HAVE,
    LOOSE_PREPOSITIONS,
    OBJECT_PRONOUNS,
    PRONOUNS,
    TAIL_PREPOSITIONS,
    begins_noun_phrase,
    is_manner,
    is_name,
    is_participle,
    is_preposition,
    low,
    subject_length,
    tensed,
    tokens_of,
)
from hairpin.metamorphic.refusal import Refused
from hairpin.metamorphic.wh_phrases import COUNTING, Asked, asked_of, counted
from hairpin.metamorphic.word_lists import word_set

_PLURAL: Final = {"is": "are", "was": "were", "has": "have", "does": "do"}
_STRANDED: Final = word_set("in to from at on into by near of for through")
_EMPTY_VERBS: Final = word_set("do doing done happen happening happened mean say said think thought")
_TIME_NOUNS: Final = frozenset({"year", "date", "day", "month", "century", "decade", "time"})
_SUBORDINATE: Final = frozenset({"if", "because", "when", "while", "whether", "how", "where", "who", "which"})
_MEASURING: Final = frozenset({"long", "far", "often", "old", "big", "large", "tall", "high", "deep", "wide"})
_NAMING: Final = frozenset({"called", "named", "titled", "considered", "labelled", "labeled", "termed", "nicknamed"})
_PLACE_FOR_THING: Final = Refused(reason="a thing is asked for, a place or a way answered")
_ELLIPTIC: Final = Refused(reason="an elliptic question: there is nothing to state")
_UNCLEAR: Final = Refused(reason="no rule knows where its subject ends")


def statement(question: str, answer: str) -> Clause | Refused:
    """Return what a wh-question and its answer state, with the answer in its place."""
    phrase = phrase_of(answer)
    if isinstance(phrase, Refused):
        return phrase
    asked, rest = asked_of(tokens_of(question))
    if asked is None:
        return Refused(reason="no rule knows this form of question")
    if not rest:
        return _ELLIPTIC
    if asked.noun and low(asked.noun.split()[-1]) in PRONOUNS:
        return Refused(reason="no rule knows this form of question")
    if any(low(word) in ("else", "other", "another", "or") for word in (*rest[:2], *asked.noun.split())):
        return Refused(reason="asks for what else there is")
    if low(rest[0]) in AUXILIARIES and (asked.wh == "how" or not _is_main_have(rest)):
        return _with_auxiliary(asked, rest, phrase)
    return _subject_asked(asked, rest, phrase)


def polar_statement(question: str) -> Clause | Refused:
    """Return what a yes/no question states when the answer is yes."""
    words = tokens_of(question)
    if not words or low(words[0]) not in AUXILIARIES:
        return Refused(reason="no rule knows this form of question")
    if any(low(word) in ("or", "not") or low(word).endswith("n't") for word in words):
        return Refused(reason="a choice or a negation")
    aux, rest = low(words[0]), words[1:]
    length = subject_length(rest, after_be=aux in BE) or _predicate_start(aux, rest)
    if length is None or length >= len(rest):
        return _UNCLEAR if rest else _ELLIPTIC
    if low(rest[0]) == "there":
        return Refused(reason="says that something exists")
    return _parsed(aux, rest[:length], rest[length:])


def is_polar(question: str) -> bool:
    """Whether a question asks for yes or no."""
    words = tokens_of(question)
    return bool(words) and low(words[0]) in AUXILIARIES


def _is_main_have(rest: Sequence[str]) -> bool:
    """Whether "had" is the only verb: "who had the thoughts" and not "who had he asked"."""
    return (
        low(rest[0]) in HAVE
        and len(rest) > 1
        and not is_name(rest[1])
        and low(rest[1]) not in PRONOUNS
        and (begins_noun_phrase(rest[1:]))
    )


def _subject_asked(asked: Asked, rest: Sequence[str], phrase: str) -> Clause | Refused:
    """ "Who wrote it": the answer is the subject."""
    finite = tensed(rest[0])
    if asked.preposition or asked.wh not in ("who", "what", "which", "how"):
        return Refused(reason="no rule knows this form of question")
    if finite is None or finite[1] in _EMPTY_VERBS:
        return Refused(reason="no rule knows its verb")
    if len(rest) == 1:
        return _ELLIPTIC
    subject = counted(asked, phrase)
    clause = _parsed(_agreeing(finite[0], subject), [subject], [finite[1], *rest[1:]])
    return clause.model_copy(update={"answer": Part.SUBJECT})


def _with_auxiliary(asked: Asked, rest: Sequence[str], phrase: str) -> Clause | Refused:
    aux, after = low(rest[0]), rest[1:]
    if not after:
        return _ELLIPTIC
    if low(after[0]) == "there":
        return Refused(reason="says that something exists")
    if not begins_noun_phrase(after):
        return _subject_of_auxiliary(asked, aux, after, phrase)
    length = subject_length(after, after_be=aux in BE)
    if length is None and aux in BE:
        length = len(after)
    if length is None:
        return _UNCLEAR
    subject, predicate = after[:length], after[length:]
    if (
        aux in BE
        and asked.wh in ("who", "what", "which")
        and not asked.preposition
        and _is_identity(subject, predicate)
    ):
        return _identity(asked, aux, after, phrase)
    if not predicate and aux not in BE:
        return _ELLIPTIC
    return _filled(asked, _parsed(aux, subject, predicate), phrase)


def _subject_of_auxiliary(asked: Asked, aux: str, after: Sequence[str], phrase: str) -> Clause | Refused:
    """ "Who was listening", "what can fly": the answer is the subject."""
    if asked.preposition or asked.wh not in ("who", "what", "which", "how") or aux in DO:
        return _UNCLEAR
    if asked.wh == "how" and asked.noun.split()[:1] not in (["many"], ["much"]):
        return _UNCLEAR
    if aux in BE and not (is_participle(after[0]) or is_preposition(after[0])):
        return _UNCLEAR
    if _EMPTY_VERBS & {low(word) for word in after}:
        return Refused(reason="what is done is asked for, not what it is done to")
    if len(after) < 2 and is_preposition(after[0]):
        return _ELLIPTIC
    subject = counted(asked, phrase)
    clause = _parsed(_agreeing(aux, subject), [subject], after)
    return clause.model_copy(update={"answer": Part.SUBJECT})


def _is_identity(subject: Sequence[str], predicate: Sequence[str]) -> bool:
    """Whether what follows the subject only adds to it: "the largest city [in the country]", "the one [mentioned]"."""
    if not predicate or low(predicate[0]) in ("a", "an"):
        return True
    if is_preposition(predicate[-1]):
        return False
    if is_participle(predicate[0]) and low(subject[0]) in DETERMINERS:
        return low(predicate[0]) not in _NAMING and not low(predicate[0]).endswith(("ing", "able"))
    return is_preposition(predicate[0])


def _identity(asked: Asked, aux: str, subject: Sequence[str], phrase: str) -> Clause | Refused:
    if is_preposition(phrase.split()[0]):
        return _PLACE_FOR_THING
    return Clause(
        aux=aux,
        subject=" ".join(subject),
        object=phrase,
        answer=Part.OBJECT,
        person=asked.wh == "who" if not asked.noun else None,
    )


def _filled(asked: Asked, clause: Clause, phrase: str) -> Clause | Refused:
    """Return ``clause`` with the answer where the question left a gap."""
    if asked.wh in ("where", "when", "why") or asked.preposition or _is_way(asked):
        tail = _tail(asked, clause, phrase)
        if tail is None:
            return Refused(reason=f"no rule knows how {phrase!r} answers {asked.wh!r}")
        joined = " ".join(part for part in (clause.object, clause.tail) if part)
        return clause.model_copy(update={"object": joined, "tail": tail, "answer": Part.TAIL})
    predicate = [low(word) for word in " ".join((clause.verb, clause.particle, clause.object)).split()]
    if clause.verb in _EMPTY_VERBS or {"do", "doing", "done"} & set(predicate):
        return Refused(reason="what is done is asked for, not what it is done to")
    if asked.wh == "how" and asked.noun.split()[0] not in COUNTING | _MEASURING:
        return Refused(reason="no rule knows this form of question")
    if asked.wh != "how" and "to" in clause.particle.split() and clause.object and not _ends_in_tail(clause.particle):
        return Refused(reason="an infinitive with an object of its own")
    if _SUBORDINATE & set(predicate):
        return Refused(reason="a subordinate clause in the question")
    if asked.noun and low(asked.noun.split()[-1]) in _TIME_NOUNS and clause.verb:
        time = as_time(phrase)
        return clause.model_copy(update={"tail": time, "answer": Part.TAIL}) if time and not clause.tail else _UNCLEAR
    clause = _before_prepositions(clause)
    thing = _without_repeated(clause.particle or clause.verb, phrase)
    if is_preposition(thing.split()[0]) and asked.wh != "how":
        return _PLACE_FOR_THING
    return clause.model_copy(update={"object": counted(asked, thing), "answer": Part.OBJECT})


def _ends_in_tail(particle: str) -> bool:
    return low(particle.split()[-1]) in TAIL_PREPOSITIONS


def _without_repeated(before: str, phrase: str) -> str:
    """Return the answer without the preposition that the question ends with: "chosen from" "from Paris"."""
    last = low(before.split()[-1]) if before else ""
    repeats = last in _STRANDED and phrase.casefold().startswith(f"{last} ")
    return phrase.split(maxsplit=1)[1] if repeats else phrase


def _before_prepositions(clause: Clause) -> Clause:
    """Make room for an object: before "in the night", after "him"."""
    particle, tail = clause.particle.split(), clause.tail
    if clause.object and particle and is_preposition(particle[-1]) and low(particle[-1]) != "of":
        tail = " ".join(part for part in (particle[-1], clause.object, tail) if part)
        particle = particle[:-1]
    elif clause.object:
        particle = [*particle, clause.object]
    return clause.model_copy(update={"particle": " ".join(particle), "object": "", "tail": tail})


def _is_way(asked: Asked) -> bool:
    return asked.wh == "how" and not asked.noun


def _tail(asked: Asked, clause: Clause, phrase: str) -> str | None:
    if asked.preposition:
        return phrase if phrase.casefold().startswith(f"{asked.preposition} ") else f"{asked.preposition} {phrase}"
    if asked.wh == "where":
        return _destination(clause, phrase)
    if asked.wh == "when":
        return as_time(phrase)
    return as_cause(phrase) if asked.wh == "why" else as_way(phrase)


def _destination(clause: Clause, phrase: str) -> str:
    last = (clause.particle or clause.object or clause.verb).split()[-1:]
    if last and low(last[0]) in _STRANDED:
        return _without_repeated(last[0], phrase)
    moving = clause.verb in ("go", "going", "move", "travel", "return", "flee", "send", "sent")
    place = as_place(phrase)
    return f"to {phrase}" if moving and place != phrase else place


def _parsed(aux: str, subject: Sequence[str], predicate: Sequence[str]) -> Clause:
    """Return the clause of a predicate without its gap: verb, particle up to a noun phrase, object, tail."""
    n_adverbs = next((n for n, word in enumerate(predicate) if not (low(word) in ADVERBS or is_manner(word))), 0)
    verb_at = n_adverbs if aux not in BE or (predicate and is_participle(predicate[n_adverbs])) else -1
    head = " ".join(predicate[: verb_at + 1])
    after = predicate[verb_at + 1 :]
    n_object = next((n for n in range(len(after)) if begins_noun_phrase(after[n:])), len(after))
    particle, rest = after[:n_object], after[n_object:]
    n_tail = _tail_start(rest)
    if particle and rest and n_tail == len(rest) and verb_at >= 0 and _is_loose(aux, particle[-1]):
        particle, rest, n_tail = particle[:-1], [particle[-1], *rest], 0
    return Clause(
        aux=aux,
        subject=" ".join(subject),
        verb=head,
        particle=" ".join(particle),
        object=" ".join(rest[:n_tail]),
        tail=" ".join(rest[n_tail:]),
    )


def _is_loose(aux: str, preposition: str) -> bool:
    return low(preposition) in (TAIL_PREPOSITIONS if aux in BE else LOOSE_PREPOSITIONS)


def _tail_start(rest: Sequence[str]) -> int:
    """Return where the last phrase of place or time begins."""
    places = [
        n for n in range(len(rest) - 1) if low(rest[n]) in TAIL_PREPOSITIONS and begins_noun_phrase(rest[n + 1 :])
    ]
    return places[-1] if places else len(rest)


def _agreeing(aux: str, subject: str) -> str:
    return _PLURAL.get(aux, aux) if _is_plural(subject) else aux


def _is_plural(subject: str) -> bool:
    """Whether a subject is more than one: two joined, a common plural, or a name such as "the Alps"."""
    words = [low(word) for word in subject.split()]
    last = words[-1]
    if "and" in words or last in ("people", "men", "women", "children"):
        return True
    if (
        not last.endswith("s")
        or last.endswith(("ss", "us", "is", "ics", "news"))
        or subject.endswith(("States", "Nations"))
    ):
        return False
    return words[0] == "the" or not is_name(subject.split()[-1])


def _predicate_start(aux: str, rest: Sequence[str]) -> int | None:
    """Return where the predicate of "is X Y" begins when it is an adjective or a noun: its last word alone."""
    if any(is_preposition(word) or low(word) in ADVERBS for word in rest):
        return None
    if aux in BE and len(rest) >= 3 and begins_noun_phrase(rest) and low(rest[-1]) not in OBJECT_PRONOUNS:
        return len(rest) - 1
    return None
