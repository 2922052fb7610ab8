"""Styles that are read once for all apps of the tests: most show the same widgets in the same colours."""

from __future__ import annotations

from typing import Any

import pytest
import textual.css.stylesheet
from textual.css.model import RuleSet


def read_styles_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let an app take the rules that an earlier one read of the same text, with the same variables."""
    read, tokenize = textual.css.stylesheet.parse, textual.css.stylesheet.tokenize_values
    tokens: dict[frozenset[tuple[str, str]], Any] = {}
    rules: dict[tuple[Any, ...], list[RuleSet]] = {}

    def tokens_of(variables: dict[str, str]) -> Any:
        key = frozenset(variables.items())
        if key not in tokens:
            tokens[key] = tokenize(variables)
        return tokens[key]

    def rules_of(*text: Any, variable_tokens: Any, **place: Any) -> list[RuleSet]:
        # The tokens are kept, so that no others ever have their id.
        key = (*text, id(variable_tokens), *place.values())
        if key not in rules:
            rules[key] = list(read(*text, variable_tokens=variable_tokens, **place))
        return rules[key]

    monkeypatch.setattr(textual.css.stylesheet, "tokenize_values", tokens_of)
    monkeypatch.setattr(textual.css.stylesheet, "parse", rules_of)
