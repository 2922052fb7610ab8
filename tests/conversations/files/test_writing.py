"""Where exports go: a file is whole or not there, and none is written over unasked."""

import os
import signal
import stat
import subprocess
import sys
import threading

import pytest

from turnwise.conversations.errors import InputError, TurnwiseError
from turnwise.conversations.files.writing import whole_file


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_a_file_appears_when_it_is_whole(tmp_path):
    path = tmp_path / "out.txt"
    with whole_file(path) as out:
        out.write(b"words")
        assert not path.exists()
    assert path.read_bytes() == b"words"
    assert names(tmp_path) == ["out.txt"]


def test_what_goes_wrong_leaves_all_as_it_was(tmp_path):
    path = tmp_path / "out.txt"
    path.write_text("before")

    def write():
        with whole_file(path, force=True) as out:
            out.write(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write()
    assert path.read_text() == "before"
    assert names(tmp_path) == ["out.txt"]


def test_a_file_that_is_there_stays_unless_forced(tmp_path):
    path = tmp_path / "out.txt"
    path.write_text("before")
    with pytest.raises(InputError, match="There is a file") as caught, whole_file(path):
        pass
    assert "--force" in caught.value.next_step
    with whole_file(path, force=True) as out:
        out.write(b"after")
    assert path.read_text() == "after"


def test_a_file_that_came_meanwhile_stays(tmp_path):
    path = tmp_path / "out.txt"
    with pytest.raises(InputError, match="There is a file"), whole_file(path):
        path.write_text("theirs")
    assert path.read_text() == "theirs"
    assert names(tmp_path) == ["out.txt"]


def test_a_link_leads_to_the_file_that_is_written(tmp_path):
    target, link = tmp_path / "target.txt", tmp_path / "link.txt"
    target.write_text("before")
    link.symlink_to(target)
    with whole_file(link, force=True) as out:
        out.write(b"after")
    assert link.is_symlink()
    assert target.read_text() == "after"


def test_a_folder_or_a_place_that_is_not_there_is_told(tmp_path):
    with pytest.raises(InputError, match="is a folder"), whole_file(tmp_path, force=True):
        pass
    with pytest.raises(InputError, match="cannot be written") as caught, whole_file(tmp_path / "no" / "x"):
        pass
    assert "No such file or directory" in caught.value.detail


def test_a_full_disk_is_told(tmp_path):
    path = tmp_path / "out.txt"
    with pytest.raises(TurnwiseError, match="could not be written") as caught, whole_file(path):
        raise OSError(28, "No space left on device")
    assert caught.value.exit_code == 3
    assert names(tmp_path) == []


def test_a_pipe_is_written_to(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    with whole_file(pipe) as out:
        out.write(b"words")
    reader.join()
    assert read == [b"words"]


@pytest.fixture
def usual_umask():
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.mark.usefixtures("usual_umask")
def test_a_file_is_for_its_owner_alone_while_it_is_written_and_after(tmp_path):
    path = tmp_path / "out.txt"
    with whole_file(path):
        [part] = tmp_path.iterdir()
        assert mode(part) == 0o600
    assert mode(path) == 0o600


@pytest.mark.usefixtures("usual_umask")
def test_a_file_that_is_written_over_keeps_the_mode_that_it_was_given(tmp_path):
    path = tmp_path / "out.txt"
    path.touch(mode=0o644)
    with whole_file(path, force=True):
        pass
    assert mode(path) == 0o644


def test_what_a_killed_program_left_is_taken_away_by_the_next(tmp_path):
    code = (
        "import os, signal, sys\nfrom pathlib import Path\n"
        "from turnwise.conversations.files import whole_file\n"
        "with whole_file(Path(sys.argv[1])) as out:\n"
        "    out.write(b'half')\n    out.flush()\n    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    killed = subprocess.run([sys.executable, "-c", code, tmp_path / "killed.txt"], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert len(names(tmp_path)) == 1
    (tmp_path / ".mine.part").touch()
    with whole_file(tmp_path / "other.txt"):
        pass
    assert names(tmp_path) == [".mine.part", "other.txt"]


def test_what_another_is_writing_stays(tmp_path):
    with whole_file(tmp_path / "one.txt") as one:
        one.write(b"one")
        with whole_file(tmp_path / "two.txt") as two:
            two.write(b"two")
    assert names(tmp_path) == ["one.txt", "two.txt"]
    assert (tmp_path / "one.txt").read_bytes() == b"one"
