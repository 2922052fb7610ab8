"""Score lines: the outcomes of a session as the lines of the score pane, and what each line leads to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rich.cells import cell_len
from rich.segment import Segment

from turnwise.conversations.marks import (
    FAILED,
    FAILURE,
    LABEL_SIGNS,
    PASSED,
    SKIPPED,
    LabelWord,
    verdict_sign,
)
from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.store import LabelRow, ScoreRow, VerdictRow, quote_gone
from turnwise.conversations.words import counted
from turnwise.engine.people.labelling import CurrentLabel, LabelSubject
from turnwise.tui.drawing.lines import Line, line_text
from turnwise.tui.drawing.lines_view import Tones, paragraph
from turnwise.tui.drawing.wrapping import fit, whole_words
from turnwise.tui.parts.words import ago
from turnwise.tui.reading.score_groups import ScoreGroup, has_marks, said_by, subject_of_row
from turnwise.tui.reading.turn_links import keep_together, link_turns, turns_named

MOST_FAILING = 12
"""So many failing turns of a metric are listed; keys go through all of them."""
MOST_REASON = 6
"""Lines of one reason in the list where others want the room; the evidence shows it whole."""
SCORE = 4
"""Cells of a score, such as 0.71."""
_LABEL_WORDS: Mapping[LabelWord | None, str] = {
    "pass": f"{LABEL_SIGNS['pass']} pass",
    "fail": f"{LABEL_SIGNS['fail']} fail",
    "defer": f"{LABEL_SIGNS['defer']} deferred",
    None: "label taken back",
}
WORDS_THAT_BEGIN = 2
"""So many words of a reason are its beginning, such as "in German"."""
BEFORE_NAME = 6
"""Cells before the name of a metric, for its sign and its letter."""
MORE = "and more"
"""What stands where not all has room."""


@dataclass(frozen=True, slots=True)
class ScoreItem:
    """Something in the list that the cursor stops at: an outcome, or one failing turn of it.

    first, last: its lines. turn: the number of the turn it leads to; None for the outcome itself. named: the
    turns that its reason names.
    """

    first: int
    last: int
    row: ScoreRow
    turn: int | None = None
    named: tuple[int, ...] = ()


@dataclass(slots=True)
class ScoreLines:
    """The lines of the pane and the items among them."""

    lines: list[Line] = field(default_factory=list)
    items: list[ScoreItem] = field(default_factory=list)

    @property
    def is_cut(self) -> bool:
        """Whether a text may go on where its last line ends."""
        return any(line_text(line).endswith("…") for line in self.lines)

    def add(self, lines: Sequence[Line], row: ScoreRow, turn: int | None = None) -> None:
        """Add the lines of an item."""
        first = len(self.lines)
        self.lines.extend(lines)
        text = " ".join("".join(piece.text for piece in line) for line in lines)
        self.items.append(ScoreItem(first, len(self.lines) - 1, row, turn, tuple(turns_named(text))))


def score_lines(
    groups: Sequence[ScoreGroup],
    labels: Sequence[LabelRow],
    width: int,
    tones: Tones,
    now: float,
    mine: Mapping[LabelSubject, CurrentLabel] | None = None,
    last: int = 0,
    *,
    spare: int | None = None,
    most: int = MOST_REASON,
) -> ScoreLines:
    """Return all outcomes in `width` cells: sign, name and score, the reason, the turns that failed.

    labels: of people; the newest of the whole is shown, and how many say what of a metric. mine: what the
    one who labels says of them. last: the number of the last turn, to which what is said may lead. spare:
    None where each outcome has all its lines; else what asks for nothing has one line each, and so many more
    in all for reasons that would be cut in it. most: lines of one reason.
    """
    drawn = ScoreLines()
    if groups:
        drawn.lines += _head(groups, width, tones, now)
    was_line = False
    for group in groups:
        is_line = spare is not None and not group.failing and group.sign in (PASSED, SKIPPED)
        # Lines stand close together.
        drawn.lines += [] if is_line and was_line else [[]]
        was_line = is_line
        if spare is not None and is_line:
            lines = _brief(group, width, tones, spare)
            spare -= len(lines) - 1
            drawn.add(lines, group.rows[-1])
        else:
            _add_group(drawn, group, width, tones, mine or {}, most)
    for label in [label for label in labels if not label.metric][-1:]:
        drawn.lines.append([])
        drawn.lines += _label(label, width, tones, now, most)
    if rated := _rated(labels, [group.metric for group in groups]):
        drawn.lines += [[], [Segment("  What people say of each metric", tones.section)]]
        drawn.lines += [_rating(metric, said, width, tones) for metric, said in rated.items()]
    drawn.lines = [link_turns(line, tones.link, last) for line in drawn.lines]
    return drawn


def _head(groups: Sequence[ScoreGroup], width: int, tones: Tones, now: float) -> list[Line]:
    rows = [row for group in groups for row in group.rows]
    newest = max(rows, key=lambda row: row.created_at)
    when = f"run {newest.run_id}, {ago(newest.created_at, now)}"
    judges = list(dict.fromkeys(row.judged_by for row in rows if row.judge))
    files = dict.fromkeys(row.judged_by for row in rows if row.came_from)
    checks = sum(all(not row.judge and not row.came_from for row in group.rows) for group in groups)
    also = f", {counted(checks, 'check')}" if checks else ""
    judge = f"judged by {', '.join(judges)}{also}" if judges else " ".join(["checks, no judge", *files])
    others = list(dict.fromkeys(row.other_model for row in rows if row.other_model))
    since = f"since then {', '.join(others)} answers in its place" if others else ""
    by = make_safe_line(judge)
    head, told = Segment("  Scores", tones.section), Segment(when, tones.muted)
    if len("  Scores") + cell_len(by) + cell_len(when) + 6 <= width:
        lines = [_ends([head, Segment(f"  {by}", tones.muted)], [told], width)]
    else:
        lines = [_ends([head], [told], width), [Segment(fit(f"  {by}", width), tones.muted)]]
    return lines + (paragraph(make_safe_line(since), width, tones.text, indent="  ") if since else [])


def _add_group(
    drawn: ScoreLines,
    group: ScoreGroup,
    width: int,
    tones: Tones,
    mine: Mapping[LabelSubject, CurrentLabel],
    most: int,
) -> None:
    failing = group.failing
    lines = [_title(group, width, tones)]
    if group.summary.strip():
        lines += _reason(group, width, tones, most)
    lines += [
        [Segment(fit(f"    ✎ {said_by(row, mine[subject_of_row(row)])}", width), tones.text)]
        for row in group.rows
        if subject_of_row(row) in mine
    ]
    drawn.add(lines, (failing[0][0] if failing else group.rows[-1]))
    told: set[tuple[int | None, str]] = set()
    for row, verdict in failing[:MOST_FAILING]:
        if verdict.turn is None and verdict.reason.strip() in group.summary:
            continue
        if (verdict.turn, verdict.reason) in told:
            continue
        told.add((verdict.turn, verdict.reason))
        drawn.add(_failing_turn(verdict, group.summary, width, tones, most), row, verdict.turn)
    if len(failing) > MOST_FAILING:
        rest = f"    and {len(failing) - MOST_FAILING:,} more: n goes through them"
        drawn.lines.append([Segment(fit(rest, width), tones.muted)])


def _brief(group: ScoreGroup, width: int, tones: Tones, spare: int) -> list[Line]:
    """Return the line of what asks for nothing; with its reason below where that has no room in it.

    spare: lines that there are for that; where they are too few the reason is cut.
    """
    line = _title(group, width, tones, brief=True)
    if not spare or make_safe_line(group.summary).strip() in line_text(line):
        return [line]
    reason = _reason(group, width, tones, MOST_REASON)
    return [_title(group, width, tones), *reason] if len(reason) <= spare else [line]


def _reason(group: ScoreGroup, width: int, tones: Tones, most: int) -> list[Line]:
    # What passed needs no attention: its reason stays dim.
    style = tones.text if group.sign == FAILED else tones.muted
    needs = _needs(group)
    # What has no room beside a long name stands before the reason.
    before = "" if not needs or _has_room_for_need(group, width) else f"{needs.removeprefix(', ')} · "
    return paragraph(keep_together(f"{before}{group.summary}"), width - 1, style, indent="    ", most=most)


def _title(group: ScoreGroup, width: int, tones: Tones, *, brief: bool = False) -> Line:
    """Return the line of a metric. brief: whether its reason follows its name, as far as it has room."""
    score = "" if group.score is None else f"{group.score:.2f}"
    word = {SKIPPED: "skipped", FAILURE: "not judged"}.get(group.sign, "") if not score else ""
    right = [
        Segment(score.rjust(SCORE) if score else word, tones.of_sign(group.sign) if score else tones.muted)
    ]
    place = group.place
    room = width - BEFORE_NAME - max(len(word), SCORE) - 2
    name = make_safe_line(group.name)
    if (needs := _needs(group)) and _has_room_for_need(group, width):
        right.append(Segment(needs, tones.muted))
    if place and cell_len(name) + 2 + len(place) <= room:
        middle = [Segment(name, tones.heading), Segment(f"  {place}", tones.muted)]
    else:
        middle = [Segment(fit(name, min(room, cell_len(name))), tones.heading)]
    if brief:
        used = sum(cell_len(piece.text) for piece in middle)
        reason = fit(make_safe_line(group.summary), max(0, room - used - 2)).rstrip()
        middle.append(Segment(f"  {reason}", tones.muted))
    letter = group.letter if has_marks(group) else " "
    return _ends([*_sign(group.sign, letter, tones), *middle], right, width)


def _has_room_for_need(group: ScoreGroup, width: int) -> bool:
    """Return whether what a score lacked has room beside the name of its metric, and where it was found."""
    place = 2 + len(group.place) if group.place else 0
    taken = cell_len(make_safe_line(group.name)) + place + len(_needs(group))
    return taken <= width - BEFORE_NAME - SCORE - 2


def _sign(sign: str, letter: str, tones: Tones) -> Line:
    """Return what stands before a metric's name: its sign, in line with the headings, and its letter."""
    return [Segment(f"  {sign} ", tones.of_sign(sign)), Segment(f"{letter} ", tones.muted)]


def _failing_turn(verdict: VerdictRow, summary: str, width: int, tones: Tones, most: int) -> list[Line]:
    head = "whole" if verdict.turn is None else f"turn {verdict.turn}"
    indent = 4 + max(7, len(head)) + 1
    # What the line above has just said is not said again.
    reason = verdict.reason.strip()
    text = _about_text(verdict) if reason and reason in summary else verdict_text(verdict)
    lines = paragraph(text, width - 1, tones.muted, indent=" " * indent, most=most)
    first = Segment("".join(piece.text for piece in lines[0])[indent:], tones.muted)
    link = tones.muted if verdict.turn is None else tones.link
    pad = Segment(" " * (indent - 4 - len(head)))
    return [[Segment("    "), Segment(head, link), pad, first], *lines[1:]]


def verdict_text(verdict: VerdictRow) -> str:
    """Return what a verdict says: what it is about, in quotation marks where that was said so, and why."""
    return _about_and(verdict, verdict.reason or verdict.word)


def _about_text(verdict: VerdictRow) -> str:
    """Return what a verdict is about and its word, without why: what is only named would seem to be so."""
    return _about_and(verdict, verdict.word if verdict.about else "")


def _about_and(verdict: VerdictRow, said: str) -> str:
    about = _about_of(verdict)
    if about and not verdict.is_about_words:
        # As the answer to a question: behind a point it was read as one more thing that was said.
        about += ":" if is_yes_or_no(said) else " ·"
    return keep_together(f"{about} {said} {quote_gone(verdict)}".strip())


def _about_of(verdict: VerdictRow) -> str:
    about = make_safe_line(verdict.about[:400])
    return f"“{about}”" if about and verdict.is_about_words else about


def word_before_reason(verdict: VerdictRow) -> str:
    """Return a verdict's word where it says something that its reason does not begin with, else nothing.

    "in German, and the user writes English" says "German" by itself.
    """
    begins = verdict.reason.casefold().split()[:WORDS_THAT_BEGIN]
    is_said = verdict.word.casefold() in (word.strip(",.;:") for word in begins)
    return "" if says_once(verdict) or is_said else verdict.word


def says_once(verdict: VerdictRow) -> bool:
    """Return whether a verdict's word is all that its text says."""
    return verdict.reason in ("", verdict.word)


def says_yes_or_no(verdict: VerdictRow) -> bool:
    """Return whether yes or no is all that a verdict's text says."""
    return not verdict.about and says_once(verdict) and is_yes_or_no(verdict.word)


def is_yes_or_no(word: str) -> bool:
    """Return whether a verdict's word answers a question of yes or no."""
    return word.lower() in ("yes", "no")


def turn_lines(
    number: int,
    verdicts: Sequence[tuple[ScoreGroup, ScoreRow, VerdictRow]],
    width: int,
    tones: Tones,
    most: int,
    more: str = MORE,
    *,
    ahead: str = "",
) -> list[Line]:
    """Return the verdicts about one turn in `width` cells and at most `most` lines, under its number.

    more: what the last line says where not all have room. ahead: what it is called where it is still to come.
    """
    title = f"  {ahead or 'Turn'} {number}"
    lines: list[Line] = [[Segment(title, tones.section)]]
    for group, _, verdict in verdicts:
        head = _verdict_head(group, verdict, width, tones)
        if verdict.passed:
            # What passed needs no attention: a line, as far as it goes.
            used = sum(cell_len(piece.text) for piece in head) + 2
            text = "" if says_yes_or_no(verdict) else make_safe_line(verdict_text(verdict))
            said = fit(text, max(0, width - 1 - used)).rstrip()
            lines.append([*head, Segment("  "), Segment(said, tones.muted)])
            continue
        lines += [head, *paragraph(verdict_text(verdict), width - 1, tones.text, indent="    ")]
    return _cut(lines, width, tones, most, more)


def short_turn_lines(
    verdicts: Sequence[tuple[ScoreGroup, ScoreRow, VerdictRow]],
    width: int,
    tones: Tones,
    most: int,
    more: str = MORE,
    *,
    ahead: str = "",
) -> list[Line]:
    """Return the verdicts about one turn in few lines: each verdict's words follow right after its name.

    more: as in `turn_lines`. ahead: what the turn is called, with its number, where it is still to come.
    """
    lines: list[Line] = []
    for group, _, verdict in verdicts:
        head = _verdict_head(group, verdict, width, tones)
        if ahead and not lines:
            head.insert(0, Segment(f"  {ahead}", tones.muted))
        used = sum(cell_len(piece.text) for piece in head)
        style = tones.muted if verdict.passed else tones.text
        # The name takes the place of as many blanks at the start of the text.
        said = "" if verdict.passed and says_yes_or_no(verdict) else verdict_text(verdict)
        text = "\xa0" * max(0, used - 2) + said
        rest = paragraph(text, width - 1, style, indent="    ", most=most)
        first = rest[0][0].text[used + 2 :]
        lines += [[*head, Segment("  "), Segment(first, style)], *rest[1:]]
    return _cut(lines, width, tones, most, more)


def _verdict_head(group: ScoreGroup, verdict: VerdictRow, width: int, tones: Tones) -> Line:
    sign = verdict_sign(verdict.passed)
    name = make_safe_line(group.name)
    # Whether yes is good depends on what was asked; the evidence shows both.
    word = "" if is_yes_or_no(verdict.word) else make_safe_line(word_before_reason(verdict)[:40])
    return [
        *_sign(sign, group.letter, tones),
        Segment(fit(name, min(cell_len(name), max(1, width - BEFORE_NAME - 1))), tones.heading),
        Segment(f"  {word}" if word else "", tones.muted),
    ]


def _cut(lines: list[Line], width: int, tones: Tones, most: int, more: str) -> list[Line]:
    if len(lines) <= most or most < 1:
        return lines[: max(0, most)]
    # Behind the last line that is shown, as a line of its own would take the place of what is read.
    told = f" … {more}"
    last = lines[most - 1]
    room = max(0, width - 1 - cell_len(told))
    kept: Line = []
    for piece in last:
        if cell_len(piece.text) > room:
            kept.append(Segment(whole_words(piece.text, room), piece.style))
            break
        kept.append(piece)
        room -= cell_len(piece.text)
    if kept:
        kept[-1] = Segment(kept[-1].text.rstrip(" …"), kept[-1].style)
    return [*lines[: most - 1], [*kept, Segment(fit(told, min(width, cell_len(told))), tones.muted)]]


def chips(groups: Sequence[ScoreGroup], width: int, tones: Tones) -> Line:
    """Return all outcomes in one line: what is wanting by sign, name and score, and how many others."""
    wanted = [group for group in groups if group.sign not in (PASSED, SKIPPED)]
    others = _others(groups, tones)
    # In line with what stands below.
    width -= 1
    # What was lacking comes before the name of what was skipped, and that before which have marks.
    whole = sum(map(_chip_cells, _chips_of(wanted, len(wanted), width, tones)))
    if whole + sum(map(_chip_cells, others)) > width:
        others = _others(groups, tones, named=False)
    elif whole + sum(map(_chip_cells, marked := _others(groups, tones, marked=True))) <= width:
        others = marked
    # How many others there are keeps its room, where not all of what is wanting fits.
    room = width - sum(map(_chip_cells, others))
    needs = _needs_in(wanted, room, width, tones)
    if not needs:
        # A sign and a number tell what passes, too; a score without what it needed may not look like a fail.
        short = _others(groups, tones, named=False, worded=False)
        short_room = width - sum(map(_chip_cells, short))
        if needs := _needs_in(wanted, short_room, width, tones):
            others, room = short, short_room
    wanting = _chips_of(wanted, needs, width, tones)
    shown = len(wanting)
    while shown > 1 and sum(map(_chip_cells, wanting[:shown])) + 4 * (shown < len(wanting)) > room:
        shown -= 1
    rest = len(wanting) - shown
    more: list[Line] = [[Segment(f"+{rest}", tones.muted)]] if rest else []
    line: Line = [Segment(" ")]
    used = 0
    for piece in (*wanting[:shown], *more, *others):
        if used and used + _chip_cells(piece) - 2 > width:
            break
        line += [Segment(" "), *piece, Segment("  ")]
        used += _chip_cells(piece)
    return line


def _needs_in(wanted: Sequence[ScoreGroup], room: int, width: int, tones: Tones) -> int:
    """Return of how many outcomes it has room to say what they lacked."""
    needs = len(wanted)
    while needs and sum(map(_chip_cells, _chips_of(wanted, needs, width, tones))) > room:
        needs -= 1
    return needs


def _others(
    groups: Sequence[ScoreGroup],
    tones: Tones,
    *,
    named: bool = True,
    worded: bool = True,
    marked: bool = False,
) -> list[Line]:
    """Return a piece for what passes and one for what was skipped.

    named: whether what alone was skipped is named. worded: whether how many pass is followed by that word.
    marked: whether it is said which of what passes has marks at turns, where not all has.
    """
    passed = sum(group.sign == PASSED for group in groups)
    skipped = [make_safe_line(group.name) for group in groups if group.sign == SKIPPED]
    which = skipped[0] if named and len(skipped) == 1 else f"{len(skipped)}"
    told = (
        (PASSED, passed, f"{passed} pass{_marked(groups) if marked else ''}" if worded else f"{passed}"),
        (SKIPPED, len(skipped), f"{which} skipped"),
    )
    return [
        [Segment(f"{sign} ", tones.of_sign(sign)), Segment(words, tones.muted)]
        for sign, count, words in told
        if count
    ]


def _marked(groups: Sequence[ScoreGroup]) -> str:
    """Say how much of what passes is in the margin, by their letters; empty where that is all or none."""
    passing = [group for group in groups if group.sign == PASSED]
    letters = sorted(group.letter for group in passing if has_marks(group))
    rest = len(passing) - len(letters)
    return f", {len(letters)} of them in the margin ({''.join(letters)})" if letters and rest else ""


def _chips_of(groups: Sequence[ScoreGroup], needs: int, width: int, tones: Tones) -> list[Line]:
    """Return a piece for each outcome. needs: of how many it says what they lacked, of the highest first.

    Of a score of 0 nobody asks why it failed.
    """
    order = sorted(groups, key=lambda group: (not _needs(group), -(group.score or 0.0)))
    told = {id(group) for group in order[:needs]}
    return [_chip(group, width, tones, with_need=id(group) in told) for group in groups]


def _chip(group: ScoreGroup, width: int, tones: Tones, *, with_need: bool) -> Line:
    name = make_safe_line(group.name)
    score = "" if group.score is None else f" {group.score:.2f}"
    needs = _needs(group) if with_need else ""
    shown = fit(name, min(cell_len(name), max(1, width - 4 - SCORE)))
    tone = tones.text if group.sign == FAILED else tones.muted
    line = [Segment(f"{group.sign} ", tones.of_sign(group.sign)), Segment(f"{shown}{score}", tone)]
    return [*line, Segment(needs, tones.muted)] if needs else line


def _needs(group: ScoreGroup) -> str:
    """Return what a failed score lacked: ", needs 0.75"; empty where nothing can be said."""
    return "" if group.needs is None or group.score is None else f", needs {group.needs:.2f}"


def _chip_cells(piece: Line) -> int:
    """Return how many cells a piece takes, with the gaps about it."""
    return sum(cell_len(part.text) for part in piece) + 3


def _rated(labels: Sequence[LabelRow], metrics: Sequence[str]) -> dict[str, list[tuple[str, LabelWord]]]:
    """Return, per metric, who stands by what words; in the order of `metrics`, the others behind them."""
    newest = {(label.author, label.metric, label.turn): label.label for label in labels if label.metric}
    rated: dict[str, list[tuple[str, LabelWord]]] = {metric: [] for metric in metrics}
    for (author, metric, _), word in newest.items():
        if word:
            rated.setdefault(metric, []).append((author, word))
    return {metric: said for metric, said in rated.items() if said}


def _rating(metric: str, said: Sequence[tuple[str, LabelWord]], width: int, tones: Tones) -> Line:
    """Return one line of what people say of a metric: who, where it is one, else how many say what."""
    words = [word for _, word in said]
    if len(said) == 1:
        told = f"{make_safe_line(said[0][0])} {_LABEL_WORDS[words[0]]}"
    else:
        told = ", ".join(
            f"{words.count(word)} {_LABEL_WORDS[word]}" for word in ("pass", "fail", "defer") if word in words
        )
    name = make_safe_line(metric).replace("_", " ")
    return _ends([Segment(f"  ✎ {name}", tones.text)], [Segment(told, tones.text)], width)


def _label(label: LabelRow, width: int, tones: Tones, now: float, most: int) -> list[Line]:
    place = f" at turn {label.turn}" if label.turn else ""
    head = f"  ✎ {_LABEL_WORDS[label.label]}{place}"
    by = make_safe_line(f"{label.given_by}, {ago(label.created_at, now)}")
    lines = [_ends([Segment(head, tones.heading)], [Segment(by, tones.muted)], width)]
    if label.note:
        lines += paragraph(label.note, width - 1, tones.text, indent="    ", most=most)
    return lines


def _ends(left: Line, right: Line, width: int) -> Line:
    """Return one line with texts at both ends; the right text is left out where there is no room for it."""
    used = sum(cell_len(piece.text) for piece in (*left, *right)) + 1
    if used + 1 > width:
        return left
    return [*left, Segment(" " * (width - used)), *right]
