"""Prompt files: what they hold, whose is used, and what is said of a broken one."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from hairpin.domain.prompts import PromptSlots
from hairpin.errors import InvalidInputError, UnknownReferenceError
from hairpin.packs.finder import BUILT_IN, PackFinder, PackRoot
from hairpin.packs.kinds import PackKind, kind_called
from hairpin.packs.listing import list_packs
from hairpin.packs.prompts import find_prompt, load_prompt
from tests.packs.pack_files import write

PROMPT = """\
---
id: turn_judge
version: 3
---

# System

You judge in {{ language }}.

## Modes
{{ modes }}

# Request

The targets: {{targets}}
"""
SLOTS = PromptSlots(
    system=frozenset({"language", "modes"}), request=frozenset({"targets"}), required=frozenset({"language", "targets"})
)


def said_of(text: str | bytes) -> str:
    data = text if isinstance(text, bytes) else text.encode()
    with pytest.raises(InvalidInputError) as caught:
        load_prompt(data, "p.md", name="turn_judge", slots=SLOTS)
    return str(caught.value)


def test_a_prompt_is_its_system_text_and_its_request() -> None:
    prompt = load_prompt(PROMPT.encode(), "p.md", name="turn_judge", slots=SLOTS)
    assert (prompt.id, prompt.version) == ("turn_judge", 3)
    assert prompt.system == "You judge in {{ language }}.\n\n## Modes\n{{ modes }}"
    assert prompt.request == "The targets: {{targets}}"


def test_windows_line_ends_and_a_byte_order_mark_change_nothing() -> None:
    data = b"\xef\xbb\xbf" + PROMPT.replace("\n", "\r\n").encode()
    assert load_prompt(data, "p.md", name="turn_judge", slots=SLOTS) == load_prompt(
        PROMPT.encode(), "p.md", name="turn_judge", slots=SLOTS
    )


def test_a_heading_in_a_code_fence_is_text() -> None:
    text = PROMPT.replace("## Modes", "```\n# Request\n```")
    assert "# Request" in load_prompt(text.encode(), "p.md", name="turn_judge", slots=SLOTS).system


def test_a_users_own_prompt_shadows_the_one_that_ships(tmp_path: Path) -> None:
    shipped = write(tmp_path / "shipped", {"agents/turn_judge.md": PROMPT})
    mine = write(tmp_path / "mine", {"agents/turn_judge.md": PROMPT.replace("version: 3", "version: 4")})
    finder = PackFinder((PackRoot("--packs", mine), PackRoot(BUILT_IN, shipped)))
    prompt, origin = find_prompt("turn_judge", finder, slots=SLOTS)
    assert prompt.version == 4
    assert (origin.kind, origin.name) == ("prompt", "turn_judge")
    assert origin.origin == f"--packs: {mine / 'agents/turn_judge.md'}"
    assert origin.digest == hashlib.sha256((mine / "agents/turn_judge.md").read_bytes()).hexdigest()


def test_a_prompt_that_does_not_exist_says_where_it_would_have_to_lie(tmp_path: Path) -> None:
    with pytest.raises(UnknownReferenceError, match=r"agents/strategist\.md: unknown prompt 'strategist'"):
        find_prompt("strategist", PackFinder((PackRoot("project", tmp_path),)), slots=SLOTS)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("---\nid", "id", "p.md:1: the front matter is missing"),
        ("---\n\n# System", "# System", "p.md:1: the front matter does not end"),
        ("version: 3", "version: 0", "p.md:3: version must be at least 1, not 0"),
        ("version: 3\n", "", "p.md:2: the key 'version' is missing"),
        ("version: 3", "version: 3\nauthor: me", "p.md:4: unknown key 'author'"),
        ("id: turn_judge", "id: judge", "p.md:2: id must be 'turn_judge' like the name of the file, not 'judge'"),
        ("# System", "# Sytem", "p.md:6: unknown section '# Sytem'; did you mean 'System'?"),
        ("## Modes", "# Modes", "p.md:10: unknown section '# Modes'; only '# System' and '# Request'"),
        ("# Request", "# System", "p.md:13: a second section '# System'; it begins in line 6 already"),
        ("# Request\n", "", "the section '# Request' is missing"),
        ("The targets: {{targets}}", "", "p.md:13: the section '# Request' is empty"),
        ("# System", "Hello\n\n# System", "p.md:6: text stands before '# System'"),
        ("{{ modes }}", "{{ mode }}", "p.md:11: unknown slot 'mode'; did you mean 'modes'?"),
        ("{{ modes }}", "{{ Modes }}", "p.md:11: '{{ Modes }}' is no slot"),
        ("{{ modes }}", "{{ targets }}", "p.md:11: the slot 'targets' cannot be filled in '# System'; move it to"),
        ("{{ language }}", "English", "p.md:6: the slot 'language' is missing from '# System'; add '{{ language }}'"),
    ],
)
def test_a_broken_prompt_says_line_and_way_out(old: str, new: str, said: str) -> None:
    assert PROMPT.count(old) >= 1
    assert said in said_of(PROMPT.replace(old, new, 1))


def test_sections_in_the_wrong_order_are_refused() -> None:
    head, system, request = PROMPT.partition("# System")[0], "# System\n{{ language }}\n", "# Request\n{{ targets }}\n"
    assert "p.md:8: '# System' comes after '# Request'" in said_of(head + request + system)


def test_everything_that_is_wrong_is_said_at_once() -> None:
    said = said_of(PROMPT.replace("version: 3", "version: x").replace("{{ modes }}", "{{ mode }}")).splitlines()
    assert len(said) == 2


def test_bytes_that_are_no_text_are_refused() -> None:
    assert "is not UTF-8" in said_of(PROMPT.encode() + b"\xe9")


def test_prompts_are_listed_and_other_texts_in_that_folder_are_not(tmp_path: Path) -> None:
    titled = PROMPT.replace("version: 3", "version: 3\ntitle: Strict")
    root = write(
        tmp_path,
        {"agents/turn_judge.md": titled, "agents/strategist.md": "no front matter", "agents/README.md": "# Hello"},
    )
    entries = {entry.name: entry for entry in list_packs(PackFinder((PackRoot("project", root),)), [PackKind.PROMPT])}
    assert sorted(entries) == ["strategist", "turn_judge"]
    assert entries["turn_judge"].title == "Strict"
    assert "the front matter is missing" in entries["strategist"].problem
    assert kind_called("prompts", where="packs list") is PackKind.PROMPT
