"""AgentV's evaluators: what each finds in an answer, how a case is scored by them, and how a suite is run."""
