"""The HTML page: well made, without script or address, and everything of a conversation is text on it."""

import re
from html.parser import HTMLParser

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from stored import keep, land, said, score

from turnwise.conversations import Verdict
from turnwise.conversations.exports.html_style import STYLE
from turnwise.conversations.results import Quote
from turnwise.conversations.safe_text import make_safe
from turnwise.conversations.store import Store

TAGS = {
    *("html", "head", "meta", "title", "style", "body", "article", "header", "section", "div", "span"),
    *(
        "h1",
        "h2",
        "h3",
        "ol",
        "ul",
        "li",
        "dl",
        "dt",
        "dd",
        "details",
        "summary",
        "a",
        "pre",
        "p",
        "b",
        "i",
        "u",
    ),
}
ATTRIBUTES = {
    "lang",
    "charset",
    "http-equiv",
    "content",
    "name",
    "class",
    "id",
    "href",
    "dir",
    "style",
    "title",
}
VOID = {"meta"}


class Page(HTMLParser):
    """What a browser makes of a page: its text, and only elements, attributes and addresses that are ours."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = ""
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        assert tag in TAGS, tag
        held = dict(attrs)
        assert held.keys() <= ATTRIBUTES | {"aria-label"}, held
        if tag == "a":
            assert held["href"].startswith("#"), held
            self.links.append(held["href"][1:])
        if "style" in held:
            assert re.fullmatch(r"(width|left):\d+\.\d%", held["style"])
        if "id" in held:
            self.ids.append(held["id"])
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open[-1:] != ["style"]:
            self.text += data

    def handle_comment(self, data):
        raise AssertionError(data)

    def handle_pi(self, data):
        raise AssertionError(data)


def test_a_page_holds_transcript_scores_verdicts_and_labels(exported, judged):
    page = Page(exported("html"))
    for words in (
        "Bag",
        "A clerk",
        "lost",
        "politeness",
        "0.25",
        "1 of 4",
        "failed to run",
        "The judge is away",
        "skipped",
        "fail by Ana",
        "It is in Bergen",
        "Where is my bag?",
        "Oslo was ruled out",
    ):
        assert words in page.text
    assert "✗" in page.text
    assert re.findall(r'class="number"[^>]*>(\d+)<', exported("html")) == ["1", "2"]


def test_several_sessions_have_a_list_of_contents(store, exported, judged):
    keep(store, "Another", name="Second")
    page = Page(exported("html"))
    assert "2 conversations" in page.text
    assert page.links[:2] == ["s1", "s2"]
    assert set(page.links) <= set(page.ids)
    assert len(set(page.ids)) == len(page.ids)


def test_no_sessions_make_a_page_too(exported):
    assert "0 conversations" in Page(exported("html")).text


def test_nothing_hostile_is_obeyed(store, exported, hostile, hostile_text):
    keep(store)
    for sessions in ((hostile,), ()):
        text = exported("html", *sessions)
        page = Page(text)
        assert make_safe(text) == text
        # Every text of the session is there, made safe, and as text.
        shown = make_safe(hostile_text)
        for place in ("name", "role", "scenario", "tag", "system", "user", "tool", "passage", "source"):
            assert f"{place} {shown}" in page.text, place
        for place in ("metric", "reason", "about", "whole", "author", "note", "key", "value"):
            assert shown.split()[0] in page.text.split(f"{place} ", 1)[1], place


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(st.text(st.sampled_from("<>&\"'/=!-a \n\x00\x1b\u202e;"), max_size=30) | st.text(max_size=20))
def test_every_text_is_on_the_page_as_it_is(store: Store, exported, text):
    session = keep(store, text or "a", f"reply {text}", name="n", source=text)
    page = Page(exported("html", session))
    assert make_safe(f"reply {text}") in page.text


def test_a_page_needs_nothing_else(exported, judged):
    text = exported("html")
    assert "http:" not in text
    assert "https:" not in text
    assert "url(" not in STYLE
    assert "@import" not in STYLE
    assert "default-src 'none'" in text


def test_it_is_made_for_light_dark_paper_and_phones():
    for query in ("prefers-color-scheme: dark", "@media print", "max-width: 36rem"):
        assert query in STYLE


def test_a_long_system_prompt_is_folded(store, exported):
    turns = [{"role": "system", "content": "Be kind. " * 60}, {"role": "user", "content": "hi"}]
    store.sessions.add(type(said("a")).model_validate({"turns": turns}), source="s", format="f")
    text = exported("html")
    assert "(540 characters)</summary>" in text


def test_what_a_tool_gave_is_shown_once(store, exported):
    call = {"name": "find", "input_parameters": {}, "output": "OUT"}
    turns = [
        {"role": "user", "content": "a"},
        {"role": "assistant", "content": "", "tools_called": [call]},
    ]
    case = type(said("a"))
    store.sessions.add(case.model_validate({"turns": turns}), source="s", format="f")
    assert exported("html").count("OUT") == 1
    with_message = case.model_validate({"turns": [*turns, {"role": "tool", "content": "OUT"}]})
    session = store.sessions.add(with_message, source="s", format="f").session_id
    assert exported("html", session).count("OUT") == 1


def test_the_words_that_a_failed_verdict_rests_on_are_underlined(store, exported):
    content = "I look. <It> is lost & gone. It is lost & gone."
    session = keep(store, "Where is my bag?", content)
    gone = Verdict(turn=2, passed=False, word="no", quote=Quote(turn=2, start=0, end=5, text="Never"))
    rests = Verdict(turn=2, passed=False, word="no", quote=Quote(turn=2, start=8, end=28, text=content[8:28]))
    land(store, session, score(0.25, verdicts=(gone, rests)))
    page = exported("html")
    Page(page)
    assert "I look. <u>&lt;It&gt; is lost &amp; gone.</u> It is lost" in page
    assert "Turn 2 was changed since and no longer says “Never”" in page
