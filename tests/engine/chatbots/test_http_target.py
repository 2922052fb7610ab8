"""HttpTarget: requests from templates, replies by path or expression, faults that pass and that do not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judge_server import JudgeServer, Step, busy, drops, refuses
from misspelt import misspelt

from turnwise.conversations.errors import (
    FormatError,
    JudgeRefusedError,
    JudgeUnavailableError,
    NotFoundError,
    SettingError,
)
from turnwise.engine.chatbots.http_requests import (
    HttpTemplate,
    filled_request,
    http_template,
    template_of_file,
)
from turnwise.engine.chatbots.http_target import HttpTarget, read_reply

OWN = ("url", "method", "headers", "body", "response")
SAID = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": 'Say "hi"'}]


async def at_once(_: float) -> None:
    """Wait for nothing."""


def target_at(server: JudgeServer, **config: Any) -> HttpTarget:
    url = f"{server.url}/chat/completions"
    return HttpTarget(http_template({"url": url, "body": {"message": "{{prompt}}"}, **config}), sleep=at_once)


async def asked(target: HttpTarget, **variables: Any) -> Any:
    async with target:
        return await target.answer(SAID, variables)


class TestRequests:
    @given(st.text())
    def test_no_prompt_can_break_a_json_body(self, prompt):
        for body in ('{"q": "{{prompt}}"}', {"q": "{{prompt}}"}):
            template = http_template({"url": "http://bot.example/", "body": body})
            content = filled_request(template, {"prompt": prompt}, {}).content
            found = json.loads(content)["q"]
            if isinstance(found, str):
                assert found.encode("utf-8", "replace") == prompt.encode("utf-8", "replace")

    def test_messages_go_in_as_data(self):
        template = http_template({"url": "http://bot.example/", "body": {"m": "{{messages}}", "n": 1}})
        request = filled_request(template, {"messages": SAID}, {})
        assert json.loads(request.content) == {"m": SAID, "n": 1}
        assert request.headers == {"Content-Type": "application/json"}

    def test_a_query_is_encoded_and_the_environment_is_what_is_given(self):
        template = http_template(
            {
                "url": "https://bot.example/c?v=1",
                "queryParams": {"q": "{{prompt}}"},
                "headers": {"K": "{{env.T}}"},
            }
        )
        request = filled_request(template, {"prompt": "a&b c"}, {"T": "t"})
        assert (request.method, request.url) == ("GET", "https://bot.example/c?v=1&q=a%26b+c")
        assert request.headers == {"K": "t"}

    def test_a_raw_request_is_one_too(self):
        raw = 'POST /chat HTTP/1.1\nHost: bot.example\nContent-Type: application/json\n\n{"q": "{{prompt}}"}'
        template = http_template({"request": raw})
        assert template.url == "https://bot.example/chat"
        request = filled_request(template, {"prompt": 'a "b"\n'}, {})
        assert json.loads(request.content) == {"q": 'a "b"\n'}
        assert request.headers == {"Content-Type": "application/json"}

    @pytest.mark.parametrize(
        "config",
        [
            {"url": "file:///etc/passwd"},
            {"url": "gopher://x"},
            {"url": "http://"},
            {},
            {"url": "http://a", "method": "TRACE"},
            {"url": "http://a", "headers": "x"},
            {"url": "http://a", "transformResponse": "file://x.js"},
            {"request": "hello"},
            {"request": "GET /x HTTP/1.1\n\n"},
        ],
    )
    def test_what_is_no_request_is_an_error(self, config):
        with pytest.raises(SettingError):
            http_template(config)

    def test_a_variable_can_neither_change_the_scheme_nor_add_a_header(self):
        with pytest.raises(SettingError):
            filled_request(HttpTemplate(url="{{prompt}}", method="GET"), {"prompt": "file:///etc/passwd"}, {})
        template = http_template({"url": "http://a", "headers": {"X": "{{prompt}}"}})
        with pytest.raises(SettingError, match="HTTP target"):
            filled_request(template, {"prompt": "a\r\nHost: b"}, {})


class TestReplies:
    @pytest.mark.parametrize(
        ("expression", "reply"),
        [
            ("json.choices[0].text", "hi"),
            ("choices[0].text", "hi"),
            ("json?.choices?.[0]['text']", "hi"),
            ("text", '{"choices": [{"text": "hi"}]}'),
            ("", {"choices": [{"text": "hi"}]}),
        ],
    )
    def test_a_path_finds_it(self, expression, reply):
        assert read_reply('{"choices": [{"text": "hi"}]}', expression) == reply

    @pytest.mark.parametrize(
        "expression", ["json.a + '!'", "(json, text) => json.a + '!'", "{output: json.a + '!'}"]
    )
    def test_an_expression_makes_it(self, expression):
        pytest.importorskip("py_mini_racer")
        expression = f"({expression})" if expression.startswith("{") else expression
        assert read_reply('{"a": "hi"}', expression) == "hi!"

    @pytest.mark.parametrize(
        ("text", "expression"), [("{}", "json.a"), ("no json", "a.b"), ("[1]", "json[4]")]
    )
    def test_a_reply_that_is_not_there_is_an_error(self, text, expression):
        with pytest.raises(SettingError, match="no reply"):
            read_reply(text, expression)

    def test_an_answer_that_is_no_json_is_a_text(self):
        assert read_reply("Hello there", "") == "Hello there"


class TestAsking:
    async def test_the_template_is_sent_and_the_reply_is_read(self, judge_server):
        judge_server.default = Step(body={"reply": "Hello"})
        target = target_at(
            judge_server, body={"q": "{{prompt}}", "id": "{{user}}"}, transformResponse="json.reply"
        )
        assert await asked(target, user="ana") == "Hello"
        [request] = judge_server.requests
        assert (request.path, request.body) == ("/v1/chat/completions", {"q": 'Say "hi"', "id": "ana"})

    async def test_it_is_asked_again_while_there_is_hope(self, judge_server):
        judge_server.script(busy(retry_after_ms="1"), refuses(503, "soon"), drops())
        judge_server.default = Step(body={"reply": "Hello"})
        assert await asked(target_at(judge_server, transformResponse="json.reply")) == "Hello"
        assert len(judge_server.requests) == 4

    @pytest.mark.parametrize(
        ("step", "kind"),
        [
            (drops(), JudgeUnavailableError),
            (busy(retry_after_ms="1"), JudgeUnavailableError),
            (refuses(503, "away"), JudgeUnavailableError),
            (refuses(500, "this prompt breaks me"), JudgeRefusedError),
            (refuses(400, "odd"), JudgeRefusedError),
            (Step(status=302, body={}, headers={"Location": "http://169.254.169.254/"}), JudgeRefusedError),
        ],
        ids=["dropped", "busy", "away", "own fault", "refused", "redirect"],
    )
    async def test_one_that_is_away_is_told_from_one_that_refuses(self, judge_server, step, kind):
        judge_server.default = step
        with pytest.raises(kind) as caught:
            await asked(target_at(judge_server))
        assert "chatbot" in caught.value.title
        assert caught.value.next_step

    async def test_it_can_be_talked_to(self, judge_server):
        judge_server.default = Step(body={"reply": "Hello"})
        target = target_at(
            judge_server, body={"m": "{{messages}}", "s": "{{sessionId}}"}, transformResponse="reply"
        )
        async with target:
            for _ in range(2):
                assert [piece async for piece in target.reply(SAID)] == ["Hello"]
        first, second = (request.body for request in judge_server.requests)
        assert first["m"] == SAID
        assert first["s"] == second["s"] != ""


class TestFiles:
    def test_a_file_describes_a_chatbot(self, tmp_path: Path):
        path = tmp_path / "bot.yaml"
        path.write_text("url: https://bot.example/chat\nbody: {q: '{{prompt}}'}\nresponse: json.reply\n")
        target = HttpTarget.of_file(path)
        assert target.title == "https://bot.example/chat"
        assert (target.template.method, target.template.response) == ("POST", "json.reply")

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "[1]",
            "url: 5",
            "url: ftp://x",
            "url: http://a\nmodel: b",
            "url: [",
            "url: http://a\nmethod: X",
        ],
    )
    def test_what_describes_none_is_an_error_that_names_the_file(self, tmp_path: Path, text: str):
        path = tmp_path / "bot.yaml"
        path.write_text(text)
        with pytest.raises(FormatError, match=r"bot\.yaml"):
            HttpTarget.of_file(path)

    def test_a_file_that_is_not_there_is_an_error(self, tmp_path: Path):
        with pytest.raises(NotFoundError):
            HttpTarget.of_file(tmp_path / "absent.yaml")


@pytest.mark.parametrize("key", OWN)
def test_a_misspelt_setting_of_a_file_is_told_with_the_nearest_name(key: str) -> None:
    for slip in misspelt(key, OWN):
        with pytest.raises(FormatError) as told:
            template_of_file({"url": "http://bot.example", slip: "x"}, "bot.yaml")
        assert told.value.title == "bot.yaml describes no chatbot"
        assert f"got {slip}" in told.value.detail
        assert told.value.next_step == f"Did you mean {key}?"
