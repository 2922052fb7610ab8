"""One meaning a word: in the vocabulary, and among the classes of the three rooms."""

import ast
import re
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "explanation" / "words.md"
ALLOWED: dict[str, str] = {}
"""Classes of one name that must be: the name, and why."""


def rows() -> list[list[str]]:
    """Return the rows of the vocabulary: the word, what it means, what it is called elsewhere."""
    lines = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [row for row in cells if row[0] != "word" and not set(row[0]) <= {"-"}]


def classes() -> dict[str, list[str]]:
    """Return where each class of the three rooms is defined, by its name.

    Private ones are left out, and classes inside others, such as the messages of widgets.
    """
    found: dict[str, list[str]] = defaultdict(list)
    for room in ("conversations", "engine", "tui"):
        for path in sorted((ROOT / room).rglob("*.py")):
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    found[node.name].append(f"{path.relative_to(ROOT)}:{node.lineno}")
    return found


def test_no_two_classes_have_one_name():
    doubled = {name: places for name, places in classes().items() if len(places) > 1}
    assert {name: places for name, places in doubled.items() if name not in ALLOWED} == {}
    assert set(ALLOWED) <= set(doubled), "take what is no longer doubled from the list"


def test_every_word_has_one_meaning_of_two_sentences_at_most():
    words = [word.strip() for row in rows() for word in row[0].split(",")]
    assert len(words) == len(set(words)) > 50
    for word, means, _ in rows():
        assert means.endswith("."), word
        assert len(re.findall(r"[.!?](?:\s|$)", means)) <= 2, word


def test_the_index_of_the_docs_leads_to_the_vocabulary():
    assert "(explanation/words.md)" in (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
