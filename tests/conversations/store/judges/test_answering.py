"""Which model answers for a judge: scores of one that was replaced say so, and no others."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

from judge_server import JudgeServer, Request, Step, answers_schema
from judged import judge_at
from stored import keep

from turnwise.conversations.exports.export import ExportOptions, SessionSelection
from turnwise.conversations.exports.tables import write_csv
from turnwise.conversations.store import Store
from turnwise.engine.judge.calls import JudgeCall
from turnwise.engine.judge.evidence import StoredCallBook
from turnwise.engine.metrics import RoleAdherenceMetric
from turnwise.engine.overview import overview
from turnwise.engine.people.agreement import agreement
from turnwise.engine.scoring.scoring import score_sessions
from turnwise.tui.overview.overview_words import in_short

WORDS = "Since then m-2 answers for its judge, in place of the model that gave it."


async def scored(store: Store, server: JudgeServer, model: str, session: int) -> None:
    def answers(request: Request) -> Step:
        step = answers_schema(request)
        return replace(step, body={**step.body, "model": model})

    server.default = answers
    async with judge_at(server, StoredCallBook(store)) as judge:
        async for _ in score_sessions(store, [session], [RoleAdherenceMetric()], judge):
            pass


def remarks(store: Store, session: int) -> list[str]:
    return [row.remark for row in store.scores.of(session)]


async def test_a_score_says_that_another_model_answers_since(store: Store, judge_server: JudgeServer) -> None:
    first, second = (keep(store, text, "Hi", chatbot_role="A clerk") for text in ("Hello", "Good day"))
    await scored(store, judge_server, "m-1", first)
    assert remarks(store, first) == [""]
    assert store.scores.judged_by_others("role_adherence") == {}
    await scored(store, judge_server, "m-2", second)
    assert remarks(store, first) == [WORDS]
    assert remarks(store, second) == [""]
    table = io.StringIO()
    write_csv(SessionSelection(store, [first, second]), table, ExportOptions(rows="scores"))
    assert [row["remark"] for row in csv.DictReader(io.StringIO(table.getvalue()))] == [WORDS, ""]
    assert store.scores.judged_by_others("role_adherence") == {"m-2": 1}
    store.labels.add(first, "pass", author="mia", blind=True)
    assert agreement(store, "role_adherence").replaced == {"m-2": 1}
    told = [one.said for one in in_short(overview(store))]
    assert (
        "role adherence: 1 score was given by another model: since then m-2 answers for that judge." in told
    )


async def test_vectors_by_another_model_say_nothing_of_the_judge(
    store: Store, judge_server: JudgeServer
) -> None:
    session = keep(store, "Hello", "Hi", chatbot_role="A clerk")
    await scored(store, judge_server, "m-1", session)
    [judge] = {row[0] for row in store.scores._database.connection.execute("SELECT judge FROM calls")}
    book = StoredCallBook(store)
    book.add(
        JudgeCall(key="v", judge=judge, model="vectors", request={"input": "x"}, reply="[]", created_at=9e9)
    )
    book.write()
    assert remarks(store, session) == [""]
    assert store.scores.judged_by_others("role_adherence") == {}
