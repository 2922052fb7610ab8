"""JSON correctness: is a reply JSON of the shape that was asked for?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from turnwise.conversations.errors import SettingError
from turnwise.conversations.files import decode_json
from turnwise.conversations.models import shorten
from turnwise.engine.metrics.account import Account
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.deterministic.texts import TextCheck
from turnwise.engine.metrics.metric import Finding
from turnwise.engine.metrics.subject import Subject


@dataclass(kw_only=True, eq=False)
class JsonCorrectnessMetric(TextCheck):
    """Whether the reply is JSON, and of the expected schema where there is one.

    expected_schema: a pydantic model's class, a JSON schema (draft 7) as a dict, or one as text.
    """

    key: ClassVar[str] = "json_correctness"
    positional: ClassVar[tuple[str, ...]] = ("expected_schema", "model", "threshold")
    main_setting: ClassVar[str] = "expected_schema"
    account: ClassVar[Account] = Account(
        formula="1 if the whole reply is JSON that satisfies the schema, else 0",
        source="deepeval's JsonCorrectness",
        empty="an empty reply is skipped; without a schema any JSON is right",
        calls="none",
        range="0 or 1",
    )

    expected_schema: Any = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.expected_schema, str):
            self.expected_schema = _from_text(self.expected_schema)
        if not (
            self.expected_schema is None
            or isinstance(self.expected_schema, dict | bool)
            or hasattr(self.expected_schema, "model_validate_json")
        ):
            raise SettingError(
                "json_correctness: expected_schema is a pydantic model's class or a JSON schema",
                detail=f"Given: {shorten(self.expected_schema)}",
            )

    def _own_name(self) -> str:
        return self.key

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Read the reply as JSON and hold it against the schema."""
        fault = self._fault(subject.value("actual_output"))
        right = "JSON" if self.expected_schema is None else "JSON of the expected schema"
        return self.finding(
            subject, holds=not fault, yes=f"The reply is {right}.", no=f"The reply is not {right}: {fault}."
        )

    def _fault(self, text: str) -> str:
        """Say what is wrong with a reply; empty where nothing is."""
        from turnwise.conversations.templates import strict_json
        from turnwise.engine.checks.json_checks import read_schema

        try:
            data = strict_json(text)
        except ValueError as error:
            return f"it cannot be read as JSON ({error})"
        if self.expected_schema is None:
            return ""
        if isinstance(self.expected_schema, dict | bool):
            return read_schema(self.expected_schema).fault(data)
        return _model_fault(self.expected_schema, text)


def _from_text(text: str) -> Any:
    try:
        return decode_json(text)
    except ValueError as error:
        raise SettingError(
            "json_correctness: the schema cannot be read as JSON", detail=f"{shorten(text)}: {error}"
        ) from None


def _model_fault(model: Any, text: str) -> str:
    from pydantic import ValidationError

    try:
        model.model_validate_json(text)
    except ValidationError as error:
        faults = error.errors(include_url=False, include_input=False)[:5]
        return "; ".join(
            f"{'.'.join(str(part) for part in fault['loc']) or 'it'}: {fault['msg']}" for fault in faults
        )
    return ""
