"""Turn lines: one turn as the lines a transcript draws, without the margin beside them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style

from turnwise.conversations.marks import FAILED
from turnwise.conversations.safe_text import make_safe, make_safe_line
from turnwise.tui.drawing.lines import Line
from turnwise.tui.drawing.palette import Palette
from turnwise.tui.drawing.plain_prose import prose_lines
from turnwise.tui.drawing.wrapping import ELLIPSIS, estimate_lines, fit, wrap
from turnwise.tui.reading.json_lines import JsonDrawer
from turnwise.tui.reading.linked_lines import link_lines
from turnwise.tui.reading.tool_words import is_error, parsed_json, short_arguments, short_output

if TYPE_CHECKING:
    from turnwise.conversations.store import ToolCallRow, TurnRow

MOST_LINES = 40
"""A longer text shows so many lines and a line that opens the rest."""
FEWEST_FOLDED = 8
"""Fewer lines than these are not worth a line that opens them."""
MOST_OPEN_LINES = 20_000
"""An opened text shows no more than so many lines: past it, memory and time would be felt."""
MOST_MARKDOWN = 16_000
"""Characters up to which a reply is read as Markdown; longer ones are wrapped as they are."""
SPOKEN = ("user", "assistant")
_CHARACTERS_A_CELL = 2
_NARROW = 20

BODY = "body"
REST = "rest"
"""The fold of what a turn says past the lines that are shown."""
PASSAGES = "passages"
REASONING = "reasoning"


@dataclass(slots=True)
class DrawnTurn:
    """A turn's lines, and for each line that opens or closes something the name of what it does.

    said: from which line to which stands what was said. quoted: for each line with words that verdicts rest
    on the letters of their metrics.
    """

    lines: list[Line] = field(default_factory=list)
    folds: dict[int, str] = field(default_factory=dict)
    said: tuple[int, int] = (0, 0)
    quoted: dict[int, str] = field(default_factory=dict)

    def add_fold(self, name: str, line: Line) -> None:
        """Add a line that opens or closes `name` when it is clicked."""
        self.folds[len(self.lines)] = name
        self.lines.append(line)


@dataclass(frozen=True, slots=True)
class TurnDrawer:
    """Draws turns `width` cells wide in the styles of `palette`.

    most: of a longer text so many lines are shown, and a line that opens the rest. opener: the key that opens
    what is folded, as the line of a prompt names it; empty where none does.
    """

    width: int
    palette: Palette
    most: int = MOST_LINES
    opener: str = "space"

    def draw(
        self,
        row: TurnRow,
        open_folds: frozenset[str],
        outputs: int | None = None,
        note: str = "",
        *,
        goes_on: bool = False,
    ) -> DrawnTurn:
        """Return the turn's lines.

        outputs: how many of its tools have answered yet; None for all. note: stands at the right of its
        first line, instead of the time. goes_on: whether it stands under the head of the turn before.
        """
        drawn = DrawnTurn()
        if row.role not in SPOKEN:
            self._add_unspoken(drawn, row, open_folds)
            return drawn
        role = make_safe_line(f"{row.role} · {row.name}" if row.name else row.role)
        style = self.palette.role if row.role == "assistant" else self.palette.user
        parts = ["cut short"] if row.interrupted else []
        parts += [stamp(row.at)] if row.at is not None else []
        if not goes_on:
            drawn.lines.append(self._ends(role, style, note or " · ".join(parts)))
        if row.reasoning:
            self._add_reasoning(drawn, row.reasoning, open_folds)
        if row.content.strip():
            first = len(drawn.lines)
            self._add_text(drawn, row.content, REST, open_folds, markdown=row.role == "assistant")
            drawn.said = first, len(drawn.lines)
        elif not row.tools_called and not row.files:
            drawn.lines.append([Segment("(empty)", self.palette.muted)])
        for index, file in enumerate(row.files):
            self._add_text(drawn, file, f"file {index}", open_folds, prefix="  ", first="+ ")
        if row.remark:
            self._add_text(drawn, row.remark, "remark", open_folds, prefix="! ")
        if row.passages:
            self._add_passages(drawn, row.passages, open_folds)
        for index, call in enumerate(row.tools_called):
            answered = outputs is None or index < outputs
            self._add_tool(drawn, call, index, open_folds, answered)
        if row.told:
            drawn.lines.append([Segment(fit(make_safe_line(row.told), self.width), self.palette.muted)])
        return drawn

    def _add_unspoken(self, drawn: DrawnTurn, row: TurnRow, open_folds: frozenset[str]) -> None:
        """A system, developer or tool message: one line, or its text behind a rule."""
        kind = "tool result" if row.role == "tool" else f"{row.role} prompt"
        name = f" · {row.name}" if row.name else ""
        count = row.content.count("\n") + 1
        title = make_safe_line(f"{kind}{name} · {count:,} line{'s' * (count != 1)}")
        does = "folds" if BODY in open_folds else "opens"
        hint = f"{self.opener} {does}" if self.opener else ""
        drawn.add_fold(BODY, self._ends(f"┃ {title}", self.palette.fold, hint))
        if BODY in open_folds and row.role == "tool":
            self._add_value(drawn, row.content, REST, open_folds, prefix="┃ ")
        elif BODY in open_folds:
            self._add_text(drawn, row.content, REST, open_folds, markdown=True, prefix="┃ ")

    def _add_reasoning(
        self, drawn: DrawnTurn, reasoning: tuple[str, ...], open_folds: frozenset[str]
    ) -> None:
        opened = REASONING in open_folds
        count = sum(text.count("\n") + 1 for text in reasoning)
        title = f"{triangle(opened)} reasoning · {count:,} line{'s' * (count != 1)}"
        drawn.add_fold(REASONING, [Segment(fit(title, self.width), self.palette.fold)])
        for index, text in enumerate(reasoning if opened else ()):
            self._add_text(drawn, text, f"{REASONING} {index}", open_folds, prefix="  ")

    def _add_passages(self, drawn: DrawnTurn, passages: tuple[str, ...], open_folds: frozenset[str]) -> None:
        count = len(passages)
        opened = PASSAGES in open_folds
        title = f"{triangle(opened)} {count} passage{'s' * (count != 1)}"
        drawn.add_fold(PASSAGES, [Segment(title, self.palette.fold)])
        for index, passage in enumerate(passages if opened else ()):
            self._add_text(
                drawn, passage, f"passage {index}", open_folds, prefix="    ", first=f"  {index + 1} "
            )

    def _add_tool(
        self, drawn: DrawnTurn, call: ToolCallRow, index: int, open_folds: frozenset[str], answered: bool
    ) -> None:
        fold = f"tool {index}"
        opened = fold in open_folds
        drawn.add_fold(fold, self._tool_line(call, opened, answered))
        if not opened:
            return
        if call.arguments.strip() not in ("", "{}"):
            self._add_value(drawn, call.arguments, f"{fold} arguments", open_folds, prefix="  ")
        if answered and call.output is not None:
            first = f"  {FAILED} " if is_error(call) else "  → "
            self._add_value(drawn, call.output, f"{fold} output", open_folds, prefix="    ", first=first)
        elif answered:
            drawn.lines.append([Segment("  → no output", self.palette.muted)])

    def _tool_line(self, call: ToolCallRow, opened: bool, answered: bool) -> Line:
        """One line of a call: its name, what went in, and, while it is folded, what came out."""
        palette = self.palette
        right = ELLIPSIS if not answered else "" if call.seconds is None else f"{call.seconds:.1f} s"
        room = self.width - (cell_len(right) + 2 if right else 0)
        head = f"{triangle(opened)} "
        name = make_safe_line(call.name)
        inner = "" if opened else f"({short_arguments(call.arguments)})"
        out, style = "", palette.text
        if answered and not opened and call.output is not None:
            failed = is_error(call)
            out = f" {FAILED} {short_output(call.output)}" if failed else f" → {short_output(call.output)}"
            style = palette.failed if failed else palette.text
        name = fit(name, min(cell_len(name), max(1, room - cell_len(head))))
        left = max(0, room - cell_len(head) - cell_len(name))
        # What came out has at least as much room as what went in, where both are long.
        inner = fit(inner, min(cell_len(inner), max(left - cell_len(out), left // 2)))
        out = fit(out, min(cell_len(out), left - cell_len(inner)))
        line = [
            Segment(head, palette.fold),
            Segment(name, palette.role),
            Segment(inner, palette.muted),
            Segment(out, style),
        ]
        used = sum(cell_len(piece.text) for piece in line)
        if right:
            line += [
                Segment(" " * max(1, self.width - used - cell_len(right))),
                Segment(right, palette.muted),
            ]
        return line

    def _add_value(
        self,
        drawn: DrawnTurn,
        text: str,
        fold: str,
        open_folds: frozenset[str],
        *,
        prefix: str = "",
        first: str = "",
    ) -> None:
        """Add JSON with what lies deep in it folded, or any other text as it is."""
        value = parsed_json(text)
        if not isinstance(value, dict | list):
            said = value if isinstance(value, str) else text
            self._add_text(drawn, said, fold, open_folds, prefix=prefix, first=first)
            return
        drawer = JsonDrawer(max(1, self.width - cell_len(prefix)), self.palette, open_folds)
        lines = drawer.draw(value, fold)
        before = first or prefix
        for drawn_line in islice(lines, MOST_OPEN_LINES):
            shown = [Segment(fit(before, cell_len(prefix)), self.palette.fold), *drawn_line.line]
            before = prefix
            if drawn_line.fold:
                drawn.add_fold(drawn_line.fold, shown)
            else:
                drawn.lines.append(shown)

    def _add_text(
        self,
        drawn: DrawnTurn,
        text: str,
        fold: str,
        open_folds: frozenset[str],
        *,
        markdown: bool = False,
        prefix: str = "",
        first: str = "",
    ) -> None:
        """Add a text, cut to so many lines unless `fold` is open.

        prefix: stands before every line; first: before the first line instead.
        """
        opened = fold in open_folds
        most = MOST_OPEN_LINES if opened else self.most + FEWEST_FOLDED
        style = self.palette.muted if prefix and not markdown else Style.null()
        width = max(1, self.width - cell_len(prefix))
        part = text
        if markdown and len(text) <= MOST_MARKDOWN:
            # Of what is folded no more is parsed than fills its lines; marks of Markdown take no cells.
            part = text if opened else _beginning(text, _CHARACTERS_A_CELL * most * width)
            lines: Iterator[Line] = iter(self._markdown(make_safe(part), width))
        else:
            # No more is made safe and wrapped than can be shown.
            part = text[: (most + 1) * width]
            lines = ([Segment(line, style)] for line in wrap(make_safe(part), width))
        shown = list(islice(lines, most))
        cut = len(part) < len(text) or next(lines, None) is not None
        long = len(shown) > self.most + FEWEST_FOLDED
        if cut and not opened:
            shown = shown[: self.most]
        more = max(1, estimate_lines(text, width, MOST_OPEN_LINES) - len(shown))
        if "://" in part:
            shown = list(link_lines(shown, make_safe(part)))
        if first and shown:
            drawn.lines.append([Segment(fit(first, cell_len(prefix)), self.palette.fold), *shown.pop(0)])
        before = [Segment(prefix, self.palette.fold)] if prefix else []
        drawn.lines.extend([*before, *line] for line in shown)
        if cut and not opened:
            drawn.add_fold(fold, [*before, Segment(f"▸ about {more:,} more lines", self.palette.fold)])
        elif cut:
            drawn.add_fold(fold, [*before, Segment(f"▾ {most:,} lines shown, not all", self.palette.fold)])
        elif opened and long:
            drawn.add_fold(fold, [*before, Segment("▾ show less", self.palette.fold)])

    def _markdown(self, text: str, width: int) -> Iterable[Line]:
        if (prose := prose_lines(text, width)) is not None:
            return ([Segment(line)] for line in prose)
        # The import stands here because the parser takes 30 ms that the first paint does not have.
        from turnwise.tui.reading.markdown_lines import markdown_lines

        try:
            return markdown_lines(text, width, self.palette)
        except Exception:
            # Whatever a chatbot wrote must be readable, even where it breaks the Markdown renderer.
            return ([Segment(line)] for line in wrap(text, width))

    def _ends(self, left: str, style: Style, right: str) -> Line:
        """One line with a text at its left and a dim one at its right."""
        room = self.width - cell_len(right) - 2 if right else self.width
        if cell_len(left) > room:
            left = fit(left, max(1, room))
        if not right:
            return [Segment(left, style)]
        gap = max(1, self.width - cell_len(left) - cell_len(right))
        return [Segment(left, style), Segment(" " * gap), Segment(right, self.palette.muted)]


def _beginning(text: str, characters: int) -> str:
    """Return about so many characters of a text, up to the end of a line where one is near."""
    if len(text) <= characters:
        return text
    end = text.rfind("\n", characters // 2, characters)
    return text[: end if end > 0 else characters]


def _may_be_long(text: str) -> bool:
    """Return whether a text may take more lines than are shown, however narrow they are."""
    return len(text) > MOST_LINES * _NARROW or text.count("\n") >= MOST_LINES


def estimate_height(row: TurnRow, width: int, open_folds: frozenset[str] = frozenset()) -> int:
    """Return about how many lines a turn takes: cheap, and corrected when it is first drawn."""
    most = MOST_OPEN_LINES if REST in open_folds else MOST_LINES
    if row.role not in SPOKEN:
        return 1 + (estimate_lines(row.content, width, most) if BODY in open_folds else 0)
    is_empty = not row.tools_called and not row.files
    body = estimate_lines(row.content, width, most) if row.content else is_empty
    folded = bool(row.passages) + bool(row.reasoning)
    return 1 + int(body) + len(row.tools_called) + folded + len(row.files) + bool(row.told)


def folds_of(row: TurnRow) -> frozenset[str]:
    """Return what of a turn is folded at first and opens by one key."""
    if row.role not in SPOKEN:
        return frozenset({BODY, REST} if _may_be_long(row.content) else {BODY})
    names = {f"tool {index}" for index in range(len(row.tools_called))}
    names |= {PASSAGES} if row.passages else set()
    names |= {REST} if _may_be_long(row.content) else set()
    return frozenset(names | ({REASONING} if row.reasoning else set()))


def turn_name(row: TurnRow) -> str:
    """Return what to call a turn at the start of a sentence."""
    return f"Turn {row.number}" if row.number else f"The {row.role} message"


def turn_text(row: TurnRow) -> str:
    """Return a turn as text to copy: its words, its tool calls and what came out of them; not made safe."""
    parts = [row.content] if row.content else []
    for call in row.tools_called:
        parts.append(f"{call.name}({call.arguments})")
        if call.output is not None:
            parts.append(f"→ {call.output}")
    return "\n".join(parts)


def triangle(opened: bool) -> str:
    """Return the sign before something that opens."""
    return "▾" if opened else "▸"


def stamp(seconds: float) -> str:
    """Return a time since the start, with a sign before it: it is no time of day."""
    return f"+{minutes_words(seconds)}"


def minutes_words(seconds: float) -> str:
    """Return a time as minutes and seconds, with hours where there are any: "1:05", "1:02:05"."""
    minutes, second = divmod(int(seconds), 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02}:{second:02}" if hours else f"{minute}:{second:02}"
