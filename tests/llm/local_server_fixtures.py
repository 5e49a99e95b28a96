"""A stand-in for xllamacpp in the child process: the process, its pipes, signals and HTTP are real, the model is not.

What the stand-in does is written into the model file behind the magic bytes.
"""

from __future__ import annotations

import os
from pathlib import Path

import anyio
import pytest

from tests.patience import SLOWNESS

_STAND_IN = """
import ctypes, json, os, signal, sys, threading, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace


class CommonParams(SimpleNamespace):
    def __init__(self):
        super().__init__(model=SimpleNamespace(), cpuparams=SimpleNamespace(), cpuparams_batch=SimpleNamespace())


class Server:
    def __init__(self, params):
        with open(params.model.path) as file:
            what = file.read().removeprefix("GGUF").strip()
        print("printed by the library", flush=True)
        print("0.1 I loading", what, file=sys.stderr, flush=True)
        if what == "broken":
            print("0.2 E failed to load model", file=sys.stderr, flush=True)
            raise RuntimeError("Failed to init server")
        if what == "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        if what == "busy":
            ctypes.PyDLL(None).sleep(60)  # holds the interpreter, as loading a real model does
        if what == "slow":
            time.sleep(0.5)
        if what == "stubborn":
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        self._http = ThreadingHTTPServer(("127.0.0.1", params.port), handler(params))
        self.listening_address = f"http://127.0.0.1:{self._http.server_port}"
        threading.Thread(target=self._http.serve_forever, daemon=True).start()


def handler(params):
    told = {
        "hostnames": params.hostnames, "n_ctx": params.n_ctx, "n_parallel": params.n_parallel,
        "n_threads": [params.cpuparams.n_threads, params.cpuparams_batch.n_threads],
        "alias": sorted(params.model_alias), "omp": os.environ["OMP_WAIT_POLICY"], "pid": os.getpid(),
    }

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            self.answer(200 if self.path == "/health" else 404, {})

        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if self.headers["Authorization"] != f"Bearer {params.api_keys[0]}":
                return self.answer(401, {"error": {"message": "wrong key"}})
            if body["messages"][-1]["content"] == "die":
                os.kill(os.getpid(), signal.SIGKILL)
            content = json.dumps({"settings": told, "request": body})
            self.answer(200, {"choices": [{"message": {"role": "assistant", "content": content}}]})

        def answer(self, status, body):
            payload = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(payload)))
            self.end_headers()
            self.wfile.write(payload)

        def log_message(self, *args):
            pass

    return Handler
"""


def put_stand_in(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let ``import xllamacpp`` find the stand-in, here and in child processes."""
    package = folder / "stand_in"
    package.mkdir()
    (package / "xllamacpp.py").write_text(_STAND_IN, encoding="utf-8")
    monkeypatch.syspath_prepend(str(package))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(package), os.environ.get("PYTHONPATH", "")]))


def model_file(folder: Path, what: str = "good") -> Path:
    """Write a model file that makes the stand-in do ``what``."""
    path = folder / f"{what}.gguf"
    path.write_text(f"GGUF {what}", encoding="utf-8")
    return path


def is_running(pid: int) -> bool:
    """Whether any thread of a process still runs; one that has ended and waits to be reaped has none."""
    try:
        states = [stat.read_text(encoding="utf-8") for stat in Path(f"/proc/{pid}/task").glob("*/stat")]
    except (FileNotFoundError, ProcessLookupError):
        return is_running(pid)  # a thread ended while we looked
    return any(state.rpartition(")")[2].split()[0] not in ("Z", "X") for state in states) or len(states) > 1


async def wait_until_gone(pid: int) -> None:
    """Wait until a process has ended."""
    with anyio.fail_after(20 * SLOWNESS):
        while is_running(pid):  # noqa: ASYNC110  # nothing tells of a process's end but asking
            await anyio.sleep(0.005)
