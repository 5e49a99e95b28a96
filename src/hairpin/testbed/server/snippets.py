"""Ready ``sut:`` blocks of scenarios, one per transport of a server.

Each names the assistant as it names itself in-process, so that results do not depend on the transport.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from hairpin.domain.sut import SutIdentity


def snippets(authority: str, identity: SutIdentity) -> Mapping[str, str]:
    """Return the block for each transport, by its name in reports.

    Args:
        authority: host and port of the server.
        identity: who answers there.
    """
    texts = {"http": _HTTP, "websocket": _WEBSOCKET, "openai-compatible": _CHAT}
    values = {"<at>": authority, "<name>": json.dumps(identity.name), "<version>": json.dumps(identity.version)}
    return {transport: _filled(text, values) for transport, text in texts.items()}


def _filled(text: str, values: Mapping[str, str]) -> str:
    for mark, value in values.items():
        text = text.replace(mark, value)
    return text


_HTTP = """\
sut:
  provider: http
  name: <name>
  version: <version>
  session:
    open:
      url: "http://<at>/sessions"
      body:
        conversation_id: "{conversation_id}"
        context: "{context}"
        rng_seed: "{rng_seed}"
        history: "{history}"
    id: session_id
    close: {method: DELETE, url: "http://<at>/sessions/{session_id}"}
  url: "http://<at>/sessions/{session_id}/turns"
  body: {utterance: "{utterance}"}
  reply: {text: text, ended: ended, state: state}
"""

_WEBSOCKET = """\
sut:
  provider: websocket
  name: <name>
  version: <version>
  url: "ws://<at>/ws"
  hello:
    conversation_id: "{conversation_id}"
    context: "{context}"
    rng_seed: "{rng_seed}"
    history: "{history}"
  ready: {path: type, equals: ready}
  send: {utterance: "{utterance}"}
  reply: {text: text, ended: ended, state: state, error: error.message}
"""

_CHAT = """\
sut:
  provider: openai-compatible
  name: <name>
  version: <version>
  base_url: "http://<at>/v1"
  model: <name>
  context: json
  state: state
"""
