"""The page for those who come from deepeval: every name of 4.3.1 is offered, mapped or explained."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import turnwise
from turnwise.engine.library_names import public_names

PAGE = Path(__file__).parents[1] / "docs" / "how-to" / "from-deepeval.md"
# The names in the `__all__` of each module; of the two that have none, what they import.
LISTS = {
    "deepeval": """
        a_flush_traces assert_test compare evaluate flush_traces instrument log_hyperparameters
        login on_test_run_end
    """,
    "deepeval.test_case": """
        ArenaTestCase Audio AudioChunk Contestant ConversationalTestCase Expectations LLMTestCase
        MCPPromptCall MCPResourceCall MCPServer MCPToolCall MLLMImage MultiTurnParams
        RetrievedContextData SingleTurnParams ToolCall ToolCallParams ToolCallType Turn
        get_available_mcp_tool_names normalize_mcp_servers
    """,
    "deepeval.metrics": """
        AgentLoopDetectionMetric AgentResponsivenessMetric AnswerRelevancyMetric ArenaGEval
        ArgumentCorrectnessMetric AudioGlitchMetric AudioIntegrityMetric BaseArenaMetric
        BaseConversationalMetric BaseMetric BiasMetric ContextualPrecisionMetric
        ContextualRecallMetric ContextualRelevancyMetric ConversationCompletenessMetric
        ConversationalDAGMetric ConversationalGEval ConversationalJevEval DAGMetric DeepAcyclicGraph
        ExactMatchMetric FaithfulnessMetric GEval GEvalTemplate GoalAccuracyMetric
        HallucinationMetric ImageCoherenceMetric ImageEditingMetric ImageHelpfulnessMetric
        ImageReferenceMetric JevEval JsonCorrectnessMetric KnowledgeRetentionMetric
        MCPTaskCompletionMetric MCPUseMetric MisuseMetric MultiTurnMCPUseMetric NonAdviceMetric
        PIILeakageMetric PatternMatchMetric PlanAdherenceMetric PlanQualityMetric
        PromptAlignmentMetric RoleAdherenceMetric RoleViolationMetric SpeechIntelligibilityMetric
        StepEfficiencyMetric SummarizationMetric TaskCompletionMetric TextToImageMetric
        ToolCorrectnessMetric ToolPermissionMetric ToolUseMetric TopicAdherenceMetric ToxicityMetric
        TranscriptionAccuracyMetric TurnContextualPrecisionMetric TurnContextualRecallMetric
        TurnContextualRelevancyMetric TurnFaithfulnessMetric TurnRelevancyMetric
        TurnTakingNaturalnessMetric Verdict VoiceConsistencyMetric VoiceNaturalnessMetric
        VoiceReliabilityMetric
    """,
    "deepeval.metrics.g_eval": """
        GEval GEvalTemplate Rubric
    """,
    "deepeval.metrics.dag": """
        BaseNode BinaryJudgementNode ChildType DeepAcyclicGraph NodeType NonBinaryJudgementNode
        TaskNode VerdictNode dag_from_dict dag_from_json dag_to_dict dag_to_json
    """,
    "deepeval.metrics.conversational_dag": """
        ConversationalBaseNode ConversationalBinaryJudgementNode
        ConversationalNonBinaryJudgementNode ConversationalTaskNode ConversationalVerdictNode
    """,
    "deepeval.dataset": """
        BackgroundNoiseSettings ConversationalGolden EvaluationDataset Expectations Golden
        InterruptionBehavior Persona get_current_golden
    """,
    "deepeval.models": """
        AmazonBedrockModel AnthropicModel AssemblyAISTTModel AzureOpenAIEmbeddingModel
        AzureOpenAIModel CartesiaSTTModel CartesiaTTSModel DeepEvalBaseEmbeddingModel
        DeepEvalBaseLLM DeepEvalBaseModel DeepEvalBaseSTT DeepEvalBaseSystemOneModel DeepEvalBaseTTS
        DeepSeekModel DeepgramSTTModel DeepgramTTSModel ElevenLabsSTTModel ElevenLabsTTSModel
        GeminiModel GrokModel KimiModel LiteLLMModel LocalEmbeddingModel LocalModel
        OllamaEmbeddingModel OllamaModel OpenAIEmbeddingModel OpenAIModel OpenAISTTModel
        OpenAITTSModel OpenRouterModel PortkeyModel TypeSafeModel
    """,
    "deepeval.evaluate": """
        AsyncConfig CacheConfig DisplayConfig ErrorConfig assert_test compare evaluate
    """,
    "deepeval.prompt": """
        ModelProvider ModelSettings OutputType Prompt PromptInterpolationType PromptMessage
        ReasoningEffort Tool Verbosity
    """,
    "deepeval.simulator": """
        ConversationSimulator SimulationNode SimulationTemplate default_simulation_node
    """,
    "deepeval.synthesizer": """
        Evolution PromptEvolution Synthesizer
    """,
    "deepeval.tracing": """
        AgentSpanContext BaseSpan LlmSpanContext Trace a_flush_traces apply_pending_to_span
        current_span_context current_trace_context evaluate_span evaluate_thread evaluate_trace
        flush_traces next_agent_span next_llm_span next_retriever_span next_span next_tool_span
        observe pop_pending_for trace trace_manager update_agent_span update_current_span
        update_current_trace update_llm_span update_retriever_span update_tool_span
    """,
    "deepeval.classifiers": """
        AbstentionClassifier BaseClassifier ClarificationClassifier Classifier ClassifierTemplate
        DataLeakageClassifier EscalationClassifier ForbiddenCommitmentsClassifier
        InstructionCompletenessClassifier Label PromptInjectionClassifier RefusalClassifier
        RequiredDisclosureClassifier ResolutionClassifier ResponseLanguageClassifier
        ScopeAdherenceClassifier ToneAdherenceClassifier
    """,
    "deepeval.optimizer": """
        PromptOptimizer
    """,
    "deepeval.annotation": """
        a_send_annotation send_annotation
    """,
    "deepeval.benchmarks": """
        ARC BBQ BigBenchHard BoolQ DROP EquityMedQA GSM8K HellaSwag HumanEval IFEval LAMBADA LogiQA
        MMLU MathQA SQuAD TruthfulQA Winogrande
    """,
    "deepeval.voice": """
        AgentEvent BaseVoiceConnector BaseWebSocketConnector CallbackVoiceConnector ConnectorTurn
        ElevenLabsConnector FloorController FloorState InterruptionLevel InterruptionSettings
        LiveKitConnector PipecatConnector TurnDetection VapiConnector VoiceConfig VoiceProtocol
        WebRTCConnector WebSocketConnector interruption_policy
    """,
}
NAMES = {module: names.split() for module, names in LISTS.items()}


def section(title: str) -> str:
    return PAGE.read_text().split(f"{title}\n", 1)[1].split("\n#", 1)[0]


def first_cells(title: str) -> set[str]:
    rows = re.findall(r"^\| (`.*?) \|", section(title), re.MULTILINE)
    return {name for row in rows for name in re.findall(r"`(\w+)`", row)}


def same_names() -> dict[str, set[str]]:
    rows = re.findall(r"^\| `(deepeval[\w.]*)` \| (.*) \|$", section("## Names"), re.MULTILINE)
    return {module: set(re.findall(r"`(\w+)`", names)) for module, names in rows}


OTHERWISE = first_cells("### Called otherwise")
ABSENT = first_cells("### Not there")


@pytest.mark.parametrize("module", NAMES)
def test_every_name_is_offered_mapped_or_explained(module):
    told = same_names().get(module, set()) | OTHERWISE | ABSENT
    assert [name for name in NAMES[module] if name not in told] == []


@pytest.mark.parametrize(("module", "names"), same_names().items())
def test_what_is_offered_is_there_and_is_a_name_of_that_module(module, names):
    assert names <= set(NAMES[module])
    assert all(hasattr(turnwise, name) for name in names)


def test_what_is_not_there_is_not_there():
    assert ABSENT.isdisjoint(public_names())


def test_every_reason_is_given():
    rows = [line for line in section("### Not there").splitlines() if line.startswith("| `")]
    assert rows
    assert all(len(row.strip("| ").split(" | ")[1]) > 10 for row in rows)


def test_names_of_older_versions_are_offered_too():
    for name in (
        "LLMTestCaseParams",
        "TurnParams",
        "MLLMTestCase",
        "VIEScore",
        "MultimodalGEval",
        "ConversationRelevancyMetric",
    ):
        assert hasattr(turnwise, name)
    assert {"ROLE", "CONTENT", "TAGS", "SCENARIO"} <= set(turnwise.TurnParams.__members__)


def test_the_how_to_leads_to_it():
    assert "(from-deepeval.md)" in (PAGE.parent / "README.md").read_text()
