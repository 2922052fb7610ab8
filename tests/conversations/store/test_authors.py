from __future__ import annotations

import getpass

import pytest

from turnwise.conversations.store.labels import UNKNOWN, default_author


def test_labels_stand_under_the_name_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(getpass, "getuser", lambda: "mia")
    assert default_author() == "mia"


@pytest.mark.parametrize("error", [OSError, KeyError])
def test_a_user_without_a_name_is_a_reviewer(monkeypatch: pytest.MonkeyPatch, error: type[Exception]) -> None:
    def nobody() -> str:
        raise error("no such user")

    monkeypatch.setattr(getpass, "getuser", nobody)
    assert default_author() == UNKNOWN
