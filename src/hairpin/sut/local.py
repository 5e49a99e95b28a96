"""A model file as the assistant under test: a server of Hairpin's own, spoken to as any other.

Serving is ``llm.local_server``, speaking is ``sut.openai_compatible``.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Final

from pydantic import JsonValue

from hairpin.domain.fingerprint import digest
from hairpin.domain.sut import Capabilities, SessionStart, SutIdentity
from hairpin.domain.sut_spec import LocalSut, OpenAiCompatibleSut
from hairpin.errors import SutConnectionError, UserError
from hairpin.llm.local_server import LocalServer, LocalServerError
from hairpin.ports import SutAdapter, SutSession
from hairpin.sut.openai_compatible import OpenAiCompatibleAdapter

DEFAULT_PARAMETERS: Final[dict[str, JsonValue]] = {"max_tokens": 128, "temperature": 0.2}
"""What a scenario sets replaces these. A small model on a processor says a few words per second, for ever."""

_KEY_VARIABLE: Final = "HAIRPIN_LOCAL_KEY"
_SAMPLE_BYTES: Final = 1024 * 1024


class LocalAdapter(SutAdapter):
    """Serves the model from the first session on until it is closed.

    Args:
        spec: model file, system prompt, context size and parameters.
        default_gguf: the model file when ``spec`` names none.
        n_parallel: sessions at once. On a processor two are not faster than one after the other.
        log_path: where the server's log goes; ``None``: nowhere.

    Raises:
        UserError: no model file is named, it is none, or xllamacpp is not installed.
    """

    def __init__(
        self, spec: LocalSut, *, default_gguf: Path | None = None, n_parallel: int = 1, log_path: Path | None = None
    ) -> None:
        gguf = Path(spec.gguf).expanduser() if spec.gguf else default_gguf
        if gguf is None:
            raise UserError(
                "sut: provider local needs a model file: set gguf, or the environment variable HAIRPIN_GGUF"
            )
        self._spec = spec
        self._server = LocalServer(gguf, context_tokens=spec.context_tokens, n_parallel=n_parallel, log_path=log_path)
        self._identity = SutIdentity(name=gguf.name, version=_version(spec, gguf), transport="local")
        self._chat: OpenAiCompatibleAdapter | None = None
        self.capabilities = Capabilities(
            accepts_history=True, takes_reference_text=True, idempotent_turns=True, max_sessions=n_parallel
        )

    def describe(self) -> SutIdentity:
        """Return the model file's name; the version is a digest of the file's ends, prompt and parameters."""
        return self._identity

    async def open(self, start: SessionStart) -> SutSession:
        """Open a session; the first one loads the model, which takes seconds.

        Raises:
            UserError: the file cannot be loaded.
            SutConnectionError: the server did not start, or has ended by itself.
        """
        try:
            await self._server.start()
        except LocalServerError as error:
            raise SutConnectionError(str(error)) from error
        if self._chat is None:
            self._chat = self._connect()
        return await self._chat.open(start)

    async def aclose(self) -> None:
        """End the server."""
        chat, self._chat = self._chat, None
        try:
            if chat is not None:
                await chat.aclose()
        finally:
            await self._server.aclose()

    def _connect(self) -> OpenAiCompatibleAdapter:
        spec = OpenAiCompatibleSut(
            base_url=self._server.base_url,
            model=self._server.gguf.name,
            system_prompt=self._spec.system_prompt,
            api_key_env=_KEY_VARIABLE,
            parameters={**DEFAULT_PARAMETERS, **self._spec.parameters},
        )
        return OpenAiCompatibleAdapter(spec, environ={_KEY_VARIABLE: self._server.api_key})


def _version(spec: LocalSut, gguf: Path) -> str:
    parts = [str(spec.system_prompt), str(sorted({**DEFAULT_PARAMETERS, **spec.parameters}.items()))]
    return digest("\n".join([*parts, str(spec.context_tokens), _file_digest(gguf)]))[:16]


def _file_digest(path: Path) -> str:
    """Return a digest of size, beginning and end: to read gigabytes would take longer than some runs."""
    size = path.stat().st_size
    with path.open("rb") as file:
        sample = file.read(_SAMPLE_BYTES)
        file.seek(max(0, size - _SAMPLE_BYTES), os.SEEK_SET)
        sample += file.read(_SAMPLE_BYTES)
    return hashlib.sha256(f"{size}:".encode() + sample).hexdigest()
