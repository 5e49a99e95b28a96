"""The child process that serves a GGUF file: started by ``llm.local_server`` and by nobody else.

It ends with its parent, however that ends. It must not import more of Hairpin than this module.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import threading
import time
from typing import Any, TextIO

_PARENT_CHECK_S = 1.0
_EARLIER_PROMPTS_MIB = 1024


def main() -> None:
    """Read the settings from the first line of standard input, serve, write the address to standard output, and stay.

    Everything else that is printed, by whatever library, goes to standard error, which is the log.
    """
    answers = _take_standard_output()
    settings = json.loads(sys.stdin.readline())
    _end_with_parent(settings["parent_pid"])
    server = _serve(settings)
    answers.write(f"{server.listening_address}\n")
    answers.close()
    threading.Event().wait()


def _take_standard_output() -> TextIO:
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return answers


def _serve(settings: dict[str, Any]) -> Any:
    xllamacpp = importlib.import_module("xllamacpp")
    params = xllamacpp.CommonParams()
    params.model.path = settings["gguf"]
    params.model_alias = {settings["alias"]}
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.api_keys = [settings["api_key"]]
    params.n_ctx = settings["context_tokens"] * settings["n_parallel"]
    params.n_parallel = settings["n_parallel"]
    params.cpuparams.n_threads = settings["n_threads"]
    params.cpuparams_batch.n_threads = settings["n_threads"]
    # Each conversation has a slot that holds its own. Who asks about several texts in turn finds each again in here,
    # instead of reading it anew each time; the default of 8 GiB is more than that needs.
    params.cache_ram_mib = _EARLIER_PROMPTS_MIB
    # A prompt that does not fit is an error that is seen, not a context that is cut in silence.
    params.ctx_shift = False
    params.ui = False
    params.offline = True
    return xllamacpp.Server(params)


def _end_with_parent(parent_pid: int) -> None:
    """End when standard input ends, which only the parent holds open; elsewhere also when the parent has changed."""
    if sys.platform == "linux":
        _end_by_signal()
    threading.Thread(target=_wait_for_end_of_input, daemon=True).start()
    if os.name == "posix":
        threading.Thread(target=_watch_parent, args=(parent_pid,), daemon=True).start()


def _end_by_signal() -> None:
    # While a model loads no other Python thread runs, so the kernel is asked to send SIGIO, which ends the process.
    import fcntl  # exists on POSIX only

    fcntl.fcntl(0, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(0, fcntl.F_SETFL, fcntl.fcntl(0, fcntl.F_GETFL) | os.O_ASYNC)


def _wait_for_end_of_input() -> None:
    while os.read(0, 1):
        _end_by_signal()
    os._exit(0)


def _watch_parent(parent_pid: int) -> None:
    while os.getppid() == parent_pid:
        time.sleep(_PARENT_CHECK_S)
    os._exit(0)


if __name__ == "__main__":
    main()
