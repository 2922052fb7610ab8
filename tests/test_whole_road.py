"""The whole road on real parts: a file, a real model behind a real server, SQLite, scores, replay."""

import json
import os
import shutil
import subprocess
import sys

import pytest
from model_fixture import find_or_pull_small_model

from turnwise.conversations.store import Store

COMMAND = "from turnwise.tui.cli.main import main; main()"
CASES = [
    {
        "name": name,
        "chatbot_role": "A florist",
        "turns": [
            {"role": "user", "content": "Have you got red tulips?"},
            {"role": "assistant", "content": reply},
        ],
    }
    for name, reply in [("good", "Yes, ten for nine coins."), ("bad", "I am a language model.")]
]


def turnwise(database, *arguments):
    return subprocess.run(
        [sys.executable, "-c", COMMAND, "--db", str(database), *arguments],
        env={name: value for name, value in os.environ.items() if not name.startswith("OPENAI_")},
        capture_output=True,
        check=False,
    )


@pytest.mark.model
def test_a_file_is_judged_by_a_real_model_kept_and_replayed_without_it(tmp_path):
    pytest.importorskip("xllamacpp")
    database, file = tmp_path / "t.db", tmp_path / "cases.json"
    file.write_text(json.dumps(CASES))
    assert turnwise(database, "import", str(file)).returncode == 0

    metrics = ["role_adherence", "answer_relevancy", "conversational_geval:The florist is friendly."]
    score = ["score", "--all", "--json", *(word for name in metrics for word in ("--metric", name))]
    ran = turnwise(database, *score, "--judge", str(find_or_pull_small_model()))
    rows = [json.loads(line) for line in ran.stdout.splitlines()]
    assert len(rows) == 6, ran.stderr.decode()
    assert {row["outcome"] for row in rows} <= {"score", "failure"}
    assert all(row["reason"] for row in rows)
    assert all(0 <= row["score"] <= 1 for row in rows if row["outcome"] == "score")

    with Store.open(database) as store:
        kept = [store.calls.get(key) for scored in store.scores.of(1) for key in scored.calls]
    assert kept
    assert all(call.reply and call.usage["prompt_tokens"] > 50 for call in kept)
    # Whether this smallest of models ends a reply is another matter; its token probabilities are looked at
    # where it is asked for a score alone, in test_judge_with_model.py.

    # The model is gone: what was judged is judged no more, and is played again to the byte.
    first = turnwise(database, "replay", "1", "--json").stdout
    copy = tmp_path / "copy.db"
    shutil.copy(database, copy)
    assert first
    assert first == turnwise(copy, "replay", "1", "--json").stdout
    assert "role_adherence" in first.decode()
