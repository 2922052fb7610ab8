"""Tests keep what they write to folders of their own, also in programs that they begin."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

_PROGRAM = "from turnwise.conversations.private_files import data_folder; print(data_folder())"


def test_a_program_that_a_test_begins_keeps_nothing_with_whoever_runs_it(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    begun = subprocess.run(
        [sys.executable, "-c", _PROGRAM], env=os.environ, capture_output=True, text=True, check=True
    )
    assert Path(begun.stdout.strip()).is_relative_to(tmp_path_factory.getbasetemp())
