"""Reading the answer to a request for a completion: a completion, or a typed error that says why it is none.

Pure: no connection; the clock and what takes credentials out of texts are passed in.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final, NoReturn

from pydantic import JsonValue

from hairpin.domain.base import Value
from hairpin.domain.conversation import well_formed
from hairpin.domain.llm_calls import CallOutcome, TokenCounts
from hairpin.domain.sut import SutReply
from hairpin.llm.completion import CallError, Completion
from hairpin.llm.error_reading import finds_no_path, read_error
from hairpin.llm.json_body import JsonObject, excerpt, json_object, text_at
from hairpin.llm.provider_error import ProviderError, error_within, provider_error
from hairpin.llm.retry_after import retry_after_s
from hairpin.llm.usage import tokens_of
from hairpin.ports import Clock
from hairpin.sut.chat_completion import one_line
from hairpin.sut.redaction import Redactor

_CUT_OFF: Final = frozenset({"length", "max_tokens", "model_length", "max_output_tokens"})
_FILTERED: Final = frozenset(
    {"content_filter", "safety", "prohibited_content", "blocklist", "spii", "recitation", "sensitive"}
)
_BROKE_OFF: Final = frozenset({"error", "abort", "network_error", "insufficient_system_resource"})


class HttpAnswer(Value):
    """An answer, read whole. ``headers``: names in lower case."""

    status: int
    headers: Mapping[str, str] = {}
    body: bytes


class RefusedRequestError(CallError):
    """The server does not take the request as it is; ``words`` is all that it says, without credentials."""

    words: str = ""


class AnswerReader:
    """Reads the answers of one endpoint.

    Args:
        redactor: knows the credentials that were sent along.
        clock: to which a date in ``Retry-After`` is compared.
        key_variable: named where a key is refused.
        named_by_user: the address is a ``base_url`` of the scenario, which is doubted where nothing is found at it.
    """

    def __init__(
        self, *, redactor: Redactor, clock: Clock, key_variable: str | None = None, named_by_user: bool = False
    ) -> None:
        self._redactor = redactor
        self._clock = clock
        self._key_variable = key_variable
        self._named_by_user = named_by_user

    def read(self, answer: HttpAnswer, *, sent: Collection[str]) -> Completion:
        """Return the completion in ``answer``.

        Args:
            answer: as it came.
            sent: names of the request's parameters other than model and messages.

        Raises:
            CallError: there is none that can be used.
            RefusedRequestError: a parameter, or the way the messages are put, is not taken.
        """
        if answer.status >= 400:
            raise self._error(provider_error(answer.status, answer.body), answer, sent)
        if answer.status >= 300:
            self._fail(
                CallOutcome.REJECTED,
                f"status {answer.status}: redirects are not followed; put the final address into base_url",
            )
        found = json_object(answer.body)
        if found is None:
            self._fail(CallOutcome.NOT_JSON, f"no JSON object came but {excerpt(answer.body)}")
        error = error_within(found)
        if error is not None:
            raise self._error(error, answer, sent, tokens=tokens_of(found))
        return self._completion(found)

    def _completion(self, found: JsonObject) -> Completion:
        tokens = tokens_of(found)
        choices = found.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        message = choice.get("message") if isinstance(choice, dict) else None
        if not isinstance(choice, dict) or not isinstance(message, dict):
            self._fail(CallOutcome.EMPTY, "the answer has no choices" if choice is None else "no message", tokens)
        text, reasoning, refusal = (self._spoken(part) for part in _parts_of(message))
        finish_reason = text_at(choice, "finish_reason") or None
        self._refuse_bad_end(finish_reason, text or reasoning, refusal, tokens)
        if not text.strip():
            self._fail(CallOutcome.EMPTY, _why_empty(message, reasoning), tokens, answer=reasoning)
        return Completion(text=text, reasoning=reasoning, finish_reason=finish_reason, tokens=tokens)

    def _refuse_bad_end(self, finish_reason: str | None, written: str, refusal: str, tokens: TokenCounts) -> None:
        reason = (finish_reason or "").lower()
        if reason in _FILTERED:
            self._fail(CallOutcome.CONTENT_FILTERED, f"finish_reason: {reason}", tokens, answer=written)
        if refusal or reason == "refusal":
            said = refusal or written
            self._fail(CallOutcome.REFUSED, said or "the model refused without a word", tokens, answer=said)
        if reason in _CUT_OFF:
            self._fail(CallOutcome.TRUNCATED, _cut_after(tokens), tokens, answer=written)
        if reason in _BROKE_OFF:
            self._fail(CallOutcome.OVERLOADED, f"finish_reason: {reason}", tokens, answer=written)

    def _error(
        self, error: ProviderError, answer: HttpAnswer, sent: Collection[str], *, tokens: TokenCounts | None = None
    ) -> CallError:
        outcome, parameter = read_error(error, sent)
        words = self._redactor.clean(error.message)
        wait_s = retry_after_s(answer.headers, words, now=self._clock.now()) if outcome.is_transient else None
        kind = RefusedRequestError if outcome is CallOutcome.UNSUPPORTED else CallError
        made = kind(
            outcome,
            one_line(f"{_status_text(error, answer)}: {words}") + self._hint(outcome, error),
            answer=self._spoken(error.failed_answer),
            tokens=tokens,
            retry_after_s=wait_s,
            parameter=parameter,
        )
        if isinstance(made, RefusedRequestError):
            made.words = words
        return made

    def _hint(self, outcome: CallOutcome, error: ProviderError) -> str:
        if outcome is CallOutcome.UNAUTHORISED and self._key_variable:
            return f" (the key is that in {self._key_variable})"
        if self._named_by_user and finds_no_path(error):
            return " (is base_url right? it usually ends in /v1)"
        return ""

    def _fail(
        self, outcome: CallOutcome, detail: str, tokens: TokenCounts | None = None, *, answer: str = ""
    ) -> NoReturn:
        raise CallError(outcome, one_line(self._redactor.clean(detail)), answer=answer, tokens=tokens)

    def _spoken(self, text: str) -> str:
        """Return ``text`` without the key, should a server repeat it, and otherwise as it is."""
        return self._redactor.clean_reply(SutReply(text=text)).text if text else ""


def _status_text(error: ProviderError, answer: HttpAnswer) -> str:
    code = next((code for code in error.codes if not code.isdigit()), "")
    inside = "an error inside status 200" if answer.status < 300 else f"status {answer.status}"
    return f"{inside} ({code})" if code else inside


def _parts_of(message: JsonObject) -> tuple[str, str, str]:
    """Return text, reasoning and refusal of a message; its content may be a text or a list of parts."""
    content = message.get("content")
    said = [content] if isinstance(content, str) else content if isinstance(content, list) else []
    text = "".join(_part_text(part) for part in said if not _is_thinking(part))
    thought = "".join(_part_text(part) for part in said if _is_thinking(part))
    apart = text_at(message, "reasoning_content") or text_at(message, "reasoning")
    refusal = text_at(message, "refusal") or "".join(text_at(part, "refusal") for part in said)
    return well_formed(text), well_formed(apart or thought), well_formed(refusal.strip())


def _is_thinking(part: JsonValue) -> bool:
    return text_at(part, "type") in ("thinking", "reasoning")


def _part_text(part: JsonValue) -> str:
    if isinstance(part, str):
        return part
    thinking = part.get("thinking") if isinstance(part, dict) else None
    if isinstance(thinking, list):
        return "".join(_part_text(inner) for inner in thinking)
    return text_at(part, "text") or text_at(part, "thinking")


def _cut_after(tokens: TokenCounts) -> str:
    spent = tokens.completion_tokens
    return "cut off at the output limit" + (f" after {spent} tokens" if spent is not None else "")


def _why_empty(message: JsonObject, reasoning: str) -> str:
    if message.get("tool_calls") or message.get("function_call"):
        return "the model called a tool although none was offered"
    return "the model thought but gave no answer" if reasoning.strip() else "the answer is empty"
