"""What the command line costs: start-up over the bare interpreter, and CPU for each call of a judge.

    python tests/bench/command_bench.py --judge PATH/TO/fake_judge.py [--sessions N] [--rounds N]

Start-up: the best of the rounds of `--version` and `sessions` (100 sessions), beside `python -c pass`.
Calls: CPU of a whole `turnwise score` over conversations of ten turns by two metrics, reading and storing
included, less that of scoring one conversation (two calls); the rounds alternate. Prints one JSON object.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PORT = 8797
TURNWISE = str(Path(sys.executable).parent / "turnwise")
METRICS = ["--metric", "role_adherence", "--metric", "knowledge_retention", "--json"]


def conversations(path: Path, count: int) -> None:
    """Write that many conversations of ten turns as JSON lines."""
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            turns = [
                {
                    "role": role,
                    "content": f"{role} says {turn} in conversation {number}, with a few words more.",
                }
                for turn in range(5)
                for role in ("user", "assistant")
            ]
            file.write(json.dumps({"name": f"c{number}", "chatbot_role": "A clerk", "turns": turns}) + "\n")


def cpu(command: list[str]) -> tuple[float, float]:
    """Run a command and return its CPU and wall seconds."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    after, wall = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter() - began
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall


def start_up(folder: Path, rounds: int) -> dict[str, float]:
    """Return the best wall milliseconds of each way to start."""
    conversations(folder / "few.jsonl", 100)
    database = str(folder / "few.db")
    cpu([TURNWISE, "--db", database, "import", str(folder / "few.jsonl")])
    ways = {
        "bare": [sys.executable, "-c", "pass"],
        "version": [TURNWISE, "--version"],
        "sessions": [TURNWISE, "--db", database, "sessions"],
    }
    best = dict.fromkeys(ways, 1e9)
    for _ in range(rounds):
        for name, command in ways.items():
            best[name] = min(best[name], cpu(command)[1] * 1000)
    return {name: round(value, 1) for name, value in best.items()}


def call_cost(folder: Path, sessions: int, rounds: int) -> dict[str, object]:
    """Return CPU milliseconds a call, for each round."""
    conversations(folder / "many.jsonl", sessions)
    costs = []
    for number in range(rounds):
        database = str(folder / f"many-{number}.db")
        cpu([TURNWISE, "--db", database, "import", str(folder / "many.jsonl")])
        score = [TURNWISE, "--db", database, "score", *METRICS, "--judge", f"http://127.0.0.1:{PORT}/v1"]
        one, _ = cpu([*score, "1"])
        others, wall = cpu([*score, "--all"])
        costs.append((others - one) / (2 * sessions - 4) * 1000)
    return {
        "calls": 2 * sessions,
        "wall_s": round(wall, 2),
        "cpu_ms_a_call": [round(cost, 2) for cost in costs],
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--judge", required=True, type=Path, help="fake_judge.py")
    parser.add_argument("--sessions", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    judge = subprocess.Popen(
        [sys.executable, str(options.judge), "--port", str(PORT), "--latency-ms", "50"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.environ["OPENAI_API_KEY"] = "none"
    try:
        time.sleep(1)
        with tempfile.TemporaryDirectory() as folder:
            found = {
                "machine": f"{platform.machine()}, {os.cpu_count()} cores",
                "python": platform.python_version(),
                "rounds": options.rounds,
                "start_up_ms": start_up(Path(folder), options.rounds),
                "calls": call_cost(Path(folder), options.sessions, options.rounds),
            }
        print(json.dumps(found, indent=1))
    finally:
        judge.terminate()
        judge.wait()


if __name__ == "__main__":
    main()
