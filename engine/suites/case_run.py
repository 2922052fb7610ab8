"""CaseRun: what became of one case of a suite."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from turnwise.conversations.suites import SuiteCase
from turnwise.engine.suites.messages import plain
from turnwise.engine.suites.results import CaseResult


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseRun:
    """What became of one case. prompt: as it was asked. output: None without an answer. session: its id."""

    case: SuiteCase
    prompt: str
    output: Any
    result: CaseResult
    session: int | None = None

    def data(self) -> dict[str, Any]:
        """Return the run as the command line prints it."""
        case, result = self.case, self.result
        return {
            "index": case.index,
            "description": case.description,
            "vars": plain(case.vars),
            "prompt": self.prompt,
            "output": plain(self.output),
            "outcome": result.outcome,
            "score": result.score,
            "reason": result.reason,
            "checks": [
                {
                    "type": check.type,
                    "metric": check.metric,
                    "passed": check.passed,
                    "score": check.score,
                    "reason": check.reason,
                }
                for check in result.checks
            ],
            "named_scores": dict(result.named_scores),
            "metadata": plain(case.metadata),
            "prompt_label": case.prompt_label,
            "target": case.target.name if case.target else None,
            "session": self.session,
        }
