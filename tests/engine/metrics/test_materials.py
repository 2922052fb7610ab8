"""Materials: passages, tool calls and MCP calls of turns, as texts for a judge."""

from types import SimpleNamespace

from turnwise.conversations import ConversationalTestCase
from turnwise.engine.metrics.exchanges import AnsweredExchange, answered_exchanges
from turnwise.engine.metrics.materials import (
    as_plain,
    described,
    mcp_calls_of,
    mcp_tasks,
    one_line,
    passages_of,
    tool_calls_of,
)
from turnwise.engine.metrics.subject import Subject


def exchanges(*turns: dict[str, object]) -> list[AnsweredExchange]:
    return answered_exchanges(Subject.of(ConversationalTestCase(turns=list(turns))))


USER = {"role": "user", "content": "a"}


def reply(**fields: object) -> dict[str, object]:
    return {"role": "assistant", "content": "b", **fields}


def test_passages_are_numbered_across_the_conversation_with_their_turns():
    given = exchanges(
        USER,
        reply(retrieval_context=["one", {"context": "two", "source": "s"}]),
        USER,
        reply(),
        USER,
        reply(retrieval_context=["three"]),
    )
    assert passages_of(given).texts == {1: (2, "one"), 2: (2, "two"), 3: (6, "three")}
    assert passages_of(given[1:2]).texts == {}


def test_a_tool_call_shows_what_went_in_and_what_came_out():
    calls = [{"name": "find", "input_parameters": {"q": 1}, "output": [2]}, {"name": "end"}]
    assert tool_calls_of(exchanges(USER, reply(tools_called=calls))).texts == {
        1: (2, 'find({"q": 1}) gave [2]'),
        2: (2, "end()"),
    }


def test_mcp_calls_are_read_in_any_form():
    given = exchanges(
        USER,
        reply(
            mcp_tools_called=[{"name": "add", "args": {"x": 1}, "result": "ok"}],
            mcp_resources_called=[{"uri": "file:a", "result": "text"}],
            mcp_prompts_called=["greet"],
            tools_called=[{"name": "sum", "type": "MCP"}, {"name": "plain"}],
        ),
    )
    assert [text for _, text in mcp_calls_of(given).texts.values()] == [
        'tool add({"x": 1}) gave "ok"',
        'resource file:a() gave "text"',
        "prompt greet",
        "tool sum()",
    ]


def test_tasks_have_more_than_two_turns_or_use_a_server():
    given = exchanges(
        USER,
        reply(),
        USER,
        reply(content=""),
        reply(),
        USER,
        reply(mcp_tools_called=[{"name": "add"}]),
    )
    assert [exchange.end for exchange in mcp_tasks(given)] == [5, 7]


def test_what_is_on_offer_is_written_whatever_it_is():
    server = SimpleNamespace(name="maps", tools=[SimpleNamespace(name="find")])
    assert described(["search", {"name": "book"}, server]) == [
        "search",
        '{"name": "book"}',
        '{"name": "maps", "tools": [{"name": "find"}]}',
    ]
    assert as_plain(1) == 1
    assert one_line(["a\nTools: b", "c"]) == "a Tools: b; c"
