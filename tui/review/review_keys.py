"""Review keys: what the line of keys says of a review's actions at a moment of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from turnwise.tui.actions import Action, digits_to
from turnwise.tui.reading.score_groups import ScoreGroup
from turnwise.tui.review.finder import Finder
from turnwise.tui.review.going_on import GoingOn, Waiting
from turnwise.tui.review.label_keys import LabelKeys
from turnwise.tui.review.note_keys import NoteKeys
from turnwise.tui.review.note_line import BACK_KEY, EDITOR_KEY
from turnwise.tui.review.panes import Panes
from turnwise.tui.review.queue_mode import QueueMode
from turnwise.tui.review.session_labels import SessionLabels
from turnwise.tui.settings.keymap import action_while_asking, action_while_typing
from turnwise.tui.shell.shell import Shell

_IN_SCORES: Mapping[str, tuple[str, int]] = {
    "cursor_down": ("score", 1),
    "open": ("open", 2),
    "other_pane": ("turns", 4),
    "back": ("turns", 0),
    "find": ("find", 0),
    "turn": ("go to turn", 0),
    "copy": ("copy reason", 6),
    "next_failed": ("next ✗", 7),
}
"""Titles and ranks while the scores have the keys."""
_IN_INFO: Mapping[str, tuple[str, int]] = {
    "cursor_down": ("scroll", 1),
    "info": ("close", 2),
    "other_pane": ("turns", 3),
    "back": ("close", 0),
    "next_failed": ("next ✗", 0),
}
"""The same while the keys move in what is known of the session."""
_ENTER: Mapping[bool | None, str] = {None: "go there", True: "to the matches", False: ""}
"""What enter does in the line that asks for a turn, or for words that were found or not."""
_WHILE_NOTING: Mapping[str, tuple[str, int, str]] = {
    "back": ("keep the note", 1, "enter esc"),
    "note": ("take back", 3, BACK_KEY),
    "note_in_editor": ("in your editor", 4, EDITOR_KEY),
    "help": ("help", 90, ""),
}
"""Titles, ranks and keys while a note is written, as `action_while_typing` takes them."""
_WHILE_NOTING_A_LABEL: Mapping[str, tuple[str, int, str]] = {
    **_WHILE_NOTING,
    "open": ("keep it and go on", 1, "enter"),
    "back": ("keep it and stay", 2, "esc"),
}
"""The same where the note is the last word about a session that has its label."""
_AFTER_FAIL: Mapping[str, tuple[str, int]] = {
    "open": ("go on", 1),
    "near_mode": ("failure mode", 0),
    "modes": ("other failure mode", 3),
}
"""Titles and ranks while a fail waits for what is still to be said of it.

The keys that say why, that give a mode by its digit and that take the fail back stand above the line already.
"""
_LATER_AFTER_FAIL: Mapping[str, int] = {
    "cursor_down": 4,
    "next_failed": 5,
    "why": 6,
    "go_on_by_itself": 7,
}
"""Ranks of what is offered first otherwise."""


@dataclass(frozen=True, slots=True)
class ReviewMoment:
    """What a review is about.

    keys_in: what takes the keys. selected: whether text is. matches: whether a search found any; None while
    none is open. failing: whether a turn fails. fails: whether that or the whole session does. shown: whether
    there are scores in sight, and scored whether there are any. digits: the last digit that gives a failure
    mode, 0 for none, and None where no queue is reviewed. goes_on: whether a label opens the next session.
    waits: what label the session has from which enter goes on. open: whether all that can be folded is.
    """

    keys_in: Literal["turns", "scores", "info", "asking", "noting"] = "turns"
    selected: bool = False
    matches: bool | None = None
    failing: bool = False
    fails: bool = False
    shown: bool = False
    scored: bool = False
    digits: int | None = None
    goes_on: bool = False
    waits: Waiting = ""
    open: bool = False


class ReviewKeys:
    """Knows which actions of a review mean something now, and what is said of them."""

    def __init__(
        self,
        shell: Shell,
        panes: Panes,
        finder: Finder,
        labels: SessionLabels,
        label_keys: LabelKeys,
        note_keys: NoteKeys,
        going_on: GoingOn,
        queue: QueueMode,
    ) -> None:
        self._shell = shell
        self._panes = panes
        self._finder = finder
        self._labels = labels
        self._label_keys = label_keys
        self._note_keys = note_keys
        self._going_on = going_on
        self._queue = queue

    def is_offered(self, action: str) -> bool:
        """Return whether an action means something: scores are shown while they are hidden, and asked why of
        while they are not.
        """
        labels = self._labels
        match action:
            case "reveal":
                return labels.hides_scores or not labels.is_read
            case "why":
                return not labels.hides_scores
        return True

    @property
    def idle(self) -> frozenset[str]:
        """The actions that have nothing to act on: no run to stop, no change to make again."""
        able = {"stop": self._shell.runs.under_way, "redo": self._labels.can_redo}
        return frozenset(name for name, is_able in able.items() if not is_able)

    @property
    def now(self) -> Callable[[Action], Action]:
        """Gives an action the words and the rank that it has here and now."""
        return partial(review_key, now=self._moment)

    @property
    def _moment(self) -> ReviewMoment:
        if self._finder.prompt.typing:
            return ReviewMoment("asking", matches=self._finder.found)
        if self._note_keys.line.asking:
            return ReviewMoment("noting", waits=self._label_keys.waits)
        transcript = self._panes.transcript
        return ReviewMoment(
            self._panes.keys_in,
            selected=transcript.text_selection is not None,
            matches=self._finder.found,
            failing=bool(transcript.failed_turns),
            fails=bool(transcript.failed_turns) or any(map(_fails_whole, self._panes.scores.groups)),
            shown=bool(self._panes.scores.groups),
            scored=bool(self._labels.session.scores.rows),
            digits=self._queue.digits,
            goes_on=self._going_on.on,
            waits=self._label_keys.waits,
            open=transcript.is_open,
        )


def review_key(action: Action, now: ReviewMoment) -> Action:
    """Return an action with the words and the rank that it has at a moment; the rank 0 leaves it out."""
    told = _told(action, now)
    if action.name != "near_mode":
        return told
    # Digits that give nothing are not told.
    return replace(told, shown=digits_to(now.digits)) if now.digits else replace(told, rank=0)


def _told(action: Action, now: ReviewMoment) -> Action:
    if now.keys_in == "asking":
        return action_while_asking(action, _ENTER[now.matches])
    if now.keys_in == "noting":
        return action_while_typing(action, _WHILE_NOTING_A_LABEL if now.waits else _WHILE_NOTING)
    if action.name == "locate" and not now.fails:
        # There is no place at which it goes wrong.
        return replace(action, rank=0)
    if action.name == "fold_all" and now.open:
        action = replace(action, title="fold all")
    if now.keys_in in ("scores", "info"):
        said = _IN_SCORES if now.keys_in == "scores" else _IN_INFO
        title, rank = said.get(action.name, (action.title, action.rank))
        # Beside what is known of a session there may be no scores, and none of them may fail.
        is_idle = (action.name == "why" and not now.shown) or (
            action.name == "next_failed" and not now.failing
        )
        leads_back = action.name == ("other_pane" if now.keys_in == "scores" else "info")
        keys = f"{action.key_text} esc" if leads_back else action.shown
        return replace(action, title=title, rank=0 if is_idle else rank, shown=keys)
    if "fail" not in now.waits:
        return _usual_key(action, now)
    if action.name in _AFTER_FAIL:
        title, rank = _AFTER_FAIL[action.name]
        if action.name == "modes" and not now.digits:
            title = "failure mode"
        return replace(action, title=title, rank=rank)
    usual = _usual_key(action, now)
    return replace(usual, rank=_LATER_AFTER_FAIL.get(action.name, usual.rank) if usual.rank else 0)


def _usual_key(action: Action, now: ReviewMoment) -> Action:
    """Return an action as it is in the turns of a session, where no fail waits."""
    match action.name:
        case "open" if now.waits:
            title, rank = _AFTER_FAIL["open"]
            return replace(action, title=title, rank=rank)
        case "go_on_by_itself":
            # Not "on" or "off": a fail stays in both, as there is more to say of it.
            title = f"{'stay' if now.goes_on else 'go on'} after a pass"
            if now.digits is None:
                return replace(action, title=title)
            # To stay is not what one expects in a queue, and nothing else on the screen tells of it.
            return replace(action, title=title, rank=4 if now.goes_on else 2)
        case "near_mode":
            return replace(action, rank=3)
        case "copy" if now.selected:
            return replace(action, title="copy selection", rank=1)
        case "back" if now.matches is not None:
            return replace(action, title="end the search")
        case "next_failed" if now.matches:
            return replace(action, title="next match")
        case "next_failed" if now.matches is False or not now.failing:
            return replace(action, rank=0)
        case "why" | "other_pane" if not now.shown:
            return replace(action, rank=0)
        case "score" if not now.scored:
            return replace(action, rank=2)
    return action


def _fails_whole(group: ScoreGroup) -> bool:
    return len(group.rows) == 1 and group.rows[0].passed is False
