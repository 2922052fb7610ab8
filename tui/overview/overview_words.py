"""The words of the overview: what is wrong with a chatbot, and how sure one can be, in a few plain lines.

They stand above all bars, for whoever reads nothing else.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from math import nan
from pathlib import Path

from turnwise.conversations.marks import LabelWord
from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.store import ModeRate, TurnTally, cost_words
from turnwise.conversations.words import counted, percent, percent_range
from turnwise.engine.overview import Overview, PassRate, RunRate
from turnwise.engine.people.labelled_scores import MeasuredInShort
from turnwise.engine.people.statistics.intervals import share_interval
from turnwise.tui.agreement.agreement_words import (
    DASH,
    FEW_WORDS,
    doubt_words,
    failed_words,
    kappa_told,
    range_words,
    replaced_words,
    rests_on_few,
    whole_fails_words,
)
from turnwise.tui.failure_modes.mode_words import alone_words, interval, metric_query, mode_query

AGAINST_PEOPLE = "Metrics against people"
AS_TO_METRIC = (
    "labels of the metric, or else of the whole session; left out are "
    "sessions that it did not score, or on which people are split as to it"
)
"""Why what people passed and failed is of other totals beside each metric than over all sessions."""
META = "meta."
"""Before a key of the metadata, where groups are asked for."""
LEAST_SHARED = 10
"""Labels from which on their shares are told."""
ENOUGH_LABELS = 20
"""With fewer labels nobody knows how far a judge can be trusted."""


@dataclass(frozen=True, slots=True)
class ShortWords:
    """One answer: the question in a word or two, what is said to it, and the sessions that it is about."""

    about: str
    said: str
    query: str = ""


def in_short(found: Overview) -> Iterator[ShortWords]:
    """Yield the worst metric, where conversations break, the most frequent failure mode, how sure it is, and
    what to do next.

    Where another metric is the weakest of the newest run, what its sessions tell comes first: what an earlier
    version of a chatbot did wrong may be mended. What is not read yet is left out.
    """
    scored = [one for one in found.rates if one.rate is not None]
    now = _weakest_now(found, scored[0]) if scored else None
    newest = found.newest if now is not None else None
    where = f" in run {newest.run}" if newest is not None else ""
    among = f"run:{newest.run} " if newest is not None else ""
    turns = newest.turns if newest is not None else found.turns
    modes = newest.modes if newest is not None and newest.modes else found.modes
    of_newest = newest is not None and modes is newest.modes
    if scored and now is not None:
        yield _weakest_of_run(found, now)
        yield _weakest_of_all(scored[0], found, now)
    elif scored:
        yield _weakest(scored[0], found)
    if scored:
        yield from _break(turns, where, among, found.turns if newest is not None else ())
    if modes and modes[0].sessions:
        if of_newest:
            yield _most_frequent(modes, where, among, _of_all_words(found, modes[0]))
        else:
            yield _most_frequent(modes, " over all runs" if is_over_runs(found) else "", "")
    if scored or found.labels:
        metric = now.metric if now is not None else scored[0].tally.metric if scored else ""
        yield _sureness(found, metric)
    if not found.unread:
        yield from _next(found, modes, among if of_newest else "")
    for metric, counts in found.replaced.items():
        yield ShortWords("Other model", f"{metric_words(metric)}: {replaced_words(counts)}")


def made_of(database: Path, query: str, day: date) -> str:
    """Say what a report is of, and when it was made: "demo.db, tag:billing, 18 May 2026"."""
    parts = [database.name, query, f"{day.day} {day:%B %Y}"]
    return make_safe_line(", ".join(part for part in parts if part))


def sessions_words(found: Overview) -> str:
    """Say how many sessions there are, how they are labelled, and what judging them cost."""
    parts = [counted(found.sessions, "session")]
    if labelled := found.labelled:
        words: tuple[LabelWord, ...] = ("pass", "fail")
        told = [_labelled_words(found, word, labelled) for word in words if found.labels.get(word)]
        if found.disputed:
            told.append(f"{found.disputed:,} disputed")
        parts.append(f"{labelled:,} labelled: {', '.join(told)}")
    elif found.sessions:
        parts.append("none labelled")
    if deferred := found.labels.get("defer", 0):
        parts.append(f"{deferred:,} deferred")
    if found.cost is not None:
        parts.append(f"judging cost {cost_told(found.cost, found.unpriced)}")
    return " · ".join(parts)


def _labelled_words(found: Overview, word: LabelWord, labelled: int) -> str:
    """Say how many sessions have a label, and of many which share of those that people read."""
    count = found.labels[word]
    return f"{count:,} {word}" + (f" ({percent(count / labelled)})" if labelled >= LEAST_SHARED else "")


def cost_told(cost: float | None, unpriced: int) -> str:
    """Say what judging cost; what came from judges of unknown price is told apart.

    cost: in US dollars; None where no price is known. unpriced: scores of unknown price.
    """
    if cost is None:
        return f"not known for {counted(unpriced, 'score')}"
    more = f", and {counted(unpriced, 'score')} of unknown price" if unpriced else ""
    return f"{cost_words(cost)}{more}"


def span_words(days: Sequence[str], *, in_short: bool = False) -> str:
    """Say from which day to which: "18 May to 25 May 2026". days: as 2026-05-18, in order.

    in_short: without the year where it is one.
    """
    first, last = (date.fromisoformat(day) for day in (days[0], days[-1]))
    until = f"{last:%d %b}" if in_short and first.year == last.year else f"{last:%d %b %Y}"
    if first == last:
        return until
    return f"{first:%d %b}{'' if first.year == last.year else f' {first.year}'} to {until}"


def metric_words(metric: str) -> str:
    """Return a metric's name as it is read."""
    return make_safe_line(metric.replace("_", " "))


def left_words(one: PassRate, found: Overview) -> str:
    """Say what is left to do for a metric: to judge, to try again, to label; nothing where all is done.

    What people labelled is told once it was read.
    """
    tally = one.tally
    parts = [f"{count:,} not scored" for count in (one.unjudged(found.sessions),) if count]
    parts += [f"{tally.failures:,} not judged"] if tally.failures else []
    parts += [f"{tally.skipped:,} skipped"] if tally.skipped else []
    if one.unlabelled and found.labelled and not found.unread:
        parts.append(f"{one.unlabelled:,} scored without a label")
    return ", ".join(parts)


def left_in_all(found: Overview) -> ShortWords | None:
    """Say in one line what the metrics have left out, and lead to what most is left of; None for nothing."""
    unscored = [(one.unjudged(found.sessions), one.tally.metric) for one in found.rates]
    most, metric = max(unscored, key=lambda one: one[0], default=(0, ""))
    failed, skipped = (
        [(getattr(one.tally, name), one.tally.metric) for one in found.rates if getattr(one.tally, name)]
        for name in ("failures", "skipped")
    )
    told = (("not judged", failed), ("skipped", skipped))
    parts = [f"{word}: {_by_metrics(counts)}" for word, counts in told if counts]
    if most:
        lacking = [count for count, _ in unscored if count]
        up_to = "" if min(lacking) == most else "up to "
        by = f"by {len(lacking):,} of {counted(len(unscored), 'metric')}"
        parts.insert(0, f"not scored yet: {up_to}{counted(most, 'session')} {by}")
    if not parts:
        return None
    return ShortWords("", " · ".join(parts), metric_query(metric, "none") if most else "")


def _by_metrics(counts: Sequence[tuple[int, str]]) -> str:
    """Say how many outcomes there are, and of which metric or of how many: "4 by warmth"."""
    by = metric_words(counts[0][1]) if len(counts) == 1 else f"{len(counts):,} metrics"
    return f"{sum(count for count, _ in counts):,} by {by}"


def caught_words(one: MeasuredInShort) -> str:
    """Say what a metric catches of what people failed: "warmth caught 7 of 9 that people failed"."""
    name = metric_words(one.metric)
    if not one.matrix.people_failed:
        return f"they failed none of those that {name} scored"
    return f"{name} {failed_words(one.matrix, 'people')}"


def part_of_words(part: int, whole: int) -> str:
    """Say how many of how many, and where their share lies: "9 of 10 (55 to 100 %)"; a dash of none.

    Of too few labels it says so, as Agreement does.
    """
    return f"{part:,} of {whole:,} ({range_words(part, whole)})" if whole else DASH


def kappa_words(one: MeasuredInShort) -> str:
    """Return a metric's kappa as Agreement lists it: "0.82", "1.00?" of too few labels, – for none."""
    return kappa_told(_kappa_of(one), one.matrix)


def has_few(one: MeasuredInShort) -> bool:
    """Whether a metric's kappa bears the mark of too few labels."""
    return rests_on_few(_kappa_of(one), one.matrix)


NEWEST_COUNTS = "of each session a metric's newest score counts, whichever run it is of"
"""Said where metrics stand over several runs: in these together there are more scores."""


def few_words(found: Overview) -> str:
    """Say what the mark behind a kappa means; empty where none has it."""
    return FEW_WORDS if any(map(has_few, found.judged)) else ""


def _kappa_of(one: MeasuredInShort) -> float:
    return nan if one.kappa.value is None else one.kappa.value


def is_over_runs(found: Overview) -> bool:
    """Whether what is told of all sessions is of several runs, and nobody asked for those of one."""
    return not found.of_run and len({one.run for one in found.runs}) > 1


def has_groups(found: Overview) -> bool:
    """Whether failure modes are of several groups; of one alone each row would say the same."""
    return found.by is not None and len({mode.group for mode in found.modes}) > 1


def grouped_words(found: Overview) -> str:
    """Say by what failure modes are counted, and where that is one group alone: ", by role, all of one"."""
    if found.by is None:
        return ""
    alone = f", {alone_words(found.modes[0].group)}" if found.modes and not has_groups(found) else ""
    return f", by {make_safe_line(found.by.removeprefix(META))}{alone}"


def judged_in_order(found: Overview) -> list[MeasuredInShort]:
    """Return what metrics say beside people, in the order in which the first table has the metrics."""
    places = _places(found)
    return sorted(found.judged, key=lambda one: places[one.metric])


def runs_in_order(found: Overview) -> list[RunRate]:
    """Return how metrics came out in runs, in the same order, those of each by run."""
    places = _places(found)
    return sorted(found.runs, key=lambda one: (places[one.metric], one.metric, one.run))


def _places(found: Overview) -> Mapping[str, int]:
    """Return where each metric stands in the first table, which all others follow; others come last."""
    places = {one.tally.metric: place for place, one in enumerate(found.rates)}
    return defaultdict(lambda: len(places), places)


def doubted(found: Overview) -> list[str]:
    """Return the metrics whose figures are to be doubted, as they hardly agree with people's labels."""
    return [one.metric for one in found.judged if one.is_doubted]


def missed_words(found: Overview) -> str:
    """Say of how much of what metrics missed no label names the metric; empty where all are named."""
    whole = sum(one.whole_misses for one in found.judged)
    if not whole:
        return ""
    missed = sum(one.matrix.false_pass for one in found.judged)
    return whole_fails_words(whole, missed, "that metrics missed")


def otherwise_words(found: Overview) -> str:
    """Say that what people pass as to a metric need not pass as a whole; empty where all of it does."""
    most = max((one.failed_otherwise for one in found.judged), default=0)
    if not most:
        return ""
    return f"among people's ✓ are sessions that failed for another reason: up to {most:,} of a metric"


def doubted_words(found: Overview) -> str:
    """Say which metrics' figures are to be doubted; empty for none."""
    names = ", ".join(map(metric_words, doubted(found)))
    return f"to be doubted, as they hardly agree with people: {names}" if names else ""


def _weakest(one: PassRate, found: Overview) -> ShortWords:
    name, of = metric_words(one.tally.metric), counted(one.tally.scores, "session")
    if one.tally.passed == one.tally.scores:
        return ShortWords("Weakest", f"No metric fails anywhere: {name} passes all of {of}.")
    low, high = one.interval or (0.0, 1.0)
    told = f"{name} passes {percent(one.rate or 0.0)} of {of}"
    wide = f" ({percent_range(low, high)})" if high - low > 0.02 else ""
    over = ", over all runs" if is_over_runs(found) else ""
    return _lowest(f"{told}{wide}{over}.", found, one.tally.metric, metric_query(one.tally.metric, "fail"))


def _lowest(told: str, found: Overview, metric: str, query: str) -> ShortWords:
    """Return what passes least as the weakest, or with a word of doubt where it hardly agrees with people."""
    if not (doubt := _doubt_words(found, metric)):
        return ShortWords("Weakest", told, query)
    return ShortWords("Lowest", f"{told} {doubt}", query)


def _doubt_words(found: Overview, metric: str) -> str:
    why = next((doubt_words(one) for one in found.judged if one.metric == metric), "")
    return f"Doubt this figure, as {why}." if why else ""


def _weakest_now(found: Overview, worst: PassRate) -> RunRate | None:
    """Return the weakest metric of the newest run to compare, where it is another than the weakest of all.

    Only a run that judged by the weakest metric of all too tells that another is weaker now.
    """
    name = worst.tally.metric
    runs = {one.run for one in found.runs if one.metric == name}
    newest = found.newest.run if found.newest is not None else max((one.run for one in found.runs), default=0)
    if found.of_run or len(runs) < 2 or newest not in runs:
        return None
    weakest = min((one for one in found.runs if one.run == newest), key=lambda one: (one.rate, one.metric))
    return weakest if weakest.metric != name and weakest.passed < weakest.scores else None


def _weakest_of_run(found: Overview, now: RunRate) -> ShortWords:
    told = f"{metric_words(now.metric)} passes {percent(now.rate)} ({percent_range(*now.interval)})"
    query = f"run:{now.run} {metric_query(now.metric, 'fail')}"
    return _lowest(f"In run {now.run}, {_newest_words(found, now.run)}: {told}.", found, now.metric, query)


def _newest_words(found: Overview, run: int) -> str:
    """Say in which sense a run is the newest: later ones may be under way, or share no metric with others."""
    later = {one for one in found.ended if one > run}
    if not later:
        return "the newest"
    ended = {one for one in later if found.ended[one]}
    if not ended and found.ended.get(run):
        return "the newest that ended"
    if later.isdisjoint(one.run for one in found.runs):
        return "the newest with scores"
    pairs = ((one, before) for one in found.runs if one.run in ended for before in found.runs)
    if any(before.run < one.run and before.metric == one.metric for one, before in pairs):
        # What judged all sessions tells of no new version of the chatbot.
        return "the newest of some sessions only"
    return "the newest that can be compared"


def _weakest_of_all(worst: PassRate, found: Overview, now: RunRate) -> ShortWords:
    """Say what passes least in all runs together, as the table has it, and how it came out in the newest."""
    name = metric_words(worst.tally.metric)
    low, high = worst.interval or (0.0, 1.0)
    same = next(run for run in found.runs if (run.run, run.metric) == (now.run, worst.tally.metric))
    told = f"{percent(worst.rate or 0.0)} ({percent_range(low, high)}); {percent(same.rate)} in run {now.run}"
    said = f"Lowest: {name}, {told}."
    doubt = _doubt_words(found, worst.tally.metric)
    query = metric_query(worst.tally.metric, "fail")
    return ShortWords("All runs", f"{said} {doubt}".rstrip(), query)


def _break(
    turns: Sequence[TurnTally], where: str, among: str, of_all: Sequence[TurnTally] = ()
) -> Iterator[ShortWords]:
    """Say at which turn most break. of_all: those of all runs, which the chart shows, where these are of one.

    where, among: which sessions are meant, in words and as a query.
    """
    if (worst := _worst_turn(turns)) is None:
        return
    if worst.failed == 1 and sum(1 for one in turns if one.failed) > 1:
        yield ShortWords("Breaks", f"At no turn{where} more than one session.", "")
        return
    alike = [one.turn for one in turns if one.failed == worst.failed and one is not worst]
    said = _break_words(worst, alike, where)
    if (higher := _surely_higher(worst, turns)) is not None:
        said += f"; surely a higher share: turn {higher.turn:,}, {_broken_of(higher)}"
    if (most := _worst_turn(of_all)) is not None and most.turn != worst.turn and most.failed > 1:
        said += f"; over all runs at turn {most.turn:,}: {_share_broken_of(most)}"
    yield ShortWords("Breaks", f"{said}.", f"{among}{breaks_query(worst.turn)}")


def _surely_higher(worst: TurnTally, turns: Sequence[TurnTally]) -> TurnTally | None:
    """Return the turn of the highest share, where the least that it may be is above the most of another.

    A few sessions that get far make a high share by chance, which would read as a second worst turn.
    """
    most = (break_interval(worst) or (0.0, 1.0))[1]
    least = [(between[0], one) for one in turns if (between := break_interval(one)) is not None]
    low, higher = max(least, key=lambda pair: pair[0], default=(0.0, worst))
    return higher if low > most else None


def _worst_turn(turns: Sequence[TurnTally]) -> TurnTally | None:
    broken = [one for one in turns if one.failed]
    return max(broken, key=lambda one: (one.failed, -one.turn), default=None)


def share_broken(one: TurnTally) -> float:
    """Return which share of the sessions that get to a turn break there, 0 to 1; 0 where none get there."""
    return one.failed / one.sessions if one.sessions else 0.0


def _broken_of(one: TurnTally) -> str:
    """Say how many break at a turn of those that get there; after an edit fewer may get there than broke."""
    return f"{one.failed:,} of {one.sessions:,}" if one.failed <= one.sessions else f"{one.failed:,}"


def _share_broken_of(one: TurnTally, noun: str = "") -> str:
    """Say which share breaks at a turn: "50 % of 18"; how many, where after an edit none is known."""
    if break_interval(one) is None:
        return _broken_of(one)
    return f"{percent(share_broken(one))} of {counted(one.sessions, noun) if noun else f'{one.sessions:,}'}"


def _break_words(worst: TurnTally, alike: Sequence[int], where: str) -> str:
    """Say how many break at a turn, but for its full stop.

    where: among which sessions, if not all. alike: the turns at which as many break.
    """
    as_many = f"turn {alike[0]:,}" if len(alike) == 1 else f"{len(alike):,} others"
    also = f", as many as at {as_many}" if alike else ""
    between = break_interval(worst)
    # What people failed at a turn is not counted, which they would else look for.
    begin = f"{where.strip()} metrics fail most" if where else "metrics fail most"
    sure = f" ({percent_range(*between)})" if between is not None else ""
    told = f"{_share_broken_of(worst, '' if where else 'session')}{sure}"
    return f"{begin[0].upper()}{begin[1:]} at turn {worst.turn:,}{also}: {told}"


def break_interval(one: TurnTally) -> tuple[float, float] | None:
    """Return between which shares, of 0 to 1, sessions break at a turn.

    None where fewer sessions have that turn now than broke at it, as after an edit.
    """
    return share_interval(one.failed, one.sessions) if 0 < one.sessions >= one.failed else None


def breaks_query(turn: int) -> str:
    """Return the query of the sessions in which something is wrong at a turn."""
    return f"breaks:{turn}"


def _most_frequent(modes: Sequence[ModeRate], where: str, among: str, of_all: str = "") -> ShortWords:
    """Say what goes wrong most, and what does as often. of_all: in words, what does in all runs, where these
    are of one.
    """
    mode = modes[0]
    low, high = interval(mode) or (0.0, 1.0)
    of = f"{mode.reviewed:,}" if where else counted(mode.reviewed, "session")
    name, *others = dict.fromkeys(f"“{make_safe_line(one.name)}”" for one in _most(modes))
    alike = others[0] if len(others) == 1 else f"{len(others):,} others"
    told = f"{name} and {alike} most often{where}, each" if others else f"{name} most often{where}:"
    return ShortWords(
        "Goes wrong",
        f"{told} {percent(mode.share)} of {of} reviewed ({percent_range(low, high)}){of_all}.",
        f"{among}{mode_query(mode.name)}",
    )


def _most(modes: Sequence[ModeRate]) -> list[ModeRate]:
    """Return the modes that no other is more frequent than. modes: the most frequent first."""
    return [one for one in modes if (one.sessions, one.reviewed) == (modes[0].sessions, modes[0].reviewed)]


def _of_all_words(found: Overview, mode: ModeRate) -> str:
    """Say how often the most frequent failure mode occurs in all runs, where it is another than a run's."""
    most = found.modes[0]
    if not most.sessions or any(one.mode_id == mode.mode_id for one in _most(found.modes)):
        return ""
    return f"; over all runs “{make_safe_line(most.name)}”: {percent(most.share)} of {most.reviewed:,}"


def _perhaps_not_missed(one: MeasuredInShort) -> str:
    """Say what it passed that people failed without naming the metric, and what it caught without these.

    A fail, at whichever turn and with whichever failure mode, does not say which metrics should have seen it:
    both shares are told, as nobody said which of them holds.
    """
    missed, sure = one.matrix.false_pass, one.surely_meant
    which = f"{missed:,}" if one.whole_misses == missed else f"{one.whole_misses:,} of the {missed:,}"
    told = f"{which} that it passed perhaps failed for another reason"
    them = "it" if one.whole_misses == 1 else "them"
    if sure.people_failed:
        told = f"{told}: without {them} {part_of_words(sure.true_fail, sure.people_failed)}"
    # As the key is called there, which says that the metric is right of a session.
    return f"{told}; “is right” in Agreement settles {them}"


def _sureness(found: Overview, metric: str) -> ShortWords:
    """Say how many sessions people labelled, and how far a metric says what they say. metric: "" for none."""
    if not found.labelled:
        return ShortWords(
            "How sure",
            "Nobody has said yet whether the scores are right: label "
            f"{min(ENOUGH_LABELS, found.sessions):,} sessions pass or fail to find out.",
            "label:none",
        )
    told = f"People labelled {found.labelled:,} of {counted(found.sessions, 'session')}"
    if is_over_runs(found):
        told = f"{found.labelled:,} of all {found.sessions:,} are labelled"
    one = next((one for one in found.judged if one.metric == metric), None)
    if one is not None:
        told = f"{told}; {caught_words(one)}"
        if one.matrix.people_failed:
            told += f" ({range_words(one.matrix.true_fail, one.matrix.people_failed)})"
        if one.whole_misses:
            told += f"; {_perhaps_not_missed(one)}"
        if one.failed_otherwise:
            told += f"; {one.failed_otherwise:,} more failed for other reasons"
        if one.matrix.false_fail:
            # A judge that fails everything catches everything, and makes its metric the weakest of all.
            told += f"; it failed {one.matrix.false_fail:,} of {one.matrix.people_passed:,} that they passed"
    few = f" Fewer than {ENOUGH_LABELS} labels tell little." if found.labelled < ENOUGH_LABELS else ""
    return ShortWords("How sure", f"{told}.{few}", "label:none")


def _next(found: Overview, modes: Sequence[ModeRate], among: str) -> Iterator[ShortWords]:
    """Say what to do next: what makes the figures surer, and then what of the chatbot is to be mended first.

    Where nobody labelled anything, how sure it is says already that this comes first. modes, among: the
    failure modes to be mended, and the query of the sessions that they are of.
    """
    if not found.labelled:
        return
    steps: list[tuple[str, str]] = []
    waiting = next((queue for queue in found.queues if queue.done < queue.count), None)
    lacking = min(ENOUGH_LABELS - found.labelled, found.unlabelled)
    if waiting is not None:
        left, name = waiting.count - waiting.done, make_safe_line(waiting.name)
        steps.append((f"Label the {left:,} left in the queue “{name}”.", ""))
    elif lacking > 0:
        steps.append((f"Label {lacking:,} more.", "label:none"))
    if modes and modes[0].sessions:
        told = f"Mend “{make_safe_line(modes[0].name)}” in the chatbot and compare a new run."
        steps.append((told, f"{among}{mode_query(modes[0].name)}"))
    elif found.labels.get("fail"):
        told = "Give failure modes to what people failed, to see what goes wrong most often."
        steps.append((told, "label:fail"))
    for about, (told, query) in zip(("Next", "Then"), steps, strict=False):
        yield ShortWords(about, told, query)
