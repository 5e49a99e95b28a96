"""A real model for one role, served from a GGUF file through the gateway, without a run around it."""

from __future__ import annotations

import itertools
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

from hairpin.app.system import SystemClock, log_to
from hairpin.domain.llm_calls import LlmRequest
from hairpin.domain.model_spec import LocalModel
from hairpin.domain.outcome import Role
from hairpin.llm.budget import Budget
from hairpin.llm.call_costs import Player
from hairpin.llm.gateway import Gateway, GatewayTools
from hairpin.llm.providers import Providers
from hairpin.llm.traffic.waiting import Deadline
from hairpin.ports import ChatModel
from hairpin.settings import LogLevel


class RequestList:
    """Implements ``ports.LlmRequestLog`` and keeps what was requested."""

    def __init__(self) -> None:
        self.all: list[LlmRequest] = []

    async def record_request(self, request: LlmRequest) -> None:
        """Keep ``request``."""
        self.all.append(request)


@asynccontextmanager
async def local_models(gguf: Path, requests: RequestList, *roles: Role) -> AsyncIterator[dict[Role, ChatModel]]:
    """Serve the model file to ``roles``, as cool as can be."""
    spec = LocalModel(gguf=str(gguf), max_output_tokens=400, parameters={"temperature": 0, "seed": 1})
    clock, ids = SystemClock(), itertools.count()
    with log_to(Path(os.devnull), level=LogLevel.ERROR) as logger:
        providers = Providers(environ=os.environ, default_gguf=None, clock=clock, logger=logger, traced=False)
        tools = GatewayTools(
            log=requests,
            logger=logger,
            clock=clock,
            new_id=lambda: str(next(ids)),
            budget=Budget(
                {role: Player(model="local", price=None, prompt_chars=4000, output_cap=400) for role in roles},
                n_dimensions=0,
            ),
            deadline=Deadline(),
        )
        try:
            gateway = Gateway(
                dict.fromkeys(roles, spec),
                prices=dict.fromkeys(roles),
                providers=providers,
                tools=tools,
                rng=Random(1),
            )
            yield dict(gateway.models)
        finally:
            await providers.aclose()
