"""A story as text, in the closed grammar that ``reading`` reads.

It must not tell anything that is no fact of the story.
"""

from __future__ import annotations

from random import Random
from typing import Final

from hairpin.domain.rng import derive_rng_seed
from hairpin.testbed.story.world import Fact, Gender, Person, Relation, Story

PRONOUNS: Final[dict[Gender, tuple[str, str]]] = {"woman": ("she", "her"), "man": ("he", "his")}
"""Subject and possessive."""


def tell(story: Story, *, order: int = 0) -> str:
    """Return the text of ``story``: a paragraph for each person; ``order`` shuffles what is said after the first."""
    return "\n\n".join(_paragraph(story, person, order) for person in story.people)


def with_article(noun: str) -> str:
    """Return ``noun`` with the article that it takes when it is named first."""
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def sentence(fact: Fact, subject: str, possessive: str) -> str:
    """Return what ``fact`` says with these words for its subject, without the full stop."""
    match fact.relation:
        case Relation.AGE:
            return f"{subject} is {fact.value} years old"
        case Relation.LIVES:
            return f"{subject} lives in the {fact.value}"
        case Relation.WORKS:
            return f"{subject} works at the {fact.value}"
        case Relation.KEEPS:
            return f"{subject} keeps {with_article(fact.value)} in the {fact.detail}"
        case Relation.DID:
            return f"on {fact.detail} {subject} {fact.value}"
        case Relation.BROTHER | Relation.SISTER | Relation.FRIEND:
            return f"{possessive} {fact.relation} is {fact.value}"


def _paragraph(story: Story, person: Person, order: int) -> str:
    rng = Random(derive_rng_seed(order, "telling", person.name))  # not for secrets
    own = [fact for fact in story.facts if fact.subject == person.name]
    rng.shuffle(own)
    pronoun, possessive = PRONOUNS[person.gender]
    lines = [f"{person.name} is a {person.gender}"]
    for fact in own:
        named = rng.random() < 0.25
        words = (person.name, f"{person.name}'s") if named else (pronoun, possessive)
        lines.append(sentence(fact, *words))
    return " ".join(f"{line[0].upper()}{line[1:]}." for line in lines)
