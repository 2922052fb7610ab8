from pathlib import Path

import pytest

from turnwise.conversations.errors import NotFoundError
from turnwise.engine.models.embedded.catalogue import find_model
from turnwise.engine.models.embedded.folder import installed, model_path, models_folder


def sparse_file(path: Path, size: int) -> Path:
    with path.open("wb") as file:
        file.truncate(size)
    return path


def test_the_folder_is_the_users_own_unless_another_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("TURNWISE_MODELS", raising=False)
    assert models_folder().parts[-2:] == ("turnwise", "models")
    monkeypatch.setenv("TURNWISE_MODELS", str(tmp_path))
    assert models_folder() == tmp_path


def test_known_models_come_first_then_the_users_own(tmp_path: Path) -> None:
    known = find_model("smollm2")
    sparse_file(tmp_path / known.file_name, known.size_bytes)
    sparse_file(tmp_path / "a-mine.gguf", 10)
    sparse_file(tmp_path / f".{known.file_name}.partial", 10)
    assert [(model.name, model.known) for model in installed(tmp_path)] == [
        (known.name, known),
        ("a-mine", None),
    ]


def test_a_known_model_of_the_wrong_size_is_not_there(tmp_path: Path) -> None:
    known = find_model("smollm2")
    sparse_file(tmp_path / known.file_name, known.size_bytes - 1)
    assert installed(tmp_path) == []
    with pytest.raises(NotFoundError) as caught:
        model_path("smollm2", tmp_path)
    assert "turnwise judge pull smollm2-135m" in caught.value.next_step


def test_no_folder_holds_no_models(tmp_path: Path) -> None:
    assert installed(tmp_path / "nowhere") == []


def test_a_model_is_found_by_name_by_its_own_name_and_by_path(tmp_path: Path) -> None:
    known = find_model("smollm2")
    pulled = sparse_file(tmp_path / known.file_name, known.size_bytes)
    mine = sparse_file(tmp_path / "mine.gguf", 10)
    assert model_path("smollm2", tmp_path) == pulled
    assert model_path("mine", tmp_path) == mine
    assert model_path(str(mine), tmp_path) == model_path(mine, tmp_path) == mine


def test_a_path_without_a_file_says_how_to_get_a_model(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError) as caught:
        model_path(tmp_path / "gone.gguf")
    assert "turnwise judge pull" in caught.value.next_step
