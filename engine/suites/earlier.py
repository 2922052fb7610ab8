"""Earlier: how the cases of a suite came out in its last stored run, and what was answered in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from turnwise.conversations.cases import ConversationalTestCase
from turnwise.conversations.errors import SettingError
from turnwise.conversations.fingerprints import fingerprint
from turnwise.conversations.store import Store
from turnwise.conversations.store.rows import ScoreRow
from turnwise.conversations.suites import Suite, SuiteCase
from turnwise.conversations.turns import Turn, group_exchanges
from turnwise.engine.suites.keeping import SUITE, WHOLE, suite_key
from turnwise.engine.suites.messages import plain, sent_messages
from turnwise.engine.suites.values import as_text


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Which tests did not pass in the last run of a suite; failures could not be run or checked."""

    failing: frozenset[str]
    failures: frozenset[str]

    def was_failing(self, case: SuiteCase) -> bool:
        """Whether a case did not pass, or cannot be run at all."""
        return bool(case.options.get("problem")) or _test_key(case.description, case.vars) in self.failing

    def was_failure(self, case: SuiteCase) -> bool:
        """Whether a case could not be run or checked."""
        return bool(case.options.get("problem")) or _test_key(case.description, case.vars) in self.failures


def last_outcomes(suite: Suite, store: Store) -> Outcomes:
    """Return how the tests of a suite came out in its last run. Raises SettingError where there was none."""
    runs = store.runs.ids_with(SUITE, suite_key(suite))
    if not runs:
        raise SettingError(
            f"There is no earlier run of {suite.source.name} in this database",
            next_step="Run it once without --filter-failing and --filter-errors-only.",
        )
    failing, failures = set(), set()
    for row, about, _ in _rows(store, runs[0], wanted=lambda row: not row.passed):
        key = _test_key(str(about.get("description") or ""), about.get("vars") or {})
        failing.add(key)
        if row.outcome == "failure":
            failures.add(key)
    return Outcomes(frozenset(failing), frozenset(failures))


class KeptAnswers:
    """The answers of the runs since the last that ended, for one that takes up where they stopped."""

    def __init__(self, suite: Suite, store: Store) -> None:
        self._answers: dict[tuple[Any, ...], tuple[str, str]] = {}
        for run_id in store.runs.ids_with(SUITE, suite_key(suite)):
            if store.runs.get(run_id).finished_at is not None:
                break
            self._take(store, run_id)

    def _take(self, store: Store, run_id: int) -> None:
        for _, about, turns in _rows(store, run_id, wanted=lambda row: row.outcome != "failure"):
            said, reply = _said(turns), turns[-1]
            if said is not None and reply.role == "assistant" and not reply.tools_called:
                key = (about.get("case"), about.get("repeat") or 0, about.get("prompt"), about.get("target"))
                # Newer runs come first.
                self._answers.setdefault(key, (said, reply.content))

    def __len__(self) -> int:
        return len(self._answers)

    def answer(self, case: SuiteCase, prompt: str) -> str | None:
        """Return what was answered to this prompt; None where it was not asked, or is to be asked again.

        Data, and outputs that a transform made, are asked for again: only their text was kept.
        """
        transforms = [case.options.get("transform"), case.options.get("postprocess")]
        target = case.target
        if target is not None:
            transforms.append(target.config.get("transform"))
        key = (
            case.index,
            case.options.get("repeat") or 0,
            case.prompt_label,
            target.name if target else "",
        )
        said, reply = self._answers.get(key, ("", ""))
        if any(transforms) or not reply or reply.lstrip().startswith(("{", "[")):
            return None
        asked = sent_messages(case, prompt)[-1].get("content")
        return reply if said == ("" if asked is None else as_text(asked)) else None


def _rows(
    store: Store, run_id: int, *, wanted: Any
) -> Iterator[tuple[ScoreRow, Mapping[str, Any], Sequence[Turn]]]:
    """Yield the outcome of each case of a run that is wanted, what is known of the case, and its turns."""
    known: tuple[int, ConversationalTestCase | None] = (0, None)
    for row in store.scores.of_run(run_id, WHOLE):
        if not wanted(row):
            continue
        if known[0] != row.session_id:
            case = store.sessions.case(row.session_id)
            known = (row.session_id, case if isinstance(case, ConversationalTestCase) else None)
        if known[1] is not None:
            yield row, *_about(known[1], row.exchange)


def _about(case: ConversationalTestCase, exchange: int | None) -> tuple[Mapping[str, Any], Sequence[Turn]]:
    whole = case.metadata or {}
    if exchange is None:
        return {"description": case.name or "", **whole}, case.turns
    groups = group_exchanges(case.turns)
    end = max(groups[exchange - 1]) if exchange <= len(groups) else len(case.turns) - 1
    fields = case.turns[end].exchange
    about = {"description": (fields.name if fields else "") or "", **((fields and fields.metadata) or {})}
    return {**whole, **about}, case.turns[: end + 1]


def _said(turns: Sequence[Turn]) -> str | None:
    return turns[-2].content if len(turns) > 1 else None


def _test_key(description: str, variables: Mapping[str, Any]) -> str:
    return fingerprint([description, plain(variables)])
