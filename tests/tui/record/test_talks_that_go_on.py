"""A talk goes on where it was left, and in each of its branches."""

from __future__ import annotations

from judge_server import JudgeServer, streams
from talking import kept, recording
from tui_driver import shown

from turnwise.conversations.recording import Recording
from turnwise.conversations.store import Store
from turnwise.tui.record.branches_screen import BranchesScreen
from turnwise.tui.record.talk_dialog import TalkDialog


class TestGoingOn:
    async def test_what_was_said_is_there_and_goes_along(self, judge_server: JudgeServer, store: Store):
        judge_server.script(streams("Good morning"), streams("Rye"))
        async with recording(store, judge_server.url, role="A baker") as talker:
            await talker.say("Hello", turns=2)
        async with recording(store, judge_server.url, session=1) as talker:
            await talker.until(lambda: talker.saved == 2)
            assert talker.title.title == "Record · A baker"
            assert "Good morning" in talker.lines
            await talker.say("What bread?", turns=4)
            assert "Rye" in talker.lines
        assert [content for _, content, _ in kept(store)][1:] == [
            "Hello",
            "Good morning",
            "What bread?",
            "Rye",
        ]
        assert len(judge_server.requests[1].body["messages"]) == 4

    async def test_a_message_without_an_answer_can_be_asked_again(
        self, judge_server: JudgeServer, store: Store
    ):
        Recording(store, target="x", system="").user_says("Anybody there?")
        judge_server.script(streams("Yes"))
        async with recording(store, judge_server.url, session=1) as talker:
            await talker.until(lambda: "no answer yet" in talker.notice)
            talker.screen.action_regenerate()
            await talker.until(lambda: talker.saved == 2)
        assert [content for _, content, _ in kept(store)] == ["Anybody there?", "Yes"]

    async def test_the_dialog_asks_for_the_chatbot_and_what_scores_it_alone(self, store: Store):
        Recording(store, target="x", system="").user_says("Anybody there?")
        async with recording(store, None, session=1) as talker:
            await talker.until(lambda: isinstance(talker.app.screen, TalkDialog))
            shown = [
                field.query_one(".label").render()
                for field in talker.app.screen.query(".field")
                if field.display
            ]
            assert [str(label) for label in shown] == ["address", "score by", "temperature"]


async def test_brackets_go_through_the_branches_of_a_talk(judge_server: JudgeServer, store: Store):
    judge_server.script(streams("Rye"), streams("Wheat"), streams("Oats"))
    async with recording(store, judge_server.url) as talker:
        await talker.say("What bread?", turns=2)
        await talker.press("tab", "right_square_bracket")
        assert talker.screen.talk.session_id == 1, "there is no other branch yet"
        await talker.press("ctrl+r")
        await talker.until(lambda: talker.screen.talk.session_id == 2 and talker.idle)
        assert "Wheat" in talker.lines
        await talker.press("left_square_bracket")
        assert talker.screen.talk.session_id == 1
        assert "Rye" in talker.lines
        assert "Branch 1 of 2: session 1" in talker.notice
        await talker.press("left_square_bracket")
        assert "Wheat" in talker.lines
        await talker.press("right_square_bracket", "tab")
        # What is said from here on goes on in the branch that is shown.
        await talker.say("And?", turns=4)
    assert [words for _, words, _ in kept(store, 1)] == ["What bread?", "Rye", "And?", "Oats"]
    assert [words for _, words, _ in kept(store, 2)] == ["What bread?", "Wheat"]


async def test_two_replies_are_seen_beside_each_other_and_the_talk_goes_on_in_the_better_one(
    judge_server: JudgeServer, store: Store
):
    judge_server.script(streams("Rye"), streams("Wheat"))
    async with recording(store, judge_server.url, (140, 40)) as talker:
        await talker.say("What bread?", turns=2)
        await talker.press("ctrl+r")
        await talker.until(lambda: talker.screen.talk.session_id == 2 and talker.idle)
        await talker.press("f4")
        await talker.until(lambda: isinstance(talker.app.screen, BranchesScreen))
        await talker.until(lambda: "Rye" in shown(talker.app) and "Wheat" in shown(talker.app))
        await talker.press("tab", "enter")
        await talker.until(lambda: talker.screen.talk.session_id == 1)
        assert "Branch 1 of 2: session 1" in talker.notice


async def test_branches_of_a_talk_that_goes_on_are_known(judge_server: JudgeServer, store: Store):
    first = Recording(store, target="bot")
    first.user_says("What bread?")
    first.assistant_says("Rye", seconds=0.1)
    second = first.fork(before=2)
    second.assistant_says("Wheat", seconds=0.1)
    third = second.fork(before=1)
    third.user_says("What cake?")
    for one in (first, second, third):
        one.close()
    async with recording(store, judge_server.url, session=2) as talker:
        assert talker.screen.talk.branches() == [1, 2, 3]
        await talker.press("tab", "right_square_bracket")
        assert "What cake?" in "".join(talker.lines)
