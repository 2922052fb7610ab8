"""The criteria of the workbench as they are typed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from turnwise.conversations.errors import InputError
from turnwise.conversations.store import Store
from turnwise.tui.criteria.criterion_words import EXAMPLE
from turnwise.tui.criteria.listed_criteria import WrittenCriteria


def test_the_first_criterion_is_an_example_and_the_next_is_empty() -> None:
    written = WrittenCriteria()
    written.add()
    assert written.item is not None
    assert written.item.form.name == EXAMPLE["name"]
    written.add()
    assert written.place == 1
    assert written.item.form.name == ""


def test_neither_the_example_nor_an_empty_criterion_has_to_be_saved() -> None:
    written = WrittenCriteria()
    written.add()
    written.add()
    assert written.unsaved == []
    written.write(0, replace(written.items[0].form, criteria="The assistant is brief."))
    assert written.unsaved == [0]


def test_what_is_saved_is_a_file_and_a_version(store: Store, tmp_path: Path) -> None:
    written = WrittenCriteria()
    written.add()
    file = written.save(0, store, tmp_path, "ann")
    assert file.is_relative_to(tmp_path)
    assert [row.author for row in store.criteria.versions(str(EXAMPLE["name"]))] == ["ann"]
    assert not written.items[0].edited


def test_dropped_changes_bring_back_what_was_saved(store: Store, tmp_path: Path) -> None:
    written = WrittenCriteria()
    written.add()
    written.save(0, store, tmp_path, "ann")
    written.write(0, replace(written.items[0].form, criteria="The assistant is brief."))
    written.drop_changes(0)
    assert written.items[0].form.criteria == EXAMPLE["criteria"]


def test_a_criterion_that_was_never_saved_leaves_the_list_with_its_changes() -> None:
    written = WrittenCriteria()
    written.add()
    written.drop_changes(0)
    assert written.items == []
    assert written.item is None


def test_what_is_no_criterion_is_not_saved(store: Store, tmp_path: Path) -> None:
    written = WrittenCriteria()
    written.add()
    written.add()
    with pytest.raises(InputError):
        written.save(1, store, tmp_path, "ann")
    assert list(tmp_path.rglob("*.yaml")) == []
