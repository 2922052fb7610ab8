"""Grading the answers to a suite's cases by the checks that its file asks for.

`grade_case` scores an answer by all the checks of a case, `grade_check` by one of them; `judging.judge_case`
asks a judge where checks need one.
"""

from turnwise.engine.suites.answer import Answer
from turnwise.engine.suites.grading import case_result, grade_case, grade_check
from turnwise.engine.suites.results import CaseOutcome, CaseResult, CheckResult

__all__ = ["Answer", "CaseOutcome", "CaseResult", "CheckResult", "case_result", "grade_case", "grade_check"]
