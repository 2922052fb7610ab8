"""Info lines: what is known of a session beside its words, drawn for a pane beside its transcript."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from rich.cells import cell_len
from rich.segment import Segment

from turnwise.conversations.marks import FAILED
from turnwise.conversations.safe_text import make_safe, make_safe_line
from turnwise.conversations.store import (
    AboutPart,
    SessionAbout,
    TurnRow,
    cost_words,
    seconds_words,
    tells_outcome,
    text_tells_outcome,
)
from turnwise.conversations.words import counted
from turnwise.tui.drawing.lines import Line
from turnwise.tui.drawing.lines_view import Tones, paragraph
from turnwise.tui.drawing.palette import Palette
from turnwise.tui.drawing.plain_prose import without_heading_marks
from turnwise.tui.drawing.wrapping import fit, wrap
from turnwise.tui.reading.json_lines import open_lines
from turnwise.tui.reading.linked_lines import link_all, link_lines
from turnwise.tui.reading.tool_words import is_error, parsed_json
from turnwise.tui.reading.turn_lines import MOST_MARKDOWN, minutes_words
from turnwise.tui.terminal.links import source_target

INDENT = "  "
GAP = "  "
"""Between a name that is too long for its column and a value that has room beside it."""
WIDEST_TITLE = 18
"""Cells of what a thing is called, with the gap after it."""
MOST_LINES = 400
"""Of one thing; `turnwise show` prints all of it."""
LONG_DATA = 40
"""Characters: longer data have lines of their own."""
LINES_OF_PROMPT = 1
"""Of what the chatbot is, where that is its system prompt: this stands further down, whole."""
THE_REST = "… the rest: see System prompt"
STEPS_OPEN = 2
"""So deep are data open."""
SOURCE = "file"
"""What the source of a session is called among the facts."""
PROMPT_ROLES = ("system", "developer")


@dataclass(frozen=True, slots=True)
class SessionInfo:
    """What is known of a session beside its words.

    facts: what the session itself is, by name. prompts: what the chatbot was told before it began. tools:
    per tool what it did, in words.
    """

    about: SessionAbout = field(default_factory=SessionAbout)
    facts: tuple[AboutPart, ...] = ()
    prompts: tuple[str, ...] = ()
    tools: tuple[AboutPart, ...] = ()

    @classmethod
    def of(cls, about: SessionAbout, facts: Sequence[AboutPart], turns: Sequence[TurnRow]) -> SessionInfo:
        """Gather it from a session's turns. It may be much, so this is done in a thread."""
        times = [turn.at for turn in turns if turn.at is not None]
        summed = [AboutPart("lasts", minutes_words(times[-1] - times[0]))] if len(times) > 1 else []
        summed += [AboutPart("cost", cost_words(about.cost))] if about.cost is not None else []
        summed += [AboutPart("replies took", seconds_words(about.seconds))] if about.seconds else []
        prompts = tuple(turn.content for turn in turns if turn.role in PROMPT_ROLES and turn.content.strip())
        return cls(about, (*facts, *summed), prompts, tuple(_tools_used(turns)))


def _tools_used(turns: Sequence[TurnRow]) -> Iterator[AboutPart]:
    calls = [call for turn in turns for call in turn.tools_called]
    failed = Counter(call.name for call in calls if is_error(call))
    for name, count in Counter(call.name for call in calls).most_common():
        seconds = sum(call.seconds or 0 for call in calls if call.name == name)
        parts = [counted(count, "call")]
        parts += [f"{FAILED} {failed[name]} failed"] if failed[name] else []
        parts += [f"{seconds:.1f} s"] if seconds else []
        yield AboutPart(name, " · ".join(parts))


def without_outcomes(info: SessionInfo) -> tuple[SessionInfo, int]:
    """Return what is known of a session but for what says how it came out, and how many things that is."""
    whole = list(info.about.whole)
    hidden = 0
    for place, part in enumerate(whole):
        if part.title == "metadata":
            pairs = _pairs(part)
            kept = [pair for pair in pairs if not _tells(pair)]
            hidden += len(pairs) - len(kept)
            whole[place] = replace(part, text="\n".join(_pair_text(pair) for pair in kept))
    turns = tuple(part for part in info.about.turns if not text_tells_outcome(f"{part.title}: {part.text}"))
    hidden += len(info.about.turns) - len(turns)
    about = replace(info.about, whole=tuple(part for part in whole if part.text), turns=turns)
    return replace(info, about=about), hidden


def covered_words(hidden: int) -> str:
    """Say how much of what is known is not shown."""
    verb = "says" if hidden == 1 else "say"
    return f"{counted(hidden, 'thing')} that {verb} how it came out: hidden until you label."


def _tells(pair: AboutPart) -> bool:
    return tells_outcome(pair.title) or text_tells_outcome(pair.text)


def _pair_text(pair: AboutPart) -> str:
    """Return a pair as `_pairs` reads it."""
    return f"{pair.title}: {pair.text}".replace("\n", "\n  ") if pair.title else pair.text


def info_lines(
    info: SessionInfo, width: int, tones: Tones, palette: Palette, prompts: Mapping[str, Sequence[Line]]
) -> list[Line]:
    """Return all of it in so many cells, each kind under its heading.

    prompts: the lines of prompts that were read as Markdown; the others are shown as they were written.
    """
    about = info.about
    told = [part for part in about.whole if part.title != "metadata"]
    prompted = {prompt.strip() for prompt in info.prompts}
    facts = [_beginning(part) if part.text.strip() in prompted else part for part in info.facts]
    facts = [replace(part, text=without_heading_marks(part.text)) for part in facts]
    lines: list[Line] = []
    for heading, parts in (
        ("About", [*told, *facts]),
        ("Metadata", [pair for part in about.whole if part.title == "metadata" for pair in _pairs(part)]),
        ("Tools used", info.tools),
    ):
        lines += _section(heading, parts, width, tones, palette)
    for prompt in info.prompts:
        lines += _heading("System prompt", tones)
        read = prompts.get(prompt) or _as_written(prompt, prompt_width(width))
        lines += [[Segment(INDENT), *line] for line in read]
    lines += _section("Turns", about.turns, width, tones, palette)
    lines += _section("Runs", about.runs, width, tones, palette)
    return lines[1:] or [[Segment("  Nothing is known beside the words.", tones.muted)]]


def _beginning(part: AboutPart) -> AboutPart:
    """Return the first lines of a text that is a system prompt too, and where the rest of it stands."""
    lines = [line for line in part.text.splitlines() if line.strip()]
    if len(lines) - LINES_OF_PROMPT <= 1:
        return part
    # How many more would be counted otherwise than in the transcript, which wraps it in another width.
    return replace(part, text="\n".join([*lines[:LINES_OF_PROMPT], THE_REST]))


def prompt_width(width: int) -> int:
    """Return how many cells a prompt has in a pane of so many."""
    return max(1, width - 2 * len(INDENT))


def prompt_lines(text: str, width: int, palette: Palette) -> list[Line]:
    """Return a prompt as the Markdown that most prompts are; as it was written where it is long."""
    if len(text) <= MOST_MARKDOWN:
        # The import stands here because the parser takes 30 ms that the first paint does not have.
        from turnwise.tui.reading.markdown_lines import markdown_lines

        try:
            return markdown_lines(make_safe(text), width, palette)
        except Exception:
            # Whatever was written must be readable, even where it breaks the Markdown renderer.
            return _as_written(text, width)
    return _as_written(text, width)


def _as_written(text: str, width: int) -> list[Line]:
    return [[Segment(line)] for line in wrap(make_safe(text), width)]


def _section(
    heading: str, parts: Sequence[AboutPart], width: int, tones: Tones, palette: Palette
) -> list[Line]:
    lines = [line for part in parts for line in _part_lines(part, width, tones, palette)]
    return [*_heading(heading, tones), *lines] if lines else []


def _heading(words: str, tones: Tones) -> list[Line]:
    return [[], [Segment(f"{INDENT}{words}", tones.section)]]


def _pairs(part: AboutPart) -> list[AboutPart]:
    """Return what a text of keys and values says, a part for each pair."""
    pairs: list[AboutPart] = []
    for line in part.text.split("\n"):
        key, colon, value = line.partition(": ")
        if colon and not line.startswith(" "):
            pairs.append(AboutPart(key, value))
        elif pairs:
            pairs[-1] = AboutPart(pairs[-1].title, f"{pairs[-1].text}\n{line.strip()}")
        else:
            pairs.append(AboutPart("", line))
    return pairs


def _part_lines(part: AboutPart, width: int, tones: Tones, palette: Palette) -> Sequence[Line]:
    """Return the text of a part beside what it is called, or under it where either is long."""
    title = make_safe_line(part.title)
    value = parsed_json(part.text) if part.text[:1] in ("{", "[") and len(part.text) > LONG_DATA else None
    if isinstance(value, dict | list):
        data = open_lines(value, max(1, width - 1 - 2 * len(INDENT)), palette, STEPS_OPEN)
        return [
            [Segment(INDENT + fit(title, max(1, width - len(INDENT))).rstrip(), tones.muted)],
            *([Segment(INDENT * 2), *line] for line in data[:MOST_LINES]),
        ]
    column = min(WIDEST_TITLE, width // 3)
    indent = INDENT + " " * column
    beside = cell_len(title) < column
    text = paragraph(
        part.text, width - 1, tones.text, indent=indent if beside else INDENT * 2, most=MOST_LINES
    )
    target = source_target(part.text) if part.title == SOURCE else ""
    text = link_all(text, target) if target else list(link_lines(text, make_safe(part.text)))
    if not beside and len(text) == 1:
        # Under its name a short value would be missed, where the next line is out of sight.
        value_first, *pieces = text[0]
        words = [Segment(value_first.text[2 * len(INDENT) :], value_first.style), *pieces]
        name = Segment(f"{INDENT}{title}{GAP}", tones.muted)
        if cell_len(name.text) + sum(cell_len(piece.text) for piece in words) < width:
            return [[name, *words]]
    if not beside or not text:
        return [[Segment(INDENT + fit(title, max(1, width - len(INDENT))).rstrip(), tones.muted)], *text]
    indented, *pieces = text[0]
    first = [Segment(indented.text[len(indent) :], indented.style), *pieces]
    return [[Segment(INDENT + fit(title, column), tones.muted), *first], *text[1:]]
