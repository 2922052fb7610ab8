"""RecordTree: a record of a file as a tree that folds, coloured, with what was said of its parts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, ClassVar

from rich.style import Style
from rich.text import Text
from textual.widgets import Tree
from textual.widgets.tree import TreeNode

from turnwise.conversations.formats.mapped import EACH, DataPath, written_path
from turnwise.conversations.safe_text import make_safe_line
from turnwise.tui.drawing.palette import component

_MOST_ITEMS = 50
_MOST_KEYS = 200
_DEEPEST = 12
_OPEN_TO = 8
_LONGEST = 200


class RecordTree(Tree[DataPath], inherit_bindings=False):
    """Shows one value. A part of it that was said to be something bears that word.

    It has no keys of its own: the dialog binds them.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "record--key",
        "record--text",
        "record--number",
        "record--count",
        "record--told",
    }
    DEFAULT_CSS = """
    RecordTree {
        background: $surface;
        padding: 0;
        scrollbar-size-vertical: 1;
        scrollbar-size-horizontal: 0;
        & .record--key { color: $text; text-style: bold; }
        & .record--text { color: $text-success; }
        & .record--number { color: $text-warning; }
        & .record--count { color: $text-muted; }
        & .record--told { color: $accent; background: $panel; text-style: bold; }
        & > .tree--cursor { background: $panel; color: $text; text-style: none; }
        &:focus > .tree--cursor { background: $panel; color: $text; text-style: bold; }
        & > .tree--highlight-line { background: $panel; }
        & > .tree--guides { color: $text-muted; }
        & > .tree--guides-selected { color: $text-muted; text-style: none; }
        & > .tree--guides-hover { color: $text-muted; text-style: none; }
        &:focus > .tree--guides { color: $text-muted; }
        &:focus > .tree--guides-selected { color: $text-muted; text-style: none; }
        &:focus > .tree--guides-hover { color: $text-muted; text-style: none; }
        &:focus { background-tint: transparent; }
        &:ansi .record--told { color: ansi_default; background: ansi_default; text-style: reverse; }
    }
    """

    def __init__(self, value: Any, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__("record", data=(), id=id)
        self._value = value
        self._told: dict[DataPath, str] = {}
        self._drawn: list[TreeNode[DataPath]] = []

    def on_mount(self) -> None:
        """Build the tree."""
        # Not before it is mounted: what is set here draws, in styles that the theme gives.
        self.show_root = False
        self.guide_depth = 2
        self.auto_expand = False
        self.root.expand()
        self._fill(self.root, self._value, (), 0)

    def tell(self, told: Mapping[DataPath, str]) -> None:
        """Show what the parts of the record were said to be."""
        changed = {path for path in {*told, *self._told} if told.get(path) != self._told.get(path)}
        self._told = dict(told)
        for node in self._drawn:
            if node.data in changed:
                node.refresh()

    def show_path(self, path: DataPath) -> None:
        """Bring what a path leads to into sight, with as much below it as there is room for."""
        node = self.root
        for step in path:
            wanted = [child for child in node.children if child.data and child.data[-1] == step]
            if not wanted:
                return
            node = wanted[0]
            node.expand()
        line = node.line
        if line > 0:
            self.scroll_to(y=line, animate=False)

    def _fill(self, node: TreeNode[DataPath], value: Any, path: DataPath, depth: int) -> None:
        if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
            value = _inner(value)
        if depth >= _DEEPEST:
            return
        if isinstance(value, dict):
            for key, item in list(value.items())[:_MOST_KEYS]:
                self._add(node, str(key), item, (*path, str(key)), depth)
        elif isinstance(value, list):
            for number, item in enumerate(value[:_MOST_ITEMS]):
                self._add(node, f"[{number}]", item, (*path, EACH), depth, is_open=number == 0)
            if len(value) > _MOST_ITEMS:
                node.add_leaf(Text(f"… {len(value) - _MOST_ITEMS:,} more"), data=None)

    def _add(
        self,
        node: TreeNode[DataPath],
        key: str,
        item: Any,
        path: DataPath,
        depth: int,
        *,
        is_open: bool = True,
    ) -> None:
        shown = _inner(item) if isinstance(item, str) and item.lstrip()[:1] in ("{", "[") else item
        label = Text(make_safe_line(key), end="")
        label.append(": ")
        label.append(_words(shown))
        label.no_wrap = True
        # What a label is of stands with it: its key's length, and the kind of its value.
        kind = "count" if isinstance(shown, dict | list) else "text" if isinstance(shown, str) else "number"
        label.stylize(Style(meta={"kind": kind, "key": len(make_safe_line(key)) + 1}))
        if isinstance(shown, dict | list) and shown:
            branch = node.add(label, data=path, expand=is_open and depth < _OPEN_TO)
            self._drawn.append(branch)
            self._fill(branch, shown, path, depth + 1)
        else:
            self._drawn.append(node.add_leaf(label, data=path))

    def render_label(self, node: TreeNode[DataPath], base_style: Style, style: Style) -> Text:
        """Draw a key, its value, and what it was said to be."""
        text = node.label if isinstance(node.label, Text) else Text(str(node.label))
        sign = ("▾ " if node.is_expanded else "▸ ") if node.allow_expand else ""
        drawn = Text.assemble((sign, component(self, "record--count")), no_wrap=True)
        plain = text.plain
        meta = next((span.style.meta for span in text.spans if isinstance(span.style, Style)), {})
        end = meta.get("key", 0)
        drawn.append(plain[:end], component(self, "record--key"))
        if node.data is not None and (word := self._told.get(node.data)):
            # Before the value, which may be longer than the line.
            drawn.append(" ")
            drawn.append(f" {word} ", component(self, "record--told"))
        drawn.append(plain[end:], component(self, f"record--{meta.get('kind', 'count')}"))
        drawn.stylize(style)
        return drawn

    def path_at_cursor(self) -> str | None:
        """Return the path that leads to what the cursor is on."""
        node = self.cursor_node
        return None if node is None or not node.data else written_path(node.data)

    def fold(self) -> None:
        """Fold what the cursor is on; where that is folded, go to what holds it."""
        node = self.cursor_node
        if node is None:
            return
        if node.allow_expand and node.is_expanded:
            node.collapse()
        elif node.parent is not None and not node.parent.is_root:
            self.move_cursor(node.parent)

    def unfold(self) -> None:
        """Unfold what the cursor is on."""
        if self.cursor_node is not None:
            self.cursor_node.expand()


def _inner(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _words(value: Any) -> str:
    if isinstance(value, dict):
        return f"{{{len(value)}}}"
    if isinstance(value, list):
        return f"[{len(value)}]"
    text = json.dumps(value, ensure_ascii=False) if not isinstance(value, str) else value
    return make_safe_line(text[:_LONGEST])
