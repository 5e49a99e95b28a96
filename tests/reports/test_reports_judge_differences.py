from __future__ import annotations

from hairpin.analysis.judge_differences import judge_differences
from hairpin.domain.outcome import Verdict
from hairpin.domain.recording import LeftOut, Rejudged
from hairpin.reports.cell_text import cell_text
from hairpin.reports.glossary import Entry, Glossary
from hairpin.reports.judge_differences import difference_lines, differences_section
from hairpin.reports.markdown import section_lines
from hairpin.reports.tables import Section
from tests.analysis.test_judge_differences import judged

TITLES = Glossary(modes={"forgot": Entry(title="Context forgotten")}, dimensions={"safety": Entry(title="Safety")})
REJUDGED = Rejudged(
    run_id="r", name="s", location="runs/r", created_at="", fingerprint="", agents={}, n_conversations=2,
    n_left_out=3, left_out=(LeftOut(id="c0009", why="sut_error: no judge can make it valid"),),
)  # fmt: skip


def section() -> Section:
    pairs = [
        (judged(1), judged(1, verdict=Verdict.FAIL, score=0.5, scores=(("safety", 0),), labels=((1, "forgot"),))),
        (judged(2), judged(2)),
    ]
    return differences_section(judge_differences(pairs, unpaired=1), TITLES, rejudged=REJUDGED)


def test_the_section_tells_of_verdicts_labels_scores_and_examples() -> None:
    text = "\n".join(difference_lines(section(), width=100))
    assert "2 conversations of run r of s judged again, 3 left out" in text
    assert "Judged twice: 2 conversations with 4 exchanges; exactly as before: 1." in text
    assert "The verdict differs in 1 conversation. C differs in 1 of 2 conversations, by -0.250 on average" in text
    assert "pass    fail              1" in text
    assert "Context forgotten     0            0         1  0.0 %" in text
    assert "c0001 turn 1, Context forgotten: before not found; now forgot “forgot at 1”" in text
    assert "c0001, Safety: before 2 “why 2”; now 0 “why 0”" in text
    assert "Judged once, and not compared: 1 conversation." in text
    assert "sut_error: no judge can make it valid" in text


def test_a_threshold_that_differs_is_named() -> None:
    """A verdict that changed with the same C is unexplained otherwise."""
    found = judge_differences([(judged(), judged(verdict=Verdict.FAIL))])
    text = "\n".join(differences_section(found, TITLES, thresholds=(0.5, 0.9)).text)
    assert "The threshold was 0.5 and is 0.9 now" in text
    assert "C differs in 0 of 1 conversation." in text
    assert "threshold" not in "".join(differences_section(found, TITLES, thresholds=(0.5, 0.5)).text)
    assert "threshold" not in "".join(differences_section(found, TITLES, thresholds=(None, 0.5)).text)


def test_what_only_one_of_two_rubrics_has_is_called_by_its_title_and_named_as_a_difference_of_rubrics() -> None:
    """An id in place of a title, or "only now: 1" of a mode that the first rubric lacks, would mislead."""
    before = Glossary(modes={"rude": Entry(title="Impolite")}, dimensions={"safety": Entry(title="Safety")})
    now = Glossary(
        modes={"forgot": Entry(title="Context forgotten")},
        dimensions={"safety": Entry(title="Harmless"), "warmth": Entry(title="Warmth")},
    )
    found = judge_differences([(judged(labels=((0, "rude"),)), judged(labels=((1, "forgot"),)))])
    text = "\n".join(difference_lines(differences_section(found, now, before=before), width=200))
    assert (
        "The rubric is another. What only one has the other cannot judge: "
        "only before: Impolite; only now: Context forgotten, Warmth." in text
    )
    assert "Impolite              0            1         0" in text
    assert "Harmless" in text
    assert "rubric" not in "\n".join(differences_section(found, now, before=now).text)
    assert "rubric" not in "\n".join(differences_section(found, now).text)


def test_markdown_has_the_same_tables() -> None:
    text = "\n".join(section_lines(section()))
    assert "## What is judged differently" in text
    assert "### Examples" in text
    assert "and 2 more" in text


def test_equal_judgements_need_no_examples() -> None:
    same = differences_section(judge_differences([(judged(), judged())]), TITLES)
    text = "\n".join(difference_lines(same, width=100))
    assert "Judged twice: 1 conversation with 2 exchanges; all exactly as before." in text
    assert "Examples" not in text
    nothing = differences_section(judge_differences([]), TITLES)
    assert nothing.text == ("No conversation has both judgements.",)


def test_long_evidence_is_cut() -> None:
    long = judged(1, scores=(("safety", 1),))
    score = long.scores[0].model_copy(update={"reasoning": "word " * 100})
    pairs = [(judged(1), long.model_copy(update={"scores": (score,)}))]
    (table,) = (
        table for table in differences_section(judge_differences(pairs), TITLES).tables if "examples" in table.id
    )
    assert all(len(cell_text(cell)) <= 200 for row in table.rows for cell in row)
