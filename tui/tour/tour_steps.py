"""The steps of the tour: where each is done, which action leads there, and by what it is done.

Words name keys by their actions, as in `{overview.open}`, so that they follow the keys. All of them have room
in a terminal of 80 columns, beside the key that ends the tour.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from rich.cells import cell_len

from turnwise.tui.actions import MOVES, Place, Table
from turnwise.tui.actions.places import NUMBERED
from turnwise.tui.settings.keymap import fill_keys, keys_not_typed

_OF_NUMBERS = frozenset(one.action for one in NUMBERED)
"""The actions of the keys of places."""
PLACES = _OF_NUMBERS | {"compare"}
"""The actions that lead to a screen, wherever they stand."""
MOST_WORDS = 53
"""Cells of a step's words at the most, its keys filled in."""
_PRESS = "Press "
_LEADS_BACK = re.compile(r"^(Press `[^`]+`), then")


def _whole_of(place: Place, action: str) -> str:
    """Return the title of the place that an action goes to, where one is in a part of it; else empty.

    The line of places has it lit there already, so that to press its number would seem to lead nowhere.
    """
    return next((one.title for one in NUMBERED if one.action == action and place in one.parts), "")


@dataclass(frozen=True, slots=True)
class TourStep:
    """One step of the tour.

    place: where it is done. by: the actions there that do it; without any, to be there is enough. go: the
    action that leads there from the library, or where it opens a screen, from any that has it. why: what is
    to be seen there, as words that follow a key. there: what to do at the place. seen: what stands at another
    screen instead of the way there. of_all: whether it is about all sessions, and not about those that an
    earlier step left in the library. in_sight: whether it takes scores that are shown.
    """

    place: Place
    go: str
    why: str
    by: frozenset[str] = frozenset()
    there: str = ""
    seen: Mapping[Place, str] = field(default_factory=dict)
    of_all: bool = False
    in_sight: bool = False

    def is_done_by(self, place: Place, action: str, *, hidden: bool = False) -> bool:
        """Whether an action that was just taken at a place does it.

        action: empty for none. hidden: whether scores are hidden there.
        """
        if place != self.place or (hidden and self.in_sight):
            return False
        return action in self.by if self.by else True

    def words(self, place: Place, actions: Table) -> str:
        """Return what to do next, from the screen of a place."""
        if place == self.place and self.there:
            return fill_keys(self.there, actions)
        if place in self.seen:
            return fill_keys(self.seen[place], actions)
        if place == "library" or self.go in PLACES:
            names = {action.name for action in actions[place]}
            if self.go in names and (whole := _whole_of(place, self.go)):
                return fill_keys(f"`{{{place}.{self.go}}}` goes back to {whole}: it {self.why}", actions)
            if self.go in names:
                return fill_keys(f"Press `{{{place}.{self.go}}}`: it {self.why}", actions)
        if not any(action.name == "back" for action in actions[place]):
            return f"Back in the library it {self.why}"
        if any(action.name == self.go for action in actions["library"]):
            # A digit may mean something else where one is now, such as a failure mode in a queue.
            way = f"Press `{{{place}.back}}`, then `{{library.{self.go}}}`: it {self.why}"
        else:
            way = f"`{{{place}.back}}` goes back"
        return fill_keys(way, actions)


STEPS: tuple[TourStep, ...] = (
    TourStep(
        "overview",
        "overview",
        "shows how all came out",
        frozenset({"open"}),
        "What passes least is first. `{overview.open}` lists what fails it",
        {"library": "Press `{library.overview}`: see what goes wrong, and how sure"},
    ),
    TourStep(
        "library",
        "library",
        "leads to the list",
        frozenset({"open"}),
        "Now read one: `{library.open}` opens what the cursor is on",
    ),
    TourStep(
        "review",
        "open",
        "reads what fails",
        frozenset({"next_failed"}),
        "`{review.reveal}` shows the scores, `{review.next_failed}` goes to where it went wrong",
        in_sight=True,
    ),
    TourStep(
        "queues",
        "review_queues",
        "takes a queue, scores hidden",
        frozenset({"open"}),
        "A queue hides its scores. `{queues.open}` goes on with it",
    ),
    TourStep(
        "review",
        "review_queues",
        "goes on with the queue",
        frozenset({"label_pass", "label_fail", "label_defer"}),
        "You say: `{review.label_fail}` fails it here, digits say how; `{review.label_pass}` passes it",
    ),
    TourStep(
        "failure_modes",
        "failure_modes",
        "names what goes wrong",
        frozenset({"rates"}),
        "Notes become failure modes. `{failure_modes.rates}` counts them",
        {
            # A pass has led on to another session by then.
            "review": "After `{review.label_fail}` a digit says how; "
            "`{review.back}`, then `{library.failure_modes}`: how often"
        },
    ),
    TourStep("agreement", "agreement", "says how sure a judge is"),
    TourStep(
        "compare",
        "compare",
        "sets two runs side by side",
        seen={
            "agreement": "This is how sure a judge is. "
            "`{agreement.back}`, `{library.compare}`: what changed?",
            # Whoever reads a session that the judge and a person differ on comes back to them first.
            "review": "`{review.back}`, `{agreement.back}`, then `{library.compare}`: "
            "it sets two runs side by side",
        },
    ),
    TourStep(
        "overview",
        "overview",
        "says what to do next",
        seen={"compare": "Flips: what got worse is first. `{compare.overview}`: what to do next?"},
        of_all=True,
    ),
)
"""The way from many conversations to what is wrong with a chatbot, how sure that is, what changed, and
what to do next.
"""
OVER: Mapping[Place, str] = {"overview": "“Next” and “Then” say what to do. This was the tour"}
OVER_ELSEWHERE = "This was the tour. `{library.import}` in the library brings in yours"


@dataclass(frozen=True, slots=True)
class TourProgress:
    """How far somebody is.

    step: from 0; the number of steps once it is over. on: whether the line is shown.
    """

    step: int = 0
    on: bool = False

    @property
    def is_of_all(self) -> bool:
        """Whether the step is about all sessions."""
        return self.on and not self.is_over and STEPS[self.step].of_all

    @property
    def is_over(self) -> bool:
        """Whether all steps are done."""
        return self.step >= len(STEPS)

    def after(self, place: Place, action: str = "", *, hidden: bool = False) -> TourProgress:
        """Return how far they are after an action at a place; without an action, after coming there.

        hidden: whether scores are hidden there. Once the tour is over, its last words go with the first thing
        that is done in the library.
        """
        if self.on and self.is_over and place == "library" and action and action not in MOVES:
            return self.left()
        done = self.on and not self.is_over and STEPS[self.step].is_done_by(place, action, hidden=hidden)
        return replace(self, step=self.step + 1) if done else self

    def skipped(self) -> TourProgress:
        """Return how far they are with this step left out; past the end the line goes."""
        return replace(self, step=self.step + 1) if not self.is_over else replace(self, on=False)

    def taken_up(self) -> TourProgress:
        """Return it shown again, from the start where it was over."""
        return TourProgress(0 if self.is_over else self.step, on=True)

    def left(self) -> TourProgress:
        """Return it hidden; how far they are is kept."""
        return replace(self, on=False)

    def heading(self) -> str:
        """Return what stands before the words: "tour 2 of 9"."""
        return "tour" if self.is_over else f"tour {self.step + 1} of {len(STEPS)}"

    def words(self, place: Place, actions: Table) -> str:
        """Return what to do next, from the screen of a place."""
        if self.is_over:
            return fill_keys(OVER.get(place, OVER_ELSEWHERE), actions)
        return STEPS[self.step].words(place, actions)

    def data(self) -> dict[str, int | bool]:
        """Return it as it is kept in a database."""
        return {"step": self.step, "on": self.on}

    @classmethod
    def of(cls, data: object) -> TourProgress | None:
        """Return what was kept; None where nothing that can be read was."""
        match data:
            case {"step": int(step), "on": bool(on)} if 0 <= step <= len(STEPS):
                return cls(step, on)
        return None


def words_while_typing(words: str, place: Place, actions: Table) -> str:
    """Return what to do next as it is while keys are typed into a field: how that is left comes first.

    words: what to do otherwise.
    """
    if "`" not in words:
        return words
    # The library's key that leaves a field also clears its filter, which a step may be about.
    leaves = next((one for one in actions[place] if one.name == "back"), None)
    key = "enter" if place == "library" else next(iter(keys_not_typed(leaves) if leaves else ()), "")
    if not key:
        return _AFTER_TYPING
    if words.startswith(_PRESS):
        rest = words.removeprefix(_PRESS)
        joined = ", " if rest.startswith("`esc`") else ", then "
        if cell_len((said := f"`{key}`{joined}{rest}").replace("`", "")) <= MOST_WORDS:
            return said
    return f"`{key}` leaves the field you type in; then it goes on"


def words_after_escapes(words: str, escapes: int) -> str:
    """Return what to do next where escape leads back only once it was pressed so often.

    It may close a part of the screen first, or other screens stand before the one that it goes on from.
    """
    if escapes < 2:
        return words
    times = "twice" if escapes == 2 else f"{escapes} times"
    often = _LEADS_BACK.sub(rf"\1 {times}, then", words)
    return often if cell_len(often.replace("`", "")) <= MOST_WORDS else words


def goes_on_from(place: Place, actions: Table) -> bool:
    """Whether the keys of places are there, to go on from a screen."""
    return place == "library" or any(action.name in _OF_NUMBERS for action in actions[place])


_AFTER_TYPING = "It goes on once nothing is typed"
