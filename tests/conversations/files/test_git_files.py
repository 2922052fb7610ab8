"""Files by their address on GitHub, GitLab and Bitbucket: read as such, fetched once, asking nobody."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from turnwise.conversations.files.git_files import GitFile, GitFiles, git_file
from turnwise.conversations.formats.agentv import load_agentv
from turnwise.conversations.suites import Suite

ADDRESS = "https://github.com/owner/name/blob/main/docs/guide.md"


@pytest.mark.parametrize(
    ("address", "found"),
    [
        (ADDRESS, GitFile("github.com", "owner", "name", "main", "docs/guide.md")),
        (f"{ADDRESS}?plain=1#L3", GitFile("github.com", "owner", "name", "main", "docs/guide.md")),
        (
            "https://gitlab.com/group/sub/name/-/blob/feature/new/a.md",
            GitFile("gitlab.com", "group/sub", "name", "feature/new", "a.md"),
        ),
        ("https://bitbucket.org/o/n/src/v1.2/a/b.md", GitFile("bitbucket.org", "o", "n", "v1.2", "a/b.md")),
        ("https://github.com/o/n/blob/docs/a.md", GitFile("github.com", "o", "n", "docs", "a.md")),
        ("https://github.com/o/n/tree/main/a.md", None),
        ("https://example.com/o/n/blob/main/a.md", None),
        ("http://github.com/o/n/blob/main/a.md", None),
        ("a.md", None),
    ],
)
def test_addresses_name_host_owner_repository_ref_and_path(address: str, found: GitFile | None) -> None:
    assert git_file(address) == found


@pytest.mark.parametrize(
    "address",
    [
        "https://github.com/o/n/blob/main/../../etc/passwd",
        "https://github.com/o/n/blob/main/%2e%2e/x",
        "https://github.com/o/n/blob/main/.git/config",
        "https://github.com/o/n/blob/main",
        "https://github.com/-o/n/blob/main/x",
        "https://github.com/o/../blob/main/x",
        "https://github.com/o/n/blob/--upload-pack=x/x",
        "https://github.com/o/n/blob/main:refs/x",
        "https://gitlab.com/a/../../b/n/-/blob/main/x",
    ],
)
def test_addresses_that_could_mean_something_else_are_refused(address: str) -> None:
    with pytest.raises(ValueError, match="expected"):
        git_file(address)


def git(folder: Path, *words: str) -> None:
    own = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    who = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", *who, *words], cwd=folder, env=own, check=True, capture_output=True)


@pytest.fixture
def remote(tmp_path: Path) -> Path:
    """A bare repository with two branches, a link that leaves it, and a hook."""
    work = tmp_path / "work"
    (work / "docs").mkdir(parents=True)
    git(work, "init", "--quiet")
    (work / "docs" / "guide.md").write_text("Be kind.")
    (work / "link.md").symlink_to("/etc/passwd")
    git(work, "add", ".")
    git(work, "commit", "--quiet", "-m", "one")
    git(work, "checkout", "--quiet", "-b", "feature/new")
    (work / "docs" / "guide.md").write_text("Be brief.")
    git(work, "commit", "--quiet", "-am", "two")
    git(tmp_path, "clone", "--quiet", "--bare", "work", "remote.git")
    return tmp_path / "remote.git"


def load(folder: Path, *addresses: str, **options: Any) -> Suite:
    parts = [{"type": "text", "value": "Look"}, *({"type": "file", "value": one} for one in addresses)]
    case = {"id": "a", "expected_outcome": "o", "input": [{"role": "user", "content": parts}]}
    path = folder / "e.json"
    path.write_text(json.dumps({"evalcases": [case]}))
    return load_agentv(path, cache=folder / "cache", **options)


def test_without_the_network_the_case_fails_and_says_how(tmp_path: Path) -> None:
    suite = load(tmp_path, ADDRESS)
    assert suite.cases[0].messages == ({"role": "user", "content": "Look"},)
    assert "e.json, case a" in suite.cases[0].problem
    assert "--trust" in suite.cases[0].problem
    assert not (tmp_path / "cache").exists()


def test_each_repository_and_ref_is_fetched_once(tmp_path: Path, remote: Path) -> None:
    asked: list[str] = []

    def rewrite(address: str) -> str:
        asked.append(address)
        return remote.as_uri()

    other = ADDRESS.replace("main", "feature/new")
    suite = load(tmp_path, ADDRESS, other, ADDRESS, network=True, rewrite=rewrite)
    content = suite.cases[0].messages[0]["content"]
    assert content.count("Be kind.") == 2
    assert content.count("Be brief.") == 1
    assert asked == ["https://github.com/owner/name.git"] * 2
    again = load(tmp_path, ADDRESS, network=True, rewrite=rewrite)
    assert "Be kind." in again.cases[0].messages[0]["content"]
    assert len(asked) == 2


def test_a_commit_is_a_ref_too(tmp_path: Path, remote: Path) -> None:
    git(remote, "config", "uploadpack.allowAnySHA1InWant", "true")
    packed = (remote / "packed-refs").read_text().splitlines()
    commit = next(line.split()[0] for line in packed if line.endswith("refs/heads/main"))
    address = ADDRESS.replace("main", commit)
    suite = load(tmp_path, address, network=True, rewrite=lambda _: remote.as_uri())
    assert "Be kind." in suite.cases[0].messages[0]["content"]


@pytest.mark.parametrize(
    ("address", "said"),
    [
        (ADDRESS.replace("main", "none"), "git could not fetch it"),
        (ADDRESS.replace("docs/guide", "nothing"), "has no file nothing.md"),
        (ADDRESS.replace("docs/guide", "../../x"), "without .."),
    ],
)
def test_what_cannot_be_had_fails_its_case(tmp_path: Path, remote: Path, address: str, said: str) -> None:
    suite = load(tmp_path, address, network=True, rewrite=lambda _: remote.as_uri())
    assert said in suite.cases[0].problem
    assert suite.cases[0].messages == ({"role": "user", "content": "Look"},)


def test_a_link_in_a_repository_leads_nowhere(tmp_path: Path, remote: Path) -> None:
    address = "https://github.com/owner/name/blob/main/link.md"
    suite = load(tmp_path, address, network=True, rewrite=lambda _: remote.as_uri())
    assert "root:" not in repr(suite)


def test_a_failed_fetch_is_not_tried_again(tmp_path: Path) -> None:
    asked: list[str] = []

    def rewrite(address: str) -> str:
        asked.append(address)
        return (tmp_path / "none.git").as_uri()

    load(tmp_path, ADDRESS, ADDRESS, network=True, rewrite=rewrite)
    assert len(asked) == 1
    assert not list((tmp_path / "cache").rglob("tree"))


class TestGit:
    """git itself, played by a script, to see what it is given."""

    def played(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> GitFiles:
        (tmp_path / "bin").mkdir()
        program = tmp_path / "bin" / "git"
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
        return GitFiles(tmp_path / "cache", seconds=0.5)

    def test_can_ask_nobody(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("GIT_DIR", "/elsewhere")
        monkeypatch.setenv("GIT_ASKPASS", "/usr/bin/ask")
        files = self.played(tmp_path, monkeypatch, f"env > {tmp_path}/seen; cat >> {tmp_path}/typed; exit 1")
        wanted = git_file(ADDRESS)
        assert wanted
        with pytest.raises(ValueError, match="no reason given"):
            files.path(wanted)
        seen = dict(
            line.split("=", 1) for line in (tmp_path / "seen").read_text().splitlines() if "=" in line
        )
        assert seen["GIT_TERMINAL_PROMPT"] == "0"
        assert seen["GIT_ASKPASS"] == seen["SSH_ASKPASS"] == ""
        assert "BatchMode=yes" in seen["GIT_SSH_COMMAND"]
        assert "GIT_DIR" not in seen
        assert (tmp_path / "typed").read_text() == ""

    def test_that_hangs_is_stopped(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        files = self.played(tmp_path, monkeypatch, "sleep 600")
        wanted = git_file(ADDRESS)
        assert wanted
        with pytest.raises(ValueError, match="took too long"):
            files.path(wanted)

    def test_that_is_not_there(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PATH", str(tmp_path))
        wanted = git_file(ADDRESS)
        assert wanted
        with pytest.raises(ValueError, match="git is not installed"):
            GitFiles(tmp_path / "cache").path(wanted)
