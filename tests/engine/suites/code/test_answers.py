"""A plain Python callable as target, named on the command line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from turnwise.conversations.errors import JudgeRefusedError, NotFoundError
from turnwise.conversations.suites import SuiteCase
from turnwise.engine.suites.code.answers import CallableTarget, is_code_target

CASE = SuiteCase(index=0, prompt="Hi")


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as opened:
        yield opened


async def said(stack: ExitStack, path: Path, source: str, function: str = "") -> object:
    path.write_text(source)
    target = CallableTarget.of(f"python:{path}{function}")
    stack.callback(target.close)
    return (await target.answer(CASE, "Hi", {"q": 1})).output


@pytest.mark.parametrize(
    ("source", "function", "answer"),
    [
        ("def reply(prompt): return prompt.upper()", "", "HI"),
        ("def whatever(text): return text + '!'", "", "Hi!"),
        ("def one(t): return 1\ndef two(t): return 2", ":two", 2),
        ("def reply(messages): return messages[-1]['role']", "", "user"),
        ("async def reply(prompt): return {'output': [prompt]}", "", ["Hi"]),
        ("def call_api(prompt, options, context): return {'output': context['vars']['q']}", "", 1),
        ("def reply(prompt, tone='mild'): return prompt + tone", "", "Himild"),
        ("import os\nfrom json import dumps\ndef say(text): return dumps(text)", "", '"Hi"'),
    ],
)
async def test_it_is_given_what_it_asks_for(
    stack: ExitStack, tmp_path: Path, source: str, function: str, answer: object
) -> None:
    assert await said(stack, tmp_path / "bot.py", source, function) == answer


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("def one(t): return 1\ndef two(t): return 2", "one, two"),
        ("def reply(prompt): raise ValueError('no')", "no"),
        ("def reply(prompt): return None", "nothing"),
        ("def reply(prompt): return {'error': 'busy'}", "busy"),
        ("def reply(:", "SyntaxError"),
    ],
)
async def test_what_goes_wrong_is_told(stack: ExitStack, tmp_path: Path, source: str, told: str) -> None:
    with pytest.raises(JudgeRefusedError) as caught:
        await said(stack, tmp_path / "bot.py", source)
    assert told in str(caught.value)


@pytest.mark.parametrize("name", ["python:none.py", "python:", "python:bot.txt", "python:.", "python:x:y"])
def test_a_file_that_is_not_there_is_named(name: str) -> None:
    with pytest.raises(NotFoundError, match="no Python file"):
        CallableTarget.of(name)


def test_which_names_mean_code() -> None:
    code = ["python:x.py", "file://x.py:f", "file://x.mjs", "exec:ls", "javascript:x.js", "file://x.ts"]
    assert all(map(is_code_target, code))
    assert not any(map(is_code_target, ["echo", "openai:gpt", "file://x.yaml", "https://x.py"]))
