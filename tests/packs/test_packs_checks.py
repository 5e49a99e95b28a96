"""Checks that run: texts, patterns and users' functions, which may hang, raise or return nonsense."""

from __future__ import annotations

from pathlib import Path

import pytest

from hairpin.domain.checks import CheckResult, CheckSpec, ContainsCheck, FunctionCheck, RegexCheck
from hairpin.domain.conversation import Exchange
from hairpin.errors import InvalidInputError
from hairpin.packs.checks import build_checks
from hairpin.ports import Check
from tests.packs.pack_files import write

EXCHANGE = Exchange(t=2, user="Hello", assistant="The reply is 42.")
HISTORY = (Exchange(t=0, user="a", assistant="b"), Exchange(t=1, user="c", assistant="d"))


def check(folder: Path, code: str, name: str = "check", timeout_s: float = 20) -> Check:
    write(folder, {"c.py": code})
    spec = FunctionCheck(reference=f"./c.py:{name}", folder=str(folder))
    return build_checks([spec], timeout_s=timeout_s)[0]


async def result(check: Check) -> tuple[bool, str]:
    found = await check.run(EXCHANGE, HISTORY)
    assert found.name == check.name
    return found.passed, found.detail


@pytest.mark.anyio
async def test_texts_and_patterns_are_looked_for_in_the_reply() -> None:
    specs: list[CheckSpec] = [
        ContainsCheck(text="REPLY"),
        ContainsCheck(text="REPLY", ignore_case=False),
        RegexCheck(pattern=r"\d+\.$"),
    ]
    found = [await check.run(EXCHANGE, ()) for check in build_checks(specs)]
    assert [one.passed for one in found] == [True, False, True]
    assert found[1] == CheckResult(name="contains 'REPLY'", passed=False, detail="'REPLY' is not in the reply")


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("code", "passed", "detail"),
    [
        ("def check(reply): return '42' in reply", True, ""),
        ("def check(reply): return '43' in reply", False, ""),
        ("def check(reply): pass", True, ""),
        ("def check(reply): return 'too short'", False, "too short"),
        ("def check(reply): return ''", False, ""),
        ("def check(reply, exchange): return f'{exchange.t} {reply}'", False, "2 The reply is 42."),
        ("def check(reply, exchange, history): return f'{len(history)}'", False, "2"),
        ("def check(*all): return f'{len(all)}'", False, "3"),
        ("def check(reply, exchange=None, *, strict=True): return f'{exchange.user}'", False, "Hello"),
        ("def check(reply, exchange, history, more=1): return f'{more}'", False, "1"),
        ("async def check(reply): return f'{reply[:3]}'", False, "The"),
        ("async def later(reply): return 'later'\ncheck = lambda reply: later(reply)", False, "later"),
        ("class Check:\n    def __call__(self, reply): return 'called'\ncheck = Check()", False, "called"),
        ("class Check:\n    async def __call__(self, reply): return 'async'\ncheck = Check()", False, "async"),
        (
            "from hairpin.domain.checks import CheckResult\n"
            "def check(reply): return CheckResult(name='mine', passed=False, detail='own')",
            False,
            "own",
        ),
    ],
)
async def test_a_function_gets_what_it_takes_and_answers_in_its_own_way(
    tmp_path: Path, code: str, passed: bool, detail: str
) -> None:
    assert await result(check(tmp_path, code + "\n")) == (passed, detail)


@pytest.mark.anyio
async def test_a_plain_function_runs_outside_the_event_loop(tmp_path: Path) -> None:
    code = (
        "import asyncio\nasync def inner(): return 'from its own loop'\ndef check(reply): return asyncio.run(inner())\n"
    )
    assert await result(check(tmp_path, code)) == (False, "from its own loop")


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("code", "said"),
    [
        (
            "def check(reply):\n    return 3\n",
            "c.py:1: the check ./c.py:check returned a value of type int; return",
        ),
        (
            "def check(reply):\n    x = 1\n    return x / 0\n",
            "c.py:3: the check ./c.py:check raised ZeroDivisionError: ",
        ),
        (
            "async def check(reply):\n    raise KeyError('k')\n",
            "c.py:2: the check ./c.py:check raised KeyError: 'k'; mend it",
        ),
        (
            "def check(reply):\n    raise TimeoutError('own')\n",
            "c.py:2: the check ./c.py:check raised TimeoutError: own",
        ),
        ("def check(reply):\n    raise SystemExit(1)\n", "c.py:1: the check ./c.py:check raised RuntimeError: "),
    ],
)
async def test_a_broken_function_is_an_error_that_names_its_line(tmp_path: Path, code: str, said: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        await check(tmp_path, code).run(EXCHANGE, HISTORY)
    assert str(caught.value).replace(f"{tmp_path}/", "").startswith(said)


@pytest.mark.anyio
@pytest.mark.parametrize(
    "code",
    [
        "import threading\nnever = threading.Event()\ndef check(reply):\n    never.wait(5)\n",
        "import anyio\nasync def check(reply):\n    await anyio.sleep_forever()\n",
    ],
)
async def test_a_function_that_hangs_is_given_up(tmp_path: Path, code: str) -> None:
    hanging = check(tmp_path, code, timeout_s=0.05)
    with pytest.raises(
        InvalidInputError, match=r"c\.py:\d: the check \./c\.py:check did not return within 0\.05 s; make it"
    ):
        await hanging.run(EXCHANGE, HISTORY)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("def check(): ...", "check ./c.py:check: it takes 0 arguments; a check takes (reply), (reply, exchange) or"),
        ("def check(a, b, c, d): ...", "check ./c.py:check: it takes 4 arguments; a check takes"),
        ("def check(reply, *, strict): ...", "check ./c.py:check: it needs keyword arguments; a check takes"),
        ("check = 3", "check ./c.py:check: './c.py:check' is of type int and cannot be called"),
        ("def chek(reply): ...", "check ./c.py:check: './c.py' has no 'check'; did you mean 'chek'?"),
    ],
)
def test_a_function_that_takes_something_else_is_refused_before_the_run(tmp_path: Path, code: str, said: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        check(tmp_path, code + "\n")
    assert str(caught.value).startswith(said)
