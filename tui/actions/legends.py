"""What every mark and word of a screen means, as `?` tells it below the keys.

A screen that draws a new sign, or a word that is not plain English, names it here at its place.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from turnwise.conversations.marks import (
    DISPUTED,
    FAILED,
    FAILURE,
    PASSED,
    QUOTED,
    SKIPPED,
    UNSURE,
)
from turnwise.tui.actions.action import Place


@dataclass(frozen=True, slots=True)
class Explained:
    """A mark or a word as a screen shows it, and what it means there."""

    sign: str
    words: str


_CURSOR = (Explained("▌", "the cursor"), Explained("▏", "the cursor, while keys go elsewhere"))
_OUTCOMES = (
    Explained(PASSED, "passes"),
    Explained(FAILED, "fails: below its threshold"),
    Explained(UNSURE, "neither: no threshold"),
    Explained(SKIPPED, "skipped: it does not apply"),
    Explained(FAILURE, "not judged: the judge was away, or wrote no answer"),
)
_LABELS = (
    Explained(PASSED, "a person says pass"),
    Explained(FAILED, "fail"),
    Explained(UNSURE, "deferred"),
    Explained(SKIPPED, "no label"),
)
_JUDGE = (
    Explained("●", "the judge answers"),
    Explained("◐", "it is slow"),
    Explained("○", "it is away, or does not answer and is tried again"),
)
_FOLDS = (Explained("▸", "folded"), Explained("▾", "open"))
_BARS = (Explained("█", "a share"), Explained("─", "what is left of it"))
_INTERVAL = (
    Explained("█", "ends at the least that a share is of all there could be, 95 % sure"),
    Explained("▓", "ends at the share that was found"),
    Explained("░", "ends at the most that the share is of all there could be, 95 % sure"),
)
_TICKS = (Explained("✓", "ticked"), Explained("·", "not ticked"))
_BLIND = Explained("blind", "labelled before its author saw a score")
_COVERED = Explained("·", "hidden until you label")
_CHOICE = (_CURSOR[0], Explained("›", "the choice that enter takes, while one types in a field"))
_LIVING = (Explained("●", "answers"), Explained("○", "does not answer"))
_FIGURES = (
    Explained("TPR", "of what people passed, the share that the judge passes"),
    Explained("TNR", "of what people failed, the share that it fails"),
    Explained("kappa", "agreement beyond chance: 0 as by chance, 1 always"),
)
_TURNS = (
    Explained("▎", "the user says it"),
    Explained("+1:05", "said so many minutes and seconds after the conversation began"),
    Explained("→", "what a tool was given, or gave back"),
    Explained("┃", "words that are nobody's turn, such as a system prompt"),
    *_FOLDS,
)
_IN_BAR = Explained("━", "in the scroll bar: a turn that fails stands about there; a click goes to it")
_TWO_SIDES = (
    Explained("≠", "the two sides say something else in that turn, prompt or tool result"),
    Explained("≠ most words differ", "more than not, so none of them is bold"),
    Explained("bold", "in a turn with ≠: words that only this side says"),
    Explained("dim", "words that both sides say"),
)
_VERDICTS = (
    Explained(f"{SKIPPED} before a turn", "the metric says nothing of it"),
    Explained(
        "k l r", "metrics over their slots: of their two letters in lists, such as kr, one that is free"
    ),
    Explained("+", "over the last slot: all metrics that have none of their own"),
    Explained(QUOTED, "the underlined words are what the verdict in that slot rests on"),
)
_NAMED_TURN = Explained("turn 4", "underlined in a reason: a click goes to that turn")
_RUN = Explained("█ ─", "in the line of a run under way: what is done of it, and what is left")
_SPLIT = Explained("dev, test, train", "labels to try on, labels held back to measure at the end, examples")

LEGENDS: Mapping[Place, tuple[Explained, ...]] = {
    "everywhere": (),
    "library": (
        *_CURSOR,
        Explained(PASSED, "under label: a person says pass; under a metric: it passes"),
        Explained(FAILED, "fail; below threshold"),
        Explained(DISPUTED, "disputed: one person says pass, another fail"),
        Explained(UNSURE, "deferred; no threshold"),
        Explained(SKIPPED, "no label; skipped, as it does not apply"),
        Explained(FAILURE, "not judged: the judge was away, or wrote no answer"),
        _COVERED,
        Explained("blank", "nothing was scored yet"),
        Explained(
            "ra",
            "a metric, by the letters that the line under the list explains; a review has one of the two",
        ),
        Explained(
            "passed %", "of the scores that are shown, how many pass; the Overview counts hidden ones too"
        ),
        Explained("+3", "metrics without room for a column"),
        Explained("↑ ↓", "sorted by it, rising or falling"),
        Explained("●", "selected; before the judge's name: it answers"),
        Explained("◐ ○", "the judge is slow, or away"),
        _RUN,
        *_TURNS,
        Explained("▔", "the word of the filter that is wrong"),
    ),
    "filter": (Explained("▔", "the word that is wrong"),),
    "review": (
        *_CURSOR,
        *_VERDICTS,
        *_OUTCOMES,
        _NAMED_TURN,
        _IN_BAR,
        *_TURNS,
        Explained("✎", "what a person says of it"),
        Explained("○", "at a failure mode: somebody else gave it, not you"),
        _BLIND,
        Explained("█ ─", "what is done, and what is left"),
    ),
    "queue_end": (
        *_CHOICE,
        *_LABELS,
        _BLIND,
        Explained("█", "how often a failure mode was given"),
    ),
    "label_history": (
        *_LABELS,
        Explained("✎", "a note"),
        Explained("•", "a failure mode"),
        _BLIND,
    ),
    "score_history": (
        *_OUTCOMES,
        Explained("✓ → ✗", "it passed the time before, and fails now"),
        Explained("→", "what stands there now, where something else stood before"),
    ),
    "why": (
        *_OUTCOMES,
        _NAMED_TURN,
        Explained("┃", "the prompt and the reply as they were sent"),
        Explained("→", "what to do about it"),
        Explained("tokens", "the pieces that a model reads and writes words in"),
    ),
    "record": (
        *_CURSOR,
        *_TURNS,
        *_OUTCOMES,
        _IN_BAR,
        Explained("saved ✓", "every turn so far is in the database"),
    ),
    "branches": (*_CURSOR, *_TURNS, *_OUTCOMES, *_TWO_SIDES),
    "talk": (*_CHOICE, *_LIVING),
    "simulate": _CHOICE,
    "simulation": (
        *_CURSOR,
        Explained(PASSED, "it came to an end"),
        Explained(FAILURE, "somebody failed: the chatbot, the user model or a tool"),
        Explained("·", "has not ended yet"),
    ),
    "replay": (
        *_CURSOR,
        *_VERDICTS,
        _IN_BAR,
        *_TURNS,
        Explained("▁ to ▇", "beside a criterion: its score as of a turn; · to come"),
        Explained("▶", "it plays"),
        Explained("■", "it stands still"),
        Explained("●", "on the line: a turn"),
        Explained("◆", "now"),
        Explained("○ ◦", "to come: a turn, a score; a metric that judged it twice has two"),
        Explained("⊗", "on the line a turn with a verdict that fails, once its score came"),
        Explained("✎", "a label, or a failure mode"),
        *_OUTCOMES,
    ),
    "score": (
        *_CHOICE,
        *_TICKS,
        Explained(SKIPPED, "cannot be ticked: none of the sessions has what it needs"),
        Explained("×", "times"),
        *_JUDGE,
    ),
    "judge": (*_CHOICE, *_LIVING, *_BARS),
    "trial": (*_CHOICE, Explained("✗", "a bias that was found"), *_INTERVAL),
    "overview": (
        *_CURSOR,
        *_INTERVAL,
        *_OUTCOMES,
        Explained("▁ to ▇", "counts beside each other, the highest for the most"),
        Explained("kappa", "agreement of a metric with people beyond chance: 0 as by chance, 1 always"),
    ),
    "heat_map": (
        *_CURSOR,
        Explained("▂ ▄ ▆ █", "how far the score of a fail is from 1, a quarter each"),
        *_OUTCOMES,
        _COVERED,
        Explained("←  →", "more metrics at the side"),
        Explained("↑ ↓", "sorted by it, rising or falling"),
        _RUN,
    ),
    "failure_modes": (
        *_CURSOR,
        Explained("●", "ticked"),
        _TICKS[1],
        Explained(PASSED, "a person says pass"),
        Explained(FAILED, "a person says fail"),
        Explained(UNSURE, "deferred"),
        *_INTERVAL,
        Explained(f"{PASSED} {FAILED} {UNSURE}", "beside a note: its author says pass, fail, or defers"),
        Explained("(name)", "behind a failure mode: who gave it, where that is not who wrote the note"),
        Explained(
            "share (interval)", "of those that people read, and where that lies for all there could be"
        ),
    ),
    "mode_choice": (
        *_CHOICE,
        Explained("✓ turn 4", "given by you, at that turn"),
        Explained("○ turn 4", "given by somebody else"),
    ),
    "mode_pick": _CHOICE,
    "mode_edit": (),
    "proposals": (*_CHOICE, *_TICKS),
    "filters": _CHOICE,
    "naming": (),
    "tags": (
        *_CHOICE,
        Explained("✓", "all of them have the tag"),
        Explained("~", "some have it"),
        Explained("·", "none has it"),
    ),
    "export": (*_CHOICE, *_BARS),
    "sort": (*_CHOICE, Explained("↑ ↓", "sorted by it, rising or falling")),
    "columns": (*_CHOICE, *_TICKS, Explained("○", "not ticked, but has a column, as no metric is ticked")),
    "column_choice": _CHOICE,
    "frequency": (
        *_CURSOR,
        Explained("█", "the share of the sessions that have the value"),
        Explained("81 % (69 to 89 %)", "how much of a metric's scores passes, and where it may lie, at 95 %"),
        Explained("✓ ✗ ✓✗", "how many people labelled pass, how many fail, and on how many they disagree"),
        Explained("–", "no score, or no label"),
        Explained("‹ ›", "which column this is, of all there are"),
    ),
    "queue": (*_CHOICE, Explained("▸", "a queue that is there already")),
    "criteria": (
        *_CURSOR,
        _RUN,
        Explained("•", "changed, and not saved yet"),
        Explained("18/18?", "it agrees on that many labels, but fewer than 4 of these are fails, or passes"),
        *_OUTCOMES,
        Explained("→", "from what it was at the trial before to what it is now"),
        *_FIGURES,
        _SPLIT,
        *_TICKS[1:],
    ),
    "versions": (
        Explained("┃", "between both versions"),
        *_FIGURES,
        Explained("+ −", "how far it moved"),
    ),
    "improve": (*_CHOICE, *_TICKS, *_FIGURES, Explained("→", "from what it is to what it would be")),
    "locate": (
        *_CHOICE,
        Explained("✗", "the turn is known"),
        Explained("·", "it is not, or not for certain"),
        Explained("▁ to ▇", "what the conversation scored as of its turns"),
        *_BARS,
    ),
    "learn": (
        *_CHOICE,
        Explained("▸", "learned before"),
        Explained("+", "learns anew"),
        Explained("AUC", "how often one that passes is foretold higher than one that fails: 0.5 by chance"),
        Explained("Brier", "how far the probabilities are off, squared: 0 at best"),
        *_INTERVAL,
    ),
    "question": _CHOICE,
    "import": (*_CHOICE, Explained("━ ─", "what is read, and what is left")),
    "mapping": (*_CHOICE, *_FOLDS, Explained("→", "what is read from there")),
    "speakers": (*_CHOICE, *_TICKS),
    "rejections": (Explained("→", "what to do about it"),),
    "compare": (
        *_CURSOR,
        _RUN,
        Explained("▸", "the metric whose pairs are listed below"),
        Explained("✓ → ✗", "passed in A, fails in B"),
        Explained("✗ → ✓", "the other way round"),
        Explained("≠", "it differs"),
        Explained(
            "clearly", "by more than chance, at 95 %, all metrics considered that are compared at once"
        ),
        Explained("perhaps", "it moved, by no more than chance may move it"),
        Explained("+ −", "how far B is from A"),
        Explained(
            "change, 95 %", "where the change of the mean score may lie for all there could be, at 95 %"
        ),
        Explained("points, 95 %", "where it may lie how many more of 100 pass in B than in A, at 95 %"),
        *_OUTCOMES,
    ),
    "agreement": (
        *_CURSOR,
        _RUN,
        *_FIGURES,
        Explained("of all", "also of sessions whose scores the library hides until you label them"),
        Explained("names none", "a fail of the whole session: it counts beside every metric of that session"),
        Explained("precision", "of what the judge passes, the share that people pass"),
        Explained("F1", "TPR and precision in one; 1 at best"),
        Explained("corrected", "the pass rate that people would find, by how the judge errs"),
        Explained("alpha", "how far people agree with each other: 1 always, 0 as by chance"),
        Explained(
            "disputed", "as a whole: it counts as passed or failed here by what is said of this metric"
        ),
        Explained("1.00?", "a kappa that fewer than 4 fails, or passes, stand behind"),
        Explained("judge ✓  check ✗", "what the metric passes, or fails; a check asks no judge"),
        Explained("labels", "in the list: sessions that both judged; those with most stand first"),
        Explained("fails", "in the list, or ✗ where there is little room: how many of them people failed"),
        _BLIND,
        Explained("→", "what to do about it"),
        *_OUTCOMES[:2],
    ),
    "pair": (*_CURSOR, *_TURNS, *_OUTCOMES, _IN_BAR, *_TWO_SIDES),
    "choose_run": _CHOICE,
    "runs": (
        *_CURSOR,
        Explained("!", "some could not be judged"),
        Explained("~", "broken off before its end"),
        Explained("▸", "under way"),
        Explained("●", "chosen to be compared"),
        Explained("█ ─", "what passed; of a run under way, what is done and what is left"),
        Explained("█ ▓ ░", "in the details: the least, what was found, and the most, 95 % sure"),
    ),
    "queues": (
        *_CURSOR,
        Explained("█ ─", "what is labelled, and what is left"),
        *_LABELS[:3],
        Explained("·", "waits for a label"),
    ),
    "pairs": (*_CHOICE, Explained("▸", "made before"), Explained("+", "makes new ones")),
    "preferring": (
        *_CURSOR,
        Explained("✓", "the side that you prefer"),
        Explained("=", "neither is better"),
        *_TWO_SIDES,
    ),
    "preferences": (*_CHOICE, *_INTERVAL),
    "pictures": (Explained("▀ █ ░", "the image, drawn with what the terminal can show"),),
    "help": (_CURSOR[0],),
    "menu": _CHOICE,
    "palette": _CHOICE,
    "settings": (*_CHOICE, Explained("✓", "what holds"), Explained("·", "what can be chosen")),
    "jump": (),
    "tour": (),
}
"""What is explained at each place, in the order in which it is told."""
