"""turnwise doctor: what is found, and nothing that is nobody's business."""

from stored import keep


def test_every_finding_is_an_object_with_a_state(turnwise, store):
    keep(store)
    ran = turnwise("doctor", "--json")
    rows = {row["what"]: row for row in ran.rows}
    assert {row["state"] for row in ran.rows} <= {"ok", "missing", "broken"}
    assert rows["turnwise"]["state"] == "ok"
    assert "1 sessions, 0 runs" in rows["database"]["detail"]
    assert rows["local servers"]["state"] == "missing"
    assert rows["OPENAI_API_KEY"] == {"what": "OPENAI_API_KEY", "state": "missing", "detail": "not set"}


def test_a_key_is_never_shown(turnwise, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-very-secret")
    ran = turnwise("doctor")
    assert "very-secret" not in ran.out + ran.err
    assert "✓  OPENAI_API_KEY" in ran.out
    assert "✓  ANTHROPIC_API_KEY" in ran.out


def test_an_extra_that_a_key_needs_is_named(turnwise, monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-very-secret")
    monkeypatch.setattr("turnwise.engine.models.providers.find_spec", lambda name: None)
    assert "pip install 'turnwise[anthropic]'" in turnwise("doctor").out


def test_a_database_that_is_not_there_is_not_made(turnwise, tmp_path):
    ran = turnwise("doctor", "--json")
    assert {row["what"]: row["state"] for row in ran.rows}["database"] == "missing"
    assert not (tmp_path / "turnwise.db").exists()


def test_something_broken_exits_with_1(turnwise, tmp_path):
    (tmp_path / "turnwise.db").write_text("Dear Sir or Madam, this is a letter.")
    ran = turnwise("doctor")
    assert ran.code == 1
    assert "✗  database" in ran.out
