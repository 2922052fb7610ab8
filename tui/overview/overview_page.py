"""The overview as one page of HTML, to look at and pass on: bars, and every figure beside them.

It needs nothing beside it and no script. Nothing of a conversation or a name reaches it but as text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from pathlib import Path

from turnwise.conversations.errors import SettingError
from turnwise.conversations.exports import page_head
from turnwise.conversations.safe_text import make_safe_line
from turnwise.engine.overview import Overview
from turnwise.engine.people.mode_occurrences import ModeInWords
from turnwise.tui.drawing.bars import share_with_interval
from turnwise.tui.failure_modes.mode_words import interval
from turnwise.tui.overview.overview_words import (
    AGAINST_PEOPLE,
    AS_TO_METRIC,
    NEWEST_COUNTS,
    break_interval,
    cost_told,
    doubted_words,
    few_words,
    grouped_words,
    has_groups,
    in_short,
    is_over_runs,
    judged_in_order,
    kappa_words,
    left_words,
    metric_words,
    missed_words,
    otherwise_words,
    part_of_words,
    runs_in_order,
    sessions_words,
    share_broken,
    span_words,
)

_MOST_TURNS = 40
_MOST_DAYS = 60
STYLE = """
.short {
  display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .35rem 1.25rem; margin: 1.5rem 0;
}
.short dt { font-weight: 600; }
.overview { width: 100%; border-collapse: collapse; margin: .5rem 0 2.5rem; font-size: .9375rem; }
.overview caption { text-align: left; font-weight: 600; font-size: 1.125rem; padding: 0 0 .5rem; }
.overview th { text-align: left; font-weight: 400; }
.overview tbody th { width: 28%; }
.overview thead th { color: var(--muted); font-size: .8125rem; overflow-wrap: normal; }
.overview th, .overview td { padding: .3rem .75rem .3rem 0; border-top: 1px solid var(--line); }
.overview .figure { font-variant-numeric: tabular-nums; white-space: nowrap; }
.overview .drawn { width: 34%; }
.rate { position: relative; height: .8rem; background: var(--surface); border-radius: 2px; }
.rate i { position: absolute; inset: 0 auto 0 0; background: var(--pass); border-radius: 2px; }
.rate.fails i { background: var(--fail); }
.rate b { position: absolute; top: 35%; height: 30%; background: var(--text); opacity: .55; }
.columns { display: flex; align-items: flex-end; gap: 2px; height: 1.6rem; width: 7rem; }
.columns i { flex: 1; background: var(--muted); min-height: 1px; }
.below { margin: -2rem 0 2.5rem; }
.shown { margin: 0 0 2rem; }
.shown h2 { font-size: 1rem; font-weight: 600; margin: 0 0 .25rem; }
.shown blockquote { margin: .75rem 0 .15rem; padding: 0 0 0 .75rem; border-left: 3px solid var(--fail); }
@media print {
  .rate i, .rate b, .columns i { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
"""


def write_page(pieces: Iterable[str], path: Path) -> None:
    """Write a page to a file. Raises SettingError where it cannot be written."""
    try:
        path.write_text("".join(pieces), encoding="utf-8")
    except OSError as error:
        raise SettingError(
            "The page cannot be written",
            detail=f"{path}: {error.strerror}",
            next_step="Name a file in a folder that is there and can be written.",
        ) from error


def page_pieces(found: Overview, made_of: str, modes: Sequence[ModeInWords] = ()) -> Iterator[str]:
    """Yield the page piece by piece.

    made_of: what it is of, and when it was made. modes: of its sessions, with what was said where they show.
    """
    title = "Overview"
    yield page_head(title, style=STYLE)
    yield f"<h1>{title}</h1>\n"
    yield f'<p class="quiet">{_line(made_of)}</p>\n'
    yield from overview_pieces(found, modes=modes)
    yield "</body>\n</html>\n"


def overview_pieces(found: Overview, query: str = "", modes: Sequence[ModeInWords] = ()) -> Iterator[str]:
    """Yield what stands on the page, without its head and end, as for another page that begins with it."""
    about = f" · {_line(query)}" if query else ""
    yield f'<p class="quiet">{_line(sessions_words(found))}{about}</p>\n'
    yield '<dl class="short">\n'
    for words in in_short(found):
        yield f"<dt>{_line(words.about)}</dt><dd>{_line(words.said)}</dd>\n"
    yield "</dl>\n"
    yield from _metrics(found)
    yield from _turns(found)
    yield from _modes(found)
    yield from _in_words(modes)
    yield from _labels(found)
    yield from _judged(found)
    yield from _runs(found)
    yield from _costs(found)


def _metrics(found: Overview) -> Iterator[str]:
    if not found.rates:
        return
    yield _table(
        f"Metrics{_over_runs(found)}, worst first",
        "metric",
        "passes",
        "rate (interval)",
        "scores",
        "0 to 1",
        "left to do",
    )
    for one in found.rates:
        ends = one.interval
        if one.rate is None or ends is None:
            yield _row(_line(metric_words(one.tally.metric)), "", "no scores", "", "", left_words(one, found))
            continue
        yield _row(
            _line(metric_words(one.tally.metric)),
            _bar(one.rate, ends),
            share_with_interval(one.rate, ends),
            f"{one.tally.scores:,}",
            _columns(one.tally.histogram),
            left_words(one, found),
        )
    yield _END
    for told in (NEWEST_COUNTS if is_over_runs(found) else "", doubted_words(found)):
        yield f'<p class="quiet below">{_line(told)}</p>\n' if told else ""


def _over_runs(found: Overview) -> str:
    return " over all runs" if is_over_runs(found) else ""


def _turns(found: Overview) -> Iterator[str]:
    broken = [one for one in found.turns if one.failed]
    if not broken:
        return
    worst = sorted(broken, key=lambda one: (-one.failed, one.turn))[:_MOST_TURNS]
    yield _table(
        f"Where sessions break{_over_runs(found)}",
        "turn",
        "sessions in which a metric fails there",
        "rate (interval)",
        "sessions",
    )
    for one in sorted(worst, key=lambda one: one.turn):
        share, ends = share_broken(one), break_interval(one)
        yield _row(
            f"{one.turn:,}",
            _bar(share, ends, fails=True),
            "–" if ends is None else share_with_interval(share, ends),
            f"{one.failed:,} of {one.sessions:,}",
        )
    yield _END


def _modes(found: Overview) -> Iterator[str]:
    if not found.modes:
        return
    yield _table(
        f"Failure modes{escape(grouped_words(found))}{_over_runs(found)}",
        "failure mode",
        "of the sessions that people reviewed",
        "rate (interval)",
        "sessions",
    )
    grouped = has_groups(found)
    for mode in found.modes:
        group = f' <span class="quiet">{_line(mode.group or "(none)")}</span>' if grouped else ""
        ends = interval(mode) or (0.0, 1.0)
        yield _row(
            _line(mode.name) + group,
            _bar(mode.share, ends, fails=True),
            share_with_interval(mode.share, ends),
            f"{mode.sessions:,} of {mode.reviewed:,}",
        )
    yield _END


def _in_words(modes: Sequence[ModeInWords]) -> Iterator[str]:
    for mode in modes:
        yield f'<section class="shown">\n<h2 dir="auto">{_line(mode.name)}</h2>\n'
        if mode.definition:
            yield f'<p class="quiet" dir="auto">{_line(mode.definition)}</p>\n'
        for one in mode.occurrences:
            yield f'<blockquote dir="auto">{_line(one.said)}</blockquote>\n' if one.said else ""
            at = f", turn {one.turn:,}" if one.turn else ""
            noted = f" · {_line(one.author)} noted: {_line(one.note)}" if one.note else ""
            about = f"session {one.session_id}{at}: {_line(one.session)}{noted}"
            yield f'<p class="quiet" dir="auto">{about}</p>\n'
        yield "</section>\n"


def _labels(found: Overview) -> Iterator[str]:
    if found.unlabelled == found.sessions and not found.queues:
        return
    yield _table("Labels", "of", "labelled", "", "left")
    given = found.sessions - found.unlabelled
    whole = [("all of these", given, found.sessions)]
    if found.labels_by_day:
        days = found.labels_by_day[-_MOST_DAYS:]
        span = span_words([day for day, _ in days])
        drawn = _columns(tuple(count for _, count in days), "sessions labelled by day")
        yield _row("by day", drawn, span, "")
    for name, done, count in [*whole, *((f"queue {one.name}", one.done, one.count) for one in found.queues)]:
        share = done / count if count else 0.0
        yield _row(_line(name), _bar(share), f"{done:,} of {count:,}", f"{count - done:,}")
    yield _END


def _judged(found: Overview) -> Iterator[str]:
    if not found.judged:
        return
    yield _table(
        "; ".join(
            part
            for part in (
                f"{AGAINST_PEOPLE}: {AS_TO_METRIC}",
                otherwise_words(found),
                few_words(found),
                missed_words(found),
            )
            if part
        ),
        "metric",
        "caught of those people failed",
        "passed of those people passed",
        "kappa",
        "labels",
    )
    for one in judged_in_order(found):
        yield _row(
            _line(metric_words(one.metric)),
            part_of_words(one.matrix.true_fail, one.matrix.people_failed),
            part_of_words(one.matrix.true_pass, one.matrix.people_passed),
            kappa_words(one),
            f"{one.matrix.total:,}",
        )
    yield _END


def _runs(found: Overview) -> Iterator[str]:
    if not found.runs:
        return
    yield _table("Runs", "metric and run", "passes", "rate (interval)", "scores")
    for one in runs_in_order(found):
        yield _row(
            f'{_line(metric_words(one.metric))} <span class="quiet">{one.run} {_line(one.name)}</span>',
            _bar(one.rate, one.interval),
            share_with_interval(one.rate, one.interval),
            f"{one.scores:,}",
        )
    yield _END


def _costs(found: Overview) -> Iterator[str]:
    if not found.costs:
        return
    yield _table("What judging cost", "run", "", "US dollars", "scores of a judge")
    most = max(one.spent.cost or 0.0 for one in found.costs) or 1.0
    yield _row("all runs", "", cost_told(found.cost, found.unpriced), "")
    for one in found.costs:
        spent = one.spent
        yield _row(
            f'<span class="quiet">{spent.run}</span> {_line(one.name)}',
            "" if spent.cost is None else _bar(spent.cost / most),
            cost_told(spent.cost, spent.unpriced),
            f"{spent.scores:,}",
        )
    yield _END


_END = "</tbody>\n</table>\n"


def _table(caption: str, *heads: str) -> str:
    cells = "".join(f"<th>{head}</th>" for head in heads)
    return (
        f'<table class="overview">\n<caption>{caption}</caption>\n<thead><tr>{cells}</tr></thead>\n<tbody>\n'
    )


def _row(name: str, drawn: str, *figures: str) -> str:
    cells = "".join(f'<td class="figure">{figure}</td>' for figure in figures)
    return f'<tr><th dir="auto">{name}</th><td class="drawn figure">{drawn}</td>{cells}</tr>\n'


def _bar(share: float, ends: tuple[float, float] | None = None, *, fails: bool = False) -> str:
    spread = ""
    if ends is not None:
        spread = f'<b style="left:{_width(ends[0])};width:{_width(ends[1] - ends[0])}"></b>'
    kind = "rate fails" if fails else "rate"
    return f'<div class="{kind}"><i style="width:{_width(share)}"></i>{spread}</div>'


def _columns(counts: tuple[int, ...], what: str = "scores from 0 to 1") -> str:
    most = max(counts, default=0) or 1
    drawn = "".join(f'<i style="height:{_width(count / most)}"></i>' for count in counts)
    told = ", ".join(f"{count:,}" for count in counts)
    return f'<div class="columns" role="img" aria-label="{what}: {told}">{drawn}</div>'


def _width(share: float) -> str:
    return f"{100 * min(max(share, 0.0), 1.0):.1f}%"


def _line(text: str) -> str:
    return escape(make_safe_line(text))
