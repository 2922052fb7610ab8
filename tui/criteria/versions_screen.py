"""VersionsScreen: two versions of a criterion side by side: what they say, and how each agrees."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.message import Message
from textual.widgets import Static

from turnwise.conversations.errors import FormatError
from turnwise.conversations.safe_text import make_safe, make_safe_line
from turnwise.conversations.store import CriterionVersion
from turnwise.engine.criteria.criteria import Criterion
from turnwise.engine.criteria.criterion_versions import Compared, compare_versions, criterion_of
from turnwise.tui.actions import Place, bindings
from turnwise.tui.criteria.criterion_form import CriterionForm
from turnwise.tui.criteria.criterion_words import figure_words
from turnwise.tui.criteria.trial_words import matrix_lines
from turnwise.tui.drawing.confusion import false_fail_words, false_pass_words
from turnwise.tui.drawing.lines import Line
from turnwise.tui.drawing.lines_view import LinesView, Tones
from turnwise.tui.drawing.still import StillScreen
from turnwise.tui.drawing.word_diff import Spans, emphasise, word_diff
from turnwise.tui.drawing.wrapping import fit, wrap
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.parts.title_bar import TitleBar
from turnwise.tui.parts.words import ago
from turnwise.tui.shell.shell import ShellOfApp

GAP = " ┃ "
MARGIN = 1


@dataclass(frozen=True, slots=True)
class Version:
    """A version as it is shown. about: its number, who made it and when."""

    criterion: Criterion
    about: str


class VersionsScreen(StillScreen[Criterion | None]):
    """Goes through the versions of a criterion; the result is the one to take, None for none."""

    PLACE: ClassVar[Place] = "versions"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("versions"))
    AUTO_FOCUS = "LinesView"
    DEFAULT_CSS = """
    VersionsScreen {
        & LinesView { height: 1fr; margin-top: 1; }
        & #alone { display: none; padding: 1 2; height: auto; color: $text-muted; }
        &.-alone #alone { display: block; }
    }
    """

    shell = ShellOfApp()

    @dataclass
    class Loaded(Message):
        """The versions were read."""

        versions: list[Version]

    @dataclass
    class Measured(Message):
        """Two versions were compared."""

        places: tuple[int, int]
        compared: tuple[Compared, Compared]

    def __init__(self, criterion: Criterion) -> None:
        """criterion: as it stands in the editor; it is the newest version, tried or not."""
        super().__init__()
        self._criterion = criterion
        self._versions: list[Version] = []
        self._places = (0, 0)
        self._compared: tuple[Compared, Compared] | None = None

    def compose(self) -> ComposeResult:
        """Lay the screen out."""
        yield TitleBar("Versions", detail=self._criterion.name)
        yield LinesView()
        yield Static(
            "There is one version only. Change the criterion and try it: both stand here then.",
            id="alone",
            markup=False,
        )
        yield KeyLine("versions")

    @property
    def view(self) -> LinesView:
        """The two versions side by side."""
        return self.query_one(LinesView)

    def on_mount(self) -> None:
        """Read the versions off the loop."""
        self._load()

    @work(thread=True, exclusive=True, group="load")
    def _load(self) -> None:
        now = time.time()
        kept = self.shell.store.criteria.versions(self._criterion.name)
        versions = [one for row in kept if (one := _version(row, now)) is not None]
        if all(one.criterion.fingerprint != self._criterion.fingerprint for one in versions):
            versions.append(Version(self._criterion, "in the editor, not tried"))
        self.post_message(self.Loaded(versions))

    def on_versions_screen_loaded(self, event: Loaded) -> None:
        """Show the version in the editor beside the one before it."""
        self._versions = event.versions
        right = next(
            at
            for at, one in enumerate(self._versions)
            if one.criterion.fingerprint == self._criterion.fingerprint
        )
        left = right - 1 if right else min(1, len(self._versions) - 1)
        self.set_class(len(self._versions) < 2, "-alone")
        self._show((left, right))

    def _show(self, places: tuple[int, int]) -> None:
        self._places, self._compared = places, None
        self.query_one(TitleBar).right = f"{len(self._versions)} version{'s' * (len(self._versions) != 1)}"
        self._draw()
        self._measure(places)

    @work(thread=True, exclusive=True, group="measure")
    def _measure(self, places: tuple[int, int]) -> None:
        first, second = (self._versions[place].criterion for place in places)
        self.post_message(self.Measured(places, compare_versions(self.shell.store, first, second)))

    def on_versions_screen_measured(self, event: Measured) -> None:
        """Show the figures."""
        if event.places == self._places:
            self._compared = event.compared
            self._draw(keep_place=True)

    def on_resize(self) -> None:
        """Wrap anew."""
        self.call_after_refresh(self._draw)

    def _draw(self, *, keep_place: bool = False) -> None:
        view = self.view
        if not self._versions or not view.size.width:
            return
        sides = [self._versions[place] for place in self._places]
        width = max(10, (view.size.width - 2 * MARGIN - len(GAP) - 1) // 2)
        tones = view.tones
        lines = _row([fit(make_safe_line(side.about), width) for side in sides], tones, heading=True)
        for at, (head, texts) in enumerate(self._sections(sides)):
            # Of words that are all others none is marked, so that it is said here.
            changed = f"{head} · changed" if at and texts[0] != texts[1] else head
            heads = [fit(head, width), fit(changed, width)]
            lines += _row([fit("", width)] * 2, tones) + _row(heads, tones, section=True)
            lines += _compared_lines(texts, width, tones, marked=at > 0)
        view.set_lines(lines, keep_place=keep_place)

    def _sections(self, sides: list[Version]) -> list[tuple[str, list[str]]]:
        forms = [CriterionForm.of(side.criterion) for side in sides]
        sections = [(_agreement_head(self._compared), _figures(self._compared))]
        sections.append(("In plain words", [form.criteria or "–" for form in forms]))
        sections.append(("Steps", [_numbered(form.steps) for form in forms]))
        sections.append(("Rubric", [form.rubric or "none" for form in forms]))
        sections.append(("Score needed", [_passes(form) for form in forms]))
        sections.append(("Judge reads", [", ".join(["what was said", *form.parameters]) for form in forms]))
        return sections

    # Actions

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Hide the choice where there is none."""
        if action.startswith(("left", "right")) or action == "use":
            return len(self._versions) > 1
        return True

    def _go(self, left: int, right: int) -> None:
        last = len(self._versions) - 1
        places = tuple(
            min(last, max(0, place + step)) for place, step in zip(self._places, (left, right), strict=True)
        )
        if places != self._places:
            self._show((places[0], places[1]))

    def action_left_later(self) -> None:
        """Show a later version at the left."""
        self._go(1, 0)

    def action_left_earlier(self) -> None:
        """Show an earlier version at the left."""
        self._go(-1, 0)

    def action_right_later(self) -> None:
        """Show a later version at the right."""
        self._go(0, 1)

    def action_right_earlier(self) -> None:
        """Show an earlier version at the right."""
        self._go(0, -1)

    def action_use(self) -> None:
        """Put the left version into the editor."""
        if self._versions:
            self.dismiss(self._versions[self._places[0]].criterion)

    def action_back(self) -> None:
        """Go back; nothing changes."""
        self.dismiss(None)


def _version(row: CriterionVersion, now: float) -> Version | None:
    try:
        criterion = criterion_of(row)
    except FormatError:
        # Of another turnwise; it cannot be compared.
        return None
    return Version(criterion, f"v{row.number} · {row.author} · {ago(row.created_at, now)}")


def _agreement_head(compared: tuple[Compared, Compared] | None) -> str:
    total = compared[0].measures.matrix.total if compared is not None else 0
    return f"On the {total:,} sessions that both scored" if total else "Agreement"


def _figures(compared: tuple[Compared, Compared] | None) -> list[str]:
    if compared is None:
        return ["…", "…"]
    told = []
    for side in compared:
        measures = side.measures
        if not measures.matrix.total:
            told.append(f"{side.scored:,} scored, none by both")
            continue
        # What is caught and passed of what people say is told in the first two lines, with its intervals.
        wrong = measures.matrix
        kappa = figure_words("kappa", measures.kappa, wrong.fewest_labels)
        lines = [*matrix_lines(wrong, "people"), kappa]
        lines.append(f"{false_pass_words(wrong)}, {false_fail_words(wrong)}")
        told.append("\n".join([*lines, f"judged by {', '.join(side.judges)}"]))
    return told


def _numbered(steps: str) -> str:
    lines = steps.splitlines()
    return "\n".join(f"{count} {line}" for count, line in enumerate(lines, start=1)) or "drafted by the judge"


def _passes(form: CriterionForm) -> str:
    what = "the whole conversation" if form.scope == "conversation" else "the last reply"
    return f"{'1, strictly' if form.strict else form.threshold}, judging {what}"


def _row(texts: list[str], tones: Tones, *, heading: bool = False, section: bool = False) -> list[Line]:
    style = tones.heading if heading else tones.section if section else tones.text
    left, right = texts
    return [[Segment(" " * MARGIN), Segment(left, style), Segment(GAP, tones.muted), Segment(right, style)]]


def _compared_lines(texts: list[str], width: int, tones: Tones, *, marked: bool) -> list[Line]:
    """Return two texts side by side, where `marked` the words that differ bright."""
    wrapped = [list(wrap(make_safe(text), width)) for text in texts]
    spans = word_diff(*wrapped) if marked and texts[0] != texts[1] else ({}, {})
    lines: list[Line] = []
    for at in range(max(map(len, wrapped))):
        line: Line = [Segment(" " * MARGIN)]
        for side in (0, 1):
            text = wrapped[side][at] if at < len(wrapped[side]) else ""
            line += _side(text, spans, side, at, tones)
            line.append(Segment(" " * (width - cell_len(text))))
            if side == 0:
                line.append(Segment(GAP, tones.muted))
        lines.append(line)
    return lines


def _side(text: str, spans: tuple[Spans, Spans] | None, side: int, at: int, tones: Tones) -> Line:
    if not text:
        return []
    if spans is None:
        return [Segment(text, tones.text)]
    return emphasise(
        [Segment(text, tones.text)], spans[side].get(at, []), tones.text, tones.link + tones.heading
    )
