"""ImproveDialog: what brings a criterion nearer to people's labels, tried on dev, and taken line by line."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from importlib import import_module
from math import isnan
from typing import TYPE_CHECKING, Any, ClassVar

from rich.cells import cell_len
from textual import work
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.widgets import Static

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.safe_text import make_safe, make_safe_line
from turnwise.conversations.words import counted
from turnwise.engine.people.statistics.rater_agreement import kappa_of
from turnwise.tui.actions import Place, bindings
from turnwise.tui.agreement.agreement_words import number_words
from turnwise.tui.criteria.trial_words import difference_words, kappa_change
from turnwise.tui.drawing.wrapping import fit, wrap
from turnwise.tui.parts.choice_list import Choice, ChoiceList
from turnwise.tui.parts.dialog import Dialog
from turnwise.tui.parts.key_line import KeyLine

if TYPE_CHECKING:
    from turnwise.engine.criteria.criteria import Criterion
    from turnwise.engine.criteria.improving import Improvement, TriedProposal
    from turnwise.engine.criteria.proposing import Proposal
    from turnwise.engine.models.settings import ModelSettings
    from turnwise.tui.criteria.listed_criteria import ListedCriterion
    from turnwise.tui.criteria.trying import CriterionTrying
    from turnwise.tui.shell.shell import Shell

MOST_FLIPS = 12


class ImproveDialog(Dialog["Criterion | None"]):
    """Tries proposals and shows what each does; ends with the criterion that has what was ticked, or None."""

    PLACE: ClassVar[Place] = "improve"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("improve"))
    DEFAULT_CSS = """
    ImproveDialog #panel { width: 112; }
    ImproveDialog ChoiceList { max-height: 12; }
    ImproveDialog .words { margin-top: 1; }
    """

    def __init__(self, criterion: Criterion, judge: ModelSettings, *, author: str, source: str) -> None:
        """author: who tries it. source: the criterion's file; empty where it has none."""
        super().__init__()
        self._criterion, self._judge = criterion, judge
        self._author, self._source = author, source
        self._found: Improvement | None = None
        self._details: Sequence[str] = ()
        """What is told of each proposal, its figures counted once."""
        self._taken: set[str] = set()
        """The parts of what is taken, as `_parts` names them: two proposals may share a guideline."""

    def compose(self) -> ComposeResult:
        """Lay the dialog out."""
        with Vertical(id="panel"):
            name = make_safe_line(self._criterion.name)
            yield Static(f"What would bring “{name}” nearer to your labels?", classes="title", markup=False)
            yield ChoiceList()
            yield Static("Reading the labels …", id="about", classes="words", markup=False)
            yield Static("", classes="wrong", markup=False)
            yield KeyLine("improve")

    def on_mount(self) -> None:
        """Begin to try."""
        self.choices.focus()
        self._improve()

    @work(group="improve", exclusive=True, exit_on_error=False)
    async def _improve(self) -> None:
        # Loading the client takes half a second, in which keys must be answered.
        await asyncio.to_thread(import_module, "openai")
        from turnwise.engine.criteria.improving import improve
        from turnwise.engine.judge.evidence import StoredCallBook
        from turnwise.engine.judge.judge import Judge

        store = self.shell.store
        try:
            async with Judge(self._judge, StoredCallBook(store)) as judge:
                found = await improve(
                    store, self._criterion, judge, author=self._author, source=self._source, tell=self._tell
                )
        except TurnwiseError as error:
            self._refuse(error)
        else:
            self._take(found)

    def _tell(self, words: str, done: int, of: int) -> None:
        """Say what is tried, and how far it is."""
        self._say(f"Trying {words}: {done:,} of {of:,} sessions. What is judged is kept if you leave.")

    def _refuse(self, error: TurnwiseError) -> None:
        self.query_one("#about", Static).display = False
        self.refuse(error)
        self.choices.display = False

    def _take(self, found: Improvement) -> None:
        from turnwise.engine.criteria.improving import most_helpful

        self._found = found
        base = _base_words(found)
        self._details = ["\n".join((base, *detail_lines(one))) for one in found.tried]
        self._taken = {part for one in most_helpful(found.tried) for part in _parts(one.proposal)}
        self._show()
        if not found.tried:
            self._say(f"{base} They see no session of train differently: nothing to propose.")

    def _show(self) -> None:
        tried = self._found.tried if self._found is not None else ()
        effects = effect_words(tried)
        # What it does is to be seen; in full it stands below.
        room = self.choices.name_room(max(map(cell_len, effects), default=0), signs=1)
        self.choices.show(
            [
                Choice(
                    str(place),
                    fit(make_safe_line(one.proposal.words), room).rstrip(),
                    effect,
                    sign="✓" if self._is_taken(one.proposal) else "·",
                )
                for place, (one, effect) in enumerate(zip(tried, effects, strict=True))
            ]
        )
        self._fit_details()
        self._show_details()
        self.refresh_bindings()

    @property
    def current(self) -> TriedProposal | None:
        """The proposal under the cursor."""
        place = self.choices.highlighted
        known = self._found is not None and place is not None and place < len(self._found.tried)
        return self._found.tried[place] if known and self._found is not None and place is not None else None

    def on_option_list_option_highlighted(self) -> None:
        """Tell of the proposal under the cursor."""
        self._show_details()

    def on_option_list_option_selected(self) -> None:
        """Tick what was clicked."""
        self.action_tick()

    def on_resize(self) -> None:
        """Cut and wrap anew."""
        if self._found is not None:
            self.call_after_refresh(self._show)

    def _fit_details(self) -> None:
        """Let the details be as high as the highest, so that nothing moves with the cursor."""
        about = self.query_one("#about", Static)
        if self._details and (width := about.content_size.width):
            highest = max(sum(1 for _ in wrap(make_safe(words), width)) for words in self._details)
            about.styles.min_height = min(highest, max(3, self.size.height - len(self._details) - 8))

    def _show_details(self) -> None:
        place = self.choices.highlighted
        if place is not None and place < len(self._details):
            self._say(self._details[place])

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer what means something once there are proposals."""
        if action == "tick":
            return self.current is not None
        return bool(self._taken) if action == "take" else True

    def _is_taken(self, proposal: Proposal) -> bool:
        """Return whether all that a proposal changes is taken, by its own tick or by another's."""
        return self._taken.issuperset(_parts(proposal))

    def action_tick(self) -> None:
        """Take all that the proposal under the cursor changes, or leave that out."""
        if (one := self.current) is not None:
            parts = _parts(one.proposal)
            self._taken = self._taken - parts if self._is_taken(one.proposal) else self._taken | parts
            self._show()

    def action_use(self) -> None:
        """Give back the criterion with what is ticked."""
        if self._found is None or not self._taken:
            return
        from turnwise.engine.criteria.proposing import changed

        taken = [one.proposal for one in self._found.tried if self._is_taken(one.proposal)]
        self.dismiss(changed(self._criterion, taken))

    def _say(self, text: str) -> None:
        self.query_one("#about", Static).update(make_safe(text))


async def improved(
    app: App[Any], shell: Shell, trying: CriterionTrying, item: ListedCriterion
) -> Criterion | None:
    """Open the dialog on a criterion, once there is a judge; return what was taken. Call it from a worker."""
    criterion = trying.criterion_or_told(item)
    if criterion is None or not await trying.has_judge("Improving a criterion needs a judge."):
        return None
    judge = shell.judge.settings
    assert judge is not None  # noqa: S101
    source = str(item.file.path) if item.file is not None else ""
    return await app.push_screen_wait(ImproveDialog(criterion, judge, author=trying.me, source=source))


def _parts(proposal: Proposal) -> set[str]:
    """Return what a proposal is made of: its guidelines, or itself where it changes something else."""
    return set(proposal.guidelines) or {proposal.words}


def _base_words(found: Improvement) -> str:
    base = found.base.matrix
    agreed = base.true_pass + base.true_fail
    return f"As it is, judge and people say the same of {agreed:,} of {base.total:,} sessions (dev)."


def effect_words(tried: Sequence[TriedProposal]) -> list[str]:
    """Say of each proposal what it mends and breaks, the figures of all in columns."""
    mended = [f"{one.change.mended:,}" for one in tried]
    broken = [f"{one.change.broken:,}" for one in tried]
    wide, far = (max(map(len, figures), default=0) for figures in (mended, broken))
    return [
        f"mends {mends:>{wide}}, breaks {breaks:>{far}}{'' if one.helps else ' · may be chance'}"
        for one, mends, breaks in zip(tried, mended, broken, strict=True)
    ]


def detail_lines(one: TriedProposal) -> Sequence[str]:
    """Say what a proposal changes on dev: figures with paired intervals, and which sessions flip."""
    was, now = one.change.matrices
    caught = difference_words(one.change.tnr_change(), now.people_failed)
    passed = difference_words(one.change.tpr_change(), now.people_passed)
    moved = difference_words(kappa_change(was, now), now.fewest_labels)
    several = one.proposal.guidelines if len(one.proposal.guidelines) > 1 else ()
    lines = [
        one.proposal.words + (":" if several else ""),
        *(f"· {line}" for line in several),
        *_moved_lines(
            ("TNR, of what people fail it fails", was.tnr, now.tnr, caught),
            ("TPR, of what people pass it passes", was.tpr, now.tpr, passed),
            ("kappa, agreement beyond chance", kappa_of(was), kappa_of(now), moved),
        ),
    ]
    flips = sorted(one.change.flips)
    named = ", ".join(map(str, flips[:MOST_FLIPS])) + (" …" if len(flips) > MOST_FLIPS else ".")
    lines.append(
        f"{counted(len(flips), 'session')} flipped, by number: {named}" if flips else "No session flipped."
    )
    chance = "less than 0.01" if one.chance < 0.01 else number_words(one.chance)
    lines.append(f"Probability of such a gain by chance, as several changes were tried: {chance}.")
    return lines


def _moved_lines(*moved: tuple[str, float, float, str]) -> list[str]:
    """Say of figures what they were and are, each below the other: a name, both values, and words."""
    shown = [[_figure(value) for value in (was, now)] for _, was, now, _ in moved]
    names, wide = max(len(name) for name, *_ in moved), max(len(value) for both in shown for value in both)
    return [
        f"{name:<{names}} {was:>{wide}} → {now:>{wide}}  {words}".rstrip()
        for (name, *_, words), (was, now) in zip(moved, shown, strict=True)
    ]


def _figure(value: float) -> str:
    return "–" if isnan(value) else number_words(value)
