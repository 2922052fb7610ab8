"""The page of differences: each has a name of its own, and every tool is there."""

from differences import PAGE, documented


def test_every_difference_has_a_name_of_its_own() -> None:
    assert len(documented()) == len(set(documented())) > 20


def test_the_reference_leads_to_the_page() -> None:
    assert f"({PAGE.name})" in (PAGE.parent / "README.md").read_text()


def test_a_row_says_what_each_does_and_why() -> None:
    rows = [line for line in PAGE.read_text().splitlines() if line.startswith("| `")]
    assert len(rows) == len(documented())
    assert all(len(row.strip("| ").split(" | ")) == 4 for row in rows)
