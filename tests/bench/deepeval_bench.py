"""What the same evaluation costs with turnwise and with deepeval, in one run of both on this machine.

    python tests/bench/deepeval_bench.py PATH/TO/fake_judge.py [--environment DIR] [--rounds 3]
        [--conversations 50] [--turns 10] [--latency-ms 50]

Knowledge retention, role adherence and a conversational G-Eval over the same conversations, each side by its
own evaluate() with its defaults, in a process of its own, from the start of Python to its end. deepeval is
installed into an environment of its own (DIR, kept for the next time). Rounds take turns. Prints one JSON
object: calls, CPU and wall seconds of each side (medians), and how many times more deepeval took.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
import venv
from pathlib import Path
from typing import Any

DEEPEVAL = "deepeval==4.3.1"
_COMMON = """
import sys
count, turns, url = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
ROLE = "A library's service agent"
STEPS = ["See whether every reply is polite.", "Look for thanks and greetings."]

def said(number):
    messages = []
    for turn in range(turns):
        role = "user" if turn % 2 == 0 else "assistant"
        messages.append((role, f"conversation {number}, turn {turn}: " + "a sentence of some words. " * 6))
    return messages
"""
_TURNWISE = (
    _COMMON
    + """
from turnwise.conversations import ConversationalTestCase, Turn
from turnwise.engine import evaluate
from turnwise.engine.metrics import ConversationalGEval, KnowledgeRetentionMetric, RoleAdherenceMetric
cases = [
    ConversationalTestCase(
        chatbot_role=ROLE, turns=[Turn(role=role, content=text) for role, text in said(number)]
    )
    for number in range(count)
]
metrics = [
    KnowledgeRetentionMetric(),
    RoleAdherenceMetric(),
    ConversationalGEval(name="Politeness", evaluation_steps=STEPS),
]
done = evaluate(cases, metrics, judge=f"{url}#fake")
print(sum(len(result.outcomes) for result in done.results))
"""
)
_DEEPEVAL = (
    _COMMON
    + """
from deepeval import evaluate
from deepeval.metrics import ConversationalGEval, KnowledgeRetentionMetric, RoleAdherenceMetric
from deepeval.test_case import ConversationalTestCase, MultiTurnParams, Turn
cases = [
    ConversationalTestCase(
        chatbot_role=ROLE, turns=[Turn(role=role, content=text) for role, text in said(number)]
    )
    for number in range(count)
]
metrics = [
    KnowledgeRetentionMetric(),
    RoleAdherenceMetric(),
    ConversationalGEval(
        name="Politeness",
        evaluation_steps=STEPS,
        evaluation_params=[MultiTurnParams.ROLE, MultiTurnParams.CONTENT],
    ),
]
done = evaluate(cases, metrics)
print(sum(len(result.metrics_data or []) for result in done.test_results))
"""
)


def main() -> None:
    """Install what is missing, measure in turns, print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("server", type=Path, help="path of fake_judge.py")
    parser.add_argument("--environment", type=Path, default=Path(tempfile.gettempdir()) / "deepeval-bench")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--conversations", type=int, default=50)
    parser.add_argument("--turns", type=int, default=10)
    parser.add_argument("--latency-ms", type=float, default=50)
    options = parser.parse_args()
    theirs = _installed(options.environment)
    sizes = [str(options.conversations), str(options.turns)]
    found: dict[str, list[dict[str, float]]] = {"turnwise": [], "deepeval": []}
    for _ in range(options.rounds):
        for name, python, program in (
            ("turnwise", Path(sys.executable), _TURNWISE),
            ("deepeval", theirs, _DEEPEVAL),
        ):
            found[name].append(_measured(options, python, program, sizes))
    sides = {
        name: {key: statistics.median(one[key] for one in runs) for key in runs[0]}
        for name, runs in found.items()
    }
    ratios = {
        f"{key}_ratio": round(sides["deepeval"][key] / sides["turnwise"][key], 1)
        for key in ("calls", "cpu_s", "wall_s")
    }
    print(
        json.dumps(
            {
                **sides,
                **ratios,
                "conversations": options.conversations,
                "turns": options.turns,
                "latency_ms": options.latency_ms,
                "rounds": options.rounds,
                "deepeval_version": DEEPEVAL,
                "machine": f"{platform.machine()}, {os.cpu_count()} cores",
                "python": platform.python_version(),
            }
        )
    )


def _installed(folder: Path) -> Path:
    """Return the Python of an environment that has deepeval."""
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
    has_it = subprocess.run(
        [python, "-c", "import importlib.metadata as m; m.version('deepeval')"],
        capture_output=True,
        check=False,
    )
    if has_it.returncode:
        subprocess.run([python, "-m", "pip", "install", "-q", DEEPEVAL], check=True)
    return python


def _measured(options: argparse.Namespace, python: Path, program: str, sizes: list[str]) -> dict[str, float]:
    """Run a program against a judge of its own, and return what it cost."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = int(one.getsockname()[1])
    server = subprocess.Popen(
        [
            sys.executable,
            str(options.server),
            "--port",
            str(port),
            "--latency-ms",
            str(options.latency_ms),
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait_for(port)
        with tempfile.TemporaryDirectory() as folder:
            url = f"http://127.0.0.1:{port}/v1"
            environment = {
                **os.environ,
                "OPENAI_API_KEY": "sk-local",
                "OPENAI_BASE_URL": url,
                "TURNWISE_DB": f"{folder}/bench.db",
                "DEEPEVAL_TELEMETRY_OPT_OUT": "YES",
                "HOME": folder,
            }
            # The judge's own CPU is not in it: it is a child that has not ended yet.
            cpu, began = _cpu_of_ended_children(), time.perf_counter()
            ran = subprocess.run(
                [python, "-c", program, *sizes, url],
                cwd=folder,
                env=environment,
                capture_output=True,
                text=True,
                timeout=600,
                check=False,
            )
            wall, cpu = time.perf_counter() - began, _cpu_of_ended_children() - cpu
        if ran.returncode:
            raise SystemExit(f"{python}: {ran.stderr[-2000:]}")
        stats = _stats(port)
    finally:
        server.terminate()
        server.wait()
    return {
        "calls": stats["requests"],
        "scores": int(ran.stdout.strip().splitlines()[-1]),
        "cpu_s": round(cpu, 2),
        "wall_s": round(wall, 2),
    }


def _cpu_of_ended_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _wait_for(port: int) -> None:
    for _ in range(100):
        try:
            _stats(port)
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise SystemExit("the judge did not start")


def _stats(port: int) -> dict[str, Any]:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/stats") as answer:
        found: dict[str, Any] = json.load(answer)
    return found


if __name__ == "__main__":
    main()
