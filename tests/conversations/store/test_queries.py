"""The filter language, term by term, on a small library."""

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from stored import failure, keep, land, score, skipped

from turnwise.conversations import ConversationalTestCase
from turnwise.conversations.errors import SettingError
from turnwise.conversations.store import BEST_MATCH, Store
from turnwise.conversations.store.filter_fields import LONGEST_PATTERN
from turnwise.conversations.store.queries import (
    asks_for_run,
    condition,
    metrics_of,
    terms_of,
    words_of,
    wrong_term,
)
from turnwise.engine.people.opinions import disputes


@pytest.fixture
def library(store):
    """Four sessions by name: bag, refund, höflich and long."""
    ids = {
        "bag": keep(
            store,
            "I lost my bag",
            "Sorry to hear it.",
            name="Lost bag",
            chatbot_role="Airline agent",
            tags=["travel", "good"],
            source="tau.json",
        ),
        "refund": keep(
            store, "my lost refund", "Here it is.", name="Refund", chatbot_role="Bank", tags=["billing"]
        ),
        "höflich": keep(store, "role:play, please", "Nein.", name="ÜBER Höflichkeit", chatbot_role="Ärztin"),
        "long": keep(store, *[f"turn {number}" for number in range(30)], name="Long talk"),
    }
    land(store, ids["bag"], score(0.2, "role_adherence"), score(0.9, "Höflich & knapp"))
    land(store, ids["refund"], score(0.8, "role_adherence"), failure("answer_relevancy"))
    land(store, ids["höflich"], skipped("role_adherence"), score(1.0, "answer_relevancy"))
    store.labels.add(ids["bag"], "fail", author="ada", blind=True)
    store.labels.add(ids["refund"], "pass", author="ada", blind=True)
    return store, ids


def found(library, query: str) -> set[str]:
    store, ids = library
    matching = store.sessions.ids(query)
    assert store.sessions.count(query) == len(matching)
    assert [row.id for row in store.sessions.page(query)] == matching
    return {name for name, session in ids.items() if session in matching}


EVERYTHING = {"bag", "refund", "höflich", "long"}


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("", EVERYTHING),
        ("   ", EVERYTHING),
        ("lost", {"bag", "refund"}),
        ("LOST", {"bag", "refund"}),
        ("los", {"bag", "refund"}),
        ('"lost my"', {"bag"}),
        ('"lost my', {"bag"}),
        ("lost bag", {"bag"}),
        ("-lost", {"höflich", "long"}),
        ('-"lost my"', {"refund", "höflich", "long"}),
        ("über", {"höflich"}),
        ("talk", {"long"}),
        ("role:airline", {"bag"}),
        ('role:"airline agent"', {"bag"}),
        ("role:ärzt", {"höflich"}),
        ("-role:bank", {"bag", "höflich", "long"}),
        ("name:lost", {"bag"}),
        ("name:höflichkeit", {"höflich"}),
        ("source:TAU", {"bag"}),
        ("tag:good", {"bag"}),
        ("tag:goo", set()),
        ("tag:travel tag:good", {"bag"}),
        ("-tag:billing", {"bag", "höflich", "long"}),
        ("label:fail", {"bag"}),
        ("label:none", {"höflich", "long"}),
        ("label:defer", set()),
        ("turns>20", {"long"}),
        ("turns<=2", {"bag", "refund", "höflich"}),
        ("turns=30", {"long"}),
        ("role_adherence<0.5", {"bag"}),
        ("role_adherence>=0.8", {"refund"}),
        ("role_ad<0.5", {"bag"}),
        ("ROLE_ADHERENCE<0.5", {"bag"}),
        ("-role_adherence<0.5", {"refund", "höflich", "long"}),
        ('"höflich & knapp">0.5', {"bag"}),
        ("knapp>0.5", {"bag"}),
        ("role_adherence:pass", {"refund"}),
        ("role_adherence:fail", {"bag"}),
        ("role_adherence:skipped", {"höflich"}),
        ("role_adherence:none", {"long"}),
        ("answer_relevancy:failure", {"refund"}),
        ('"höflich & knapp":pass', {"bag"}),
        ("run:1", {"bag"}),
        ("run:2 lost", {"refund"}),
        ("run:99", set()),
        ("id:99999999999999999999999999", set()),
        ('"role:play"', {"höflich"}),
        ("role:bank lost turns<5 label:pass", {"refund"}),
        ("-", EVERYTHING),
        ('"', EVERYTHING),
        ('""', EVERYTHING),
        ("lost\0bag", {"bag"}),
        ("half \ud83d emoji", set()),
        ("' OR 1=1 --", set()),
        ("NEAR(", set()),
    ],
)
def test_a_query_finds(library, query, names):
    assert found(library, query) == names


@pytest.mark.parametrize("text", ["50% off", "a_b", "Wow!", "back\\slash", "x" * (LONGEST_PATTERN + 1)])
def test_signs_that_sql_takes_for_others_stand_for_themselves(store, text):
    wanted = keep(store, "one", source=f"in {text.upper()} here")
    keep(store, "two", source="500 off, aXb, Wow, backXslash, xx")
    assert store.sessions.ids(f'source:"{text}"') == [wanted]


def test_a_number_names_a_session_and_several_name_more(library):
    refund, bag = library[1]["refund"], library[1]["bag"]
    assert found(library, f"id:{refund}") == {"refund"}
    assert found(library, f"id:{refund},{bag}") == {"refund", "bag"}
    assert found(library, f"-id:{refund},{bag}") == EVERYTHING - {"refund", "bag"}


def test_a_comparison_reads_the_newest_score_and_that_of_the_last_exchange(library):
    store, ids = library
    land(store, ids["bag"], score(0.7, "role_adherence"))
    assert found(library, "role_adherence<0.5") == set()
    land(store, ids["long"], score(0.9, "by_turn", exchange=2), score(0.1, "by_turn", exchange=1))
    assert found(library, "by_turn>0.5") == {"long"}
    assert store.sessions.get(ids["long"]).marks["by_turn"].score == 0.9


def test_who_failed_is_what_the_newest_label_says(library):
    store, ids = library
    store.labels.add(ids["bag"], "fail", author="ada", at_fault="tool", blind=True)
    store.labels.add(ids["long"], "fail", author="ada", at_fault="user", blind=True)
    assert found(library, "fault:tool") == {"bag"}
    assert found(library, "-fault:tool fault:user") == {"long"}
    store.labels.add(ids["bag"], "pass", author="ada", blind=True)
    assert found(library, "fault:tool") == set()
    with pytest.raises(SettingError, match="fault"):
        found(library, "fault:nobody")


def test_a_label_that_was_taken_back_is_none(library):
    store, ids = library
    store.labels.add(ids["bag"], None, author="ada", blind=True)
    assert found(library, "label:none") == {"bag", "höflich", "long"}


@pytest.mark.parametrize(
    ("query", "title", "hint"),
    [
        ("rolle:bank", "the filter does not know rolle", "Did you mean role?"),
        ("role_adherance<0.5", "the filter does not know role_adherance", "Did you mean role_adherence?"),
        ("label:passed", "label does not know passed", "Did you mean pass?"),
        (
            "adherence:x",
            "adherence, read as role_adherence, does not know x",
            "It knows pass, fail, failure, skipped, none.",
        ),
        (
            "rol:x",
            "rol, read as role_adherence, does not know x",
            "The chatbot's role is role:x. It knows pass",
        ),
        ("label:", "label: takes a word", "It knows pass, fail, deferred, none, disputed."),
        ("role_adherence:failed", "role_adherence does not know failed", "Did you mean fail"),
        ("http://example.org", "the filter does not know http", 'put it in "quotes"'),
        ("id:bag", "id: takes a number", "id:12"),
        ("id:1,bag", "id: takes a number", "id:12"),
        ("run:³", "run: takes a number", "run:12"),
    ],
)
def test_what_means_nothing_is_told_with_the_nearest_name(library, query, title, hint):
    store, _ = library
    with pytest.raises(SettingError) as caught:
        store.sessions.ids(query)
    assert caught.value.title == title
    assert hint in caught.value.next_step


def test_a_name_that_could_be_two_metrics_asks_for_more():
    with pytest.raises(SettingError, match="relevancy could be answer_relevancy or turn_relevancy"):
        condition("relevancy<0.5", ["turn_relevancy", "answer_relevancy"])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.text(alphabet=st.sampled_from("ab \"-:<>=.0*()^'\0\\éÄ\ud800"), max_size=20) | st.text(max_size=20))
def test_whatever_is_typed_is_a_query_or_a_worded_error(store, query):
    with suppress(SettingError):
        store.sessions.ids(query)


@pytest.mark.parametrize(
    ("query", "term"),
    [
        ("lost rolle:x", (5, 12)),
        ("role_adherence > 0.x", (0, 20)),
        ("  label:odd bag", (2, 11)),
        ("lost bag", None),
    ],
)
def test_the_term_that_means_nothing_is_known_by_its_place(query: str, term: tuple[int, int] | None) -> None:
    wrong = wrong_term(query, ["role_adherence"])
    assert (None if wrong is None else (wrong.start, wrong.end)) == term


def test_only_what_is_searched_for_is_a_word() -> None:
    assert words_of('lost "my bag" -not role:x turns > 3 label:none') == ["lost", "my bag"]


@given(st.text(max_size=40))
def test_terms_stand_where_they_say(query: str) -> None:
    for term in terms_of(query):
        assert 0 <= term.start < term.end <= len(query)


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("label:deferred", set()),
        ("turns>29", {"long"}),
        ("turns<2.5", {"bag", "refund", "höflich"}),
        ("turns<=2", {"bag", "refund", "höflich"}),
        ("turns>=0", EVERYTHING),
        ("turns<0", set()),
        ("turns=30", {"long"}),
        ("turns>-1", EVERYTHING),
    ],
)
def test_numbers_of_turns(library, query: str, names: set[str]) -> None:
    assert found(library, query) == names


class TestWhereWordsAreSearched:
    """A system prompt that names refunds is no conversation about a refund."""

    @pytest.fixture
    def talks(self, store: Store) -> dict[str, int]:
        def keep_talk(name: str, *turns: tuple[str, str], **calls: object) -> int:
            said = [{"role": role, "content": content} for role, content in turns]
            said[-1] |= calls
            case = ConversationalTestCase(turns=said, name=name)
            return store.sessions.add(case, source="test", format="test").session_id

        policy = ("system", "Refunds take five days. Be polite.")
        return {
            "asked": keep_talk("a", policy, ("user", "I want a refund"), ("assistant", "Surely.")),
            "answered": keep_talk("b", policy, ("user", "My money?"), ("assistant", "Your refund comes.")),
            "neither": keep_talk("c", policy, ("user", "A seat, please"), ("assistant", "Which one?")),
            "called": keep_talk(
                "d",
                ("user", "Do it"),
                ("assistant", "Done."),
                tools_called=[{"name": "pay_back", "input_parameters": {"why": "Refund of 7"}}],
            ),
            "result": keep_talk(
                "e", ("user", "And?"), ("assistant", ""), ("tool", "a refund"), ("assistant", "Paid.")
            ),
        }

    @pytest.mark.parametrize(
        ("query", "names"),
        [
            ("refund", {"asked", "answered"}),
            ("-refund", {"neither", "called", "result"}),
            ("user:refund", {"asked"}),
            ("bot:refund", {"answered"}),
            ('bot:"your refund"', {"answered"}),
            ("system:refund", {"asked", "answered", "neither"}),
            ("-system:polite", {"called", "result"}),
            ("tool:refund", {"called", "result"}),
            ("tool:pay_b", {"called"}),
            ("tool:100%", set()),
            ("TOOL:REFUND user:do", {"called"}),
            ("user:a<b", set()),
        ],
    )
    def test_it_is_what_was_said_unless_a_scope_says_else(
        self, store: Store, talks: dict[str, int], query: str, names: set[str]
    ) -> None:
        assert {name for name in talks if talks[name] in store.sessions.ids(query)} == names

    def test_the_best_match_is_the_best_where_the_words_are_searched(
        self, store: Store, talks: dict[str, int]
    ) -> None:
        short = store.sessions.add(
            ConversationalTestCase(turns=[{"role": "system", "content": "Refunds."}]), source="t", format="t"
        ).session_id
        assert store.sessions.ids("system:refund", BEST_MATCH)[0] == short
        assert words_of("system:refund user:x lost") == ["refund", "x", "lost"]

    def test_a_scope_without_words_asks_for_them(self, store: Store) -> None:
        with pytest.raises(SettingError, match="user: takes words"):
            store.sessions.ids("user:")


class TestMetricsWithAColon:
    """A metric in whose name a colon stands is compared like any other."""

    @pytest.fixture
    def sessions(self, store: Store) -> dict[str, int]:
        found = {name: keep(store, name) for name in ("low", "high", "none")}
        land(store, found["low"], score(0.2, "learned:solved"))
        land(store, found["high"], score(0.9, "learned:solved"))
        return found

    @pytest.mark.parametrize(
        ("query", "names"),
        [
            ("learned:solved<0.5", {"low"}),
            ("Learned:Solved >= 0.5", {"high"}),
            ("learned:solved:fail", {"low"}),
            ("learned:solved:none", {"none"}),
            ("-learned:solved<0.5", {"high", "none"}),
        ],
    )
    def test_it_is_found(self, store: Store, sessions: dict[str, int], query: str, names: set[str]) -> None:
        assert set(store.sessions.ids(query)) == {sessions[name] for name in names}


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("run:4 language_switch:fail", ["language_switch"]),
        ("adherence<0.5 -learned:solved:pass turns>3", ["role_adherence", "learned:solved"]),
        ("role:airline label:none refund meta.role:x role_a", []),
        ("e<0.5 unknown:pass", []),
    ],
)
def test_it_is_known_about_which_metrics_a_query_asks(query: str, names: list[str]) -> None:
    assert metrics_of(query, ["role_adherence", "language_switch", "learned:solved"]) == names


class TestDisputed:
    """What one person passes and another fails is found, until somebody settles it."""

    @pytest.fixture
    def session(self, store: Store) -> int:
        found = keep(store, "Where is my bag?")
        store.labels.add(keep(store, "alone"), "fail", author="ana", blind=True)
        store.labels.add(found, "fail", author="ana", blind=True)
        store.labels.add(found, "pass", author="ben", blind=True)
        return found

    def test_it_is_found_and_its_row_says_so(self, store: Store, session: int) -> None:
        assert store.sessions.ids("label:disputed") == [session]
        assert [row.disputed for row in store.sessions.rows([session])] == [True]
        assert store.tallies.disputed() == {"pass": 1}

    @pytest.mark.parametrize("word", ["fail", "defer", None])
    def test_who_changes_their_mind_defers_or_takes_it_back_disputes_no_longer(
        self, store: Store, session: int, word: Any
    ) -> None:
        store.labels.add(session, word, author="ben", blind=True)
        assert store.sessions.ids("label:disputed") == list(disputes(store)) == []
        assert store.sessions.get(session).disputed is False

    def test_an_adjudication_settles_it_and_one_that_is_taken_back_or_deferred_does_not(
        self, store: Store, session: int
    ) -> None:
        for word, found in (("pass", []), ("defer", [session]), ("fail", []), (None, [session])):
            store.labels.add(session, word, author="ana", blind=False, adjudicates=True)
            assert store.sessions.ids("label:disputed") == list(disputes(store)) == found

    def test_a_label_of_one_metric_is_no_dispute_about_the_whole(self, store: Store, session: int) -> None:
        store.labels.add(session, "fail", author="ben", blind=True)
        store.labels.add(session, "pass", author="ben", blind=True, metric="tone")
        assert store.sessions.ids("label:disputed") == []


@pytest.mark.parametrize(
    ("query", "asked"),
    [
        ("run:4", True),
        ("tag:late run:4", True),
        ("-run:4", False),
        ('"run:4"', False),
        ("run", False),
        ("", False),
    ],
)
def test_a_query_may_ask_for_the_sessions_of_one_run(query: str, asked: bool) -> None:
    assert asks_for_run(query) is asked
