import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from turnwise.engine.models.embedded.pull import FileLock


def test_one_at_a_time_has_it_and_leaving_gives_it_back(tmp_path: Path) -> None:
    path = tmp_path / "x.lock"
    with FileLock(path) as first, FileLock(path) as second:
        assert first.try_acquire()
        assert not second.try_acquire()
    with FileLock(path) as third:
        assert third.try_acquire()


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_a_killed_holder_has_it_no_longer(tmp_path: Path) -> None:
    path = tmp_path / "x.lock"
    code = (
        "import sys, time, pathlib\n"
        "from turnwise.engine.models.embedded.pull import FileLock\n"
        "with FileLock(pathlib.Path(sys.argv[1])) as lock:\n"
        "    print(lock.try_acquire(), flush=True)\n"
        "    time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE) as holder:
        assert holder.stdout
        assert holder.stdout.readline().strip() == b"True"
        with FileLock(path) as lock:
            assert not lock.try_acquire()
            os.kill(holder.pid, signal.SIGKILL)
            holder.wait()
            assert lock.try_acquire()
