"""The numbered places: what the line at the top of each of them names, and the digits that go there.

A place gets its number here, the screen it opens in turnwise.tui.app.going, and the actions that lead away
from it by `places_but` in its own actions.
"""

from __future__ import annotations

from dataclasses import dataclass

from turnwise.tui.actions.action import Action, Place, aimed


@dataclass(frozen=True, slots=True)
class NumberedPlace:
    """A screen that a digit goes to from every other numbered one.

    action: the name of the action that goes there. title, short: its name in the line of places, and where
    that is narrow. help: one sentence. parts: the screens without a number that belong to it.
    """

    number: int
    place: Place
    action: str
    title: str
    short: str
    help: str
    parts: tuple[Place, ...] = ()

    @property
    def key(self) -> str:
        """The digit that goes there."""
        return str(self.number)


NUMBERED: tuple[NumberedPlace, ...] = (
    NumberedPlace(
        1,
        "library",
        "library",
        "Library",
        "Lib",
        "Go to all sessions: read, score or export them.",
        ("frequency",),
    ),
    NumberedPlace(
        2,
        "overview",
        "overview",
        "Overview",
        "View",
        "See how all sessions came out; write a report.",
        ("heat_map",),
    ),
    NumberedPlace(
        3,
        "queues",
        "review_queues",
        "Queues",
        "Queue",
        "Go on with a review queue, or make one.",
        ("preferring",),
    ),
    NumberedPlace(
        4,
        "failure_modes",
        "failure_modes",
        "Modes",
        "Mode",
        "Name failure modes, the ways to go wrong, and count them.",
    ),
    NumberedPlace(
        5,
        "criteria",
        "criteria",
        "Criteria",
        "Crit",
        "Write what good means, and try it against labels.",
        ("versions",),
    ),
    NumberedPlace(
        6, "agreement", "agreement", "Agreement", "Agree", "See how far metrics agree with people's labels."
    ),
    NumberedPlace(
        7,
        "runs",
        "runs",
        "Runs",
        "Runs",
        "See what was scored and when; compare, or go on.",
        ("compare", "pair"),
    ),
)
"""The numbered places in the order of their numbers."""


def places_but(place: Place) -> tuple[Action, ...]:
    """Return the actions that go to every numbered place but one."""
    return aimed(
        "places",
        *(
            Action(one.action, (one.key,), one.title.lower(), one.help)
            for one in NUMBERED
            if one.place != place
        ),
    )


def number_of(place: Place) -> int | None:
    """Return the number under which a place stands: its own, or that of the place it belongs to."""
    return next((one.number for one in NUMBERED if place == one.place or place in one.parts), None)
