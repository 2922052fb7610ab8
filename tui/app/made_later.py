"""What the app needs only after its first screen, and loads when that is there."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from importlib import import_module
from typing import Any, Protocol, runtime_checkable

from textual.app import App
from textual.geometry import Offset
from textual.screen import Screen

from turnwise.tui.actions import Place
from turnwise.tui.library.made_ahead import library_dialogs
from turnwise.tui.session_lists.pages import SessionToRead, SessionToReplay
from turnwise.tui.shell.dialogs_ahead import DialogsAhead, Step
from turnwise.tui.shell.shell import Shell
from turnwise.tui.textual_screens import composes_nothing

_OF_A_REVIEW = (
    "turnwise.tui.reading.transcript",
    "turnwise.tui.reading.score_pane",
    "turnwise.tui.reading.info_pane",
    "turnwise.tui.review.session_labels",
    "turnwise.tui.review.queue_mode",
    "turnwise.tui.review.note_line",
    "turnwise.tui.review.review_screen",
)
"""What a review is made of, in parts that a key does not wait long for: a session is what is opened most."""

_REPLAY = "turnwise.tui.replay.replay_screen"

_READ_FROM = ("library", "review", "queues", "agreement", "criteria", "heat_map")
"""The places from which sessions are read."""

_PLACES = (
    ("overview.overview_screen", "OverviewScreen"),
    ("queues.queues_screen", "QueuesScreen"),
    ("failure_modes.failure_modes_screen", "FailureModesScreen"),
    ("runs.runs_screen", "RunsScreen"),
)
_OF_CRITERIA = (
    "pydantic",
    "pydantic.types",
    "turnwise.conversations.models",
    "turnwise.conversations.cases",
    "turnwise.engine.metrics.metric",
    "turnwise.engine.metrics.quoting",
    "turnwise.engine.scoring.scoring",
    "turnwise.engine.metrics.geval",
    "turnwise.engine.criteria.criteria",
    "turnwise.engine.criteria.past_trials",
    "turnwise.tui.criteria.criterion_editor",
    "turnwise.tui.criteria.criteria_screen",
)
"""What the screen of criteria is made of, in parts that a key does not wait long for."""

_OPENED_SOMETIMES = (
    "review.why_screen",
    "overview.heat_map_screen",
    "compare.pair_screen",
    "review.label_history",
    "record.record_screen",
    "record.simulate_screen",
    "criteria.versions_screen",
    "criteria.improve_dialog",
    "learning.learn_dialog",
    "pairs.preference_screen",
)
"""What is made when it is opened: loaded before, it is there the first time as soon as any other time."""


@runtime_checkable
class LeadsToSession(Protocol):
    """A screen in which a key reads the session under the cursor."""

    def leads_to(self) -> SessionToRead | None:
        """Return that session; None where there is none. It is asked for many times a second."""


@runtime_checkable
class LeadsToReplay(Protocol):
    """A screen in which a key plays a session again."""

    def replays(self) -> SessionToReplay | None:
        """Return that session; None where there is none. It is asked for many times a second."""


@runtime_checkable
class PreparesNext(Protocol):
    """A screen that lets another be read ahead, which a key opens from it."""

    def prepare_next(self) -> bool:
        """Do the next thing for that one to be there at once; return whether there was any to do."""


def begin_ahead(shell: Shell, app: App[Any], heard_at: Callable[[], float]) -> None:
    """Make dialogs ahead from now on, while nobody presses a key. shell and app: both are the app.

    heard_at: tells when a key was heard last, on the clock of `time.monotonic`.
    """
    DialogsAhead(app, heard_at, partial(steps_ahead, shell), partial(read_next, shell)).begin()


def steps_ahead(shell: Shell, screen: Screen[Any]) -> Iterator[Step]:
    """Load what is opened next, and make the help and the dialogs of a screen, a little at a time."""
    if screen.is_modal:
        return iter(())
    # Only this is handed on: steps that are not finished would keep a screen that is gone.
    place: Place = getattr(screen, "PLACE", "everywhere")
    session: int | None = getattr(screen, "session_id", None)
    library = screen if place == "library" else None
    return _to_the_end(screen.app, _steps(shell, place, session, getattr(screen, "asked", ""), library))


def _to_the_end(app: App[Any], steps: Iterator[Step]) -> Iterator[Step]:
    """Take no step once the app ends: the parts of a screen go before it then."""
    for step in steps:
        yield step
        if not (stack := app.screen_stack) or composes_nothing(stack[-1]):
            return


def read_next(shell: Shell, screen: Screen[Any]) -> bool:
    """Do what a key asks for next, a little at a time; return whether there was anything to do.

    What was made ahead is laid out with what it has read, and the session under the cursor is shown.
    """
    # At the end of the app a screen's parts go before it, also those of screens that were made ahead.
    if composes_nothing(screen):
        return False
    if shell.kept_dialogs.settle():
        return True
    # A review is loaded by the steps, in parts.
    if not screen.is_mounted:
        return False
    if isinstance(screen, PreparesNext) and screen.prepare_next():
        return True
    return _expects_review(shell, screen) or _expects_replay(shell, screen)


def _expects_review(shell: Shell, screen: Screen[Any]) -> bool:
    if not isinstance(screen, LeadsToSession) or _OF_A_REVIEW[-1] not in sys.modules:
        return False
    from turnwise.tui.review.review_screen import ReviewScreen

    review, wanted = shell.kept_dialogs.ahead(ReviewScreen), screen.leads_to()
    return review is not None and wanted is not None and review.expect(*wanted)


def _expects_replay(shell: Shell, screen: Screen[Any]) -> bool:
    if not isinstance(screen, LeadsToReplay) or _REPLAY not in sys.modules:
        return False
    from turnwise.tui.replay.replay_screen import ReplayScreen

    replay, wanted = shell.kept_dialogs.ahead(ReplayScreen), screen.replays()
    return replay is not None and wanted is not None and replay.expect(wanted.session_id, hides=wanted.hides)


def _steps(
    shell: Shell, place: Place, session: int | None, asked: str, library: Screen[Any] | None
) -> Iterator[Step]:
    """library: the screen itself, where it is that one, which stays as long as the app."""
    if place == "library":
        for name in _OF_A_REVIEW:
            import_module(name)
            yield None
    if place in _READ_FROM and _OF_A_REVIEW[-1] in sys.modules:
        from turnwise.tui.review.review_screen import ReviewScreen

        yield from shell.kept_dialogs.make(ReviewScreen)
    from turnwise.tui.app.help import HelpScreen

    yield None
    # It is told of the screen once it is opened: one that is kept would keep a screen that is gone.
    yield from shell.kept_dialogs.make(HelpScreen, lambda one: one.begin(place))
    yield None
    shell.kept_dialogs.dim_below(HelpScreen)
    yield from _palette(shell, library)
    yield from _made(shell, "app.jump", "JumpScreen", lambda one: one.begin((), (), ()))
    yield from _made(shell, "app.pointer_menu", "PointerMenu", lambda one: one.begin((), Offset(0, 0)))
    if place == "library":
        yield from library_dialogs(shell)
        for module, name in _PLACES:
            yield from _made(shell, module, name)
        yield from _dialogs(shell)
        yield from _later_places(shell)
        yield from _made(shell, "library.frequency_screen", "FrequencyScreen", lambda one: one.begin(asked))
    if place in ("library", "review"):
        yield from _made(shell, "replay.replay_screen", "ReplayScreen")
    if place in ("library", "runs"):
        yield from _made(shell, "compare.compare_screen", "CompareScreen")
    if place == "queues":
        yield from _made(shell, "pairs.pairs_dialog", "PairsDialog", lambda one: one.begin("", ""))
    if place == "failure_modes":
        yield from _made(shell, "failure_modes.mode_dialogs", "ModeEditDialog", lambda one: one.begin(""))
    if place == "frequency":
        yield from _made(
            shell, "library.column_choice_dialog", "ColumnChoiceDialog", lambda one: one.begin("", (), "")
        )
    if place == "compare":
        yield from _made(shell, "compare.pair_screen", "PairScreen")
        yield from _made(
            shell, "compare.choose_run_dialog", "ChooseRunDialog", lambda one: one.begin("A", (), {})
        )
    if place == "agreement":
        yield from _made(shell, "learning.learn_dialog", "LearnDialog", lambda one: one.begin())
    if place == "overview":
        yield from _made(shell, "overview.heat_map_screen", "HeatMapScreen", lambda one: one.begin(asked))
    if place in ("review", "pair"):
        yield from _made(shell, "review.why_screen", "WhyScreen", lambda one: one.begin((), ()))
    if session is not None and place == "review":
        yield from _made(shell, "failure_modes.mode_dialogs", "ModeDialog", lambda one: one.begin(session))
        yield from _made(shell, "review.label_history", "LabelHistoryDialog", lambda one: one.begin("", ()))
        yield from _made(
            shell, "review.score_history", "ScoreHistoryDialog", lambda one: one.begin("", (), 0)
        )


def _palette(shell: Shell, library: Screen[Any] | None) -> Iterator[Step]:
    yield None
    from turnwise.tui.app.action_palette import ActionPalette
    from turnwise.tui.app.commands import Commands

    yield None
    commands = Commands(shell, library.app, library) if library is not None else None
    yield from shell.kept_dialogs.make(ActionPalette, lambda one: one.begin(commands))


def _made(
    shell: Shell, module: str, name: str, begin: Callable[[Any], object] = lambda _: None
) -> Iterator[Step]:
    """Load a screen or dialog, by its module in turnwise.tui, and make it. begin: as of KeptDialogs.make."""
    yield None
    yield from shell.kept_dialogs.make(getattr(import_module(f"turnwise.tui.{module}"), name), begin)


def _dialogs(shell: Shell) -> Iterator[Step]:
    """Make the dialogs that are opened now and then, from the library or from everywhere."""
    sessions = shell.store.sessions
    begun: Mapping[tuple[str, str], Callable[[Any], object]] = {
        ("judging.score_dialog", "ScoreDialog"): lambda one: one.begin(()),
        ("queues.queue_dialog", "QueueDialog"): lambda one: one.begin(
            "", None, "", sessions.metrics_by_use()
        ),
        ("library.export_dialog", "ExportDialog"): lambda one: one.begin(()),
        ("library.arrangement_dialogs", "FiltersDialog"): lambda one: one.begin(""),
        ("importing.import_dialog", "ImportDialog"): lambda one: one.begin(),
        ("judging.judge_dialog", "JudgeDialog"): lambda one: one.begin(None),
        ("app.settings_dialog", "SettingsDialog"): lambda one: one.begin(),
        ("parts.naming_dialog", "NamingDialog"): lambda one: one.begin(""),
        ("parts.question_dialog", "QuestionDialog"): lambda one: one.begin("", ()),
        ("record.talk_dialog", "TalkDialog"): lambda _: None,
        ("record.simulate_dialog", "SimulateDialog"): lambda _: None,
    }
    for (module, name), begin in begun.items():
        yield from _made(shell, module, name, begin)


def _later_places(shell: Shell) -> Iterator[Step]:
    """Make the places that take long: one reads all labels, one loads much. Load what else is opened."""
    yield from _made(shell, "agreement.agreement_screen", "AgreementScreen")
    for name in _OF_CRITERIA:
        yield None
        import_module(name)
    yield from _made(shell, "criteria.criteria_screen", "CriteriaScreen")
    for module in _OPENED_SOMETIMES:
        yield None
        import_module(f"turnwise.tui.{module}")
