"""Whether a running campaign's memory grows with the conversations that have ended.

    python benchmarks/campaign_memory.py [--conversations 2000] [--encode]

A campaign with offline agents against an assistant that answers at once, in this process; resident memory is noted as
conversations end, and a straight line through the second half says how much a thousand more would take. With
``--encode`` utterances of failed conversations are encoded meanwhile, by torch in the same process.

Last result (2026-11-30, two shared cores): 2,000 conversations in 123 s; 154 MiB after the first, 160 half way, 160 at
the end; +0.11 MiB per 1,000 conversations. With --encode (3,000 conversations, all of them failed): 787 MiB half way,
838 at the end: torch keeps memory for each shape of input that it has met.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from statistics import linear_regression

from hairpin.app.campaign_inputs import CampaignChoices, load_campaign
from hairpin.app.request import RunRequest
from hairpin.app.run import run_scenario
from hairpin.campaign.events import ConversationEnd, SilentListener
from hairpin.domain.plan import PlannedConversation
from hairpin.sut.callables import adapter_of

_SCENARIO = """
id: memory
sut: testbed
pool: in_car/1
personas: [polite, impatient]
contexts: [{{location: Munich}}]
max_turns: 4
campaign: {{encoder: {encoder}}}
"""


@dataclass
class Watch(SilentListener):
    """Notes the resident memory, in MiB, after each conversation."""

    mib: list[float] = field(default_factory=list)

    def conversation_ended(self, planned: PlannedConversation, end: ConversationEnd | None) -> None:
        super().conversation_ended(planned, end)
        self.mib.append(resident_mib())


def resident_mib() -> float:
    """Return this process's resident memory; Linux only."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096 / 2**20


async def answer(utterance: str) -> str:
    """Answer at once."""
    return f"I have noted: {utterance}"


async def measure(n_conversations: int, encoder: str, folder: Path) -> list[float]:
    """Run the campaign and return the memory after each conversation."""
    scenario = folder / "memory.yaml"
    scenario.write_text(_SCENARIO.format(encoder=encoder), encoding="utf-8")
    chosen = CampaignChoices(conversations=n_conversations, arms="guided,baseline")
    inputs = load_campaign(scenario, chosen)
    watch = Watch()
    adapter = adapter_of(answer, name="noting")
    await run_scenario(
        RunRequest(
            inputs=inputs, campaign=True, adapters={"noting": adapter}, out=folder, listener=watch, concurrency=8
        )
    )
    return watch.mib


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--conversations", type=int, default=2000)
    parser.add_argument("--encode", action="store_true")
    chosen = parser.parse_args()
    encoder = "auto" if chosen.encode else "/nowhere"
    started_s = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        mib = asyncio.run(measure(chosen.conversations, encoder, Path(folder)))
    half = len(mib) // 2
    slope, _ = linear_regression(range(half, len(mib)), mib[half:])
    print(f"conversations          {len(mib)} in {time.monotonic() - started_s:.0f} s, report included")
    print(
        f"resident memory        {mib[0]:.0f} MiB after the first, {mib[half]:.0f} half way, {mib[-1]:.0f} at the end"
    )
    print(f"growth, second half    {1000 * slope:+.2f} MiB per 1,000 conversations")


if __name__ == "__main__":
    main()
