"""Templates as promptfoo reads them: nunjucks on a sandbox of Jinja2, with JavaScript's values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnwise.conversations.lazy_names import lazy_names

if TYPE_CHECKING:
    from turnwise.conversations.templates.budget import LONGEST_TEXT
    from turnwise.conversations.templates.javascript_values import is_true, json_text, output_of, string_of
    from turnwise.conversations.templates.plain_values import (
        as_json,
        as_text,
        item_text,
        number_text,
        same,
        strict_json,
        words,
    )
    from turnwise.conversations.templates.templates import Templates, stays_as_written
else:
    __getattr__ = lazy_names(
        __name__,
        budget=("LONGEST_TEXT",),
        javascript_values=("is_true", "json_text", "output_of", "string_of"),
        plain_values=("as_json", "as_text", "item_text", "number_text", "same", "strict_json", "words"),
        templates=("Templates", "stays_as_written"),
    )

__all__ = [
    "LONGEST_TEXT",
    "Templates",
    "as_json",
    "as_text",
    "is_true",
    "item_text",
    "json_text",
    "number_text",
    "output_of",
    "same",
    "stays_as_written",
    "strict_json",
    "string_of",
    "words",
]
