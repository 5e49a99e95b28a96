"""The licence check must refuse the GPL and the unknown, and must not cry wolf."""

from __future__ import annotations

from pathlib import Path

import pytest

from check_licences import declared, objection, objections
from tests.tools.installed import finder, write_distribution


@pytest.mark.parametrize(
    "licence",
    [
        "MIT",
        "MIT License",
        "Apache-2.0",
        "Apache 2.0",
        "Apache License, Version 2.0",
        "Apache Software License",
        "BSD-3-Clause",
        "BSD License",
        "ISC License (ISCL)",
        "PSF-2.0",
        "Mozilla Public License 2.0 (MPL 2.0)",
        "LGPL-3.0-only",
        "GNU Lesser General Public License v3 (LGPLv3)",
        "MIT OR Apache-2.0",
        "MPL-2.0 AND (Apache-2.0 OR MIT)",
        "Apache-2.0 AND CNRI-Python",
        "MIT OR GPL-2.0-only",
        "Apache-2.0 AND Apache-2.0 WITH LLVM-exception AND MIT",
        "(GPL-3.0-or-later OR MIT) AND BSD-2-Clause",
    ],
)
def test_accepts(licence: str) -> None:
    assert objection([licence]) is None


@pytest.mark.parametrize(
    "licence",
    [
        "GPL-3.0-or-later",
        "GPLv3",
        "AGPL-3.0-only",
        "GNU General Public License v3 (GPLv3)",
        "GNU Affero General Public License v3",
        "MIT AND GPL-2.0-only",
        "MIT AND (GPL-2.0-only OR AGPL-3.0-only)",
    ],
)
def test_refuses_the_gpl_and_says_so(licence: str) -> None:
    assert objection([licence]) == f"{licence!r} is refused"


@pytest.mark.parametrize("licence", ["Proprietary", "Apache-1.1", "MIT AND", "()", "OR MIT", "MIT MIT", "SSPL-1.0"])
def test_refuses_what_it_does_not_know(licence: str) -> None:
    reason = objection([licence])
    assert reason is not None
    assert "not known to this check" in reason


def test_refuses_silence() -> None:
    assert objection([]) == "declares no licence"


def test_one_bad_licence_among_good_ones_is_enough() -> None:
    assert objection(["MIT License", "GNU General Public License v2 (GPLv2)"]) is not None


def test_the_spdx_expression_wins_over_classifiers_and_those_over_the_free_field(tmp_path: Path) -> None:
    mit, field = "Classifier: License :: OSI Approved :: MIT License", "License: see file"
    write_distribution(tmp_path, "spdx", header=["License-Expression: ISC", mit, field])
    write_distribution(tmp_path, "classified", header=["Classifier: License :: OSI Approved", mit, field])
    write_distribution(tmp_path, "field", header=["License: MIT License"])
    write_distribution(tmp_path, "silent")
    find = finder(tmp_path)
    assert [declared(find(name)) for name in ("spdx", "classified", "field", "silent")] == [
        ["ISC"],
        ["MIT License"],
        ["MIT License"],
        [],
    ]


def test_names_the_distributions_it_objects_to(tmp_path: Path) -> None:
    write_distribution(tmp_path, "good", header=["License-Expression: MIT"])
    write_distribution(tmp_path, "bad", header=["License-Expression: AGPL-3.0-only"])
    find = finder(tmp_path)
    assert objections({name: find(name) for name in ("good", "bad")}) == ["bad: 'AGPL-3.0-only' is refused"]
