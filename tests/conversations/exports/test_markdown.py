"""Markdown: what was said is read as it was said, by a person and by a program that renders it."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from turnwise.conversations import LLMTestCase
from turnwise.conversations.exports.markdown import markdown_line, markdown_quote
from turnwise.conversations.safe_text import make_safe, make_safe_line

markdown_it = pytest.importorskip("markdown_it")
ALLOWED = {"text", "text_special", "hardbreak"}
MARKDOWN = st.text(st.sampled_from("ab1 \n\t\\`*_[]()<>#+-=.!|~&;:$/'\""), max_size=24) | st.text(max_size=12)


def parsed(text):
    return markdown_it.MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text)


def words_of(token):
    assert {child.type for child in token.children} <= ALLOWED, token.children
    return "".join("\n" if child.type == "hardbreak" else child.content for child in token.children)


@given(MARKDOWN)
@example("<script>alert(1)</script>")
@example("[link](javascript:x) ![picture](http://x)")
@example("a\n---")
@example("a | b\n--- | ---\nc | d")
@example("a\n:---")
@example("1. one\n2. two")
@example("ends in \\\nand goes on")
@example("    indented\n``` fence")
def test_what_was_said_is_all_that_is_shown(text):
    tokens = parsed(markdown_quote(text))
    kinds = {token.type for token in tokens}
    safe = make_safe(text)
    if kinds == {"fence"}:
        assert tokens[0].content == f"{safe}\n"
        return
    assert kinds <= {"blockquote_open", "blockquote_close", "paragraph_open", "paragraph_close", "inline"}
    paragraphs = [words_of(token) for token in tokens if token.type == "inline"]
    expected = re.split(r"\n{2,}", "\n".join(line.strip() for line in safe.split("\n")).strip("\n"))
    assert paragraphs == [part for part in expected if part]


@given(MARKDOWN)
@example("- a")
@example("<b>&amp;")
def test_text_inside_a_line_stays_text(text):
    tokens = parsed(f"x {markdown_line(text)} x")
    assert [token.type for token in tokens] == ["paragraph_open", "inline", "paragraph_close"]
    assert words_of(tokens[1]).split() == f"x {make_safe_line(text)} x".split()


def test_ordinary_text_is_written_as_it_is():
    assert (
        markdown_quote("Hello, snake_case is fine (1-2): a@b.org!")
        == "> Hello, snake_case is fine (1-2): a@b.org!"
    )
    assert markdown_quote("one\ntwo\n\nthree") == "> one\\\n> two\n>\n> three"


def test_lines_that_count_on_their_spaces_stand_in_a_block():
    assert markdown_quote("def f():\n    return 1") == "```text\ndef f():\n    return 1\n```"
    assert markdown_quote("````\nx") == "`````text\n````\nx\n`````"


def test_a_session_has_its_facts_scores_and_numbered_turns(exported, judged):
    lines = exported("markdown").splitlines()
    assert lines[0] == "# Bag"
    assert "- role: A clerk" in lines
    assert "- ✗ **politeness** 0.25: 1 of 4" in lines
    assert "- – **faith** skipped: no judge" in lines
    assert "- ! **goal** failed to run: The judge is away" in lines
    assert "- ✗ fail by Ana, turn 2: It is in Bergen" in lines
    at = lines.index("**2 · assistant**")
    assert lines[at + 2 : at + 5] == ["> In Oslo.", "", "- ✗ **politeness** «In Oslo.» Oslo was ruled out"]


def test_sessions_are_parted_by_a_rule(store, exported, judged):
    store.sessions.add(LLMTestCase(input="a", actual_output="b"), source="s", format="f")
    assert exported("markdown").count("\n---\n\n# ") == 1


def test_nothing_hostile_is_obeyed(exported, hostile):
    text = exported("markdown")
    assert make_safe(text) == text
    kinds = {token.type for token in parsed(text)}
    inside = {child.type for token in parsed(text) for child in token.children or ()}
    assert "html_block" not in kinds
    assert not inside & {"html_inline", "link_open", "image"}


def test_what_neither_passed_nor_failed_has_the_sign_it_has_in_the_app(store, exported, judged):
    store.labels.add(judged, "defer", author="Ben", blind=True)
    assert "- ~ defer by Ben" in exported("markdown").splitlines()
