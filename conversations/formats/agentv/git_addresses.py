"""Addresses of files on GitHub, GitLab and Bitbucket, as their pages have them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import unquote

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

    A branch that begins like feature/ or bugfix/ has two parts. Raises ValueError where a part of the
    address could mean something else to git or to the file system.
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
