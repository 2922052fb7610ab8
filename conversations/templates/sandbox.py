"""The sandbox that templates are filled in: Jinja2's, rewritten to follow JavaScript's rules.

A template sees data only: no Python attribute, no file, no other template, and a limit on its loops.
A name that a loop sets is one that was set before the loop in nunjucks; in Jinja2 it ends with a turn of the
loop. Such names are moved into one object that the template makes at its start, which a loop may change in
both languages.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from operator import ge, gt, le, lt
from typing import Any, cast

from jinja2 import ChainableUndefined, TemplateSyntaxError, nodes
from jinja2.runtime import LoopContext
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import Namespace

from turnwise.conversations.templates import javascript_values as js
from turnwise.conversations.templates.budget import check_length, made, spend_reading, spend_values
from turnwise.conversations.templates.filters import FILTERS

_LOOP_NAMES = frozenset(["index", "index0", "revindex", "revindex0", "first", "last", "length"])
STRICTLY = "_strictly_"
"""The name that stands between two equal signs: a === b is prepared as a == _strictly_ == b."""
# fmt: off
_KNOWN_TESTS = frozenset(
    (
        "callable", "defined", "divisibleby", "escaped", "equalto", "eq", "sameas", "even", "falsy", "ge",
        "greaterthan", "gt", "le", "lessthan", "lower", "lt", "ne", "none", "null", "number", "odd", "string",
        "truthy", "undefined", "upper", "iterable", "mapping",
    )
)
# fmt: on
_ORDERS: dict[str, Callable[[Any, Any], bool]] = {"lt": lt, "lteq": le, "gt": gt, "gteq": ge}
_TESTS: dict[str, Callable[..., bool]] = {
    "null": lambda value: value is None,
    "truthy": js.is_true,
    "falsy": lambda value: not js.is_true(value),
    "odd": lambda value: _rest_is(1)(value),
    "even": lambda value: _rest_is(0)(value),
    "divisibleby": lambda value, by: _divides(value, by),
    "lower": lambda value: isinstance(value, str) and value == value.lower(),
    "upper": lambda value: isinstance(value, str) and value == value.upper(),
    **dict.fromkeys(("eq", "equalto", "sameas"), js.are_identical),
    "ne": lambda left, right: not js.are_identical(left, right),
    **{
        name: partial(lambda order, left, right: _in_order(order, left, right), order)
        for name, order in (
            ("lt", "lt"),
            ("lessthan", "lt"),
            ("le", "lteq"),
            ("gt", "gt"),
            ("greaterthan", "gt"),
            ("ge", "gteq"),
        )
    },
}
_RULES = {
    "_items": "_items",
    "_pairs": "_pairs",
    "_truth": "_truth",
    "_joined": "_joined",
    "_compared": "_compared",
}
HOLDER = "_set_by_loops"
MAKER = "_new_holder"


class Absent(ChainableUndefined):
    """A name or member that is not there."""


class Environment(dict[str, str]):
    """What `env` gives in templates. is_closed: what is not in it may be there and is not to be seen."""

    is_closed = False


class UnseenVariableError(LookupError):
    """A template asks for a variable of an environment that is closed to it."""


class Sandbox(ImmutableSandboxedEnvironment):
    """The sandbox, with members, operators and loops as JavaScript has them."""

    intercepted_binops = frozenset(("+", "-", "*", "/", "//", "%", "**"))

    def __init__(self) -> None:
        super().__init__(
            undefined=Absent,
            finalize=_output,
            keep_trailing_newline=True,
            optimized=False,
            cache_size=0,
        )
        self.filters = {**FILTERS, **{name: getattr(self, method) for name, method in _RULES.items()}}

        self.filters["select"] = self._picked(True)
        self.filters["reject"] = self._picked(False)
        self.tests = {name: test for name, test in {**self.tests, **_TESTS}.items() if name in _KNOWN_TESTS}

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        template = super()._parse(source, name, filename)
        _rewrite(template)
        keep_what_loops_set(template)
        return template

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Return a member as JavaScript has it."""
        return self.getitem(obj, attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        """Return a member as JavaScript has it; of a loop its counters only."""
        if isinstance(obj, Namespace):
            # A namespace gives what the template set in it, and nothing of its Python class.
            known = isinstance(argument, str) and not argument.startswith("__")
            return getattr(obj, argument, Absent(name=argument)) if known else Absent()
        if isinstance(obj, LoopContext):
            return getattr(obj, argument) if argument in _LOOP_NAMES else Absent(name=str(argument))
        try:
            return js.member(obj, argument)
        except KeyError:
            if isinstance(obj, Environment) and obj.is_closed:
                raise UnseenVariableError(js.string_of(argument)) from None
            return Absent(name=js.string_of(argument))

    def is_safe_callable(self, obj: Any) -> bool:
        """Whether a template may call it."""
        # Only what `member` and `range` hand out, and macros of the template itself, are ever callable.
        return callable(obj)

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        """Return what JavaScript's operator makes of two values."""
        if operator == "+":
            return js.plus(left, right)
        first, second = js.number_of(left), js.number_of(right)
        if operator == "-":
            return js.as_held(first - second)
        if operator == "*":
            return _float(first) * _float(second)
        if operator == "**":
            return _power(_float(first), _float(second))
        return _quotient(operator, _float(first), _float(second))

    def counted_range(self, *bounds: Any) -> list[int]:
        """Return the whole numbers from the first to before the second bound."""
        numbers = range(*(int(js.number_of(bound)) for bound in bounds))
        spend_values(len(numbers))
        return list(numbers)

    def call(__self, __context: Any, __obj: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: N805
        """Call what a template calls, which is one step."""
        spend_values()
        return super().call(__context, __obj, *args, **kwargs)

    def concat(self, pieces: Iterable[str]) -> str:
        """Return the pieces of a text as one. Raises ValueError where that grows too long."""
        held, length = [], 0
        for piece in pieces:
            held.append(piece)
            length += len(piece)
            check_length(length)
        return made("".join(held))

    def _items(self, value: Any) -> list[Any]:
        if not isinstance(value, list | tuple | str):
            return []
        spend_values(len(value))
        return list(value)

    def _pairs(self, value: Any, width: int) -> list[Any]:
        if isinstance(value, dict):
            rows: list[Any] = [[key, item] for key, item in value.items()]
        else:
            rows = [list(row) if isinstance(row, list | tuple | str) else [] for row in self._items(value)]
        spend_values(len(rows))
        return [[*row[:width], *[Absent()] * (width - len(row))] for row in rows]

    def _picked(self, wanted: bool) -> Callable[..., list[Any]]:
        def pick(value: Any, test: Any = "truthy", *arguments: Any) -> list[Any]:
            holds = cast("Callable[..., Any]", self.tests[js.string_of(test)])
            return [item for item in self._items(value) if bool(holds(item, *arguments)) == wanted]

        return pick

    def cycler(self, *items: Any) -> dict[str, Any]:
        """Return an object whose `next` gives its items one after the other, again and again."""
        turn = itertools.cycle(items)
        return {"next": lambda: next(turn, Absent())}

    def joiner(self, mark: Any = ",") -> Callable[[], str]:
        """Return a function that gives nothing the first time, and then a mark."""
        marks = itertools.chain([""], itertools.repeat(js.string_of(mark)))
        return lambda: next(marks)

    def _truth(self, value: Any) -> bool:
        return js.is_true(value)

    def _joined(self, first: Any, *others: Any) -> str:
        return js.joined([first, *others])

    def _compared(self, left: Any, operator: str, right: Any) -> bool:
        spend_reading(left, right)
        if operator in (STRICTLY, f"not {STRICTLY}"):
            same = js.are_identical(left, right)
            return same == (operator == STRICTLY)
        if operator in ("eq", "ne"):
            return js.are_equal(left, right) == (operator == "eq")
        if operator in ("in", "notin"):
            return _is_in(left, right) == (operator == "in")
        return _in_order(operator, left, right)


def _output(value: Any) -> str:
    # The time is looked at wherever something is written: a loop may do nothing else.
    spend_values(0)
    return js.output_of(value)


def _in_order(operator: str, left: Any, right: Any) -> bool:
    first, second = (left, right) if _both_text(left, right) else (js.number_of(left), js.number_of(right))
    return bool(_ORDERS[operator](first, second))


def _rest_is(rest: int) -> Callable[[Any], bool]:
    return lambda value: _whole(value) % 2 == rest


def _whole(value: Any) -> float:
    number = js.number_of(value)
    return number if math.isfinite(number) else math.nan


def _divides(value: Any, by: Any) -> bool:
    divisor = _whole(by)
    return divisor != 0 and _whole(value) % divisor == 0


def _float(number: int | float) -> float:
    return js.float_of(number) if isinstance(number, int) else number


def _power(base: float, exponent: float) -> float:
    try:
        result = base**exponent
    except (OverflowError, ZeroDivisionError):
        return float("inf")
    return float("nan") if isinstance(result, complex) else result


def _quotient(operator: str, first: float, second: float) -> float:
    if second == 0 or first != first or second != second:
        if operator == "%" or first == 0 or first != first or second != second:
            return float("nan")
        return float("inf") if first > 0 else float("-inf")
    if operator == "/":
        return first / second
    if operator == "//":
        return first // second
    # The sign of JavaScript's remainder is that of the first number.
    return math.fmod(first, second) if math.isfinite(first) else float("nan")


def _both_text(left: Any, right: Any) -> bool:
    return isinstance(left, str) and isinstance(right, str)


def _is_in(sought: Any, within: Any) -> bool:
    if isinstance(within, str):
        return js.string_of(sought) in within
    if isinstance(within, dict):
        return js.string_of(sought) in within
    if not isinstance(within, list):
        return False
    spend_values(len(within))
    return any(js.are_identical(item, sought) for item in within)


def _rewrite(node: nodes.Node) -> None:
    """Replace every operation below a node that Jinja2 would evaluate by Python's rules."""
    if isinstance(node, nodes.Slice | nodes.With):
        kind = "slices, as in x[1:2]" if isinstance(node, nodes.Slice) else "the block with"
        raise TemplateSyntaxError(f"nunjucks does not know {kind}", node.lineno)
    for name, value in list(node.iter_fields()):
        if isinstance(value, list):
            setattr(
                node, name, [_rewritten(item) if isinstance(item, nodes.Node) else item for item in value]
            )
        elif isinstance(value, nodes.Node):
            setattr(node, name, _rewritten(value))
    if isinstance(node, nodes.For):
        if isinstance(node.target, nodes.Tuple):
            width = nodes.Const(len(node.target.items))
            node.iter = _asked("_pairs", node.iter, width)
        else:
            node.iter = _asked("_items", node.iter)
    if isinstance(node, nodes.If | nodes.CondExpr):
        node.test = _asked("_truth", node.test)


def _rewritten(node: nodes.Node) -> nodes.Node:
    _rewrite(node)
    if isinstance(node, nodes.Pair) and isinstance(node.key, nodes.Name):
        # In {a: 1} the key is the text a.
        node.key = nodes.Const(node.key.name)
    if isinstance(node, nodes.Or):
        return nodes.CondExpr(_asked("_truth", node.left), node.left, node.right)
    if isinstance(node, nodes.And):
        return nodes.CondExpr(_asked("_truth", node.left), node.right, node.left)
    if isinstance(node, nodes.Not):
        return nodes.Not(_asked("_truth", node.node))
    if isinstance(node, nodes.Concat):
        return _asked("_joined", node.nodes[0], *node.nodes[1:])
    if isinstance(node, nodes.Compare):
        return _compared(node)
    return node


def _compared(node: nodes.Compare) -> nodes.Expr:
    parts = list(_comparisons(node))
    whole = parts[0]
    for part in parts[1:]:
        whole = nodes.And(whole, part)
    return whole


def _comparisons(node: nodes.Compare) -> Iterator[nodes.Expr]:
    left, strictly = node.expr, ""
    for operand in node.ops:
        if isinstance(operand.expr, nodes.Name) and operand.expr.name == STRICTLY:
            strictly = STRICTLY if operand.op == "eq" else f"not {STRICTLY}"
            continue
        yield _asked("_compared", left, nodes.Const(strictly or operand.op), operand.expr)
        left, strictly = operand.expr, ""


def _asked(rule: str, first: nodes.Node, *others: nodes.Expr) -> nodes.Filter:
    return nodes.Filter(cast("nodes.Expr", first), rule, list(others), [], None, None)


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
