"""Kill commands, or press ctrl+c at them, at random moments: what was lost, doubled or left hanging.

python tests/bench/interrupts_bench.py 30 --only score,import

Each command runs on a database of its own, against a judge or chatbot on loopback that takes 50 ms. A moment
is drawn within the length of an undisturbed run; where the command had ended before it, another is. Lost:
printed and in no row; a reply is printed as it comes, and counts from the end of its line on, which says that
it is kept, and is lost if it is not there when the talk is taken up again. Doubled: a unit
with two outcomes. Cut off: an exported file that is not whole. Early: the press fell before the first line of
turnwise was run, where Python itself answers it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from judge_server import JudgeServer, Request, Step, apart, streams
from judged import answers_all

from turnwise.conversations import ConversationalTestCase, Turn
from turnwise.conversations.recording import Recording
from turnwise.conversations.store import Store

SECONDS_AN_ANSWER = 0.05
LONGEST_END = 5.0
"""Seconds from the last press to the end; what takes longer hangs."""
PROGRAM = "from turnwise.tui.cli.start import main; main()"
LABELLING = """
import sys
from turnwise.tui.cli.main import run
database = sys.argv[2]
for number in range(1, 151):
    if run(["--db", database, "label", str(number), "pass", "--author", "ann"]) == 0:
        print(f"kept {number}", flush=True)
"""
EXPORTING = """
import sys
from turnwise.tui.cli.main import run
for way in ("jsonl", "html", "markdown", "csv", "promptfoo"):
    out = f"{sys.argv[3]}/out.{way}"
    run([*sys.argv[1:3], "export", "--all", "--to", way, "--force", "--output", out])
"""
DOUBLED = (
    "SELECT 1 FROM scores GROUP BY session_id, metric, exchange, case_fingerprint, metric_fingerprint "
    "HAVING count(*) > 1"
)
WAYS = ("kill", "once", "twice", "thrice")


def slowly(request: Request) -> Step:
    """Answer after a while: a judge's question, or a turn of a talk as a stream."""
    event = asyncio.Event()
    asyncio.get_running_loop().call_later(SECONDS_AN_ANSWER, event.set)
    step = streams("Hello, ", "all is ", "well.") if request.body.get("stream") else answers_all(request)
    return replace(step, wait=event)


@dataclass(frozen=True)
class Command:
    """A command that is disturbed. lost: how much it printed that is in no row.

    typed: its standard input. scored: it begins with a database of sessions. ways: how it is disturbed; a
    program that runs several commands itself answers ctrl+c in its own way.
    """

    name: str
    arguments: Callable[[str, Path], list[str]]
    lost: Callable[[list[str], sqlite3.Connection], int]
    typed: str = ""
    scored: bool = False
    program: str = PROGRAM
    ways: tuple[str, ...] = WAYS


def rows(database: sqlite3.Connection, sql: str) -> list[tuple[object, ...]]:
    return [tuple(row) for row in database.execute(sql)]


def objects(lines: list[str]) -> list[dict[str, object]]:
    found = []
    for line in lines:
        try:
            found.append(json.loads(line))
        except ValueError:
            continue  # cut off by the kill
    return found


def lost_scores(lines: list[str], database: sqlite3.Connection) -> int:
    kept = set(rows(database, "SELECT session_id, metric FROM scores"))
    return sum((one["session"], one["metric"]) not in kept for one in objects(lines))


def lost_cases(lines: list[str], database: sqlite3.Connection) -> int:
    kept = {row[0] for row in rows(database, "SELECT id FROM sessions")}
    return sum(one["session"] not in kept for one in objects(lines))


def lost_imports(lines: list[str], database: sqlite3.Connection) -> int:
    kept = {row[0] for row in rows(database, "SELECT id FROM sessions")}
    hidden = rows(database, "SELECT first, last FROM staged_sessions")
    seen = sum(not any(first <= one <= last for first, last in hidden) for one in kept)
    partly = seen not in (0, CONVERSATIONS)
    return int(partly) + sum(number not in kept for one in objects(lines) for number in one["sessions"])


def lost_turns(lines: list[str], database: sqlite3.Connection) -> int:
    """Count the replies that were finished and are not there when the talk is taken up again."""
    file = Path(str(rows(database, "PRAGMA database_list")[0][2]))
    with Store.open(file) as store:
        talks = [Recording.resumed(store, one, target="the same") for one in store.sessions.ids()]
        said = [row.content for talk in talks for row in talk.rows if row.role == "assistant"]
    return max(
        0, sum(line.endswith("well.\n") for line in lines) - sum(one.endswith("well.") for one in said)
    )


def lost_labels(lines: list[str], database: sqlite3.Connection) -> int:
    kept = {row[0] for row in rows(database, "SELECT session_id FROM labels")}
    said = [int(line.split()[1]) for line in lines if line.startswith("kept ") and line.endswith("\n")]
    return sum(number not in kept for number in said)


SESSIONS, CONVERSATIONS, CASES, SAID = 150, 3000, 100, 40
COMMANDS = (
    Command(
        "score",
        lambda url, _: ["score", "--all", "--metric", "role_adherence", "--judge", f"{url}#m", "--json"],
        lost_scores,
        scored=True,
    ),
    Command("import", lambda _, folder: ["import", str(folder / "many.json"), "--json"], lost_imports),
    Command(
        "run",
        lambda url, folder: ["run", str(folder / "suite.json"), "--target", f"{url}#m", "--json"],
        lost_cases,
    ),
    Command(
        "record",
        lambda url, _: ["record", "--plain", "--target", f"{url}#m"],
        lost_turns,
        typed="".join(f"question {number}\n" for number in range(SAID)),
    ),
    Command("label", lambda _, __: [], lost_labels, scored=True, program=LABELLING, ways=("kill",)),
    Command(
        "export",
        lambda _, folder: [str(folder / "exports")],
        lambda _, __: 0,
        scored=True,
        program=EXPORTING,
        ways=("kill",),
    ),
)


def prepare(folder: Path) -> None:
    """Write the files that are imported and run, and the database that is scored."""
    with Store.open(folder / "score.db") as store, store.writing():
        for number in range(SESSIONS):
            turns = [Turn(role="user", content=f"question {number}"), Turn(role="assistant", content="yes")]
            case = ConversationalTestCase(turns=turns, chatbot_role="a clerk")
            store.sessions.add(case, source="bench", format="bench")
    many = [
        {"turns": [{"role": role, "content": f"{role} {number}"} for role in ("user", "assistant")]}
        for number in range(CONVERSATIONS)
    ]
    (folder / "many.json").write_text(json.dumps(many))
    tests = [{"vars": {"q": f"number {number}"}} for number in range(CASES)]
    suite = {
        "prompts": ["{{q}}"],
        "tests": tests,
        "defaultTest": {"assert": [{"type": "contains", "value": "r"}]},
    }
    (folder / "suite.json").write_text(json.dumps(suite))


def begin(command: Command, folder: Path, database: Path, url: str) -> subprocess.Popen[str]:
    if command.scored:
        shutil.copy(folder / "score.db", database)
    environment = {
        **os.environ,
        "OPENAI_API_KEY": "none",
        "XDG_DATA_HOME": str(folder),
        "PYTHONUNBUFFERED": "1",
    }
    typed = folder / f"{command.name}.txt"
    typed.write_text(command.typed)
    with typed.open() as given:
        return subprocess.Popen(
            [sys.executable, "-c", command.program, "--db", str(database), *command.arguments(url, folder)],
            stdin=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
        )


def disturb(process: subprocess.Popen[str], way: str, moment: float, chance: random.Random) -> None:
    time.sleep(moment)
    if way == "kill":
        process.kill()
        return
    for number in range(WAYS.index(way)):
        if number:
            time.sleep(chance.uniform(0.0005, 0.3))
        process.send_signal(signal.SIGINT)


def exported(folder: Path) -> dict[str, int]:
    """Return the sizes of the files that the last command exported, and take all that it left away."""
    found = {file.name: file.stat().st_size for file in (folder / "exports").glob("out.*")}
    shutil.rmtree(folder / "exports", ignore_errors=True)
    (folder / "exports").mkdir()
    return found


def judge_end(command: Command, way: str, process: subprocess.Popen[str], database: Path) -> Counter[str]:
    """Count what came of one try."""
    found: Counter[str] = Counter(tries=1)
    began = time.monotonic()
    try:
        out, err = process.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
        found["hung"] += 1
    found["slow to end"] += way in ("twice", "thrice") and time.monotonic() - began > LONGEST_END
    code = process.returncode
    found["ended before"] += code in (0, 1)
    early = ("Traceback" in err and "turnwise" not in err) or (code == -signal.SIGINT and not err)
    found["early"] += early and way != "kill"
    found["traceback"] += ("Traceback" in err or "Exception ignored" in err) and not early
    found["other code"] += not early and code not in (130, 0, 1, -signal.SIGKILL)
    if found["traceback"] or found["other code"] or found["hung"]:
        print(f"  {way}: code {code}\n{err[-2000:]}", flush=True)
    if database.exists():
        # The next opening keeps what waits beside the database, and takes leftovers away.
        Store.open(database).close()
        with closing(sqlite3.connect(database)) as opened, opened:
            found["lost"] += command.lost(out.splitlines(keepends=True), opened)
            found["doubled"] += len(rows(opened, DOUBLED))
            found["damaged"] += rows(opened, "PRAGMA integrity_check") != [("ok",)]
        opened.close()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("tries", type=int, help="how often each command is disturbed in each way")
    parser.add_argument("--only", default="", help="names of commands, with commas")
    parser.add_argument("--ways", default=",".join(WAYS))
    parser.add_argument("--seed", type=int, default=7)
    chosen = parser.parse_args()
    chance = random.Random(chosen.seed)
    names = chosen.only.split(",") if chosen.only else [command.name for command in COMMANDS]
    with apart(JudgeServer()) as server, tempfile.TemporaryDirectory() as temporary:
        server.default = slowly
        folder = Path(temporary)
        prepare(folder)
        exported(folder)
        for command in COMMANDS:
            if command.name not in names:
                continue
            database = folder / "whole.db"
            began = time.monotonic()
            process = begin(command, folder, database, server.url)
            process.communicate()
            length = time.monotonic() - began
            print(f"{command.name}: undisturbed {length:.1f} s, code {process.returncode}", flush=True)
            database.unlink(missing_ok=True)
            whole = exported(folder)
            for way in filter(command.ways.__contains__, chosen.ways.split(",")):
                found: Counter[str] = Counter()
                while found["tries"] - found["ended before"] < chosen.tries:
                    database = folder / f"{command.name}-{way}-{found['tries']}.db"
                    process = begin(command, folder, database, server.url)
                    disturb(process, way, chance.uniform(0.0, length), chance)
                    # Not with +=, which would leave out what is 0.
                    found.update(judge_end(command, way, process, database))
                    found["cut off"] += not exported(folder).items() <= whole.items()
                    for file in folder.glob(f"{database.name}*"):
                        file.unlink()
                told = ", ".join(f"{what} {number}" for what, number in found.items())
                print(f"  {way}: {told}", flush=True)


if __name__ == "__main__":
    main()
