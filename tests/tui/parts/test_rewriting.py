from __future__ import annotations

import pytest
from textual.app import App, ComposeResult
from textual.content import Content
from textual.widgets import Static

from turnwise.tui.parts.rewriting import rewrite


class OneLine(App[None]):
    def compose(self) -> ComposeResult:
        yield Static(Content("[b]as it is"))


async def test_only_other_words_are_laid_out(monkeypatch: pytest.MonkeyPatch) -> None:
    app = OneLine()
    async with app.run_test(size=(30, 2)):
        line = app.query_one(Static)
        updated: list[object] = []
        usual = line.update
        monkeypatch.setattr(line, "update", lambda content: (updated.append(content), usual(content)))
        rewrite(line, "[b]as it is")
        assert not updated
        rewrite(line, "other [i]words")
        assert str(line.content) == "other [i]words"
        assert len(updated) == 1
