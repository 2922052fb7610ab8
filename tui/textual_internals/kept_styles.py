"""Styles that were found once are kept: the focus comes back, and a class that goes was there before."""

from __future__ import annotations

from typing import Any, TypeAlias

from textual.app import App
from textual.css.model import RuleSet
from textual.css.styles import RulesMap
from textual.css.stylesheet import Stylesheet
from textual.dom import DOMNode

_Key: TypeAlias = tuple[Any, ...]
_MOST_FOUND = 8_000
"""Widgets in a state whose styles are kept at the most: twice what all screens of this app have."""


def keep_styles(app: App[Any]) -> None:
    """Let an app find the styles of a widget in a state once, and not each time that it comes to it again.

    Textual goes through all rules for a widget and for each of its parts that have a name, whenever the focus
    comes or goes: two to four milliseconds for a list or a field. It keeps what it found for widgets of one
    kind under one parent until all that it styles in one go is done. No issue was found.
    """
    kept = _KeptStyles(variables=app.get_css_variables())
    kept.__dict__.update(app.stylesheet.__dict__)
    app.stylesheet = kept


class _Found(dict[_Key, RulesMap]):
    """What was found for widgets of one kind that lie in the same, by their own state.

    Textual asks by a key that begins with the parent, which would be kept here after it has gone.
    """

    def get(self, key: _Key, default: Any = None) -> Any:
        """Return what was found, or None."""
        return super().get(key[1:], default)

    def __setitem__(self, key: _Key, rules: RulesMap) -> None:
        super().__setitem__(key[1:], rules)


class _KeptStyles(Stylesheet):
    """A style sheet that keeps which rules may hold for a widget, and what came of them."""

    def __init__(self, *, variables: dict[str, str] | None = None) -> None:
        super().__init__(variables=variables)
        self._candidates: list[RuleSet] | None = None
        """The rules that may hold for what is styled right now."""
        self._kept_for: object = None
        """The rules by name, of which all that follows was found: others come with a screen or a theme."""
        self._rules_of: dict[frozenset[str], list[RuleSet]] = {}
        self._found: dict[_Key, _Found] = {}
        """What was found, by the kind of a widget and the states of all that it lies in."""
        self._kept = 0

    @property
    def rules(self) -> list[RuleSet]:
        """All rules, or those that may hold for what is styled right now, in their order."""
        return super().rules if self._candidates is None else self._candidates

    def apply(
        self, node: DOMNode, *, animate: bool = False, cache: dict[_Key, RulesMap] | None = None
    ) -> None:
        """Style a widget. cache: is not used, as more is kept than that."""
        before, self._candidates = self._candidates, None
        if self._kept_for is not self.rules_map or self._kept > _MOST_FOUND:
            self._kept_for, self._kept = self.rules_map, 0
            self._rules_of.clear()
            self._found.clear()
        found = self._found.setdefault(_surroundings(node), _Found())
        known = len(found)
        self._candidates = self._that_may_hold(node)
        try:
            super().apply(node, animate=animate, cache=found)
        finally:
            self._candidates = before
        self._kept += len(found) - known

    def _that_may_hold(self, node: DOMNode) -> list[RuleSet]:
        names = frozenset(self.rules_map.keys() & node._selector_names)
        if (rules := self._rules_of.get(names)) is None:
            named = {rule for name in names for rule in self.rules_map[name]}
            rules = self._rules_of[names] = [rule for rule in self.rules if rule in named]
        return rules


def _surroundings(node: DOMNode) -> _Key:
    """Return a widget's kind, and all that rules may ask of what it lies in; its classes Textual adds."""
    states: list[Any] = [type(node), _state(node)]
    above = node._parent
    while isinstance(above, DOMNode):
        states.append((type(above), above._id, above.classes, _state(above)))
        above = above._parent
    return tuple(states)


def _state(node: DOMNode) -> Any:
    # An app has no such key of what may change of it, such as its colours and whether its window is in front.
    return node._pseudo_classes_cache_key or node.pseudo_classes
