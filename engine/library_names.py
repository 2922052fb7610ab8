"""The names that `import turnwise` offers, each with the module that holds it.

Those of deepeval stand beside ours wherever ours means the same, so that a program which was written for it
runs once its import lines are changed: `docs/how-to/from-deepeval.md` has the whole list.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from turnwise.engine.metrics.catalogue import public_names as metric_names

_OURS = {
    "conversations.cases": ("ConversationalTestCase", "Exchange", "LLMTestCase", "LLMTestCaseParams"),
    "conversations.errors": (
        "CaseError",
        "FormatError",
        "JudgeError",
        "NotFoundError",
        "SettingError",
        "StoreError",
        "TurnwiseError",
    ),
    "conversations.goldens": ("ConversationalGolden", "Golden"),
    "conversations.images": ("MLLMImage", "MLLMTestCase"),
    "conversations.relay": ("recording",),
    "conversations.results": ("Failure", "Outcome", "Score", "Skipped", "Verdict"),
    "conversations.tools": ("ToolCall", "ToolCallParams", "ToolCallType"),
    "conversations.turns": ("RetrievedContext", "Turn"),
    "engine.judge.judge": ("Judge",),
    "engine.metrics.metric": ("Finding",),
    "engine.metrics.own_metric": ("BaseConversationalMetric", "BaseMetric"),
    "engine.models.own_model": ("DeepEvalBaseLLM",),
    "engine.scoring.configs": (
        "AsyncConfig",
        "CacheConfig",
        "DisplayConfig",
        "ErrorConfig",
        "TestRunResultDisplay",
    ),
    "engine.scoring.dataset": ("EvaluationDataset",),
    "engine.scoring.evaluation": ("a_evaluate", "assert_test", "evaluate"),
    "engine.scoring.evaluation_results": ("EvaluationResult", "MetricData", "TestResult"),
    "engine.scoring.test_run": ("log_hyperparameters",),
}
_OTHERS = {
    "ConversationRelevancyMetric": "engine.metrics.conversation.turn_relevancy:TurnRelevancyMetric",
    "ConversationalBinaryJudgementNode": "engine.metrics.dag.nodes:BinaryJudgementNode",
    "ConversationalNonBinaryJudgementNode": "engine.metrics.dag.nodes:NonBinaryJudgementNode",
    "ConversationalTaskNode": "engine.metrics.dag.nodes:TaskNode",
    "ConversationalVerdictNode": "engine.metrics.dag.nodes:VerdictNode",
    "MultiTurnMCPUseMetric": "engine.metrics.conversation.mcp_use:MCPUseMetric",
    "MultiTurnParams": "conversations.cases:LLMTestCaseParams",
    "RetrievedContextData": "conversations.turns:RetrievedContext",
    "SingleTurnParams": "conversations.cases:LLMTestCaseParams",
    "TurnParams": "conversations.cases:LLMTestCaseParams",
}
"""Names that deepeval has for what is called otherwise here."""


def public_names() -> dict[str, str]:
    """Return where each name is, as MODULE:NAME below turnwise, in the order of names."""
    ours = {name: f"{module}:{name}" for module, names in _OURS.items() for name in names}
    metrics = {name: f"engine.metrics.{module}:{name}" for name, module in metric_names().items()}
    return dict(sorted({**ours, **metrics, **_OTHERS}.items()))


def load(name: str) -> Any:
    """Return what the package calls by a name. Raises AttributeError for a name that it does not have."""
    if name == "__version__":
        from importlib.metadata import version  # 20 ms that few programs ask for

        return version("turnwise")
    if name == "__all__":
        return list(public_names())
    home = public_names().get(name)
    if home is None:
        raise AttributeError(f"module 'turnwise' has no attribute {name!r}")
    module, _, attribute = home.partition(":")
    return getattr(import_module(f"turnwise.{module}"), attribute)
