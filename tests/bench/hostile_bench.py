"""How long every check and metric takes with hostile texts of 200 KB, and how much memory.

    python tests/bench/hostile_bench.py [--length 200000] [--only WORD]

Every text runs in a process of its own, against all checks of both forms and all metrics that need no judge.
Prints what took longest, by the time of the processor, so that what else runs on the machine does not count
(a script runs in a process of its own, and counts by the clock). Exit code 1 where something took over 5 s or
500 MB.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from hostile import long_texts
from metric_settings import SETTINGS
from peak_memory import most_memory

SECONDS, MEGABYTES = 5.0, 500
GIVEN_UP = 120

VALUES: dict[str, Any] = {
    "contains-xml": "r.a",
    "is-xml": "r.a",
    "regex": "(a+)+$",
    "javascript": "output.length > 3",
    "is-sql": {"databaseType": "PostgreSQL", "allowedTables": ["select::null::x"]},
    "word-count": 3,
    "finish-reason": "stop",
    "contains-json": {"type": "object", "required": ["a"], "properties": {"a": {"pattern": "^(a+)+$"}}},
}
METRICS = {
    **SETTINGS,
    "contains": "contains:zz",
    "regex": "regex:(a+)+$",
    "pattern_match": "pattern_match:(a|aa)+b",
    "json_correctness": 'json_correctness:expected_schema={"type": "object"}',
}


def timed(text: str) -> Iterator[tuple[str, float, str]]:
    """Yield what was run on a text, its seconds, and how it came out."""
    from turnwise.conversations.cases import ConversationalTestCase, LLMTestCase
    from turnwise.conversations.check_types import CHECK_TYPES
    from turnwise.conversations.suites import Check
    from turnwise.engine.checks.answer import Answer
    from turnwise.engine.metrics.registry import make_metric, metric_class, metric_keys
    from turnwise.engine.suites import grade_check

    for kind, known in CHECK_TYPES.items():
        if not known.function or known.needs:
            continue
        for value in (
            (VALUES[kind], None) if kind in VALUES else ("The reply that was expected, with words.",)
        ):
            now = time.monotonic if kind == "javascript" else time.process_time
            began = now()
            outcome = grade_check(Check(type=kind, value=value), Answer(output=text))
            yield kind, now() - began, outcome.word
    turns = [{"role": role, "content": text} for role in ("user", "assistant", "user", "assistant")]
    cases = (
        ConversationalTestCase.model_validate({"turns": turns}),
        LLMTestCase(input=text, actual_output=text, expected_output=text[1:], retrieval_context=[text]),
    )
    for key in metric_keys():
        if metric_class(key).uses_judge:
            continue
        metric = make_metric(METRICS.get(key, key))
        for case in cases:
            began = time.process_time()
            try:
                metric.measure(case)
                word = "measured"
            except Exception as error:
                word = f"{type(error).__name__}"
            yield f"{key} ({type(case).__name__})", time.process_time() - began, word


def alone(name: str, length: int) -> None:
    """Run one text in this process, and print what came of it as JSON."""

    found = list(timed(long_texts(length)[name]))
    print(json.dumps({"found": found, "megabytes": most_memory() / 2**20}))


def found_of(name: str, length: int) -> tuple[list[list[Any]], float]:
    """Run one text in a process of its own; what was run with its seconds, and the megabytes of it all."""
    command = [sys.executable, __file__, "--alone", name, "--length", str(length)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=GIVEN_UP)
    except subprocess.TimeoutExpired:
        return [["everything", float(GIVEN_UP), "given up"]], 0.0
    if done.returncode:
        return [["everything", float(GIVEN_UP), done.stderr[-300:]]], 0.0
    told = json.loads(done.stdout.splitlines()[-1])
    return told["found"], told["megabytes"]


def main() -> int:
    """Run all texts, print the slowest pairs, and say whether any is over the limits."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--length", type=int, default=200_000)
    parser.add_argument("--only", default="")
    parser.add_argument("--alone")
    options = parser.parse_args()
    if options.alone is not None:
        alone(options.alone, options.length)
        return 0
    pairs: list[tuple[float, str, str, str]] = []
    largest = (0.0, "")
    names = [name for name in long_texts(options.length) if options.only in name]
    for name in names:
        found, megabytes = found_of(name, options.length)
        pairs += [(seconds, what, name, word) for what, seconds, word in found]
        largest = max(largest, (megabytes, name))
        slowest = max(found, key=lambda one: one[1])
        print(f"{slowest[1]:7.2f} s {megabytes:5.0f} MB  {name}: {slowest[0]} ({slowest[2]})", flush=True)
    pairs.sort(reverse=True)
    print(f"\n{len(pairs):,} pairs of {len(names)} texts; the slowest:")
    for seconds, what, name, word in pairs[:15]:
        print(f"{seconds:7.2f} s  {what} with {name} ({word})")
    print(f"the most memory: {largest[0]:.0f} MB with {largest[1]}")
    return int(pairs[0][0] > SECONDS or largest[0] > MEGABYTES)


if __name__ == "__main__":
    raise SystemExit(main())
