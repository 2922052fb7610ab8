"""How much CPU a judge call costs this process: N questions through Judge against the fake judge server.

    python tests/bench/judge_bench.py PATH/TO/fake_judge.py [--calls 750] [--rounds 5] [--latency-ms 50]
        [--probabilities]

Rounds with Judge and rounds with the openai package alone take turns, so that both see the same machine;
the ratio is what our part adds. Only this process's CPU is counted. Prints one JSON object.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import resource
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from turnwise.engine.judge.judge import Judge
from turnwise.engine.judge.questions import Question, messages
from turnwise.engine.models.settings import ModelSettings

SCHEMA = {
    "type": "object",
    "properties": {"reason": {"type": "string"}, "score": {"type": "integer", "minimum": 0, "maximum": 10}},
    "required": ["reason", "score"],
    "additionalProperties": False,
}
IN_FLIGHT = 64


def question(number: int, probabilities: bool) -> Question:
    """Return a question about as long as one about a conversation of ten turns."""
    transcript = f"conversation {number}\n" + "\n".join(f"{turn}. {'words ' * 40}" for turn in range(1, 11))
    return Question(
        rules="You judge conversations. " * 30,
        transcript=transcript,
        ask="How well does the assistant keep its role?",
        schema=SCHEMA,
        name="role",
        token_probabilities=probabilities,
    )


async def with_judge(url: str, calls: int, probabilities: bool) -> dict[str, float]:
    """Ask through Judge; the first question, which opens the connection, is not counted."""
    async with Judge(ModelSettings(base_url=url, model="fake", concurrency=IN_FLIGHT)) as judge:
        await judge.ask(question(-1, probabilities))
        return await _measured(lambda number: judge.ask(question(number, probabilities)), calls)


async def with_sdk(url: str, calls: int, probabilities: bool) -> dict[str, float]:
    """Ask through the openai package alone, as its documentation shows."""
    from openai import AsyncOpenAI

    wanted: dict[str, Any] = {"logprobs": True, "top_logprobs": 20} if probabilities else {}
    form = {"type": "json_schema", "json_schema": {"name": "role", "schema": SCHEMA, "strict": True}}
    limit = asyncio.Semaphore(IN_FLIGHT)
    async with AsyncOpenAI(base_url=url, api_key="none", max_retries=0) as client:

        async def ask(number: int) -> Any:
            async with limit:
                answer = await client.chat.completions.create(
                    model="fake",
                    messages=messages(question(number, probabilities)),  # type: ignore[arg-type]
                    response_format=form,  # type: ignore[arg-type]
                    temperature=0,
                    **wanted,
                )
                return json.loads(answer.choices[0].message.content or "")

        await ask(-1)
        return await _measured(ask, calls)


async def _measured(ask: Callable[[int], Awaitable[Any]], calls: int) -> dict[str, float]:
    cpu, wall = _cpu_seconds(), time.perf_counter()
    await asyncio.gather(*(ask(number) for number in range(calls)))
    return {
        "cpu_ms_per_call": round((_cpu_seconds() - cpu) / calls * 1000, 3),
        "wall_s": round(time.perf_counter() - wall, 3),
    }


def _cpu_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def main() -> None:
    """Start the server, measure in turns, print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("server", type=Path, help="path of fake_judge.py")
    parser.add_argument("--calls", type=int, default=750)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--latency-ms", type=float, default=50)
    parser.add_argument("--probabilities", action="store_true", help="ask for token probabilities too")
    options = parser.parse_args()
    port = _free_port()
    command = [
        sys.executable,
        str(options.server),
        "--port",
        str(port),
        "--latency-ms",
        str(options.latency_ms),
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as server:
        try:
            assert server.stdout is not None
            server.stdout.readline()  # it says when it listens
            url = f"http://127.0.0.1:{port}/v1"
            runs = []
            for _ in range(options.rounds):
                judge = asyncio.run(with_judge(url, options.calls, options.probabilities))
                sdk = asyncio.run(with_sdk(url, options.calls, options.probabilities))
                ratio = round(judge["cpu_ms_per_call"] / sdk["cpu_ms_per_call"], 3)
                runs.append({"judge": judge, "sdk": sdk, "ratio": ratio})
        finally:
            server.terminate()
    print(json.dumps(_report(options, runs), indent=2))


def _report(options: argparse.Namespace, runs: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "machine": {
            "system": platform.platform(),
            "python": platform.python_version(),
            "cpus": os.cpu_count(),
        },
        "calls": options.calls,
        "latency_ms": options.latency_ms,
        "probabilities": options.probabilities,
        "judge_cpu_ms_per_call_median": statistics.median(run["judge"]["cpu_ms_per_call"] for run in runs),
        "sdk_cpu_ms_per_call_median": statistics.median(run["sdk"]["cpu_ms_per_call"] for run in runs),
        "ratio_median": statistics.median(run["ratio"] for run in runs),
        "runs": runs,
    }


if __name__ == "__main__":
    main()
