"""Review queues: made in the library, read in Review, taken up again."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from scored_sessions import add_outcomes
from stored import keep
from textual.widgets import Input
from tui_driver import conversation, sessions, shown, until, words_shown

from turnwise.conversations.results import Score
from turnwise.conversations.store import Store
from turnwise.engine.people.queues import ABOUT, SAMPLERS
from turnwise.tui.actions import ACTIONS
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.library.library_screen import LibraryScreen
from turnwise.tui.parts.choice_list import ChoiceList
from turnwise.tui.queues import queue_dialog
from turnwise.tui.queues.queue_dialog import QueueDialog
from turnwise.tui.review.review_screen import ReviewScreen
from turnwise.tui.settings.settings import Settings

SIZES = [(80, 24), (160, 50)]


@pytest.fixture
def scored(filled: Store) -> Store:
    """Five sessions with scores; the later ones are worse."""
    for name in ("Fourth", "Fifth"):
        filled.sessions.add(conversation(name), source="x", format="x", created_at=1.0)
    for place, session in enumerate(filled.sessions.ids()):
        add_outcomes(filled, session, Score(metric="m", reason="x", score=1 - place / 5, threshold=0.5))
    return filled


def library_line(app: TurnwiseApp, session: int) -> str:
    """The session's row in the library, without the preview beside it."""
    place = app.store.sessions.ids().index(session)
    view = sessions(app)
    return view.render_line(view.head + place).text


def session(app: TurnwiseApp) -> int:
    assert isinstance(app.screen, ReviewScreen)
    return app.screen.session_id


async def test_what_each_sampler_takes_is_read_in_full_at_120_columns(scored: Store) -> None:
    app = TurnwiseApp(scored)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("Q")
        await until(pilot, lambda: isinstance(app.screen, QueueDialog) and "something new" in shown(app))
        for about in ABOUT.values():
            assert about in shown(app)


@pytest.mark.parametrize("size", SIZES)
async def test_a_queue_is_made_read_and_taken_up_after_a_restart(
    scored: Store, size: tuple[int, int]
) -> None:
    worst = scored.sessions.ids()[::-1]
    app = TurnwiseApp(scored)
    async with app.run_test(size=size) as pilot:
        await pilot.press("Q")
        await until(pilot, lambda: isinstance(app.screen, QueueDialog) and "failures first" in shown(app))
        await pilot.press("j")
        await until(pilot, lambda: "by the scores of all metrics" in words_shown(app))
        await pilot.press("W")
        await until(pilot, lambda: "by the scores of m (" in words_shown(app))
        app.screen.query_one("#size", Input).value = "3"
        app.screen.query_one("#name", Input).value = "worst"
        await pilot.press("enter")
        await until(
            pilot, lambda: isinstance(app.screen, ReviewScreen) and "no. 1 · 0 of 3 done" in shown(app)
        )
        assert session(app) == worst[0]
        await pilot.press("p")
        await until(pilot, lambda: "no. 2 · 1 of 3 done" in shown(app))
        assert session(app) == worst[1]
        await pilot.press("K")
        await until(pilot, lambda: "no. 1 · 1 of 3 done" in shown(app))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen))
    again = TurnwiseApp(scored)
    async with again.run_test(size=size) as pilot:
        await pilot.press("Q")
        await until(pilot, lambda: "1 of 3 done" in shown(again))
        await pilot.press("enter")
        await until(
            pilot, lambda: isinstance(again.screen, ReviewScreen) and "no. 2 · 1 of 3 done" in shown(again)
        )
        assert session(again) == worst[1]


async def test_a_queue_begun_by_the_key_after_the_one_that_chose_it_has_the_name_offered(
    scored: Store,
) -> None:
    scored.queues.add("friday", scored.sessions.ids()[:2], sampler="random")
    app = TurnwiseApp(scored)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("Q")
        await until(pilot, lambda: isinstance(app.screen, QueueDialog) and "something new" in shown(app))
        dialog = app.screen
        assert isinstance(dialog, QueueDialog)
        # Both before the dialog hears that the cursor has moved.
        dialog.choices.action_choice_down()
        dialog.action_begin()
        await until(pilot, lambda: isinstance(app.screen, ReviewScreen))
        assert len(scored.queues.all()) == 2


async def test_what_waits_in_a_queue_shows_no_verdict_in_the_library_before_its_label(scored: Store) -> None:
    first, second, *_ = scored.sessions.ids()
    scored.queues.add("mine", [first, second], sampler="random")
    scored.labels.add(first, "pass", author="me", blind=True)
    app = TurnwiseApp(scored)
    async with app.run_test(size=(120, 30)) as pilot:
        await until(pilot, lambda: "·" in library_line(app, second))
        assert "✓" in library_line(app, first)
        assert "·" not in library_line(app, scored.sessions.ids()[-1])
        await pilot.press("j")
        await until(pilot, lambda: "Scores hidden:" in shown(app))
        # Who looks at the scores in the review sees them here too.
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ReviewScreen))
        await pilot.press("s")
        await until(pilot, lambda: second in app.seen)
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen))
        await until(pilot, lambda: "·" not in library_line(app, second))


async def test_without_blind_reviews_the_library_hides_nothing(scored: Store) -> None:
    session = scored.sessions.ids()[0]
    scored.queues.add("mine", [session], sampler="random")
    app = TurnwiseApp(scored, settings=Settings(blind=False))
    async with app.run_test(size=(120, 30)) as pilot:
        await until(pilot, lambda: "✓" in library_line(app, session))


async def test_a_queue_by_the_mouse_from_what_is_selected(scored: Store) -> None:
    app = TurnwiseApp(scored)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("space", "space", "Q")
        await until(pilot, lambda: "without a label among the 2 selected" in words_shown(app))
        await pilot.click(ChoiceList, offset=(6, 3))
        await until(pilot, lambda: "evenly by tag " in app.screen.query_one("#name", Input).value)
        assert isinstance(app.screen, QueueDialog)
        await pilot.click(ChoiceList, offset=(6, 3))
        await until(pilot, lambda: isinstance(app.screen, ReviewScreen) and "0 of 2 done" in shown(app))
        [queue] = scored.queues.all()
        assert (queue.sampler, queue.count) == ("tags", 2)


async def test_a_queue_is_forgotten(scored: Store) -> None:
    scored.queues.add("old", scored.sessions.ids(), sampler="random", settings={"query": "tag:x"})
    app = TurnwiseApp(scored)
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("Q")
        await until(pilot, lambda: "Chosen: at random, of tag:x; 5 left." in shown(app))
        await pilot.press("D")
        await until(pilot, lambda: scored.queues.all() == [])


async def test_it_says_from_what_is_chosen(scored: Store) -> None:
    scored.labels.add(scored.sessions.ids()[0], "fail", author="me", blind=True)
    app = TurnwiseApp(scored)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("Q")
        told = "It chooses from the 4 without a label among all 5 sessions."
        await until(pilot, lambda: told in shown(app))
        await pilot.press(*["down"] * SAMPLERS.index("disputed"))
        told = "Of all 5 sessions none is seen differently by two people and not settled."
        await until(pilot, lambda: told in words_shown(app))
        await pilot.press("escape", "slash", *"label", "colon", *"fail", "enter")
        await until(pilot, lambda: sessions(app).count == 1)
        await pilot.press("Q")
        await until(
            pilot, lambda: "It chooses from the one that matches, labelled or not" in words_shown(app)
        )


async def test_it_says_how_many_are_in_dispute(scored: Store) -> None:
    scored.labels.add(scored.sessions.ids()[0], "fail", author="me", blind=True)
    scored.labels.add(scored.sessions.ids()[0], "pass", author="you", blind=True)
    app = TurnwiseApp(scored)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("Q")
        await until(pilot, lambda: isinstance(app.screen, QueueDialog) and "at random" in shown(app))
        await pilot.press(*["down"] * SAMPLERS.index("disputed"))
        told = "It chooses from the 1 in dispute among all 5 sessions."
        await until(pilot, lambda: told in words_shown(app))


async def test_no_more_is_offered_than_there_is(scored: Store) -> None:
    first, *others = scored.sessions.ids()
    scored.labels.add(first, "pass", author="a", blind=True)
    app = TurnwiseApp(scored)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("Q")
        await until(
            pilot, lambda: isinstance(app.screen, QueueDialog) and "the 4 without a label" in shown(app)
        )
        size = app.screen.query_one("#size", Input)
        assert size.value == "4"
        size.value = "2"
        await pilot.press("down")
        await until(pilot, lambda: "failures first" in app.screen.query_one("#name", Input).value)
        assert size.value == "2"
        await pilot.press("escape")
        for one in others:
            scored.labels.add(one, "pass", author="a", blind=True)
        await pilot.press("Q")
        told = "Nothing is left to review: of all 5 sessions none is without a label."
        await until(pilot, lambda: told in words_shown(app))
        assert "as in label:fail" in words_shown(app)
        assert not app.screen.query_one("#size").is_on_screen
        assert "tab next field" not in shown(app)


async def test_the_size_that_is_clicked_is_written_over(scored: Store) -> None:
    app = TurnwiseApp(scored)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("Q")
        # What is counted meanwhile takes a line, and moves the field.
        await until(
            pilot,
            lambda: isinstance(app.screen, QueueDialog) and "the 5 without a label among" in words_shown(app),
        )
        await pilot.click("#size", offset=(2, 0))
        await pilot.press("3", "enter")
        await until(pilot, lambda: isinstance(app.screen, ReviewScreen) and "0 of 3 done" in shown(app))


async def test_what_cannot_be_chosen_is_told(scored: Store) -> None:
    for one in scored.sessions.ids():
        scored.labels.add(one, "pass", author="a", blind=True)
    app = TurnwiseApp(scored)
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("Q")
        await until(pilot, lambda: isinstance(app.screen, QueueDialog) and "at random" in shown(app))
        await pilot.press("enter")
        await until(pilot, lambda: "All 5 of these sessions have a label" in shown(app))
        app.screen.query_one("#size", Input).value = "0"
        await pilot.press("enter")
        await until(pilot, lambda: "at least one session" in shown(app))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen))


BY = next(action for action in ACTIONS["queue"] if action.name == "by")


@pytest.mark.parametrize("size", SIZES)
async def test_as_many_of_each_language_are_taken(store: Store, size: tuple[int, int]) -> None:
    for number in range(8):
        keep(store, f"talk {number}", "yes", metadata={"language": "es" if number == 5 else "en"})
    app = TurnwiseApp(store)
    async with app.run_test(size=size) as pilot:
        await pilot.press("Q")
        await until(pilot, lambda: isinstance(app.screen, QueueDialog) and "at random" in shown(app))
        await pilot.press("ctrl+g", "ctrl+g")
        # What the key does next is said, and then what it did.
        screen = app.screen
        assert isinstance(screen, QueueDialog)
        await until(pilot, lambda: screen.key_now(BY).title == "evenly by meta.language")
        await pilot.press("ctrl+g")
        await until(pilot, lambda: "among all 8 sessions, as many of each meta.language." in words_shown(app))
        app.screen.query_one("#size", Input).value = "2"
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ReviewScreen))
        [queue] = store.queues.all()
        assert queue.settings["by"] == "meta.language"
        taken = {item.session_id for item in store.queues.items(queue.id)}
        assert set(store.sessions.ids("meta.language:es")) <= taken


async def test_a_queue_is_shared_among_people_two_to_a_session(scored: Store) -> None:
    app = TurnwiseApp(scored)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("Q")
        await until(pilot, lambda: isinstance(app.screen, QueueDialog))
        await until(pilot, lambda: "people a session" in shown(app))
        assert "Each session is labelled" not in shown(app)
        app.screen.query_one("#people", Input).value = "ada, ben, cleo"
        await until(pilot, lambda: "Each session is labelled by 1 of 3." in words_shown(app))
        app.screen.query_one("#each", Input).value = "4"
        await pilot.press("enter")
        await until(pilot, lambda: "by 4 people, and 3 are named" in words_shown(app))
        app.screen.query_one("#each", Input).value = "2"
        await until(pilot, lambda: "Each session is labelled by 2 of 3." in words_shown(app))
        await pilot.press("enter")
        await until(pilot, lambda: len(scored.queues.all()) == 1)
    [queue] = scored.queues.all()
    shares = scored.queues.shares(queue.id)
    assert sorted(one.author for one in shares) == ["ada", "ben", "cleo"]
    assert sum(one.count for one in shares) == 10


async def test_a_key_is_named_only_where_it_is_not_a_letter_of_what_is_typed(scored: Store) -> None:
    app = TurnwiseApp(scored)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("Q")
        await until(
            pilot, lambda: isinstance(app.screen, QueueDialog) and "failures first" in words_shown(app)
        )
        await pilot.press("j")
        await until(pilot, lambda: "by the scores of all metrics (W takes one metric)." in words_shown(app))
        await pilot.press("tab")
        await until(pilot, lambda: "by the scores of all metrics." in words_shown(app))
        await pilot.press("shift+tab")
        await until(pilot, lambda: "W takes one metric" in words_shown(app))


async def test_what_is_finished_stands_last_and_enter_says_what_it_does(scored: Store) -> None:
    ids = scored.sessions.ids()
    queues = {
        name: scored.queues.add(name, some, sampler="random", at=float(at))
        for at, (name, some) in enumerate({"new": ids[:2], "begun": ids[1:3], "finished": ids[2:3]}.items())
    }
    scored.labels.add(ids[2], "pass", author="ann", blind=True)
    assert [row.name for row in scored.queues.all()] == ["finished", "begun", "new"]
    app = TurnwiseApp(scored)
    async with app.run_test(size=(100, 40)) as pilot:
        await pilot.press("Q")
        await until(pilot, lambda: isinstance(app.screen, QueueDialog) and "Finished" in shown(app))
        choices = app.screen.query_one(ChoiceList)
        wanted = {"begun": "enter go on", "new": "enter begin"}
        for name, words in wanted.items():
            assert choices.current is not None
            assert choices.current.id == f"queue:{queues[name]}"
            await until(pilot, lambda words=words: words in shown(app))
            await pilot.press("j")
        await until(pilot, lambda: "enter begin" in shown(app))
        await pilot.press("G")
        await until(pilot, lambda: "enter look back" in shown(app) and "D forget" in shown(app))
        assert choices.current.id == f"queue:{queues['finished']}"


async def test_only_finished_queues_leave_a_new_one_first(scored: Store) -> None:
    scored.queues.add("finished", scored.sessions.ids()[:1], sampler="random")
    scored.labels.add(scored.sessions.ids()[0], "pass", author="ann", blind=True)
    app = TurnwiseApp(scored)
    async with app.run_test(size=(100, 40)) as pilot:
        await pilot.press("Q")
        await until(pilot, lambda: isinstance(app.screen, QueueDialog) and "Finished" in shown(app))
        current = app.screen.query_one(ChoiceList).current
        assert current is not None
        assert current.id == "random"


async def test_one_that_was_made_ahead_shows_the_queues_and_counts_of_now(scored: Store) -> None:
    app = TurnwiseApp(scored)
    async with app.run_test(size=(160, 50)) as pilot:
        await until(pilot, lambda: app.library.list.count == 5)
        for _ in app.kept_dialogs.make(QueueDialog, lambda one: one.begin("", None, "all", ["gone"])):
            await pilot.pause()
        await app.workers.wait_for_complete()
        made = app.get_screen("kept QueueDialog")
        first, second, *_ = scored.sessions.ids()
        scored.queues.add("begun meanwhile", [first, second], sampler="random")
        scored.labels.add(first, "pass", author="me", blind=True)
        await pilot.press("Q")
        await until(pilot, lambda: app.screen is made and "begun meanwhile" in shown(app))
        assert "1 of 2 done" in shown(app)
        await pilot.press("j")
        await until(pilot, lambda: "the 4 without a label among" in words_shown(app))
        await pilot.press("j")
        await until(pilot, lambda: "by the scores of all metrics" in words_shown(app))
        await pilot.press("W")
        await until(pilot, lambda: "by the scores of m (" in shown(app))


async def test_one_that_opens_again_has_nothing_of_the_last_time(scored: Store) -> None:
    app = TurnwiseApp(scored)
    async with app.run_test(size=(160, 50)) as pilot:
        await until(pilot, lambda: app.library.list.count == 5)
        await pilot.press("Q")
        await until(pilot, lambda: "the 5 without a label among" in words_shown(app))
        dialog = app.screen
        await pilot.press("j", "W", "b", "tab", "0", "tab", *"mine", "tab", *"ada", "enter")
        await until(pilot, lambda: dialog.query_one(".wrong").display)
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen))
        await pilot.press("slash", *"label:none fourth", "enter")
        await until(pilot, lambda: app.library.list.count == 1)
        await pilot.press("Q")
        await until(pilot, lambda: app.screen is dialog and "the one that matches" in shown(app))
        await until(pilot, lambda: "filter asks for labels" in words_shown(app) or "a label: 1" in shown(app))
        assert not dialog.query_one(".wrong").display
        fields = {one.id: one.value for one in dialog.query(Input)}
        assert (fields["size"], fields["people"], fields["each"]) == ("1", "", "1")
        assert "mine" not in fields["name"]
        assert app.focused is dialog.query_one(ChoiceList)
        await pilot.press("j")
        await until(pilot, lambda: "by the scores of all metrics" in words_shown(app))


async def test_what_is_chosen_for_a_dialog_that_was_left_is_not_taken_by_the_next_one(
    scored: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go_on, ended = threading.Event(), threading.Event(), threading.Event()

    def slowly(*_: object, told: Callable[[int, int], None], **__: object) -> int:
        begun.set()
        go_on.wait(10)
        try:
            told(100, 200)
        finally:
            ended.set()
        return 1

    monkeypatch.setattr(queue_dialog, "make_queue", slowly)
    app = TurnwiseApp(scored)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("Q")
        await until(pilot, lambda: "the 5 without a label among" in words_shown(app))
        await pilot.press("enter")
        await until(pilot, begun.is_set)
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen))
        await pilot.press("Q")
        await until(pilot, lambda: "the 5 without a label among" in words_shown(app))
        go_on.set()
        await until(pilot, ended.is_set)
        await pilot.pause(0.1)
        assert isinstance(app.screen, QueueDialog)
        assert "Looking at" not in shown(app)
