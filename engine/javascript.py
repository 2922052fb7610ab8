"""JavaScript that a suite brings, run where it can reach nothing: no files, no network, no terminal.

The engine is a process of its own, in which all memory counts, and which is ended where a script takes too
much of it or too long. Each script gets a fresh engine, so that none sees what another left.
"""

from __future__ import annotations

import atexit
import json
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from turnwise.conversations.errors import SettingError
from turnwise.conversations.files import decode_json
from turnwise.engine.packages import package
from turnwise.engine.worker import Returned, Worker

SECONDS = 4.0
"""How long one script may run, in seconds."""
MEMORY = 128 * 1024 * 1024
"""How much memory the values of one script may hold, in bytes."""
_CHILD = Path(__file__).with_name("javascript_child.py")
_LONGEST_INPUT = 20_000_000
_LONGEST_RETURNED = 10_000_000
"""Characters of JSON that a script may give back."""
_NO_MEMORY = "Array buffer allocation failed"
_DECLARATION = re.compile(r"(?:const|let|var)\s")

_OPENING = """
(function (text) {
  // Their memory lies outside of what the engine counts.
  delete globalThis.WebAssembly;
  delete globalThis.SharedArrayBuffer;
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
    // JSON has neither, and a function that is given back reads as this text.
    const isNone = typeof value === "number" && !Number.isFinite(value);
    if (isNone) state.kind = "number";
    state.value = isNone ? String(value) : typeof value === "function" ? "undefined" : value;
  };
"""
_RUN = (
    _OPENING
    + """
  // Time does not pass here, so what is to happen later happens next.
  globalThis.setTimeout = (later, wait, ...rest) => {
    Promise.resolve().then(() => later(...rest));
    return 1;
  };
  globalThis.clearTimeout = () => {};
  for (const value of given.values) {
    const provider = value && value.provider;
    if (provider && typeof provider.id === "string") { const name = provider.id; provider.id = () => name; }
  }
  try {
    const script = new Function(...given.names, given.code);
    const result = script(...given.values);
    if (result && typeof result.then === "function") result.then(done, fail); else done(result);
  } catch (error) { fail(error); }
})
"""
)

_RUN_MODULE = (
    _OPENING
    + """
  try {
    const module = { exports: {} };
    const require = (name) => { throw new Error("it requires " + name + ", which is not at hand here"); };
    const quiet = () => {};
    const console = { log: quiet, info: quiet, warn: quiet, error: quiet, debug: quiet };
    state.lost = true;
    new Function("module", "exports", "require", "console", given.code)(
      module, module.exports, require, console);
    const whole = module.exports.default === undefined ? module.exports : module.exports.default;
    let found = whole;
    if (given.name) found = module.exports[given.name] === undefined ? whole[given.name]
      : module.exports[given.name];
    if (found === undefined) throw new Error("there is no " + given.name + " in it");
    state.lost = false;
    if (given.provider && typeof found === "function" && found.prototype && found.prototype.callApi) {
      found = new found(given.provider);
    }
    if (given.provider && typeof found.callApi === "function") found = found.callApi.bind(found);
    const finish = given.kept === null ? done : (value) => done(value || given.values[given.kept]);
    const result = typeof found === "function" ? found(...given.values) : found;
    if (result && typeof result.then === "function") result.then(finish, fail); else finish(result);
  } catch (error) { fail(error); }
})
"""
)
_EXPORT_DEFAULT = re.compile(r"^(\s*)export\s+default\s+", re.MULTILINE)
_EXPORT_NAMED = re.compile(
    r"^(\s*)export\s+((?:async\s+)?function\s*\*?|class|const|let|var)\s+([\w$]+)", re.MULTILINE
)
_EXPORT_LIST = re.compile(r"^\s*export\s*\{([^}]*)\}\s*;?", re.MULTILINE)


def _one_line(code: str) -> str:
    """Return a line of code with `return` where its value is: before it, or behind what it declares."""
    source = re.sub(r";+\s*\Z", "", code.strip())
    if not _DECLARATION.match(source):
        return f"return {source}"
    # As promptfoo reads it: a semicolon counts where no quotation mark before it is open.
    end, quote, escaped = -1, "", False
    for place, char in enumerate(source):
        if char in "'\"`" and not escaped and quote in ("", char):
            quote = "" if quote else char
        elif char == ";" and not quote:
            end = place
        escaped = char == "\\" and not escaped
    last = source[end + 1 :].strip()
    return f"{source[: end + 1]} return {last}" if end >= 0 and last else source


def run_expression(code: str, names: Mapping[str, Any]) -> Returned:
    """Run an expression, or a body of several lines, over values by name.

    Raises NotFoundError where no engine is installed, SettingError where time or memory run out.
    """
    source = code.strip()
    return run_body(source if "\n" in source else _one_line(source), names)


def run_transform(code: str, names: Mapping[str, Any]) -> Returned:
    """Run a transform over values by name: the body of a function where it has line ends, else an expression.

    Raises as run_expression does.
    """
    return run_body(code if "\n" in code else f"return {code}", names)


def run_body(body: str, names: Mapping[str, Any]) -> Returned:
    """Run the body of a function over values by name. Raises as run_expression does."""
    return _evaluate(_RUN, {"code": body, "names": list(names), "values": list(names.values())}, shown=body)


def run_module(
    code: str,
    function: str,
    arguments: Sequence[Any],
    *,
    provider: Mapping[str, Any] | None = None,
    kept: int | None = None,
) -> Returned:
    """Run a file's text as a module and call a function that it exports; without a name, its default.

    What is exported and is no function is given back as it is. provider: the options of a provider's class,
    where one is meant. kept: the place of the argument that stands for nothing given back. Nothing can be
    required. Raises as run_expression does.
    """
    given = {"code": _as_common_module(code), "name": function, "values": list(arguments)}
    return _evaluate(
        _RUN_MODULE, {**given, "provider": provider, "kept": kept}, shown=function or "its default"
    )


def _as_common_module(code: str) -> str:
    """Return a module's text with its exports as assignments; the engine reads no module syntax."""
    names = [found[3] for found in _EXPORT_NAMED.finditer(code)]
    pairs = [(name, name) for name in names]
    for listed in _EXPORT_LIST.findall(code):
        for one in filter(None, (part.strip() for part in listed.split(","))):
            own, _, alias = one.partition(" as ")
            pairs.append(((alias or own).strip(), own.strip()))
    code = _EXPORT_LIST.sub("", _EXPORT_NAMED.sub(r"\1\2 \3", code))
    code = _EXPORT_DEFAULT.sub(r"\1module.exports.default = ", code)
    return "\n;".join([code, *(f"module.exports.{alias} = {own};" for alias, own in pairs)])


def _evaluate(program: str, values: Mapping[str, Any], *, shown: str) -> Returned:
    package("py_mini_racer", extra="javascript")
    given = json.dumps(values, default=str)
    if len(given) > _LONGEST_INPUT:
        raise SettingError("The output is too long for a script", next_step="Check it in another way.")
    call = {"program": program, "given": given, "memory": MEMORY, "longest": _LONGEST_RETURNED}
    try:
        found = _engine().ask(call, seconds=SECONDS)
    except SettingError as error:
        raise _stopped(error.title, shown) from error
    if found.error:
        return Returned(error=found.error[:500])
    if isinstance(found.value, Mapping):
        raise _stopped(f"A script {found.value['told']}", shown)
    returned = _returned(found.value)
    if _NO_MEMORY in returned.error:
        raise _stopped("A script took too much memory", shown)
    return replace(returned, seconds=found.seconds)


def _stopped(title: str, script: str) -> SettingError:
    return SettingError(title, detail=script[:200], next_step="Mend the script.")


@cache
def _engine() -> Worker:
    """Return the process that runs scripts; it is started by the first one, and ends with this process."""
    command = (sys.executable, "-P", str(_CHILD))
    ending = "took too much memory, and was ended"
    engine = Worker(command, _CHILD.parent, "A script", ending=ending, greeting={"memory": MEMORY})
    atexit.register(engine.close)
    return engine


def _returned(found: Any) -> Returned:
    try:
        state = decode_json(found) if isinstance(found, str) else {}
    except ValueError as error:
        return Returned(error=f"it gave back what cannot be read: {error}")
    match state.get("kind"):
        case "value":
            return Returned(value=state.get("value"))
        case "number":
            return Returned(value=float(str(state.get("value")).replace("Infinity", "inf")))
        case "error":
            return Returned(error=str(state.get("error", ""))[:500], is_lost=state.get("lost") is True)
        case "undefined":
            return Returned(missing=True)
        case _:
            return Returned(error="it promised a value and never gave it")
