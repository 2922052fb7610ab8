"""AgentV's eval files of versions 2 to 5: cases, evaluators and rubrics read into a Suite.

    suite = load_agentv(Path("evals/dataset.yaml"))

Of a case: `messages` is what is sent, `expected` what a good answer would be, `criterion` what it does,
`reference` the last expected message as text, `prompt` the question in one. An evaluator becomes a Check:
type as the file names it, metric its name, threshold its min_score, children the evaluators of a composite,
and config all its settings, with beside them

    prompt_text, prompt_path        the prompt of a judge, read from its file
    prompt_argv, argv, resolved_cwd the programs that it asks for, which are not run
    options                         what a prompt or a program is given beside
    rubrics                         criteria: {id, outcome, weight, required, score_ranges: [{score_range:
                                    [from, to], outcome}], required_min_score (of 10), min_score (of 1)}

Case options: dataset, conversation_id, evaluator, execution, input_messages and input_segments (as AgentV
hands them to programs), input_files, guideline_files. A case in conversation mode is asked turn
by turn (SuiteCase.turn_by_turn).
"""

from turnwise.conversations.formats.agentv.suite import load_agentv
from turnwise.conversations.formats.suite_files import looks_like_agentv

__all__ = ["load_agentv", "looks_like_agentv"]
