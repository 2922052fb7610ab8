"""What a template may cost: whatever it does with lists and texts, it ends in time and memory."""

from __future__ import annotations

import pytest

from turnwise.conversations.errors import FormatError
from turnwise.conversations.templates import Templates, stays_as_written

TWICE = "{% set a = ['x'] %}" + "{% set a = [a, a] %}" * 32
TWICE_AGAIN = "{% set b = ['x'] %}" + "{% set b = [b, b] %}" * 32
MANY = "{% for i in range(200) %}{% set l = l.concat([GROWN]) %}{% endfor %}{{ l|length }}"
TOO_MUCH = {
    "a list of lists, printed": TWICE + "{{ a }}",
    "a list of lists, as JSON": TWICE + "{{ a|dump }}",
    "a list that doubles": "{% set a = [1] %}" + "{% set a = a.concat(a) %}" * 40 + "{{ a|length }}",
    "long texts in a list": "{% set s = 'x'.repeat(19000000) %}{% set l = [] %}"
    + MANY.replace("GROWN", "s ~ i"),
    "split texts in a list": "{% set s = 'x,'.repeat(9000000) %}{% set l = [] %}"
    + MANY.replace("GROWN", "s.split(',')"),
    "a sort in a loop": "{% set s = 'x,'.repeat(400000) %}"
    "{% for i in range(1000) %}{{ s.split(',')|sort|length }}{% endfor %}",
    "groups of characters": "{{ 'x'.repeat(19000000)|groupby('a')|length }}",
    "a macro that calls itself twice": "{% macro f(n) %}{% if n %}{{ f(n - 1) }}{{ f(n - 1) }}{% endif %}"
    "{% endmacro %}{{ f(60) }}",
    "long marks": "{% set s = 'x'.repeat(19000000) %}{{ [s, s, s, s]|join(s) }}",
    "marks of a list": "{% set s = 'x'.repeat(19000000) %}{{ [s, s, s, s].join(s) }}",
    "a text in the place of characters": "{{ 'x'.repeat(10000000)|replace('x', 'y'.repeat(1000)) }}",
    "the same, as JavaScript has it": "{{ 'x'.repeat(10000000).replaceAll('x', 'y'.repeat(1000)) }}",
    "lines moved far in": "{{ '\\n'.repeat(900000)|indent(9000) }}",
    "words between turns": "{% for i in range(400000) %}" + "y" * 3000 + "{% endfor %}",
    "words between turns, kept": "{% set q %}{% for i in range(400000) %}"
    + "y" * 3000
    + "{% endfor %}{% endset %}",
    "JSON of many values": "{{ ('[' ~ '[],'.repeat(5000000) ~ '1]')|load|length }}",
}
LINEAR = {
    "openings": ("{{ ('<a'.repeat(400000))|striptags|length }}", "800000"),
    "openings of comments": ("{{ ('<!--'.repeat(400000) ~ ' >')|striptags|length }}", "1600002"),
    "blanks": ("{{ (' '.repeat(400000) ~ 'a')|striptags(true) }}", "a"),
    "lists of lists, compared": (TWICE + TWICE_AGAIN + "{{ 'a' if a is eq(b) else 'b' }}", "b"),
    "lists of lists, looked for": (TWICE + TWICE_AGAIN + "{{ 'a' if a in [b] else 'b' }}", "b"),
    "lists of lists, as words": (TWICE + "{{ 'a' if a is lower else 'b' }}", "b"),
    "a number that grows": (
        "{% set x = 1 %}{% for i in range(100000) %}{% set x = x + x %}{% endfor %}{{ x }}",
        "Infinity",
    ),
    "a text that is no number": ("{{ 'a' if '%999999999d' is odd else 'b' }}", "b"),
}


@pytest.mark.parametrize("way", TOO_MUCH)
def test_a_template_that_takes_too_much_is_told(way: str) -> None:
    with pytest.raises(FormatError, match=r"million|longer than"):
        Templates().fill(TOO_MUCH[way], {})


@pytest.mark.parametrize("way", LINEAR)
def test_a_template_that_could_take_too_long_is_filled(way: str) -> None:
    template, filled = LINEAR[way]
    assert Templates().fill(template, {}) == filled


def test_a_value_that_is_put_in_often_counts_every_time() -> None:
    with pytest.raises(FormatError, match="20 million"):
        Templates().fill("{{ a }}" * 30, {"a": "x" * 1_000_000})


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("a <b>c</b> <!-- d > e --> f", "a c f"),
        ("1 < 2 and <3, <i", "1 < 2 and <3, <i"),
        ("<!-- open <b>c</b>", "<!-- open c"),
        ("<a\n>b</a\n>", "b"),
    ],
)
def test_tags_are_taken_out_of_a_text(text: str, kept: str) -> None:
    assert Templates().fill("{{ t|striptags }}", {"t": text}) == kept


def test_each_template_has_a_budget_of_its_own() -> None:
    templates = Templates()
    for _ in range(4):
        assert len(templates.fill("{% for i in range(300000) %}x{% endfor %}", {})) == 300_000


@pytest.mark.parametrize(
    ("text", "open_"),
    [
        ("{" * 100_000 + "}", False),
        ("{{ a", True),
        ("{{ a\n}}", True),
        ("{{ a }} {%", True),
        ("{% a % b", False),
        ("{# a", True),
        ("{{{ a }", False),
        ("a }} {{ b }}", False),
    ],
)
def test_a_tag_that_a_line_leaves_open_is_seen_at_once(text: str, open_: bool) -> None:
    assert stays_as_written(text) is open_
