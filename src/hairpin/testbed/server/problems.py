"""What can be wrong with a request, and how a client is told: what, where, and the way out.

It must not tell what happens inside the assistant.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from aiohttp import web
from pydantic import JsonValue, ValidationError

from hairpin.errors import InvalidInputError

_LOG: Final = logging.getLogger(__name__)
_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))
_KINDS: Final = {404: "not_found", 413: "too_large", 503: "overloaded"}


class RequestProblem(Exception):  # noqa: N818  # an answer to the client, no error of ours
    """A request that cannot be answered.

    Args:
        status: of HTTP.
        what: what is wrong.
        where: at which place of the request.
        hint: how to mend it.
    """

    def __init__(self, status: int, what: str, *, where: str, hint: str) -> None:
        self.status = status
        self.what = what
        self.where = where
        self.hint = hint
        super().__init__(f"{where}: {what}; {hint}")

    def body(self) -> dict[str, JsonValue]:
        """Return the answer: ``error`` as OpenAI-compatible clients read it, with the parts of the message."""
        kind = _KINDS.get(self.status, "invalid_request" if self.status < 500 else "server_error")
        return {
            "error": {
                "message": str(self),
                "type": kind,
                "code": self.status,
                "what": self.what,
                "where": self.where,
                "hint": self.hint,
            }
        }


def not_valid(error: ValidationError, *, where: str) -> RequestProblem:
    """Return what pydantic found wrong first: status 400 when it is no JSON, 422 when it says what it may not."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    place = ".".join((where, *(str(part) for part in first["loc"])))
    if first["type"] == "json_invalid":
        return RequestProblem(400, first["msg"], where=where, hint="send one JSON object in UTF-8")
    hint = "remove it" if first["type"] == "extra_forbidden" else "mend it and send it again"
    return RequestProblem(422, first["msg"], where=place, hint=hint)


def refused(error: InvalidInputError, *, where: str) -> RequestProblem:
    """Return what the assistant says is wrong with the start of a session."""
    hint = error.hint or "mend it and send it again"
    return RequestProblem(422, error.what, where=f"{where}: {error.where}", hint=hint)


def problem_of(error: Exception) -> RequestProblem:
    """Return what a client is told of ``error``; what nobody expected is logged."""
    if isinstance(error, RequestProblem):
        return error
    if isinstance(error, web.HTTPRequestEntityTooLarge):
        return RequestProblem(413, "it is too long", where="body", hint="send less in one request")
    if isinstance(error, web.RequestPayloadError):
        return RequestProblem(
            400, "it cannot be read", where="body", hint="send it whole, in the encoding that it names"
        )
    _LOG.error("a request failed", exc_info=error)
    return RequestProblem(500, "the assistant broke", where="server", hint="see what the server wrote to stderr")


def json_answer(body: object, *, status: int = 200) -> web.Response:
    """Return ``body`` as a JSON answer."""
    return web.Response(body=json_bytes(body), status=status, content_type="application/json", charset="utf-8")


def json_bytes(body: object) -> bytes:
    """Return ``body`` as JSON in UTF-8."""
    return _ENCODER.encode(body).encode()


@web.middleware
async def errors_as_json(
    request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
) -> web.StreamResponse:
    """Answer every error with JSON."""
    try:
        return await handler(request)
    except web.HTTPRequestEntityTooLarge as error:
        return _answer(problem_of(error))
    except web.HTTPException as error:
        return _answer(_unserved(request, error), allow=error.headers.get("Allow"))
    except Exception as error:  # noqa: BLE001  # whatever breaks is the server's answer, not its end
        if isinstance(error, ConnectionError) and request.transport is None:
            return web.Response(status=400)  # for nobody: the client is gone
        return _answer(problem_of(error))


def _answer(problem: RequestProblem, *, allow: str | None = None) -> web.Response:
    answer = json_answer(problem.body(), status=problem.status)
    if allow is not None:
        answer.headers["Allow"] = allow
    if problem.status == 503:
        answer.headers["Retry-After"] = "1"
    return answer


def _unserved(request: web.Request, error: web.HTTPException) -> RequestProblem:
    place = f"{request.method} {request.path}"
    if error.status not in (404, 405):
        return RequestProblem(error.status, error.reason.lower(), where=place, hint="mend the request")
    served = {
        f"{method} {resource.canonical}"
        for resource in request.app.router.resources()
        for method in sorted(entry.method for entry in resource if entry.method != "HEAD")
    }
    return RequestProblem(
        error.status, "it is not served here", where=place, hint=f"there are {', '.join(sorted(served))}"
    )
