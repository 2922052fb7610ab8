"""Next labels: a queue that draws whose label narrows a pass rate most, and the rate as it stands.

    queue_id = make_queue(store, "faithful", QueuePlan("next", metric="faithfulness"))
    draw_ahead(store, store.queues.get(queue_id))   # after each label: whom to label next
    rate_of(store, store.queues.get(queue_id))      # the rate, its interval, how many labels it still needs

The sessions lie in strata of the metric's score as it was when the queue was made. What counts as people's
word is the majority's, or an adjudication; a tie, a defer and no word at all are undecided.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from turnwise.conversations.errors import SettingError
from turnwise.conversations.store import Store
from turnwise.conversations.words import percent, percent_range
from turnwise.engine.metrics.metric_names import near_name, same_name
from turnwise.engine.people.assigning import assign
from turnwise.engine.people.opinions import people_verdicts
from turnwise.engine.people.queues import QueuePlan, choose, scored_metrics
from turnwise.engine.people.statistics.watched_rates import Design, Draw, WatchedRate, watched_rate

if TYPE_CHECKING:
    from turnwise.conversations.store import QueueRow
    from turnwise.engine.novelty.novel_sessions import Told

USUAL_WITHIN = 0.05
MOST_STRATA = 6
"""Scores of more different values are divided into so many strata of about as many sessions each."""
NO_LIMIT = 2**62
"""The size of a queue that draws as many sessions as its rate needs."""
AHEAD = 2
"""So many sessions of a queue wait at a time: one is read, and it is known which comes after it."""


def make_queue(
    store: Store,
    name: str,
    plan: QueuePlan,
    among: Sequence[int] | None = None,
    *,
    people: Sequence[str] = (),
    each: int = 1,
    within: float = USUAL_WITHIN,
    told: Told = lambda done, of: None,
) -> int:
    """Choose sessions by a plan, keep them as a queue and return its number.

    among, told: as in `choose`. people, each: who labels, as in `assign`. within: of `next`, how wide the
    interval of the rate may be to either side, above 0 and up to 0.5; once it is that narrow, no more are
    drawn.

    Of `next` a metric without scores, or none, means that all sessions are alike: they are drawn at random.

    Raises SettingError where nothing can be chosen, the name is taken, or a setting means nothing.
    """
    chosen = choose(store, plan if plan.sampler != "next" else replace(plan, size=NO_LIMIT), among, told=told)
    if plan.sampler != "next":
        assigned = assign(chosen, people, each) if people else {}
        return store.queues.add(
            name, chosen, sampler=plan.sampler, settings=plan.settings(), assigned=assigned
        )
    if people or plan.by:
        raise SettingError(
            "A queue that draws as it goes is for whoever comes, and of no groups",
            next_step="Leave --for and --by out, or take another sample.",
        )
    if not 0 < within <= 0.5:
        raise SettingError(
            "An interval is at least a little wide, and at most 50 % to either side",
            detail=f"Given: {100 * within:g}",
            next_step="5 is usual.",
        )
    scores, metric = _scores(store, plan.metric)
    strata = strata_of(chosen, scores)
    sizes = [0] * (max(strata.values()) + 1)
    for stratum in strata.values():
        sizes[stratum] += 1
    chances = Design(tuple(sizes), within).chances(())
    first = random.Random(plan.seed).choice(sorted(chosen))
    kept = {
        **plan.settings(),
        "metric": metric,
        "size": min(plan.size, len(chosen)),
        "within": within,
        "of": len(chosen),
        "judged": sum(session in scores for session in chosen),
    }
    with store.writing():
        number = store.queues.add(name, [first], sampler="next", settings=kept)
        store.draws.begin(number, strata, first, chances)
    draw_ahead(store, store.queues.get(number))
    return number


def _scores(store: Store, named: str) -> tuple[dict[int, float], str]:
    """Return the scores of a metric by session, and its name; none where it has none, or none is named."""
    if not named:
        return {}, ""
    metrics = store.sessions.metrics()
    if same_name(named, metrics) is None and near_name(named, metrics) is None:
        return {}, named
    [metric] = scored_metrics(store, named)
    return {one.session_id: one.score for one in store.queues.scores([metric])}, metric


def strata_of(sessions: Sequence[int], scores: Mapping[int, float]) -> dict[int, int]:
    """Return the stratum of each session, from 0: those of about the same score, lowest first.

    Those without a score are a stratum of their own, the last.
    """
    scored = sorted(scores[one] for one in sessions if one in scores)
    values = sorted(set(scored))
    if len(values) > MOST_STRATA:
        values = sorted({scored[place * len(scored) // MOST_STRATA] for place in range(MOST_STRATA)})
    number = {one: bisect_right(values, scores[one]) for one in sessions if one in scores}
    used = sorted(set(number.values()))
    return {one: used.index(number[one]) if one in number else len(used) for one in sessions}


def draw_ahead(store: Store, queue: QueueRow) -> None:
    """Draw what a queue lacks, so that two of its sessions wait for a label; nothing for other queues.

    Nothing more is drawn once the interval is as narrow as was asked for, or the queue has its size. Takes
    some tens of milliseconds: call it from a thread.
    """
    if queue.sampler != "next" or _next_draw(store, queue) is None:
        return
    # Asked again where nobody else draws: who looks at the same time would draw for the same label, too.
    with store.writing():
        while (draw := _next_draw(store, queue)) and store.draws.draw(queue.id, *draw):
            pass


def _next_draw(store: Store, queue: QueueRow) -> tuple[int, int, list[float], int] | None:
    """Return what a queue is to draw now; None where enough of its sessions wait, or it needs no more.

    That is the stratum, the number in it from 0, the chances of all strata, and the place in the queue.
    """
    if sum(not item.done and not item.put_off for item in store.queues.items(queue.id)) >= AHEAD:
        return None
    drawn = store.draws.drawn(queue.id)
    design = Design(store.draws.sizes(queue.id), float(queue.settings["within"]))
    draws = _draws(store, queue)
    full = len(drawn) >= min(design.total, int(queue.settings["size"]))
    if full or watched_rate(design, _told(draws)).more == 0:
        return None
    chances = list(design.chances(draws))
    left = list(design.sizes)
    for one in drawn:
        left[one.stratum] -= 1
    # A generator of its own for each place: what is drawn does not hang on when somebody asks.
    dice = random.Random(f"{queue.settings['seed']} {len(drawn)}")
    weights = [count * chance for count, chance in zip(left, chances, strict=True)]
    [stratum] = dice.choices(range(len(left)), weights)
    return stratum, dice.randrange(left[stratum]), chances, len(drawn) + 1


def rate_of(store: Store, queue: QueueRow) -> WatchedRate | None:
    """Return the rate at which people pass the sessions of a queue that draws; None for other queues.

    It is the rate of all sessions that may be drawn. Takes some tens of milliseconds.
    """
    if queue.sampler != "next":
        return None
    design = Design(store.draws.sizes(queue.id), float(queue.settings["within"]))
    return watched_rate(design, _told(_draws(store, queue)))


def _draws(store: Store, queue: QueueRow) -> list[Draw]:
    verdicts = people_verdicts(store, str(queue.settings.get("metric", "")), queue=queue.id)
    return [
        Draw(one.stratum, one.chances, verdicts.get(one.session_id)) for one in store.draws.drawn(queue.id)
    ]


def _told(draws: Sequence[Draw]) -> list[Draw]:
    """Return the draws up to the last one of which people say something."""
    last = max((place for place, one in enumerate(draws, 1) if one.passed is not None), default=0)
    return list(draws[:last])


def rate_words(rate: WatchedRate) -> str:
    """Say the rate, its interval, and how many labels it still needs."""
    within = f"±{100 * rate.within:g}"
    count = f"about {rate.more:,} more labels" if rate.more > 1 else "about one more label"
    more = f"{count} for {within}" if rate.more else f"{within} is reached"
    if rate.value is None:
        return f"pass rate by people: no label yet; {more}"
    undecided = f"; {rate.undecided:,} undecided count against both ends" if rate.undecided else ""
    interval = percent_range(rate.low, rate.high)
    return f"pass rate by people {percent(rate.value)}, {interval} at any time you look{undecided}; {more}"


def more_drawn_words(queue: QueueRow) -> str:
    """Say that a queue draws on once labels are there, for who hands it out; empty for other queues."""
    if queue.sampler != "next":
        return ""
    return (
        "These are the sessions drawn so far: whom to label next is drawn once their labels are back. Bring "
        "them in and hand the queue out again, or hand out a queue that is chosen at once, such as `random`."
    )


def drawn_words(queue: QueueRow) -> str:
    """Say of how many sessions the rate of a queue that draws is, and what guides the drawing."""
    of, judged = int(queue.settings["of"]), int(queue.settings["judged"])
    metric = str(queue.settings.get("metric", "")).replace("_", " ")
    if not judged:
        why = f"none has a score of {metric}" if metric else "no metric was named"
        return f"of {of:,} sessions, at random: {why}"
    without = f"; {of - judged:,} have none" if judged < of else ""
    return f"of {of:,} sessions, by their scores of {metric}{without}"
