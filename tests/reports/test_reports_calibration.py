from __future__ import annotations

from hairpin.analysis.calibration import Goal, calibrate_thresholds
from hairpin.reports.calibration import calibration_section
from hairpin.reports.tables import Figure, Table
from tests.reports.sample_campaign import shown_rows

RIGHT, WRONG = (0.95, 0.9, 0.66, 0.62), (0.58, 0.3)


def test_the_table_has_the_papers_thresholds_the_one_in_use_and_the_best() -> None:
    found = calibrate_thresholds((*RIGHT, *WRONG), [True] * 4 + [False] * 2, default=0.75)
    section = calibration_section(found)
    table, figure = section.parts
    assert isinstance(table, Table)
    assert isinstance(figure, Figure)
    rows = shown_rows(table)
    assert [row[0] for row in rows] == ["0.40", "0.50", "0.60", "0.62", "0.70", "0.75", "0.80", "0.90"]
    assert rows[2][1:] == ["100.0 %", "100.0 %", "100.0 %", "100.0 %", "1.00"]
    assert rows[5] == ["0.75", "66.7 %", "66.7 %", "66.7 %", "75.0 %", "0.50"]
    assert section.text == (
        "4 answers labelled correct, 2 others.",
        "F1 is largest at ε = 0.62; 4 thresholds from 0.59 to 0.62 are as good. In use: 0.75.",
    )
    assert len(figure.data.rows) == 99
    assert figure.data.folded


def test_another_threshold_and_class_are_called_by_their_names() -> None:
    found = calibrate_thresholds([0.9, 0.1], [True, False], [0.5], default=0.5, goal=Goal.BALANCED_ACCURACY)
    section = calibration_section(found, symbol="ε_EC", positive="contexts labelled equivalent")
    assert section.text[1].startswith("balanced accuracy is largest at ε_EC = 0.5; no other threshold is as good.")
    table = section.tables[0]
    assert table.columns[0].name == "ε_EC"
    assert "contexts labelled equivalent" in table.note


def test_without_both_labels_nothing_is_recommended_and_it_says_why() -> None:
    section = calibration_section(calibrate_thresholds([0.9], [True], default=0.6))
    assert section.text[1] == "There is no best ε: every label is the same."
    (table,) = section.parts
    assert isinstance(table, Table)
    assert shown_rows(table)[2] == ["0.60", "100.0 %", "–", "100.0 %", "–", "–"]
