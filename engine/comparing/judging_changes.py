"""What changed in judging between two runs: the judge and its settings, and the words of a criterion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from turnwise.conversations.errors import FormatError
from turnwise.conversations.store import CriterionVersion, MetricIdentity, RunRow, ScoreRow, Store

NONE = "–"
"""Stands for what a side says nothing of."""
NOT_THE_SAME = "not the same"
"""Stands at a metric of which nothing is known but that it is another than on the other side."""
SHORT = 32
"""Characters of what fits into one line with what stands in its place now."""
_SETTINGS = ("address", "temperature", "context_tokens")


@dataclass(frozen=True, slots=True)
class JudgingChange:
    """Something by which two runs judged differently: what it is, and what each side says of it."""

    name: str
    a: str
    b: str

    def data(self) -> dict[str, str]:
        """Return it as JSON-ready values."""
        return {"name": self.name, "a": self.a, "b": self.b}


def judging_changes(store: Store, a: RunRow, b: RunRow) -> list[JudgingChange]:
    """Return by what two runs judged differently, the judge first; none where nothing is known to differ.

    Only metrics that judged in both are told of.
    """
    sides = [_identities(store, run) for run in (a, b)]
    metrics = [name for name in sides[0] if name in sides[1]]
    found = [change for name in metrics for change in _metric_changes(store, sides[0][name], sides[1][name])]
    return [*_judge_changes(store, (a.judge, a.id), (b.judge, b.id)), *found]


def pair_changes(store: Store, a: ScoreRow, b: ScoreRow) -> list[JudgingChange]:
    """Return by what two scores of one metric were found differently, the judge first.

    Each is told of as the run found it that judged, which is not the compared one where that took it over.
    """
    first, second = (
        [MetricIdentity(row.metric, store.scores.identity(row.id).metric_fingerprint, row.run_id)]
        for row in (a, b)
    )
    changes = _metric_changes(store, first, second)
    if a.version != b.version:
        # That the metric is another is then told by its versions.
        changes = [one for one in changes if one.name != "metric"]
    named = {one.name for one in changes}
    return [
        # Of the scores: to read a run counts all that it judged.
        *_judge_changes(store, (a.judge, a.run_id), (b.judge, b.run_id)),
        *changes,
        *(one for one in score_changes(a, b) if one.name not in named),
    ]


def score_changes(a: ScoreRow, b: ScoreRow) -> list[JudgingChange]:
    """Return by what two scores of one metric were found differently, beside the judge."""
    found = [
        _change("threshold", a.threshold, b.threshold),
        _change("prompt", f"version {a.version}", f"version {b.version}"),
    ]
    return [one for one in found if one.a != one.b]


def changes_in_words(changes: Sequence[JudgingChange]) -> str:
    """Say what changed in a line: "judge gpt-4o → mistral · steps differ"; empty for nothing."""
    return " · ".join(
        f"{one.name} {one.a} → {one.b}" if max(len(one.a), len(one.b)) <= SHORT else f"{one.name} differs"
        for one in changes
    )


def _change(name: str, a: object, b: object) -> JudgingChange:
    first, second = (NONE if value in (None, "", "none") else str(value) for value in (a, b))
    return JudgingChange(name, first, second)


def _judge_changes(store: Store, a: tuple[str, int], b: tuple[str, int]) -> list[JudgingChange]:
    """Return by what judges differ. a, b: the judge's name, and the run that it judged in."""
    found = [_change("judge", a[0], b[0])]
    first, second = (store.runs.judge_settings(run) for _, run in (a, b))
    found += [_change(name.replace("_", " "), first.get(name), second.get(name)) for name in _SETTINGS]
    return [one for one in found if one.a != one.b]


def _identities(store: Store, run: RunRow) -> dict[str, list[MetricIdentity]]:
    """Return which very metrics judged in a run, by name; the criterion it was for also without a score."""
    found: dict[str, list[MetricIdentity]] = {}
    for one in store.run_outcomes.identities(run.id):
        found.setdefault(one.metric, []).append(one)
    if (name := run.parameters.get("criterion")) and str(name) not in found:
        found[str(name)] = [MetricIdentity(str(name), "", run.id)]
    return found


def _metric_changes(
    store: Store, a: Sequence[MetricIdentity], b: Sequence[MetricIdentity]
) -> list[JudgingChange]:
    """Return by what one metric differs between two sides: a criterion's versions and words where known."""
    name = a[0].metric
    known = store.criteria.versions(name)
    first, second = ([_version_of(store, one, known) for one in side] for side in (a, b))
    if None in first or None in second:
        prints = [{one.fingerprint for one in side} for side in (a, b)]
        if prints[0] == prints[1] or "" in prints[0] | prints[1]:
            return []
        return [JudgingChange("criterion" if known else "metric", name, f"{name}, {NOT_THE_SAME}")]
    versions = [sorted({one.number: one for one in side if one}.items()) for side in (first, second)]
    if versions[0] == versions[1]:
        return []
    numbers = [" and ".join(f"v{number}" for number, _ in side) for side in versions]
    changes = [JudgingChange("criterion", f"{name} {numbers[0]}", numbers[1])]
    if all(len(side) == 1 for side in versions):
        contents = [_content(side[0][1]) for side in versions]
        fields = dict.fromkeys([*contents[0], *contents[1]])
        changes += [
            _change(field, _text(contents[0].get(field)), _text(contents[1].get(field))) for field in fields
        ]
    return [one for one in changes if one.a != one.b]


def _version_of(
    store: Store, identity: MetricIdentity, known: Sequence[CriterionVersion]
) -> CriterionVersion | None:
    """Return the version of a criterion that judged: as its run says, else the only one that it can be."""
    if not known:
        return None
    parameters = store.runs.past([identity.run_id])[identity.run_id].parameters
    wanted = parameters.get("criterion_version") if parameters.get("criterion") == identity.metric else None
    if said := next((one for one in known if one.fingerprint == wanted), None):
        return said
    # Those that differ in their threshold alone have the scores of each other.
    able = [one for one in known if one.metric_fingerprint == identity.fingerprint]
    return able[0] if len(able) == 1 else None


def _content(version: CriterionVersion) -> Mapping[str, Any]:
    from turnwise.engine.criteria.criterion_versions import criterion_of

    with suppress(FormatError):
        return criterion_of(version).content()
    return {}


def _text(value: object) -> str:
    """Return a field as people write it: lists one item a line."""
    if isinstance(value, list):
        return "\n".join(_text(item) for item in value)
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_text(one)}" for key, one in value.items())
    return "" if value is None else str(value)
