"""What tests of several folders share."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

# Tests are no package (importlib mode), so that shared modules are found by this folder.
sys.path.insert(0, str(Path(__file__).parent))

from judge_server import JudgeServer


@pytest.fixture
async def judge_server() -> AsyncIterator[JudgeServer]:
    """A scripted OpenAI-compatible server; see judge_server.py."""
    server = await JudgeServer().start()
    yield server
    await server.close()
