"""Remembered: values by name."""


def test_a_value_is_kept_in_the_place_of_the_one_before(store) -> None:
    assert store.remembered.get("columns") is None
    store.remembered.keep("columns", ["a"])
    store.remembered.keep("columns", ["b", "c"])
    assert store.remembered.get("columns") == ["b", "c"]
