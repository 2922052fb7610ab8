from __future__ import annotations

from pathlib import Path

import pytest

from turnwise.tui.settings.settings import labeller


def test_who_is_named_goes_before_the_settings_and_they_before_the_user(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TURNWISE_CONFIG", str(tmp_path))
    monkeypatch.setattr("turnwise.conversations.store.labels.default_author", lambda: "user")
    assert labeller() == "user"
    (tmp_path / "settings.toml").write_text('author = "Mia"\n', encoding="utf-8")
    assert labeller() == "Mia"
    assert labeller(" ann ") == "ann"
    assert labeller(" ") == "Mia"
