"""QueueEndDialog: what a queue came to once all of it was labelled or put off, and where to go from there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal, cast

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from turnwise.conversations.marks import LABEL_SIGNS, LabelWord
from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.store import FailureMode
from turnwise.conversations.words import counted
from turnwise.engine.people.next_labels import rate_words
from turnwise.engine.people.queue_summary import QueueSummary
from turnwise.engine.people.unseen_modes import NO_MODES, unseen_in_short
from turnwise.engine.scoring.progress import duration
from turnwise.tui.actions import Place, bindings
from turnwise.tui.drawing.bars import bar
from turnwise.tui.drawing.wrapping import fit
from turnwise.tui.parts.choice_list import Choice, ChoiceList
from turnwise.tui.parts.dialog import Dialog
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.parts.notice import note

EndStep = Literal["modes", "agreement", "next_queue", "look_back", "undo", "leave"]
"""Where one may go from the end of a queue."""
_TONES: dict[LabelWord, str] = {"pass": "$text-success", "fail": "$text-error", "defer": "$text-warning"}
MOST_MODES, MOST_MODES_LOW = 6, 2
LOW = 30
"""In fewer lines than this the card is drawn together, so that all steps and keys are in sight."""
NAME_CELLS, BAR_CELLS = 36, 24


class QueueEndDialog(Dialog[EndStep]):
    """Shows a QueueSummary; ends with where to go."""

    PLACE: ClassVar[Place] = "queue_end"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("queue_end"))
    DEFAULT_CSS = """
    QueueEndDialog {
        & .found { padding: 0 1; height: auto; margin-bottom: 1; }
        &.-low #panel { max-height: 100%; }
        &.-low .found, &.-low .title { margin-bottom: 0; }
        & .next { padding: 0 1; text-style: bold; }
    }
    """

    def __init__(self, summary: QueueSummary, *, labelled: bool = True) -> None:
        """labelled: whether a label led there, for an undo to take back."""
        super().__init__()
        self._summary = summary
        self._labelled = labelled

    def compose(self) -> ComposeResult:
        """Lay the card out."""
        low, modes = self.app.size.height < LOW, self._summary.modes
        self.set_class(low and bool(modes), "-low")
        with Vertical(id="panel"):
            yield Static(title_words(self._summary), classes="title", markup=False)
            yield Static(said_content(self._summary), classes="found")
            if modes:
                listed = MOST_MODES_LOW if low else MOST_MODES
                yield Static(modes_content(modes, listed), classes="found")
            if reading_on := reading_on_words(self._summary):
                yield Static(reading_on, classes="found", markup=False)
            yield Static("What next", classes="next", markup=False)
            yield ChoiceList()
            yield KeyLine("queue_end")

    def on_mount(self) -> None:
        """Offer what comes next."""
        table = self.shell.actions
        keys = {action.name: action.key_text for action in table["queue_end"]}
        self.choices.show(next_steps(self._summary, keys, labelled=self._labelled))
        self.choices.focus()

    def on_option_list_option_selected(self) -> None:
        """Go where was clicked."""
        self.action_choose()

    def action_choose(self) -> None:
        """Go where the cursor is."""
        if (choice := self.choices.current) is not None:
            self.dismiss(cast("EndStep", choice.id))

    def action_modes(self) -> None:
        """Go to the failure modes."""
        self.dismiss("modes")

    def action_agreement(self) -> None:
        """Go to agreement."""
        self.dismiss("agreement")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Hide the way to another queue where there is none."""
        if action == "next_queue" and self._summary.following is None:
            return False
        return super().check_action(action, parameters)

    def action_next_queue(self) -> None:
        """Go on with another queue."""
        self.dismiss("next_queue")

    def action_look_back(self) -> None:
        """Go back to the sessions."""
        self.dismiss("look_back")

    def action_undo(self) -> None:
        """Take the last label back."""
        if self._labelled:
            self.dismiss("undo")
        else:
            note(self, "No label was given since the queue was opened: there is nothing to undo.")

    def action_cancel(self) -> None:
        """Leave the queue."""
        self.dismiss("leave")


def title_words(summary: QueueSummary) -> str:
    """Say that a queue is done, or what keeps it from that."""
    name, queue = make_safe_line(summary.queue.name), summary.queue
    if summary.is_done:
        return f"The queue “{name}” is done"
    if queue.done + queue.put_off >= queue.count:
        return f"The queue “{name}” is done but for {queue.put_off:,} put off"
    return f"The queue “{name}”"


def said_content(summary: QueueSummary) -> Content:
    """Say how much is done, what was said, and how long it took whoever reads it."""
    queue = summary.queue
    parts: list[str | tuple[str, str]] = [(f"{queue.done:,} of {queue.count:,} done", "bold")]
    for word, tone in _TONES.items():
        if count := summary.said.get(word, 0):
            parts += ["   ", (f"{count:,} {LABEL_SIGNS[word]}", tone), f" {word}"]
    labels = sum(summary.said.values())
    blind = f"{summary.blind:,} of {labels:,} labelled blind"
    if queue.sampler == "disputed":
        blind = "settled with all labels in sight"
    elif summary.blind in (0, labels):
        blind = f"{'all' if summary.blind else 'none'} labelled blind"
    if summary.rate is not None:
        parts.append(f"\n{rate_words(summary.rate)}")
    # Nothing is said of the others' time, which may have passed at the same time.
    took = f"took you about {duration(summary.seconds)} · " if summary.seconds else ""
    more = f"\n{took}{blind}"
    return Content.assemble(*parts, (more, "$text-muted"))


def reading_on_words(summary: QueueSummary) -> str:
    """Say how often reading on shows a failure mode that nobody saw yet, and whether it pays.

    Without any failure mode only a queue of what is new says so: of the others nobody expects one.
    """
    is_new, unseen = summary.queue.sampler == "new", summary.unseen
    if unseen is None:
        return NO_MODES if is_new else ""
    if unseen.has_stopped:
        return f"No new failure mode in the last {unseen.lately:,}: reading on has stopped paying."
    told = unseen_in_short(unseen)
    return f"{told}\nReading on may pay: another queue `new` takes what is unlike these." if is_new else told


def modes_content(modes: Sequence[FailureMode], listed: int = MOST_MODES) -> Content:
    """Show how many sessions have each failure mode, of so many modes at the most."""
    most = max(mode.sessions for mode in modes)
    lines: list[str | tuple[str, str]] = [("What went wrong", "bold")]
    for mode in modes[:listed]:
        name = fit(make_safe_line(mode.name), NAME_CELLS)
        lines += [f"\n{name}{mode.sessions:>5,}  ", (bar(mode.sessions / most, BAR_CELLS), "$text-error")]
    if len(modes) > listed:
        lines.append((f"\nand {len(modes) - listed:,} more", "$text-muted"))
    return Content.assemble(*lines)


def next_steps(summary: QueueSummary, keys: Mapping[str, str], *, labelled: bool = True) -> list[Choice]:
    """Return what can be done now.

    keys: those that do it at once, by the word. labelled: as of the dialog.
    """
    undefined = sum(not mode.definition for mode in summary.modes)
    define = f"; {undefined:,} without a definition" if undefined else ""
    judged = sum(summary.said.get(word, 0) for word in ("pass", "fail"))
    steps = []
    if summary.following is not None:
        other = summary.following
        left = f"{other.done:,} of {other.count:,} done"
        name = f"Next queue: {make_safe_line(other.name)}"
        steps.append(Choice("next_queue", name, left, sign=keys["next_queue"]))
    put_off = len(summary.put_off)
    again = f"{counted(put_off, 'session')} put off first" if put_off else "the sessions of this queue"
    undo = [Choice("undo", "Undo", "take the last label back", sign=keys["undo"])] if labelled else []
    said = f"{counted(judged, 'label')} say{'s' if judged == 1 else ''}"
    back = [Choice("look_back", "Look back", again, sign=keys["look_back"])]
    return [
        # What is still to be decided comes before what follows from all that was.
        *(back if put_off else []),
        Choice("modes", "Failure modes", f"count and define them{define}", sign=keys["modes"]),
        Choice("agreement", "Agreement", f"do metrics say what {said}", sign=keys["agreement"]),
        *steps,
        *([] if put_off else back),
        *undo,
        Choice("leave", "Leave", "back to where you were", sign=keys["cancel"]),
    ]
