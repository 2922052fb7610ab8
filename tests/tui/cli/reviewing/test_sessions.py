"""turnwise sessions: the list, as JSON and for people."""

from stored import keep, land, score

HOSTILE = "\x1b[31mred\x1b]0;title\x07\u202e"


def test_as_json_every_session_is_an_object_on_a_line(turnwise, store):
    bag = keep(
        store, "Where is my bag?", "b", chatbot_role="a clerk", tags=["travel", "good"], created_at=2.0
    )
    other = keep(store, "Hello", created_at=1.0)
    land(store, bag, score(0.9))
    store.labels.add(bag, "pass", author="ada", blind=True)
    ran = turnwise("sessions", "--json")
    assert (ran.code, ran.err) == (0, "")
    assert ran.rows == [
        {
            "id": bag,
            "name": "Where is my bag?",
            "chatbot_role": "a clerk",
            "turns": 2,
            "tags": ["good", "travel"],
            "source": "test",
            "label": "pass",
            "disputed": False,
            "scores": {"politeness": 0.9},
        },
        {
            "id": other,
            "name": "Hello",
            "chatbot_role": None,
            "turns": 1,
            "tags": [],
            "source": "test",
            "label": None,
            "disputed": False,
            "scores": {},
        },
    ]


def test_for_people_it_is_a_table(turnwise, store):
    keep(store, "Where is my bag?", "b", chatbot_role="a clerk", tags=["good"])
    ran = turnwise("sessions")
    assert ran.out.splitlines() == [
        "id  session           label  role     turns  tags  source",
        " 1  Where is my bag?  –      a clerk      2  good  test",
    ]


def test_the_table_says_what_people_say_of_each_session_in_the_words_of_the_filter(turnwise, store):
    said = {"pass": ["pass"], "fail": ["fail"], "deferred": ["defer"], "disputed": ["pass", "fail"]}
    for name, labels in said.items():
        session = keep(store, name, name=name)
        for author, label in zip(("ada", "ben"), labels, strict=False):
            store.labels.add(session, label, author=author, blind=True)
    for line in turnwise("sessions").out.splitlines()[1:]:
        _, name, label, *_ = line.split()
        assert label == name
    assert len(turnwise("sessions").out.splitlines()) == 5


def test_a_query_may_be_several_words(turnwise, store):
    bag = keep(store, "my lost bag", tags=["travel"])
    keep(store, "my lost refund")
    assert [row["id"] for row in turnwise("sessions", "lost", "tag:travel", "--json").rows] == [bag]
    assert [row["id"] for row in turnwise("sessions", "--json", "--", "-refund").rows] == [bag]


def test_nothing_found_is_told_on_standard_error(turnwise, store):
    empty = turnwise("sessions")
    assert (empty.code, empty.out) == (0, "")
    assert "turnwise import FILE" in empty.err
    keep(store)
    ran = turnwise("sessions", "zebra")
    assert (ran.code, ran.out, ran.err) == (0, "", "None of 1 sessions matches.\n")
    assert turnwise("sessions", "zebra", "--json").out == ""


def test_a_query_that_means_nothing_is_wrong_use(turnwise, store):
    keep(store)
    ran = turnwise("sessions", "lable:pass")
    assert (ran.code, ran.out) == (2, "")
    assert "→ Did you mean label?" in ran.err


def test_a_hostile_name_is_shown_and_not_obeyed(turnwise, store):
    keep(store, HOSTILE, "b", name=f"n{HOSTILE}", chatbot_role=HOSTILE, tags=[HOSTILE], source=HOSTILE)
    for arguments in (["sessions"], ["sessions", "--json"], ["sessions", f"x:{HOSTILE}"]):
        ran = turnwise(*arguments)
        assert not set(ran.out + ran.err) & set("\x1b\x07\u202e")
    assert turnwise("sessions", "--json").row["name"] == f"n{HOSTILE}"


def test_sessions_are_sorted_by_a_column(turnwise, store):
    for name, turns in (("beta", 4), ("alpha", 2)):
        keep(store, *["a word"] * turns, name=name)
    assert [row["name"] for row in turnwise("sessions", "--sort", "name", "--json").rows] == ["alpha", "beta"]
    assert [row["name"] for row in turnwise("sessions", "--sort", "turns", "--json").rows] == [
        "beta",
        "alpha",
    ]
    assert [row["name"] for row in turnwise("sessions", "--sort", "-turns", "--json").rows] == [
        "alpha",
        "beta",
    ]
    wrong = turnwise("sessions", "--sort", "turn")
    assert (wrong.code, "Did you mean turns?" in wrong.err) == (2, True)


def test_a_key_or_value_that_there_is_not_is_told_with_the_nearest(turnwise, store):
    keep(store, metadata={"language": "es"})
    ran = turnwise("sessions", "meta.langauge:es")
    assert (ran.code, ran.out) == (0, "")
    assert ran.err.splitlines() == [
        "None of 1 sessions matches.",
        "There is no meta.langauge. Did you mean meta.language?",
    ]


def test_quotes_that_the_shell_took_away_are_told(turnwise, store):
    session = keep(store)
    store.modes.assign([session], store.modes.add("Asks again", "It does.", author="a"), author="a")
    # What a shell makes of mode:"Asks again".
    ran = turnwise("sessions", "mode:Asks again")
    assert ran.err.splitlines()[1:] == [
        'For “Asks again” write mode:"Asks again".',
        "A shell takes double quotes away: put all of the filter in single ones.",
    ]
    assert len(turnwise("sessions", 'mode:"Asks again"', "--json").rows) == 1
