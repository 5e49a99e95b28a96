"""Named parts of a prompt's request: a role that asks for different things at different times takes one of them.

What fills their slots is the role's work.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from hairpin.domain.prompts import RolePrompt
from hairpin.errors import InvalidInputError, did_you_mean

_HEADING: Final = re.compile(r"^## +(?P<title>.+?) *$", re.MULTILINE)


def request_parts(prompt: RolePrompt, titles: Sequence[str]) -> Mapping[str, str]:
    """Return the text below each ``## title`` of the request.

    Raises:
        InvalidInputError: a part is missing or empty, or there is one that the role does not know.
    """
    headings = list(_HEADING.finditer(prompt.request))
    ends = [heading.start() for heading in headings[1:]] + [len(prompt.request)]
    parts = {
        heading["title"]: prompt.request[heading.end() : end].strip()
        for heading, end in zip(headings, ends, strict=False)
    }
    where = f"prompt {prompt.id!r}, '# Request'"
    for title in parts:
        if title not in titles:
            raise InvalidInputError(f"unknown part {title!r}", where=where, hint=did_you_mean(title, titles))
    for title in titles:
        if not parts.get(title):
            raise InvalidInputError(f"the part {title!r} is missing", where=where, hint=f"add '## {title}' with a text")
    return parts
