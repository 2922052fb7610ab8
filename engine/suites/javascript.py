"""JavaScript that a suite brings, run where it can reach nothing: no files, no network, no terminal.

Each script gets a fresh engine, so that none sees what another left; time and memory are limited.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from turnwise.conversations.errors import SettingError
from turnwise.engine.suites.answer import Answer
from turnwise.engine.suites.packages import package

SECONDS = 5.0
"""How long one script may run."""
MEMORY = 128 * 1024 * 1024
"""How many bytes one script may hold."""
_LONGEST_INPUT = 20_000_000
_DECLARATION = re.compile(r"(?:const|let|var)\s")

_RUN = """
(function (text) {
  const given = JSON.parse(text);
  const state = {};
  globalThis.__state = state;
  const fail = (error) => {
    state.error = String((error && error.message) || error);
    state.kind = "error";
  };
  const done = (value) => {
    if (value === undefined) { state.kind = "undefined"; return; }
    state.kind = "value";
    state.type = typeof value;
    state.value = (typeof value === "number" && !Number.isFinite(value)) ? null : value;
  };
  const body = (code, mode) => {
    if (mode === "whole") return code;
    for (let end = code.length - 1; mode === "declared" && end >= 0; end--) {
      if (code[end] !== ";" || !code.slice(end + 1).trim()) continue;
      const attempt = code.slice(0, end + 1) + " return (" + code.slice(end + 1).trim() + "\\n)";
      try { new Function(code.slice(0, end + 1)); new Function(attempt); return attempt; } catch (error) {}
    }
    return mode === "declared" ? code : "return " + code;
  };
  try {
    const script = new Function(...given.names, body(given.code, given.mode));
    const result = script(...given.values);
    if (result && typeof result.then === "function") result.then(done, fail); else done(result);
  } catch (error) { fail(error); }
})
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Returned:
    """What a script gave back: plain data, or nothing (missing). error: what it threw."""

    value: Any = None
    missing: bool = False
    error: str = ""


def run_check_script(code: str, answer: Answer, config: Mapping[str, Any] | None = None) -> Returned:
    """Run the body or expression of a check over `output` and `context`.

    Raises NotFoundError where no engine is installed, SettingError where time or memory run out.
    """
    source = code.rstrip()
    if "\n" in source:
        mode = "whole"
    else:
        source = re.sub(r";+\s*$", "", source.strip())
        mode = "declared" if _DECLARATION.match(source) else "expression"
    return _run(source, mode, ("output", "context", "process"), (answer.output, _context(answer, config), {}))


def transformed(code: str, answer: Answer) -> Any:
    """Return the output that a transform expression or body makes of an answer's output.

    Raises SettingError where it throws or gives nothing back, NotFoundError where no engine is installed.
    """
    source = code.strip()
    mode = "whole" if "\n" in source else "declared" if _DECLARATION.match(source) else "expression"
    source = source if mode == "whole" else re.sub(r";+\s*$", "", source)
    returned = _run(source, mode, ("output", "context"), (answer.output, _context(answer, None)))
    if returned.error:
        raise SettingError("A transform failed", detail=returned.error, next_step="Mend the transform.")
    if returned.missing or returned.value is None:
        raise SettingError(
            "A transform gave nothing back", detail=code[:200], next_step="Let it return a value."
        )
    return returned.value


def _context(answer: Answer, config: Mapping[str, Any] | None) -> dict[str, Any]:
    response = {"output": answer.output, "metadata": dict(answer.metadata), "cost": answer.cost}
    return {
        "vars": dict(answer.vars),
        "prompt": answer.prompt,
        "metadata": dict(answer.metadata),
        "providerResponse": response,
        "test": {"vars": dict(answer.vars)},
        "config": dict(config or {}),
    }


def _run(code: str, mode: str, names: tuple[str, ...], values: tuple[Any, ...]) -> Returned:
    # The engine is the size of a browser's and takes a while to load.
    racer = package("py_mini_racer", extra="javascript")
    given = json.dumps({"code": code, "mode": mode, "names": names, "values": values}, default=str)
    if len(given) > _LONGEST_INPUT:
        raise SettingError("The output is too long for a script", next_step="Check it in another way.")
    # An event loop of its own: the engine reports to one, even after a script was stopped, and whoever
    # grades may be running in another.
    with ThreadPoolExecutor(1) as thread:
        try:
            found = thread.submit(asyncio.run, _evaluated(racer, f"{_RUN}({json.dumps(given)})")).result()
        except TimeoutError as error:
            raise SettingError(
                f"A script ran for more than {SECONDS:g} seconds",
                detail=code[:200],
                next_step="Mend the script.",
            ) from error
        except racer.JSOOMException as error:
            raise SettingError(
                f"A script took more than {MEMORY // 2**20} MB",
                detail=code[:200],
                next_step="Mend the script.",
            ) from error
        except racer.MiniRacerBaseException as error:
            return Returned(error=str(error)[:500])
    return _returned(found)


async def _evaluated(racer: Any, code: str) -> Any:
    engine = racer.MiniRacer()
    try:
        engine.set_hard_memory_limit(MEMORY)
        async with asyncio.timeout(SECONDS):
            await engine.eval_cancelable(code)
            return await engine.eval_cancelable("JSON.stringify(globalThis.__state)")
    finally:
        engine.close()


def _returned(found: Any) -> Returned:
    try:
        state = json.loads(found) if isinstance(found, str) else {}
    except ValueError:
        state = {}
    match state.get("kind"):
        case "value":
            return Returned(value=state.get("value"))
        case "error":
            return Returned(error=str(state.get("error", ""))[:500])
        case "undefined":
            return Returned(missing=True)
        case _:
            return Returned(error="it promised a value and never gave it")
