"""Files of scenarios: what is read of each tool's, and which words are refused, and where."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from turnwise.conversations.errors import FormatError, NotFoundError
from turnwise.conversations.scenarios import (
    KnownFact,
    Scenario,
    ScriptRule,
    UserScript,
    load_scenarios,
    written_scenarios,
)

OWN = """\
role: A travel agency's assistant
max_turns: 5
scenarios:
  - name: Moves a booking
    persona: Noor, in a hurry
    goal: Move the flight to Friday
    facts:
      - The flight is on Thursday.
      - {tell: The booking is TW-4471., when: asked for it}
    manner: Short, no greetings.
    stop: The new date is confirmed.
    expected_outcome: The booking is moved.
    tags: [bookings]
    metadata: {tier: gold}
    from: 12
  - name: Asks twice
    max_turns: 2
    script:
      - When do you open?
      - {when: order number, say: [It is 4471., "4471"], times: 1}
      - {when: /good ?bye/, end: true}
"""


def load(tmp_path: Path, text: str, name: str = "s.yaml") -> tuple[Scenario, ...]:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return load_scenarios(path).scenarios


def refused(tmp_path: Path, text: str, name: str = "s.yaml") -> FormatError:
    with pytest.raises(FormatError) as caught:
        load(tmp_path, text, name)
    return caught.value


def test_our_own_scenarios_say_who_the_user_is_and_what_it_knows(tmp_path: Path) -> None:
    moves, asks = load(tmp_path, OWN)
    assert (moves.name, moves.persona, moves.goal) == (
        "Moves a booking",
        "Noor, in a hurry",
        "Move the flight to Friday",
    )
    assert moves.facts == (
        KnownFact(tell="The flight is on Thursday."),
        KnownFact(tell="The booking is TW-4471.", when="asked for it"),
    )
    assert (moves.role, moves.max_turns, asks.max_turns) == ("A travel agency's assistant", 5, 2)
    assert moves.about == {"tags": ["bookings"], "metadata": {"tier": "gold", "golden_from": 12}}
    assert asks.script == UserScript(
        lines=("When do you open?",),
        rules=(
            ScriptRule(when="order number", say=("It is 4471.", "4471"), times=1),
            ScriptRule(when="/good ?bye/", ends=True),
        ),
    )


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("scenarios:\n  - goal: x\n    persoan: y\n", "s.yaml, line 3, scenario 1, persoan: no such field"),
        ("scenarios:\n  - goal: x\n    facts: [3, {tel: y}]\n", "facts[1].tel: no such field"),
        ("scenarios:\n  - goal: [x]\n", "line 2, scenario 1, goal: expected text; got"),
        ("scenarios:\n  - persona: Noor\n", "line 2, scenario 1: a scenario says what its user wants"),
        ("scenarios:\n  - script: [{when: x}]\n", "script[0]: a rule says something or ends the talk"),
        ("scenarios:\n  - script: [{when: x, say: y}]\n", "script: nothing is said first"),
        ("scenarios:\n  - script: [a, {when: /(/, say: y}]\n", "script[1].when: /(/ is no pattern"),
        ("scenarios:\n  - goal: x\n    max_turns: 0\n", "max_turns: expected a whole number from 1; got 0"),
        ("scenarios: []\n", "scenarios: expected a list of scenarios; got []"),
        ("max_turn: 3\nscenarios:\n  - goal: x\n", "s.yaml, line 1, max_turn: no such field"),
    ],
)
def test_what_means_nothing_is_refused_with_its_place(tmp_path: Path, given: str, expected: str) -> None:
    error = refused(tmp_path, given)
    assert expected in error.detail
    assert error.next_step


def test_a_slip_is_told_with_what_was_likely_meant(tmp_path: Path) -> None:
    assert refused(tmp_path, "scenarios:\n  - goal: x\n    persoan: y\n").next_step == "Did you mean persona?"


def test_all_that_is_wrong_is_told_at_once(tmp_path: Path) -> None:
    text = "scenarios:\n" + "".join(f"  - goal: x\n    wrong{number}: y\n" for number in range(12))
    lines = refused(tmp_path, text).detail.splitlines()
    assert len(lines) == 11
    assert lines[-1] == "and 2 more"


GOLDEN: dict[str, Any] = {
    "scenario": "A guest wants to move a booking.",
    "expected_outcome": "The booking is moved.",
    "user_description": "Noor, in a hurry",
    "additional_metadata": {"tier": "gold"},
    "turns": None,
}


@pytest.mark.parametrize("name", ["g.json", "g.jsonl", "g.csv"])
def test_goldens_of_deepeval_are_scenarios(tmp_path: Path, name: str) -> None:
    text = {
        "g.json": json.dumps([GOLDEN]),
        "g.jsonl": json.dumps(GOLDEN) + "\n",
        "g.csv": "scenario,expected_outcome,user_description,additional_metadata\n"
        'A guest wants to move a booking.,The booking is moved.,"Noor, in a hurry","{""tier"": ""gold""}"\n',
    }[name]
    [one] = load(tmp_path, text, name)
    assert one.situation == GOLDEN["scenario"]
    assert one.persona == GOLDEN["user_description"]
    assert one.expected_outcome == GOLDEN["expected_outcome"]
    assert GOLDEN["expected_outcome"] in one.stop
    assert one.about["metadata"] == {"tier": "gold"}


@pytest.mark.parametrize(
    ("name", "text", "place"),
    [
        ("g.json", json.dumps([GOLDEN, {**GOLDEN, "senario": 1}], indent=1), "line 19, golden 2, senario"),
        ("g.jsonl", json.dumps({**GOLDEN, "senario": 1}), "g.jsonl, line 1, senario"),
        ("g.csv", "scenario,senario\na,b\n", "g.csv, line 1, senario"),
    ],
)
def test_a_golden_with_an_unknown_field_is_refused(tmp_path: Path, name: str, text: str, place: str) -> None:
    assert place in refused(tmp_path, text, name).detail


def test_a_golden_of_one_exchange_is_no_scenario(tmp_path: Path) -> None:
    refused(tmp_path, json.dumps([{"input": "hi"}]), "g.json")


AGENTV = """\
tests:
  - id: books
    mode: conversation
    criteria: The table is booked.
    input: {INPUT}
    turns:
      - input: A table for two, please.
      - input: At eight.
  - id: single
    criteria: Says hello.
    input: hello
"""


def test_conversations_of_agentv_are_scripts(tmp_path: Path) -> None:
    path = tmp_path / "dataset.yaml"
    path.write_text(AGENTV.replace("{INPUT}", "[{role: system, content: You book tables.}]"))
    loaded = load_scenarios(path)
    [books] = loaded.scenarios
    assert books.script == UserScript(lines=("A table for two, please.", "At eight."))
    assert books.opening == (("system", "You book tables."),)
    assert books.expected_outcome == "The table is booked."
    assert "1 of its cases have one answer" in loaded.remarks[0]


PROMPTFOO = """\
prompts: ["You help {{who}}."]
providers: [openai:x]
defaultTest:
  provider: {id: "promptfoo:simulated-user", config: {maxTurns: 3}}
tests:
  - description: books
    vars: {instructions: "You are {{who}} and book a flight.", who: Noor}
    assert: [{type: contains, value: booked}]
"""


def test_a_simulated_user_of_promptfoo_is_a_scenario(tmp_path: Path) -> None:
    path = tmp_path / "promptfooconfig.yaml"
    path.write_text(PROMPTFOO.replace("You are {{who}}", "You are Noor"))
    loaded = load_scenarios(path)
    [one] = loaded.scenarios
    assert (one.name, one.goal) == ("books", "You are Noor and book a flight.")
    assert (one.system, one.max_turns) == ("You help Noor.", 3)
    assert "assertions are not checked" in loaded.remarks[0]


def test_an_unknown_word_of_a_simulated_user_is_refused(tmp_path: Path) -> None:
    error = refused(tmp_path, PROMPTFOO.replace("maxTurns", "maxTurn"), "promptfooconfig.yaml")
    assert "test 1" in error.detail
    assert error.next_step == "Did you mean maxTurns?"


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    assert "holds no scenarios" in refused(tmp_path, "a: 1\n").title
    with pytest.raises(NotFoundError):
        load_scenarios(tmp_path / "none.yaml")


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    moves, _ = load(tmp_path, OWN)
    text = written_scenarios([moves], ["Drafted."])
    [again] = load(tmp_path, text)
    assert text.startswith("scenarios:\n  # Drafted.\n  - name: Moves a booking\n")
    assert (again.goal, again.facts, again.about) == (moves.goal, moves.facts, moves.about)


def test_the_documented_scenarios_are_read(tmp_path: Path) -> None:
    page = Path(__file__).parents[3] / "docs" / "how-to" / "simulate.md"
    (shown,) = re.findall(r"```yaml\n(.*?)```", page.read_text(), flags=re.DOTALL)
    swims, asks = load(tmp_path, shown)
    assert swims.facts[1].when == "asked where they live"
    assert asks.script is not None
    assert len(asks.script.rules) == 2
