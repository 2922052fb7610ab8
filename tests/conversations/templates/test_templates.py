from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.conversations.errors import FormatError
from turnwise.conversations.formats.promptfoo import fill_prompt
from turnwise.conversations.templates import Templates

VARIABLES: dict[str, Any] = {
    "name": "Bob",
    "html": "<b>&\"'",
    "whole": 1.0,
    "half": 0.5,
    "yes": True,
    "nothing": None,
    "numbers": [1, 2],
    "blank": [],
    "object": {"a": 1, "b": None},
    "users": [{"name": "Ann"}, {"name": "Bob"}],
    "json": '{"city": "NYC"}',
    "self_like": "__class__",
}


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("Hi {{name}}! [{{missing}}]", "Hi Bob! []"),
        ("{{ html }}", "<b>&\"'"),
        ("{{whole}} {{half}} {{yes}} {{nothing}}", "1 0.5 true "),
        ("{{ 1.0 }} {{ 6 / 3 }} {{ 7 // 2 }} {{ 2 ** 3 }} {{ 1 / 0 }}", "1 2 3 8 Infinity"),
        ("{{numbers}} {{object}} {{blank}}", "1,2 [object Object] "),
        ("{{ missing.of.it }}", ""),
        ("{{ object | dump }} {{ (json | load).city }}", '{"a":1,"b":null} NYC'),
        ("{% for k, v in object %}{{k}}={{v}};{% endfor %}", "a=1;b=;"),
        ("{% for a, b in [[1, 2], [3, 4]] %}{{a + b}},{% endfor %}", "3,7,"),
        ("{% for u in users %}{{loop.index}}/{{loop.length}}{{u.name}}{% endfor %}", "1/2Ann2/2Bob"),
        ("{% for x in missing %}a{% else %}none{% endfor %}", "none"),
        ("{% set n = 0 %}{% for x in numbers %}{% set n = n + x %}{% endfor %}{{n}}", "3"),
        ("{% if blank %}lists are true{% endif %}", "lists are true"),
        ("{% if '' %}a{% elseif name == 'Bob' %}b{% else %}c{% endif %}", "b"),
        ("{{ 'a' ~ 1 ~ numbers }} {{ 'a' + 1 }} {{ '3' * '2' }}", "a11,2 a1 6"),
        ("{{ 'yes' if name }} {{ missing or 'else' }} {{ name and 'both' }}", "yes else both"),
        ("{{ '1' == 1 }} {{ '1' === 1 }} {{ nothing == missing }} {{ 1 < 2 < 3 }}", "true false true true"),
        ("{{ name | upper | replace('B', 'b') }} {{ numbers | join('-') }} {{ missing | default('d') }}",
         "bOb 1-2 d"),
        ("{{ numbers.length }} {{ name.toUpperCase() }} {{ 'a,b'.split(',')[1] }}", "2 BOB b"),
        ("{{ [3, 1, 2] | sort }} {{ [1, 2] | sum }} {{ 2.5 | round }} {{ '7 days' | int }}", "1,2,3 3 3 7"),
        ("{% raw %}{{ name }}{% endraw %}{# gone #}", "{{ name }}"),
        ("{% macro m(x) %}<{{x}}>{% endmacro %}{{ m(name) }}", "<Bob>"),
        ("line\r\nend {{name}}\n", "line\r\nend Bob\n"),
        ("{{ env.REGION }}", "north"),
        ("{{ 'a === b' }}{{ 1 !== 2 }}", "a === btrue"),
        ("{{ 12345678901234567890 }} {{ 1e21 }} {{ 0.0000001 }}", "12345678901234567000 1e+21 1e-7"),
        ("{{ range(3) }}", "0,1,2"),
        ("{{ {name: 1} | dump }}", '{"name":1}'),
        ("{{ nothing is null }} {{ blank is truthy }} {{ name is falsy }}", "true true false"),
        ("{{ 1 === 1 }} {{ null === missing }} {{ 'a' !== 'a' }} {{ 1 === true }}", "true false false false"),
        ("{{ 2.5.toFixed(2) }} {{ 'ab'.padStart(4, '*') }} {{ 'abc'.charAt(1) }} {{ 'ab'.repeat(2) }}",
         "2.50 **ab b abab"),
        ("{{ [1, 2, 3] | slice(2) | dump }} {{ [1, 2, 3] | select('odd') | join }} {{ 'x' | int }}|",
         "[[1,2],[3]] 13 |"),
        ("{{ {a: 1, b: 'c d'} | urlencode }} {{ 'ff' | int(0, 16) }}", "a=1&b=c%20d 255"),
        ("{% set next = cycler('a', 'b') %}{{ next.next() }}{{ next.next() }}{{ next.next() }}", "aba"),
        ("{% set mark = joiner('-') %}{% for n in numbers %}{{ mark() }}{{ n }}{% endfor %}", "1-2"),
        ("{% verbatim %}{{ name }}{% endverbatim %}", "{{ name }}"),
        ("{% asyncEach n in numbers %}{{ n }}{% endeach %}{% ifAsync name %}!{% endif %}", "12!"),
        ("{{ numbers[0] }}{{ numbers[5] }}{{ object['a'] }}{{ name[0] }}", "11B"),
        ("a {%- if true -%} b {%- endif %} c", "ab c"),
        ("{% set block %}<{{name}}>{% endset %}{{ block }}{{ block | length }}", "<Bob>5"),
        ("{{ 'a b c' | truncate(3) }} {{ 'ab cd' | title }} {{ 'x' | default('d') }}", "a b... Ab Cd x"),
        ("{{ users | selectattr('name') | length }} {{ users | groupby('name') | dump }}",
         '2 {"Ann":[{"name":"Ann"}],"Bob":[{"name":"Bob"}]}'),
        ("{{ [1, [2, null]] }} {{ -7 % 3 }} {{ 'b' in 'abc' }} {{ 'a' in object }}", "1,2, -1 true true"),
    ],
)  # fmt: skip
def test_a_template_is_filled_as_nunjucks_fills_it(template: str, text: str) -> None:
    assert Templates({"REGION": "north"}).fill(template, VARIABLES) == text


@pytest.mark.parametrize(
    "template",
    [
        "{{ ''.__class__ }}",
        "{{ name.__init__ }}",
        "{{ range.__globals__ }}",
        "{{ name.toUpperCase.__globals__ }}",
        "{{ object[self_like] }}",
        "{{ users.__len__ }}",
        "{{ loop.__class__ }}",
        "{% for x in numbers %}{{ loop._iterator }}{% endfor %}",
    ],
)
def test_a_template_sees_no_attribute_of_python(template: str) -> None:
    assert Templates().fill(template, VARIABLES) == ""


@pytest.mark.parametrize(
    ("template", "problem"),
    [
        ("{{ name", "unexpected end"),
        ("{% if x %}", "endif|end"),
        ("{{ missing() }}", "undefined"),
        ("{% include 'secrets.txt' %}", "another template"),
        ("{% extends '/etc/passwd' %}", "another template"),
        ("{% import 'x' as y %}", "another template"),
        ("{{ name | allcaps }}", "allcaps"),
        ("{{ 'not json' | load }}", "Expecting"),
        ("{% for a in range(100000) %}{% for b in range(100000) %}{% endfor %}{% endfor %}", "million turns"),
        ("{% set a = 'aaaaaaaaaa' %}" + "{% set a = a ~ a ~ a ~ a %}" * 30, "20 million"),
    ],
)
def test_what_cannot_be_filled_is_an_error(template: str, problem: str) -> None:
    with pytest.raises(FormatError, match=problem):
        Templates().fill(template, VARIABLES)


def test_texts_in_a_chat_prompt_are_filled_one_by_one() -> None:
    raw = '[{"role": "user", "content": "Say {{word}}"}, {"n": 1.0}]'
    assert fill_prompt(Templates(), raw, {"word": '"hi"'}) == (
        '[\n  {\n    "role": "user",\n    "content": "Say \\"hi\\""\n  },\n  {\n    "n": 1\n  }\n]'
    )


def test_a_prompt_that_only_looks_like_json_is_text() -> None:
    raw = '[{% for w in words %}"{{ w }}",{% endfor %}]'
    assert fill_prompt(Templates(), raw, {"words": ["a", "b"]}) == '["a","b",]'


PARTS = st.sampled_from(
    (
        *("{{", "}}", "{%", "%}", "{#", "#}", "{{name}}", "{%if%}", "{%for x in numbers%}", "{%endfor%}"),
        *("{%endif%}", "{%set n=1%}", "|", ".", "(", ")", "[", "]", "'", '"', "~", "+", "===", "//", "**"),
        *(
            "name",
            "numbers.length",
            "object|dump",
            "loop.index",
            "upper",
            "default(1)",
            "__class__",
            "\0",
            "é",
        ),
    )
)


@given(st.lists(PARTS, max_size=12).map(" ".join))
def test_any_template_is_filled_or_a_worded_error(template: str) -> None:
    with suppress(FormatError):
        assert isinstance(Templates().fill(template, VARIABLES), str)
