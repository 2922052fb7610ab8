"""Files of public repositories: what an address means, and how one is fetched by a git that asks nobody."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

from turnwise.conversations.children import watched
from turnwise.conversations.models import shorten
from turnwise.conversations.private_files import make_private_folder

_PATTERNS = tuple(
    re.compile(rf"https://(?P<host>{host})/(?P<owner>{owner})/(?P<repository>[^/]+)/{mark}/(?P<rest>.+)")
    for host, owner, mark in (
        (r"github\.com", "[^/]+", "blob"),
        (r"gitlab\.com", ".+?", "-/blob"),
        (r"bitbucket\.org", "[^/]+", "src"),
    )
)
_BRANCH_FOLDERS = frozenset(
    (
        "feature",
        "bugfix",
        "hotfix",
        "release",
        "fix",
        "feat",
        "chore",
        "refactor",
        "docs",
        "test",
        "ci",
        "build",
        "perf",
        "style",
    )
)
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._/+@-]*")
# Hooks, filters and links of a repository would run or reach what it has no business with.
_SETTINGS = (
    "core.hooksPath=/dev/null",
    "core.symlinks=false",
    "core.askPass=",
    "credential.helper=",
    "submodule.recurse=false",
)
_KEPT = ("GIT_SSL_CAINFO", "GIT_SSL_CAPATH")


@dataclass(frozen=True, slots=True)
class GitFile:
    """A file in a repository at a branch, tag or commit. owner: with its groups, where the host has them."""

    host: str
    owner: str
    repository: str
    ref: str
    path: str

    @property
    def clone_address(self) -> str:
        """The address that git clones the repository from."""
        return f"https://{self.host}/{self.owner}/{self.repository}.git"


def git_file(address: str) -> GitFile | None:
    """Return the file that an address means; None where it is no address of such a host.

    The name of a branch that begins with feature/, bugfix/ and the like has two parts. Raises ValueError
    where a part of the address could mean something else to git or to the file system.
    """
    bare = re.split(r"[?#]", address, maxsplit=1)[0]
    found = next((match for pattern in _PATTERNS if (match := pattern.fullmatch(bare))), None)
    if found is None:
        return None
    parts = unquote(found["rest"]).split("/")
    two = parts[0].lower() in _BRANCH_FOLDERS and len(parts) > 2
    ref, path = "/".join(parts[: 1 + two]), parts[1 + two :]
    names = (found["owner"], found["repository"], ref)
    if not path or any(part in ("", ".", "..", ".git") or "\0" in part for part in path):
        raise ValueError("expected the path of a file in the repository, without ..")
    if not all(_NAME.fullmatch(name) and ".." not in name and "//" not in name for name in names):
        raise ValueError("expected plain names of an owner, a repository and a branch")
    return GitFile(found["host"], *names, "/".join(path))


class GitFiles:
    """Repositories fetched into a folder, without their history, one copy for each host, owner, name and ref.

    folder: where the copies are kept. rewrite: what turns the address of a repository into the one that is
    fetched. seconds: how long one fetch may take.
    """

    def __init__(
        self, folder: Path, *, rewrite: Callable[[str], str] | None = None, seconds: float = 120.0
    ) -> None:
        self._folder = folder
        self._rewrite = rewrite or str
        self._seconds = seconds
        self._failures: dict[Path, str] = {}

    def path(self, file: GitFile) -> Path:
        """Return the path of a file, fetched where its repository is not there yet.

        Raises ValueError that says why it cannot be had; a fetch that failed is not tried again.
        """
        owner, ref = quote(file.owner, safe=""), quote(file.ref, safe="")
        tree = self._folder / file.host / owner / file.repository / ref
        if not tree.is_dir():
            if tree in self._failures:
                raise ValueError(self._failures[tree])
            try:
                self._fetch(self._rewrite(file.clone_address), file.ref, tree)
            except (OSError, ValueError) as error:
                self._failures[tree] = str(error)
                raise ValueError(str(error)) from None
        path = tree / file.path
        if not path.resolve().is_relative_to(tree.resolve()) or not path.is_file():
            raise ValueError(f"{file.repository} at {file.ref} has no file {file.path}")
        return path

    def _fetch(self, address: str, ref: str, tree: Path) -> None:
        make_private_folder(tree.parent)
        end = time.monotonic() + self._seconds
        with tempfile.TemporaryDirectory(dir=tree.parent, prefix=".fetching-") as scratch:
            made = Path(scratch) / "tree"
            _git(["init", "--quiet", "--template=", str(made)], address, end)
            inside = ["-C", str(made)]
            fetch = ["fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules", "--"]
            _git([*inside, *fetch, address, ref], address, end)
            _git([*inside, "checkout", "--quiet", "--detach", "FETCH_HEAD"], address, end)
            try:
                made.rename(tree)
            except OSError:
                # Another process may have been faster.
                if not tree.is_dir():
                    raise


def _git(arguments: Sequence[str], address: str, end: float) -> None:
    """Run git. Raises ValueError with the last that it said, or where it takes too long."""
    settings = [part for setting in _SETTINGS for part in ("-c", setting)]
    try:
        process = subprocess.Popen(
            ["git", *settings, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=_environment(address),
            # Without a terminal of its own, not even ssh can ask for a password.
            start_new_session=True,
        )
    except FileNotFoundError:
        raise ValueError("git is not installed") from None
    with process, watched(process):
        try:
            _, said = process.communicate(timeout=max(end - time.monotonic(), 0.0))
        except subprocess.TimeoutExpired:
            raise ValueError("fetching the repository took too long") from None
        finally:
            if process.poll() is None:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
    if process.returncode != 0:
        lines = said.decode("utf-8", "replace").strip().splitlines()
        reason = lines[-1] if lines else "no reason given"
        raise ValueError(f"git could not fetch it: {shorten(reason, 200)}")


def _environment(address: str) -> dict[str, str]:
    own = {name: value for name, value in os.environ.items() if not name.startswith("GIT_") or name in _KEPT}
    return {
        **own,
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "",
        "SSH_ASKPASS": "",
        "SSH_ASKPASS_REQUIRE": "never",
        "GCM_INTERACTIVE": "never",
        "GIT_SSH_COMMAND": "ssh -o BatchMode=yes",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_ALLOW_PROTOCOL": urlsplit(address).scheme or "file",
    }
