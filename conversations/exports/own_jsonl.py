"""Our own JSON Lines: every session whole, one a line, so that an import gives all of it back.

A line is the case itself, fields and turns as they are, and beside them one object under the name of this
program: what kind of case it is, where it came from, the times of its turns, all its scores with the runs
they came from, its labels and its failure modes. Numbers of sessions, runs and scores are left out: they
belong to a database.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, TextIO

from turnwise.conversations.exports.export import ExportOptions, SessionSelection, StoredSession
from turnwise.conversations.exports.json_writing import json_text
from turnwise.conversations.findings import FoundMode, Origin, PastRun, PastScore
from turnwise.conversations.formats import OWN_FORM, OWN_KEY, written_fingerprint
from turnwise.conversations.results import Failure, Score, outcome_passed, outcome_word
from turnwise.conversations.store import LabelRow


def record_of(session: StoredSession, origin: Origin, scores: Sequence[PastScore]) -> dict[str, Any]:
    """Return all that is known of a session as JSON-ready values.

    turn_times: seconds from the start to the end of each message, null where they were not recorded.
    runs: those that the scores name by their place in the list, the one a score came from first.
    """
    runs: list[PastRun] = []
    for score in scores:
        runs += [run for run in score.runs if run not in runs]
    about = {
        "form": OWN_FORM,
        "kind": "exchange" if session.is_exchange else "conversation",
        "name": origin.name,
        "source": origin.source,
        "format": origin.format,
        "created_at": origin.created_at,
        "tags": list(session.row.tags),
        "fingerprint": origin.fingerprint,
        "content": written_fingerprint(session.case),
        "turn_times": [turn.at for turn in session.turns],
        "runs": [_run(run) for run in runs],
        "scores": [_score(score, runs) for score in scores],
        "labels": [_label(label) for label in session.labels],
        "modes": [_mode(mode) for mode in session.modes],
    }
    return {**session.case.data(), OWN_KEY: about}


def _run(run: PastRun) -> dict[str, Any]:
    return {
        "judge": run.judge,
        "judge_settings": dict(run.settings),
        "metrics": list(run.metrics),
        "name": run.name,
        "parameters": dict(run.parameters),
        "created_at": run.began,
        "finished_at": run.ended,
    }


def _score(past: PastScore, runs: Sequence[PastRun]) -> dict[str, Any]:
    outcome = past.outcome
    score = outcome if isinstance(outcome, Score) else None
    failure = outcome if isinstance(outcome, Failure) else None
    return {
        "metric": outcome.metric,
        "outcome": outcome_word(outcome),
        "score": score.score if score else None,
        "threshold": score.threshold if score else None,
        **({"stated": score.stated} if score and score.stated is not None else {}),
        "passed": outcome_passed(outcome),
        "reason": outcome.reason,
        "exchange": outcome.exchange,
        "created_at": past.at,
        "judge": past.judge,
        "version": past.version,
        "metric_fingerprint": past.metric_fingerprint,
        "case_fingerprint": past.case_fingerprint,
        "judge_fingerprint": past.judge_fingerprint,
        "calls": list(outcome.calls),
        "seconds": outcome.seconds,
        "cost": outcome.cost,
        "verdicts": [asdict(verdict) for verdict in score.verdicts] if score else [],
        "details": dict(score.details) if score else {},
        "kind": failure.kind if failure else "",
        "next_step": failure.next_step if failure else "",
        "runs": [runs.index(run) for run in past.runs],
    }


def _label(label: LabelRow) -> dict[str, Any]:
    return {
        "label": label.label,
        "author": label.author,
        "metric": label.metric,
        "value": label.value,
        "turn": label.turn,
        "note": label.note,
        "blind": label.blind,
        "at_fault": label.at_fault,
        "adjudicates": label.adjudicates,
        "created_at": label.created_at,
    }


def _mode(mode: FoundMode) -> dict[str, Any]:
    return {
        "name": mode.name,
        "definition": mode.definition,
        "author": mode.author,
        "turn": mode.turn,
        "created_at": mode.at,
    }


def write(sessions: SessionSelection, out: TextIO, options: ExportOptions) -> None:
    """Write all that is known of the sessions, in turnwise's own JSON Lines."""

    def line(one: StoredSession) -> str:
        return json_text(record_of(one, sessions.origin(one), sessions.past_scores(one))) + "\n"

    for written in sessions.each(line):
        out.write(written)
