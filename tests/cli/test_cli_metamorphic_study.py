"""``hairpin metamorphic calibrate`` and ``ec-study``, offline and with models on a real socket."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from hairpin.testing import Answer, FakeAnswer, FakeModelServer, FakeRequest
from tests.cli.replay_runs import bag_of_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.cli.conftest import Cli

STORY = "Mina is a woman. She is 40 years old. Her sister is Greta.\n\nGreta is a woman. She is 5 years old."
SCENARIO = """\
id: study
sut: story
test_seeds: ./seeds.jsonl
metamorphic: {{encoder: {{model: words, base_url: "{url}"}}, comparison: {comparison}}}
models: {models}
"""


def context(name: str, follow_up: list[str], *, equivalent: bool | None) -> str:
    item = {
        "id": name,
        "reference_text": STORY,
        "question": "How old is she?",
        "source": ["Who is Mina?"],
        "follow_up": follow_up,
        "equivalent": equivalent,
    }
    return json.dumps(item) + "\n"


CONTEXTS = (
    context("same", ["Who is Mina?"], equivalent=True)
    + context("nobody", ["Who is Greta?"], equivalent=False)
    + context("later", ["Who is Greta?", "Who is Mina?"], equivalent=True)
    + context("unlabelled", [], equivalent=None)
)
ANSWERS = """\
answer,output,correct
the old mill,in the old mill,true
Jonas,Jonas is her brother,true
the old mill,I do not know,false
the bakery,in the old mill,false
the bakery,,false
"""


@pytest.fixture
def served(cli: Cli) -> Iterator[FakeModelServer]:
    with FakeModelServer(embed=bag_of_words, default=agent) as server:
        cli.write("seeds.jsonl", '{"id": "d", "questions": ["Who is Mina?", "How old is she?"]}\n')
        cli.write("offline.yaml", SCENARIO.format(url=server.base_url, comparison="embedding", models="{}"))
        model = f'{{provider: openai-compatible, base_url: "{server.base_url}", model: m}}'
        cli.write(
            "judge.yaml",
            SCENARIO.format(url=server.base_url, comparison="embedding", models=f"{{context_judge: {model}}}"),
        )
        cli.write("contexts.jsonl", CONTEXTS)
        cli.write("answers.csv", ANSWERS)
        yield server


def agent(_: FakeRequest) -> Answer:
    """Judge every context equivalent."""
    return FakeAnswer(json.dumps({"thought": "why not", "equivalent": True}))


@pytest.mark.usefixtures("served")
def test_the_best_epsilon_is_found_and_what_to_write_is_told(cli: Cli) -> None:
    """Cosines: 0.87 and 0.5 of the right ones, 0 and 0.25 or so of the wrong ones; the blank one is left out."""
    told = cli("metamorphic", "calibrate", "answers.csv", "--scenario", "offline.yaml")
    assert told.code == 0
    assert "4 labels" not in told.out
    assert "5 labels, 2 correct, 3 wrong" in told.out
    assert "1 without an answer: left out" in told.out
    assert "Write into the scenario: metamorphic: {epsilon: 0.5}; now it is 0.6." in told.out
    rows = {line.split()[0]: line.split()[1:] for line in told.out.splitlines() if line.strip().startswith("0.")}
    assert rows["0.50"][:2] == ["100.0", "%"]
    assert rows["0.60"][:2] == ["66.7", "%"]


@pytest.mark.usefixtures("served")
def test_labels_that_are_all_the_same_calibrate_nothing(cli: Cli) -> None:
    cli.write("same.csv", "answer,output,correct\na,a,true\n")
    told = cli("metamorphic", "calibrate", "same.csv", "--scenario", "offline.yaml")
    assert told.code == 3
    assert "There is no best epsilon: " in told.out
    assert "Label more, of both kinds." in told.out


@pytest.mark.usefixtures("served")
def test_labels_given_by_chance_support_no_threshold_and_none_is_recommended(cli: Cli) -> None:
    pairs = [("the old mill", "the old mill"), ("the bakery", "a lighthouse")]
    rows = [f"{answer},{output},{label}\n" for answer, output in pairs for label in ("true", "false")]
    cli.write("chance.csv", "answer,output,correct\n" + "".join(rows))
    told = cli("metamorphic", "calibrate", "chance.csv", "--scenario", "offline.yaml")
    assert told.code == 3
    assert "The labels do not support any epsilon: " in told.out
    assert "Write into the scenario" not in told.out
    assert "Keep metamorphic" not in told.out


@pytest.mark.usefixtures("served")
def test_the_best_epsilon_ec_is_found_without_short_cuts(cli: Cli) -> None:
    told = cli("metamorphic", "calibrate", "contexts.jsonl", "--scenario", "offline.yaml")
    assert told.code == 0
    assert "3 labels, 2 equivalent, 1 not equivalent; 1 without a label skipped" in told.out
    assert "metamorphic: {epsilon_ec: " in told.out
    assert "Over 3 first checks of EC with the similarities that are compared." in told.out


def test_a_study_repeats_every_check_and_asks_the_judge_as_often(cli: Cli, served: FakeModelServer) -> None:
    told = cli(
        "metamorphic",
        "ec-study",
        "contexts.jsonl",
        "--scenario",
        "judge.yaml",
        "--judge",
        "--repeats",
        "2",
        "--out",
        "s",
    )
    assert told.code == 0
    assert len(served.requests) - len(served.embedding_requests) == 6
    rows = [json.loads(line) for line in (cli.folder / "s" / "findings.jsonl").read_text().splitlines()]
    assert [(row["item"], row["method"], row["repeat"], row["label"]) for row in rows[:4]] == [
        ("same", "ec", 0, True),
        ("nobody", "ec", 0, False),
        ("later", "ec", 0, True),
        ("same", "ec", 1, True),
    ]
    assert [row["method"] for row in rows] == ["ec"] * 6 + ["llm_judge"] * 6
    assert {row["finding"]["reason"] for row in rows[:6]} == {"similarity"}
    judge = next(line for line in told.out.splitlines() if line.startswith("LLM as a judge  "))
    assert judge.split()[4:7] == ["3", "66.7", "%"]
    assert {path.name for path in (cli.folder / "s").iterdir()} == {
        "findings.jsonl",
        "report.md",
        "report.html",
        "figures",
    }
    assert "(figures/context-by-threshold.svg)" in (cli.folder / "s" / "report.md").read_text()
    assert (cli.folder / "s" / "figures" / "context-by-threshold.svg").exists()


@pytest.mark.usefixtures("served")
def test_another_epsilon_ec_decides_otherwise(cli: Cli) -> None:
    study = ("metamorphic", "ec-study", "contexts.jsonl", "--scenario", "offline.yaml", "--epsilon-ec")
    found = {}
    for epsilon in ("-1", "1"):
        told = cli(*study, epsilon)
        row = next(line for line in told.out.splitlines() if "  equivalent  " in line)
        found[epsilon] = row.split("  equivalent  ")[1].split()[1]
    assert found["-1"] == "3"
    assert int(found["1"]) < 3


@pytest.mark.usefixtures("served")
def test_a_budget_that_is_used_up_ends_a_study_early_with_what_was_found(cli: Cli) -> None:
    told = cli("metamorphic", "ec-study", "contexts.jsonl", "--scenario", "judge.yaml", "--judge", "--max-tokens", "1")
    assert told.code == 3
    assert "It ended early: " in told.out
    assert "hairpin: ended early: " in told.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["ec-study", "contexts.jsonl", "--scenario", "offline.yaml", "--judge"],
            "contexts are to be judged by a model",
        ),
        (["ec-study", "answers.csv", "--scenario", "offline.yaml"], "context labels are JSON lines, not CSV"),
        (["ec-study", "contexts.jsonl", "--out", "seeds.jsonl"], "seeds.jsonl: is there already"),
        (["calibrate", "seeds.jsonl"], "labels neither of answers nor of contexts"),
        (["calibrate", "contexts.jsonl", "--scenario", "plain.yaml"], "the scenario replays nothing"),
        (["calibrate", "answers.csv", "--scenario", "offline.yaml", "--encoder", "./nothing"], "cannot be compared"),
        (["calibrate", "contexts.jsonl", "--scenario", "offline.yaml", "--encoder", "./nothing"], "cannot be compared"),
        (["calibrate", "contexts.jsonl", "--scenario", "offline.yaml", "--max-cost", "1"], "no model plays a role"),
    ],
)
@pytest.mark.usefixtures("served")
def test_what_is_wrong_is_told_before_anything_is_asked(cli: Cli, arguments: list[str], message: str) -> None:
    cli.write("plain.yaml", "id: p\nsut: testbed\nturns: [{user: hello}]\n")
    told = cli("metamorphic", *arguments)
    assert (told.code, told.out) == (2, "")
    assert message in told.err


@pytest.mark.usefixtures("served")
def test_without_a_scenario_the_defaults_count_and_can_be_changed(cli: Cli) -> None:
    """Not those of the shipped scenario whose offline agents play."""
    base = ("metamorphic", "calibrate", "answers.csv")
    assert "Answers are compared by embedding with" in cli(*base).out
    changed = cli(*base, "--set", "metamorphic.comparison=lexical+embedding").out
    assert "Answers are compared by lexical+embedding with" in changed
