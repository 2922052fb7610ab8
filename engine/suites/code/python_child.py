"""The process that runs one Python script of a suite. It is started by its path, and imports nothing of ours.

Each line on standard input is a call: `mark`, and either `path`, `source`, `function` (or the `defaults` to
look for) and `arguments`, or `body` and `names` for code written into the suite. Each reply is one line,
with the seconds that a function took.
"""

from __future__ import annotations

import asyncio
import dataclasses
import inspect
import json
import os
import queue
import signal
import sys
import textwrap
import threading
import time
import traceback
import types
from typing import IO, Any


def main() -> None:
    """Answer calls until whoever asks is gone."""
    calls = os.fdopen(os.dup(0), "rb")
    replies = os.fdopen(os.dup(1), "wb")
    # What a script reads is empty, and what it prints goes where people look for it.
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    modules: dict[str, tuple[str, types.ModuleType]] = {}
    waiting: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(calls, waiting), daemon=True).start()
    while True:
        call = json.loads(waiting.get())
        try:
            reply = _answered(call, modules)
            written = json.dumps(reply, default=_plain)
        except (KeyboardInterrupt, GeneratorExit):
            raise
        except BaseException as error:  # a script that calls exit() has failed like any other
            written = json.dumps({"error": _told(error)})
        sys.stdout.flush()
        replies.write(f"{call['mark']} {written}\n".encode())
        replies.flush()


def _listen(calls: IO[bytes], waiting: queue.SimpleQueue[bytes]) -> None:
    """Take calls in, and end this process with its children when no more can come."""
    for line in calls:
        waiting.put(line)
    # A script in the middle of a call would go on alone, for nobody.
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(os.getpid(), signal.SIGKILL)
    os._exit(0)


def _answered(call: dict[str, Any], modules: dict[str, tuple[str, types.ModuleType]]) -> dict[str, Any]:
    if "body" in call:
        return _reply(_written(call["body"], call["names"]))
    try:
        module = _module(call["path"], call["source"], modules)
        function = _function(module, call)
    except Exception as error:  # a script may throw whatever it likes while it is loaded
        return {"error": _told(error), "lost": True}
    arguments = call["arguments"]
    if call.get("fit"):
        arguments = _fitted(function, arguments)
    began = time.perf_counter()
    reply = _reply(function(*arguments))
    return {**reply, "seconds": time.perf_counter() - began}


def _reply(value: Any) -> dict[str, Any]:
    if inspect.isawaitable(value):
        value = asyncio.run(_awaited(value))
    return {"value": value}


async def _awaited(value: Any) -> Any:
    return await value


def _written(body: str, names: dict[str, Any]) -> Any:
    """Return what code in a suite gives: an expression's value, or what several lines return."""
    lines = body if "\n" in body else f"return {body}"
    source = f"import json\ndef main({', '.join(names)}):\n{textwrap.indent(lines, '    ', lambda _: True)}\n"
    namespace: dict[str, Any] = {"__name__": "suite"}
    exec(compile(source, "<suite>", "exec"), namespace)  # noqa: S102 - this is what the process is for
    return namespace["main"](*names.values())


def _module(path: str, source: str, modules: dict[str, tuple[str, types.ModuleType]]) -> types.ModuleType:
    if path in modules and modules[path][0] == source:
        return modules[path][1]
    folder, file = os.path.split(path)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    module = types.ModuleType(file.rpartition(".")[0])
    module.__file__ = path
    # Classes of the script look their module up by its name.
    sys.modules.setdefault(module.__name__, module)
    exec(compile(source, path, "exec"), module.__dict__)  # noqa: S102 - this is what the process is for
    modules[path] = (source, module)
    return module


def _function(module: types.ModuleType, call: dict[str, Any]) -> Any:
    for name in [call["function"]] if call["function"] else call["defaults"]:
        found: Any = module
        for part in name.split("."):
            found = getattr(found, part, None)
        if callable(found):
            return found
    wanted = call["function"] or " or ".join(call["defaults"])
    own = [
        name
        for name, item in vars(module).items()
        if inspect.isfunction(item) and item.__module__ == module.__name__ and not name.startswith("_")
    ]
    if call.get("only") and not call["function"] and len(own) == 1:
        return getattr(module, own[0])
    raise AttributeError(f"there is no function {wanted} in it; there is {', '.join(own) or 'none'}")


def _fitted(function: Any, arguments: list[Any]) -> list[Any]:
    """Return what a plain callable is given: messages where it asks for them, else the prompt."""
    prompt, messages, *rest = arguments
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return [prompt]
    wanted = [one for one in parameters if one.default is one.empty and one.kind in (0, 1)]
    if function.__name__ == "call_api" or len(wanted) > 1:
        return [prompt, *rest][: max(len(wanted), 1)] if len(wanted) <= 3 else [prompt, *rest]
    return [messages if parameters and parameters[0].name == "messages" else prompt]


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.asdict(value)
    for name in ("tolist", "model_dump", "item"):
        method = getattr(value, name, None)
        if callable(method):
            return method()
    return list(value) if isinstance(value, set | frozenset | tuple) else str(value)


def _told(error: BaseException) -> str:
    place = next(
        (
            f" (line {frame.lineno} of {os.path.split(frame.filename)[1]})"
            for frame in reversed(traceback.extract_tb(error.__traceback__))
            if frame.filename != __file__
        ),
        "",
    )
    return f"{type(error).__name__}: {error}{place}"


if __name__ == "__main__":
    main()
