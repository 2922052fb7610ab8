"""The data model, and the migrations that make it.

    sessions       a stored conversation: its role, purpose and source, and a fingerprint of its content
      ├─ turns         its messages in order; spoken ones are numbered from 1; searched through turns_fts
      ├─ session_tags  its tags, one a row
      ├─ scores        every outcome of a metric on it: a score, a failure or a skip. Append-only
      │    ├─ verdicts     what the metric found, turn by turn, and the words of the turn that decide it
      │    └─ score_calls  the judge calls that the outcome rests on, in order
      ├─ labels        what people found about it, as a whole or by metric. Append-only: the newest stands
      └─ sights        who saw its scores before they labelled it
    runs           one evaluation of some sessions by some metrics with one judge
      └─ run_scores    the outcomes that belong to it, those taken over from earlier runs included
    answers        what chatbots said to the cases of test files, by who was asked what. Append-only
    claimants      runs under way, each with a lease that it renews while it lives
      └─ claims        what each is about to judge or ask, so that no other run does the same meanwhile
    calls          every call of a judge: request, reply, usage, cost, time. Cache, evidence and replay in one
    judge_certificates  what a trial found about a judge, dated. Append-only: the newest of a judge stands
    mode_changes   who did something to failure modes; it may take back an earlier change. Append-only
      ├─ mode_states       what a failure mode was after it: name, definition, merged into which, retired
      └─ mode_assignments  which session it gave a failure mode, or took it from; the newest stands,
                            and it says so too where one of several who gave it takes that back
    criterion_versions  what a criterion said, each time it said something else. Append-only
    split_members  which labelled session is for learning, trying or the last test; split_uses: when that was
    learned_signals  what was learned from labels, each time it was learned; a forgotten one stays, unlisted
    saved_filters  queries that people named
    queues         sessions to be reviewed in an order, with how they were chosen
      ├─ queue_items     which sessions, at which place
      ├─ queue_assignments  who is to label which of them; without any, whoever comes
      └─ queue_draws     of a queue that is drawn as it goes: all sessions that may be drawn, in strata of the
                         judge's score as it was then; of those that were, the place and the chances they had
    pair_queues    pairs of sessions to be compared, with how they were chosen
      └─ pair_items      which two sessions, at which place, on which side, of which groups
           └─ pair_preferences  which one somebody prefers. Append-only: the newest of a person stands
    spills         how much is in of each file in which a run's findings waited for a locked database
    imports        the file that is coming in; staged_sessions: its sessions, hidden until all of it is in;
                   staged_findings: what came with them
    followed_sessions  which sessions a source gave that is read again as it grows
    remembered     what the app takes up again: the columns and the order of lists; how often sessions grew;
                   the highest numbers of what was forgotten; what the newest import brought in;
                   how long somebody was at a queue
    facts          what sessions say of themselves beside their words, each key and value once, for filters
      └─ session_facts  which session says it; all of it can be made anew from `data` of sessions and turns
    outcome_counts  of each metric, how many sessions came out how, by the newest outcome; failed_turns: at
                   which turns they fail; run_counts, run_costs: how runs came out, and what they cost
    secrets        one random key, from which the fences around transcripts are derived

A unit of judging is named by (session, exchange, metric_fingerprint, case_fingerprint, judge_fingerprint);
a unit that has a score or a skip under that name is not judged again. Counts are taken from rows, but for
four tables that triggers keep beside what they count, in the same transaction.
Whether a score passes is computed when it is read (`scores.passed`): as its check stated, else from the score
and its threshold. What was imported names its file in `came_from`. JSON columns hold what is only ever read
whole. Times are seconds since 1970 in UTC.

Migrations are append-only: a change is a new function at the end, with the reason in its docstring, and its
SQL a new script in the module of `tables` that holds its kind.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from turnwise.conversations.store.counted.kept_counts import recount
from turnwise.conversations.store.facts.index import TABLES as FACTS
from turnwise.conversations.store.facts.index import Told, index_all
from turnwise.conversations.store.tables import counted, first, incoming, judging, people

if TYPE_CHECKING:
    from sqlite_utils import Database, Migrations

SCHEMA_VERSION = 23
"""How many migrations there are; kept in the file's user_version so that opening need not look further."""


def migrations(tell: Told = lambda share: None) -> Migrations:
    """Return all migrations, in order. sqlite-utils is imported here because it costs 60 ms.

    tell: is given how much is done of the one that reads all sessions, from 0 to 1.
    """
    from sqlite_utils import Migrations

    steps = Migrations("turnwise")

    @steps()
    def first_tables(db: Database) -> None:
        """The first shape: sessions with their turns, runs with their scores, and the calls they rest on."""
        for statement in _statements(first.TABLES):
            db.execute(statement)
        db.table("turns").enable_fts(
            ["content"], create_triggers=True, tokenize="unicode61 remove_diacritics 2"
        )
        db.execute("INSERT INTO secrets VALUES ('fence', ?)", [secrets.token_hex(16)])

    @steps()
    def labels_of_metrics(db: Database) -> None:
        """A metric and a value from 0 to 1: people rate per metric, and finer than pass or fail."""
        db.execute("ALTER TABLE labels ADD COLUMN metric TEXT NOT NULL DEFAULT ''")
        db.execute("ALTER TABLE labels ADD COLUMN value REAL CHECK (value BETWEEN 0 AND 1)")

    @steps()
    def runs_with_names(db: Database) -> None:
        """What a run is called, and what is to be remembered of the chatbot that was judged."""
        db.execute("ALTER TABLE runs ADD COLUMN name TEXT NOT NULL DEFAULT ''")
        db.execute("ALTER TABLE runs ADD COLUMN parameters TEXT NOT NULL DEFAULT '{}'")

    @steps()
    def failure_modes(db: Database) -> None:
        """Failure modes, whose names and meanings grow while people read: every change is a row."""
        for statement in _statements(people.FAILURE_MODES):
            db.execute(statement)

    @steps()
    def criteria(db: Database) -> None:
        """Versions of criteria to set side by side; splits, so that none is tested on what it learned."""
        for statement in _statements(people.CRITERIA):
            db.execute(statement)

    @steps()
    def lists_of_sessions(db: Database) -> None:
        """Filters by name, queues to review, and what lists look like; indexes for filters of many sessions.

        The one on turns holds nothing that the table lacks, and is a hundredth of its size: a search finds
        turns, and wants their sessions.
        """
        for statement in _statements(people.LISTS):
            db.execute(statement)

    @steps()
    def stated_passes(db: Database) -> None:
        """A check of a test file may pass or fail by a rule of its own, whatever its score.

        `stated` keeps what it said; `passed` is computed from that, the score and the threshold, so that
        every query means the same by it.
        """
        for statement in _statements(judging.STATED):
            db.execute(statement)

    @steps()
    def answers(db: Database) -> None:
        """What chatbots answered, so that a test file that is run again asks only for what is new."""
        for statement in _statements(judging.ANSWERS):
            db.execute(statement)

    @steps()
    def found_elsewhere(db: Database) -> None:
        """The file that a score, label or run came from: who judged or labelled is that file's word."""
        for statement in _statements(incoming.FOUND_ELSEWHERE):
            db.execute(statement)

    @steps()
    def spills(db: Database) -> None:
        """What waits in files while the database is locked comes in once, also where that is broken off."""
        db.execute("CREATE TABLE spills (name TEXT PRIMARY KEY, lines INTEGER NOT NULL) WITHOUT ROWID")

    @steps()
    def claims(db: Database) -> None:
        """What runs are about to judge, so that several of them at once share the work and pay once."""
        for statement in _statements(judging.CLAIMS):
            db.execute(statement)

    @steps()
    def imports_in_slices(db: Database) -> None:
        """A large file comes in slice by slice, so that others can write, and is seen once it is whole."""
        for statement in _statements(incoming.IMPORTS):
            db.execute(statement)

    @steps()
    def facts(db: Database) -> None:
        """Metadata and scenarios where filters find them: reading all sessions would take seconds."""
        for statement in _statements(FACTS):
            db.execute(statement)
        index_all(db.conn, tell)

    @steps()
    def followed_sessions(db: Database) -> None:
        """Which sessions a file gave that is followed, so that one which grows is brought up to date."""
        for statement in _statements(incoming.FOLLOWED):
            db.execute(statement)

    @steps()
    def roles_of_found_turns(db: Database) -> None:
        """Who said what a search finds, without reading the turn: a search looks at what was said."""
        for statement in _statements(incoming.ROLES_OF_TURNS):
            db.execute(statement)

    @steps()
    def sights(db: Database) -> None:
        """Who saw a session's scores before they labelled it: such a label does not count as blind."""
        for statement in _statements(people.SIGHTS):
            db.execute(statement)

    @steps()
    def several_people(db: Database) -> None:
        """Who is to label what, who failed where a conversation did, and what settles where people differ."""
        for statement in _statements(people.SEVERAL_PEOPLE):
            db.execute(statement)

    @steps()
    def quotes_of_verdicts(db: Database) -> None:
        """The words that decide a verdict and where they stand, so that screens can show them in the turn."""
        for statement in _statements(judging.QUOTES):
            db.execute(statement)

    @steps()
    def learned_signals(db: Database) -> None:
        """What was learned from labels, as plain numbers, in all its versions."""
        for statement in _statements(judging.LEARNED):
            db.execute(statement)

    @steps()
    def judge_certificates(db: Database) -> None:
        """What trials found about judges, so that lists can say of each whether it was tried, and as what."""
        for statement in _statements(judging.CERTIFICATES):
            db.execute(statement)

    @steps()
    def pair_queues(db: Database) -> None:
        """Pairs of sessions and which one people prefer: side by side is judged more surely than alone."""
        for statement in _statements(people.PAIRS):
            db.execute(statement)

    @steps()
    def queue_draws(db: Database) -> None:
        """With which chance a session was drawn: pass rates that hold while they are watched need it."""
        for statement in _statements(people.DRAWS):
            db.execute(statement)

    @steps()
    def counted_as_written(db: Database) -> None:
        """What an overview of all sessions says, so that it need not read a million scores each time."""
        for statement in _statements(counted.COUNTED):
            db.execute(statement)
        recount(db.conn)

    return steps


def _statements(script: str) -> list[str]:
    """Split a script after each complete statement; a trigger holds semicolons of its own."""
    import sqlite3

    statements, current = [], ""
    for piece in script.split(";"):
        current += piece + ";"
        if sqlite3.complete_statement(current):
            statements.append(current.strip())
            current = ""
    return statements
