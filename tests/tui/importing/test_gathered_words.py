"""How far an import is, and what became of many files, in words."""

import io
import json

import pytest

from turnwise.conversations.gathering import FormatCount, GatheredReport, Gathering, PassedOver
from turnwise.conversations.importing import ImportReport, SessionIds
from turnwise.tui.importing.gathered_words import gathered_words, progress_words, stopped_words


def test_progress_is_a_bar_with_files_bytes_and_conversations(tmp_path):
    chat = json.dumps({"messages": [{"role": "user", "content": "hi"}]})
    for number in range(2):
        (tmp_path / f"{number}.json").write_text(chat)
    gathering = Gathering([tmp_path])
    seen = []

    def importing(content, tell):
        tell(ImportReport(sessions=SessionIds([1])))
        with content.open() as file:
            file.read()
        tell(ImportReport(sessions=SessionIds([1, 2])))
        return ImportReport(sessions=SessionIds([1, 2]), imported=2)

    gathering.run(importing, lambda: seen.append(progress_words(gathering)))
    size = 2 * len(chat)
    assert seen[0] == f"{'─' * 20}   0 %  0 of 2 files  0 of {size} bytes  1 conversations"
    assert (
        seen[3] == f"{'━' * 10}{'─' * 10}  50 %  1 of 2 files  {size // 2} of {size} bytes  3 conversations"
    )
    assert seen[-1] == f"{'━' * 20} 100 %  2 of 2 files  {size} of {size} bytes  4 conversations"


def test_of_nothing_whose_size_is_known_the_conversations_are_told():
    assert progress_words(Gathering([io.BytesIO(b"")])) == "0 conversations"


@pytest.mark.parametrize(
    ("size", "words"), [(900, "0 of 900 bytes"), (1_500, "0.0 of 1.5 kB"), (2e9, "0.0 of 2.0 GB")]
)
def test_sizes_have_units(size, words):
    gathering = Gathering([])
    gathering.walk.size = int(size)
    assert words in progress_words(gathering)


def test_the_report_of_one_file_is_a_line():
    report = GatheredReport()
    report.add(ImportReport(imported=3, sessions=SessionIds([1, 2, 3]), format="rows"))
    assert gathered_words(report) == "3 imported."


def test_the_report_of_many_has_a_line_for_each_format_and_reason():
    report = GatheredReport(
        total=ImportReport(imported=4, failed=1, sessions=SessionIds([1, 2, 3, 4])),
        formats={"rows": FormatCount(2, 3, 1), "own": FormatCount(1, 1)},
        passed_over={"a picture": PassedOver(4, ["a/b.png", "c.png", "d.png"])},
        files=3,
        failed_files=1,
    )
    assert gathered_words(report).splitlines() == [
        "4 imported, 1 not readable, 1 file not readable.",
        "  own: 1 file, 1 session",
        "  rows: 2 files, 3 sessions, 1 not readable",
        "  passed over as a picture: 4 files (b.png, c.png, d.png, …)",
    ]
    assert stopped_words(report).startswith("Stopped. What was finished is kept: 4 imported")
    assert stopped_words(GatheredReport()) == "Stopped. Nothing of the file was kept."
