"""Filters by metadata, model, scenario and date."""

import time

import pytest
from stored import keep, land, said, score

from turnwise.conversations import LLMTestCase
from turnwise.conversations.errors import SettingError
from turnwise.conversations.store import Store
from turnwise.conversations.store.orders import order_of

DAY = 86_400


@pytest.fixture
def library(store):
    """Four sessions by name: es, en, odd and bare."""
    now = time.time()
    ids = {
        "es": keep(
            store,
            *("Hola", "Buenas"),
            metadata={
                "language": "es",
                "latency": 0.25,
                "day": "2026-03-01",
                "model": "gpt-4o-mini",
                "customer": {"tier": "gold"},
                "skills": ["billing", "bags"],
            },
            scenario="A refund, in Spanish",
            created_at=now - 30 * DAY,
        ),
        "en": keep(
            store,
            *("Hello", "Hi"),
            metadata={
                "language": "EN",
                "latency": "3",
                "day": "2026-03-02T10:00:00Z",
                "target": "openai:gpt-4o",
                "url": "https://shop.example/a:b",
                "rate": "50%",
            },
            scenario="Straße gesperrt",
            created_at=now - 2 * DAY,
        ),
        "odd": keep(
            store,
            *("Hm", "Oh"),
            metadata={"customer tier": "über", "a:b<c": "x y", "latency": "slow"},
            created_at=now - 3600,
        ),
        "bare": keep(store, "Nothing", "is said", created_at=now),
    }
    return store, ids


def found(library, query: str) -> set[str]:
    store, ids = library
    matching = store.sessions.ids(query)
    assert store.sessions.count(query) == len(matching)
    return {name for name, session in ids.items() if session in matching}


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("meta.language:es", {"es"}),
        ("meta.language:en", {"en"}),
        ("META.Language:ES", {"es"}),
        ("meta.language:e", set()),
        ("meta.language:e*", {"es", "en"}),
        ("meta.language:*", {"es", "en"}),
        ("-meta.language:*", {"odd", "bare"}),
        ("-meta.language:es", {"en", "odd", "bare"}),
        ("meta.language=es", {"es"}),
        ("meta.customer.tier:gold", {"es"}),
        ("meta.skills:bags meta.skills:billing", {"es"}),
        ('meta."customer tier":ÜBER', {"odd"}),
        ('"meta.customer tier":über', {"odd"}),
        ('meta."customer tier":"ü*"', {"odd"}),
        ('meta."a:b<c":"x y"', {"odd"}),
        ("meta.url:https://shop.example/a:b", {"en"}),
        ("meta.url:*shop*", {"en"}),
        ("meta.rate:50%", {"en"}),
        ("meta.rate:5_%", set()),
        ("meta.rate:%*", set()),
        ("meta.latency<1", {"es"}),
        ("meta.latency>=.25", {"es", "en"}),
        ("meta.latency > 0.25", {"en"}),
        ("meta.latency:3.0", {"en"}),
        ("meta.latency=0.250", {"es"}),
        ("meta.latency:slow", {"odd"}),
        ("-meta.latency<1", {"en", "odd", "bare"}),
        ("meta.day>2026-03-01", {"en"}),
        ("meta.day>=2026-03-01", {"es", "en"}),
        ("meta.day<=2026-03-01", {"es"}),
        ("meta.day<2026-03-02T10:00", {"es"}),
        ("meta.day<=2026-03-02T10:00", {"es", "en"}),
        ("meta.day>=2026-03", {"es", "en"}),
        ("meta.nothing:x", set()),
        ("model:gpt-4o", {"es", "en"}),
        ("model:MINI", {"es"}),
        ("model:openai", {"en"}),
        ("scenario:spanish", {"es"}),
        ("scenario:STRASSE", set()),
        ("scenario:straße", {"en"}),
        ("since:7d", {"en", "odd", "bare"}),
        ("since:12h", {"odd", "bare"}),
        ("until:7d", {"es"}),
        ("since:7d until:1d", {"en"}),
        ("until:today", {"es", "en", "odd", "bare"}),
        ("since:2000-01-01", {"es", "en", "odd", "bare"}),
        ("until:2000-01", set()),
        ("meta.language:es model:mini scenario:refund Hola", {"es"}),
    ],
)
def test_a_query_finds(library, query: str, names: set[str]) -> None:
    assert found(library, query) == names


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("meta.language:", "takes a value"),
        ("meta.language<x", "compared with a number or a date"),
        ("meta:x", "takes a key"),
        ("since:soon", "does not know soon"),
        ("until:", "takes a date"),
    ],
)
def test_what_means_nothing_is_told_with_a_next_step(library, query: str, told: str) -> None:
    store, _ = library
    with pytest.raises(SettingError, match=told) as error:
        store.sessions.ids(query)
    assert error.value.next_step
    wrong = store.sessions.wrong_term(f"word {query}")
    assert wrong is not None
    assert wrong.text == query


def test_a_session_says_what_its_exchanges_say(store) -> None:
    case = said("a", "b")
    case.turns += said("c", "d").turns
    exchange = store.sessions.add(
        LLMTestCase(input="a", actual_output="b", metadata={"topic": "bags"}), source="s", format="f"
    ).session_id
    assert store.sessions.ids("meta.topic:bags") == [exchange]


def test_a_recording_is_found_by_its_target(store) -> None:
    data = {"metadata": {"target": "https://bot.example#m"}}
    session = store.sessions.begin(name="n", role="", source="recorded", data=data, created_at=0.0)
    assert store.sessions.ids("model:bot.example") == [session]


def test_the_model_of_a_run_s_hyperparameters_counts(store) -> None:
    session = keep(store)
    run = store.runs.begin(judge="j", metrics=["politeness"], parameters={"model": "gpt-5", "k": 1})
    land(store, session, score(0.5), run=run)
    land(store, keep(store, "other", "one"), score(0.5))
    assert store.sessions.ids("model:gpt-5") == [session]
    assert "gpt-5" in store.sessions.vocabulary().values("model")


def test_a_file_that_did_not_come_in_is_neither_found_nor_offered(store) -> None:
    def break_off() -> None:
        with store.imports.begin(came_from="f", at=0.0) as (staging, _):
            with staging.slice():
                keep(store, metadata={"language": "xx"})
            assert store.sessions.ids("meta.language:xx") == []
            raise RuntimeError

    with pytest.raises(RuntimeError):
        break_off()
    assert store.sessions.vocabulary().keys() == {}


@pytest.mark.parametrize(
    ("order", "names"),
    [
        ("meta.latency", ["es", "en", "odd", "bare"]),
        ("-meta.latency", ["en", "es", "odd", "bare"]),
        ("meta.language", ["en", "es", "bare", "odd"]),
        ("-meta.language", ["es", "en", "bare", "odd"]),
        ("model", ["es", "en", "bare", "odd"]),
        ("scenario", ["es", "en", "bare", "odd"]),
        ('meta."customer tier"', ["odd", "bare", "en", "es"]),
    ],
)
def test_sessions_are_sorted_by_what_they_say(library, order: str, names: list[str]) -> None:
    store, ids = library
    chosen = order_of(order, [])
    assert chosen.text == order
    assert store.sessions.ids("", chosen) == [ids[name] for name in names]


def test_keys_are_completed_with_their_values_and_told_where_there_are_none(library) -> None:
    from turnwise.conversations.store import completions, filter_hints

    store, _ = library
    words = store.sessions.vocabulary()

    def typed(query: str) -> list[str]:
        return [one.text for one in completions(query, len(query), words)[1]]

    assert typed("meta.la") == ["meta.language:", "meta.latency:"]
    assert typed("-lang") == ["-meta.language:"]
    assert typed("meta.cust") == ['meta."customer tier":', "meta.customer.tier:"]
    assert typed("meta.language:") == ["meta.language:EN", "meta.language:es"]
    assert typed('meta."customer tier":') == ['meta."customer tier":über']
    assert typed("meta.latency:") == ["meta.latency:0.25", "meta.latency:3", "meta.latency:slow"]
    assert typed("model:mi") == ["model:gpt-4o-mini"]
    assert typed("since:t") == ["since:today", "since:yesterday"]
    assert filter_hints("meta.langauge:es", words) == [
        "There is no meta.langauge. Did you mean meta.language?"
    ]
    assert filter_hints("meta.skills:billings", words) == [
        "There is no meta.skills billings. Did you mean billing?"
    ]
    assert filter_hints("meta.language:es -meta.zzz:x meta.url:*q*", words) == []


def test_a_name_of_several_words_without_quotes_is_told_with_them(store: Store) -> None:
    from turnwise.conversations.store import filter_hints

    session = keep(store)
    store.modes.assign([session], store.modes.add("Answers in English", "It does.", author="a"), author="a")
    words = store.sessions.vocabulary()
    written = ['For “Answers in English” write mode:"Answers in English".']
    assert filter_hints("mode:answers in English", words) == written
    assert filter_hints("run:1 mode:Answers in", words) == written
    assert filter_hints('mode:"Answers in English" zeppelin', words) == []
    assert filter_hints("mode:Answers zeppelin", words) == []


def test_words_that_join_terms_elsewhere_are_told_to_be_words_here(store: Store) -> None:
    from turnwise.conversations.store import filter_hints

    keep(store)
    words = store.sessions.vocabulary()
    told = filter_hints("label:fail AND refund OR NOT fare AND (", words)
    assert [hint.split()[0] for hint in told] == ["“AND”", "“OR”", "“NOT”"]
    assert filter_hints("refund and fare", words) == []


def test_many_sessions_say_the_same_in_one_row(store: Store) -> None:
    for number in range(20):
        keep(store, f"q{number}", "a", metadata={"language": "En" if number % 2 else "en"})
    connection = store._database.connection
    assert connection.execute("SELECT count(*) FROM facts").fetchone()[0] == 1
    assert store.sessions.count("meta.language:EN") == 20
