"""The process that runs JavaScript. It is started by its path, and imports nothing of ours.

Each line on standard input is a call: `mark`, `program` (a function of a text), `given` (that text), `memory`
(bytes that the values of the script may hold) and `longest` (characters of what it may give back). Each reply
is one line. A first call without a program sets the limit of the process.

All memory counts: that of the engine's values, of its buffers and of what is copied out of it. Where the
system can refuse memory, it does; everywhere the most that was held is watched.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
import threading
import time
from pathlib import Path
from typing import IO, Any

import py_mini_racer

_BESIDES = 160 * 1024 * 1024
"""Bytes that may be held besides the values of a script: its text, what it gives back, and copies of both."""
_LOOK_AGAIN = 0.02
_TOO_MUCH = 86


def main() -> None:
    """Answer calls until whoever asks is gone."""
    calls = os.fdopen(os.dup(0), "rb")
    replies = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    # Where the engine runs out of memory it prints a trace, which helps nobody.
    os.dup2(nothing, 2)
    waiting: list[bytes] = []
    came = threading.Semaphore(0)
    threading.Thread(target=_listen, args=(calls, waiting, came), daemon=True).start()
    with asyncio.Runner() as runner:
        while came.acquire():
            call = json.loads(waiting.pop(0))
            reply = runner.run(_answered(call)) if "program" in call else _limited(runner, call["memory"])
            replies.write(f"{call['mark']} {json.dumps(reply)}\n".encode())
            replies.flush()


def _listen(calls: IO[bytes], waiting: list[bytes], came: threading.Semaphore) -> None:
    """Take calls in, and end this process when no more can come: a script in a loop would go on for ever."""
    for line in calls:
        waiting.append(line)
        came.release()
    os._exit(0)


def _limited(runner: asyncio.Runner, memory: int) -> dict[str, Any]:
    """Load the engine, and allow this process so much more memory than it holds now."""
    runner.run(_evaluated("1", memory, 10))
    most = memory + _BESIDES
    if sys.platform == "linux":
        import resource

        # Not RLIMIT_AS: the engine reserves a terabyte of addresses, and fills them as it needs.
        held = re.search(r"VmData:\s*(\d+) kB", Path("/proc/self/status").read_text(encoding="ascii"))
        limit = int(held[1]) * 1024 + most if held else resource.RLIM_INFINITY
        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    threading.Thread(target=_watch, args=(_most_held() + most,), daemon=True).start()
    return {"value": True}


def _watch(most: int) -> None:
    while _most_held() < most:
        time.sleep(_LOOK_AGAIN)
    os._exit(_TOO_MUCH)


def _most_held() -> int:
    """Return the most bytes of memory that this process has held at any time."""
    if sys.platform == "linux":
        # What the system counts as the most includes the process that this one was started from.
        held = re.search(r"VmHWM:\s*(\d+) kB", Path("/proc/self/status").read_text(encoding="ascii"))
        if held:
            return int(held[1]) * 1024
    if sys.platform != "win32":
        import resource

        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most if sys.platform == "darwin" else most * 1024
    import ctypes
    from ctypes import wintypes

    class Counters(ctypes.Structure):
        _fields_ = (
            ("cb", wintypes.DWORD),
            ("faults", wintypes.DWORD),
            *(
                (name, ctypes.c_size_t)
                for name in ("PeakWorkingSetSize", "WorkingSetSize", "a", "b", "c", "d")
            ),
            ("PagefileUsage", ctypes.c_size_t),
            ("PeakPagefileUsage", ctypes.c_size_t),
        )

    counters = Counters(cb=ctypes.sizeof(Counters))
    process = ctypes.windll.kernel32.GetCurrentProcess()
    ctypes.windll.psapi.GetProcessMemoryInfo(process, ctypes.byref(counters), counters.cb)
    return int(counters.PeakWorkingSetSize)


async def _answered(call: dict[str, Any]) -> dict[str, Any]:
    program = f"{call['program']}({json.dumps(call['given'])})"
    try:
        return {"value": await _evaluated(program, call["memory"], call["longest"])}
    except py_mini_racer.JSOOMException:
        return {"value": {"told": f"took more than {call['memory'] // 2**20} MB"}}
    except (py_mini_racer.JSEvalException, py_mini_racer.JSPromiseError) as error:
        return {"error": str(error)[:500] or "an error without words"}


async def _evaluated(program: str, memory: int, longest: int) -> Any:
    engine = py_mini_racer.MiniRacer()
    try:
        engine.set_hard_memory_limit(memory)
        await engine.eval_cancelable(program)
        found = await engine.eval_cancelable(
            f"(t => typeof t === 'string' && t.length > {longest} ? t.length : t)"
            "(JSON.stringify(globalThis.__state))"
        )
    finally:
        engine.close()
    if isinstance(found, int | float) or (isinstance(found, str) and len(found) > longest):
        return {"told": f"gave back more than {longest:,} characters"}
    return found if isinstance(found, str) else None


if __name__ == "__main__":
    main()
