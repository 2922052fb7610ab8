"""The database of the demo: conversations, scores, labels, modes, a queue and two runs to compare.

All comes from files of this package through the doors that any import uses, at fixed times: the same database
every time. Only checks are run; nothing is asked of a model, and nothing is fetched.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from turnwise.conversations.findings import PastRun, PastScore
from turnwise.conversations.results import Outcome, Score
from turnwise.conversations.store import Store
from turnwise.engine.criteria.criteria import Criterion
from turnwise.engine.criteria.criterion_sample import draw_sample
from turnwise.engine.criteria.criterion_versions import keep_version
from turnwise.engine.metrics.registry import make_metric
from turnwise.engine.metrics.subject import Subject
from turnwise.tui.demo.demo_people import (
    MINUTE,
    DemoPeople,
    PersonFinding,
    TalkKey,
    labels_of,
    load_people,
    modes_of,
)
from turnwise.tui.demo.help_desk import HelpDeskTalk, load_talks, read_part
from turnwise.tui.demo.kept import VERSIONS, is_filled, run_name
from turnwise.tui.demo.recorded_judge import METRICS, check_score, criterion_score, metric_scores, past_run

SOURCE = "demo"
HOUR, DAY = 60 * MINUTE, 24 * 60 * MINUTE
CHECK = "language_switch"
"""What needs no judge and no setting, and shows what the recorded judge was not asked."""
AUTHOR = "Mia"
"""Who wrote the criterion."""


async def fill(store: Store) -> None:
    """Put the demo into a database, unless it is there."""
    if is_filled(store):
        return
    about = read_part("about")
    talks = load_talks()
    check = make_metric(CHECK)
    checked = {
        talk.key: await check.judge(Subject.of(talk.case), None, secret=store.secret) for talk in talks
    }
    with store.writing():
        ids = _add_sessions(store, talks, about)
        failed = {talk.key: _failed_turns(talk, checked[talk.key]) for talk in talks}
        _label(store, failed, ids, _moment(about["labels_from"]), load_people())
        _judge(store, talks, ids, about, checked)


def _add_sessions(
    store: Store, talks: Sequence[HelpDeskTalk], about: Mapping[str, Any]
) -> dict[TalkKey, int]:
    """Add the conversations, a few a day, and return their ids."""
    ids: dict[TalkKey, int] = {}
    for place, talk in enumerate(talks):
        begin = _moment(about["versions"][str(talk.version)]["from"])
        at = begin + 8 * HOUR + (place % (len(talks) // len(VERSIONS))) * 3 * HOUR
        added = store.sessions.add(talk.case, source=SOURCE, format="sample", created_at=at)
        ids[talk.key] = added.session_id
    return ids


def _failed_turns(talk: HelpDeskTalk, checked: Outcome) -> dict[str, int]:
    """Return by metric the first turn that fails."""
    verdicts = checked.verdicts if isinstance(checked, Score) else ()
    found = [(one.turn, checked.metric) for one in verdicts if one.passed is False and one.turn is not None]
    found += [(flaw.turn, flaw.metric) for flaw in talk.flaws]
    return {metric: turn for turn, metric in sorted(found, reverse=True)}


def _label(
    store: Store,
    failed: Mapping[TalkKey, Mapping[str, int]],
    ids: Mapping[TalkKey, int],
    at: float,
    people: DemoPeople,
) -> None:
    """Keep what people found, and make the queue between: what is labelled later is done in it.

    failed: of each conversation, the first turn that fails by each metric.
    """

    def keep(findings: Sequence[PersonFinding], start: float) -> None:
        for place, finding in enumerate(findings):
            # Twelve a day, two minutes each.
            when = start + (place // 12) * DAY + 9 * HOUR + (place % 12) * 2 * MINUTE
            turns, session = failed[finding.talk], ids[finding.talk]
            store.labels.add_new(session, labels_of(finding, turns, people, when), at=when)
            store.modes.add_new(session, modes_of(finding, turns, people.modes, when), at=when)

    keep(people.findings, at)
    store.queues.add(
        people.queue_name, [ids[key] for key in people.queued], sampler="random", at=at + 7 * DAY
    )
    keep(people.in_queue, at + 7 * DAY)


def _judge(
    store: Store,
    talks: Sequence[HelpDeskTalk],
    ids: Mapping[TalkKey, int],
    about: Mapping[str, Any],
    checked: Mapping[TalkKey, Outcome],
) -> None:
    """Keep what the recorded judge and the check found, in a run for each version of the chatbot."""
    first, better = (Criterion.model_validate(told) for told in about["criterion"])
    sample = set(draw_sample(store, better.name).session_ids)
    tried, judged = _moment(about["tried"]), _moment(about["judged"])
    trials = [
        _trial(store, criterion, tried + place * HOUR) for place, criterion in enumerate((first, better))
    ]
    for trial in trials:
        store.runs.keep(trial, at=tried)
    runs = {
        version: past_run(run_name(version), (*METRICS, CHECK, better.name), judged + place * HOUR)
        for place, version in enumerate(VERSIONS)
    }
    for run in runs.values():
        store.runs.keep(run, at=judged)
    first_try = {
        word: {(item["case"], item["version"]) for item in items}
        for word, items in about["first_try"].items()
    }
    for talk in talks:
        run = runs[talk.version]
        found: list[PastScore] = list(metric_scores(talk, run, judged))
        broken = next((flaw.reason for flaw in talk.flaws if flaw.metric == better.name), "")
        in_sample = ids[talk.key] in sample
        if in_sample:
            at_first = _at_first(talk, broken, first_try)
            found.append(criterion_score(talk, first, at_first, [trials[0]], tried))
        took_over = [trials[1], run] if in_sample else [run]
        found.append(criterion_score(talk, better, broken, took_over, tried + HOUR))
        found.append(check_score(talk, checked[talk.key], run, judged))
        store.past_scores.add_new(ids[talk.key], found, at=judged)


def _trial(store: Store, criterion: Criterion, at: float) -> PastRun:
    """Keep a version of the criterion, and return the run in which it was tried."""
    version = keep_version(store, criterion, author=AUTHOR, at=at)
    told = {
        "criterion": criterion.name,
        "criterion_version": version.fingerprint,
        "split": "dev",
        "query": "",
    }
    return past_run(f"{criterion.name} v{version.number}", [criterion.name], at, told)


def _at_first(talk: HelpDeskTalk, broken: str, first_try: Mapping[str, set[TalkKey]]) -> str:
    """Return why a conversation broke the first wording of the criterion; empty where it did not."""
    if talk.key in first_try["overlooks"]:
        return ""
    if talk.key in first_try["takes_for_promises"]:
        return "It promises something to the user."
    return broken


def _moment(day: str) -> float:
    """Return a day as seconds since 1970."""
    return datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp()
