"""What the recording proxy adds to a call, and whether it changes a byte.

    python tests/bench/proxy_bench.py [--calls 500] [--together 16] [--thinks 200]

Runs a stand-in for a server of models and `turnwise proxy` as processes of their own. Every call is made
twice by itself, straight and through the proxy, in turns, and as many again with several under way at once;
half of them are streamed, a third call a tool. The stand-in thinks before it answers, so many milliseconds
and up to a half more or less, the same for the same question; with none, calls at once wait for the processor
and not for a model. Prints one JSON object: milliseconds that the proxy added to the same call at p50, p95
and p99, how many answers were not the same bytes, and how many sessions there are.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from threading import local
from urllib.parse import urlsplit

SUPPORT = Path(__file__).parents[1] / "support"
SERVE = """
from parrot_server import ParrotServer
server = ParrotServer(thinks={thinks})
print(server.address, flush=True)
server.serve_forever()
"""
COMMAND = "from turnwise.tui.cli.main import main; main()"
_connections = local()


def ask(address: str, number: int) -> tuple[float, bytes]:
    """Make one call on a connection that is kept; return its seconds and its bytes."""
    parts = urlsplit(address)
    held = _connections.__dict__.setdefault("held", {})
    connection = held.setdefault(address, http.client.HTTPConnection(str(parts.hostname), parts.port))
    words = f"please call {number}" if number % 3 == 0 else f"number {number}"
    body = {"model": "parrot", "messages": [{"role": "user", "content": words}], "stream": number % 2 == 0}
    began = time.perf_counter()
    connection.request(
        "POST", parts.path + "/v1/chat/completions", json.dumps(body), {"Content-Type": "application/json"}
    )
    said = connection.getresponse().read()
    return time.perf_counter() - began, said


def figures(straight: list[float], through: list[float]) -> dict[str, float]:
    """Return what was added to each call, in milliseconds."""
    cuts = {"p50": 49, "p95": 94, "p99": 98}
    added = statistics.quantiles(
        [after - before for before, after in zip(straight, through, strict=True)], n=100
    )
    return {name: round(added[place] * 1000, 2) for name, place in cuts.items()}


def measured(straight: str, through: str, calls: int, together: int) -> dict[str, object]:
    """Make the calls one after the other, then several at once."""
    alone: tuple[list[float], list[float]] = ([], [])
    differing = 0
    for number in range(calls):
        found = [ask(address, number) for address in (straight, through)]
        differing += found[0][1] != found[1][1]
        for times, (seconds, _) in zip(alone, found, strict=True):
            times.append(seconds)
    several = []
    with ThreadPoolExecutor(together) as pool:
        for address in (straight, through):
            asked = partial(ask, address)
            several.append(list(pool.map(asked, range(calls, 2 * calls))))
    differing += sum(one[1] != other[1] for one, other in zip(*several, strict=True))
    at_once = [[seconds for seconds, _ in one] for one in several]
    return {
        "calls": 2 * calls,
        "answers_that_differ": differing,
        "added_ms_one_at_a_time": figures(*alone),
        f"added_ms_{together}_at_once": figures(*at_once),
        "straight_ms_p50": [round(statistics.median(one) * 1000, 2) for one in (alone[0], at_once[0])],
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--calls", type=int, default=500)
    parser.add_argument("--together", type=int, default=16)
    parser.add_argument("--thinks", type=int, default=0, help="milliseconds")
    chosen = parser.parse_args()
    environment = {**os.environ, "PYTHONPATH": str(SUPPORT)}
    with tempfile.TemporaryDirectory() as folder:
        database = str(Path(folder) / "t.db")
        server = subprocess.Popen(
            [sys.executable, "-c", SERVE.format(thinks=chosen.thinks / 1000)],
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )
        upstream = server.stdout.readline().strip()  # type: ignore[union-attr]
        command = [sys.executable, "-c", COMMAND, "--db", database, "proxy", "--upstream", f"{upstream}/v1"]
        proxy = subprocess.Popen(
            [*command, "--port", "0", "--json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        address = json.loads(proxy.stdout.readline())["address"].removesuffix("/v1")  # type: ignore[union-attr]
        time.sleep(0.5)
        try:
            found = measured(upstream, address, chosen.calls, chosen.together)
        finally:
            proxy.send_signal(signal.SIGINT)
            told, _ = proxy.communicate(timeout=60)
            server.kill()
            server.wait()
    events = [json.loads(line) for line in told.splitlines()]
    sessions = {event["session"] for event in events if event["event"] == "taken"}
    print(json.dumps({**found, "sessions": len(sessions), "not_kept": events[-1]["not_kept"]}, indent=1))


if __name__ == "__main__":
    main()
