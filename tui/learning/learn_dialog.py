"""LearnDialog: a signal learned from labels, in a thread, with what it rests on; a metric afterwards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Input, Static
from textual.worker import Worker, get_current_worker

from turnwise.conversations.errors import SettingError, TurnwiseError
from turnwise.conversations.safe_text import make_safe, make_safe_line
from turnwise.conversations.store import SignalVersion, Store
from turnwise.engine.learning.fitting import missing_library
from turnwise.engine.learning.label_sources import LabelSource, label_sources
from turnwise.engine.learning.learned_metric import PREFIX, signal_of
from turnwise.engine.learning.learned_signal import LearnedSignal
from turnwise.engine.learning.learning import keep_signal, learn
from turnwise.tui.actions import Action, Place, bindings
from turnwise.tui.drawing.bars import progress
from turnwise.tui.drawing.lines_view import LinesView
from turnwise.tui.learning.learned_lines import signal_drawing
from turnwise.tui.parts.choice_list import Choice, ChoiceList
from turnwise.tui.parts.dialog import Dialog
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.parts.newest_reading import hand_over
from turnwise.tui.parts.question_dialog import ask
from turnwise.tui.parts.whole_field import WholeField
from turnwise.tui.settings.keymap import key_of
from turnwise.tui.settings.settings import author_of

BAR_CELLS = 30
_TITLE = "Learn a metric from labels: what good sessions have in common"
_NEW, _KEPT = "new:", "kept:"


class _StoppedError(Exception):
    """The learning was stopped."""


@dataclass(frozen=True, slots=True)
class _Read:
    """What there is: labels to learn from, and what was learned. missing: why nothing can be learned here."""

    sources: Sequence[LabelSource]
    kept: Mapping[str, tuple[SignalVersion, LearnedSignal]]
    missing: TurnwiseError | None


class LearnDialog(Dialog[str | None]):
    """Learns a signal, and shows those that were learned; ends with the metric to score by, or None."""

    PLACE: ClassVar[Place] = "learn"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("learn"))
    DEFAULT_CSS = """
    LearnDialog #panel { width: 112; }
    LearnDialog ChoiceList { max-height: 8; }
    LearnDialog .field { height: 1; margin-top: 1; display: none; }
    LearnDialog .label { width: 8; padding: 0 1; color: $text-muted; }
    LearnDialog #name { width: 1fr; }
    LearnDialog LinesView { height: auto; margin: 1 1 0 1; background: $surface; display: none; }
    LearnDialog #about { margin-top: 1; }
    LearnDialog .wrong { margin-top: 1; }
    """

    def begin(self) -> None:
        """It is about the labels that are there."""
        self._there: _Read | None = None
        self._name_offered = ""
        self._learning: Worker[None] | None = None

    def compose(self) -> ComposeResult:
        """Lay the dialog out."""
        with Vertical(id="panel"):
            yield Static(
                "Learn a metric from labels: what good sessions have in common", classes="title", markup=False
            )
            yield ChoiceList()
            with Horizontal(classes="field"):
                yield Static("name", classes="label")
                yield WholeField(id="name", max_length=60)
            yield LinesView()
            yield Static("Counting the labels …", id="about", classes="words", markup=False)
            yield Static("", classes="wrong", markup=False)
            yield KeyLine("learn")

    def on_mount(self) -> None:
        """Count the labels; where it is made ahead of its opening, only then."""
        self.set_focus(self.choices)
        if self.is_current:
            self._read()

    def fill(self) -> None:
        """Count the labels."""
        self._read()

    def on_resize(self) -> None:
        """Draw anew."""
        self.call_after_refresh(self._show_current)

    @property
    def lines(self) -> LinesView:
        """What was learned, which the keys scroll."""
        return self.query_one(LinesView)

    # What there is

    @work(thread=True, group="read", exit_on_error=False)
    def _read(self) -> None:
        try:
            read = _read_of(self.shell.store)
        except TurnwiseError as error:
            hand_over(self, self._refuse, error)
        else:
            hand_over(self, self._take, read)

    def _take(self, read: _Read, *, newest: str = "") -> None:
        """Show what there is. newest: with the cursor on what is called so."""
        self._there = read
        listed = [
            *_sources_listed("Labels of", [one for one in read.sources if not one.scores]),
            *_sources_listed("Scores that came with files", [one for one in read.sources if one.scores]),
        ]
        if read.kept:
            listed.append(Choice("group:kept", "Learned before", heading=True))
        listed += [
            Choice(
                f"{_KEPT}{name}",
                f"{PREFIX}{name}",
                f"AUC {signal.measured.auc:.2f} ({signal.measured.low:.2f} to {signal.measured.high:.2f}), "
                f"from {signal.learned_from}",
                sign="▸",
            )
            for name, (_, signal) in read.kept.items()
        ]
        self.choices.show(listed)
        places = [place for place, one in enumerate(listed) if newest and one.id == f"{_KEPT}{newest}"]
        if places:
            self.choices.highlighted = places[0]
        self._show_current()

    @property
    def _source(self) -> LabelSource | None:
        """The labels under the cursor; None where something learned is."""
        choice, read = self.choices.current, self._there
        named = (one for one in (read.sources if read else ()) if choice and choice.id == f"{_NEW}{one.name}")
        return next(named, None)

    @property
    def _kept(self) -> tuple[SignalVersion, LearnedSignal] | None:
        """What was learned and is under the cursor."""
        choice, read = self.choices.current, self._there
        if choice is None or read is None:
            return None
        return read.kept.get(choice.id.removeprefix(_KEPT)) if choice.id.startswith(_KEPT) else None

    def on_option_list_option_highlighted(self) -> None:
        """Tell of what is under the cursor."""
        self._show_current()

    def on_option_list_option_selected(self) -> None:
        """Go on to the name of what is to be learned."""
        if self._can_learn:
            self.query_one("#name", Input).focus()

    def _show_current(self) -> None:
        source, kept, view = self._source, self._kept, self.lines
        self.query_one(".field").display = self._can_learn
        self.query_one(".wrong", Static).display = False
        view.display = kept is not None
        if kept is not None and (width := self.choices.size.width):
            # A cell stands free at either side, and one is the scroll bar's.
            drawn = signal_drawing(*kept, width - 3, view.tones)
            # What the list, the title, the words and the keys leave.
            room = self.size.height - self.choices.size.height - 10
            view.styles.height = max(3, min(len(drawn), room))
            view.set_lines(drawn)
        if self._learning is None:
            self._tell_of(source)
        self.refresh_bindings()

    def _tell_of(self, source: LabelSource | None) -> None:
        read = self._there
        if read is None:
            return
        if source is None:
            score = key_of(self.shell.actions, "learn", "score")
            self._say(f"{score} scores all sessions by it, here and wherever metrics are chosen.")
            return
        if (wrong := read.missing or source.trouble) is not None:
            self._refuse(wrong if read.missing or source.scores else self._with_keys(source, wrong))
            self._say(_held_back_words(source))
            return
        name = self.query_one("#name", Input)
        if name.value == self._name_offered:
            self._name_offered = name.value = _new_name(source, read.kept)
        self._say(
            "A small model learns what those that pass have in common: length, tools, how they end, kept "
            f"scores, words. It is measured on sessions of other cases, and asks nobody. "
            f"{_held_back_words(source)}".rstrip()
        )

    def _with_keys(self, source: LabelSource, error: TurnwiseError) -> TurnwiseError:
        """Tell of too few labels by how one comes to more of them here: the engine names a command.

        A metric is called as in the list above.
        """
        key = key_of(self.shell.actions, "library", "queues")
        step = f"{key} in the library makes a queue of sessions to label."
        title = error.title.replace(source.metric, source.metric.replace("_", " "))
        return SettingError(title, detail=error.detail, next_step=step)

    def _refuse(self, error: TurnwiseError) -> None:
        self._say("")
        self.refuse(error)

    def _say(self, text: str) -> None:
        line = self.query_one("#about", Static)
        line.update(make_safe(text))
        line.display = bool(text)

    # Keys

    @property
    def _can_learn(self) -> bool:
        source, read = self._source, self._there
        free = self._learning is None and read is not None and read.missing is None
        return free and source is not None and source.trouble is None

    def key_now(self, action: Action) -> Action:
        """Say what escape does now."""
        learning = action.name == "cancel" and self._learning is not None
        return replace(action, title="stop") if learning else action

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer what means something to what is under the cursor."""
        if not self.is_mounted:
            return True
        if action in ("start", "next_field"):
            return self._can_learn
        if action in ("score", "remove"):
            return self._kept is not None and self._learning is None
        return self._kept is not None if action in ("page_down", "page_up") else True

    def on_input_submitted(self) -> None:
        """Learn."""
        self.action_start()

    def action_next_field(self) -> None:
        """Go on to the name, and back to the list."""
        self.focus_next()

    def action_score(self) -> None:
        """Score all sessions by what is under the cursor."""
        if (kept := self._kept) is not None and self._learning is None:
            self.dismiss(f"{PREFIX}{kept[0].name}")

    @work(group="ask", exclusive=True)
    async def action_remove(self) -> None:
        """Forget what is under the cursor, once that was asked."""
        if (kept := self._kept) is None:
            return
        name = kept[0].name
        answers = [Choice("keep", "Keep it"), Choice("forget", "Forget it")]
        words = "All its versions are forgotten; the scores that it gave stay."
        if await ask(self.app, f"Forget {PREFIX}{name}?", answers, words=words) == "forget":
            self.shell.store.learned.forget(name)
            self.notify(make_safe(f"Forgotten: {PREFIX}{name}. Its scores stay."))
            self._read()

    def action_cancel(self) -> None:
        """Stop learning, or go back."""
        if self._learning is None:
            self.dismiss(None)
            return
        # The thread ends at its next step; nobody waits for it.
        self._learning.cancel()
        self._learning = None
        self._show_current()
        self._say("Stopped. Nothing was kept of it.")

    # Learning

    def action_start(self) -> None:
        """Learn from the labels under the cursor."""
        source = self._source
        if self._can_learn and source is not None:
            name = " ".join(self.query_one("#name", Input).value.split())
            self.choices.focus()
            self._learning = self._learn(source, name)
            self._show_current()
            self._tell("read", 0, source.passed + source.failed)

    @work(thread=True, group="learn", exit_on_error=False)
    def _learn(self, source: LabelSource, name: str) -> None:
        worker, store = get_current_worker(), self.shell.store

        def tell(words: str, done: int, of: int) -> None:
            if worker.is_cancelled:
                raise _StoppedError
            hand_over(self, self._tell_of_worker, worker, words, done, of)

        try:
            signal = learn(store, name, metric=source.metric, scores=source.scores, tell=tell)
            if worker.is_cancelled:
                return
            keep_signal(store, signal, author=author_of(self.shell.settings))
            read = _read_of(store)
        except _StoppedError:
            return
        except TurnwiseError as error:
            hand_over(self, self._end, worker, None, "", error)
        else:
            hand_over(self, self._end, worker, read, signal.name, None)

    def _tell_of_worker(self, worker: Worker[None], words: str, done: int, of: int) -> None:
        if self._learning is worker:
            self._tell(words, done, of)

    def _tell(self, words: str, done: int, of: int) -> None:
        drawn = progress(done / of if of else 0.0, BAR_CELLS)
        self._say(f"{drawn}  {words}: {done:,} of {of:,}\nNothing is kept if you stop.")

    def _end(self, worker: Worker[None], read: _Read | None, name: str, error: TurnwiseError | None) -> None:
        if self._learning is not worker:
            return
        self._learning = None
        if read is not None:
            self._take(read, newest=name)
        else:
            self._show_current()
        if error is not None:
            self._refuse(error)
        self.refresh_bindings()


def _read_of(store: Store) -> _Read:
    kept = {}
    for version in store.learned.standing():
        try:
            kept[version.name] = version, signal_of(version)
        except TurnwiseError:
            # What another turnwise learned is told by the command that shows it.
            continue
    return _Read(label_sources(store), kept, missing_library())


def _sources_listed(title: str, sources: Sequence[LabelSource]) -> list[Choice]:
    if not sources:
        return []
    named = ((one, one.metric or one.scores or "whole sessions") for one in sources)
    widths = tuple(max(len(f"{count:,}") for count in counts) for counts in _counts_of(sources))
    return [
        Choice(f"group:{title}", title, heading=True),
        *(
            # Only what there is enough of can become something new.
            Choice(
                f"{_NEW}{one.name}",
                name.replace("_", " "),
                _count_words(one, widths),
                sign="+" if one.trouble is None else "",
            )
            for one, name in named
        ),
    ]


def _count_words(source: LabelSource, widths: Sequence[int]) -> str:
    """Say how many labels there are of each kind, in columns, and how many the test keeps of them.

    Without these the sums would differ from row to row and nobody would know why.
    """
    passed, failed, kept = (
        f"{count:>{width},}"
        for count, width in zip((source.passed, source.failed, source.held_back), widths, strict=True)
    )
    told = f"{passed} pass, {failed} fail"
    return f"{told}, {kept} for the test" if source.held_back else told


def _counts_of(sources: Sequence[LabelSource]) -> tuple[list[int], list[int], list[int]]:
    return (
        [one.passed for one in sources],
        [one.failed for one in sources],
        [one.held_back for one in sources],
    )


def _held_back_words(source: LabelSource) -> str:
    """Say what becomes of the labelled sessions that are not learned from; empty for none."""
    if not source.held_back:
        return ""
    return "Labels for the test stay out of it, so that what is learned can be tried on them."


def _new_name(source: LabelSource, taken: Mapping[str, object]) -> str:
    """Return a name for what is to be learned, which nothing else has."""
    base = make_safe_line(source.metric or source.scores or "passes").strip().lower()
    base = "".join(one if one.isalnum() or one in "-._" else "-" for one in base).strip("-._") or "passes"
    known = {name.casefold() for name in taken}
    numbered = (f"{base}-{number}" for number in range(2, len(known) + 3))
    return next(one for one in (base, *numbered) if one.casefold() not in known)
