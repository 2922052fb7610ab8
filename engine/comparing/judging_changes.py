"""What changed in judging between two runs: the judge and its settings, and the words of a criterion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from turnwise.conversations.errors import FormatError
from turnwise.conversations.store import CriterionVersion, RunRow, ScoreRow, Store

NONE = "–"
"""Stands for what a side says nothing of."""
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
    """Return by what two runs judged differently, the judge first; none where nothing is known to differ."""
    found = [_change("judge", a.judge, b.judge)]
    first, second = (store.runs.judge_settings(run.id) for run in (a, b))
    found += [_change(name.replace("_", " "), first.get(name), second.get(name)) for name in _SETTINGS]
    return [one for one in (*found, *_criterion_changes(store, a, b)) if one.a != one.b]


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


def _criterion_changes(store: Store, a: RunRow, b: RunRow) -> list[JudgingChange]:
    versions = [_version_of(store, run) for run in (a, b)]
    if versions[0] is None or versions[1] is None:
        return []
    first, second = versions[0], versions[1]
    named = [f"{one.name} v{one.number}" for one in (first, second)]
    contents = [_content(one) for one in (first, second)]
    fields = dict.fromkeys([*contents[0], *contents[1]])
    return [
        JudgingChange("criterion", *named),
        *(_change(name, _text(contents[0].get(name)), _text(contents[1].get(name))) for name in fields),
    ]


def _version_of(store: Store, run: RunRow) -> CriterionVersion | None:
    name, wanted = (run.parameters.get(key) for key in ("criterion", "criterion_version"))
    versions = store.criteria.versions(str(name)) if name else []
    return next((one for one in versions if one.fingerprint == wanted), None)


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
