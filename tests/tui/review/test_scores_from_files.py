"""The review of a session from another tool's file shows what was found there, by whom, and in which file."""

import json
from pathlib import Path

from reviewing import drawn, press, reading

from turnwise.conversations.importing import import_file
from turnwise.conversations.store import Store
from turnwise.tui.review.why_screen import WhyScreen

CHECKS = [{"nl_assertion": "stays polite", "met": False, "justification": "it shouts"}]
RESULTS = {
    "info": {"environment_info": {"domain_name": "shop"}},
    "tasks": [{"id": "7", "user_scenario": {"instructions": "a refund"}}],
    "simulations": [
        {
            "id": "s1",
            "task_id": "7",
            "reward_info": {"reward": 0.0, "nl_assertions": CHECKS},
            "messages": [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "WHAT"}],
        }
    ],
}


async def test_a_score_says_which_tool_and_file_it_is_from(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    path.write_text(json.dumps(RESULTS))
    [session] = import_file(store, path).sessions
    async with reading(store, session) as (screen, pilot):
        scores = drawn(screen.pane.score_list)
        assert "checks, no judge (says results.json)" in scores
        assert "✗   reward" in scores
        assert "stays polite · it shouts" in scores
        await press(pilot, "w")
        why = pilot.app.screen
        assert isinstance(why, WhyScreen)
        text = "\n".join("".join(piece.text for piece in line) for line in why.view.lines)
        assert "tau2-bench" in text
        assert "stays polite" in text
        assert "this score came with the file results.json" in text
