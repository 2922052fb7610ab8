"""How truly latency is measured: suites run against a local target that takes 2, 50 or 500 ms.

    python tests/bench/latency_bench.py [--cases 60] [--kinds openai,http,anthropic,python,exec]

Each kind of target is asked one and twenty at once. Printed are the time that the target itself saw, its
median and that of what `turnwise run` measured, the 95th percentile of that, and the allowance: the
measured median is to lie within 3 ms and 5 % of the target's own. Servers note their time themselves, code is
told how long to take, and commands are run without turnwise too.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import aclosing, closing, nullcontext
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from timed_server import timed_server

from turnwise.conversations.formats.promptfoo import load_suite
from turnwise.conversations.store import Store
from turnwise.engine.chatbots.http_requests import HttpTemplate
from turnwise.engine.chatbots.http_target import HttpTarget
from turnwise.engine.chatbots.targets import Target
from turnwise.engine.models.settings import ModelSettings
from turnwise.engine.suites.answering import Answerer
from turnwise.engine.suites.code import SuiteCode
from turnwise.engine.suites.running import run_suite

DELAYS = (2, 50, 500)
AT_ONCE = (1, 20)
KINDS = ("openai", "http", "anthropic", "python", "exec")
CODE = """
import time

def call_api(prompt, options, context):
    time.sleep({seconds})
    return {{"output": "Yes."}}
"""


def allowance(milliseconds: float) -> float:
    """Return how far a measured median may lie from the target's own."""
    return 3 + 0.05 * milliseconds


def chatbot(kind: str, url: str) -> Target | HttpTarget | None:
    """Return a chatbot of a kind; None for those that the suite names."""
    if kind == "openai":
        return Target(ModelSettings(base_url=f"{url}/v1", model="m"))
    if kind == "anthropic":
        return Target(ModelSettings(base_url=url, model="m", provider="anthropic"))
    if kind == "http":
        return HttpTarget(
            HttpTemplate(url=f"{url}/chat", method="POST", body={"q": "{{prompt}}"}, response="json.reply")
        )
    return None


def suite_file(folder: Path, kind: str, delay: int, cases: int, at_once: int) -> Path:
    """Write a suite of so many questions."""
    (folder / "bot.py").write_text(CODE.format(seconds=delay / 1000))
    named = {"python": "file://bot.py", "exec": f"exec:sh -c 'sleep {delay / 1000}; echo Yes.'"}
    path = folder / "suite.json"
    tests = [
        {"vars": {"n": number}, "assert": [{"type": "latency", "threshold": 1e6}]} for number in range(cases)
    ]
    config = {"prompts": ["question {{n}}"], "providers": [named.get(kind, "echo")], "tests": tests}
    path.write_text(json.dumps({**config, "evaluateOptions": {"maxConcurrency": at_once}}))
    return path


async def measured(kind: str, url: str, delay: int, cases: int, at_once: int) -> list[float]:
    """Return what a run measures, in milliseconds."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = suite_file(folder, kind, delay, cases, at_once)
        target = chatbot(kind, url)
        with closing(SuiteCode(path, trusted=True)) as code, Store.open(folder / "kept.db") as store:
            async with (
                target or nullcontext(),
                Answerer(target, environment={}, trust=code.trust) as answerer,
                aclosing(run_suite(load_suite(path, code=code), answerer, store=store, code=code)) as runs,
            ):
                found = [run async for run in runs]
            assert all(run.result.word == "pass" for run in found), found[0].result
        with closing(sqlite3.connect(folder / "kept.db")) as connection:
            rows = connection.execute("SELECT answer FROM answers").fetchall()
    return [json.loads(row[0])["milliseconds"] for row in rows]


def bare(delay: int, runs: int = 20) -> list[float]:
    """Return how long the command takes that the suite names, in milliseconds, without turnwise."""
    found = []
    for _ in range(runs):
        began = time.perf_counter()
        subprocess.run(["sh", "-c", f"sleep {delay / 1000}; echo Yes."], capture_output=True, check=True)
        found.append((time.perf_counter() - began) * 1000)
    return found


def line(kind: str, delay: int, at_once: int, own: Sequence[float], found: Sequence[float]) -> dict[str, Any]:
    """Return one row of the table."""
    middle = statistics.median(own) if own else float(delay)
    median = statistics.median(found)
    return {
        "target": kind,
        "ms": delay,
        "at once": at_once,
        "own median": round(middle, 2),
        "median": round(median, 2),
        "p95": round(statistics.quantiles(found, n=20)[-1], 2),
        "allowed": round(allowance(middle), 2),
        "ok": abs(median - middle) <= allowance(middle),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=60)
    parser.add_argument("--kinds", default=",".join(KINDS))
    options = parser.parse_args()
    os.environ["TURNWISE_HOME"] = tempfile.mkdtemp()
    with timed_server() as server:
        for kind in options.kinds.split(","):
            for delay in DELAYS:
                for at_once in AT_ONCE:
                    cases = min(options.cases, 12) if delay * (at_once == 1) >= 500 else options.cases
                    found = asyncio.run(measured(kind, server.url(delay), delay, cases, at_once))
                    own = [seconds * 1000 for seconds in server.seen().values()]
                    if kind == "exec":
                        own = bare(delay)
                    print(json.dumps(line(kind, delay, at_once, own, found)), flush=True)


if __name__ == "__main__":
    main()
