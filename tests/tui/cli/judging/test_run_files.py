"""turnwise run: which files it takes, whose they are, what is asked, and which files they may name."""

from __future__ import annotations

import json

import pytest
import yaml
from node_here import needs_typescript

CASES = "- {id: a, criteria: c, input: hi, assertions: [{type: contains, value: hi}]}\n"


@pytest.fixture
def in_home(monkeypatch, tmp_path):
    """Trust is remembered in a folder of the test's own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


class TestPrompts:
    @pytest.fixture
    def table(self, tmp_path):
        path = tmp_path / "tests.csv"
        path.write_text("q,__expected\nhello,equals: hello world\n")
        return path

    def test_a_table_runs_with_the_prompt_that_is_given(self, turnwise, table):
        ran = turnwise("run", table, "--prompt", "{{q}} world", "--target", "echo", "--json")
        assert (ran.code, ran.row["prompt"], ran.row["outcome"]) == (0, "hello world", "pass")

    def test_without_one_it_is_told_that_nothing_is_asked(self, turnwise, table):
        ran = turnwise("run", table, "--target", "echo", "--json")
        assert (ran.code, ran.row["prompt"]) == (1, "")
        assert "give the prompt with --prompt" in ran.err

    def test_several_are_asked_each_in_the_place_of_the_files_own(self, turnwise, tmp_path):
        path = tmp_path / "c.yaml"
        path.write_text("prompts: [own]\nproviders: [echo]\ntests: [{vars: {q: x}}]\n")
        ran = turnwise("run", path, "--prompt", "one {{q}}", "--prompt", "two {{q}}", "--json")
        assert [row["prompt"] for row in ran.rows] == ["one x", "two x"]

    def test_a_file_may_hold_it_wherever_it_lies(self, turnwise, table, tmp_path, monkeypatch):
        place = tmp_path / "elsewhere"
        place.mkdir()
        (place / "prompt.txt").write_text("{{q}} world")
        monkeypatch.chdir(place)
        for name in ("prompt.txt", "file://prompt.txt", place / "prompt.txt"):
            ran = turnwise("run", table, "--prompt", name, "--target", "echo", "--json")
            assert ran.row["prompt"] == "hello world"

    @pytest.mark.parametrize("name", ["promt.txt", "file://promt.txt", "file://prompts/*.txt"])
    def test_a_file_that_is_not_there_is_no_prompt(self, turnwise, table, name):
        ran = turnwise("run", table, "--prompt", name, "--target", "echo")
        assert (ran.code, ran.out) == (2, "")

    def test_an_eval_file_of_agentv_takes_none(self, turnwise, tmp_path):
        path = tmp_path / "a.yaml"
        path.write_text(f"tests:\n{CASES}")
        ran = turnwise("run", path, "--prompt", "x", "--target", "echo")
        assert (ran.code, "Leave --prompt out" in ran.err) == (2, True)


class TestWhatHoldsNoTest:
    @pytest.mark.parametrize(
        "text", ["prompts: ['{{q}}']\ntests: []\n", "tests: []\n", "providers: [echo]\n"]
    )
    def test_it_is_an_error(self, turnwise, tmp_path, text):
        path = tmp_path / "c.yaml"
        path.write_text(text)
        ran = turnwise("run", path, "--target", "echo")
        assert (ran.code, ran.out) == (2, "")
        assert "expected at least one test; got none" in ran.err

    def test_conversations_are_told_where_they_come_in(self, turnwise, tmp_path):
        path = tmp_path / "chat.json"
        path.write_text('{"messages": [{"role": "user", "content": "hi"}]}')
        ran = turnwise("run", path)
        assert (ran.code, "in by turnwise import" in " ".join(ran.err.split())) == (2, True)

    @pytest.mark.parametrize(
        ("name", "text"), [("t.csv", "q,__expected\n"), ("t.json", "[]"), ("t.yaml", "[]")]
    )
    def test_so_is_a_file_of_none(self, turnwise, tmp_path, name, text):
        (tmp_path / name).write_text(text)
        ran = turnwise("run", tmp_path / name, "--prompt", "x", "--target", "echo")
        assert (ran.code, ran.out) == (2, "")
        assert name in ran.err


class TestWhoseItIs:
    @pytest.mark.parametrize("names", ["file://cases.yaml", "[file://cases.yaml]"])
    @pytest.mark.parametrize(
        ("cases", "prompt"),
        [(CASES, "hi"), ("- {vars: {prompt: hey}, assert: [{type: equals, value: hey}]}", "hey")],
    )
    def test_the_cases_that_it_names_tell(self, turnwise, tmp_path, names, cases, prompt):
        (tmp_path / "suite.yaml").write_text(f"tests: {names}\n")
        (tmp_path / "cases.yaml").write_text(cases)
        ran = turnwise("run", tmp_path / "suite.yaml", "--target", "echo", "--json")
        assert (ran.code, ran.row["output"]) == (0, prompt)

    def test_the_option_says_it_outright(self, turnwise, tmp_path):
        path = tmp_path / "c.yaml"
        path.write_text("tests: [{id: a, criteria: c, input: hi, vars: {prompt: hey}}]\n")
        told = {
            name: turnwise("run", path, "--format", name, "--target", "echo", "--judge", "none", "--json").row
            for name in ("promptfoo", "agentv")
        }
        assert {name: row["output"] for name, row in told.items()} == {"promptfoo": "hey", "agentv": "hi"}


@pytest.mark.usefixtures("in_home")
class TestCode:
    def test_a_function_or_a_sheet_is_named_behind_the_file(self, turnwise, tmp_path):
        path = tmp_path / "gen.py"
        path.write_text("def make(): return [{'vars': {'prompt': 'made'}}]\n")
        refused = turnwise("run", f"{path}:make", "--target", "echo")
        assert (refused.code, "--trust" in refused.err) == (2, True)
        ran = turnwise("run", f"{path}:make", "--target", "echo", "--trust", "--json")
        assert (ran.code, ran.row["output"]) == (0, "made")
        assert turnwise("run", f"{path}:none", "--target", "echo", "--trust").code == 2

    @needs_typescript
    def test_typescript_makes_tests_and_prompts_and_checks(self, turnwise, tmp_path):
        (tmp_path / "tests.ts").write_text(
            "import type { TestCase } from 'promptfoo';\n"
            "export default async function (): Promise<TestCase[]> {\n"
            "  return [1, 2].map((n: number) => ({ vars: { n } }));\n}\n"
        )
        (tmp_path / "ask.ts").write_text("export default ({ vars }: { vars: any }) => `Say ${vars.n}`;")
        (tmp_path / "check.ts").write_text("export default (output: string) => output.startsWith('Say');")
        config = {
            "prompts": ["file://ask.ts"],
            "providers": ["echo"],
            "defaultTest": {"assert": [{"type": "javascript", "value": "file://check.ts"}]},
            "tests": "file://tests.ts",
        }
        (tmp_path / "c.json").write_text(json.dumps(config))
        ran = turnwise("run", tmp_path / "c.json", "--trust", "--json")
        assert [(row["output"], row["outcome"]) for row in ran.rows] == [("Say 1", "pass"), ("Say 2", "pass")]
        alone = turnwise(
            "run", tmp_path / "tests.ts", "--prompt", "{{n}}", "--target", "echo", "--trust", "--json"
        )
        assert [row["output"] for row in alone.rows] == ["1", "2"]

    def test_where_nothing_runs_typescript_what_to_install_is_told(self, turnwise, tmp_path, monkeypatch):
        monkeypatch.setenv("PATH", str(tmp_path / "nowhere"))
        (tmp_path / "tests.ts").write_text("export default () => [];")
        ran = turnwise("run", tmp_path / "tests.ts", "--prompt", "x", "--target", "echo", "--trust")
        assert (ran.code, "Install node 22.18 or newer" in ran.err) == (2, True)

    def test_a_file_that_is_not_there_is_told(self, turnwise, tmp_path):
        ran = turnwise("run", tmp_path / "none.py:make")
        assert (ran.code, "There is no file" in ran.err) == (2, True)


class TestTheBorder:
    """Which files a file may name does not depend on where one stands."""

    @pytest.fixture
    def project(self, tmp_path):
        folder = tmp_path / "project"
        (folder / "evals").mkdir(parents=True)
        (folder / "rules.md").write_text("the rules")
        (tmp_path / "secret.md").write_text("SECRET")
        return folder

    def promptfoo(self, project, name):
        path = project / "evals" / "p.yaml"
        test = {"vars": {"q": f"file://{name}"}, "assert": [{"type": "contains", "value": "rules"}]}
        path.write_text(json.dumps({"prompts": ["{{q}}"], "providers": ["echo"], "tests": [test]}))
        return path

    def agentv(self, project, name):
        path = project / "evals" / "a.yaml"
        parts = [{"type": "file", "value": name}, {"type": "text", "value": "Look"}]
        case = {
            "id": "a",
            "expected_outcome": "o",
            "input": [{"role": "user", "content": parts}],
            "execution": {"evaluators": [{"name": "c", "type": "contains", "value": "rules"}]},
        }
        path.write_text(yaml.safe_dump({"evalcases": [case]}))
        return path

    @pytest.mark.parametrize("tool", ["promptfoo", "agentv"])
    def test_it_is_the_repository_from_every_folder(self, turnwise, project, monkeypatch, tool):
        (project / ".git").mkdir()
        path = getattr(self, tool)(project, "../rules.md")
        for place in (project, project / "evals", project.parent):
            monkeypatch.chdir(place)
            named = path.relative_to(place)
            ran = turnwise("run", named, "--target", "echo", "--json")
            assert (ran.code, ran.row["outcome"]) == (0, "pass"), place

    @pytest.mark.parametrize("tool", ["promptfoo", "agentv"])
    def test_outside_of_any_it_is_the_files_own_folder_from_every_folder(
        self, turnwise, project, monkeypatch, tool
    ):
        path = getattr(self, tool)(project, "../rules.md")
        for place in (project, project / "evals"):
            monkeypatch.chdir(place)
            ran = turnwise("run", path.relative_to(place), "--target", "echo", "--json")
            assert ran.code != 0, place
            assert "rules" not in [row["output"] for row in ran.rows]

    @pytest.mark.parametrize("tool", ["promptfoo", "agentv"])
    def test_nothing_beyond_the_repository_is_read(self, turnwise, project, monkeypatch, tool):
        (project / ".git").mkdir()
        monkeypatch.chdir(project.parent)
        ran = turnwise("run", getattr(self, tool)(project, "../../secret.md"), "--target", "echo", "--json")
        assert ran.code != 0
        assert "SECRET" not in ran.out

    @pytest.mark.parametrize("tool", ["promptfoo", "agentv"])
    def test_a_folder_that_is_named_is_the_border(self, turnwise, project, tool):
        path = getattr(self, tool)(project, "../rules.md")
        ran = turnwise("run", path, "--root", project, "--target", "echo", "--json")
        assert (ran.code, ran.row["outcome"]) == (0, "pass")

    def test_a_folder_that_does_not_hold_the_file_is_wrong_use(self, turnwise, project, tmp_path):
        (tmp_path / "other").mkdir()
        path = self.promptfoo(project, "../rules.md")
        ran = turnwise("run", path, "--root", tmp_path / "other")
        assert (ran.code, "Name a folder above it" in ran.err) == (2, True)
