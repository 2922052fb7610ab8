"""The commands by their names: which module each stands in, what it does, and what they are grouped by."""

from __future__ import annotations

COMMANDS: dict[str, tuple[str, str]] = {
    "demo": ("demo", "The app on sample conversations, in a database of its own."),
    "import": ("reviewing.import_", "Bring conversations in from files."),
    "proxy": ("talking.proxy", "Record what programs say to a server of models."),
    "collect": ("reviewing.collect", "Make sessions of the spans that programs send."),
    "sessions": ("reviewing.sessions", "List and search sessions."),
    "filters": ("reviewing.filters", "List saved filters, keep or forget one."),
    "tags": ("reviewing.tags", "List the tags; give sessions a tag, or take it."),
    "queue": ("reviewing.queue", "Make and follow queues of sessions to review."),
    "show": ("reviewing.show", "Print a session with its scores and labels."),
    "why": ("judging.why", "Print the judge's prompts and replies behind scores."),
    "score": ("judging.score", "Score sessions by metrics and criteria."),
    "run": ("judging.run", "Run a file of test cases: load, let the target answer, check."),
    "label": ("reviewing.label", "Say of a session whether it passes."),
    "adjudicate": ("reviewing.adjudicate", "Settle what people see differently, blind to names."),
    "modes": ("reviewing.modes", "Name the ways to go wrong, and count them."),
    "criteria": ("judging.criteria", "Your own criteria: list them, try them, draft their steps."),
    "overview": ("reviewing.overview", "See how sessions came out, and where they break."),
    "agree": ("judging.agree", "Measure a metric against people's labels."),
    "people": ("judging.people", "Set those who label side by side, and see who drifts."),
    "pairs": ("reviewing.pairs", "Ask which of two sessions is better, and learn which group is."),
    "learn": ("judging.learn", "Learn from your labels what needs no judge."),
    "runs": ("judging.runs", "List the runs: who judged what, and how it came out."),
    "compare": ("judging.compare", "Compare two runs, or two targets, and what flipped."),
    "export": ("reviewing.export", "Write sessions to files, of our own and of other tools."),
    "record": ("talking.record", "Talk to a chatbot and keep every turn."),
    "simulate": ("talking.simulate", "Let simulated users talk to a chatbot."),
    "goldens": ("talking.goldens", "Draft scenarios from sessions, to be played."),
    "replay": ("talking.replay", "Play a session again."),
    "serve": ("serve", "Show the app in a browser, on this machine alone."),
    "metrics": ("judging.metrics", "List the metrics, or explain one."),
    "test": ("judging.test", "Run tests that judge conversations, by pytest."),
    "bench": ("judging.bench", "Measure judges and metrics against people's ratings."),
    "judge": ("judging.judge", "See, choose, fetch and try judges."),
    "settings": ("settings", "Say where your settings are and what holds; edit them."),
    "forget": ("reviewing.forget", "Take sessions out, with their scores and labels."),
    "backup": ("backup", "Copy the database, all of it, as it is at one moment."),
    "doctor": ("doctor", "Say what turnwise finds on this machine; repair the database."),
}
"""Every command by its name: its module beside this one, and the line that `--commands` says of it."""
GROUPS: dict[str, tuple[str, ...]] = {
    "bring in": ("demo", "import", "collect", "proxy", "record", "simulate", "goldens"),
    "read": ("sessions", "show", "why", "replay", "filters", "tags", "overview", "export"),
    "say": ("label", "queue", "modes", "adjudicate", "pairs", "people"),
    "judge": ("score", "run", "criteria", "metrics", "judge", "learn", "test"),
    "look": ("runs", "compare", "agree", "bench"),
    "keep": ("settings", "forget", "backup", "doctor", "serve"),
}
"""Every command once, under a word for what it helps to do, as the short help lists them."""
