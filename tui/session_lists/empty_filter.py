"""What a screen of figures says where the library's filter leaves it nothing to count, and what to do."""

from __future__ import annotations

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.safe_text import make_safe_line
from turnwise.tui.session_lists.covered import waiting_words

_NEXT = (
    "`{overview.library}` goes to the library, where `{library.filter}` changes the filter and "
    "`{library.clear}` then clears it."
)
# Only then for certain: before, that key may leave what is selected, or lead back to where one came from.


def wrong_filter(error: TurnwiseError) -> tuple[str, str]:
    """Return the title and the words where a filter cannot be read, as `EmptyWords` takes them."""
    why = " ".join(_sentence(part) for part in (error.detail, error.next_step) if part)
    return make_safe_line(_sentence(error.title)), "\n\n".join(filter(None, (_plain(why), _NEXT)))


def nothing_found(query: str, left_out: int = 0) -> tuple[str, str]:
    """Return the same where a filter finds no session. left_out: how many may match, and are not counted."""
    title = "No session of this filter can be counted yet." if left_out else "No session matches the filter."
    told = f"The filter is: {_plain(query)}"
    waiting = f"{waiting_words(left_out, 'not counted here')}." if left_out else ""
    return title, "\n\n".join(filter(None, (told, waiting, _NEXT)))


def _plain(text: str) -> str:
    """Return a text that names no key and marks nothing, whatever somebody typed."""
    return make_safe_line(text).replace("`", "'").replace("{", "(").replace("}", ")")


def _sentence(text: str) -> str:
    begun = text[:1].upper() + text[1:]
    return begun if begun.endswith((".", "?", "!")) else f"{begun}."
