"""Examples: the labelled sessions of a database with their features, and a refusal where they are too few."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil

from turnwise.conversations.errors import NotFoundError, SettingError
from turnwise.conversations.store import Store
from turnwise.conversations.words import counted
from turnwise.engine.criteria.criterion_sample import SHARES
from turnwise.engine.learning.features import features_of
from turnwise.engine.learning.fitting import LabelledExample, TellLearning, tell_nobody
from turnwise.engine.learning.learned_metric import PREFIX
from turnwise.engine.metrics.metric_names import near_name, same_name
from turnwise.engine.metrics.subject import Subject
from turnwise.engine.people.opinions import people_verdicts

FEWEST = 30
"""With fewer labels nothing is learned: what so few sessions share is mostly chance."""
FEWEST_OF_EACH = 10
"""So many of the labels must say pass, and so many fail."""
FEWEST_GROUPS = 10
GROUPS = (
    "scenario", "meta.task_id", "meta.case_id", "meta.test_id", "meta.scenario", "meta.task", "meta.case",
    "meta.conversation_id",
)  # fmt: skip
"""By what sessions are kept together that are of one case, the first of these that some of them share."""
FIRST_WORDS = "the user's first turn"
_MOST_OF_A_FIRST_TURN = 200


@dataclass(frozen=True, slots=True)
class ExampleSet:
    """Labelled sessions to learn from. learned_from: whose labels. grouped_by: what a group shares."""

    examples: Sequence[LabelledExample]
    subjects: Sequence[Subject]
    learned_from: str
    grouped_by: str


def verdicts_to_learn_from(
    store: Store, *, metric: str = "", scores: str = "", query: str = ""
) -> tuple[dict[int, bool], str, int]:
    """Return whether sessions pass, by session, whose labels say so, and how many are left out.

    Left out are those of the test split.

    The parameters, and what is raised for a name that nothing has: as `read_examples`.
    """
    tested = store.splits.members()
    verdicts = _scored(store, scores, query) if scores else people_verdicts(store, metric, query=query)
    told = f"scores of {scores}" if scores else f"labels of {metric}" if metric else "labels"
    usable = {session: passed for session, passed in verdicts.items() if tested.get(session) != "test"}
    return usable, told, len(verdicts) - len(usable)


def read_examples(
    store: Store,
    *,
    metric: str = "",
    scores: str = "",
    query: str = "",
    group: str = "",
    tell: TellLearning = tell_nobody,
) -> ExampleSet:
    """Read what there is to learn from; the sessions of the test split are left out.

    metric: the one that labels are about; empty for those of whole sessions. scores: take as labels what a
    metric says, such as a reward that came with a file. group: by what sessions are kept together, as in
    meta.task_id; empty for the first of GROUPS that some share, else by the user's first turn. Raises
    SettingError where there are too few, or too few of one kind, and says how many more it takes;
    NotFoundError where nothing has the scores.
    """
    # A name that means nothing is refused before anything long begins.
    named = dict(store.sessions.groups(group)) if group else None
    verdicts, told, held_back = verdicts_to_learn_from(store, metric=metric, scores=scores, query=query)
    check_enough(verdicts, told, held_back)
    sessions = sorted(verdicts)
    kept = store.learned.kept_scores(sessions)
    subjects = []
    for done, session in enumerate(sessions):
        tell("read", done, len(sessions))
        whole = Subject.of(store.sessions.case(session))
        subjects.append(with_scores(whole, kept.get(session, {}), leave_out=scores))
    grouped_by, groups = _groups(store, sessions, subjects, group, named)
    if len(set(groups)) < FEWEST_GROUPS:
        raise SettingError(
            f"The labelled sessions are of {counted(len(set(groups)), 'case')}, by {grouped_by}",
            detail=f"To show that it holds for others it takes {FEWEST_GROUPS} at least.",
            next_step="Label sessions of other cases, or name with --group what tells cases apart.",
        )
    for word, kind in (("pass", True), ("fail", False)):
        cases = {name for session, name in zip(sessions, groups, strict=True) if verdicts[session] is kind}
        if len(cases) < 2:
            raise SettingError(
                f"All sessions that {word} are of one case, by {grouped_by}: {cases.pop()}",
                detail="What that case has of its own could not be told from what makes sessions "
                f"{word}: there is no other to see it by.",
                next_step="Label sessions of other cases, or name with --group what tells cases apart.",
            )
    examples = [
        LabelledExample(session, features_of(subject), verdicts[session], name)
        for session, subject, name in zip(sessions, subjects, groups, strict=True)
    ]
    return ExampleSet(examples, subjects, f"{len(examples):,} {told}", grouped_by)


def check_enough(verdicts: Mapping[int, bool], told: str, held_back: int = 0) -> None:
    """Raise SettingError where there are too few labels, or too few of one kind. told: what they are.

    held_back: how many are kept for the test. Where some are, so is a share of those that come, and more have
    to be labelled than lack.
    """
    passed = sum(verdicts.values())
    failed = len(verdicts) - passed
    learned, about = (1 - SHARES["test"], "about ") if held_back else (1, "")
    wanted = [
        about + counted(ceil((FEWEST_OF_EACH - count) / learned), f"more that {one}", f"more that {more}")
        for count, one, more in ((passed, "passes", "pass"), (failed, "fails", "fail"))
        if count < FEWEST_OF_EACH
    ]
    of_kinds = " and ".join(wanted)
    lacking = ceil((FEWEST - len(verdicts)) / learned)
    in_all = f"{about}{lacking:,} more in all" if lacking > 0 else ""
    if wanted or in_all:
        kept = f", as {SHARES['test'] * 100:.0f} % of them will be kept for the test" if held_back else ""
        raise SettingError(
            f"Too few {told} to learn from: {passed:,} pass, {failed:,} fail",
            detail=f"It takes {FEWEST} in all, at least {FEWEST_OF_EACH} of each kind: label "
            f"{', '.join(part for part in (of_kinds, in_all) if part)}{kept}.",
            next_step="`turnwise queue new today` chooses sessions to label.",
        )


def with_scores(subject: Subject, kept: Mapping[str, float], *, leave_out: str = "") -> Subject:
    """Return a subject with what metrics found before, but for what was learned: that would go in circles."""
    told = {
        metric: score
        for metric, score in kept.items()
        if not metric.startswith(PREFIX) and metric != leave_out
    }
    return replace(subject, kept_scores=told)


def _scored(store: Store, named: str, query: str) -> dict[int, bool]:
    scored = store.sessions.metrics()
    metric = same_name(named, scored)
    if metric is None:
        near = near_name(named, scored)
        raise NotFoundError(
            f"There are no scores of {named}",
            detail=f"There are scores of: {', '.join(scored)}" if scored else "Nothing is scored yet.",
            next_step=f"Did you mean {near}?" if near else "`turnwise score` scores sessions.",
        )
    return store.learned.passed_by(metric, store.sessions.ids(query))


def _groups(
    store: Store,
    sessions: Sequence[int],
    subjects: Sequence[Subject],
    group: str,
    named: Mapping[int, str] | None,
) -> tuple[str, list[str]]:
    """Return by what sessions are grouped, and the group of each; one of which nothing is known is alone.

    group: what was named, and `named` the groups that it makes; empty and None where nothing was.
    """
    for by in (group,) if group else GROUPS:
        parts = dict(store.sessions.groups(by)) if named is None else named
        told = [parts.get(session, "") for session in sessions]
        if named is not None or max(Counter(filter(None, told)).values(), default=0) > 1:
            return by, [name or f"session {session}" for session, name in zip(sessions, told, strict=True)]
    first = [next((t.content for _, t in one.numbered if t.role == "user"), "") for one in subjects]
    return FIRST_WORDS, [
        " ".join(text.casefold().split())[:_MOST_OF_A_FIRST_TURN] or f"session {session}"
        for session, text in zip(sessions, first, strict=True)
    ]
