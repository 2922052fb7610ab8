"""Criteria as YAML: what is written is read back, and what people wrote around it stays."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.conversations.files.yaml_text import load_yaml
from turnwise.engine.criteria.criteria import Criterion, parse_criteria
from turnwise.engine.criteria.criteria_files import criterion_text, with_criterion, written

PATH = Path("c.yaml")
COMMENTED = """\
# What we agreed on in May.
name: Polite   # not "kind"

criteria: |
  Stays polite.
  Never blames.
# as in the other one
threshold: 0.7  # tried 0.6
strict: false
"""
LISTED = """\
# two of them
- name: Polite
  criteria: Stays polite.
  # the second half
  evaluation_steps:
    - Look.
    - Judge.
- name: Right
  criteria: Is right.   # always
"""


def changed(text: str, place: int = 0, **fields: Any) -> str:
    criterion = parse_criteria(text, PATH)[place].model_copy(update=fields)
    after = with_criterion(text, place, criterion, PATH)
    assert parse_criteria(after, PATH)[place].content() == criterion.content()
    return after


def test_a_criterion_is_written_for_people() -> None:
    criterion = Criterion.model_validate(
        {
            "threshold": 0.7,
            "name": "Polite: always",
            "criteria": "Stays polite.\nNever blames.\n",
            "steps": ["Find rude messages.", "yes"],
            "rubric": [{"score_range": [0, 3], "expected_outcome": "rude"}],
        }
    )
    assert criterion_text(criterion) == (
        "name: 'Polite: always'\n"
        "criteria: |\n  Stays polite.\n  Never blames.\n"
        "steps:\n  - Find rude messages.\n  - 'yes'\n"
        "rubric:\n  - score_range: [0, 3]\n    expected_outcome: rude\n"
        "threshold: 0.7\n"
    )


@given(
    st.recursive(st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=6)
)
def test_any_text_is_read_back_as_it_was(value: Any) -> None:
    assert load_yaml(written({"name": value})) == {"name": value}


@pytest.mark.parametrize(
    "text", ["0o17", "012", "yes", "1e3", "~", "", " a ", "a #b", "0x1F", "- a", "\x1b[31m"]
)
def test_a_text_that_looks_like_something_else_stays_a_text(text: str) -> None:
    assert load_yaml(written([text])) == [text]


def test_comments_stay_where_they_stand() -> None:
    after = changed(COMMENTED, threshold=0.8)
    assert after == COMMENTED.replace("threshold: 0.7", "threshold: 0.8")


def test_a_text_of_several_lines_is_replaced_and_a_new_field_finds_its_place() -> None:
    after = changed(COMMENTED, criteria="Is kind.", steps=["One.", "Two."])
    assert after == (
        '# What we agreed on in May.\nname: Polite   # not "kind"\n\n'
        "criteria: Is kind.\nsteps:\n  - One.\n  - Two.\n"
        "# as in the other one\nthreshold: 0.7  # tried 0.6\nstrict: false\n"
    )


def test_one_criterion_of_a_list_changes_alone_and_under_the_names_it_has() -> None:
    after = changed(LISTED, steps=["Only this."])
    assert after == LISTED.replace("    - Look.\n    - Judge.\n", "    - Only this.\n")
    after = changed(LISTED, 1, criteria="Is true.")
    assert after == LISTED.replace("Is right.", "Is true.")
    after = changed(LISTED, 0, name="Kind")
    assert after == LISTED.replace("name: Polite", "name: Kind")


def test_a_field_that_means_nothing_more_goes() -> None:
    after = changed(LISTED, steps=None)
    assert "evaluation_steps" not in after
    assert "# the second half" in after


@pytest.mark.parametrize(
    "text",
    [
        "# top\n{name: Polite, criteria: Stays polite.}  # end\n",
        "# top\n- {name: Polite, criteria: Stays polite.}\n- {name: Right, criteria: Is right.}\n",
        "# top\n- criteria: &c Stays polite.\n  name: Polite\n- {name: Right, criteria: *c}\n",
        "# top\n<<: {name: Polite}\ncriteria: Stays polite.\n",
    ],
)
def test_a_file_written_freely_keeps_its_meaning_and_its_first_comments(text: str) -> None:
    after = changed(text, criteria="Is kind.", threshold=0.9)
    assert after.startswith("# top\n")
    before = parse_criteria(text, PATH)
    assert [one.name for one in parse_criteria(after, PATH)] == [one.name for one in before]
    assert parse_criteria(after, PATH)[1:] == before[1:]


_LINES = st.text(min_size=1).filter(lambda text: text.strip())


@given(_LINES, st.none() | st.lists(_LINES, min_size=1), st.floats(0, 1), st.booleans())
def test_whatever_changes_is_what_the_file_says_then(
    criteria: str, steps: list[str] | None, threshold: float, strict: bool
) -> None:
    for text, place in ((COMMENTED, 0), (LISTED, 0), (LISTED, 1)):
        changed(text, place, criteria=criteria, steps=steps, threshold=threshold, strict=strict)
