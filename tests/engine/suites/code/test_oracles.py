"""promptfoo's own verdicts on checks in Python, with trust."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from shared_data import SHARED

from turnwise.conversations.suites import Check, SuiteCase
from turnwise.engine.suites import Answer
from turnwise.engine.suites.code import SuiteCode
from turnwise.engine.suites.code.checks import settled

ORACLES = SHARED / "oracles" / "promptfoo"
FEWEST = 10

pytestmark = [
    pytest.mark.fixtures,
    pytest.mark.skipif(not ORACLES.is_dir(), reason="the folder ../shared/oracles is not here"),
]


def verdicts() -> list[tuple[str, dict[str, Any], dict[str, Any], dict[str, Any]]]:
    """Every check in Python that stands in a configuration, with its row and what promptfoo found."""
    listed = []
    for path in sorted(ORACLES.rglob("*.json")):
        data = json.loads(path.read_text())
        for row in data.get("rows", []) if isinstance(data, dict) else []:
            checks = [check for check in row["assert"] or [] if check["type"] == "python"]
            found = [component for component in row["components"] or [] if component["type"] == "python"]
            name = f"{path.relative_to(ORACLES)} {row['testIdx']}.{row['promptIdx']}"
            pairs = zip(checks, found, strict=False) if len(checks) == len(found) else ()
            listed += [
                (name, row, check, theirs) for check, theirs in pairs if "file://" not in str(check["value"])
            ]
    return listed


async def test_python_says_what_it_said_there(tmp_path: Path) -> None:
    different, checked = {}, verdicts()
    (tmp_path / "suite.yaml").write_text("")
    with closing(SuiteCode(tmp_path / "suite.yaml", trusted=True)) as code:
        for name, row, written, theirs in checked:
            check = Check(
                type="python",
                value=written["value"],
                threshold=written.get("threshold"),
                config=written.get("config", {}),
            )
            said = row["prompt"] if row.get("output") is None else row["output"]
            answer = Answer(output=said, prompt=row["prompt"], vars=row["vars"])
            ready = await settled([check], answer, SuiteCase(index=0, vars=row["vars"]), code)
            ours = ready.found[id(ready.checks[0])]
            if (ours.passed, ours.score) != (theirs["pass"], pytest.approx(theirs["score"], abs=1e-6)):
                different[name] = (ours.passed, ours.score, ours.reason, theirs)
    assert len(checked) >= FEWEST
    assert different == {}
