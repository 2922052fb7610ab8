"""Any installed model is good enough to talk to."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from turnwise.conversations.errors import NotFoundError, SettingError
from turnwise.engine.chatbots.choose import choose_target
from turnwise.engine.models.embedded.catalogue import find_model


@pytest.fixture
def small_model_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A models folder with SmolLM2 alone, which cannot judge; the file is a hole of the right size."""
    model = find_model("smollm2")
    folder = tmp_path / "only-small"
    folder.mkdir()
    path = folder / model.file_name
    path.touch()
    os.truncate(path, model.size_bytes)
    monkeypatch.setenv("TURNWISE_MODELS", str(folder))
    return path


@pytest.mark.parametrize("spec", ["embedded", None, ""])
async def test_a_model_that_cannot_judge_can_be_talked_to(small_model_only: Path, spec: str | None) -> None:
    assert (await choose_target(spec)).model_file == small_model_only


async def test_what_the_environment_names_is_not_replaced(small_model_only: Path) -> None:
    with pytest.raises(SettingError):
        await choose_target(None, environment={"OPENAI_BASE_URL": "http:///v1"})


@pytest.mark.parametrize("spec", ["none", "embedded:nosuch", "two words"])
async def test_what_was_named_otherwise_is_not_replaced(small_model_only: Path, spec: str) -> None:
    with pytest.raises((SettingError, NotFoundError)):
        await choose_target(spec)


async def test_without_any_model_it_says_how_to_get_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TURNWISE_MODELS", str(tmp_path / "none"))
    with pytest.raises((SettingError, NotFoundError)) as caught:
        await choose_target("embedded")
    assert "turnwise judge pull" in caught.value.next_step
