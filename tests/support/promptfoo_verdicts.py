"""Cases that promptfoo itself has answered once: what it was given, and what it said.

A case is a YAML file: `about`, its `files` with promptfooconfig.yaml, the `environment` that promptfoo saw,
what the `judge` replies by what it is asked (and whether the file names it as its `own_judge`), whether the
files hold `code`, what each test comes out as `strictly` where that is otherwise, and `promptfoo`, its
verdicts row by row.

    python tests/support/promptfoo_verdicts.py "node .../promptfoo/dist/src/entrypoint.js" CASE.yaml...

asks promptfoo anew and writes its verdicts into the files.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import yaml

CASES = Path(__file__).parents[1] / "engine" / "suites" / "parity"
_MARK = "\npromptfoo:\n"
_QUIET = ("DISABLE_TELEMETRY", "DISABLE_UPDATE", "DISABLE_REMOTE_GENERATION", "DISABLE_ERROR_LOG")


@dataclass(frozen=True, slots=True)
class ParityCase:
    """One case. rows: promptfoo's, in order. strictly: the words of the tests that come out otherwise."""

    name: str
    about: str
    files: Mapping[str, str]
    rows: list[Mapping[str, Any]]
    environment: Mapping[str, str] = field(default_factory=dict)
    judge: list[Mapping[str, str]] = field(default_factory=list)
    own_judge: bool = False
    code: bool = False
    target: str = ""
    strictly: Mapping[int, str] = field(default_factory=dict)

    def write(self, folder: Path) -> Path:
        """Write the files of the case, and return its configuration."""
        for name, text in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return folder / "promptfooconfig.yaml"

    def reply(self, question: str) -> str:
        """Return what the judge of the case replies to a question."""
        return next(one["reply"] for one in self.judge if one.get("if", "") in question)


def case_of(path: Path) -> ParityCase:
    """Return the case of a file."""
    found = yaml.safe_load(path.read_text(encoding="utf-8"))
    found["rows"] = found.pop("promptfoo", [])
    return ParityCase(name=path.stem, **found)


def cases() -> list[ParityCase]:
    """Return all cases, by name."""
    return [case_of(path) for path in sorted(CASES.glob("*.yaml"))]


def ask(command: list[str], case: ParityCase) -> list[dict[str, Any]]:
    """Return what promptfoo says of a case, row by row."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        case.write(folder)
        words = [
            *command,
            "eval",
            "-c",
            "promptfooconfig.yaml",
            "-o",
            "found.json",
            "--no-cache",
            "--no-table",
        ]
        words += ["--no-progress-bar", "-j", "1"]
        if case.target:
            words += ["-r", case.target]
        own = {f"PROMPTFOO_{name}": "true" for name in _QUIET}
        own |= {"PROMPTFOO_CONFIG_DIR": f"{made}/home", "PROMPTFOO_PYTHON": sys.executable}
        with _judge(case) as address:
            if case.judge:
                words += [] if case.own_judge else ["--grader", "openai:chat:judge"]
                own |= {"OPENAI_API_KEY": "none", "OPENAI_BASE_URL": address}
            environment = {**os.environ, **own, **case.environment}
            done = subprocess.run(
                words, cwd=folder, env=environment, capture_output=True, text=True, check=False
            )
        if not (folder / "found.json").is_file():
            print(done.stdout[-1500:], done.stderr[-1500:])
            return []
        found = json.loads((folder / "found.json").read_text())["results"]["results"]
        rows = sorted(found, key=lambda row: (row["testIdx"], row["promptIdx"]))
        return [_row(row, made) for row in rows]


@contextmanager
def _judge(case: ParityCase) -> Iterator[str]:
    """Serve what the judge of a case replies, and yield the address."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            question = "\n".join(str(message["content"]) for message in asked["messages"])
            message = {"role": "assistant", "content": case.reply(question)}
            body = json.dumps({"choices": [{"message": message, "finish_reason": "stop"}]}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *told: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/v1"
        server.shutdown()


def _row(row: Mapping[str, Any], folder: str) -> dict[str, Any]:
    graded = row.get("gradingResult") or {}
    checks = [[one["pass"], one["score"]] for one in graded.get("componentResults") or ()]
    told = {
        "test": row["testIdx"],
        "prompt": row["promptIdx"],
        "label": row["prompt"]["label"].replace(f"{folder}/", ""),
        "asked": row["prompt"]["raw"],
        "answer": (row.get("response") or {}).get("output"),
        "pass": row["success"],
        "error": row["failureReason"] == 2,
        "score": row["score"],
        "named": row["namedScores"] or {},
        "checks": checks,
    }
    return json.loads(json.dumps(told))


def main() -> None:
    """Ask for the verdicts of the cases that are named."""
    command = shlex.split(sys.argv[1])
    for name in sys.argv[2:]:
        path = Path(name)
        if not (rows := ask(command, case_of(path))):
            continue
        given = path.read_text(encoding="utf-8").partition(_MARK)[0].rstrip()
        told = yaml.safe_dump(rows, allow_unicode=True, sort_keys=False, width=1000, default_flow_style=None)
        path.write_text(f"{given}{_MARK}{told}", encoding="utf-8")
        print(path.stem, [(row["pass"], row["error"], row["score"]) for row in rows])


if __name__ == "__main__":
    main()
