"""The images of a session: drawn from the review, named with a reason where they cannot be."""

from __future__ import annotations

import base64
import io
import threading

import pytest
from loading import cases
from textual.widgets import Static
from tui_driver import settled, until

from turnwise.conversations import MLLMImage, MLLMTestCase
from turnwise.conversations.images import as_conversation
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.pictures.drawn_pictures import picture_lines
from turnwise.tui.pictures.pictures_dialog import NOT_KEPT, PicturesDialog
from turnwise.tui.review.review_screen import ReviewScreen

Image = pytest.importorskip("PIL.Image")


def data_url() -> str:
    held = io.BytesIO()
    Image.new("RGB", (60, 40), "blue").save(held, "PNG")
    return "data:image/png;base64," + base64.b64encode(held.getvalue()).decode()


@pytest.fixture
def pictured(store) -> int:
    case = MLLMTestCase(
        input=["Paint the boat blue.", MLLMImage(url=data_url())],
        actual_output=["Here.", MLLMImage(url="https://boats.example/blue.png")],
        name="A boat",
    )
    return store.sessions.add(as_conversation(case), source="python", format="python").session_id


def told(app: TurnwiseApp, selector: str) -> str:
    return str(app.screen.query_one(selector, Static).content)


async def test_images_are_seen_one_after_the_other(store, pictured):
    app = TurnwiseApp(store)
    async with app.run_test(size=(80, 24)) as pilot:
        await app.push_screen(ReviewScreen(pictured))
        await pilot.pause()
        await pilot.press("I")
        await app.workers.wait_for_complete()
        await pilot.pause()
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert isinstance(app.screen, PicturesDialog)
        assert told(app, ".title") == "Image 1 of 2 · input · image/png"
        assert told(app, "#about") == "60 x 40 pixels"
        await pilot.press("right")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert told(app, ".title") == "Image 2 of 2 · output · blue.png"
        assert "https://boats.example/blue.png" in told(app, "#about")
        assert "fetches nothing" in told(app, "#about")
        await pilot.press("escape")
        assert isinstance(app.screen, ReviewScreen)


async def test_a_session_without_images_says_so(filled):
    app = TurnwiseApp(filled)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await app.push_screen(ReviewScreen(1))
        await pilot.pause()
        await pilot.press("I")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert isinstance(app.screen, ReviewScreen)
        assert [notice.message for notice in app._notifications] == ["This session has no images."]


async def test_images_of_which_only_the_kind_is_kept_are_told_as_such(store):
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    asked = {"role": "user", "content": [{"type": "text", "text": "What is it?"}, image]}
    case = cases([{"messages": [asked, {"role": "assistant", "content": "A disc."}]}])[0]
    session = store.sessions.add(case, source="seen.json", format="openai").session_id
    app = TurnwiseApp(store)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await app.push_screen(ReviewScreen(session))
        await settled(pilot)
        await pilot.press("I")
        await settled(pilot)
        assert [notice.message for notice in app._notifications] == [NOT_KEPT]


async def test_the_image_that_was_gone_to_last_stays_however_long_the_one_before_takes(
    store, pictured, monkeypatch
):
    went_on = threading.Event()

    def slowly(data, **room):
        went_on.wait(10)
        return picture_lines(data, **room)

    monkeypatch.setattr("turnwise.tui.pictures.pictures_dialog.picture_lines", slowly)
    app = TurnwiseApp(store)
    async with app.run_test(size=(80, 24)) as pilot:
        await app.push_screen(ReviewScreen(pictured))
        await settled(pilot)
        await pilot.press("I")
        await until(pilot, lambda: isinstance(app.screen, PicturesDialog))
        await pilot.press("right")
        went_on.set()
        await settled(pilot)
        await until(pilot, lambda: "https://boats.example/blue.png" in told(app, "#about"))
        await settled(pilot)
        assert "https://boats.example/blue.png" in told(app, "#about")
