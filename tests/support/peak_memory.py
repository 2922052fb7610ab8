"""How much memory a process has held at most."""

from __future__ import annotations

import resource
import sys
from pathlib import Path


def most_memory() -> int:
    """Return the bytes that this process, or the largest child that it saw end, has held at most.

    On Linux the kernel counts a new process from what it was forked from, which may be a process of tests
    with far more; what it has held since is told elsewhere.
    """
    children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    if sys.platform == "darwin":
        return max(children, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    status = Path("/proc/self/status").read_text()
    own = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM"))
    return max(children, own) * 1024
