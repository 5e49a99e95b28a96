"""Any assistant behind HTTP, by configuration: templates of requests, paths into answers.

It holds what all sessions share; a conversation is ``http_session``'s.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from hairpin.domain.fingerprint import digest
from hairpin.domain.sut import SessionStart, SutIdentity
from hairpin.domain.sut_spec import HttpRequest, HttpSut
from hairpin.errors import AdapterFaultError, InvalidInputError, UserError
from hairpin.ports import SutAdapter, SutSession
from hairpin.sut.configured import requests_of, templates_of, without_places
from hairpin.sut.environment import environment_values, variables_named
from hairpin.sut.http_answers import session_id_in
from hairpin.sut.http_client import HttpClients, SizeLimit
from hairpin.sut.http_link import HttpLink
from hairpin.sut.http_polling import Polling
from hairpin.sut.http_requests import RequestTemplate, fill_address, has_login, shown_address
from hairpin.sut.http_session import HttpSutSession, TurnPlan
from hairpin.sut.http_stream import ACCEPTED
from hairpin.sut.redaction import Redactor, keys_of
from hairpin.sut.template_capabilities import capabilities_of
from hairpin.sut.templated_session import TemplatedTurns

_LIMIT_HINT: Final = "if that is right, raise 'max_reply_bytes'"
_NOT_IN_VERSION: Final = {"name", "version"}


class HttpAdapter(SutAdapter):
    """Speaks to an assistant as its configuration says.

    Args:
        spec: the requests, and where the parts of a reply are.
        environ: where the variables of ``{env.NAME}`` are looked up, when a session opens.
        back_off_s: the wait before a request is sent again for the first time, where that is allowed.

    Raises:
        InvalidInputError: an address has a login and a header another.
    """

    def __init__(self, spec: HttpSut, *, environ: Mapping[str, str], back_off_s: float = 0.5) -> None:
        for request in requests_of(spec):
            _refuse_two_logins(request)
        self._spec = spec
        self._environ = environ
        self._templates = templates_of(spec)
        self._identity = SutIdentity(
            name=spec.name or shown_address(spec.request.url).partition("://")[2],
            version=spec.version or _version(spec),
            transport="http",
        )
        session = spec.session
        self._open = RequestTemplate(session.open) if session and session.open else None
        self._plan = TurnPlan(
            request=RequestTemplate(spec.request, accept=ACCEPTED[spec.stream.format] if spec.stream else None),
            paths=spec.reply,
            stream=spec.stream,
            polling=Polling(spec.poll, spec.reply) if spec.poll else None,
            close=RequestTemplate(session.close) if session and session.close else None,
            id_path=session.id if session and session.open is None else None,
            n_retries=spec.retries if spec.idempotent_turns else 0,
            back_off_s=back_off_s,
        )
        self._clients = HttpClients()
        self.capabilities = capabilities_of(
            self._templates, max_sessions=spec.max_sessions, idempotent_turns=spec.idempotent_turns
        )

    def describe(self) -> SutIdentity:
        """Return the name given, else host and path; without a version given it is a digest of the templates."""
        return self._identity

    async def open(self, start: SessionStart) -> SutSession:
        """Open a session, also at the assistant if its configuration says how.

        Raises:
            UserError: a variable is missing, empty, or cannot stand where a template puts it.
            SutConnectionError: no connection.
            SutError: the assistant opened none, or told no id.
        """
        env = environment_values(self._templates, self._environ, where=f"sut {self._identity.name}")
        redactor = self._redactor(env)
        limit = SizeLimit(self._spec.max_reply_bytes, hint=_LIMIT_HINT)
        link = HttpLink(self._clients, limit=limit, redactor=redactor, error_path=self._spec.reply.error)
        turns = TemplatedTurns(start, env, told_later=self._plan.id_path is not None)
        if self._open is not None:
            given = await self._open_at(self._open, turns, link)
            turns = turns if given is None else TemplatedTurns(start, env, session_id=given)
        return HttpSutSession(self._plan, link, turns, adapter=repr(self))

    async def aclose(self) -> None:
        """Close the connections."""
        await self._clients.aclose()

    async def _open_at(self, request: RequestTemplate, turns: TemplatedTurns, link: HttpLink) -> str | None:
        """Open a session at the assistant; return its id there, ``None`` when it has none of its own."""
        answer = await link.ask(request.fill(turns.session))
        path = self._spec.session.id if self._spec.session else None
        if path is None:
            return None
        return session_id_in(answer, path, where=request.where, redactor=link.redactor)

    def _redactor(self, env: Mapping[str, str]) -> Redactor:
        """Return what knows the credentials: variables, logins and keys in addresses, however these are written."""
        keys = list(env.values())
        for request in requests_of(self._spec):
            _refuse_broken_headers(request, env)
            try:
                keys += keys_of(fill_address(request.url, {"env": dict(env)}))
            except AdapterFaultError as error:
                raise UserError(f"{error}; look at the environment variables that it names") from None
        return Redactor(keys, spoken=keys)

    def __repr__(self) -> str:
        return f"HttpAdapter({self._identity.name!r})"


def _refuse_two_logins(request: HttpRequest) -> None:
    if has_login(request.url) and any(name.lower() == "authorization" for name in request.headers):
        raise InvalidInputError(
            "has both a user name in its address and a header Authorization",
            where=shown_address(request.url),
            hint="remove one of them",
        )


def _refuse_broken_headers(request: HttpRequest, env: Mapping[str, str]) -> None:
    for name, text in request.headers.items():
        for variable in variables_named([text]):
            if not (env[variable].isascii() and env[variable].isprintable()):
                raise UserError(
                    f"environment variable {variable} holds characters that no header can have ({name}); set it anew"
                )


def _version(spec: HttpSut) -> str:
    asked = without_places(spec.model_dump(mode="json", exclude=_NOT_IN_VERSION))
    return digest(json.dumps(asked, sort_keys=True, ensure_ascii=False))[:16]
