"""The model servers of one run: one child process per model file and context size, for all roles that use it.

What is asked of them it does not know.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import anyio

from hairpin.domain.base import Value
from hairpin.errors import ModelSetupError, ProviderStoppedError, UserError
from hairpin.llm.local_server import LocalServer, LocalServerError, check_gguf, check_runtime

_RESTARTS: Final = 2
"""One prompt may bring a server down; one that goes down again and again does not come up for the next."""


class LocalAddress(Value):
    """Where a running model server is found."""

    base_url: str
    api_key: str

    def __repr__(self) -> str:
        return f"LocalAddress({self.base_url!r})"


class SharedServer:
    """The server of one model file; started when it is first needed."""

    def __init__(self, gguf: Path, *, context_tokens: int, log_path: Path | None) -> None:
        self._gguf = gguf
        self._context_tokens = context_tokens
        self._log_path = log_path
        self._n_parallel: int | None = None
        self._n_roles = 0
        self._server: LocalServer | None = None
        self._restarts_left = _RESTARTS
        self._starting = anyio.Lock()

    @property
    def pid(self) -> int | None:
        """The server's process id while there is one."""
        return self._server.pid if self._server is not None else None

    def share(self, n_parallel: int) -> None:
        """Add a role that sends up to ``n_parallel`` requests at once; of several the least counts.

        Each role gets a slot of its own, however few requests there are at once: a slot remembers its last prompt, and
        a role's next prompt begins with that.
        """
        self._n_roles += 1
        self._n_parallel = min(n_parallel, self._n_parallel or n_parallel)

    async def address(self) -> LocalAddress:
        """Return where the server is, once it answers there.

        Raises:
            ModelSetupError: the file cannot be loaded.
            ProviderStoppedError: it does not answer in time, or ended by itself too often.
        """
        async with self._starting:
            server = self._server = self._server or self._made()
            try:
                await self._start(server)
            except LocalServerError as error:
                raise ProviderStoppedError(str(error)) from error
            except UserError as error:
                raise ModelSetupError(str(error)) from error
            return LocalAddress(base_url=server.base_url, api_key=server.api_key)

    async def aclose(self) -> None:
        """End the server."""
        server, self._server = self._server, None
        if server is not None:
            await server.aclose()

    async def _start(self, server: LocalServer) -> None:
        try:
            await server.start()
        except LocalServerError:
            if self._restarts_left == 0:
                raise
            self._restarts_left -= 1
            await server.aclose()
            await server.start()

    def _made(self) -> LocalServer:
        return LocalServer(
            self._gguf,
            context_tokens=self._context_tokens,
            n_parallel=max(self._n_parallel or 1, self._n_roles),
            log_path=self._log_path,
        )


class LocalModels:
    """All model servers of a run.

    Args:
        log_path: where their logs go; ``None``: nowhere.
    """

    def __init__(self, *, log_path: Path | None = None) -> None:
        self._log_path = log_path
        self._servers: dict[tuple[Path, int], SharedServer] = {}

    def server(self, gguf: Path, *, context_tokens: int, n_parallel: int) -> SharedServer:
        """Return the server of ``gguf``, the same for every role; nothing is started yet.

        Raises:
            ModelSetupError: xllamacpp is not installed, or ``gguf`` is no model file.
        """
        try:
            check_runtime()
            check_gguf(gguf)
        except UserError as error:
            raise ModelSetupError(str(error)) from error
        key = (gguf.absolute(), context_tokens)
        server = self._servers.get(key)
        if server is None:
            server = SharedServer(gguf, context_tokens=context_tokens, log_path=self._log_path)
            self._servers[key] = server
        server.share(n_parallel)
        return server

    async def aclose(self) -> None:
        """End all servers, whatever becomes of one of them."""
        with anyio.CancelScope(shield=True):
            async with anyio.create_task_group() as group:
                for server in self._servers.values():
                    group.start_soon(server.aclose)
