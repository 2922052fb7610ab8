"""One meaning a word: in the vocabulary, and among the classes of the three rooms."""

import ast
import re
from collections import defaultdict
from pathlib import Path

CSS = {
    "conversations/exports/html_page.py",
    "conversations/exports/html_style.py",
    "tui/overview/overview_page.py",
    "tui/settings/fixed_theme.py",
}
"""Modules whose percentages are widths and shades, which no one reads."""
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


def texts(path: Path) -> list[str]:
    """Return the texts of a module that people may read, with • for what is put in; no styles."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.JoinedStr):
            parts = (part.value if isinstance(part, ast.Constant) else "•" for part in node.values)
            found.append("".join(map(str, parts)))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.append(node.value)
    return [text for text in found if not re.search(r"(?:height|width|background): ", text)]


def test_a_percentage_is_written_in_one_way_with_a_space():
    told = [
        f"{path.relative_to(ROOT)}: {text[:80]}"
        for room in ("conversations", "engine", "tui")
        for path in sorted((ROOT / room).rglob("*.py"))
        if str(path.relative_to(ROOT)) not in CSS
        for text in texts(path)
        if re.search(r"(?<![\\%])[0-9•]%(?![a-zA-Z%])|^\.[0-9]%$", text)
    ]
    pages = [path for path in (ROOT / "docs").rglob("*.md") if re.search(r"[0-9]%", path.read_text("utf-8"))]
    assert told == []
    assert pages == []


def test_the_index_of_the_docs_leads_to_the_vocabulary():
    assert "(explanation/words.md)" in (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
