"""Easy questions tell which one is asked, so that nobody stares at a silent terminal."""

from __future__ import annotations

import pytest
from judge_server import JudgeServer
from model_fixture import find_or_pull_small_model

from turnwise.engine.scoring.easy_questions import ask_easy_questions


async def test_it_tells_each_question(judge_server: JudgeServer) -> None:
    told: list[tuple[int, int]] = []
    answers = await ask_easy_questions(f"{judge_server.url}#m", on_progress=lambda *now: told.append(now))
    assert told == [(1, 3), (2, 3), (3, 3)]
    assert answers.questions == len(judge_server.requests) == 3


@pytest.mark.model
async def test_an_embedded_model_is_loaded_first_and_once() -> None:
    told: list[tuple[int, int]] = []
    answers = await ask_easy_questions(
        str(find_or_pull_small_model()), on_progress=lambda *now: told.append(now)
    )
    assert told == [(0, 3), (1, 3), (2, 3), (3, 3)]
    assert answers.questions == 3
