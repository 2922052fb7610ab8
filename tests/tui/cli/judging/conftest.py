"""A judge for commands that judge."""

from __future__ import annotations

import pytest
from judge_server import JudgeServer
from judged import answers_all


@pytest.fixture
def server(judge_server_apart: JudgeServer) -> JudgeServer:
    """A server that passes whatever it is asked about."""
    judge_server_apart.default = answers_all
    return judge_server_apart


@pytest.fixture
def judge(server: JudgeServer) -> list[str]:
    """The option that names the server."""
    return ["--judge", f"{server.url}#m"]
