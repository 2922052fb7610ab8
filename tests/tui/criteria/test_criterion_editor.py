"""CriterionEditor: what is typed is told once, and what is put is told to nobody."""

from __future__ import annotations

import pytest
from scored_sessions import BareApp
from textual.app import ComposeResult
from textual.widgets import Input, TextArea
from tui_driver import shown

from turnwise.conversations.store import Store
from turnwise.tui.criteria.criterion_editor import CriterionEditor, TextField
from turnwise.tui.criteria.criterion_form import CriterionForm
from turnwise.tui.criteria.switches import Switches

FORM = CriterionForm(
    name="Kind",
    criteria="Is kind.",
    steps="Look.\nJudge.",
    parameters=("input", "chatbot_role"),
    rubric="0-3 rude",
    threshold="0.7",
    scope="exchange",
)


class OneApp(BareApp):
    """The app in its own themes, whose colours the fields are drawn in, with nothing but the editor."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self.told: list[tuple[int, CriterionForm]] = []

    def compose(self) -> ComposeResult:
        yield CriterionEditor()

    def on_criterion_editor_changed(self, event: CriterionEditor.Changed) -> None:
        self.told.append((event.place, event.form))


async def test_what_is_put_is_shown_and_told_to_nobody(store: Store) -> None:
    app = OneApp(store)
    async with app.run_test() as pilot:
        editor = app.query_one(CriterionEditor)
        editor.put(FORM, 3)
        await pilot.pause()
        assert app.query_one("#name", Input).value == "Kind"
        assert app.query_one("#steps", TextArea).text == "Look.\nJudge."
        assert app.query_one("#scope", Switches).on == ("exchange",)
        assert (app.told, editor.form) == ([], FORM)


async def test_what_an_empty_field_says_is_slanted_and_what_is_typed_is_not(store: Store) -> None:
    app = OneApp(store)
    async with app.run_test(size=(100, 40)) as pilot:
        for name, words in (("#name", "such as: Stays polite"), ("#guidelines", "such as: Irony")):
            field = app.query_one(name)
            field.focus()
            await pilot.pause()
            for typed in (False, True):
                if typed:
                    await pilot.press(*"polite")
                drawn = [part for y in range(field.size.height) for part in field.render_line(y)]
                slanted = "".join(part.text for part in drawn if part.style is not None and part.style.italic)
                # The cursor stands on the first letter.
                assert (words[1:] in slanted) is not typed
                assert ("polite" in "".join(part.text for part in drawn).replace(words, "")) is typed


async def test_every_change_is_told_with_the_place_of_its_criterion(store: Store) -> None:
    app = OneApp(store)
    async with app.run_test(size=(100, 40)) as pilot:
        editor = app.query_one(CriterionEditor)
        editor.put(FORM, 3)
        editor.focus_first()
        await pilot.press("!")
        app.query_one("#fields", Switches).focus()
        await pilot.press("space")
        places, forms = zip(*app.told, strict=True)
        assert set(places) == {3}
        assert forms[0].criteria == "Is kind.!"
        # What the judge is shown anyway stays where the file has it.
        assert forms[-1].parameters == ("input", "chatbot_role", "scenario")


async def test_drafted_steps_are_told_as_if_they_were_typed(store: Store) -> None:
    app = OneApp(store)
    async with app.run_test() as pilot:
        editor = app.query_one(CriterionEditor)
        editor.put(FORM, 0)
        editor.write_steps(["First\nthis.", "Then that."])
        await pilot.pause()
        assert app.told[-1][1].steps == "First this.\nThen that."


async def test_a_criterion_without_a_name_is_named_first_and_enter_goes_on(store: Store) -> None:
    app = OneApp(store)
    async with app.run_test() as pilot:
        editor = app.query_one(CriterionEditor)
        editor.put(CriterionForm(), 0)
        editor.focus_first()
        await pilot.press("A", "enter", "b")
        await pilot.pause()
        assert (editor.form.name, editor.form.criteria) == ("A", "b")


@pytest.mark.parametrize("no_color", [False, True])
async def test_the_field_that_is_typed_into_has_a_broad_bar(
    store: Store, monkeypatch: pytest.MonkeyPatch, no_color: bool
) -> None:
    if no_color:
        monkeypatch.setenv("NO_COLOR", "1")
    app = OneApp(store)
    async with app.run_test(size=(80, 30)) as pilot:
        app.query_one(CriterionEditor).put(FORM, 0)
        for field in (app.query_one("#name", Input), app.query(TextField).first()):
            field.focus()
            await pilot.pause()
            begins = [line[field.region.x] for line in shown(app).splitlines()]  # type: ignore[arg-type]
            assert [y for y, sign in enumerate(begins) if sign == "▌"] == list(
                range(field.region.y, field.region.bottom)
            )
            wide = field.scrollable_content_region.width
            app.set_focus(None)
            await pilot.pause()
            # Its words stay where they are.
            assert field.scrollable_content_region.width == wide
