"""Metrics of the team's own: one without a judge, one on conversations, one made of two others."""

from deepeval.metrics import AnswerRelevancyMetric, BaseConversationalMetric, BaseMetric, FaithfulnessMetric
from deepeval.test_case import ConversationalTestCase, LLMTestCase


class LengthMetric(BaseMetric):
    # A reply is to be no longer than so many words.
    def __init__(self, threshold: float = 0.5, most: int = 12):
        self.threshold = threshold
        self.most = most

    def measure(self, test_case: LLMTestCase):
        words = len(test_case.actual_output.split())
        self.score = min(1.0, self.most / words)
        self.reason = f"{words} words"
        self.success = self.score >= self.threshold
        return self.score

    async def a_measure(self, test_case: LLMTestCase):
        return self.measure(test_case)

    def is_successful(self):
        return self.success

    @property
    def __name__(self):
        return "Length"


class BalanceMetric(BaseConversationalMetric):
    # Every turn of the user is to have one of the chatbot.
    def __init__(self, threshold: float = 1.0):
        self.threshold = threshold

    def measure(self, test_case: ConversationalTestCase):
        roles = [turn.role for turn in test_case.turns]
        self.score = min(1.0, roles.count("assistant") / max(1, roles.count("user")))
        self.success = self.score >= self.threshold
        return self.score

    async def a_measure(self, test_case: ConversationalTestCase):
        return self.measure(test_case)

    def is_successful(self):
        return self.success

    @property
    def __name__(self):
        return "Balance"


class FaithfulRelevancyMetric(BaseMetric):
    # Composed of two metrics; the lower score counts.
    def __init__(
        self, threshold: float = 0.5, model=None, include_reason=True, async_mode=True, strict_mode=False
    ):
        self.threshold = 1 if strict_mode else threshold
        self.evaluation_model = model
        self.include_reason = include_reason
        self.async_mode = async_mode
        self.strict_mode = strict_mode

    def measure(self, test_case: LLMTestCase):
        try:
            relevancy, faithfulness = self.initialize_metrics()
            relevancy.measure(test_case)
            faithfulness.measure(test_case)
            self.set_score_reason_success(relevancy, faithfulness)
            return self.score
        except Exception as e:
            self.error = str(e)
            raise

    async def a_measure(self, test_case: LLMTestCase):
        try:
            relevancy, faithfulness = self.initialize_metrics()
            await relevancy.a_measure(test_case)
            await faithfulness.a_measure(test_case, _show_indicator=False)
            self.set_score_reason_success(relevancy, faithfulness)
            return self.score
        except Exception as e:
            self.error = str(e)
            raise

    def is_successful(self) -> bool:
        if self.error is not None:
            self.success = False
            return self.success
        return self.success

    @property
    def __name__(self):
        return "Composite Relevancy Faithfulness Metric"

    def initialize_metrics(self):
        shared = {
            "threshold": self.threshold,
            "model": self.evaluation_model,
            "include_reason": True,
            "async_mode": self.async_mode,
            "strict_mode": self.strict_mode,
        }
        return AnswerRelevancyMetric(**shared), FaithfulnessMetric(**shared)

    def set_score_reason_success(self, relevancy, faithfulness):
        lowest = min(relevancy.score, faithfulness.score)
        self.score = 0 if self.strict_mode and lowest < self.threshold else lowest
        if self.include_reason:
            self.reason = relevancy.reason + "\n" + faithfulness.reason
        self.success = self.score >= self.threshold
