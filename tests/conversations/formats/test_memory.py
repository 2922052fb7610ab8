"""A file of any size is read in the same memory."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

_STATUS = Path("/proc/self/status")
# Not getrusage: its peak begins with that of the process that started this one.
_READ = """
import re, sys
from pathlib import Path
from turnwise.conversations.formats import load
count = sum(1 for _ in load(Path(sys.argv[1])))
print(count, *re.findall(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text()))
"""


def _conversations(count: int, *, as_list: bool) -> str:
    text = json.dumps(
        {"turns": [{"role": "user", "content": "question " * 200}, {"role": "assistant", "content": ""}]}
    )
    return f"[{','.join([text] * count)}]" if as_list else "\n".join([text] * count)


def _peak(path: Path) -> tuple[int, int]:
    done = subprocess.run(
        [sys.executable, "-c", _READ, str(path)], capture_output=True, text=True, check=True
    )
    count, peak = done.stdout.split()
    return int(count), int(peak)


@pytest.mark.skipif(not _STATUS.exists(), reason="peak memory is asked for in the way of Linux")
@pytest.mark.parametrize("as_list", [False, True])
def test_six_times_the_file_takes_no_more_memory(tmp_path: Path, as_list: bool) -> None:
    path = tmp_path / ("a.json" if as_list else "a.jsonl")
    peaks = []
    for count in (5_000, 32_000):
        path.write_text(_conversations(count, as_list=as_list))
        read, peak = _peak(path)
        assert read == count
        peaks.append(peak)
    assert peaks[1] < 1.3 * peaks[0]
