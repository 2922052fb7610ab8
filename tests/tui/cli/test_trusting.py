"""turnwise run --trust: what runs by the user's word, how long the word holds, and what is said about it."""

import json

import pytest

BOT = (
    "def reply(prompt): return prompt.upper()\ndef call_api(p, o, c): return {'output': p + '!', 'cost': 0.5}"
)


@pytest.fixture(autouse=True)
def a_key_of_their_own(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@pytest.fixture
def suite(tmp_path):
    """A suite whose check is a script, and its path."""
    (tmp_path / "grade.py").write_text("def get_assert(output, context): return 'yes' in output")
    path = tmp_path / "suite.json"
    test = {"vars": {"q": "yes"}, "assert": [{"type": "python", "value": "file://grade.py"}]}
    path.write_text(json.dumps({"prompts": ["{{q}}"], "providers": ["echo"], "tests": [test]}))
    return path


def test_without_it_code_is_named_and_not_run(turnwise, suite):
    ran = turnwise("run", suite, "--json")
    assert ran.code == 1
    assert (ran.row["outcome"], ran.row["checks"][0]["passed"]) == ("skipped", False)
    assert "grade.py (Python) is code" in ran.row["checks"][0]["reason"]
    assert "not run without --trust" in ran.row["checks"][0]["reason"]


def test_the_word_holds_for_the_same_code_and_that_is_said(turnwise, suite):
    first = turnwise("run", suite, "--trust", "--json")
    assert (first.code, first.row["outcome"]) == (0, "pass")
    assert "trusted before" not in first.err
    again = turnwise("run", suite, "--json")
    assert (again.code, again.row["outcome"]) == (0, "pass")
    assert (
        again.err.splitlines()[0] == "suite.json was trusted before: its code runs where it has not changed."
    )


def test_a_script_that_has_changed_asks_again(turnwise, suite):
    turnwise("run", suite, "--trust")
    grade = suite.with_name("grade.py")
    grade.write_text(grade.read_text() + "\n# changed")
    ran = turnwise("run", suite, "--json")
    assert (ran.code, ran.row["outcome"]) == (1, "skipped")
    assert "grade.py (Python) has changed since it was trusted" in ran.row["checks"][0]["reason"]


def test_tests_that_code_makes_are_an_error_that_says_how(turnwise, tmp_path):
    (tmp_path / "gen.py").write_text("def generate_tests(): return [{'vars': {'q': 'a'}}]")
    path = tmp_path / "suite.json"
    path.write_text(json.dumps({"prompts": ["{{q}}"], "providers": ["echo"], "tests": "file://gen.py"}))
    ran = turnwise("run", path)
    assert ran.code == 2
    assert "suite.json needs code to run" in ran.err
    assert "gen.py (Python) is code" in ran.err
    assert "--trust" in ran.err
    assert turnwise("run", path, "--trust", "--json").row["output"] == "a"


@pytest.mark.parametrize(
    ("function", "output"), [("", "yes!"), (":reply", "YES"), (":call_api", "yes!"), (":none", None)]
)
def test_a_python_file_answers_by_the_word_of_the_command_line(turnwise, suite, tmp_path, function, output):
    (tmp_path / "bot.py").write_text(BOT)
    ran = turnwise("run", suite, "--target", f"python:{tmp_path / 'bot.py'}{function}", "--json")
    assert ran.row["output"] == output
    assert ran.row["outcome"] == ("skipped" if output else "failure")


def test_a_python_file_that_is_not_there_is_wrong_use(turnwise, suite):
    ran = turnwise("run", suite, "--target", "python:none.py")
    assert ran.code == 2
    assert "There is no Python file none.py" in ran.err


def test_help_says_what_trust_is(turnwise):
    told = turnwise("run", "--help").out
    assert "--trust" in told
    assert "a script that has changed asks again" in " ".join(told.split())
