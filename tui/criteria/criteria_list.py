"""The list of the criteria, and what stands in its place or beside it where there is none to write at."""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import wrap

from textual.content import Content

from turnwise.conversations.safe_text import make_safe_line
from turnwise.engine.criteria.criteria_files import BrokenCriteriaFile
from turnwise.engine.criteria.past_trials import Standing
from turnwise.tui.agreement.agreement_words import FEW, FEWEST
from turnwise.tui.criteria.criterion_words import EXAMPLE
from turnwise.tui.criteria.listed_criteria import ListedCriterion
from turnwise.tui.parts.choice_list import Choice
from turnwise.tui.parts.empty_words import with_beginning, with_keys
from turnwise.tui.settings.keymap import fill_keys, key_of
from turnwise.tui.shell.shell import Shell

_AGREES = "  agrees  "
HEAD = f"{_AGREES}name"
"""What stands over the list."""
_FEW = f"({FEW} few)"
"""Short enough that what stands over the editor beside it is not read on from there."""
_SIGN_CELLS = 7


def head_over(listed: Iterable[Choice]) -> str:
    """Return what stands over these criteria: names need no word, so the mark of few labels has it."""
    return f"{_AGREES}{_FEW}" if any(one.sign.endswith(FEW) for one in listed) else HEAD


def criterion_choice(place: int, item: ListedCriterion, standing: Standing) -> Choice:
    """Return a criterion as the list shows it: on how many labels it agrees; a dot where it is changed.

    Labels of which too few are fails, or passes, are marked: to say the same of passes alone is easy.
    """
    mark = "•" if item.edited else " "
    matrix = standing.matrix
    same, few = "–", " "
    if matrix.total:
        same = f"{matrix.true_pass + matrix.true_fail:,}/{matrix.total:,}"
        few = FEW if matrix.fewest_labels < FEWEST else " "
    same += few
    return Choice(str(place), item.name, sign=f"{mark}{same:>{_SIGN_CELLS - 1}}")


def broken_choice(place: int, broken: BrokenCriteriaFile) -> Choice:
    """Return a file that cannot be read as the list shows it."""
    return Choice(str(place), broken.path.name, sign=f"{'!':>{_SIGN_CELLS}}")


def broken_words(broken: BrokenCriteriaFile) -> Content:
    """Say what is wrong with a file, and what to do about it."""
    error = broken.error
    return Content.assemble(
        (f"{make_safe_line(error.title)}\n\n", "bold"),
        f"{make_safe_line(error.detail)}\n\n" if error.detail else "",
        f"{make_safe_line(error.next_step)}\n\n" if error.next_step else "",
        (f"{make_safe_line(str(broken.path))}\n", "$text-muted"),
        ("Mend it in any editor: it is read again when you come back to this window.", "$text-muted"),
    )


def empty_words(shell: Shell) -> Content:
    """Return what invites to write the first criterion, and says how to come by sessions without any."""
    beginning = with_beginning("", sessions=shell.store.sessions.count())
    new, save = (key_of(shell.actions, "criteria", name) for name in ("new", "save"))
    return Content.assemble(
        with_keys(fill_keys(beginning, shell.actions)),
        "A criterion says in plain words what good means for your chatbot. A judge scores sessions by it, "
        "and what it says is set beside your labels, so that you see where the words are wrong.\n\n",
        (f"   {new}   ", "bold"),
        "write the first one: it begins as an example\n\n",
        ("   Name            ", "$text-muted"),
        f"{EXAMPLE['name']}\n",
        ("   In plain words  ", "$text-muted"),
        "\n                   ".join(wrap(str(EXAMPLE["criteria"]), 50)) + "\n",
        ("   Score needed    ", "$text-muted"),
        f"{EXAMPLE['threshold']}\n\n",
        # A line, as there is no room for more in a low window.
        (f"A trial keeps it in this database; {save} writes YAML to ./criteria.", "$text-muted"),
    )
