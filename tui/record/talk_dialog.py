"""TalkDialog: with whom to talk, in which role, under which system prompt, and what scores it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from textual import events, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Input, Static

from turnwise.conversations.errors import SettingError, TurnwiseError
from turnwise.conversations.recording import role_prompt
from turnwise.conversations.safe_text import make_safe
from turnwise.engine.models.providers import model_forms
from turnwise.engine.models.served import answering
from turnwise.tui.actions import Place, bindings
from turnwise.tui.parts.choice_list import Choice, ChoiceList
from turnwise.tui.parts.dialog import Dialog
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.parts.message_editor import MessageEditor
from turnwise.tui.parts.notice import Notice
from turnwise.tui.parts.rewriting import rewrite
from turnwise.tui.record.offered_chatbots import OfferedChatbot, offered_chatbots
from turnwise.tui.record.talk_plan import TalkPlan
from turnwise.tui.settings.keymap import fill_keys

if TYPE_CHECKING:
    from turnwise.engine.metrics.metric import Metric
    from turnwise.engine.models.settings import ModelSettings

_TYPED_FORMS = model_forms(without=("embedded", "offline"))
_SECONDS_TO_LEAVE = 0.02
"""So often it is looked whether the screen below has left."""
HOTTEST = 2.0
LOOKING = "Looking for chatbots on this machine …"
NONE_FOUND = "No model runs here. Type an address; {library.judge} in the library fetches a model."


class TalkDialog(Dialog[TalkPlan | None]):
    """Ask for a chatbot, a role and a system prompt; the result is None where it was cancelled."""

    PLACE: ClassVar[Place] = "talk"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("talk"))
    DEFAULT_CSS = """
    TalkDialog {
        & ChoiceList { max-height: 6; }
        & .field { height: auto; margin-top: 1; }
        & .field.-close { margin-top: 0; }
        &.-high .field.-close { margin-top: 1; }
        & .label { width: 15; padding: 0 1; color: $text-muted; }
        & .field.-here .label { color: $accent; text-style: bold; }
        & .field > Input, & .field > MessageEditor { width: 1fr; }
        & MessageEditor { max-height: 4; }
        & ChoiceList > .choices--away { background: $surface; color: $text; }
        & ChoiceList.-overruled > .choices--away,
        & ChoiceList.-overruled > .option-list--option-highlighted,
        & ChoiceList.-overruled:focus > .option-list--option-highlighted {
            background: $surface; color: $text-muted; text-style: none;
        }
        & Notice { margin-bottom: 1; max-height: 14; color: $text-muted; }
    }
    """

    def __init__(self) -> None:
        super().__init__()
        self._offered: Sequence[OfferedChatbot] = ()
        self._found: tuple[Sequence[ModelSettings], Mapping[str, bool]] | None = None
        """What runs on this machine and which chatbots of before answer, as it was found last."""
        self.begin(TalkPlan(None))

    def begin(self, plan: TalkPlan, error: TurnwiseError | None = None) -> None:
        """plan: what is known already. error: why it could not begin, if it was tried."""
        self._plan = plan
        self._error = error
        self._written: str | None = role_prompt(plan.role) if plan.system is None else None
        """The system prompt that was made from the role; None once somebody wrote another."""

    def compose(self) -> ComposeResult:
        """Lay the dialog out."""
        with Vertical(id="panel"):
            yield Static("Talk to a chatbot, and keep every turn", classes="title", markup=False)
            yield Notice(classes="wrong")
            yield Static(LOOKING, id="looking", classes="words", markup=False)
            yield ChoiceList()
            with Horizontal(classes="field"):
                yield Static("address", classes="label")
                yield Input(
                    placeholder=f"(http://…/v1, {_TYPED_FORMS}, FILE.gguf)",
                    select_on_focus=False,
                    id="address",
                )
            with Horizontal(classes="field -of-new"):
                yield Static("role", classes="label")
                yield Input(placeholder="(optional: what it is supposed to be, in plain words)", id="role")
            with Horizontal(classes="field -of-new"):
                yield Static("system prompt", classes="label")
                yield MessageEditor(
                    placeholder="(optional: what it is told before the first turn)", id="system"
                )
            with Horizontal(classes="field -close -other -of-new"):
                yield Static("scenario", classes="label")
                yield Input(
                    placeholder="(optional: what it is about; the chatbot is not told)",
                    select_on_focus=False,
                    id="scenario",
                )
            with Horizontal(classes="field -close"):
                yield Static("score by", classes="label")
                yield Input(
                    placeholder="(optional: metrics, such as repetition)", select_on_focus=False, id="metrics"
                )
            with Horizontal(classes="field -close -other"):
                yield Static("temperature", classes="label")
                yield Input(
                    placeholder="(optional: 0 to 2; left empty, the chatbot's own)",
                    select_on_focus=False,
                    id="temperature",
                )
            yield KeyLine("talk")

    def on_mount(self) -> None:
        """Show what is known; no chatbot is looked for before the dialog is opened."""
        with self.prevent(Input.Changed):
            self._show_plan()
        if self.is_current:
            self._find()

    def fill(self) -> None:
        """Show what is known and what went wrong, and look for chatbots; fields can be filled meanwhile."""
        self._show_plan()
        self._find()

    def _show_plan(self) -> None:
        plan, used = self._plan, self.shell.used.last
        address = plan.target if isinstance(plan.target, str) else ""
        degrees = f"{plan.temperature:g}" if plan.temperature is not None else used.temperature
        typed = {
            "address": address,
            "role": plan.role,
            "scenario": plan.scenario or used.scenario,
            "metrics": used.live_metrics,
            "temperature": degrees,
        }
        for name, text in typed.items():
            self.query_one(f"#{name}", Input).value = make_safe(text)
        system = plan.system or "" if self._written is None else self._written
        if (editor := self.query_one("#system", MessageEditor)).text != system:
            editor.write(system)
        # A conversation that goes on keeps the role and the prompt that it has.
        for field in self.query(".field.-of-new"):
            field.display = plan.session is None
        if self._error is not None:
            self.query_one(Notice).tell_error(self._error)
        else:
            self.query_one(Notice).tell("")
        self.choices.set_class(bool(address), "-overruled")
        self._show_found()
        self.set_focus(self.query_one("#address") if address or not self._offered else self.choices)

    @work(group="find", exclusive=True, exit_on_error=False)
    async def _find(self) -> None:
        from turnwise.engine.chatbots.choose import find_targets

        had_some = bool(self._offered)
        self._found = await asyncio.gather(find_targets(), answering(self.shell.used.last.chatbots))
        self._show_found()
        address = self.query_one("#address", Input)
        if self._offered and not had_some and self.focused is address and not address.value:
            # Nobody has begun to type: the first that answers is one key away.
            self.set_focus(self.choices)
        elif not self._offered and self.focused is self.choices:
            self.set_focus(address)
        if bool(self._offered) != had_some:
            self.refresh_bindings()

    def _show_found(self) -> None:
        """Offer what was found last, so that nothing moves where the same is found again."""
        running, answers = self._found or ((), {})
        self._show(offered_chatbots(self.shell.used.last.chatbots, running, answers))
        looking = self.query_one("#looking", Static)
        rewrite(looking, LOOKING if self._found is None else fill_keys(NONE_FOUND, self.shell.actions))
        looking.display = self._found is None or not self._offered

    def _show(self, offered: Sequence[OfferedChatbot]) -> None:
        self._offered = offered
        self.choices.can_focus = bool(offered)
        self.choices.show([Choice(one.id, one.name, one.note) for one in offered])

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Show by its label which field has the keys."""
        for field in self.query(".field"):
            field.set_class(event.widget in field.children, "-here")

    def on_key(self, event: events.Key) -> None:
        """Take what is typed over the list as an address."""
        if isinstance(self.focused, ChoiceList) and event.character and event.is_printable:
            event.stop()
            self._type_address(event.character)

    def on_paste(self, event: events.Paste) -> None:
        """Take what is pasted over the list as an address."""
        if isinstance(self.focused, ChoiceList):
            event.stop()
            self._type_address(make_safe("".join(event.text.splitlines()[:1])))

    def _type_address(self, text: str) -> None:
        line = self.query_one("#address", Input)
        line.focus()
        line.cursor_position = len(line.value)
        line.insert_text_at_cursor(text)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Let an address overrule the list, and the system prompt follow the role until it is written."""
        if event.input.id == "address":
            self.choices.set_class(bool(event.value.strip()), "-overruled")
        if event.input.id == "role" and self._written is not None:
            self._written = role_prompt(event.value)
            self.query_one("#system", MessageEditor).write(self._written)

    def on_text_area_changed(self, event: MessageEditor.Changed) -> None:
        """Note that the system prompt was written by hand."""
        if event.text_area.text != self._written:
            self._written = None

    def on_message_editor_submitted(self) -> None:
        """Begin."""
        self.action_start()

    def on_input_submitted(self) -> None:
        """Begin."""
        self.action_start()

    def on_option_list_option_selected(self) -> None:
        """Begin with the chatbot that was clicked."""
        self.query_one("#address", Input).value = ""
        self.action_start()

    def action_start(self) -> None:
        """Begin, with the address that was typed or else the chatbot under the cursor."""
        typed = self.query_one("#address", Input).value.strip()
        choice = self.choices.current
        if not typed and choice is None:
            self.query_one(Notice).tell_error(SettingError("Type the address of a chatbot first."))
            self.query_one("#address", Input).focus()
            return
        chosen = next((one.target for one in self._offered if choice and one.id == choice.id), "")
        target = typed or chosen
        role, scenario, metrics, temperature = (
            self.query_one(f"#{name}", Input).value.strip()
            for name in ("role", "scenario", "metrics", "temperature")
        )
        system = self.query_one("#system", MessageEditor).text.strip() if self._written is None else None
        try:
            degrees = _temperature(temperature)
        except TurnwiseError as error:
            self.query_one(Notice).tell_error(error)
            return
        new = self._plan.session is None
        plan = replace(
            self._plan,
            target=target,
            role=role,
            system=system,
            scenario=scenario if new else "",
            temperature=degrees,
        )
        self._begin(plan, metrics, {"scenario": scenario, "temperature": temperature})

    @work(exclusive=True, group="begin", exit_on_error=False)
    async def _begin(self, plan: TalkPlan, metrics: str, typed: dict[str, str]) -> None:
        """Make the metrics, which takes a moment, and end the dialog."""
        try:
            made = await asyncio.to_thread(_metrics, metrics) if metrics else ()
        except TurnwiseError as error:
            self.query_one(Notice).tell_error(error)
            self.query_one("#metrics", Input).focus()
            return
        self.shell.used.talk(**typed, live_metrics=metrics)
        self.dismiss(replace(plan, metrics=made or plan.metrics))

    def after_move(self) -> None:
        """Empty the address: one that was typed would overrule the chatbot under the cursor."""
        self.query_one("#address", Input).value = ""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer a simulation where no conversation is to go on, and to choose where a chatbot was found."""
        if action in ("choice_down", "choice_up"):
            return bool(self._offered)
        return action != "simulate" or self._plan.session is None

    def action_simulate(self) -> None:
        """Let simulated users talk instead."""
        from turnwise.tui.record.simulate_screen import simulate

        app, shell, below = self.app, self.shell, self.app.screen_stack[-2]
        self.action_cancel()

        def once_left() -> None:
            # A talk ends without a chatbot, and would take along what is opened over it before.
            if getattr(below, "PLACE", "") == "record" and below in app.screen_stack:
                app.set_timer(_SECONDS_TO_LEAVE, once_left)
            else:
                simulate(app, shell)

        app.call_later(once_left)

    def action_cancel(self) -> None:
        """Go back; what was to begin does not."""
        self.end_work()
        super().action_cancel()

    def action_help(self) -> None:
        """Show all keys."""
        self.shell.action_help()

    def action_next_field(self) -> None:
        """Go on to the next field."""
        self.focus_next()


def _temperature(typed: str) -> float | None:
    """Return a temperature that was typed. Raises SettingError for what is none."""
    if not typed:
        return None
    try:
        degrees = float(typed.replace(",", "."))
    except ValueError:
        degrees = -1.0
    if not 0 <= degrees <= HOTTEST:
        raise SettingError(f"The temperature is a number from 0 to {HOTTEST:g}: {typed}")
    return degrees


def _metrics(typed: str) -> tuple[Metric, ...]:
    from turnwise.engine.metrics.registry import make_metric  # pydantic, which few talks need

    return tuple(make_metric(name) for name in typed.replace(",", " ").split())
