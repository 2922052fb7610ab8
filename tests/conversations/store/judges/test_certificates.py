"""Certificates of judges: the newest of each stands, and another model that answers since is told."""

from turnwise.conversations.store import Store
from turnwise.engine.judge.calls import JudgeCall
from turnwise.engine.judge.evidence import StoredCallBook


def answered(store: Store, model: str, number: int) -> None:
    book = StoredCallBook(store)
    book.add(JudgeCall(key=f"k{number}", judge="f", model=model, request={}, reply="{}", created_at=1.0))
    book.write()


def test_the_newest_of_a_judge_stands(store):
    for moment, named in ((1.0, ["likes length"]), (2.0, [])):
        store.certificates.add(judge="m", fingerprint="f", made_at=moment, data={"named": named})
    store.certificates.add(judge="n", fingerprint="g", made_at=3.0, data={})
    assert [(kept.judge, kept.made_at) for kept in store.certificates.standing()] == [("n", 3.0), ("m", 2.0)]


def test_another_model_that_answers_since_is_told(store):
    store.certificates.add(judge="m", fingerprint="f", made_at=1.0, data={"answered_as": ["m-1"]})
    answered(store, "m-1", 1)
    assert [kept.other_model for kept in store.certificates.standing()] == [""]
    answered(store, "m-2", 2)
    assert [kept.other_model for kept in store.certificates.standing()] == ["m-2"]
