"""Which conversations are left out for rows that cannot be read."""

from turnwise.conversations.formats.tables.gaps import Gaps


def test_what_a_row_says_of_itself_counts_where_there_is_such_a_conversation() -> None:
    gaps = Gaps()
    for key in ("a", "b"):
        gaps.read(key)
    gaps.unread(3, possible=["a", "what was said"])
    gaps.read("c")
    left_out = gaps.left_out({"a", "b", "c"})
    assert left_out.conversations == {"a"}
    assert left_out.words(3) == '; so conversation "a" is left out, which would lack a turn'


def test_of_rows_that_say_nothing_the_conversations_next_to_them_go() -> None:
    gaps = Gaps()
    gaps.read("a")
    gaps.unread(2)
    gaps.nameless(3)
    gaps.read("b")
    gaps.read("c")
    left_out = gaps.left_out({"a", "b", "c"})
    assert left_out.conversations == {"a", "b"}
    assert 'of those next to it conversations "a" and "b" are left out' in left_out.words(2)
    assert left_out.words(3) == ""


def test_a_conversation_is_named_with_the_first_row_that_spoils_it() -> None:
    gaps = Gaps()
    gaps.read("a")
    gaps.unread(2, sure=["a"])
    gaps.read("a")
    gaps.unread(4, sure=["a"])
    left_out = gaps.left_out({"a"})
    assert left_out.words(2)
    assert left_out.words(4) == ""


def test_a_conversation_of_which_nothing_was_read_takes_no_other_with_it() -> None:
    gaps = Gaps()
    gaps.read("a")
    gaps.unread(2, sure=["z"])
    gaps.read("b")
    assert gaps.left_out({"a", "b"}).conversations == set()


def test_where_all_rows_are_one_conversation_it_goes_with_one_that_cannot_be_read() -> None:
    whole, broken = Gaps(), Gaps()
    whole.nameless(1)
    broken.nameless(1)
    broken.unread(2)
    assert whole.left_out_of_one().conversations == set()
    assert broken.left_out_of_one().words(2) == "; so the conversation is left out, which would lack a turn"
