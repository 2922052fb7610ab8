"""Metric offers: the metrics that may be ticked, in groups, each with how many sessions it can judge."""

from __future__ import annotations

import inspect
import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from turnwise.conversations.errors import SettingError, TurnwiseError
from turnwise.tui.session_lists.ids_when_asked import IdsWhenAsked

if TYPE_CHECKING:
    from turnwise.conversations.store import Store
    from turnwise.engine.metrics.metric import Metric

USUAL_METRICS = ("role_adherence", "answer_relevancy")
"""Ticked where nobody chose before, and a judge is to be had."""
USUAL_CHECKS = ("repetition", "unresolved_cues")
"""Ticked where nobody chose before, and there is to be no judge."""
LOOKED_AT = 200
"""So many sessions are looked at to find out what a metric can judge."""
SECONDS_TO_LOOK = 0.5
"""And for no longer than that: somebody waits for the list."""
CRITERIA, WHOLE, REPLIES = "Your criteria", "Whole conversations", "Replies"
CHECKS = "Checks, without a judge"
NOT_HERE = "Not for these sessions"
GROUPS = (CRITERIA, WHOLE, REPLIES, CHECKS, NOT_HERE)
_LACKS = "the case has no "
_ROLE, _ROLE_WAY = "chatbot role", "import again with a role"


@dataclass(frozen=True, slots=True)
class Offer:
    """A metric that may be ticked.

    about: what it asks, in one line. lacks: what none of the sessions that were looked at has, and how many
    those were; empty where it can judge some. of_all: whether those were all that are to be judged. scored:
    how many of these it scored before, by whichever judge, in words; empty where it scored none.
    """

    metric: Metric
    about: str
    is_criterion: bool = False
    lacks: str = ""
    of_all: bool = False
    scored: str = ""

    @property
    def name(self) -> str:
        """What identifies it."""
        return self.metric.name

    @property
    def title(self) -> str:
        """What it is called in a list."""
        return self.name.replace("_", " ")

    @property
    def group(self) -> str:
        """Under which heading it stands: one of GROUPS."""
        if self.lacks:
            return NOT_HERE
        if self.is_criterion:
            return CRITERIA
        if not self.metric.uses_judge:
            return CHECKS
        return WHOLE if self.metric.scope == "conversation" else REPLIES

    def is_barred(self, *, each_turn: bool) -> bool:
        """Whether it can score none of the sessions for certain. each_turn: whether every exchange is judged,
        of which the last one alone was looked at.
        """
        return bool(self.lacks) and self.of_all and not (each_turn and self.metric.scope == "exchange")

    @property
    def note(self) -> str:
        """What is said of it beside its name."""
        return self.note_below("")

    def note_below(self, heading: str) -> str:
        """Return what is said of it below a heading, of which one says that no judge is needed."""
        # What it lacks comes first: in a narrow window the end of the line is cut.
        is_told = self.metric.uses_judge or heading == CHECKS or self.lacks
        needs_none = "" if is_told else "needs no judge"
        return " · ".join(part for part in (self.scored, needs_none, self.lacks or self.about) if part)

    def matches(self, typed: str) -> bool:
        """Return whether all words that were typed stand in what is said of it."""
        kind = "" if self.metric.uses_judge else CHECKS
        said = f"{self.title} {self.note} {self.group} {kind}".casefold()
        return all(word in said for word in typed.casefold().split())


def usual_ticks(offers: Iterable[Offer], *, with_judge: bool) -> set[str]:
    """Return what is ticked where nobody chose before: of the usual ones those that can judge something."""
    usual = USUAL_METRICS if with_judge else USUAL_CHECKS
    return {offer.name for offer in offers if offer.name in usual and not offer.lacks}


def without_judged(offers: Iterable[Offer], names: Iterable[str]) -> set[str]:
    """Return those of so many names whose metrics need no judge."""
    chosen = set(names)
    return {offer.name for offer in offers if offer.name in chosen and not offer.metric.uses_judge}


def grouped(offers: Iterable[Offer], ticked: Iterable[str]) -> list[Offer]:
    """Return offers as they are listed: criteria of one's own, what else is ticked, then group by group.

    Each group is in its own order, but for the criteria, of which the ticked ones come first.
    """
    first = set(ticked)

    def place(one: Offer) -> tuple[int, bool]:
        if one.group == CRITERIA:
            return -2, one.name not in first
        return (-1, False) if one.name in first else (GROUPS.index(one.group), False)

    return sorted(offers, key=place)


def known_as(session_ids: Sequence[int]) -> Hashable:
    """Return what tells some sessions from others, without reading those of a list that has a name."""
    named = session_ids.known_as if isinstance(session_ids, IdsWhenAsked) else None
    return named or tuple(session_ids)


def looked_up(
    store: Store,
    session_ids: Sequence[int],
    offers: Sequence[Offer],
    *,
    stop: Callable[[], bool] = lambda: False,
) -> list[Offer]:
    """Say of each metric how many of the sessions it scored before, and of one that can judge none of them
    what they lack, for which a few hundred are looked at.

    stop: asked between two sessions whether nobody waits for it any longer.
    """
    from turnwise.engine.metrics.subject import Subject

    # One that can judge a session is done with: most are after the first.
    lacking: dict[str, Counter[str]] = {offer.name: Counter() for offer in offers}
    metrics = {offer.name: offer.metric for offer in offers}
    usual = next((one for one in metrics.values() if _judges_last(one)), None)
    looked, began = 0, time.monotonic()
    for session_id in session_ids[:LOOKED_AT]:
        if not lacking or stop() or time.monotonic() - began > SECONDS_TO_LOOK:
            break
        with suppress(TurnwiseError):
            whole = Subject.of(store.sessions.case(session_id))
            # The last exchange of ten thousand turns takes a while to find, and most metrics judge it.
            last = next(iter(usual.subjects(whole)), whole) if usual is not None else whole
            for name in list(lacking):
                metric = metrics[name]
                subject = last if _judges_last(metric) else next(iter(metric.subjects(whole)), whole)
                if reason := metric.lacks(subject):
                    lacking[name][reason] += 1
                else:
                    del lacking[name]
            looked += 1
    of_all = looked == len(session_ids)
    scored = {} if stop() else store.tallies.scored(session_ids)
    return [
        replace(
            one,
            lacks=_lacks_words(lacking.get(one.name, Counter()), looked),
            of_all=of_all,
            scored=_scored_words(scored.get(one.name, 0), len(session_ids)),
        )
        for one in offers
    ]


def _judges_last(metric: Metric) -> bool:
    """Return whether a metric judges the last exchange, as most do, and finds it as all do."""
    from turnwise.engine.metrics.metric import Metric

    return metric.scope == "exchange" and type(metric).subjects is Metric.subjects


def _scored_words(scored: int, sessions: int) -> str:
    """Say how many of the sessions were scored before; another judge or another text is asked anew."""
    if not scored:
        return ""
    if sessions == 1:
        return "scored before"
    return f"{f'all {scored:,}' if scored == sessions else f'{scored:,} of {sessions:,}'} scored before"


def _lacks_words(reasons: Counter[str], looked: int) -> str:
    """Say what all of so many sessions lack, by the reason of most of them; empty where it is nothing."""
    if not looked or not reasons:
        return ""
    reason = reasons.most_common(1)[0][0]
    if reason.startswith(_LACKS):
        needed = reason.removeprefix(_LACKS).replace(" and no ", " and ").replace("_", " ")
        way = f"; {_ROLE_WAY}" if _ROLE in needed else ""
        return f"needs {needed}: 0 of {looked:,} have {'it' if looked == 1 else 'them'}{way}"
    return f"{reason}: so it is in {'it' if looked == 1 else f'all {looked:,}'}"


def metric_offers() -> list[Offer]:
    """Return the metrics that can be ticked as they are: checks first.

    One that means nothing without settings is for `turnwise score`, which takes them.
    """
    from turnwise.engine.metrics.registry import make_metric, metric_keys

    offers = []
    for key in metric_keys():
        with suppress(SettingError):
            metric = make_metric(key)
            offers.append(Offer(metric, _about(type(metric))))
    return sorted(offers, key=lambda offer: offer.metric.uses_judge)


def _about(kind: type[Metric]) -> str:
    line = (inspect.getdoc(kind) or "").splitlines()[0].rstrip(".")
    line = line.removeprefix("Whether ").removeprefix("Whether, ")
    # An acronym keeps its capitals.
    return line[:1].lower() + line[1:] if line[1:2].islower() else line


def learned_offers(store: Store) -> list[Offer]:
    """Return what was learned from labels in a database, by name; what cannot be read is left out."""
    from turnwise.engine.learning.learned_metric import metric_of

    offers = []
    for version in store.learned.standing():
        with suppress(SettingError):
            metric = metric_of(version)
            auc = f"AUC {metric.signal.measured.auc:.2f}"
            offers.append(Offer(metric, f"learned from {metric.signal.learned_from}, {auc}"))
    return offers


def criteria_stand(folder: Path) -> Hashable:
    """Return what is another once a file that may hold criteria of a folder was written."""
    from turnwise.engine.criteria.criteria_files import criteria_paths

    with suppress(OSError):
        return tuple((path, status.st_mtime_ns, status.st_size) for path, status in criteria_paths(folder))
    return None


def criteria_offers(store: Store, folder: Path) -> list[Offer]:
    """Return the criteria of the YAML files in a folder and its folder `criteria`, each name once.

    After them come those that a database keeps and no file there holds, as they were tried or saved last.
    """
    from turnwise.engine.criteria.criteria_files import find_criteria
    from turnwise.engine.criteria.criterion_versions import kept_criteria

    offers: dict[str, Offer] = {}
    for file in find_criteria(folder).files:
        offer = Offer(file.criterion.metric(), f"in {file.path.name}", is_criterion=True)
        offers.setdefault(offer.name, offer)
    for version, criterion in kept_criteria(store, without=offers):
        about = f"v{version.number}, kept without a file"
        offers[version.name] = Offer(criterion.metric(), about, is_criterion=True)
    return list(offers.values())
