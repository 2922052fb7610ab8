"""deepeval's result files, as JSON: a saved run, its test cases with what the metrics said of them.

Each test case becomes a session with the scores that were saved. The metric data as they stand stay with it
as `metricsData` in its metadata, and so do the run's identifier and hyperparameters.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from turnwise.conversations.findings import PastRun
from turnwise.conversations.fingerprints import fingerprint
from turnwise.conversations.formats.deepeval import case_of
from turnwise.conversations.formats.deepeval_scores import METRICS, run_of, scores_of
from turnwise.conversations.formats.format import Format, Options
from turnwise.conversations.formats.json_text import decode
from turnwise.conversations.formats.records import Case, Contents, Place, Record, attempt
from turnwise.conversations.formats.sources import Source
from turnwise.conversations.models import shorten

_LISTS = ("testCases", "conversationalTestCases", "test_cases", "conversational_test_cases")
_RUN_KEYS = frozenset(("metricsScores", "metrics_scores", "testPassed", "test_passed", "testFailed"))
_KEPT_OF_RUN = ("identifier", "hyperparameters", "testFile", "datasetAlias", "testRunLink")
_LATEST = "testRunData"
"""The name under which deepeval's own folder keeps the latest run."""


def _sniff(source: Source) -> float:
    value = next(iter(source.sample), None)
    run = value.get(_LATEST, value) if isinstance(value, dict) else None
    if not isinstance(run, dict):
        return 0.0
    lists = [run[name] for name in _LISTS if isinstance(run.get(name), list)]
    has_scores = any(
        isinstance(case, dict) and any(name in case for name in METRICS)
        for cases in lists
        for case in cases[:1]
    )
    return 1.0 if lists and (has_scores or _RUN_KEYS & run.keys()) else 0.0


def _read(source: Source, options: Options) -> Iterator[Record]:
    value = _document(source)
    run = value.get(_LATEST, value) if isinstance(value, dict) else None
    if not isinstance(run, dict):
        raise source.broken(f"expected an object with testCases; got {shorten(value)}")
    lists = [(name, run[name]) for name in _LISTS if isinstance(run.get(name), list)]
    if not lists:
        raise source.broken("expected a list testCases or conversationalTestCases; got neither")
    about = {name: run[name] for name in _KEPT_OF_RUN if run.get(name) is not None}
    if value is not run and value.get("testRunLink") is not None:
        about["testRunLink"] = value["testRunLink"]
    past = run_of(case for _, cases in lists for case in cases)
    number = 0
    for name, cases in lists:
        for case in cases:
            number += 1
            place = Place(source.name, None, number, name)
            yield attempt(lambda record: _contents_of_run(record, about, past), case, place)


def _document(source: Source) -> Any:
    # What a run says of itself stands behind its cases, so the whole file is held at once.
    try:
        if source.kind == "json" and not source.is_small:
            with source.open() as file:
                return decode(file.read())
        return source.document
    except ValueError as error:
        raise source.broken(str(error)) from None


def _contents_of_run(record: Any, about: dict[str, Any], run: PastRun) -> Contents:
    case = _case_of_run(record, about)
    return Contents(case, scores=scores_of(record, run, fingerprint(case.data())))


def _case_of_run(record: Any, about: dict[str, Any]) -> Case:
    case = case_of(record)
    if not about:
        return case
    return case.model_copy(update={"metadata": {**(case.metadata or {}), "test_run": about}})


FORMAT = Format(
    name="deepeval-results",
    title="result files of deepeval (JSON)",
    sniff=_sniff,
    read=_read,
)
