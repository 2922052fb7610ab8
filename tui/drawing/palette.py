"""Palette: the styles of a transcript as the theme gives them, as one value that drawn turns depend on."""

from __future__ import annotations

from dataclasses import dataclass, fields

from rich.style import Style
from textual.widget import Widget


@dataclass(frozen=True, slots=True)
class Palette:
    """The styles of a transcript's parts; each is a component class `transcript--NAME`.

    said: the ground of what the user says. cross: a ✗ among other marks, see `marks_css`.
    key, value: of data; of code its words, and texts and figures.
    """

    bar: Style
    number: Style
    role: Style
    user: Style
    said: Style
    muted: Style
    fold: Style
    text: Style
    key: Style
    value: Style
    heading: Style
    code: Style
    quote: Style
    link: Style
    passed: Style
    failed: Style
    cross: Style
    unsure: Style
    found: Style


def marks_css(prefix: str) -> str:
    """Return how ✓, ✗ and ~ are drawn by a widget whose component classes begin with `prefix`.

    Without colour what passes is dim, and a ✗ among other marks, the cross, is drawn on a block: many
    terminals show bold and dim so weakly that marks are of one weight.
    """
    return f"""
    & .{prefix}passed {{ color: $text-success; }}
    & .{prefix}failed, & .{prefix}cross {{ color: $text-error; text-style: bold; }}
    & .{prefix}unsure {{ color: $text-warning; }}
    &:nocolor .{prefix}passed {{ text-style: dim; }}
    &:nocolor .{prefix}cross {{ text-style: bold reverse; }}
    """


COMPONENT_CLASSES = {f"transcript--{part.name}" for part in fields(Palette)}

_CSS = """
    & .transcript--bar { color: $accent; }
    & .transcript--number { color: $text-muted; }
    & .transcript--role { color: $text; text-style: bold; }
    & .transcript--user { color: $text-accent; text-style: bold; }
    & .transcript--said { background: $accent 9%; }
    & .transcript--muted { color: $text-muted; }
    & .transcript--fold { color: $text-muted; }
    & .transcript--text { color: $text; }
    & .transcript--key { color: $text-accent; }
    & .transcript--value { color: $text-secondary; }
    & .transcript--heading { color: $text; text-style: bold; }
    & .transcript--code { color: $text; background: $panel; }
    & .transcript--quote { color: $text-muted; text-style: italic; }
    & .transcript--link { color: $text; text-style: underline; }
    & .transcript--found { color: $background; background: $accent; }
    &:ansi {
        .transcript--number, .transcript--muted, .transcript--fold { text-style: dim; }
        .transcript--said { background: ansi_default; }
        .transcript--found { color: ansi_default; background: ansi_default; text-style: reverse; }
    }
"""


def palette_css(widget: str) -> str:
    """Return the styles of the parts in a kind of widget."""
    return f"{widget} {{{_CSS}{marks_css('transcript--')}}}"


def read_palette(widget: Widget) -> Palette:
    """Return the palette `widget` has under the theme of now."""
    return Palette(**{part.name: component(widget, f"transcript--{part.name}") for part in fields(Palette)})


def component(widget: Widget, name: str) -> Style:
    """Return a component's style without the background it inherits, so that it can lie on any.

    A background that lets some of what is under it through is mixed with that of the widget.
    """
    style = widget.get_component_rich_style(name)
    own = widget.get_component_rich_style(name, partial=True)
    ground = style.bgcolor if own.bgcolor else None
    return Style(
        color=style.color,
        bgcolor=ground,
        bold=style.bold,
        dim=style.dim,
        italic=style.italic,
        underline=style.underline,
        reverse=style.reverse,
    )
