"""The benchmark of seeded faults from Python.

It must not be imported by ``hairpin.api``: the statistics load SciPy, which takes seconds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from hairpin.api.arguments import as_written, blocking, names_of, require_limits, require_number
from hairpin.app.fault_benchmark import BenchmarkReport, BenchmarkRequest, run_benchmark
from hairpin.app.fault_pages import write_pages
from hairpin.app.fault_units import BOTH, load_units, plan_of
from hairpin.app.spending import SpendingLimits
from hairpin.sut.threads import run_in_daemon_thread


async def abenchmark_faults(
    *,
    faults: str | Sequence[str] = (),
    pools: str | Sequence[str] = (),
    part: str = BOTH,
    conversations: int = 40,
    overrides: Mapping[str, object] | None = None,
    judge: str | None = None,
    out: str | Path = "benchmark",
    concurrency: int = 4,
    packs: Sequence[Path] = (),
    max_cost: float | None = None,
    max_tokens: int | None = None,
    cache: str | Path | None = None,
) -> BenchmarkReport:
    """Plant faults in the built-in assistant, and say how many are found and how many are made up.

    Runs that ended, in the folder ``out``, are not run again; the pages are written there too.

    Args:
        faults: one or several, such as ``["F1", "F6"]``; all of them by default.
        pools: of strategies, one after the other; by default ``in_car/paper`` and ``in_car/extended``.
        part: ``"in-sample"``, ``"held-out"`` or ``"both"``.
        conversations: with each faulty assistant in each configuration; the one without faults has four times as many.
        overrides: what is judged by, by (dotted) key, such as ``{"models.turn_judge": {"provider": "local"}}``.
        judge: what tables call the judge; ``None``: ``"offline"``, or ``"set"`` where ``overrides`` name models.
        out: the benchmark's own folder; the same call goes on with it.
        concurrency: how many conversations run at once.
        packs: folders searched before all others.
        max_cost: of each run, in USD; ``max_tokens``: likewise.
        cache: a file that keeps the answers of models, to be used again.

    Raises:
        UserError: there is no such fault, pool or part, or another benchmark is in ``out``.
        HairpinError: a run was stopped; the same call goes on with it.
        ValueError: ``conversations`` or ``concurrency`` is below 1, or a limit below 0.
    """
    require_number("conversations", conversations, least=1)
    require_limits(concurrency, max_cost, max_tokens)
    plan = plan_of(
        faults=names_of(faults),
        pools=names_of(pools),
        part=part,
        n_conversations=conversations,
        judge=judge,
        overrides=as_written(overrides or {}),
        packs=tuple(map(Path, packs)),
    )
    request = BenchmarkRequest(
        plan=plan,
        out=Path(out),
        concurrency=concurrency,
        spending=SpendingLimits(max_cost_usd=max_cost, max_tokens=max_tokens),
        cache=None if cache is None else Path(cache),
    )
    # Reading the scenarios of all runs takes a second or so: not on the caller's loop.
    units = await run_in_daemon_thread(load_units, plan)
    report = await run_benchmark(request, units)
    write_pages(request.out, units, report)
    return report


def benchmark_faults(
    *,
    faults: str | Sequence[str] = (),
    pools: str | Sequence[str] = (),
    part: str = BOTH,
    conversations: int = 40,
    overrides: Mapping[str, object] | None = None,
    judge: str | None = None,
    out: str | Path = "benchmark",
    concurrency: int = 4,
    packs: Sequence[Path] = (),
    max_cost: float | None = None,
    max_tokens: int | None = None,
    cache: str | Path | None = None,
) -> BenchmarkReport:
    """Run the benchmark from code without a running event loop; arguments and result: :func:`abenchmark_faults`.

    Raises:
        UserError: called inside a running event loop; use ``await hairpin.abenchmark_faults(...)`` there.
        HairpinError: whatever ``abenchmark_faults`` raises.
        ValueError: as ``abenchmark_faults``.
    """
    call = partial(
        abenchmark_faults,
        faults=faults,
        pools=pools,
        part=part,
        conversations=conversations,
        overrides=overrides,
        judge=judge,
        out=out,
        concurrency=concurrency,
        packs=packs,
        max_cost=max_cost,
        max_tokens=max_tokens,
        cache=cache,
    )
    return blocking("benchmark_faults", call)
