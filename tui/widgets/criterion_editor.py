"""CriterionEditor: the fields of a criterion, each with its name before or above it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.message import Message
from textual.widgets import Input, Static, TextArea

from turnwise.tui.criterion_form import FIELDS, CriterionForm
from turnwise.tui.widgets.switches import Switches
from turnwise.tui.widgets.text_field import TextField

SCOPES = (("conversation", "the whole conversation"), ("exchange", "the last reply"))
STRICT = (("strict", "only a full score passes"),)


class CriterionEditor(VerticalScroll, can_focus=False):
    """Shows a CriterionForm, and tells when a person changes it."""

    DEFAULT_CSS = """
    CriterionEditor {
        height: 1fr;
        padding: 0 0 0 1;
        scrollbar-size-vertical: 1;
        background: $background;
        & > .row, & > TextField { height: auto; margin: 0 1 0 0; }
        & .row > Static { width: 13; color: $text-muted; }
        & .above { color: $text-muted; margin-top: 1; height: auto; }
        & > .row.apart { margin: 1 1 0 0; }
        & Input {
            border: none; height: 1; padding: 0 1; background: $panel; width: 1fr;
            &:focus { border: none; background: $panel; background-tint: transparent; }
            &>.input--placeholder { color: $text-muted; }
        }
        & #threshold { width: 8; }
        & Switches { width: 1fr; }
        &:ansi .row > Static, &:ansi .above { text-style: dim; }
    }
    """

    @dataclass
    class Changed(Message):
        """A person changed something. place: of the criterion that is edited."""

        form: CriterionForm
        place: int

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._form = CriterionForm()
        self._place = 0

    def compose(self) -> ComposeResult:
        """Lay the fields out."""
        with Horizontal(classes="row"):
            yield Static("Name", markup=False)
            yield Input(id="name", placeholder="a short name", select_on_focus=False)
        yield Static("In plain words: what good means", classes="above", markup=False)
        yield TextField(id="words", placeholder="The assistant …")
        yield Static("Steps, one a line", classes="above", markup=False)
        yield TextField(id="steps", placeholder="none: the judge drafts them", numbered=True)
        yield Static("Rubric, a line a range of scores from 0 to 10", classes="above", markup=False)
        yield TextField(id="rubric", placeholder="none · 0-3 The reply is rude.")
        with Horizontal(classes="row apart"):
            yield Static("Passes at", markup=False)
            yield Input(id="threshold", select_on_focus=False)
            yield Switches(STRICT, id="strict")
        with Horizontal(classes="row"):
            yield Static("It judges", markup=False)
            yield Switches(SCOPES, single=True, id="scope")
        with Horizontal(classes="row"):
            yield Static("Judge reads", markup=False)
            yield Switches([(name, name.replace("_", " ")) for name in FIELDS], id="fields")

    @property
    def form(self) -> CriterionForm:
        """What the fields hold."""
        return self._form

    def put(self, form: CriterionForm, place: int) -> None:
        """Show another form, that of the criterion at a place of a list; nothing is told."""
        self._form, self._place = form, place
        self._input("name").value = form.name
        self._input("threshold").value = form.threshold
        self._text("words").put(form.criteria)
        self._text("steps").put(form.steps)
        self._text("rubric").put(form.rubric)
        self._switches("strict").put(("strict",) if form.strict else ())
        self._switches("scope").put((form.scope,))
        self._switches("fields").put(form.parameters)
        self.scroll_home(animate=False)

    def write_steps(self, steps: Sequence[str]) -> None:
        """Put steps in the place of those there are; undo in the field brings them back."""
        self._text("steps").write_over(self._form.with_steps(steps).steps)

    def focus_first(self) -> None:
        """Let the plain words be written, or the name where there is none."""
        field = self._text("words") if self._form.name else self._input("name")
        field.focus()

    def _input(self, name: str) -> Input:
        return self.query_one(f"#{name}", Input)

    def _text(self, name: str) -> TextField:
        return self.query_one(f"#{name}", TextField)

    def _switches(self, name: str) -> Switches:
        return self.query_one(f"#{name}", Switches)

    @on(Input.Changed)
    @on(TextArea.Changed)
    @on(Switches.Changed)
    def _tell(self, event: Message) -> None:
        event.stop()
        kept = self._form.parameters
        chosen = self._switches("fields").on
        form = CriterionForm(
            name=self._input("name").value,
            criteria=self._text("words").text,
            steps=self._text("steps").text,
            # In the order of the file, and with what cannot be switched here.
            parameters=(
                *(name for name in kept if name in chosen or name not in FIELDS),
                *(name for name in chosen if name not in kept),
            ),
            rubric=self._text("rubric").text,
            threshold=self._input("threshold").value,
            strict=bool(self._switches("strict").on),
            scope=self._switches("scope").on[0],
        )
        if form != self._form:
            self._form = form
            self.post_message(self.Changed(form, self._place))

    @on(Input.Submitted)
    def _go_on(self, event: Input.Submitted) -> None:
        event.stop()
        self.screen.focus_next()
