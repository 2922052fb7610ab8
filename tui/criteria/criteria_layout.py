"""Where the workbench of criteria has its parts: the trial beside the editor or under it; what gives way."""

from __future__ import annotations

from textual.geometry import Size

from turnwise.tui.criteria.trial_pane import TrialPane
from turnwise.tui.drawing.own_styles import give_display, give_height

_BESIDE_FROM = 140
"""From this many cells on, the trial stands beside the editor; below it stands under it."""
_WIDE_FROM = 110
"""From this many cells on, the names of criteria have room."""
_LOW_BELOW = 32
"""In fewer lines than this fields give way to the sessions of a trial; while one writes, these give way."""
_FIGURES_FROM = 48
"""In fewer lines than this a trial under the editor tells its change in words alone, and lists sessions."""
STYLES = """
CriteriaScreen {
    & #body { height: 1fr; layout: vertical; margin-top: 1; }
    & #list-and-editor { height: 1fr; min-height: 6; }
    & #side { width: 26; height: 1fr; }
    & #side > Static { padding: 0 1; color: $text-muted; height: 1; }
    & #criteria { height: 1fr; background: $background; }
    & ChoiceList > .choices--away { background: $surface; text-style: none; }
    & CriterionEditor { height: 1fr; min-height: 6; }
    & #unreadable { width: 1fr; padding: 0 2; display: none; }
    & #wrong { height: auto; max-height: 3; padding: 0 1; color: $text-error; display: none; }
    /* The line that says whether there is more of the criterion parts the two. */
    & #more { height: 1; background: $background; }
    & TrialPane { height: auto; max-height: 60%; }
    & TrialPane.-some { height: 60%; }
    /* Until one writes, six sessions are in sight in 24 lines, over them the first of the steps: what the
    judge reads. */
    &.-low #body { margin-top: 0; }
    &.-low #list-and-editor { min-height: 4; }
    &.-low CriterionEditor { min-height: 3; }
    &.-low TrialPane.-some { height: 65%; max-height: 65%; }
    &.-low CriterionEditor .above { margin-top: 0; }
    &.-worded TrialPane #trial-change { display: none; }
    &.-low TrialPane ConfusionMatrix, &.-low TrialPane #trial-change { display: none; }
    &.-low TrialPane #tried-about { display: none; }
    &.-low TrialPane #trial-note { padding: 0 1; }
    &.-low TrialPane #tried, &.-low TrialPane #trial-words { margin-top: 0; }
    &.-low TrialPane.-some #trial-divided { display: none; }
    &.-wide #side { width: 36; }
    &.-beside #body { layout: horizontal; }
    &.-beside #list-and-editor { width: 65%; max-width: 112; }
    &.-beside TrialPane, &.-beside TrialPane.-some, &.-beside.-roomy.-high TrialPane.-some {
        width: 1fr; height: 1fr; max-height: 100%; margin-top: 0;
    }
    & #editing { width: 1fr; height: 1fr; border-subtitle-color: $text-muted; }
    &.-roomy.-high #more { display: none; }
    /* Short fields on adjoining rows would melt into one block. */
    & .row.-other Switches { background: $foreground 12%; }
    &:ansi .row.-other Switches { background: ansi_default; }
    &.-beside.-high CriterionEditor > .row.below { margin: 1 1 0 0; }
    &.-beside.-high .row.-other Switches { background: $panel; }
    &:ansi #side > Static { text-style: dim; }
}
"""


def classes_of(size: Size) -> dict[str, bool]:
    """Return by their names which classes a workbench of this size has, and which it has not."""
    beside = size.width >= _BESIDE_FROM
    return {
        "-wide": size.width >= _WIDE_FROM,
        "-low": size.height < _LOW_BELOW,
        "-beside": beside,
        "-worded": not beside and size.height < _FIGURES_FROM,
    }


def give_room(pane: TrialPane, size: Size, *, writing: bool, in_sessions: bool) -> None:
    """Let the trial under the editor give way while one writes, and the editor as one goes through sessions.

    size: the workbench's. Said of the parts themselves, as a class would have all in the trial styled anew.
    """
    under = size.width < _BESIDE_FROM
    tall, short = under and in_sessions, under and writing and size.height < _LOW_BELOW
    # Of the height of what it lies in; a share of its width would be told by the letter w.
    give_height(pane, "75h" if tall else "auto" if short else None, most="75h" if tall else None)
    give_display(pane.tried, "none" if short else None)
