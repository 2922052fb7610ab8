"""Steps from session to session are made as asked, also before it is known where they lead."""

from __future__ import annotations

from turnwise.tui.review.session_walk import SessionWalk
from turnwise.tui.session_lists.stored_sessions import Neighbours


class Walked:
    """A walk over five sessions, 1 to 5, of which one is read."""

    def __init__(self, session: int) -> None:
        self.session = session
        self.said: list[str] = []
        self.walk = SessionWalk(self._read, self.said.append)

    def _read(self, session: int) -> None:
        self.session = session

    def look_up(self) -> None:
        """It is found out where the session stands."""
        here = self.session
        before, after = here - 1 if here > 1 else None, here + 1 if here < 5 else None
        self.walk.near = Neighbours(here - 1, 5, before, after)
        self.walk.make_steps()


def test_a_step_goes_to_the_session_beside_and_says_where_there_is_none() -> None:
    walked = Walked(4)
    walked.look_up()
    walked.walk.step(1)
    walked.look_up()
    walked.walk.step(1)
    assert walked.session == 5
    assert walked.said == ["This is the last session of the list."]
    walked.walk.step(-1)
    assert walked.session == 4


def test_the_place_of_the_next_session_is_told_before_it_is_looked_up() -> None:
    walked = Walked(3)
    walked.look_up()
    assert walked.walk.words == "3 of 5"
    walked.walk.step(1)
    assert walked.walk.near is None
    assert walked.walk.words == "4 of 5"
    walked.look_up()
    walked.walk.go_to(1)
    assert walked.walk.words == ""


def test_how_much_of_a_queue_is_done_is_looked_up_first() -> None:
    walk = SessionWalk(lambda session: None, lambda words: None)
    walk.near = Neighbours(0, 5, None, 2, queue="mine", done=1, open=2)
    walk.step(1)
    assert walk.words == ""


def test_steps_asked_for_too_early_are_made_one_by_one() -> None:
    walked = Walked(1)
    for by in (1, 1, 1, -1):
        walked.walk.step(by)
    assert walked.session == 1
    for session in (2, 3, 3):
        walked.look_up()
        assert walked.session == session


def test_past_the_end_the_steps_that_are_left_are_dropped() -> None:
    walked = Walked(4)
    for _ in range(3):
        walked.walk.step(1)
    for _ in range(3):
        walked.look_up()
    assert walked.session == 5
    assert len(walked.said) == 1


def test_a_session_is_passed_by_while_steps_or_a_label_lead_on_from_it() -> None:
    walked = Walked(1)
    assert not walked.walk.passes_by
    walked.walk.step(1)
    walked.walk.step(1)
    assert walked.walk.passes_by
    walked.look_up()
    assert walked.session == 2
    assert walked.walk.passes_by
    walked.look_up()
    assert not walked.walk.passes_by
    assert walked.walk.go_on()
    assert walked.walk.passes_by
    walked.look_up()
    assert walked.session == 4
    assert not walked.walk.passes_by


def test_in_no_list_there_is_nowhere_to_go_and_nothing_is_passed_by() -> None:
    walked = Walked(1)
    assert walked.walk.go_on()
    walked.walk.near = None
    assert walked.walk.make_steps()
    walked.walk.step(1)
    assert not walked.walk.go_on()
    assert not walked.walk.passes_by
    assert walked.session == 1
