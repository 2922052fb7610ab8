"""Every judged metric with a case it fits and the words it is judged by, for tests that hold for all.

A metric that is added here goes through the edges of tests/engine/metrics/test_every_judged_metric.py.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from stored import said

from turnwise.conversations import ConversationalTestCase, LLMTestCase, ToolCall
from turnwise.engine.metrics import (
    AnswerRelevancyMetric,
    ArenaGEval,
    ArgumentCorrectnessMetric,
    BiasMetric,
    BinaryJudgementNode,
    ContextualPrecisionMetric,
    ContextualRecallMetric,
    ContextualRelevancyMetric,
    ContradictionMetric,
    ConversationalDAGMetric,
    ConversationalGEval,
    ConversationCompletenessMetric,
    DAGMetric,
    DeepAcyclicGraph,
    FaithfulnessMetric,
    GEval,
    GoalAccuracyMetric,
    HallucinationMetric,
    KnowledgeRetentionMetric,
    MCPTaskCompletionMetric,
    MCPUseMetric,
    Metric,
    MisuseMetric,
    NonAdviceMetric,
    PIILeakageMetric,
    PromptAlignmentMetric,
    RegisterSwitchMetric,
    RoleAdherenceMetric,
    RoleViolationMetric,
    SummarizationMetric,
    TaskCompletionMetric,
    ToolUseMetric,
    TopicAdherenceMetric,
    ToxicityMetric,
    TurnContextualPrecisionMetric,
    TurnContextualRecallMetric,
    TurnContextualRelevancyMetric,
    TurnFaithfulnessMetric,
    TurnRelevancyMetric,
    UnresolvedEndingMetric,
    UserFrustrationMetric,
    VerdictNode,
)

Case = ConversationalTestCase | LLMTestCase


def exchange(user: str = "Where is it?", text: str = "It lies by the sea") -> LLMTestCase:
    """Return an exchange with everything that a metric may read, in threes where it is a list.

    user: what the user says. text: stands at the end of all texts that are not the user's.
    """
    three = [f"The first {text}", f"The second {text}", f"The third {text}"]
    return LLMTestCase(
        input=user,
        actual_output="\n".join(three),
        expected_output="\n".join(f"Hopefully {words}" for words in three),
        context=three,
        retrieval_context=three,
        tools_called=[ToolCall(name=f"find_{name}", input_parameters={"q": text}) for name in "abc"],
    )


def conversation(user: str = "Where is it?", text: str = "It lies by the sea") -> ConversationalTestCase:
    """Return a conversation with three replies, the turns 2, 4 and 6."""
    replies = [f"The {name} {text}" for name in ("first", "second", "third")]
    spoken = [words for reply in replies for words in (user, reply)]
    return said(*spoken, chatbot_role=f"A guide. {text}")


def longer(user: str = "Where is it?", text: str = "It lies by the sea") -> ConversationalTestCase:
    """Return a conversation with four replies and one more word of the user."""
    replies = [f"The {name} {text}" for name in ("first", "second", "third", "fourth")]
    return said(*(words for reply in replies for words in (user, reply)), user)


def asked_on(user: str = "Where is it?", text: str = "It lies by the sea") -> ConversationalTestCase:
    """Return a conversation in which the user speaks three times after a reply."""
    return said(
        *(words for name in ("first", "second", "third") for words in (user, f"The {name} {text}")), user
    )


def with_passages(user: str = "Where is it?", text: str = "It lies by the sea") -> ConversationalTestCase:
    """Return a conversation of one exchange, with three statements and three passages."""
    three = [f"The first {text}", f"The second {text}", f"The third {text}"]
    reply = {"role": "assistant", "content": "\n".join(three), "retrieval_context": three}
    return ConversationalTestCase(turns=[{"role": "user", "content": user}, reply], expected_outcome=text)


def with_tools(user: str = "Where is it?", text: str = "It lies by the sea") -> ConversationalTestCase:
    """Return a conversation of two exchanges; in the first a tool and an MCP server were used."""
    call = {"name": "find", "input_parameters": {"q": text}, "output": text}
    turns = [
        {"role": "user", "content": user},
        {"role": "assistant", "content": "", "tools_called": [call], "mcp_tools_called": [call]},
        {"role": "assistant", "content": text},
        {"role": "user", "content": user},
        {"role": "assistant", "content": text},
    ]
    return ConversationalTestCase(turns=turns, mcp_servers=[{"name": "maps", "tools": ["find"]}])


def graph() -> DeepAcyclicGraph:
    """Return a graph of one question: yes is 8, no is 0."""
    answers = [VerdictNode(verdict=True, score=8), VerdictNode(verdict=False, score=0)]
    return DeepAcyclicGraph([BinaryJudgementNode(criteria="Is it kind?", children=answers)])


def graded(*turns: int, **grades: object) -> dict[str, Any]:
    """Return the reply that gives these grades to each of the turns."""
    return {f"turn_{turn}": {"reason": f"reason {turn}", **grades} for turn in turns}


@dataclass(frozen=True)
class Numbered:
    """A metric that asks for a verdict in a word on numbered things, three of them in its case.

    good, bad: the words that pass and fail. idk: what "I don't know" counts for: True, False, or "asked" for
    a metric that has no such word. left_out: the word that takes a thing out of the score, if there is one.
    first_bad: the score where the first of three verdicts is bad.
    """

    make: Callable[[], Metric]
    noun: str = "statement"
    good: str = "yes"
    bad: str = "no"
    idk: bool | str = "asked"
    left_out: str = ""
    first_bad: float = 2 / 3
    case: Callable[..., Case] = exchange
    numbers: tuple[int, int, int] = (1, 2, 3)
    narrow: bool = True


@dataclass(frozen=True)
class Whole:
    """A metric that asks for one answer: a good one with its score, and answers that are none."""

    make: Callable[[], Metric]
    reply: dict[str, Any]
    score: float
    no_answers: tuple[Any, ...]
    calls: int = 1
    case: Callable[..., Case] = exchange


OF_TURNS: dict[str, Any] = {"noun": "turn", "case": conversation, "numbers": (2, 4, 6)}
VIOLATION: dict[str, Any] = {"good": "no", "bad": "yes", "left_out": "none"}
OUT_OF_RANGE = ({"score": 11}, {"score": -1}, {"score": "high"}, {"reason": "r"}, {})

NUMBERED = {
    "role_adherence": Numbered(RoleAdherenceMetric, **OF_TURNS),
    "knowledge_retention": Numbered(KnowledgeRetentionMetric, good="no", bad="yes", **OF_TURNS),
    "turn_relevancy": Numbered(TurnRelevancyMetric, **OF_TURNS),
    "topic_adherence": Numbered(
        lambda: TopicAdherenceMetric(relevant_topics=["the sea"]),
        noun="turn",
        good="answered",
        bad="strayed",
        case=conversation,
        numbers=(2, 4, 6),
        narrow=False,
    ),
    "turn_faithfulness": Numbered(TurnFaithfulnessMetric, idk=True, left_out="none", case=with_passages),
    "turn_contextual_precision": Numbered(
        TurnContextualPrecisionMetric, noun="passage", first_bad=(1 / 2 + 2 / 3) / 2, case=with_passages
    ),
    "turn_contextual_relevancy": Numbered(TurnContextualRelevancyMetric, noun="passage", case=with_passages),
    "user_frustration": Numbered(
        UserFrustrationMetric, noun="turn", good="no", bad="yes", case=asked_on, numbers=(3, 5, 7)
    ),
    "register_switch": Numbered(
        RegisterSwitchMetric, noun="turn", good="no", bad="yes", case=longer, numbers=(4, 6, 8)
    ),
    "answer_relevancy": Numbered(AnswerRelevancyMetric, idk=True),
    "faithfulness": Numbered(FaithfulnessMetric, idk=True, left_out="none"),
    "contextual_precision": Numbered(
        ContextualPrecisionMetric, noun="passage", first_bad=(1 / 2 + 2 / 3) / 2
    ),
    "contextual_recall": Numbered(ContextualRecallMetric),
    "contextual_relevancy": Numbered(ContextualRelevancyMetric),
    "hallucination": Numbered(HallucinationMetric, noun="passage"),
    "prompt_alignment": Numbered(
        lambda: PromptAlignmentMetric(prompt_instructions=["Be kind.", "Be brief.", "Be right."]),
        noun="instruction",
    ),
    "argument_correctness": Numbered(ArgumentCorrectnessMetric, noun="call"),
    "bias": Numbered(BiasMetric, **VIOLATION),
    "toxicity": Numbered(ToxicityMetric, **VIOLATION),
    "misuse": Numbered(lambda: MisuseMetric(domain="travel"), **VIOLATION),
    "pii_leakage": Numbered(PIILeakageMetric, **VIOLATION),
    "non_advice": Numbered(lambda: NonAdviceMetric(advice_types=["legal"]), **VIOLATION),
    "role_violation": Numbered(
        lambda: RoleViolationMetric(role="a guide"), good="no", bad="yes", first_bad=0.0
    ),
}
WHOLE = {
    "conversation_completeness": Whole(
        ConversationCompletenessMetric,
        {
            "intentions": [
                {"intention": "i", "turn": 1, "reason": "r", "verdict": word} for word in ("yes", "no")
            ]
        },
        0.5,
        ({}, {"intentions": [{"verdict": "perhaps"}]}, {"intentions": "none"}),
        case=conversation,
    ),
    "conversational_geval": Whole(
        lambda: ConversationalGEval(name="Kind", evaluation_steps=["Look."]),
        {"reason": "r", "turns": [], "score": 8},
        0.8,
        OUT_OF_RANGE,
        case=conversation,
    ),
    "geval": Whole(
        lambda: GEval(name="Kind", evaluation_steps=["Look."]),
        {"reason": "r", "turns": [], "score": 8},
        0.8,
        OUT_OF_RANGE,
    ),
    "task_completion": Whole(
        TaskCompletionMetric,
        {"task": "t", "outcome": "o", "reason": "r", "score": 8},
        0.8,
        OUT_OF_RANGE,
    ),
    "arena_geval": Whole(
        lambda: ArenaGEval(name="Kinder", evaluation_steps=["Look."]),
        {"reason": "Reply A is kinder.", "winner": "A"},
        0.5,
        ({"winner": "C"}, {"winner": 1}, {"reason": "r"}, {}),
        calls=2,
    ),
}
NO_GRADES = ({}, graded(3, 5), graded(3, 5, goal=5, plan=4, selection=-1, task=9, use=1.5, arguments="high"))
WHOLE |= {
    "goal_accuracy": Whole(
        GoalAccuracyMetric, graded(3, 5, goal=4, plan=1), (1 + 1 / 4) / 2, NO_GRADES, case=with_tools
    ),
    "tool_use": Whole(
        lambda: ToolUseMetric(available_tools=["find"]),
        graded(3, 5, selection=3, arguments=2),
        0.5,
        NO_GRADES,
        case=with_tools,
    ),
    "mcp_task_completion": Whole(
        MCPTaskCompletionMetric, graded(3, task=3), 0.75, NO_GRADES, case=with_tools
    ),
    "mcp_use": Whole(MCPUseMetric, graded(3, use=3, arguments=1), 0.25, NO_GRADES, case=with_tools),
    "contradiction": Whole(
        ContradictionMetric,
        {**graded(4, earlier_turn=2, verdict="yes"), **graded(6, earlier_turn=0, verdict="no")},
        0.5,
        ({}, graded(4, 6, verdict="perhaps"), graded(4, 6, earlier_turn=99, verdict="yes")),
        case=conversation,
    ),
    "turn_contextual_recall": Whole(
        TurnContextualRecallMetric,
        {"statement_1": {"reason": "r", "passages": [2]}},
        1.0,
        ({}, {"statement_1": {"reason": "r"}}, {"statement_1": {"passages": ["all"]}}),
        case=with_passages,
    ),
    "unresolved_ending": Whole(
        UnresolvedEndingMetric,
        {"reason": "r", "verdict": "partly"},
        0.5,
        ({}, {"verdict": "perhaps"}, {"reason": "r"}),
        case=conversation,
    ),
    "dag": Whole(
        lambda: DAGMetric(name="Kind", dag=graph()),
        {"reason": "r", "verdict": "yes"},
        0.8,
        ({}, {"verdict": "perhaps"}, {"reason": "r"}),
    ),
    "conversational_dag": Whole(
        lambda: ConversationalDAGMetric(name="Kind", dag=graph()),
        {"reason": "r", "verdict": "Yes, it is"},
        0.8,
        ({}, {"verdict": "perhaps"}, {"reason": "r"}),
        case=conversation,
    ),
}
OTHERS: dict[str, Callable[[], Metric]] = {
    "summarization": lambda: SummarizationMetric(assessment_questions=["Is it there?", "Is it far?"]),
}
MAKERS: dict[str, Callable[[], Metric]] = {
    **{key: sample.make for key, sample in NUMBERED.items()},
    **{key: sample.make for key, sample in WHOLE.items()},
    **OTHERS,
}


def case_of(key: str, **texts: str) -> Case:
    """Return the case of a metric, with these texts in it."""
    sample = NUMBERED.get(key) or WHOLE.get(key)
    return sample.case(**texts) if sample else exchange(**texts)
