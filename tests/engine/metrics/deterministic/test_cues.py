"""Frustration cues and unresolved cues: what users and chatbots write when things go wrong."""

import pytest
from judged import found
from stored import said

from turnwise.conversations import ConversationalTestCase, Score, Skipped
from turnwise.engine.metrics import FrustrationCuesMetric, UnresolvedCuesMetric
from turnwise.engine.metrics.deterministic.cues import frustration_cue


@pytest.mark.parametrize(
    ("text", "cue"),
    [
        ("That's not what I asked.", "says that it was not understood"),
        ("That’s not what I meant", "says that it was not understood"),
        ("You don't understand", "says that it was not understood"),
        ("I already told you my number", "has to say it again"),
        ("As I have already said, no.", "has to say it again"),
        ("for the third time: no", "has to say it again"),
        ("Let me talk to a human", "wants a person instead"),
        ("get me your manager", "wants a person instead"),
        ("This is useless", "scolds"),
        ("that wasn't very helpful", "scolds"),
        ("forget it", "gives up"),
        ("Oh, never mind.", "gives up"),
        ("Never mind the rain, when do you open?", ""),
        ("Das habe ich nicht gefragt", "says that it was not understood"),
        ("Ce n'est pas ce que je demande", "says that it was not understood"),
        ("ya te lo dije", "has to say it again"),
        ("where is it???", "writes rows of marks"),
        ("really?!", "writes rows of marks"),
        ("WHERE IS MY BAG NOW", "shouts in capitals"),
        ("My bag is lost.", ""),
        ("The USA, the EU and the UK are fine with me", ""),
        ("Thanks! Great!", ""),
        ("Could you check again?", ""),
        ("", ""),
    ],
)
def test_cues_of_lost_patience(text, cue):
    assert frustration_cue(text) == cue


async def frustration(case: ConversationalTestCase) -> Score:
    outcome = await found(FrustrationCuesMetric(), case, None)
    assert isinstance(outcome, Score)
    return outcome


@pytest.mark.parametrize(
    ("texts", "value"),
    [
        (("Useless airline!", "What happened?", "My bag is lost."), 1.0),
        (("Hello", "Which bag?", "I already told you!", "Sorry.", "Fine."), 0.5),
        (("Hello", "Hi", "forget it"), 0.0),
        (("Where is my bag now?", "In Oslo.", "Where is my bag now?"), 0.0),
    ],
)
async def test_the_score_is_the_share_of_user_turns_without_a_cue(texts, value):
    assert (await frustration(said(*texts))).score == value


async def test_the_reason_names_the_turn_and_the_cue():
    outcome = await frustration(said("Where is my bag now?", "In Oslo.", "Where is my bag now?"))
    assert outcome.reason == (
        "The only user turn after the first reply shows lost patience (turn 3): says turn 1 again"
    )
    many = await frustration(said("Where is it?", "In Oslo.", "Where?", "Oslo.", "Fine."))
    assert many.reason == "All 2 user turns after the first reply are without a cue."


@pytest.mark.parametrize("texts", [("useless",), ("Useless airline!", "Hi"), ("Hello", "Hi", " ")])
async def test_where_the_user_says_nothing_after_a_reply_it_is_skipped(texts):
    outcome = await found(FrustrationCuesMetric(), said(*texts), None)
    assert isinstance(outcome, Skipped)
    assert outcome.reason == "the user says nothing after the first reply"


ASK = "Where is my bag?"


@pytest.mark.parametrize(
    ("texts", "value", "told"),
    [
        ((ASK, "It is in Oslo."), 1.0, "the chatbot answers (turn 2)"),
        ((ASK, "It is in Oslo.", "Thanks, bye!"), 1.0, "the user takes leave (turn 3)"),
        ((ASK, "In Oslo.", "Thank you!", "You're welcome!"), 1.0, "takes leave and the chatbot answers"),
        ((ASK, "In Oslo.", "Thanks! ###STOP###"), 1.0, "the user takes leave (turn 3)"),
        ((ASK, "In Oslo. Is there anything else?"), 1.0, "the chatbot answers (turn 2)"),
        ((ASK, "In Oslo.", "###STOP###"), 1.0, "the chatbot answers (turn 2)"),
        ((ASK, "I'll look into it.", "Ok, thanks."), 0.5, "the chatbot only promises (turn 2)"),
        ((ASK, "I am unable to find it.", "Thanks anyway."), 0.5, "could not do it (turn 2)"),
        ((ASK, "I am transferring you to a human agent."), 0.5, "hands over to a person (turn 2)"),
        ((ASK,), 0.0, "the user's last turn has no answer (turn 1)"),
        ((ASK, "In Oslo.", "And when does it come?"), 0.0, "has no answer (turn 3)"),
        ((ASK, "In Oslo.", "Thanks, but it is still not here."), 0.0, "has no answer (turn 3)"),
        ((ASK, "Which bag?", "forget it"), 0.0, "the user gives up (turn 3)"),
        ((ASK, "One moment please."), 0.0, "the chatbot only promises (turn 2)"),
        ((ASK, "I'm unable to help with that."), 0.0, "could not do it (turn 2)"),
        ((ASK, "Which bag do you mean?"), 0.0, "the chatbot asks, and nobody answers (turn 2)"),
    ],
)
async def test_how_a_conversation_ends(texts, value, told):
    outcome = await found(UnresolvedCuesMetric(), said(*texts), None)
    assert isinstance(outcome, Score)
    assert outcome.score == value
    assert outcome.reason.startswith("At the end ")
    assert told in outcome.reason
    assert outcome.verdicts[0].passed is (value >= 0.5)


@pytest.mark.parametrize(
    ("tool", "told"),
    [
        ("transfer_to_human_agents", "the chatbot hands over to a person (turn 2)"),
        ("book_flight", "the chatbot uses a tool and says nothing (turn 2)"),
    ],
)
async def test_a_tool_call_at_the_end_is_neither_settled_nor_open(tool, told):
    turns = [{"role": "user", "content": ASK}, {"role": "assistant", "content": "", "tools_called": [tool]}]
    outcome = await found(UnresolvedCuesMetric(), ConversationalTestCase(turns=turns), None)
    assert isinstance(outcome, Score)
    assert (outcome.score, outcome.reason) == (0.5, f"At the end {told}.")


async def test_where_the_user_never_spoke_nothing_can_be_left_open_and_it_is_skipped():
    case = ConversationalTestCase(turns=[{"role": "assistant", "content": "Hello?"}])
    outcome = await found(UnresolvedCuesMetric(), case, None)
    assert isinstance(outcome, Skipped)
    assert outcome.reason == "the user never spoke"
