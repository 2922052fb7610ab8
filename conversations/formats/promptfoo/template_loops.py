"""Names that a loop sets: in nunjucks they are those set before the loop, in Jinja2 they end with a turn.

Such names are moved into one object that the template makes at its start, which both languages let a loop
change.
"""

from __future__ import annotations

from collections.abc import Iterator

from jinja2 import nodes

HOLDER = "_set_by_loops"
MAKER = "_new_holder"


def keep_what_loops_set(template: nodes.Template) -> None:
    """Rewrite a parsed template so that a name set before a loop and in it is one and the same."""
    outside, within = set[str](), set[str]()
    for name, is_within in _set_names(template, is_within=False):
        (within if is_within else outside).add(name)
    shared = outside & within
    if not shared:
        return
    _replace(template, shared)
    holder = nodes.Name(HOLDER, "store")
    maker = nodes.Call(nodes.Name(MAKER, "load"), [], [], None, None)
    template.body.insert(0, nodes.Assign(holder, maker, lineno=1))


def _set_names(node: nodes.Node, *, is_within: bool) -> Iterator[tuple[str, bool]]:
    for child in node.iter_child_nodes():
        if isinstance(child, nodes.Assign | nodes.AssignBlock) and isinstance(child.target, nodes.Name):
            yield child.target.name, is_within
        yield from _set_names(child, is_within=is_within or isinstance(child, nodes.For))


def _replace(node: nodes.Node, names: set[str]) -> None:
    for field, value in list(node.iter_fields()):
        if isinstance(value, list):
            setattr(node, field, [_replaced(item, names) for item in value])
        elif isinstance(value, nodes.Node):
            setattr(node, field, _replaced(value, names))


def _replaced(item: object, names: set[str]) -> object:
    if not isinstance(item, nodes.Node):
        return item
    if isinstance(item, nodes.Name) and item.name in names:
        if item.ctx == "store":
            return nodes.NSRef(HOLDER, item.name)
        return nodes.Getattr(nodes.Name(HOLDER, "load"), item.name, "load")
    _replace(item, names)
    return item
