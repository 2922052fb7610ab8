"""Suites: files of test cases of other tools, run, graded by the checks that they ask for, and kept.

`grade_case` scores an answer by all the checks of a case, `grade_check` by one of them; `judge_case` asks a
judge where checks need one.
"""

from turnwise.engine.checks.answer import Answer
from turnwise.engine.checks.findings import CaseOutcome, CheckOutcome
from turnwise.engine.suites.grading import grade_case, grade_check, judge_case

__all__ = ["Answer", "CaseOutcome", "CheckOutcome", "grade_case", "grade_check", "judge_case"]
