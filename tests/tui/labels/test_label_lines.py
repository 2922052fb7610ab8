"""What is said of a session fits its place, and every word of it that does something can be clicked."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.style import Style
from scored_sessions import NASTY

from turnwise.conversations.marks import LabelWord
from turnwise.conversations.store.rows import LabelRow
from turnwise.engine.people.labelling import NOTHING, CurrentLabel
from turnwise.tui.actions import ACTIONS, target_of
from turnwise.tui.drawing.lines_view import Tones
from turnwise.tui.labels.label_lines import LabelView, label_lines, short_label_lines
from turnwise.tui.labels.people_lines import SaidByOther
from turnwise.tui.labels.row import LabelLines
from turnwise.tui.review.histories import Histories
from turnwise.tui.review.label_keys import LabelKeys
from turnwise.tui.review.note_keys import NoteKeys
from turnwise.tui.review.review_screen import ReviewScreen

ANSWERING = {"": ReviewScreen, "label_keys": LabelKeys, "note_keys": NoteKeys, "histories": Histories}
"""What answers an action of the review, by the name under which the screen has it."""

TONES = Tones(**{tone.name: Style.null() for tone in fields(Tones)})
KEYS = {action.name: action.key_text for action in ACTIONS["review"]}
FAIL = LabelView(mine=CurrentLabel("fail", 4, blind=True), at=0.0, can_undo=True, any_history=True, here=6)


def label(word: LabelWord | None, author: str, turn: int | None = None, note: str = "") -> SaidByOther:
    return SaidByOther(LabelRow(1, 1, word, turn, note, author, False, 0.0))


def texts(drawn: LabelLines) -> list[str]:
    return ["".join(piece.text for piece in line) for line in drawn.lines]


def words(drawn: LabelLines) -> dict[str, str]:
    """Return what can be clicked: the action, and the words that do it."""
    lines = texts(drawn)
    return {spot.action: lines[spot.line][spot.start : spot.end] for spot in drawn.spots}


def long(view: LabelView, width: int = 45) -> LabelLines:
    return label_lines(view, KEYS, width, TONES, 60.0)


def short(view: LabelView, width: int = 80) -> LabelLines:
    return short_label_lines(view, KEYS, width, TONES)


def test_without_a_label_it_offers_the_three_and_a_note() -> None:
    expected = {"label_pass": "p pass", "label_fail": "f fail", "label_defer": "d defer", "note": "c note"}
    assert words(long(LabelView())) == expected
    assert words(short(LabelView())) == expected


def test_before_a_label_it_says_where_a_fail_is_put_and_promises_no_turn_to_a_system_prompt() -> None:
    for lines in (long, short):
        assert "  A fail marks turn 4." in texts(lines(LabelView(here=4)))
        assert "  No turn is selected: a fail marks the whole session." in texts(lines(LabelView(), 64))
    assert "  A fail marks the whole session." in texts(long(LabelView(), 38))


def test_after_a_fail_on_no_turn_it_says_how_one_is_marked() -> None:
    fail = LabelView(mine=CurrentLabel("fail"))
    assert "  No turn marked: go to one, press !" in texts(long(fail))[-1]
    assert "  No turn marked: go to the one that fails and press !" in texts(long(fail, 64))[-1]
    assert "  No turn marked: go to the one that fails and press !" in texts(short(fail))
    others = {"Mia": SaidByOther(label("fail", "Mia", 2).label, ["Answers in English"])}
    assert texts(short(replace(fail, others=others)))[1].rstrip() == (
        "  No turn marked: go to one, press !   ✗ Mia at turn 2: Answers in English"
    )
    assert not any("No turn marked" in line for line in texts(short(replace(fail, here=4))))


@pytest.mark.parametrize("here", [None, 4, 123])
@pytest.mark.parametrize("in_reply", [False, True])
@pytest.mark.parametrize("width", [34, 38, 46, 62, 80])
def test_that_a_label_is_not_blind_is_said_at_every_width(
    width: int, in_reply: bool, here: int | None
) -> None:
    view = LabelView(here=here, in_reply=in_reply, not_blind=True)
    beside = texts(long(view, width))
    assert beside[0].rstrip() == "  Your label  will not be blind"
    where = f"turn {here}." if here else "marks the whole session."
    assert where in beside[-1]
    assert "blind" not in beside[-1]
    under = texts(short(view, max(width, 64)))[-1]
    assert where in under
    assert "Your label will not be blind." in under


def test_the_keys_of_steps_and_of_the_history_stand_beside_that_warning_as_they_have_room() -> None:
    view = LabelView(not_blind=True, can_redo=True, any_history=True)
    assert texts(long(view, 64))[0].rstrip().endswith("U redo   h history")
    assert texts(long(view, 45))[0].split("  ")[1:3] == ["Your label", "will not be blind"]
    assert texts(long(view, 45))[0].rstrip().endswith("U redo")
    narrow = texts(long(view, 34))
    assert "U redo" in narrow[0]
    assert "Your label will not be blind." in narrow[-1]


@pytest.mark.parametrize("width", [45, 46, 62])
def test_where_a_fail_goes_is_said_beside_the_label_that_led_here(width: int) -> None:
    view = LabelView(here=None, last="pass, Leaking kettle of a long name")
    lines = texts(long(view, width))
    assert "last: pass, Leaking" in lines[0]
    assert words(long(view, width))["undo"] == "u undo"
    assert "A fail marks the whole session." in lines[-1] or "No turn is selected" in lines[-1]
    assert len(lines) == len(texts(long(LabelView(), width)))
    line = texts(short(replace(view, not_blind=True)))[-1]
    for told in ("A fail marks the whole session. Not blind.", "last: pass, Lea", "u undo"):
        assert told in line
    line = texts(short(replace(view, not_blind=True), 100))[-1]
    for told in (
        "A fail marks the whole session.",
        "Your label will not be blind.",
        "last: pass, Lea",
        "u undo",
    ):
        assert told in line


def test_under_a_transcript_undo_stands_once_beside_the_label_that_led_here() -> None:
    view = LabelView(mine=CurrentLabel("defer"), can_undo=True, any_history=True, last="pass, Leaking kettle")
    lines = texts(short(view))
    assert "u undo" not in lines[0]
    assert "last: pass, Leaking kettle   u undo" in lines[1]
    assert "u undo" in texts(short(replace(view, last="")))[0]


@pytest.mark.parametrize("word", ["pass", "fail", "defer"])
def test_the_key_of_what_was_chosen_stays_and_moves_nothing_that_follows(word: LabelWord) -> None:
    chosen, none = (
        [texts(lay(view))[0] if lay is short else texts(lay(view))[1] for lay in (short, long)]
        for view in (LabelView(mine=CurrentLabel(word, turn=4)), LabelView())
    )
    for told, before in zip(chosen, none, strict=True):
        key = {"pass": "p ✓ pass", "fail": "f ✗ fail", "defer": "d ~ defer"}[word]
        assert key in told
        if word != "fail":
            assert told.index("c note") == before.index("c note")


def test_a_fail_tells_its_turn_which_is_a_link_and_can_be_moved() -> None:
    found = words(long(FAIL))
    assert found["label_fail"] == "✗ fail"
    assert found["jump_to_turn(4)"] == "turn 4"
    assert found["anchor"] == "! put it here"
    assert "blind · 1 min ago" in texts(long(FAIL, 64))[0]
    assert "1 min ago" not in texts(long(FAIL))[0]
    assert "blind   " in texts(long(FAIL))[0]
    assert texts(short(FAIL)) == [
        "  p pass  f ✗ fail at turn 4  ! here  d defer   c say why   u undo   h history"
    ]


def test_what_was_undone_can_be_done_again_by_a_click() -> None:
    undone = replace(FAIL, can_redo=True)
    for drawn in (long(undone, 64), long(undone, 38), short(undone, 90), short(undone)):
        assert words(drawn)["redo"] == "U redo"
    assert "history" not in words(long(undone, 38))
    assert "undo" not in words(long(LabelView(can_redo=True)))


def test_what_was_undone_is_told_in_a_line_too() -> None:
    view = replace(FAIL, told="undone: repetition fail")
    assert texts(short(view))[1].rstrip() == "  undone: repetition fail"
    noted = replace(view, mine=CurrentLabel("fail", 4, "odd"))
    assert texts(short(noted))[1] == "  undone: repetition fail   ✎ odd"


def test_in_a_line_a_long_note_leaves_room_for_what_others_say() -> None:
    others = {"Bea": label("pass", "Bea"), "Cid": label("fail", "Cid", 6)}
    mine = CurrentLabel("fail", 4, "asks again " * 20)
    noted = replace(FAIL, mine=mine, others=others, modes=["Asks twice"])
    line = texts(short(noted))[1].rstrip()
    assert line.startswith("  ✎ asks again asks again")
    assert line.endswith("…   ✓ Bea   ✗ Cid at turn 6   mode Asks twice")
    assert texts(short(replace(noted, mine=FAIL.mine)))[1] == "  ✓ Bea   ✗ Cid at turn 6   mode Asks twice"
    # Where even those have no room, some of the note stays.
    crowd = {f"Person of a long name {n}": label("pass", "") for n in range(5)}
    assert texts(short(replace(noted, others=crowd)))[1].startswith("  ✎ asks again asks again")


@pytest.mark.parametrize("width", [30, 38, 45, 64])
@pytest.mark.parametrize("mine", [NOTHING, CurrentLabel("pass"), CurrentLabel("fail", 4)])
@pytest.mark.parametrize(
    "words",
    [
        "undone: fail at turn 4; again: pass, with Asks twice",
        "kept under the name root (f9 changes it)",
        "undone: note",
    ],
)
def test_what_the_last_key_did_is_never_cut_beside_a_transcript(
    width: int, mine: CurrentLabel, words: str
) -> None:
    drawn = long(replace(FAIL, mine=mine, told=words, can_redo=True), width)
    assert words in " ".join(" ".join(texts(drawn)).split())
    assert all(cell_len(line) <= width for line in texts(drawn))


@pytest.mark.parametrize("width", [38, 45, 64])
def test_under_which_name_the_label_before_is_kept_is_told_whole(width: int) -> None:
    label = "last: fail under the name root (f9 changes it)"
    drawn = long(LabelView(last=label.removeprefix("last: ") + ", Leaking kettle of a long name"), width)
    assert label in " ".join(" ".join(texts(drawn)).replace("u undo", "").split())
    clicked = next(spot for spot in drawn.spots if spot.action == "undo")
    assert texts(drawn)[clicked.line][clicked.start : clicked.end] == "u undo"


def test_at_its_own_turn_the_first_failure_can_only_be_taken_away() -> None:
    view = replace(FAIL, here=4)
    assert words(long(view))["anchor"] == "! no single turn"
    assert "anchor" not in words(short(view))
    anywhere = replace(FAIL, mine=CurrentLabel("fail"))
    assert words(long(anywhere))["anchor"] == "! put it here"


def test_what_stands_above_does_not_move_with_a_label() -> None:
    heights = {
        len(long(replace(FAIL, mine=one)).lines)
        for one in (NOTHING, CurrentLabel("pass"), CurrentLabel("fail", 4))
    }
    assert heights == {3}


def test_others_modes_and_the_note() -> None:
    others = {"bo": label("fail", "bo", 6, "asks again"), "cy": label("pass", "cy"), "di": label(None, "di")}
    view = replace(FAIL, mine=CurrentLabel("fail", 4, "it forgets"), others=others, modes=["Asks again"])
    lines = texts(long(view))
    assert "  it forgets" in lines
    assert "  Modes  Asks again" in lines
    assert "  ✗ bo fail at turn 6, 1 min ago" in lines
    assert "    asks again" in lines
    assert "  ✓ cy pass, 1 min ago" in lines
    assert words(long(view))["jump_to_turn(6)"] == "turn 6"
    assert texts(short(view))[1].startswith("  ✎ it forgets   ✗ bo at turn 6   ✓ cy   ✎ di   mode Asks again")


def test_modes_are_told_with_their_turns_where_a_line_is_too_short() -> None:
    modes = ["Answers in English at turn 6", "Leaves it open at turn 6", "asks again at turn 10"]
    told = [line.strip() for line in texts(long(LabelView(mine=CurrentLabel("fail"), modes=modes)))]
    first = next(place for place, line in enumerate(told) if line.startswith("Modes  Answers"))
    assert " ".join(told[first:]).removeprefix("Modes  ") == " · ".join(modes)


def test_failure_modes_that_others_gave_stand_with_what_others_say() -> None:
    mia = SaidByOther(label("fail", "Mia", 2, "He writes German.").label, ["Answers in English"])
    view = LabelView(others={"Mia": mia}, given_by_others=["Ben: Rude at turn 4"], modes=["Asks again"])
    lines = [line.strip() for line in texts(long(view))]
    head = lines.index("What others say")
    assert lines.index("Modes  Asks again") < head
    assert not lines[head - 1]
    assert lines[head + 1 :] == [
        "✗ Mia fail at turn 2, 1 min ago",
        "Answers in English · He writes German.",
        "Ben: Rude at turn 4",
    ]
    assert texts(short(view, 90))[1].rstrip() == (
        "  ✗ Mia at turn 2: Answers in English   mode Asks again   Ben: Rude at turn 4"
    )
    # Who says what comes before in what words, where not all has room.
    many = {**view.others, "Cid": SaidByOther(label("fail", "Cid", 4).label, ["Promises what it cannot do"])}
    assert texts(short(replace(view, others=many)))[1].startswith(
        "  ✗ Mia at turn 2   ✗ Cid at turn 4   mode"
    )


def test_only_a_note_bears_the_sign_of_notes() -> None:
    fail = CurrentLabel("fail", 4)
    lines = texts(short(LabelView(mine=fail, modes=["Asks again"], any_history=True)))
    assert lines[1].rstrip() == "  mode Asks again"
    told = LabelView(mine=CurrentLabel("fail"), modes=["Asks again", "Rude"], told="given: Asks again")
    assert texts(short(told))[1].rstrip() == "  given: Asks again   mode Rude"
    # Given at another turn than the label's it is not said twice either.
    elsewhere = replace(told, modes=["Asks again at turn 10", "Rude at turn 2"])
    assert texts(short(elsewhere))[1].rstrip() == "  given: Asks again   mode Rude at turn 2"


def test_others_stand_in_one_order_in_a_line_and_below_each_other() -> None:
    newer = SaidByOther(replace(label("pass", "cy").label, created_at=9.0))
    others = {"person 1": label("fail", "bo", 6), "person 2": newer}
    view = replace(FAIL, others=others)
    for told in ("\n".join(texts(drawn)) for drawn in (long(view), short(view))):
        assert 0 < told.index("person 1") < told.index("person 2")


def test_of_many_others_the_first_are_told_and_the_rest_counted() -> None:
    others = {str(number): label("pass", str(number)) for number in range(9)}
    lines = texts(long(replace(FAIL, others=others)))
    assert "  and 5 more" in lines
    # Not under "Your label".
    assert lines.index("  What others say") < lines.index("  and 5 more")


def test_a_score_under_the_cursor_can_be_agreed_with() -> None:
    view = replace(FAIL, score=("knowledge retention", "you say it is right: fail"))
    for drawn in (long(view), short(view)):
        found = words(drawn)
        assert found["agree"] == "+ is right"
        assert found["disagree"] == "- is wrong"
        assert "you say it is right: fail" in texts(drawn)[-1]
        # Held apart from the reason that ends the list above it.
        line = next(spot.line for spot in drawn.spots if spot.action == "agree")
        assert texts(drawn)[line - 1].strip() == ""


def test_where_people_differ_their_reasons_stand_under_a_transcript_too() -> None:
    reason = "All was said and confirmed, then it wants the reference once more."
    failing = replace(label("fail", "mia", 10, reason), modes=["Asks again"])
    others = {"person 1": failing, "person 2": label("pass", "ben", note="No more than rude.")}
    view = LabelView(others=others, settles=True, here=2, in_reply=True)
    assert texts(short(view))[1:] == [
        "  A fail marks the reply, turn 2.",
        "  ✗ person 1 at turn 10  Asks again · All was said and confirmed, then it",
        "    wants the reference once more.",
        "  ✓ person 2  No more than rude.",
    ]
    lines = texts(long(view, 64))
    assert lines.index("  ✗ person 1 fail at turn 10, 1 min ago") < lines.index(
        "  ✓ person 2 pass, 1 min ago"
    )
    assert "Asks again · All was said and confirmed" in "".join(lines)


def test_what_is_cut_of_reasons_tells_the_key_that_shows_them_whole() -> None:
    two = {
        f"person {one}": label("fail", str(one), note="It promises what it may not. " * 9) for one in (1, 2)
    }
    cut = [line for line in texts(short(LabelView(others=two, settles=True))) if line.endswith("h shows all")]
    assert len(cut) == 2
    assert all("…  h shows all" in line and cell_len(line) <= 80 for line in cut)
    many = {f"person {one}": label("fail", str(one), note="Rude.") for one in range(1, 7)}
    lines = texts(short(LabelView(others=many, settles=True)))
    assert len(lines) == 6
    assert lines[-1] == "  ✗ person 4  Rude.  and 2 more  h shows all"


def test_a_label_that_is_not_blind_says_so_and_so_does_what_comes_before_it() -> None:
    given = LabelView(mine=CurrentLabel("pass"), not_blind=True)
    assert "  not blind" in texts(short(given))[1]
    assert "Your label  not blind" in texts(long(given))[0]
    unwanted = replace(given, not_blind=False)
    assert not any("blind" in line for lines in (long, short) for line in texts(lines(unwanted)))
    before = LabelView(here=4, not_blind=True)
    assert "Your label  will not be blind" in texts(long(before, 64))[0]
    assert "Your label will not be blind." in texts(short(before, 64))[1]
    undone = replace(before, told="undone: pass; your label will not be blind")
    assert sum("not be blind" in line for line in texts(long(undone, 80))) == 1


@pytest.mark.parametrize("width", [8, 20, 38, 64])
@pytest.mark.parametrize("draw", [long, short])
def test_any_text_is_made_safe_and_stays_within_its_width(width: int, draw: object) -> None:
    view = LabelView(
        mine=CurrentLabel("fail", 123456, NASTY * 5),
        others={NASTY: label("fail", NASTY, 999999, NASTY)},
        modes=[NASTY],
        can_undo=True,
        any_history=True,
        score=(NASTY, NASTY),
    )
    for one in (view, replace(view, score=None), replace(view, score=None, settles=True)):
        drawn = long(one, width) if draw is long else short(one, width)
        for text in texts(drawn):
            assert cell_len(text) <= width
            assert not {"\x1b", "\x07", "\u202e"} & set(text)


@given(st.integers(20, 120), st.sampled_from(["pass", "fail", "defer", None]), st.booleans())
def test_what_can_be_clicked_does_something_and_lies_in_sight(
    width: int, word: LabelWord | None, brief: bool
) -> None:
    view = replace(FAIL, mine=CurrentLabel(word, 4 if word == "fail" else None, "odd" * 30))
    drawn = short(view, width) if brief else long(view, width)
    for spot in drawn.spots:
        name = spot.action.partition("(")[0]
        answering = ANSWERING[target_of("review", name)]
        assert hasattr(answering, f"action_{name}")
        assert 0 <= spot.line < len(drawn.lines)
        assert 2 <= spot.start < spot.end <= width


def test_who_failed_stands_in_a_line_of_its_own_and_is_never_cut() -> None:
    failed = replace(FAIL, mine=replace(FAIL.mine, at_fault="chatbot"))
    assert "  Failed  the chatbot   X another" in texts(long(failed, 38))
    assert words(long(FAIL, 60))["at_fault"] == "X who failed"


def test_the_key_for_who_failed_stands_only_where_its_words_have_room() -> None:
    assert words(long(FAIL, 50))["at_fault"] == "X who failed"
    assert "at_fault" not in words(long(FAIL, 49))


def test_of_a_fail_that_nobody_explained_it_says_which_key_does_where_that_has_room() -> None:
    assert words(long(FAIL, 64))["note"] == words(short(FAIL))["note"] == "c say why"
    assert words(long(FAIL, 36))["note"] == "c note"
    assert words(short(replace(FAIL, can_redo=True)))["note"] == "c note"
    explained = replace(FAIL, mine=replace(FAIL.mine, note="odd"))
    for drawn in (long(explained, 64), short(explained)):
        assert "c note" in "\n".join(texts(drawn))
        assert "say why" not in "\n".join(texts(drawn))


def test_a_message_without_a_number_is_no_place_for_the_first_failure() -> None:
    nowhere = replace(FAIL, here=None)
    assert "anchor" not in words(long(nowhere))
    assert "anchor" not in words(short(nowhere))


def test_where_there_is_room_the_label_of_somebody_else_is_told_in_words_beside_its_sign() -> None:
    one = {"Ben": label("fail", "Ben", turn=4)}
    assert (
        texts(short(LabelView(mine=CurrentLabel("pass"), others=one)))[1].strip() == "✗ fail by Ben at turn 4"
    )
    many = {f"person {number}": label("pass", str(number)) for number in range(4)}
    assert "✓ person 0   ✓ person 1" in texts(short(LabelView(mine=CurrentLabel("pass"), others=many)))[1]
