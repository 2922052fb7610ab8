"""Criteria in words: how a trial came out, what is to be tried on, and how often the test split was used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan

from turnwise.conversations.store import SplitName, SplitUse
from turnwise.conversations.words import counted
from turnwise.engine.criteria.criterion_sample import Sample
from turnwise.engine.criteria.criterion_trial import CriterionTrial
from turnwise.engine.people.agreement import Figure
from turnwise.engine.scoring.progress import duration
from turnwise.tui.actions import Action
from turnwise.tui.agreement.agreement_words import FEWEST, TOO_FEW, number_words, whole_fails_words
from turnwise.tui.parts.words import moment
from turnwise.tui.settings.keymap import action_while_typing

EXAMPLE = {
    "name": "Stays polite",
    "criteria": "The assistant stays polite and never blames the user, also when the user is rude.",
    "threshold": 0.5,
}
"""The first criterion of somebody who has none: a start to change."""
NO_LABELS = (
    "No session is labelled yet that it could be tried on. Label some as you read them "
    "({review.label_pass} and {review.label_fail}), or try it on the library: {criteria.sample} outside the "
    "text."
)


_WHILE_WRITING: Mapping[str, tuple[str, int, str]] = {
    "back": ("leave the text", 1, ""),
    "next_field": ("next field", 2, ""),
    "try": ("try", 2, ""),
    "save": ("save", 3, ""),
    "draft": ("draft steps", 4, ""),
    "help": ("help", 90, ""),
}
"""Titles and ranks of the actions that have a key while letters only type."""


def key_while_writing(action: Action) -> Action:
    """Return an action of the workbench as it is while one writes; the rank 0 leaves it out."""
    return action_while_typing(action, _WHILE_WRITING)


def reworded_words(draft: str) -> str:
    """Say why a criterion is not tried anew, of which the words changed alone. draft: the key for steps."""
    return (
        "Its words changed, but not its steps, and the judge goes by the steps: it was not tried anew. "
        f"Change the steps, or let {draft} draft them from the words."
    )


def who_words(sample: Sample, me: str) -> str:
    """Return whose labels a sample has, in a word: "you", a name, or "people" for a majority."""
    if len(sample.authors) != 1:
        return "people" if sample.authors else "you"
    return "you" if sample.authors[0] == me else sample.authors[0]


_SPLITS: Mapping[SplitName, str] = {"dev": "dev, to try on", "test": "test, the last check", "train": "train"}


def sample_words(sample: Sample) -> str:
    """Say what a criterion is tried on: "24 labelled sessions (dev, to try on)", "40 sessions drawn from 80".

    Of those that stay out for the test it is said how many, unless it is said of how many others there are.
    """
    count = len(sample.session_ids)
    drawn = f" drawn from {sample.drawn_from:,}" if sample.drawn_from else ""
    if sample.split is not None:
        return f"{counted(count, 'labelled session')} ({_SPLITS[sample.split]}){drawn}"
    if sample.held_back and drawn:
        # A newcomer asks where the rest of all sessions is, and what test that may be.
        among = f"the {sample.drawn_from:,} outside the test, {sample.labelled:,} of them labelled"
        return f"{counted(count, 'session')} drawn from {among}"
    told = f"{counted(count, 'session')}{drawn}, {sample.labelled:,} labelled"
    if not sample.held_back:
        return told
    stay = "stays" if sample.held_back == 1 else "stay"
    return f"{told}; {sample.held_back:,} {stay} out for the test"


def since_words(trial: CriterionTrial, next_sample: Sample) -> str:
    """Say why what is tried next is not what was tried: ", 1 of them labelled since"; empty where it is.

    Nothing is said of sessions that are not of the same split, or are drawn from more: their number says it.
    """
    was = trial.sample
    if was.split is None or was.split != next_sample.split or next_sample.drawn_from or was.query:
        return ""
    more = {*next_sample.session_ids} - {*was.session_ids}
    fewer = len({*was.session_ids} - {*next_sample.session_ids})
    began = trial.began_at
    since = sum(began is not None and next_sample.said_at.get(one, 0.0) > began for one in more)
    parts = (
        (since, "of them labelled since"),
        (len(more) - since, "of them not tried then"),
        (fewer, "taken back or disputed since"),
    )
    return "".join(f", {count:,} {words}" for count, words in parts if count)


def figure_words(name: str, figure: Figure, labels: int) -> str:
    """Return a figure in short: "TPR 0.93 (0.68 to 0.99)", "TPR –"; or that there are too few labels.

    labels: that it rests on; of a figure of passes and fails alike, those of the kind that has fewer.
    """
    if figure.value is None:
        return f"{name} –"
    if labels < FEWEST:
        return f"{name} {number_words(figure.value)} ({TOO_FEW})"
    if figure.low is None or figure.high is None:
        return f"{name} {number_words(figure.value)}"
    return f"{name} {number_words(figure.value)} ({number_words(figure.low)} to {number_words(figure.high)})"


def divided_words(sample: Sample) -> str:
    """Say what the labels are for: "21 labelled sessions: 9 to try on while you change it (dev), ..."."""
    uses: Mapping[SplitName, str] = {
        "dev": "to try on while you change it",
        "test": "for one check at the end",
        "train": "to take examples from",
    }
    total = sum(sample.divided.values())
    if not total:
        return ""
    parts = (f"{_count(sample.divided.get(split, 0))} {use} ({split})" for split, use in uses.items())
    left_out = f" ({sample.undecided:,} more disputed)" if sample.undecided else ""
    return f"{counted(total, 'labelled session')}{left_out}: {', '.join(parts)}"


def _count(labels: int) -> str:
    return f"{labels:,}" if labels else "none"


def explained_words(sample: Sample, keys: str = "", *, is_tried: bool = True) -> str:
    """Say what the labels are divided into, and how many fails may be for something else than a criterion.

    Of one that is not tried that would say nothing: no label could be of it. keys: by which a
    review says that a score is right or wrong.
    """
    fails = sum(not passed for passed in sample.people.values())
    among = f"in {sample.split}" if sample.split else ""
    whole = whole_fails_words(sample.whole_fails, fails, among)
    if whole and keys:
        whole = f"{whole}; say which in a review, at the score: {keys}"
    parts = (divided_words(sample), whole if is_tried else "")
    return "; ".join(part for part in parts if part)


def kappa_words(kappa: float) -> str:
    """Return a kappa in short, – where it cannot be told."""
    return "–" if isnan(kappa) else number_words(kappa)


def cost_words(cost: float | None) -> str:
    """Return what a trial cost: "$0.02"; empty where nobody knows."""
    if cost is None:
        return ""
    return f"${cost:.2f}" if cost >= 0.01 or not cost else f"${cost:.4f}"


def spent_words(trial: CriterionTrial) -> str:
    """Return what a trial took: "$0.02 · took 41 s"; empty where nothing is known of it."""
    time_words = "" if trial.seconds is None else f"took {duration(trial.seconds)}"
    return " · ".join(part for part in (cost_words(trial.cost), time_words) if part)


def expected_words(trial: CriterionTrial, sessions: int) -> str:
    """Say about how long so many sessions take by what a trial took: ", about 4 min"; empty for none."""
    if not trial.seconds or not trial.rows:
        return ""
    seconds = trial.seconds / len(trial.rows) * sessions
    return f", about {duration(seconds)}" if seconds >= 1 else ""


def left_out_words(trial: CriterionTrial) -> str:
    """Say which outcomes are no scores; empty where all are."""
    failed = sum(row.outcome == "failure" for row in trial.rows)
    skipped = sum(row.outcome == "skipped" for row in trial.rows)
    parts = ((failed, "could not be judged"), (skipped, "skipped"))
    return " · ".join(f"{count:,} {words}" for count, words in parts if count)


def uses_words(uses: Sequence[SplitUse]) -> str:
    """Say how often a split was used, and when last: "used once, on 20 Nov 2026 09:15"."""
    if not uses:
        return "not used yet"
    often = {1: "once", 2: "twice"}.get(len(uses), f"{len(uses):,} times")
    when = moment(uses[-1].created_at)
    return f"used {often}, {'on' if len(uses) == 1 else 'last on'} {when}"
