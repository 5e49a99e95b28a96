"""Which languages the agents speak whose words are not in a lexicon.

It must not know any words.
"""

from __future__ import annotations

from hairpin.agents.offline.english import LANGUAGE
from hairpin.errors import InvalidInputError


def refuse_unknown_language(language: str, *, role: str) -> None:
    """Raise InvalidInputError unless the offline agents have the words of ``language``; ``role``: who would speak."""
    if language != LANGUAGE:
        raise InvalidInputError(
            f"the offline {role} does not speak {language!r}",
            where="language",
            hint=f"it speaks {LANGUAGE!r}; give the role {role} a model under 'models:'",
        )
