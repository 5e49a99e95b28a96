"""How long judging a stored run of 100 conversations again takes, and whether all of it comes out as before.

    python benchmarks/rejudge.py [--conversations 100]

A campaign of both arms is held with the testbed and offline agents and then judged again, in this process. The seconds
are those of the processor and of the clock, report included.

Last result, 2 cores that others used too, Python 3.11: 725 exchanges, judged again in 9.5 s of the processor (held in
13.5 s), 100 of 100 exactly as before.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from hairpin.app.campaign_inputs import CampaignChoices, load_campaign
from hairpin.app.loop import run_in_loop
from hairpin.app.rejudging import load_rejudging
from hairpin.app.request import FinishedRun, RunRequest
from hairpin.app.run import run_scenario


def timed(what: str, make: Callable[[], RunRequest]) -> FinishedRun:
    """Run what ``make`` asks for and say how long that took."""
    clock_s, processor_s = time.perf_counter(), time.process_time()
    request = make()
    finished = run_in_loop(lambda: run_scenario(request))
    turns = finished.report.summary.turns
    clock_s, processor_s = time.perf_counter() - clock_s, time.process_time() - processor_s
    print(f"{what}: {turns} exchanges, {processor_s:.1f} s of the processor, {clock_s:.1f} s of the clock")
    return finished


def main() -> None:
    """Hold a campaign, judge it again, and say how they differ."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--conversations", type=int, default=100)
    number = parser.parse_args().conversations
    chosen = CampaignChoices(conversations=number, arms="guided,baseline")
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder)
        overrides = {"campaign.runs": "1"}
        held = timed(
            "held",
            lambda: RunRequest(
                inputs=load_campaign("campaigns/paper", chosen, overrides=overrides), campaign=True, out=out
            ),
        )
        again = timed("judged again", lambda: RunRequest(inputs=load_rejudging(held.directory.path), out=out))
    found = again.report.judge_differences
    assert found is not None
    print(f"judged exactly as before: {found.identical} of {found.n_conversations}")


if __name__ == "__main__":
    main()
