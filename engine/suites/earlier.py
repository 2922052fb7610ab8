"""Earlier: how a suite came out in its last run, and which of its answers serve again."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from turnwise.conversations.cases import ConversationalTestCase
from turnwise.conversations.errors import SettingError
from turnwise.conversations.fingerprints import fingerprint
from turnwise.conversations.store import ScoreRow, Store
from turnwise.conversations.suites import Suite, SuiteCase
from turnwise.conversations.templates import as_text
from turnwise.conversations.turns import Turn, group_exchanges
from turnwise.engine.checks.findings import WHOLE
from turnwise.engine.suites.answering import Reply
from turnwise.engine.suites.identity import script_print
from turnwise.engine.suites.keeping import SUITE, suite_key
from turnwise.engine.suites.messages import plain, sent_messages

if TYPE_CHECKING:
    from turnwise.engine.suites.code.answers import CallableTarget


@dataclass(frozen=True, slots=True)
class LastOutcomes:
    """Which tests did not pass in the last run of a suite; failures could not be run or checked."""

    failing: frozenset[str]
    failures: frozenset[str]

    def was_failing(self, case: SuiteCase) -> bool:
        """Whether a case did not pass, or cannot be run at all."""
        return bool(case.problem) or _test_key(case.description, case.vars) in self.failing

    def was_failure(self, case: SuiteCase) -> bool:
        """Whether a case could not be run or checked."""
        return bool(case.problem) or _test_key(case.description, case.vars) in self.failures


def last_outcomes(suite: Suite, store: Store) -> LastOutcomes:
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
    return LastOutcomes(frozenset(failing), frozenset(failures))


def unfinished_runs(suite: Suite, store: Store) -> list[int]:
    """Return the runs of a suite since the last that came to its end, newest first."""
    runs = store.runs.ids_with(SUITE, suite_key(suite))
    return list(takewhile(lambda run_id: store.runs.get(run_id).finished_at is None, runs))


class KeptAnswers:
    """The answers of the runs since the last that ended, as their sessions hold them.

    They are for runs that an earlier version stopped in; it kept answers in no other way.
    """

    def __init__(self, suite: Suite, store: Store) -> None:
        self._answers: dict[tuple[Any, ...], tuple[str, str]] = {}
        for run_id in unfinished_runs(suite, store):
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
            case.repeat,
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


_VERSION = 1
# fmt: off
_OF_THE_CASE = frozenset({
    "metadata", "transform", "postprocess", "storeOutputAs", "rubricPrompt", "provider", "runSerially",
    "disableConversationVar", "prefix", "suffix", "assertScoringFunction",
})
# fmt: on
"""Options of a case that no target is given, or that are told of it in another way."""


def runs_to_reuse(suite: Suite, store: Store | None, *, again: bool, resume: bool) -> list[int]:
    """Return the runs of a suite of which answers and findings serve again, newest first.

    again: none but, with resume, those since the last that came to its end.
    """
    if store is None or (again and not resume):
        return []
    return unfinished_runs(suite, store) if again else store.runs.ids_with(SUITE, suite_key(suite))


class AnswerBook:
    """The answers to one suite. It gives what was answered before, and has what is new kept.

    A question is the same where the file, the target with its settings (a script by its content), prompt,
    variables, options and number of repetition are the same; where a file asks the same several times, each
    time has an answer of its own. Only answers count: what failed is asked again.
    keep: is given the key and the JSON of every new answer. runs: those of which answers serve again, see
    `runs_to_reuse`. resume: what an earlier version kept of a run that was stopped serves too.
    """

    def __init__(
        self,
        suite: Suite,
        store: Store | None,
        keep: Callable[[str, str], None],
        runs: Sequence[int],
        *,
        resume: bool = False,
    ) -> None:
        self._suite = suite
        self._store = store
        self._keep = keep
        self._seen: Counter[str] = Counter()
        self._since = min(runs, default=-1)
        self._earlier = KeptAnswers(suite, store) if resume and store is not None else None

    def key(
        self,
        case: SuiteCase,
        prompt: str,
        variables: Mapping[str, Any],
        target: Any,
        program: CallableTarget | None = None,
    ) -> str:
        """Return the key of a question, another one each time that it is asked.

        target: what tells the chatbot and its settings from others, as plain values. program: the user's own
        code, which answers in its place.
        """
        named = case.target.id if case.target else ""
        options = {name: value for name, value in case.options.items() if name not in _OF_THE_CASE}
        question = [
            _VERSION,
            suite_key(self._suite),
            target,
            named,
            script_print(
                program.name if program else named, self._suite, program.code.folder if program else None
            ),
            sent_messages(case, prompt),
            prompt,
            variables,
            options,
            case.repeat,
        ]
        key = fingerprint(plain(question))
        self._seen[key] += 1
        return f"{key}-{self._seen[key]}"

    def get(self, key: str, case: SuiteCase, prompt: str) -> Reply | None:
        """Return what was answered to a question before; None where it is to be asked."""
        if self._store is None:
            return None
        found = self._store.answers.newest(key, since=self._since) if self._since >= 0 else None
        if found is not None:
            return _reply(json.loads(found))
        text = self._earlier.answer(case, prompt) if self._earlier is not None else None
        return None if text is None else Reply(text, was_kept=True)

    def add(self, key: str, reply: Reply) -> None:
        """Have an answer kept, where it is one that JSON holds."""
        try:
            text = json.dumps(asdict(reply), ensure_ascii=False)
        except (TypeError, ValueError):
            return
        self._keep(key, text)


def _reply(data: Mapping[str, Any]) -> Reply:
    probabilities: Sequence[float] = data.get("log_probabilities") or ()
    tools = data.get("tools")
    known = {name: value for name, value in data.items() if name in Reply.__dataclass_fields__}
    return replace(
        Reply(**known),
        log_probabilities=tuple(probabilities),
        tools=None if tools is None else tuple(tools),
        was_kept=True,
    )
