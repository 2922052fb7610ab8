"""What follows a label: the next session, also where it is not known yet whether there is one."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from turnwise.conversations.marks import LabelWord
from turnwise.tui.review.going_on import GoingOn
from turnwise.tui.review.session_walk import SessionWalk
from turnwise.tui.session_lists.stored_sessions import Neighbours
from turnwise.tui.settings.settings import Settings

STAY = Settings(next_in_queue=False, next_after_label=False)
GO = Settings(next_in_queue=True, next_after_label=True)


@dataclass
class Sitting:
    settings: Settings


class Labelled:
    """Sessions 1 and 2, of which the labels go on by themselves."""

    def __init__(self, session: int) -> None:
        self.session = session
        self.walk = SessionWalk(self._read, lambda words: None)
        self.going_on = GoingOn(self.walk, Sitting(Settings(next_after_label=True)), in_queue=False)

    def _read(self, session: int) -> None:
        self.session = session

    def label(self) -> bool:
        assert self.going_on.said(self.session, "pass")
        return self.going_on.go(self.session, "pass")

    def look_up(self) -> bool:
        """It is found out what stands beside the session; return whether a label led nowhere."""
        after = 2 if self.session == 1 else None
        self.walk.near = Neighbours(self.session - 1, 2, None, after)
        return self.walk.make_steps()


def test_a_label_leads_on_and_undo_leads_back() -> None:
    labelled = Labelled(1)
    labelled.look_up()
    assert labelled.label()
    assert labelled.session == 2
    assert labelled.going_on.arrive() == "pass"
    # Also where something stands that was said of the session that the label leads to.
    assert labelled.going_on.step_back(2, said_here=True)
    assert labelled.session == 1


def test_a_label_that_comes_too_early_leads_on_once_it_is_known_where() -> None:
    labelled = Labelled(1)
    assert labelled.label()
    assert not labelled.look_up()
    assert labelled.session == 2


def test_a_label_that_leads_nowhere_leaves_nothing_to_tell_and_nothing_to_go_back_to() -> None:
    labelled = Labelled(2)
    assert labelled.label()
    assert labelled.look_up()
    labelled.going_on.stay()
    assert labelled.going_on.arrive() == ""
    assert not labelled.going_on.step_back(1, said_here=False)


def test_what_was_said_of_the_session_in_sight_is_undone_before_what_a_label_led_on_from() -> None:
    labelled = Labelled(1)
    labelled.look_up()
    labelled.label()
    labelled.going_on.arrive()
    labelled.walk.go_to(1)
    labelled.going_on.arrive()
    assert not labelled.going_on.step_back(1, said_here=True)
    labelled.going_on.forget(1)
    assert not labelled.going_on.step_back(1, said_here=False)


@pytest.mark.parametrize("in_queue", [False, True])
@pytest.mark.parametrize("word", ["pass", "fail", "defer"])
def test_after_each_label_that_stays_enter_goes_on(word: LabelWord, in_queue: bool) -> None:
    walk = SessionWalk(lambda session: None, lambda words: None)
    stays = GoingOn(walk, Sitting(STAY), in_queue=in_queue)
    assert not stays.waits(1)
    assert not stays.said(1, word)
    assert stays.waits(1)
    assert not stays.waits(2)


@pytest.mark.parametrize("in_queue", [False, True])
def test_of_labels_that_go_on_by_themselves_a_fail_alone_waits(in_queue: bool) -> None:
    walk = SessionWalk(lambda session: None, lambda words: None)
    goes = GoingOn(walk, Sitting(GO), in_queue=in_queue)
    assert goes.said(1, "pass")
    assert not goes.waits(1)
    assert not goes.said(1, "fail")
    assert goes.waits(1)


def test_what_one_wants_holds_in_all_reviews_of_the_sitting_that_are_of_the_same_kind() -> None:
    sitting, walk = Sitting(GO), SessionWalk(lambda session: None, lambda words: None)
    open_already = GoingOn(walk, sitting, in_queue=True)
    GoingOn(walk, sitting, in_queue=True).toggle()
    assert not open_already.on
    assert not GoingOn(walk, sitting, in_queue=True).on
    assert GoingOn(walk, sitting, in_queue=False).on
