"""What passes between Hairpin and an assistant under test, as values.

The protocols that use them are in ``ports``.
"""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import Field, JsonValue

from hairpin.domain.base import Value
from hairpin.domain.conversation import Exchange
from hairpin.domain.users import Context


class Capabilities(Value):
    """What an adapter says it can do. ``max_sessions``: how many sessions may be open at once; ``None``: any number."""

    accepts_history: bool = False
    takes_reference_text: bool = False
    idempotent_turns: bool = False
    max_sessions: int | None = Field(default=None, ge=1)


class SutIdentity(Value):
    """Which assistant it is: goes into the fingerprint (``transport`` does not)."""

    name: str
    version: str = ""
    transport: str = "in-process"


class SessionStart(Value):
    """Everything a session gets when it opens; it sends the context with every request that can carry one."""

    conversation_id: str
    context: Context = Field(default_factory=Context)
    rng_seed: int = 0
    history: tuple[Exchange, ...] = ()


class TokenUsage(Value):
    """Tokens of one call, as the server reported them; ``None`` is unknown, not zero."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class SutReply(Value):
    """One reply. ``ended``: the assistant closed the conversation; ``state``: its side channel, as JSON.

    ``retry_wait_ms``: how long earlier tries of the turn took, where the adapter tries again.
    """

    text: str
    ended: bool = False
    state: Mapping[str, JsonValue] | None = None
    usage: TokenUsage | None = None
    metadata: Mapping[str, JsonValue] = Field(default_factory=dict)
    retry_wait_ms: float = Field(default=0.0, ge=0)
