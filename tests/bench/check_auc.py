"""How well the checks tell conversations that reached their end from those that did not, without a judge.

    python tests/bench/check_auc.py PATH/TO/tau-bench/*.json [--metric NAME ...] [--json]

The files are trajectories of tau-bench (Yao et al. 2024, https://arxiv.org/abs/2406.12045), each with a
reward of 0 or 1. For every conversational check: the area under the ROC curve of its score against the
reward, with a 95% bootstrap interval over tasks, so that two trials of one task count as one; .5 is chance.
Prints Markdown.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from turnwise.conversations import ConversationalTestCase
from turnwise.conversations.results import Score
from turnwise.engine.metrics.metric import Metric
from turnwise.engine.metrics.registry import make_metric, metric_class, metric_keys
from turnwise.engine.metrics.subject import Subject
from turnwise.engine.people.statistics.ranks import area_interval, area_under_curve


@dataclass(frozen=True)
class Trial:
    """A conversation with the name of its task and whether it reached the reward."""

    task: str
    case: ConversationalTestCase
    rewarded: bool


def trials_in(path: Path) -> list[Trial]:
    """Read the trials of a file of tau-bench."""
    records = json.loads(path.read_text(encoding="utf-8"))
    return [
        Trial(f"{path.name}:{record['task_id']}", case_of(record["traj"]), record["reward"] == 1)
        for record in records
    ]


def case_of(messages: Sequence[Mapping[str, Any]]) -> ConversationalTestCase:
    """Make a conversation of a trajectory's chat messages."""
    turns = []
    for message in messages:
        calls = [call["function"]["name"] for call in message.get("tool_calls") or []]
        turn = {"role": message["role"], "content": message.get("content") or ""}
        turns.append({**turn, "tools_called": calls} if calls else turn)
    return ConversationalTestCase(turns=turns)


async def scores_of(metric: Metric, trials: Sequence[Trial]) -> list[float | None]:
    """Score every trial with a check; None where it does not apply."""
    outcomes = [await metric.judge(Subject.of(trial.case), None, secret="") for trial in trials]
    return [outcome.score if isinstance(outcome, Score) else None for outcome in outcomes]


def area(scored: Sequence[tuple[float, bool]]) -> float:
    """Return the area under the ROC curve of pairs of score and reward; nan where one kind is absent."""
    return area_under_curve([score for score, _ in scored], [rewarded for _, rewarded in scored])


def row(name: str, trials: Sequence[Trial], scores: Sequence[float | None]) -> dict[str, Any]:
    """Return what is reported of a check."""
    scored = [(score, trial) for trial, score in zip(trials, scores, strict=True) if score is not None]
    pairs = [(score, trial.rewarded) for score, trial in scored]
    low, high = area_interval(
        [score for score, _ in pairs],
        [rewarded for _, rewarded in pairs],
        [trial.task for _, trial in scored],
    )
    means = {
        kind: sum(score for score, rewarded in pairs if rewarded is kind)
        / max(1, sum(rewarded is kind for _, rewarded in pairs))
        for kind in (True, False)
    }
    return {
        "metric": name,
        "conversations": len(pairs),
        "auc": round(area(pairs), 3) if pairs else None,
        "interval": [round(low, 3), round(high, 3)] if pairs else None,
        "mean_rewarded": round(means[True], 3) if pairs else None,
        "mean_not": round(means[False], 3) if pairs else None,
    }


def conversational_checks() -> list[str]:
    """Return the keys of the checks that see whole conversations."""
    kinds = {key: metric_class(key) for key in metric_keys()}
    return [key for key, kind in kinds.items() if not kind.uses_judge and kind.scope == "conversation"]


def as_markdown(rows: Sequence[Mapping[str, Any]]) -> str:
    """Write the rows as a table."""
    lines = [
        "| check | conversations | AUC | 95% interval | mean, reward 1 | mean, reward 0 |",
        "|---|---|---|---|---|---|",
    ]
    for one in rows:
        interval = (
            "–".join(f"{value:.2f}" for value in one["interval"]) if one["interval"] else "does not apply"
        )
        shown = [
            "" if one[name] is None else f"{one[name]:.2f}" for name in ("auc", "mean_rewarded", "mean_not")
        ]
        cells = [one["metric"], str(one["conversations"]), shown[0], interval, *shown[1:]]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    """Read the files, score them, print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--metric", action="append", help="instead of all conversational checks")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    trials = [trial for path in options.files for trial in trials_in(path)]
    rows = []
    for name in options.metric or conversational_checks():
        scores = asyncio.run(scores_of(make_metric(name), trials))
        rows.append(row(name, trials, scores))
    print(json.dumps(rows, indent=2) if options.json else as_markdown(rows))


if __name__ == "__main__":
    main()
