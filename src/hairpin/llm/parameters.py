"""Which request parameters a user may set for a role: all but those that Hairpin sets itself.

What an endpoint thinks of them is ``llm.adaptation``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pydantic import JsonValue

from hairpin.errors import InvalidInputError

OUTPUT_CAPS: Final = ("max_tokens", "max_completion_tokens")
"""The two names under which endpoints take the output cap."""

RESERVED_PARAMETERS: Final[Mapping[str, str]] = {
    "model": "it has a field of its own",
    "messages": "Hairpin writes the messages",
    "stream": "answers are read whole",
    "stream_options": "answers are read whole",
    "n": "one answer is asked for at a time",
    "response_format": "Hairpin asks for JSON as strictly as the endpoint takes it; see structured_output",
    **dict.fromkeys(OUTPUT_CAPS, "use max_output_tokens, which goes out under the name the endpoint takes"),
    "tools": "answers are read from the message's text",
    "tool_choice": "answers are read from the message's text",
    "functions": "answers are read from the message's text",
    "function_call": "answers are read from the message's text",
    "extra_headers": "nothing but the request's body can be set",
    "extra_query": "put it into the address",
    "extra_body": "write its parameters beside the others",
    "timeout": "use limits.timeout_s",
}
"""What cannot be set in ``parameters``, and why."""


def check_parameters(parameters: Mapping[str, JsonValue], *, where: str = "parameters") -> None:
    """Raise InvalidInputError, naming ``where``, for a parameter that Hairpin sets itself."""
    for name, why in RESERVED_PARAMETERS.items():
        if name in parameters:
            raise InvalidInputError(f"{name!r} cannot be set: {why}", where=where, hint=f"remove {name!r}")
