"""Importing the judge is cheap: what is heavy is loaded by the first call that needs it."""

from __future__ import annotations

import subprocess
import sys

CODE = """
import sys
import turnwise.engine.judge.judge, turnwise.engine.models.choose
heavy = {"anthropic", "openai", "httpx2", "httpx", "json_repair", "genai_prices", "xllamacpp", "textual"}
heavy.add("pydantic")
print(sorted(heavy & set(sys.modules)))
"""


def test_nothing_heavy_is_imported_with_it():
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
