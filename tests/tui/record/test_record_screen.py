"""The record screen: a talk is shown as it is written, kept as it is said, and never lost by a key."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from judge_server import JudgeServer, drops, hangs, streams
from talking import kept, recording
from textual.widgets import Input

from turnwise.conversations.recording import role_prompt
from turnwise.conversations.results import Score
from turnwise.conversations.store import Store
from turnwise.conversations.store.scores import Identity
from turnwise.engine.metrics.registry import make_metric
from turnwise.engine.models import served
from turnwise.engine.models.embedded.server import EmbeddedServer
from turnwise.tui.parts.choice_list import ChoiceList
from turnwise.tui.parts.message_editor import MessageEditor
from turnwise.tui.parts.notice import Notice
from turnwise.tui.reading.score_pane import ScorePane
from turnwise.tui.reading.transcript import TranscriptView
from turnwise.tui.record.live_line import LiveLine
from turnwise.tui.record.record_screen import RecordScreen
from turnwise.tui.record.talk_dialog import TalkDialog


async def test_a_talk_is_shown_and_kept(judge_server: JudgeServer, store: Store):
    judge_server.script(streams("Good ", "morning"), streams("**Rye**"))
    async with recording(store, judge_server.url, role="A baker") as talker:
        assert talker.title.title == "Record · A baker"
        assert "scripted-1" in talker.title.detail
        await talker.until(lambda: "Nothing is said yet" in talker.notice)
        await talker.say("Hello", turns=2)
        assert talker.notice == ""
        assert talker.editor.text == ""
        await talker.say("What bread?", turns=4)
        assert "Good morning" in talker.lines
        assert "Rye" in talker.lines
    assert kept(store) == [
        ("system", role_prompt("A baker"), False),
        ("user", "Hello", False),
        ("assistant", "Good morning", False),
        ("user", "What bread?", False),
        ("assistant", "**Rye**", False),
    ]


async def test_a_reply_is_shown_while_it_is_written(judge_server: JudgeServer, store: Store):
    rest = asyncio.Event()
    judge_server.script(streams("Well, ", "let me see", hold=rest))
    async with recording(store, judge_server.url) as talker:
        await talker.say("Have you rye?")
        await talker.until(lambda: any(line.startswith("Well,") for line in talker.lines))
        header = next(line for line in talker.lines if line.startswith("2"))
        assert "1 piece · " in header
        assert kept(store) == [("user", "Have you rye?", False)], "said things are kept before the reply is"
        assert talker.saved == 1
        rest.set()
        await talker.until(lambda: talker.saved == 2)
        assert "Well, let me see" in talker.lines
        assert "piece" not in "".join(talker.lines)


async def test_enter_sends_and_ctrl_j_begins_a_line(judge_server: JudgeServer, store: Store):
    judge_server.script(streams("Yes"))
    async with recording(store, judge_server.url) as talker:
        await talker.press("a", "ctrl+j", "b", "enter")
        await talker.until(lambda: talker.saved == 2)
    assert kept(store)[0] == ("user", "a\nb", False)


async def test_an_empty_message_is_not_sent(judge_server: JudgeServer, store: Store):
    async with recording(store, judge_server.url) as talker:
        await talker.press("space", "enter")
        assert judge_server.requests == []
    assert store.sessions.count() == 0


async def test_a_reply_can_be_cut_short_and_what_came_is_kept(judge_server: JudgeServer, store: Store):
    judge_server.script(streams("Well, ", "no", hold=asyncio.Event()), streams("Bye"))
    async with recording(store, judge_server.url) as talker:
        await talker.say("Tell me all")
        await talker.until(lambda: any(line.startswith("Well,") for line in talker.lines))
        talker.editor.write("Next")
        await talker.press("enter")
        assert talker.editor.text == "Next", "a message that cannot be sent yet stays"
        await talker.press("ctrl+x")
        await talker.until(lambda: talker.saved == 2)
        assert kept(store)[-1] == ("assistant", "Well, ", True)
        assert "cut short" in " ".join(talker.lines)
        await talker.say("Goodbye", turns=4)


async def test_a_reply_can_be_cut_short_before_it_began(judge_server: JudgeServer, store: Store):
    judge_server.script(hangs(), streams("Here"))
    async with recording(store, judge_server.url) as talker:
        await talker.say("Hello?")
        await talker.until(lambda: judge_server.requests)
        await talker.press("ctrl+x")
        await talker.until(lambda: "Cut short" in talker.notice)
        assert kept(store) == [("user", "Hello?", False)]
        await talker.press("ctrl+r")
        await talker.until(lambda: talker.saved == 2)
    assert kept(store) == [("user", "Hello?", False), ("assistant", "Here", False)]


async def test_a_chatbot_that_goes_away_can_be_asked_again(judge_server: JudgeServer, store: Store):
    judge_server.script(drops(), streams("Here"))
    async with recording(store, judge_server.url) as talker:
        await talker.say("Hello?")
        await talker.until(lambda: "cannot be reached" in talker.notice)
        assert "ctrl+r asks again" in talker.notice
        await talker.press("ctrl+r")
        await talker.until(lambda: talker.saved == 2)
        assert talker.notice == ""
    assert store.sessions.count() == 1, "nothing was taken back, so nothing is forked"


async def test_regenerate_asks_again_in_a_fork(judge_server: JudgeServer, store: Store):
    judge_server.script(streams("No"), streams("Yes"))
    async with recording(store, judge_server.url) as talker:
        await talker.say("Rye?", turns=2)
        await talker.press("ctrl+r")
        await talker.until(lambda: "Yes" in talker.lines and talker.idle)
        assert "No" not in talker.lines
        said = "This is a branch, session 2; what was before stays in session 1. f4 shows both."
        assert talker.notice == said
    assert [content for _, content, _ in kept(store, 1)] == ["Rye?", "No"]
    assert [content for _, content, _ in kept(store, 2)] == ["Rye?", "Yes"]
    case = store.sessions.case(2)
    assert case.metadata is not None
    assert case.metadata["forked_from"] == 1
    assert [message["content"] for message in judge_server.requests[1].body["messages"]] == ["Rye?"]


async def test_an_edited_message_goes_on_in_a_fork(judge_server: JudgeServer, store: Store):
    judge_server.script(streams("One"), streams("Two"), streams("Three"))
    async with recording(store, judge_server.url) as talker:
        await talker.say("First", turns=2)
        await talker.say("Second", turns=4)
        talker.editor.write("half a thought")
        await talker.press("ctrl+e")
        assert talker.editor.text == "Second"
        await talker.press("ctrl+e")
        assert talker.editor.text == "First"
        await talker.press("escape")
        assert talker.editor.text == "half a thought"
        await talker.press("ctrl+e")
        await talker.say("Second, better", turns=4)
        assert "Three" in talker.lines
    assert [content for _, content, _ in kept(store, 1)] == ["First", "One", "Second", "Two"]
    assert [content for _, content, _ in kept(store, 2)] == ["First", "One", "Second, better", "Three"]


async def test_finishing_names_the_session(judge_server: JudgeServer, store: Store):
    judge_server.script(streams("Hi"))
    async with recording(store, judge_server.url) as talker:
        await talker.say("Hello", turns=2)
        await talker.press("escape")
        await talker.until(lambda: not isinstance(talker.app.screen, RecordScreen))
        told = [note.message for note in talker.app._notifications]
        assert any("session 1" in message and "Hello" in message for message in told)


async def test_a_message_that_was_not_sent_is_not_lost_by_one_key(judge_server: JudgeServer, store: Store):
    async with recording(store, judge_server.url) as talker:
        talker.editor.write("Precious")
        await talker.press("escape")
        assert talker.editor.text == "Precious"
        await talker.press("escape")
        await talker.until(lambda: not isinstance(talker.app.screen, RecordScreen))
    assert store.sessions.count() == 0


async def test_escape_within_a_reply_waits_no_longer_and_says_what_is_kept(
    judge_server: JudgeServer, store: Store
):
    judge_server.script(hangs(), streams("Hi"))
    async with recording(store, judge_server.url) as talker:
        await talker.say("Hello")
        await talker.until(lambda: len(judge_server.requests) == 1)
        await talker.press("escape")
        told = "your message is kept without one. ctrl+r asks again, esc leaves."
        await talker.until(lambda: told in talker.notice and talker.idle)
        assert isinstance(talker.app.screen, RecordScreen)
        assert kept(store) == [("user", "Hello", False)]
        await talker.press("ctrl+r")
        await talker.until(lambda: "Hi" in talker.lines and talker.idle)
        assert talker.notice == ""
    assert kept(store) == [("user", "Hello", False), ("assistant", "Hi", False)]


async def test_whoever_leaves_without_a_reply_is_told_how_to_go_on(judge_server: JudgeServer, store: Store):
    judge_server.script(hangs())
    async with recording(store, judge_server.url) as talker:
        await talker.say("Hello")
        await talker.until(lambda: len(judge_server.requests) == 1)
        await talker.press("escape")
        await talker.until(lambda: "esc leaves" in talker.notice)
        await talker.press("escape")
        await talker.until(lambda: not isinstance(talker.app.screen, RecordScreen))
        told = [note.message for note in talker.app._notifications]
        assert any("turnwise record --resume 1 goes on" in message for message in told)


async def test_finishing_within_a_reply_keeps_what_came(judge_server: JudgeServer, store: Store):
    judge_server.script(streams("Well, ", "no", hold=asyncio.Event()))
    async with recording(store, judge_server.url) as talker:
        await talker.say("Tell me")
        await talker.until(lambda: any(line.startswith("Well,") for line in talker.lines))
        await talker.press("escape")
        await talker.until(lambda: "kept as far as it came" in talker.notice)
        await talker.press("escape")
        await talker.until(lambda: not isinstance(talker.app.screen, RecordScreen))
    assert kept(store)[-1] == ("assistant", "Well, ", True)


async def test_leaving_the_app_within_a_reply_keeps_what_came(judge_server: JudgeServer, store: Store):
    judge_server.script(streams("Well, ", "no", hold=asyncio.Event()))
    async with recording(store, judge_server.url) as talker:
        await talker.say("Tell me")
        await talker.until(lambda: any(line.startswith("Well,") for line in talker.lines))
        talker.app.exit()
    assert kept(store)[-1] == ("assistant", "Well, ", True)


async def test_reading_back_is_not_disturbed_by_what_is_written(judge_server: JudgeServer, store: Store):
    rest = asyncio.Event()
    judge_server.script(streams("\n\n".join(f"Paragraph {n}" for n in range(40))))
    judge_server.script(streams("More", " and more", hold=rest))
    async with recording(store, judge_server.url) as talker:
        await talker.say("Read to me", turns=2)
        await talker.say("Go on")
        await talker.until(lambda: "More" in talker.lines)
        await talker.press("pageup")
        seen = talker.lines
        assert "More" not in seen
        rest.set()
        await talker.until(lambda: talker.saved == 4)
        assert talker.lines == seen


async def test_what_a_chatbot_says_is_not_obeyed(judge_server: JudgeServer, store: Store):
    judge_server.script(streams("\x1b[31mred \u202eback [bold]no[/bold]"))
    async with recording(store, judge_server.url) as talker:
        await talker.say("Hello", turns=2)
        shown = " ".join(talker.lines)
        assert "␛[31mred ‹U+202E›back [bold]no[/bold]" in shown
        assert "\x1b" not in shown


def add_score(store: Store, metric: str, score: float) -> None:
    run = store.runs.begin(judge="none", metrics=[metric], judge_settings={})
    identity = Identity(
        session_id=1,
        exchange=None,
        metric=metric,
        version=1,
        metric_fingerprint="m",
        case_fingerprint="c",
        judge_fingerprint="",
        judge="",
    )
    store.scores.add_all(run, [(identity, Score(metric=metric, score=score, threshold=0.5, reason="so"))])


@pytest.mark.parametrize("width", [80, 140])
async def test_the_newest_outcomes_stand_beside_the_talk(judge_server: JudgeServer, store: Store, width: int):
    judge_server.script(streams("Hi"), streams("Bye"))
    async with recording(store, judge_server.url, size=(width, 30)) as talker:
        line, pane = talker.screen.query_one(LiveLine), talker.screen.query_one(ScorePane)
        await talker.say("Hello", turns=2)
        assert not line.display
        assert not pane.display
        add_score(store, "role_adherence", 1.0)
        add_score(store, "answer_relevancy", 0.2)
        talker.app.sessions_changed.publish(None)
        await talker.pilot.pause()
        assert (line.display, pane.display) == (width == 80, width == 140)
        assert [(group.sign, group.name) for group in pane.groups] == [
            ("✗", "answer relevancy"),
            ("✓", "role adherence"),
        ]
        if width == 80:
            assert line.render_line(0).text.strip() == "live   ✗ answer relevancy   ✓ role adherence"
            await talker.say("Goodbye", turns=4)
            assert line.render_line(0).text.startswith(" as of turn 2 ")


async def test_score_now_asks_by_what(judge_server: JudgeServer, store: Store):
    judge_server.script(streams("Hi"))
    async with recording(store, judge_server.url) as talker:
        await talker.say("Hello", turns=2)
        await talker.press("ctrl+t")
        await talker.until(lambda: type(talker.app.screen).__name__ == "ScoreDialog")


async def test_without_a_chatbot_it_asks_and_offers_what_is_there(
    judge_server: JudgeServer, store: Store, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(served, "LOCAL_SERVERS", {"Some server": (judge_server.port, 4)})
    judge_server.models = [{"id": "llama"}, {"id": "qwen"}]
    judge_server.script(streams("Hi"))
    async with recording(store, None) as talker:
        await talker.until(lambda: isinstance(talker.app.screen, TalkDialog))
        dialog = talker.app.screen
        await talker.until(lambda: dialog.query_one(ChoiceList).option_count == 2)
        await talker.press("down", "tab", "tab", *"A baker")
        await talker.until(lambda: dialog.query_one(MessageEditor).text == role_prompt("A baker"))
        await talker.press("enter")
        await talker.until(lambda: talker.title.right)
        assert "qwen" in talker.title.detail
        await talker.say("Hello", turns=2)
    assert judge_server.requests[0].body["model"] == "qwen"
    assert kept(store)[0] == ("system", role_prompt("A baker"), False)


async def test_a_system_prompt_written_by_hand_stays_as_it_is(judge_server: JudgeServer, store: Store):
    judge_server.script(streams("Hi"))
    async with recording(store, None) as talker:
        await talker.until(lambda: isinstance(talker.app.screen, TalkDialog))
        dialog = talker.app.screen
        dialog.query_one("#address", Input).value = judge_server.url
        dialog.query_one(MessageEditor).write("Sell bread.")
        await talker.pilot.pause()
        dialog.query_one("#role", Input).value = "A baker"
        await talker.pilot.pause()
        await talker.press("enter")
        await talker.until(lambda: talker.title.right)
        await talker.say("Hello", turns=2)
    assert kept(store)[0] == ("system", "Sell bread.", False)
    assert store.sessions.get(1).chatbot_role == "A baker"


async def test_a_chatbot_that_is_away_brings_the_form_with_the_reason(store: Store):
    async with recording(store, "http://127.0.0.1:9/v1", role="A baker") as talker:
        await talker.until(lambda: isinstance(talker.app.screen, TalkDialog))
        dialog = talker.app.screen
        notice = dialog.query_one(Notice)
        assert "The chatbot cannot be reached" in str(notice.content)
        assert dialog.query_one("#address", Input).value == "http://127.0.0.1:9/v1"
        told = "No model runs here. Type an address; L in the library fetches a model."
        await talker.until(lambda: told in str(dialog.query_one("#looking").render()))
        await talker.press("escape")
        await talker.until(lambda: not isinstance(talker.app.screen, RecordScreen | TalkDialog))
    assert store.sessions.count() == 0


async def test_help_is_there_while_one_types(judge_server: JudgeServer, store: Store):
    async with recording(store, judge_server.url) as talker:
        await talker.press("question_mark")
        assert talker.editor.text == "?"
        await talker.press("f1")
        assert type(talker.app.screen).__name__ == "HelpScreen"


async def test_the_turns_can_have_the_keys(judge_server: JudgeServer, store: Store):
    judge_server.script(streams("Hi"))
    async with recording(store, judge_server.url, system="Be kind.") as talker:
        await talker.say("Hello", turns=2)
        await talker.press("tab", "k", "k")
        assert talker.screen.query_one(TranscriptView).cursor == 0
        await talker.press("space")
        assert any("Be kind." in line for line in talker.lines)
        await talker.press("tab", "x")
        assert talker.editor.text == "x"


async def test_a_message_can_be_sent_while_the_model_still_loads(
    judge_server: JudgeServer, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    loaded = asyncio.Event()

    async def load(server: EmbeddedServer) -> EmbeddedServer:
        await loaded.wait()
        server.base_url, server.api_key = judge_server.url, "a-key"
        return server

    monkeypatch.setattr(EmbeddedServer, "start", load)
    model = tmp_path / "mine.gguf"
    model.write_bytes(b"GGUF")
    judge_server.script(streams("Hi"))
    async with recording(store, str(model)) as talker:
        await talker.until(lambda: "Loading mine" in talker.notice)
        await talker.say("Hello")
        await talker.until(lambda: talker.saved == 1)
        assert "Loading mine" in talker.notice
        loaded.set()
        await talker.until(lambda: talker.saved == 2)
        assert talker.notice == ""
        assert "embedded mine" in talker.title.detail
    assert judge_server.requests[0].body["max_tokens"] > 0


async def test_a_file_that_is_no_model_brings_the_form_with_the_reason(store: Store, tmp_path: Path):
    pytest.importorskip("xllamacpp")
    model = tmp_path / "poem.gguf"
    model.write_text("Roses are red")
    async with recording(store, str(model)) as talker:
        await talker.until(lambda: isinstance(talker.app.screen, TalkDialog))
        assert "is not a GGUF model" in str(talker.app.screen.query_one(Notice).content)


async def test_the_focus_begins_in_the_list_and_tab_goes_through_the_fields(
    judge_server: JudgeServer, store: Store, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(served, "LOCAL_SERVERS", {"Some server": (judge_server.port, 4)})
    async with recording(store, None) as talker:
        await talker.until(lambda: isinstance(talker.app.screen, TalkDialog))
        dialog = talker.app.screen
        await talker.until(lambda: dialog.query_one(ChoiceList).option_count == 1)
        went = [dialog.focused]
        for _ in range(7):
            await talker.press("tab")
            went.append(dialog.focused)
        assert [type(widget).__name__ if widget.id is None else widget.id for widget in went] == [
            "ChoiceList",
            "address",
            "role",
            "system",
            "scenario",
            "metrics",
            "temperature",
            "ChoiceList",
        ]
        await talker.press(*"http")
        assert dialog.query_one("#address", Input).value == "http"
        assert dialog.query_one("#address").parent.has_class("-here")


async def test_without_chatbots_the_focus_is_in_the_address(store: Store):
    async with recording(store, None) as talker:
        await talker.until(lambda: isinstance(talker.app.screen, TalkDialog))
        dialog = talker.app.screen
        await talker.until(lambda: dialog.focused is dialog.query_one("#address"))


async def test_metrics_of_the_plan_score_the_talk_as_it_goes(judge_server: JudgeServer, store: Store):
    judge_server.script(streams("Rye"), streams("Wheat"))
    metrics = (make_metric("contains:Rye"),)
    async with recording(store, judge_server.url, metrics=metrics) as talker:
        await talker.say("What bread?", turns=2)
        await talker.until(lambda: [score.passed for score in store.scores.newest(1)] == [True])
        assert talker.idle
        await talker.say("And?", turns=4)
        # The first exchange keeps its score, and the second has one of its own.
        await talker.until(lambda: {score.passed for score in store.scores.newest(1)} == {True, False})
