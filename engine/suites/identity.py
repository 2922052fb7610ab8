"""Identity: what makes two findings of a suite the same, and what was found under it before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from turnwise.conversations.errors import FormatError
from turnwise.conversations.files import Folder, script_of
from turnwise.conversations.fingerprints import fingerprint
from turnwise.conversations.results import Score
from turnwise.conversations.store import Store
from turnwise.conversations.suites import Check, Suite, SuiteCase
from turnwise.engine.checks.answer import Answer
from turnwise.engine.checks.findings import CheckOutcome, Finding
from turnwise.engine.checks.judged_twice import TWICE
from turnwise.engine.checks.registry import SET
from turnwise.engine.judge.masked_words import LEFT_OUT
from turnwise.engine.suites.grading import decided, leaves_of
from turnwise.engine.suites.messages import plain
from turnwise.engine.suites.rules import STRICT, SuiteRules

VERSION = 3
"""Of how suites are graded; what another version found is found anew."""
JUDGED = 2
"""The same of checks that ask a judge, for how what speaks to it is kept from it."""
NAMED, WEIGHTS, PARTS = "named_scores", "named_weights", "parts"
"""Under these names the details of a score hold what its check gave beside it."""
_OTHER_UNITS = frozenset({"cost", "latency", "levenshtein", "perplexity", "similar:euclidean"})
"""Checks whose threshold is no score: dollars, milliseconds, edits, a perplexity, a distance."""
_RUNS = 10
_FOR_CHECKS = ("rubricPrompt", "provider")
_TRANSFORMS = ("transform", "contextTransform")
_SCRIPTS = ("python:", "file://", "javascript:")


def least_of(check: Check) -> float | None:
    """Return the score from which a check passes; None where its threshold is of another kind."""
    threshold = check.threshold
    if threshold is None or threshold != threshold or check.negate or check.type in _OTHER_UNITS:
        return None
    return threshold


class Prints:
    """The fingerprints of one suite's checks, which are done by these rules."""

    def __init__(self, suite: Suite, rules: SuiteRules = STRICT) -> None:
        self._suite = suite
        self._rules = rules
        self._scripts: dict[str, str] = {}

    def of(self, check: Check, case: SuiteCase) -> str:
        """Return what a check is: its name, version and all that it says but the threshold of its score.

        A script counts by its content.
        """
        options = {name: case.options[name] for name in _FOR_CHECKS if name in case.options}
        options |= check.options
        said = [
            [VERSION, JUDGED] if self._rules.checks.asks_judge(check.type) else VERSION,
            self._suite.format,
            self._rules.as_the_tool,
            check.metric or "",
            check.type,
            check.negate,
            # Null is a value: an output can equal it.
            "null" if check.is_null else check.value,
            check.config,
            options,
            None if least_of(check) is not None else check.threshold,
            # A check of no weight only reports, and never fails.
            check.weight == 0,
            [self._content(text) for text in (check.value, *map(options.get, _TRANSFORMS))],
            [[child.weight, child.threshold, self.of(child, case)] for child in check.children],
        ]
        return _print(said)

    def whole(self, case: SuiteCase, checks: Sequence[CheckOutcome], prints: Sequence[str]) -> str:
        """Return what decides about a case as a whole: its checks, how they count, and what scores them.

        prints: the fingerprints of the checks.
        """
        told = [[one.weight, one.check.threshold, print_] for one, print_ in zip(checks, prints, strict=True)]
        return _print([VERSION, told, case.options.get("assertScoringFunction")])

    def _content(self, name: Any) -> str:
        if not isinstance(name, str) or not name.startswith(_SCRIPTS):
            return ""
        if name not in self._scripts:
            self._scripts[name] = script_print(name, self._suite)
        return self._scripts[name]


def script_print(name: str, suite: Suite, folder: Folder | None = None) -> str:
    """Return the fingerprint of the script that a name means; empty where it means none that is there."""
    if not name.startswith(_SCRIPTS) or "\n" in name:
        return ""
    try:
        script, _ = script_of(name, folder or Folder.of(suite.source, suite.root), name)
        return fingerprint(script.read_bytes().decode("utf-8", "replace"))
    except (FormatError, OSError, ValueError):
        return ""


def answer_print(answer: Answer) -> str:
    """Return what checks read of an answer."""
    return _print(
        [
            answer.prompt,
            answer.vars,
            answer.output,
            answer.latency,
            answer.cost,
            answer.metadata,
            answer.case_metadata,
            answer.log_probabilities,
            answer.finish_reason,
            answer.refused,
            answer.tools,
            answer.target,
        ]
    )


def _print(value: Any) -> str:
    try:
        return fingerprint(value)
    except TypeError:
        # A file may hold what JSON does not: dates, and keys that are no texts.
        return fingerprint(plain(value))


def numbered(prints: Iterable[str]) -> Iterator[str]:
    """Yield fingerprints, those that were there already with a number, so that no two are the same."""
    seen: Counter[str] = Counter()
    for one in prints:
        seen[one] += 1
        yield one if seen[one] == 1 else f"{one}-{seen[one]}"


class FoundBefore:
    """The scores of a suite's earlier runs, by what was checked, what it read, and who judged.

    runs: those that count, newest first. What only runs before the last ten found is found anew, which asks
    no judge either: its replies are kept.
    """

    def __init__(self, prints: Prints, store: Store | None, runs: Sequence[int]) -> None:
        self._prints = prints
        self._store = store
        self._newest = store.scores.newest_id() if store is not None else 0
        self._ids = store.scores.ids_by_print(runs[:_RUNS]) if store is not None else {}

    def look_again(self, *, but_of: int) -> None:
        """Take in what other runs found since this was looked at. but_of: the run that is asking."""
        if self._store is not None:
            newer, self._newest = self._store.scores.ids_by_print_since(self._newest, but_of=but_of)
            self._ids |= newer

    def of(
        self,
        checks: Sequence[Check],
        case: SuiteCase,
        read: str,
        judges: Sequence[str],
        *,
        refused: Callable[[Check], bool],
    ) -> dict[int, CheckOutcome]:
        """Return what was found by these checks, and by those of sets among them, by their id().

        read: see `answer_print`. judges: the fingerprints of those who may have been asked. refused: whether
        a check may not be carried out in this run; what was found by it earlier does not serve then.
        Nor does a score that was held against another threshold, or one with parts that are listed behind it.
        """
        if not self._ids:
            return {}
        found: dict[int, CheckOutcome] = {}
        leaves = list(leaves_of(checks))
        for check, print_ in zip(leaves, numbered(self._prints.of(one, case) for one in leaves), strict=True):
            ids = (self._ids.get((print_, read, judge)) for judge in (*judges, ""))
            score_id = next((one for one in ids if one is not None), None)
            if score_id is None or refused(check):
                continue
            if (outcome := self._outcome(check, score_id)) is not None:
                found[id(check)] = outcome
        return found

    def _outcome(self, check: Check, score_id: int) -> CheckOutcome | None:
        assert self._store is not None  # noqa: S101 - there are ids
        kept = self._store.scores.outcome(score_id)
        if not isinstance(kept, Score) or kept.threshold != least_of(check) or PARTS in kept.details:
            return None
        return decided(
            check,
            Finding(
                score=float(kept.details.get("score", kept.score)),
                passed=kept.passed,
                reason=kept.reason,
                named_scores=kept.details.get(NAMED, {}),
                named_weights=kept.details.get(WEIGHTS, {}),
                details={name: kept.details[name] for name in (LEFT_OUT, TWICE) if name in kept.details},
            ),
            kept.calls,
        )


def details_of(check: CheckOutcome) -> Mapping[str, Any]:
    """Return what a check gave beside its score, as it is kept in the details; mostly nothing."""
    finding = check.finding
    if finding is None or check.check.type == SET:
        return {}
    given = {
        NAMED: dict(finding.named_scores),
        WEIGHTS: dict(finding.named_weights),
        PARTS: len(finding.members),
        LEFT_OUT: finding.details.get(LEFT_OUT),
        TWICE: finding.details.get(TWICE),
    }
    return {name: value for name, value in given.items() if value}
