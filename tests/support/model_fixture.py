"""The small real model that tests marked `model` run on.

A conftest makes a session fixture of it:

    @pytest.fixture(scope="session")
    def small_model() -> Path:
        return find_or_pull_small_model()
"""

from __future__ import annotations

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from turnwise.engine.models.embedded.catalogue import find_model
from turnwise.engine.models.embedded.folder import is_complete, models_folder
from turnwise.engine.models.embedded.pull import pull

TEST_MODEL_VARIABLE = "TURNWISE_TEST_MODEL"
"""Set to `pull` to have the model (98 MB) fetched into the user's own models folder."""


def find_or_pull_small_model() -> Path:
    """Return SmolLM2's file; skips the test where it is absent and was not asked to be pulled."""
    model = find_model("smollm2")
    path = models_folder() / model.file_name
    if is_complete(path, model):
        return path
    if os.environ.get(TEST_MODEL_VARIABLE) == "pull":
        # In a thread, because a test that asks for it may run in an event loop of its own.
        with ThreadPoolExecutor(1) as thread:
            return thread.submit(lambda: asyncio.run(pull(model))).result()
    pytest.skip(f"SmolLM2 is not in {models_folder()}; set {TEST_MODEL_VARIABLE}=pull to fetch it (98 MB)")
