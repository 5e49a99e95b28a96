"""The system message of a chat request: the system prompt and the context of the conversation.

It must hold nothing else: what the user wants is for the user to say.
"""

from __future__ import annotations

import json

from pydantic import JsonValue

from hairpin.domain.sut import SessionStart
from hairpin.domain.users import Context


def system_message(system_prompt: str | None, context: Context) -> str | None:
    """Return the first message of every request, or ``None`` when there is neither a prompt nor a context."""
    parts = [part for part in ((system_prompt or "").strip(), context_text(context)) if part]
    return "\n\n".join(parts) or None


def context_text(context: Context) -> str:
    """Return the context in words, one line per fact; ``''`` when nothing is known.

    The reference text comes last, as it is.
    """
    facts = [("Location", context.location), ("Date", context.date), ("Time", context.time)]
    facts += [(f"Vehicle {name.replace('_', ' ')}", _shown(value)) for name, value in context.vehicle.items()]
    lines = [f"{name}: {value}" for name, value in facts if value]
    text = "\n".join(["Current context", *lines]) if lines else ""
    if context.reference_text:
        text = f"{text}\n\nReference text:\n{context.reference_text}".lstrip()
    return text


def context_object(start: SessionStart) -> str:
    """Return what a session opens with as one JSON object, for assistants that read the context out of a message."""
    told: dict[str, JsonValue] = {
        "conversation_id": start.conversation_id,
        "rng_seed": start.rng_seed,
        "context": start.context.model_dump(mode="json"),
    }
    return json.dumps(told, ensure_ascii=False)


def _shown(value: str | float | bool) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)
