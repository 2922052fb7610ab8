"""Whether a simulation is the same again, and goes on after it was killed, with a real small model.

    python tests/bench/simulation_bench.py [--scenarios 50] [--at-once 2] [--turns 2] [--threads N]
                                           [--model FILE.gguf] [--folder FOLDER]

SmolLM2 plays the users and is the chatbot. Three databases: one is played to its end; another with the same
seed, to be equal but for times; a third is killed (SIGKILL) when a third of it is done, and goes on. Prints
one JSON object: seconds, how many sessions differ, which scenarios left no session and why, and how many
calls the last one made after the kill that had been answered before it. With a folder the databases stay in
it. On a machine that does other work as well, one thread a model (`--threads 1`) is many times as fast as
one a processor, since threads that share a step wait for the last of them.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

LONGEST_REPLY = 24
WANTS = ("the opening hours", "a table for two", "a refund", "the way to the station", "a new password")
WHO = ("a baker", "a student", "a nurse", "a grandfather", "a tourist", "a clerk", "a teacher")


def scenarios(count: int, turns: int) -> Any:
    """Return so many scenarios: who asks for what, every fifth by a script."""
    from turnwise.conversations.scenarios import Scenario, ScriptRule, UserScript

    rules = (ScriptRule(when="", say=("Please say it again.", "And what else?", "Are you sure?"), times=1),)
    return [
        Scenario(
            name=f"talk {number}",
            persona=f"{WHO[number % len(WHO)]}, number {number}",
            goal=f"Get {WANTS[number % len(WANTS)]}",
            manner="One short sentence.",
            begin=f"Hello, I want {WANTS[number % len(WANTS)]}." if number % 2 else "",
            script=UserScript(lines=("Hello.", "Thanks."), rules=rules) if number % 5 == 0 else None,
            max_turns=turns,
        )
        for number in range(count)
    ]


async def play(database: Path, model_file: str, count: int, at_once: int, turns: int) -> None:
    """Play all into a database, and print a line for each that ends."""
    from turnwise.conversations.store import Store
    from turnwise.engine.chatbots.targets import Target
    from turnwise.engine.judge.evidence import StoredCallBook
    from turnwise.engine.judge.judge import Judge
    from turnwise.engine.models.embedded.provider import embedded_model
    from turnwise.engine.simulating import USER_TEMPERATURE, Simulation

    settings = embedded_model(model_file)
    assert settings is not None
    seeded = replace(settings, seed=11)
    user = replace(seeded, temperature=USER_TEMPERATURE)
    with Store.open(database) as store:
        async with (
            Target(seeded, longest_reply=LONGEST_REPLY) as target,
            Judge(user, StoredCallBook(store)) as model,
        ):
            simulation = Simulation(store, target, model, seed=11)
            async for one in simulation.sessions(scenarios(count, turns), at_once=at_once):
                print(json.dumps(one.data()), flush=True)


def told(database: Path) -> dict[str, Any]:
    """Return what every session says, by its scenario, without times."""
    from turnwise.conversations.store import Store

    found = {}
    with Store.open(database) as store:
        for session in store.sessions.ids():
            case = store.sessions.case(session)
            for turn in case.turns:
                turn.latency_ms = None
            found[case.metadata["simulation"]["scenario"]] = case.data()
    return found


def calls(database: Path) -> list[str]:
    """Return the keys of the calls that are kept."""
    from turnwise.conversations.store import Store

    with Store.open(database) as store:
        return [row[0] for row in store._database.connection.execute("SELECT key FROM calls ORDER BY id")]


def started(database: Path, chosen: argparse.Namespace) -> subprocess.Popen[str]:
    """Begin to play in a process of its own."""
    command = [sys.executable, __file__, "--play", str(database), "--model", chosen.model]
    numbers = ["--scenarios", chosen.scenarios, "--at-once", chosen.at_once, "--turns", chosen.turns]
    return subprocess.Popen(
        [*command, *map(str, numbers), "--threads", str(chosen.threads)], stdout=subprocess.PIPE, text=True
    )


def rows_of(out: str) -> list[dict[str, Any]]:
    """Return what was printed of each scenario."""
    return [json.loads(line) for line in out.splitlines()]


def measured(folder: Path, chosen: argparse.Namespace) -> dict[str, Any]:
    """Play three times, once with a kill in between."""
    first, second, third = (folder / f"{name}.db" for name in ("first", "second", "third"))
    seconds, played = [], []
    for database in (first, second):
        began = time.monotonic()
        played.append(rows_of(started(database, chosen).communicate()[0]))
        seconds.append(round(time.monotonic() - began, 1))
        print(f"{database.name}: {len(played[-1])} scenarios in {seconds[-1]} s", file=sys.stderr, flush=True)
    process = started(third, chosen)
    for _ in range(max(chosen.scenarios // 3, 1)):
        process.stdout.readline()  # type: ignore[union-attr]
    process.kill()
    process.communicate()
    before = calls(third)
    out, _ = started(third, chosen).communicate()
    rows = rows_of(out)
    after = calls(third)
    one, other, gone_on = map(told, (first, second, third))
    return {
        "scenarios": chosen.scenarios,
        "sessions": [len(one), len(other), len(gone_on)],
        "seconds": seconds,
        "left_no_session": [
            [row["scenario"], row["failed"], row["why"]]
            for row in (*played[0], *played[1], *rows)
            if row["session"] is None
        ],
        "differ_with_the_same_seed": sum(one[name] != other.get(name) for name in one),
        "differ_after_a_kill": sum(one[name] != gone_on.get(name) for name in one),
        "finished_before_the_kill": sum(row["kept"] for row in rows),
        "answered_calls_asked_again": len(after) - len(set(after)),
        "calls": [len(before), len(after)],
        "ended": sorted({case["metadata"]["simulation"]["ended"] for case in one.values()}),
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--scenarios", type=int, default=50)
    parser.add_argument("--at-once", type=int, default=2)
    parser.add_argument("--turns", type=int, default=2)
    parser.add_argument("--threads", type=int, default=0, help="of each model; 0 for one a processor")
    parser.add_argument("--model", default="")
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--play", type=Path, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if not chosen.model:
        from model_fixture import find_or_pull_small_model

        chosen.model = str(find_or_pull_small_model())
    if chosen.play is not None:
        if chosen.threads:
            from turnwise.engine.models.embedded import server

            server._processor_count = lambda: chosen.threads
        asyncio.run(play(chosen.play, chosen.model, chosen.scenarios, chosen.at_once, chosen.turns))
        return
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(measured(chosen.folder or Path(folder), chosen), indent=1))


if __name__ == "__main__":
    main()
