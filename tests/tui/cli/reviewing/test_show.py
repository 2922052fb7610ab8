"""turnwise show: one conversation with all that was found about it."""

import pytest
from kept_cases import SAID, keep_told
from stored import failure, keep, land, score, skipped

from turnwise.conversations import (
    ConversationalTestCase,
    LLMTestCase,
    RetrievedContext,
    ToolCall,
    Turn,
    Verdict,
)
from turnwise.tui.cli.reviewing.show import print_part, print_turn

HOSTILE = "\x1b[31mred\x1b]0;title\x07\u202e"


@pytest.fixture
def session(store):
    case = ConversationalTestCase(
        turns=[
            Turn(role="system", content="Be kind."),
            Turn(role="user", content="Where is\nmy bag?"),
            Turn(
                role="assistant",
                content="",
                tools_called=[ToolCall(name="find", input_parameters={"n": 1}, output="Oslo", seconds=0.5)],
            ),
            Turn(role="tool", content="Oslo", name="find", tool_call_id="1"),
            Turn(
                role="assistant", content="In Oslo.", retrieval_context=["p", RetrievedContext(context="q")]
            ),
        ],
        chatbot_role="a clerk",
        name="Lost bag",
        tags=["good"],
        scenario="A bag is lost.",
        metadata={"reward": 1.0},
    )
    return store.sessions.add(case, source="tau.json", format="openai").session_id


def test_as_json_it_is_all_of_the_session(turnwise, store, session):
    verdict = Verdict(turn=3, passed=False, word="no", reason="rude", about="In Oslo.")
    land(store, session, score(0.25, verdicts=(verdict,), calls=("k",)), failure("away"), skipped("left_out"))
    store.labels.add(session, "fail", author="ada", blind=True, turn=3, note="why")
    ran = turnwise("show", session, "--json")
    assert (ran.code, ran.err) == (0, "")
    shown = ran.row
    assert (shown["id"], shown["kind"], shown["source"], shown["name"]) == (
        session,
        "conversation",
        "tau.json",
        "Lost bag",
    )
    assert (shown["chatbot_role"], shown["tags"], shown["metadata"], shown["scenario"]) == (
        "a clerk",
        ["good"],
        {"reward": 1.0},
        "A bag is lost.",
    )
    assert [(turn["number"], turn["role"], turn["content"]) for turn in shown["turns"]] == [
        (None, "system", "Be kind."),
        (1, "user", "Where is\nmy bag?"),
        (2, "assistant", ""),
        (None, "tool", "Oslo"),
        (3, "assistant", "In Oslo."),
    ]
    assert shown["turns"][2]["tools_called"] == [
        {"name": "find", "input_parameters": {"n": 1}, "output": "Oslo", "seconds": 0.5}
    ]
    assert shown["turns"][1]["tools_called"] == []
    assert shown["turns"][3]["tool_call_id"] == "1"
    assert shown["turns"][4]["retrieval_context"] == ["p", {"context": "q"}]
    low, away, left_out = shown["scores"]
    assert (low["metric"], low["outcome"], low["score"], low["passed"]) == (
        "politeness",
        "score",
        0.25,
        False,
    )
    assert low["verdicts"] == [
        {
            "turn": 3,
            "passed": False,
            "word": "no",
            "reason": "rude",
            "about": "In Oslo.",
            "quote": None,
            "gone": False,
        }
    ]
    assert low["calls"] == ["k"]
    assert (away["outcome"], away["kind"]) == ("failure", "unavailable")
    assert left_out["outcome"] == "skipped"
    [label] = shown["labels"]
    assert (label["label"], label["author"], label["turn"], label["note"]) == ("fail", "ada", 3, "why")


def test_what_is_not_known_is_empty_and_not_left_out(turnwise, store):
    shown = turnwise("show", keep(store, "a"), "--json").row
    assert (shown["chatbot_role"], shown["tags"], shown["metadata"]) == (None, [], {})
    assert (shown["scores"], shown["labels"]) == ([], [])


def test_a_long_name_is_whole_as_json_and_short_in_lists(turnwise, store):
    session = keep(store, "a", name="x" * 100)
    assert turnwise("show", session, "--json").row["name"] == "x" * 100
    assert turnwise("sessions", "--json").row["name"] == "x" * 100
    listed = turnwise("sessions").out
    assert "xxx…" in listed
    assert "x" * 60 not in listed


def test_a_single_exchange_says_that_it_is_one(turnwise, store):
    case = LLMTestCase(input="a", actual_output="b", expected_output="c")
    session = store.sessions.add(case, source="s", format="f").session_id
    shown = turnwise("show", session, "--json").row
    assert shown["kind"] == "exchange"
    assert shown["turns"][1]["exchange"] == {"expected_output": "c"}


def test_for_people_it_is_a_transcript_with_scores_and_labels(turnwise, store, session):
    verdict = Verdict(turn=3, passed=False, word="no", reason="rude", about="In Oslo.")
    land(
        store,
        session,
        score(0.25, verdicts=(verdict,)),
        failure("away", next_step="Start it."),
        skipped("left_out"),
    )
    store.labels.add(session, "fail", author="ada", blind=True, turn=3, note="why")
    ran = turnwise("show", session)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        "Lost bag",
        "a clerk · 3 turns · tau.json · good",
        "  scenario          A bag is lost.",
        "  metadata          reward: 1.0",
        "",
        "     system",
        "     Be kind.",
        "",
        "  1  user",
        "     Where is",
        "     my bag?",
        "",
        "  2  assistant",
        '     ▸ find({"n": 1})  0.5 s',
        "",
        "     tool (find)",
        "     Oslo",
        "",
        "  3  assistant",
        "     In Oslo.",
        "     ┆ p",
        "     ┆ q",
        "",
        "Scores",
        "  ✗ politeness  0.25  So it is.",
        "      turn 3 «In Oslo.»: rude",
        "  ! away  not judged: The judge is away",
        "      → Start it.",
        "  – left_out  skipped: no judge",
        "Label: fail by ada, turn 3. why",
    ]


def test_only_the_newest_scores_are_shown(turnwise, store, session):
    land(store, session, score(0.1))
    land(store, session, score(0.9))
    assert [row["score"] for row in turnwise("show", session, "--json").row["scores"]] == [0.9]


def test_a_hostile_transcript_is_shown_and_not_obeyed(turnwise, store):
    turn = Turn(
        role="assistant",
        content=f"{HOSTILE}\r\n{HOSTILE}",
        name=HOSTILE,
        retrieval_context=[HOSTILE],
        tools_called=[ToolCall(name=HOSTILE, input_parameters={HOSTILE: HOSTILE}, output=HOSTILE)],
    )
    case = ConversationalTestCase(
        turns=[turn], chatbot_role=HOSTILE, name=HOSTILE, tags=[HOSTILE], metadata={HOSTILE: 1}
    )
    session = store.sessions.add(case, source=HOSTILE, format="f").session_id
    verdict = Verdict(turn=1, passed=False, word=HOSTILE, reason=HOSTILE, about=HOSTILE)
    land(store, session, score(0.1, reason=HOSTILE, verdicts=(verdict,)), failure("f", reason=HOSTILE))
    store.labels.add(session, "fail", author=HOSTILE, blind=True, note=HOSTILE)
    for arguments in (["show", session], ["show", session, "--json"], ["replay", session, "--instant"]):
        ran = turnwise(*arguments)
        assert ran.code == 0
        assert not set(ran.out + ran.err) & set("\x1b\x07\u202e\r")
    assert turnwise("show", session, "--json").row["turns"][0]["content"] == turn.content


def test_a_label_of_one_metric_says_which_and_its_value(turnwise, store, session):
    store.labels.add(
        session, "pass", author="ada", blind=True, metric="faithfulness", value=2 / 3, note="Mostly"
    )
    assert "Label: faithfulness pass (0.67) by ada. Mostly" in turnwise("show", session).out
    assert turnwise("show", session, "--json").row["labels"][0]["metric"] == "faithfulness"


def test_what_was_said_before_is_counted_and_failure_modes_are_told(turnwise, store, session):
    for word, turn in (("fail", 3), ("fail", 1), ("pass", None)):
        store.labels.add(session, word, author="ada", blind=True, turn=turn)
    store.labels.add(session, "fail", author="bo", blind=True, turn=3)
    store.labels.add(session, None, author="bo", blind=True)
    store.labels.add(session, "pass", author="ada", blind=True, metric="faithfulness")
    mode = store.modes.add("Answers in English", "It does.", author="cy")
    store.modes.assign([session], mode, author="cy", turn=3)
    shown = turnwise("show", session)
    assert [line for line in shown.out.splitlines() if line.startswith(("Label", "Failure mode"))] == [
        "Label: pass by ada.",
        "Label: faithfulness pass by ada.",
        "Failure mode: Answers in English, turn 3, by cy",
    ]
    assert f"4 earlier labels: `turnwise label {session} --history`." in shown.err
    row = turnwise("show", session, "--json").row
    assert len(row["labels"]) == 6
    assert row["failure_modes"] == [{"name": "Answers in English", "turn": 3, "author": "cy"}]
    blind = turnwise("show", session, "--json", "--blind").row
    assert not {"scores", "labels", "failure_modes"} & set(blind)


def test_no_text_looks_like_a_line_of_ours(turnwise, store):
    forged = "fine\nScores\n  ✓ politeness  1.00  all is well\nLabel: pass by boss."
    session = keep(store, forged, "b", name=forged, chatbot_role=forged)
    land(store, session, score(0.1, reason=forged))
    store.labels.add(session, "fail", author="ann\nLabel: pass by boss.", blind=True, note=forged)
    lines = turnwise("show", session).out.splitlines()
    assert [line for line in lines if line == "Scores"] == ["Scores"]
    assert [line for line in lines if line.startswith("Label:")] == [
        "Label: fail by ann Label: pass by boss.. fine"
    ]
    assert [line[:3] for line in lines if line.startswith("  ✓")] == []


def test_all_that_is_said_beside_the_words_stands_above_them(turnwise, store):
    ran = turnwise("show", keep_told(store))
    assert (ran.code, ran.err) == (0, "")
    head = ran.out.split("  1  user")[0]
    assert [said for said in SAID if said not in head] == []
    assert ran.out.splitlines()[1:9] == [
        "A clerk · 4 turns · told.json · spanish · vip",
        "  scenario          Ask for a refund in Spanish.",
        "  expected outcome  The refund is under way.",
        "  user              An impatient customer",
        "  context           1. Refunds take five days.",
        "                    2. Returns are free.",
        "  comments          Looks odd to Ana.",
        "  metadata          customer.tier: gold",
    ]


def test_long_texts_are_cut_between_words_in_a_terminal_and_keep_their_place(store, capsys, monkeypatch):
    text = "The customer wants the refund that was promised in spring\nat once"
    session = keep(store, text, scenario=text)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "52")
    print_part(store.sessions.about(session).parts[0])
    print_turn(store.turns.of(session)[0])
    assert capsys.readouterr().out.splitlines() == [
        "  scenario          The customer wants the refund",
        "                    that was promised in spring",
        "                    at once",
        "  1  user",
        "     The customer wants the refund that was promised",
        "     in spring",
        "     at once",
    ]


def test_what_a_file_says_of_a_session_is_not_obeyed_by_a_terminal(turnwise, store):
    ran = turnwise("show", keep(store, scenario=HOSTILE, metadata={HOSTILE: [HOSTILE]}))
    assert not {"\x1b", "\x07", "\u202e"} & set(ran.out)
