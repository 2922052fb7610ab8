"""Labels: a changed mind is a new row."""

from stored import keep
from turnwise.conversations.store.rows import LabelRow


def test_all_labels_of_a_session_are_kept_oldest_first(store):
    session = keep(store)
    first = store.labels.add(session, "fail", author="ada", blind=True, turn=2, note="rude")
    second = store.labels.add(session, None, author="ada", blind=False)
    rows = store.labels.of(session)
    assert rows == [
        LabelRow(first, session, "fail", 2, "rude", "ada", True, rows[0].created_at),
        LabelRow(second, session, None, None, "", "ada", False, rows[1].created_at),
    ]
    assert rows[0].created_at <= rows[1].created_at
    assert store.labels.of(session + 1) == []
