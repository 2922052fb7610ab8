"""Files of tests are told from files of conversations, and AgentV's from promptfoo's."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shared_data import SHARED

from turnwise.conversations.errors import FormatError
from turnwise.conversations.formats.registry import load
from turnwise.conversations.formats.suite_files import looks_like_agentv, tool_of

LINE = '{"id": "a", "expected_outcome": "o", "input": "x", "expected_output": "y"}\n'
AGENTV = {
    "brief.yaml": "evalcases:\n  - id: a\n    expected_outcome: o\n    input: x\n",
    "later.yaml": "description: d\ntests:\n- id: a\n  criteria: c\n  input: x\n",
    "cases.yaml": "cases:\n  - id: a\n    outcome: o\n    input: x\n",
    "named.yaml": "tests: ./cases.yaml\n",
    "files.yaml": "name: d\ntests:\n  - file://a.yaml\n",
    "list.yaml": "- id: a\n  criteria: c\n  input: x\n",
    "newer_alone.yaml": "default_test: {}\ntests:\n  - vars: {input: x}\n",
    "flow.yaml": "{tests: [{id: a, criteria: c, input: x}]}",
    "whole.json": '{"tests": [{"id": "a", "criteria": "c", "input": "x"}]}',
    "lines.jsonl": LINE * 2,
    "newer.yaml": "prompts: ['{{ input }}']\ntarget: t\ntests:\n  - vars: {input: x}\n",
    "newer_tests.yaml": "prompts:\n  - '{{ x }}'\ntests:\n  - id: a\n    assert: [kind]\n    vars: {x: x}\n",
    "skills.json": '{"skill_name": "s", "evals": [{"id": 1, "prompt": "x"}]}',
    "a.eval.ts": "export default {}",
}
OTHERS = {
    "promptfoo.yaml": "prompts: [hi]\nproviders: [echo]\ntests:\n  - vars: {input: x}\n    assert: []\n",
    "promptfoo.json": '{"prompts": ["hi"], "tests": [{"vars": {"a": 1}}]}',
    "only.yaml": "tests:\n  - vars:\n      input: ''\n    assert:\n      - type: latency\n",
    "table.yaml": "tests: file://tests.csv\n",
    "script.yaml": "tests:\n  - vars: {a: 1}\n  - file://cases.yaml\n  - file://more.js\n",
    "function.yaml": "tests: file://gen.py:create\n",
    "made.yaml": "tests:\n  - path: file://gen.py:create\n    config: {input: x}\n",
    "far.yaml": "tests: huggingface://datasets/a/b\n",
    "files.yaml": "tests:\n  - file://a.yaml\n  - file://more/*.yaml\n",
    "default.yaml": "defaultTest: {}\nproviders: [echo]\n",
    "tests.json": '[{"vars": {"input": "x"}, "assert": []}]',
    "tests.jsonl": '{"vars": {"input": "x"}, "assert": []}\n' * 2,
    "tests.yaml": "- vars: {input: x}\n",
    "list.json": '[{"id": "a", "input": "x", "criteria": "c"}]',
    "goldens.jsonl": '{"input": "x", "expected_output": "y"}\n',
    "answers.jsonl": '{"id": "a", "input": "x", "actual_output": "y", "criteria": "c"}\n',
    "chat.jsonl": '{"messages": [{"role": "user", "content": "x"}]}\n',
    "chat.json": '{"messages": [{"role": "user", "content": "tests: x"}]}',
    "chat.md": "tests: hello\ninput: x\n",
    "chat.txt": "evalcases: hello\n",
    "targets.yaml": "targets:\n  - name: a\n",
    "empty.yaml": "",
}


@pytest.mark.parametrize("name", AGENTV)
def test_agentvs_files_are_told(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(AGENTV[name])
    assert looks_like_agentv(tmp_path / name)


@pytest.mark.parametrize("name", OTHERS)
def test_other_files_are_not_agentvs(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(OTHERS[name])
    assert not looks_like_agentv(tmp_path / name)


@pytest.mark.parametrize("names", ["file://more.yaml", "more.yaml", "[file://none.yaml, 'file://m*.yaml']"])
@pytest.mark.parametrize(
    ("cases", "agentv"),
    [
        ("- {id: a, criteria: c, input: x}\n", True),
        ("- vars: {input: x}\n", False),
        ("vars: {q: x}\n", False),
    ],
)
def test_the_files_that_one_names_for_its_cases_tell(
    tmp_path: Path, names: str, cases: str, *, agentv: bool
) -> None:
    (tmp_path / "suite.yaml").write_text(f"description: d\ntests: {names}\n")
    (tmp_path / "more.yaml").write_text(cases)
    assert looks_like_agentv(tmp_path / "suite.yaml") is agentv


@pytest.mark.parametrize(("case", "agentv"), [("vars: {input: x}", False), ("{criteria: c, input: x}", True)])
def test_of_a_large_file_the_beginning_tells(tmp_path: Path, case: str, *, agentv: bool) -> None:
    path = tmp_path / "large.yaml"
    path.write_text("description: d\ntests:\n" + f"  - {case}\n" * 20_000)
    assert path.stat().st_size > 256_000
    assert looks_like_agentv(path) is agentv


def test_a_file_that_cannot_be_read_is_not_agentvs(tmp_path: Path) -> None:
    assert not looks_like_agentv(tmp_path)
    assert not looks_like_agentv(tmp_path / "none.yaml")
    (tmp_path / "bytes.yaml").write_bytes(b"\xff\xfe\x00")
    assert not looks_like_agentv(tmp_path / "bytes.yaml")


@given(
    text=st.text() | st.text("{}[]:-, \n\"'testsprompid"),
    suffix=st.sampled_from(["", ".yaml", ".json", ".jsonl"]),
)
def test_no_text_makes_telling_fail(text: str, suffix: str) -> None:
    assert tool_of(text, suffix, whole=True) in (None, "AgentV", "promptfoo")


class TestImporting:
    @pytest.mark.parametrize("name", ["brief.yaml", "lines.jsonl", "whole.json"])
    def test_tests_are_no_conversations_and_can_be_run(self, tmp_path: Path, name: str) -> None:
        (tmp_path / name).write_text(AGENTV[name])
        with pytest.raises(FormatError, match="holds tests, not conversations") as caught:
            load(tmp_path / name)
        assert "AgentV" in caught.value.detail
        assert "turnwise run" in caught.value.next_step

    def test_nor_are_promptfoos(self, tmp_path: Path) -> None:
        (tmp_path / "p.yaml").write_text(OTHERS["promptfoo.yaml"])
        with pytest.raises(FormatError, match="holds tests") as caught:
            load(tmp_path / "p.yaml")
        assert "promptfoo" in caught.value.detail

    def test_nor_is_a_stream_of_them(self) -> None:
        with pytest.raises(FormatError, match="holds tests"):
            load(io.BytesIO(LINE.encode() * 2))

    def test_who_names_a_format_gets_it(self, tmp_path: Path) -> None:
        (tmp_path / "lines.jsonl").write_text(LINE)
        assert len(list(load(tmp_path / "lines.jsonl", format="deepeval"))) == 1


@pytest.mark.fixtures
@pytest.mark.skipif(not SHARED.is_dir(), reason="the folder ../shared is not here")
def test_real_files_of_one_tool_are_never_taken_for_the_others() -> None:
    suffixes = (".yaml", ".yml", ".json", ".jsonl")
    promptfoo = [path for path in (SHARED / "fixtures" / "promptfoo").rglob("*") if path.suffix in suffixes]
    assert not [path for path in promptfoo if looks_like_agentv(path)]
    agentv = list((SHARED / "fixtures" / "agentv").rglob("*.eval.yaml"))
    assert len(agentv) > 30
    assert all(map(looks_like_agentv, agentv))
