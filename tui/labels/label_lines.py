"""Label lines: one's own label of a session, what others say, and the keys that change it, as lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style

from turnwise.conversations.marks import LABEL_SIGNS, LabelWord
from turnwise.conversations.safe_text import make_safe_line
from turnwise.engine.people.labelling import NOTHING, CurrentLabel
from turnwise.tui.drawing.lines_view import Tones, paragraph
from turnwise.tui.drawing.wrapping import fit
from turnwise.tui.labels.people_lines import SaidByOther, add_others, add_people, short_said
from turnwise.tui.labels.row import LabelLines, Row, Spot, to_turn
from turnwise.tui.parts.words import ago

MOST_NOTE = 4
"""Lines of one's own note; the editor shows it whole."""
LEAST_NOTE = 24
"""Cells of it, where it stands in a line with what others say: these are short, and come before its end."""
MOST_MODES = 3
"""Lines of failure modes that are shown."""
SHORT_LINES = 2
"""Lines that it takes under a transcript, whatever is said: another height would move all that is above.

Where people differ, what they say stands in lines of its own below these."""
INDENT = 2
"""Cells before the words of a line."""
_LEAST_GAP = 2
"""Cells between two keys, where there is no room for more."""
_MODES = "Modes  "
_MOST_TOLD = 3
"""Lines of what the last key did, where it has no room beside the head."""
WHO_FAILED = "who failed"
NOTE, SAY_WHY = "note", "say why"
"""What the key of notes does: of a fail without a note more is said, as words typed without it are keys."""
NOT_BLIND = "not blind"
"""Said of a label, as only to lack the word "blind" would tell nobody that it is not."""
_WILL_NOT = "will not be blind"
"""Stands beside the head, with which it makes a sentence."""
WILL_NOT_BE_BLIND = f"your label {_WILL_NOT}"
NOW_NOT_BLIND = f"{WILL_NOT_BE_BLIND.capitalize()}."
LEAST_NAME = 8
"""Cells of the name of the session before, with the comma, by which one knows it again."""
LAST = "last: "
"""Stands before what was said of another session, so that it is not read as this one's label."""
CHOICES: Sequence[LabelWord] = ("pass", "fail", "defer")
Keys = Mapping[str, str]
"""The keys as people write them, by the actions' names."""


@dataclass(frozen=True, slots=True)
class LabelView:
    """What a LabelPane shows.

    mine: what the one who labels says, given at `at`. others: what others say, by their names, in the order
    in which it is told; empty while they are hidden. settles: whether they differ, and what is said here
    settles it. modes: the failure modes that the one who labels gave. given_by_others: those of people whose
    label is not told in `others`, with their names. score: the name of the metric that the
    cursor is on, where it can be agreed with, and what is said of it. here: the number of the turn that a
    fail is about. in_reply: whether that is the reply that follows the turn that is looked at. not_blind:
    whether the label is not blind, or one given now would not be, where blind ones are wanted. told: what
    the last key did, where that is not seen at once. last: what was said of the session before, from which
    that label led here: "fail, Leaking kettle". keeps_room: whether the place of a score is left free while
    there is none.
    """

    mine: CurrentLabel = NOTHING
    at: float = 0.0
    others: Mapping[str, SaidByOther] = field(default_factory=dict)
    settles: bool = False
    modes: Sequence[str] = ()
    given_by_others: Sequence[str] = ()
    can_undo: bool = False
    can_redo: bool = False
    any_history: bool = False
    score: tuple[str, str] | None = None
    here: int | None = None
    in_reply: bool = False
    not_blind: bool = False
    told: str = ""
    last: str = ""
    keeps_room: bool = False


def label_lines(view: LabelView, keys: Keys, width: int, tones: Tones, now: float) -> LabelLines:
    """Return the lines of a label view in `width` cells, for a pane that stands beside a transcript."""
    drawn = LabelLines()
    told_below, warned = _add_head(drawn, view, keys, width, tones, now)
    choices = Row(drawn, width, tones)
    _add_choices(choices, view.mine, keys, tones)
    tells_who = view.mine.word == "fail" and not view.mine.at_fault
    who = _least_who(keys) if tells_who else 0
    has_room = choices.used + 4 + cell_len(keys["note"]) + len(NOTE) + who <= width
    _add_note_key(choices, view.mine, keys, then=who if has_room else 0)
    if tells_who:
        _add_who_failed(choices, keys)
    choices.end()
    # One line in any case: what stands above would move with every label.
    if told_below and view.mine.word != "fail":
        _add_told(drawn, told_below, width, tones)
    elif view.last and _last_needs_lines(view, keys, width):
        _add_last_whole(drawn, view.last, keys, width, tones)
        if view.mine.word is None and view.not_blind and not warned:
            given = Row(drawn, width, tones)
            given.add(NOW_NOT_BLIND, tones.muted)
            given.end()
    else:
        given = Row(drawn, width, tones)
        if view.mine.word == "fail":
            _add_anchor(given, view, keys, tones)
        elif view.last and view.mine.word is not None:
            _add_last(given, view.last, keys, tones)
        elif view.mine.word is None:
            _add_where_a_fail_goes(given, view, tones, warned=warned)
        given.end()
        _add_told(drawn, told_below, width, tones)
    if view.mine.at_fault:
        _add_at_fault(drawn, view.mine.at_fault, keys, width, tones)
    if view.mine.note:
        _add_note(drawn, view.mine.note, width, tones)
    if view.modes:
        _add_modes(drawn, view.modes, width, tones)
    if view.others or view.given_by_others:
        drawn.lines.append([])
        add_others(drawn, view.others, view.given_by_others, width, tones, now, settles=view.settles)
    if view.score:
        drawn.lines.append([])
        _add_score(drawn, view.score, keys, width, tones)
    elif view.keeps_room:
        drawn.lines += [[], []]
    return drawn


def _add_head(
    drawn: LabelLines, view: LabelView, keys: Keys, width: int, tones: Tones, now: float
) -> tuple[str, bool]:
    """Add the head; return what the last key did where that has no room in it, and whether it warns."""
    head = Row(drawn, width, tones)
    head.add("Your label", tones.section)
    last = _last_in_head(view, keys, width)
    steps = _steps(view, last=bool(last))
    tail = [(keys[name], name, name) for name in [*steps, *(["history"] if view.any_history else [])]]
    if last:
        head.add(f"  {last}", tones.muted)
    if view.told and head.used + cell_len(view.told) + 5 + _room(tail) > width:
        # What the key did is read now; the history can wait for the next one.
        tail = tail[: len(steps)]
    warns = not view.told and view.mine.word is None and _warns(view)
    least = tail[: len(steps)]
    warns = warns and head.used + 2 + len(_WILL_NOT) + 2 * bool(least) + _room(least) <= width
    if warns:
        head.add(f"  {_WILL_NOT}", tones.muted)
        if head.used + 2 + _room(tail) > width:
            tail = least
    while len(tail) > 1 and head.used + 1 + _room(tail) >= width:
        tail.pop()
    room = _room(tail)
    # Cut, one undo would read as another.
    told_fits = cell_len(view.told) <= width - head.used - room - 5
    if view.told and told_fits:
        head.add(f"  {view.told}", tones.muted)
    elif view.mine.word and not view.told:
        when, blind = ago(view.at, now), f"  {words}" if (words := _blind_words(view)) else ""
        for text in (f"{blind} · {when}" if blind else f"  {when}", blind):
            if head.used + cell_len(text) + 2 + room < width:
                head.add(text, tones.muted)
                break
    if tail:
        head.push(room)
    for index, (key, word, action) in enumerate(tail):
        if index:
            head.gap()
        head.key(key, word, action)
    head.end()
    return "" if told_fits else view.told, warns


def _warns(view: LabelView) -> bool:
    """Return whether it is to be said that a label given now will not be blind.

    Who settles sees the others' labels by the rule: that needs no warning. And what the last key did says so
    too, where it brought that about.
    """
    return view.not_blind and not view.settles and WILL_NOT_BE_BLIND not in view.told


def _blind_words(view: LabelView) -> str:
    """Return whether the label that was given is blind, in words; empty where nobody asks."""
    return "blind" if view.mine.blind else NOT_BLIND if view.not_blind else ""


def _add_told(drawn: LabelLines, told: str, width: int, tones: Tones) -> None:
    """Add what the last key did, over as many lines as it needs, if there is anything."""
    if told:
        drawn.lines += paragraph(make_safe_line(told), width - 1, tones.muted, indent="  ", most=_MOST_TOLD)


def _last_in_head(view: LabelView, keys: Keys, width: int) -> str:
    """Return what was said of the session before, as the head has room for it; empty where it has none.

    Below it stands what a fail will mark, which is as true of a session that a label led to.
    """
    if not view.last or view.told or view.mine.word is not None:
        return ""
    before = INDENT + len("Your label") + 2 + cell_len(LAST)
    room = width - before - 4 - _room([(keys["undo"], "undo", "undo")])
    label = view.last.partition(", ")[0]
    if room < cell_len(label):
        return ""
    # A letter or two of a name tell nobody which it is.
    has_room = room >= min(cell_len(view.last), cell_len(label) + LEAST_NAME)
    return f"{LAST}{fit(view.last, min(room, cell_len(view.last))) if has_room else label}"


def _steps(view: LabelView, *, last: bool = False) -> list[str]:
    """Return which of undo and redo there is anything for. last: whether undo goes back a session."""
    can_undo = view.can_undo or last
    return [name for name, can in (("undo", can_undo), ("redo", view.can_redo and not last)) if can]


def _room(tail: Sequence[tuple[str, str, str]]) -> int:
    """Return how many cells these keys with their words take."""
    return sum(cell_len(key) + 1 + len(word) for key, word, _ in tail) + 3 * max(0, len(tail) - 1)


def short_label_lines(view: LabelView, keys: Keys, width: int, tones: Tones) -> LabelLines:
    """Return a label view in one line or two, for a pane under a transcript.

    The second line holds what the last key did, the note, the labels of others and the failure modes; before
    there is any of them it says what a fail will mark, and what was said of the session before. Where others
    differ and one decides between them, what they say stands below with all its reasons.
    """
    drawn = LabelLines()
    if view.score:
        # What the keys are about stands over this, in bold: held apart, it is not read as a part of the
        # reason that ends the list above.
        drawn.lines.append([])
        _add_score(drawn, view.score, keys, width, tones, in_line=True)
        return drawn
    said: list[tuple[str, Style, str]] = []
    if view.mine.at_fault:
        said.append((f"the {view.mine.at_fault} failed", tones.muted, "history"))
    # Before the failure modes: whether people agree counts more than in what words, and is shorter.
    others = {} if view.settles else view.others
    heads = [short_said(name, one, worded=True) for name, one in others.items()]
    by_others = list(view.given_by_others)
    given = bool(view.mine.note or view.modes or by_others or any(one.modes for one in others.values()))
    if given or sum(cell_len(text) + 3 for text in heads) > width // 2:
        # What is to be read beside them counts more than the words for their signs.
        heads = [short_said(name, one) for name, one in others.items()]
    with_modes = [
        f"{head}: {make_safe_line(' · '.join(one.modes))}" if one.modes else head
        for head, one in zip(heads, others.values(), strict=True)
    ]
    if sum(cell_len(text) + 3 for text in with_modes) <= width:
        heads = with_modes
    else:
        by_others = [
            *(f"{name}: {' · '.join(one.modes)}" for name, one in others.items() if one.modes),
            *by_others,
        ]
    said += [(head, tones.muted, "history") for head in heads]
    # What was given right now is told already, be it at the turn of the label or at another.
    names = map(make_safe_line, view.modes)
    if modes := [name for name in names if name.partition(" at turn ")[0] not in view.told]:
        # Said by its kind: beside what an undo tells, a name alone was taken for what was undone.
        kind = "mode" if len(modes) == 1 else "modes"
        said.append((f"{kind} {' · '.join(modes)}", tones.muted, "history"))
    said += [(text, tones.muted, "history") for text in map(make_safe_line, by_others)]
    if view.mine.note:
        taken = sum(cell_len(text) + 3 for text in (view.told, *(one[0] for one in said)) if text)
        words = f"✎ {make_safe_line(view.mine.note)}"
        room = max(LEAST_NOTE, width - 2 - taken)
        said.insert(0, (fit(words, min(room, cell_len(words))), tones.text, "note"))
    if view.told:
        said.insert(0, (view.told, tones.muted, "history"))
    elif view.mine.word and not view.mine.blind and view.not_blind:
        said.insert(0, (NOT_BLIND, tones.muted, "history"))
    if view.mine.word == "fail" and view.here is None and not view.mine.turn and not view.told:
        taken = sum(cell_len(text) + 3 for text, _, _ in said)
        said.insert(0, (_how_to_mark(keys, width - INDENT - taken), tones.muted, ""))
    row = Row(drawn, width, tones)
    _add_choices(row, view.mine, keys, tones, here=view.here)
    # Beside the label that led here its undo goes back to it, and is told there.
    steps = [step for step in _steps(view) if step != "undo" or said or not view.last]
    tail = [*steps, *(["history"] if view.any_history else [])]
    _add_note_key(row, view.mine, keys, then=sum(cell_len(keys[name]) + len(name) + 4 for name in tail))
    for name in tail:
        row.gap()
        row.key(keys[name], name, name)
    row.end()
    if said or view.last or view.mine.word is None:
        more = Row(drawn, width, tones)
        if not said and view.mine.word is None:
            _add_where_a_fail_goes(more, view, tones, then=_least_last(view.last, keys))
        if not said and view.last:
            if more.used > INDENT:
                more.gap()
            _add_last(more, view.last, keys, tones)
        for index, (text, style, action) in enumerate(said):
            if index:
                more.gap()
            more.add(text, style, action)
        more.end()
    if view.settles and view.others:
        drawn.lines += [[]] * (SHORT_LINES - len(drawn.lines))
        add_people(drawn, view.others, keys["history"], width, tones)
    return drawn


def _add_choices(row: Row, mine: CurrentLabel, keys: Keys, tones: Tones, *, here: int | None = 0) -> None:
    """Add pass, fail and defer. here: the current turn where a fail is to tell its own; 0 where not."""
    # With a sign before one the gaps are smaller, so that what follows stays where it is.
    between = 3 if mine.word is None else _LEAST_GAP
    for index, word in enumerate(CHOICES):
        if index:
            row.gap(between)
        action = f"label_{word}"
        if word == mine.word:
            sign = LABEL_SIGNS[word]
            # The key is named once it is chosen, too: a fail that leaves and comes back is given by it.
            row.add(f"{keys[action]} ".lstrip(), tones.heading, action)
            row.add(f"{sign} {word}", tones.of_sign(sign) + Style(bold=True, dim=False), action)
            if word == "fail" and here != 0:
                if mine.turn:
                    row.add(" at ", tones.text)
                    row.add(f"turn {mine.turn}", tones.link, to_turn(mine.turn))
                if here not in (None, mine.turn):
                    row.gap(2)
                    row.key(keys["anchor"], "here", "anchor")
        else:
            row.key(keys[action], word, action)


def _add_where_a_fail_goes(
    row: Row, view: LabelView, tones: Tones, *, warned: bool = False, then: int = 0
) -> None:
    """Add what a fail will mark, be it this turn or the reply that follows it, and that it is not blind.

    It is told in fewer words, or the turn not at all, where all of it has no room. warned: whether it stands
    elsewhere that the label is not blind. then: cells of what is to have room behind it.
    """
    warns = not warned and _warns(view)
    if view.here is None:
        ways = ["No turn is selected: a fail marks the whole session.", "A fail marks the whole session."]
    else:
        ways = [f"A fail marks turn {view.here}."]
        if view.in_reply:
            ways.insert(0, f"A fail marks the reply, turn {view.here}.")
    if warns:
        short = f"{ways[-1]} {NOT_BLIND.capitalize()}."
        ways = [*(f"{way} {NOW_NOT_BLIND}" for way in ways), short, NOW_NOT_BLIND]
    fitting = (way for way in ways if row.used + cell_len(way) + then <= row.width)
    row.add(next(fitting, ways[-1] if warns else ""), tones.muted)


def _add_note_key(row: Row, mine: CurrentLabel, keys: Keys, *, then: int = 0) -> None:
    """Add the key that writes a note. then: cells of what is to have room behind it."""
    row.gap()
    fits = row.used + cell_len(keys["note"]) + 1 + len(SAY_WHY) + then <= row.width
    row.key(keys["note"], SAY_WHY if fits and mine.word == "fail" and not mine.note else NOTE, "note")


def _add_anchor(row: Row, view: LabelView, keys: Keys, tones: Tones) -> None:
    turn = view.mine.turn
    if turn:
        row.add("First failure at ", tones.text)
        row.add(f"turn {turn}", tones.link, to_turn(turn))
    elif view.here is None:
        row.add(_how_to_mark(keys, width=row.width - row.used), tones.muted)
    else:
        row.add("First failure: no turn", tones.muted)
    row.gap()
    if view.here is None:
        return
    if turn is None or view.here != turn:
        row.key(keys["anchor"], "put it here", "anchor")
    else:
        row.key(keys["anchor"], "no single turn", "anchor")


def _how_to_mark(keys: Keys, width: int) -> str:
    """Say how a fail that was given at no turn gets one, in so many cells."""
    if not (key := keys["anchor"]):
        return "No turn marked"
    ways = [
        f"No turn marked: go to the one that fails and press {key}",
        f"No turn marked: go to one, press {key}",
    ]
    return next((way for way in ways if cell_len(way) <= width), ways[-1])


def _last_needs_lines(view: LabelView, keys: Keys, width: int) -> bool:
    """Return whether what was said of the session before has no room in a line; its name may be cut."""
    if view.mine.word is None:
        return not _last_in_head(view, keys, width)
    label = view.last.partition(", ")[0]
    needs = INDENT + cell_len(LAST) + cell_len(label) + 4 + cell_len(keys["undo"]) + len(" undo")
    return view.mine.word != "fail" and needs > width


def _least_last(last: str, keys: Keys) -> int:
    """Return how many cells what was said of the session before takes at the least, with its key."""
    if not last:
        return 0
    label = cell_len(last.partition(", ")[0])
    told = min(cell_len(last), label + LEAST_NAME)
    return 3 + cell_len(LAST) + told + 4 + cell_len(keys["undo"]) + len(" undo")


def _add_last_whole(drawn: LabelLines, last: str, keys: Keys, width: int, tones: Tones) -> None:
    """Add what was said of the session before over more than one line, and the key that undoes it."""
    room = max(1, width - 4 - cell_len(keys["undo"]) - len(" undo"))
    *lines, end = paragraph(f"{LAST}{last}", room, tones.muted, indent="  ", most=_MOST_TOLD)
    drawn.lines += lines
    row = Row(drawn, width, tones)
    row.add("".join(piece.text for piece in end).removeprefix("  "), tones.muted)
    row.gap()
    row.key(keys["undo"], "undo", "undo")
    row.end()


def _add_last(row: Row, last: str, keys: Keys, tones: Tones) -> None:
    """Add what was said of the session before, in dim words, and the key that goes back and undoes it."""
    room = row.width - row.used - cell_len(LAST) - cell_len(keys["undo"]) - len(" undo") - 4
    row.add(f"{LAST}{fit(last, max(1, min(room, cell_len(last))))}", tones.muted)
    row.gap()
    row.key(keys["undo"], "undo", "undo")


def _add_who_failed(row: Row, keys: Keys) -> None:
    """Add the key that says who failed, where that has room: one word of it tells nobody what it does."""
    room = row.width - row.used - _least_who(keys)
    if room >= 0:
        # A word that ends at the edge of the pane is read as cut.
        row.gap(3 if room > 1 else _LEAST_GAP)
        row.key(keys["at_fault"], WHO_FAILED, "at_fault")


def _least_who(keys: Keys) -> int:
    """Return how many cells that key takes at the least, with the gap before it."""
    return _LEAST_GAP + cell_len(keys["at_fault"]) + 1 + len(WHO_FAILED)


def _add_at_fault(drawn: LabelLines, who: str, keys: Keys, width: int, tones: Tones) -> None:
    """Add a line that says who failed, and the key that says otherwise."""
    row = Row(drawn, width, tones)
    row.add("Failed  ", tones.muted)
    row.add(f"the {who}", tones.text, "at_fault")
    row.gap()
    row.key(keys["at_fault"], "another", "at_fault")
    row.end()


def _add_note(drawn: LabelLines, note: str, width: int, tones: Tones) -> None:
    first = len(drawn.lines)
    drawn.lines += paragraph(note, width - 1, tones.text, indent="  ", most=MOST_NOTE)
    drawn.spots += [Spot(number, 2, width, "note") for number in range(first, len(drawn.lines))]


def _add_modes(drawn: LabelLines, modes: Sequence[str], width: int, tones: Tones) -> None:
    """Add the failure modes, each told whole with its turn where a few lines hold them."""
    indent = " " * min(2 + len(_MODES), width // 2)
    first, *rest = paragraph(
        make_safe_line(" · ".join(modes)), width - 1, tones.text, indent=indent, most=MOST_MODES
    )
    head = fit(f"  {_MODES}", len(indent))
    drawn.lines.append([Segment(head, tones.muted), Segment(first[0].text.removeprefix(indent), tones.text)])
    drawn.lines += rest


def _add_score(
    drawn: LabelLines,
    score: tuple[str, str],
    keys: Keys,
    width: int,
    tones: Tones,
    *,
    in_line: bool = False,
) -> None:
    """Add the keys that say whether a score is right, and what was said of it.

    in_line: that stands in the same line.
    """
    name, said = score
    row = Row(drawn, width, tones)
    # The keys matter more than a long name.
    row.add(fit(make_safe_line(name), min(cell_len(make_safe_line(name)), max(8, width - 24))), tones.heading)
    row.gap(2)
    row.key(keys["agree"], "is right", "agree")
    row.gap(2)
    row.key(keys["disagree"], "is wrong", "disagree")
    if said and in_line:
        row.gap()
        row.add(said, tones.muted)
    row.end()
    if said and not in_line:
        row = Row(drawn, width, tones)
        row.add(said, tones.muted)
        row.end()
