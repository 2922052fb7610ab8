"""Running suites of AgentV: how a case is graded by its evaluators, alone or turn by turn."""
