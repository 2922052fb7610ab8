"""CriterionEditor: the fields of a criterion, each with its name before or above it.

The fields are text fields (TextField), words that are each on or off (Switches), and one-line inputs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.geometry import Size
from textual.message import Message
from textual.reactive import Reactive
from textual.widgets import Input, Static, TextArea

from turnwise.conversations.safe_text import make_safe
from turnwise.tui.criteria.criterion_form import FIELDS, CriterionForm
from turnwise.tui.criteria.switches import Switches
from turnwise.tui.drawing.still import laid_out_once
from turnwise.tui.textual_internals.fields import answers_in_turn

SCOPES = (("conversation", "the whole conversation"), ("exchange", "the last reply"))
STRICT = (("strict", "only a full score passes"),)
MOST_LINES = 12
"""A longer text scrolls."""
READ_OFTEN = ("scenario", "expected_outcome", "chatbot_role", "tools_called", "retrieval_context")
"""What criteria mostly read beside the conversation; the rest is folded away until it is asked for."""
_READ_SELDOM = tuple(name for name in FIELDS if name not in READ_OFTEN)


@answers_in_turn
class TextField(TextArea):
    """A text area whose text is safe to draw, however it came in."""

    DEFAULT_CSS = f"""
    TextField {{
        height: auto;
        min-height: 1;
        max-height: {MOST_LINES};
        overflow-y: hidden;
        padding: 0 1;
        background: $panel;
        scrollbar-size-vertical: 1;
        & .text-area--placeholder {{ color: $text-muted; text-style: italic; }}
        & .text-area--gutter {{ color: $text-muted; background: $panel; }}
        & .text-area--cursor-gutter {{ color: $text; background: $panel; }}
        &:focus {{ background-tint: transparent; }}
    }}
    """

    def __init__(self, *, placeholder: str = "", numbered: bool = False, id: str | None = None) -> None:  # noqa: A002
        """numbered: every line has its number before it."""
        super().__init__(
            "",
            placeholder=placeholder,
            id=id,
            compact=True,
            highlight_cursor_line=False,
            show_line_numbers=numbered,
            tab_behavior="focus",
        )

    def watch_virtual_size(self, size: Size) -> None:
        """Scroll only what is too long for the field.

        A field that may always scroll shows its bar while it grows by a line, and lays the screen out twice.
        """
        overflow = "auto" if size.height > MOST_LINES else "hidden"
        if self.styles.overflow_y != overflow:
            self.styles.overflow_y = overflow

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return how many lines the text takes in so many cells.

        Textual tells how many it took when it was wrapped last, in what may be another width: where sizes
        follow each other fast, the field keeps that height and hides its last lines.
        """
        bar = self.styles.scrollbar_size_vertical if self.show_vertical_scrollbar else 0
        room = width - bar - self.gutter_width - 1
        if room > 0:
            self.wrapped_document.wrap(room, tab_width=self.indent_width)
        return self.wrapped_document.height

    def put(self, text: str) -> None:
        """Put another text here, with nothing to undo: it is another criterion's."""
        safe = make_safe(text)
        if safe != self.text:
            self.text = safe
            self.move_cursor(self.document.end)

    def write_over(self, text: str) -> None:
        """Put a text in the place of what stands here; undo brings that back."""
        self.history.checkpoint()
        self.replace(make_safe(text), self.document.start, self.document.end)
        self.history.checkpoint()

    def on_paste(self, event: events.Paste) -> None:
        """Make what is pasted safe before it is drawn."""
        # Drawn at once, and a terminal would obey what it holds.
        event.stop()
        event.prevent_default()
        self.move_cursor(self.replace(make_safe(event.text), *self.selection).end_location)


class LineField(Input):
    """One line of text, whose place is the same whatever stands in it."""

    virtual_size: Reactive[Size] = laid_out_once()


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
        & .above { color: $text-accent; margin-top: 1; height: auto; }
        & > .row.apart { margin: 1 1 0 0; }
        /* The edge is there before it is seen: one that came with the focus would lay all out anew. */
        & Input {
            border: none; border-left: blank; height: 1; padding: 0 1 0 0; background: $panel; width: 1fr;
            &:focus {
                border: none; border-left: outer $accent; padding: 0 1 0 0;
                background: $panel; background-tint: transparent;
            }
            &>.input--placeholder { color: $text-muted; text-style: italic; }
        }
        /* The bar of the field that is typed into is broad, as that of a row is. */
        & TextField.-textual-compact { border-left: blank !important; padding: 0 1 0 0; }
        & TextField:focus { border-left: outer $accent !important; }
        & #threshold { width: 8; }
        & #examples > #examples-told { width: 1fr; }
        & Switches { width: 1fr; }
        &:ansi .row > Static { text-style: dim; }
    }
    /* Where a field has no ground of its own its left end is drawn. */
    CriterionEditor:ansi Input, CriterionEditor:nocolor Input, CriterionEditor:ansi Input:focus,
    CriterionEditor:nocolor Input:focus {
        border-left: vkey $text-muted; padding: 0 1 0 0;
    }
    CriterionEditor:ansi TextField, CriterionEditor:nocolor TextField,
    CriterionEditor:ansi TextField:focus, CriterionEditor:nocolor TextField:focus {
        border: none !important; border-left: vkey $text-muted !important; padding: 0 1 0 0;
    }
    CriterionEditor:ansi Input:focus, CriterionEditor:nocolor Input:focus { border-left: outer ansi_default; }
    CriterionEditor:ansi TextField:focus, CriterionEditor:nocolor TextField:focus {
        border-left: outer ansi_default !important;
    }
    """

    @dataclass
    class Changed(Message):
        """A person changed something. place: of the criterion that is edited."""

        form: CriterionForm
        place: int

    @dataclass
    class Scrolled(Message):
        """What is out of sight is another. more: whether anything is, below."""

        more: bool

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._form = CriterionForm()
        self._place = 0
        self._more = False
        """Whether it was told last that there is more below."""

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Tell when the end comes into sight, or goes out of it."""
        super().watch_scroll_y(old_value, new_value)
        self._tell_more()

    def watch_virtual_size(self) -> None:
        """Tell when fields grow beyond what is in sight, or shrink."""
        self.call_after_refresh(self._tell_more)

    def on_resize(self) -> None:
        """Tell when there is room for more, or for less."""
        self.call_after_refresh(self._tell_more)

    def _tell_more(self) -> None:
        more = self.max_scroll_y > round(self.scroll_y)
        if more != self._more:
            self._more = more
            self.post_message(self.Scrolled(more))

    def compose(self) -> ComposeResult:
        """Lay the fields out."""
        with Horizontal(classes="row"):
            yield Static("Name", markup=False)
            yield LineField(id="name", placeholder="(such as: Stays polite)", select_on_focus=False)
        yield Static("In plain words: what good means", classes="above", markup=False)
        yield TextField(id="words", placeholder="(such as: The assistant stays polite.)")
        # In one line of a window of 80 columns.
        yield Static("Steps: the judge goes by these, not the text above", classes="above", markup=False)
        yield TextField(id="steps", placeholder="(empty: the judge drafts them)", numbered=True)
        yield Static("Edge cases: how they are meant, one per line", classes="above", markup=False)
        yield TextField(id="guidelines", placeholder="(such as: Irony towards the user fails.)")
        with Horizontal(classes="row apart", id="examples"):
            yield Static("Examples", markup=False)
            yield Static("", id="examples-told", markup=False)
        yield Static("Rubric: what grades of 0 to 10 mean (7 of 10: 0.7)", classes="above", markup=False)
        yield TextField(id="rubric", placeholder="(such as: 0-3 The reply is rude.)")
        with Horizontal(classes="row apart"):
            yield Static("Score needed", markup=False)
            yield LineField(id="threshold", select_on_focus=False)
            yield Switches(STRICT, id="strict")
        with Horizontal(classes="row below -other"):
            yield Static("It judges", markup=False)
            yield Switches(SCOPES, single=True, id="scope")
        with Horizontal(classes="row below"):
            yield Static("Reads also", markup=False)
            words = [(name, name.replace("_", " ")) for name in (*READ_OFTEN, *_READ_SELDOM)]
            yield Switches(words, first=len(READ_OFTEN), id="fields")

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
        self._text("guidelines").put(form.guidelines)
        self.query_one("#examples").display = bool(form.examples)
        told, words = self.query_one("#examples-told", Static), _examples_words(form)
        if told.content != words:
            # A text that is put anew lays the screen out anew, which would be felt at every key.
            told.update(words)
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
        form = replace(
            self._form,
            name=self._input("name").value,
            criteria=self._text("words").text,
            steps=self._text("steps").text,
            # In the order of the file, and with what cannot be switched here.
            parameters=(
                *(name for name in kept if name in chosen or name not in FIELDS),
                *(name for name in chosen if name not in kept),
            ),
            guidelines=self._text("guidelines").text,
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


def _examples_words(form: CriterionForm) -> str:
    passing = sum(example.passes for example in form.examples)
    return f"{len(form.examples)} in the file: {passing} pass, {len(form.examples) - passing} fail"
