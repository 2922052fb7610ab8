"""EvaluationDataset: goldens and the test cases that are made of them, as deepeval has it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from turnwise.conversations.cases import ConversationalTestCase, LLMTestCase
from turnwise.conversations.errors import CaseError, SettingError
from turnwise.conversations.goldens import AnyGolden, ConversationalGolden, Golden
from turnwise.conversations.images import MLLMTestCase
from turnwise.conversations.models import shorten

if TYPE_CHECKING:
    from turnwise.engine.metrics.own_metric import AnyMetric
    from turnwise.engine.scoring.evaluation_results import Case, EvaluationResult

_KINDS = ("json", "csv", "jsonl")
_NAMES = ("_col_name", "_key_name")
_MARK = "_col_delimiter"


class EvaluationDataset:
    """Goldens, and test cases made of them; either of single exchanges or of conversations.

    result: what the last evaluation of the data set found; None before the first.
    """

    def __init__(self, goldens: Sequence[AnyGolden] = (), test_cases: Sequence[Case] = ()) -> None:
        self.goldens: list[Any] = []
        self.test_cases: list[Any] = []
        self.result: EvaluationResult | None = None
        for golden in goldens:
            self.add_golden(golden)
        for case in test_cases:
            self.add_test_case(case)

    def __repr__(self) -> str:
        return f"EvaluationDataset({len(self.goldens)} goldens, {len(self.test_cases)} test cases)"

    def __iter__(self) -> Iterator[Any]:
        """Iterate over the test cases; while there are none, over the goldens."""
        return iter(self.test_cases or self.goldens)

    def __len__(self) -> int:
        return len(self.test_cases or self.goldens)

    def add_golden(self, golden: AnyGolden) -> None:
        """Add a golden. Raises CaseError for what is none, or is of another kind than the others."""
        if not isinstance(golden, Golden | ConversationalGolden):
            raise CaseError(
                "A golden is a Golden or a ConversationalGolden", detail=f"Given: {shorten(golden)}"
            )
        self._check_kind(golden)
        self.goldens.append(golden)

    def add_test_case(self, test_case: Case) -> None:
        """Add a test case. Raises CaseError for what is none, or is of another kind than the others."""
        if not isinstance(test_case, LLMTestCase | ConversationalTestCase | MLLMTestCase):
            raise CaseError(
                "A test case is an LLMTestCase, a ConversationalTestCase or an MLLMTestCase",
                detail=f"Given: {shorten(test_case)}",
            )
        self._check_kind(test_case)
        self.test_cases.append(test_case)

    def _check_kind(self, added: Any) -> None:
        whole = (ConversationalGolden, ConversationalTestCase)
        other = next((one for one in (*self.goldens, *self.test_cases)), added)
        if isinstance(added, whole) is not isinstance(other, whole):
            raise CaseError(
                "A data set holds single exchanges or conversations, and not both",
                detail=f"It holds {type(other).__name__}; added: {type(added).__name__}",
                next_step="Make a data set of its own for each.",
            )

    def add_goldens_from_json_file(self, file_path: str | Path, **named: str) -> None:
        """Add the goldens of a JSON file; see `add_goldens_from`."""
        self.add_goldens_from(file_path, **named)

    def add_goldens_from_jsonl_file(self, file_path: str | Path, **named: str) -> None:
        """Add the goldens of a file of JSON Lines; see `add_goldens_from`."""
        self.add_goldens_from(file_path, **named)

    def add_goldens_from_csv_file(self, file_path: str | Path, **named: str) -> None:
        """Add the goldens of a CSV file; see `add_goldens_from`."""
        self.add_goldens_from(file_path, **named)

    def add_test_cases_from_json_file(self, file_path: str | Path, **named: str) -> None:
        """Add the test cases of a JSON file; see `add_goldens_from`."""
        self._add_cases(file_path, named)

    def add_test_cases_from_csv_file(self, file_path: str | Path, **named: str) -> None:
        """Add the test cases of a CSV file; see `add_goldens_from`."""
        self._add_cases(file_path, named)

    def add_goldens_from(self, file_path: str | Path, **named: str) -> None:
        """Add the goldens of a file of JSON, JSON Lines or CSV, told by the end of its name.

        named: what the file calls fields, as in input_col_name="question" or name_key_name="id", and what
        parts the texts of a cell, as in context_col_delimiter=";". Raises FormatError where a record cannot
        be read; nothing is added then.
        """
        for golden in _read(file_path, named):
            self.add_golden(golden)

    def _add_cases(self, file_path: str | Path, named: dict[str, str]) -> None:
        for golden in _read(file_path, named):
            self.add_test_case(golden.case())

    def save_as(
        self,
        file_type: str,
        directory: str | Path,
        file_name: str | None = None,
        include_test_cases: bool = False,
    ) -> str:
        """Write the goldens to a file in a folder, and return its path.

        file_type: json, jsonl or csv. file_name: without its end; by default the time. include_test_cases:
        write the test cases as goldens beside them.
        """
        from turnwise.conversations.formats.deepeval import write_goldens

        if file_type not in _KINDS:
            raise SettingError(f"file_type is {', '.join(_KINDS)}", detail=f"Given: {shorten(file_type)}")
        goldens = [*self.goldens, *(map(_golden_of, self.test_cases) if include_test_cases else ())]
        if not goldens:
            raise CaseError("There is no golden to save", next_step="Add one, or include_test_cases=True.")
        path = Path(directory, f"{file_name or time.strftime('%Y%m%d_%H%M%S')}.{file_type}")
        write_goldens(goldens, path)
        return str(path)

    def cases_to_judge(self) -> list[Case]:
        """Return the test cases; while there are none, those of goldens that hold their answers.

        Raises CaseError where neither is there.
        """
        if self.test_cases:
            return list(self.test_cases)
        answered = [golden.case() for golden in self.goldens if _is_answered(golden)]
        if answered and len(answered) == len(self.goldens):
            return answered
        raise CaseError(
            "The data set holds no test case",
            detail=f"{len(self.goldens)} goldens, {len(answered)} of them with an answer",
            next_step="Ask your chatbot about each golden, and add_test_case(LLMTestCase(input=golden.input, "
            "actual_output=...)).",
        )

    def evaluate(self, metrics: Sequence[AnyMetric], **settings: Any) -> EvaluationResult:
        """Judge the test cases by metrics; settings as of `turnwise.evaluate`."""
        from turnwise.engine.scoring.evaluation import evaluate

        self.result = evaluate(self.cases_to_judge(), metrics, **settings)
        return self.result

    def evals_iterator(self, metrics: Sequence[AnyMetric] | None = None, **settings: Any) -> Iterator[Any]:
        """Yield each golden, and judge at the end the test cases that were added meanwhile.

        metrics, settings: as of `turnwise.evaluate`; without metrics nothing is judged. Raises CaseError
        where there is no golden, or no case was added and the goldens hold no answers.
        """
        if not self.goldens:
            raise CaseError("The data set holds no golden to go through")
        before = len(self.test_cases)
        yield from list(self.goldens)
        if metrics:
            from turnwise.engine.scoring.evaluation import evaluate

            added = self.test_cases[before:]
            self.result = evaluate(added or self.cases_to_judge(), metrics, **settings)


def _is_answered(golden: AnyGolden) -> bool:
    return (
        bool(golden.turns) if isinstance(golden, ConversationalGolden) else golden.actual_output is not None
    )


def _golden_of(case: Any) -> AnyGolden:
    make: Callable[[Any], AnyGolden] = (
        ConversationalGolden.of if isinstance(case, ConversationalTestCase) else Golden.of
    )
    return make(case)


def _read(file_path: str | Path, named: dict[str, str]) -> list[AnyGolden]:
    """Return the goldens of a file. Raises SettingError for arguments that mean nothing."""
    from turnwise.conversations.formats.deepeval import read_goldens

    names: dict[str, str] = {}
    marks: dict[str, str] = {}
    for argument, value in named.items():
        field = next((argument.removesuffix(end) for end in _NAMES if argument.endswith(end)), None)
        if field is not None:
            names[value] = field
        elif argument.endswith(_MARK):
            marks[argument.removesuffix(_MARK)] = value
        else:
            raise SettingError(
                f"There is no argument {argument}",
                next_step='Name a column as in input_col_name="question", a mark as in '
                'context_col_delimiter=";".',
            )
    return read_goldens(Path(file_path), names, marks)
