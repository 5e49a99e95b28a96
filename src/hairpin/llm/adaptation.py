"""What one model of one endpoint takes, learnt from its refusals: once, for all roles, and said once.

It sends nothing; whether a refused request is sent anew is decided elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import JsonValue
from structlog.typing import FilteringBoundLogger

from hairpin.domain.base import Value
from hairpin.domain.llm_calls import CallOutcome
from hairpin.errors import ModelSetupError
from hairpin.llm import error_wording as wording
from hairpin.llm.completion import CompletionRequest
from hairpin.llm.error_reading import MESSAGES, RESPONSE_FORMAT
from hairpin.llm.message_layout import lay_out
from hairpin.llm.parameters import OUTPUT_CAPS
from hairpin.llm.response_reading import RefusedRequestError

Payload = dict[str, JsonValue]


class Ways(Value):
    """How a model wants to be asked.

    ``output_cap``: the name of the output cap, ``None``: it takes none. ``most_output_tokens``: the largest cap that it
    takes, ``None``: not known. ``refused_caps``: the names that it does not take.
    """

    output_cap: str | None
    most_output_tokens: int | None = None
    refused_caps: frozenset[str] = frozenset()
    system_role: bool = True
    alternate: bool = False


class Adaptation:
    """The ways of one model of one endpoint, shared by all roles that it plays.

    Args:
        model: its name there.
        where: the endpoint as messages call it.
        output_cap: the name of the output cap to begin with.
        logger: told once of everything that is learnt.
    """

    def __init__(self, *, model: str, where: str, output_cap: str, logger: FilteringBoundLogger) -> None:
        self._model = model
        self._where = where
        self._logger = logger
        self.ways = Ways(output_cap=output_cap)

    def payload(self, request: CompletionRequest, parameters: Mapping[str, JsonValue]) -> Payload:
        """Return the request's body; ``parameters`` are the user's and go out as they are."""
        ways = self.ways
        messages = lay_out(request.messages, system_role=ways.system_role, alternate=ways.alternate)
        payload: Payload = {
            "model": self._model,
            "messages": [*messages],
            **parameters,
        }
        if ways.output_cap is not None:
            most = ways.most_output_tokens
            payload[ways.output_cap] = request.output_tokens if most is None else min(request.output_tokens, most)
        if request.response_format is not None:
            payload[RESPONSE_FORMAT] = dict(request.response_format)
        return payload

    def learn(
        self,
        error: RefusedRequestError,
        request: CompletionRequest,
        payload: Payload,
        parameters: Mapping[str, JsonValue],
    ) -> None:
        """Learn from the refusal of ``payload``, made from ``request``; says in ``error.adapted`` whether it helps.

        A refusal that teaches nothing becomes a plain rejection, unless it is about the response format: finding one
        that is taken is not this module's work.

        Raises:
            ModelSetupError: a parameter that the user set is not taken.
        """
        name = error.parameter
        if name == RESPONSE_FORMAT:
            return
        if name in parameters:
            raise ModelSetupError(
                f"{self._model} at {self._where} does not take the parameter {name!r} as it is set "
                f"({error.detail}); change or remove it in this model's parameters"
            )
        # Of many requests in flight another one may have met the same before.
        if self.payload(request, parameters) == payload:
            self._adopt(self._learnt(name, error.words, payload), error.detail)
        error.adapted = self.payload(request, parameters) != payload
        if not error.adapted:
            error.outcome = CallOutcome.REJECTED

    def _learnt(self, name: str | None, words: str, payload: Payload) -> Ways:
        return self._learn_messages(words) if name == MESSAGES else self._learn_cap(name, words, payload)

    def _learn_messages(self, words: str) -> Ways:
        # A template that knows two roles only complains of their order when it meets the third.
        if self.ways.alternate or wording.NO_SYSTEM_ROLE.search(words):
            return self.ways.model_copy(update={"system_role": False})
        return self.ways.model_copy(update={"alternate": True})

    def _learn_cap(self, name: str | None, words: str, payload: Payload) -> Ways:
        cap = payload.get(name) if name in OUTPUT_CAPS else None
        if name is None or not isinstance(cap, int):
            return self.ways
        limit = wording.OUTPUT_LIMIT.search(words)
        if limit and 0 < int(limit[1]) < cap:
            return self.ways.model_copy(update={"most_output_tokens": int(limit[1])})
        refused = self.ways.refused_caps | {name}
        other = next((cap for cap in OUTPUT_CAPS if cap not in refused), None)
        return self.ways.model_copy(update={"output_cap": other, "refused_caps": refused})

    def _adopt(self, learnt: Ways, detail: str) -> None:
        before, after = self.ways.model_dump(mode="json"), learnt.model_dump(mode="json")
        changed = {name: value for name, value in after.items() if value != before[name] and name != "refused_caps"}
        if changed:
            self._logger.info("endpoint_adapted", endpoint=self._where, model=self._model, reason=detail, **changed)
        self.ways = learnt
