"""How what was typed becomes sessions and metrics."""

import pytest
from stored import keep

from turnwise.conversations.errors import NotFoundError, SettingError
from turnwise.engine.metrics import ConversationalGEval, GEval
from turnwise.tui.cli.options import chosen_metrics, chosen_sessions


class TestSessions:
    def test_numbers_name_sessions_each_once_in_the_order_given(self, store):
        ids = [keep(store, f"{number}") for number in range(3)]
        assert chosen_sessions(store, [str(ids[2]), str(ids[0]), str(ids[2])]) == [ids[2], ids[0]]

    def test_other_words_are_a_query(self, store):
        bag, refund = keep(store, "my lost bag"), keep(store, "my refund")
        assert chosen_sessions(store, ["lost", "bag"]) == [bag]
        assert chosen_sessions(store, [f"id:{refund}"]) == [refund]
        assert sorted(chosen_sessions(store, [], everything=True)) == [bag, refund]

    @pytest.mark.parametrize(
        ("words", "everything", "kind", "told"),
        [
            ([], False, SettingError, "Say which sessions"),
            (["bag"], True, SettingError, "--all goes without a query"),
            (["99"], False, NotFoundError, "There is no session 99"),
            (["9" * 40], False, NotFoundError, "There is no session 999"),
            (["³"], False, SettingError, "No session matches ³"),
            (["zebra"], False, SettingError, "No session matches zebra"),
            (["lable:pass"], False, SettingError, "Did you mean label?"),
        ],
    )
    def test_what_means_no_session_is_told(self, store, words, everything, kind, told):
        keep(store)
        with pytest.raises(kind) as caught:
            chosen_sessions(store, words, everything=everything)
        assert told in str(caught.value)
        assert caught.value.next_step

    def test_an_empty_library_says_how_to_fill_it(self, store):
        with pytest.raises(SettingError, match="no sessions yet") as caught:
            chosen_sessions(store, [], everything=True)
        assert "turnwise import" in caught.value.next_step


@pytest.fixture
def criteria(tmp_path):
    path = tmp_path / "criteria.yaml"
    path.write_text("- {name: Polite, criteria: c}\n- {name: Right, criteria: c, scope: exchange}\n")
    return path


class TestMetrics:
    def test_names_with_settings_become_metrics(self):
        metrics = chosen_metrics(["role_adherence", "contains:refund", "geval:Is short."], [])
        names = ["role_adherence", "contains:refund", "geval:Is short."]
        assert [metric.name for metric in metrics] == names

    def test_the_same_metric_named_twice_is_one(self):
        names = ["contains:a", "contains:a", "contains:b", "turn-relevancy", "turn_relevancy"]
        assert len(chosen_metrics(names, [])) == 3

    def test_criteria_are_judged_in_the_scope_of_their_file(self, criteria):
        for names in ([], ["conversational_geval"], ["geval", "conversational_geval"]):
            metrics = chosen_metrics(names, [criteria])
            assert [type(metric) for metric in metrics] == [ConversationalGEval, GEval]

    def test_where_geval_alone_is_named_they_are_judged_on_the_last_exchange(self, criteria):
        for name in ("geval", "GEval"):
            assert [type(metric) for metric in chosen_metrics([name], [criteria])] == [GEval, GEval]

    @pytest.mark.parametrize(
        ("names", "told"),
        [
            ([], "--metric NAME"),
            (["geval"], "--criteria FILE"),
            (["conversational_geval"], "--metric 'conversational_geval:The assistant stays polite.'"),
            (["relevancy"], "Did you mean"),
        ],
    )
    def test_what_means_no_metric_is_told(self, names, told):
        with pytest.raises((SettingError, NotFoundError)) as caught:
            chosen_metrics(names, [])
        assert told in caught.value.next_step
