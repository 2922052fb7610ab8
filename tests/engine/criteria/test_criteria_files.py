"""Criteria files: found beside the user's work, saved whole, and never over what somebody else wrote."""

from pathlib import Path

import pytest

from turnwise.conversations.errors import InputError
from turnwise.engine.criteria.criteria import Criterion
from turnwise.engine.criteria.criteria_files import CriterionFile, find_criteria, free_path, save_criterion

POLITE = Criterion(name="Stays polite!", criteria="Is polite.")


def names(folder: Path) -> list[str]:
    return [one.criterion.name for one in find_criteria(folder).files]


def test_criteria_are_found_in_their_folder_first_and_other_files_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "criteria").mkdir()
    (tmp_path / "criteria" / "two.yaml").write_text("- {name: B, criteria: b}\n- {name: C, criteria: c}\n")
    (tmp_path / "a.yml").write_text("name: A\ncriteria: a\n")
    (tmp_path / "suite.yaml").write_text("prompts: [hello]\n")
    assert names(tmp_path) == ["B", "C", "A"]
    assert find_criteria(tmp_path).errors == []


def test_what_is_wrong_with_a_file_of_criteria_is_told(tmp_path: Path) -> None:
    (tmp_path / "criteria").mkdir()
    (tmp_path / "criteria" / "bad.yaml").write_text("name: [\n")
    [error] = find_criteria(tmp_path).errors
    assert "bad.yaml" in error.title


def test_a_folder_that_is_not_there_holds_none(tmp_path: Path) -> None:
    assert names(tmp_path / "away") == []


def test_a_new_criterion_gets_a_file_of_its_own(tmp_path: Path) -> None:
    first = save_criterion(POLITE, folder=tmp_path)
    assert first.path == tmp_path / "criteria" / "stays-polite.yaml"
    assert first.path.read_text() == "name: Stays polite!\ncriteria: Is polite.\n"
    assert save_criterion(POLITE, folder=tmp_path).path.name == "stays-polite-2.yaml"
    assert [path.name for path in first.path.parent.iterdir() if path.name.startswith(".")] == []


@pytest.mark.parametrize(
    ("name", "file"),
    [("../../etc/passwd", "etc-passwd.yaml"), ("丁寧さ", "丁寧さ.yaml"), ("?!", "criterion.yaml")],
)
def test_a_name_never_leads_out_of_the_folder(tmp_path: Path, name: str, file: str) -> None:
    assert free_path(tmp_path, name) == tmp_path / "criteria" / file


def test_a_criterion_is_saved_where_it_came_from_and_can_be_saved_again(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("# ours\n- {name: A, criteria: a}\n- name: B\n  criteria: b\n")
    second = find_criteria(tmp_path).files[1]
    second = save_criterion(Criterion(name="B", criteria="better"), folder=tmp_path, known=second)
    second = save_criterion(Criterion(name="B", criteria="best"), folder=tmp_path, known=second)
    assert path.read_text() == "# ours\n- {name: A, criteria: a}\n- name: B\n  criteria: best\n"


def test_what_another_program_wrote_meanwhile_is_not_written_over(tmp_path: Path) -> None:
    known = save_criterion(POLITE, folder=tmp_path)
    known.path.write_text("name: Stays polite!\ncriteria: Somebody else's.\n")
    with pytest.raises(InputError, match="changed by another program"):
        save_criterion(Criterion(name="Stays polite!", criteria="Mine."), folder=tmp_path, known=known)
    assert "Somebody else's" in known.path.read_text()


def test_a_remark_written_meanwhile_stands_in_no_way(tmp_path: Path) -> None:
    known = save_criterion(POLITE, folder=tmp_path)
    known.path.write_text("# a remark\n" + known.text)
    save_criterion(Criterion(name="Stays polite!", criteria="Mine."), folder=tmp_path, known=known)
    assert known.path.read_text() == "# a remark\nname: Stays polite!\ncriteria: Mine.\n"


def test_a_file_that_went_away_is_made_again(tmp_path: Path) -> None:
    known = save_criterion(POLITE, folder=tmp_path)
    known.path.unlink()
    again = save_criterion(POLITE, folder=tmp_path, known=known)
    assert again == CriterionFile(known.path, 0, POLITE, known.text)
    assert known.path.exists()
