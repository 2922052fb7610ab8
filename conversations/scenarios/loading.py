"""Loading scenarios: which tool a file is of, and what it holds, whole or not at all."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from turnwise.conversations.errors import FormatError, NotFoundError
from turnwise.conversations.files import load_yaml
from turnwise.conversations.formats.agentv import looks_like_agentv
from turnwise.conversations.scenarios.other_scenarios import (
    conversations_as_scenarios,
    goldens_as_scenarios,
    is_simulated_users,
    simulated_users_as_scenarios,
)
from turnwise.conversations.scenarios.own_scenarios import is_own, own_scenarios
from turnwise.conversations.scenarios.problems import Problems
from turnwise.conversations.scenarios.scenario import Scenario

_YAML = (".yaml", ".yml")
_GOLDENS = (".json", ".jsonl", ".csv")


@dataclass(frozen=True, slots=True)
class LoadedScenarios:
    """What a file holds. remarks: what of it counts for nothing here, in words."""

    scenarios: tuple[Scenario, ...]
    remarks: tuple[str, ...] = ()


def load_scenarios(path: Path) -> LoadedScenarios:
    """Read a file of scenarios: our YAML, or a file of deepeval, AgentV or promptfoo.

    Raises NotFoundError where there is no file, and FormatError that names every word which means nothing.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise NotFoundError(f"There is no file {path}", next_step="Check the path.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise FormatError(f"{path.name} cannot be read", detail=str(error)) from None
    suffix = path.suffix.lower()
    if suffix in _YAML:
        try:
            document = load_yaml(text)
        except ValueError as error:
            raise FormatError(f"{path.name} cannot be read", detail=f"{path.name}: {error}") from None
        if is_own(document):
            return _loaded(path, own_scenarios(document, Problems(path.name, text)))
        if is_simulated_users(document):
            return _loaded(path, *simulated_users_as_scenarios(document, Problems(path.name, text)))
    if looks_like_agentv(path):
        return _loaded(path, *conversations_as_scenarios(path))
    if suffix in _GOLDENS:
        return _loaded(path, goldens_as_scenarios(path, text))
    raise FormatError(
        f"{path.name} holds no scenarios",
        detail="Expected our YAML (scenarios: [...]), deepeval's conversational goldens, AgentV's "
        "conversations, or tests with promptfoo's simulated user.",
        next_step="docs/how-to/simulate.md shows each.",
    )


def _loaded(path: Path, scenarios: list[Scenario], remarks: tuple[str, ...] = ()) -> LoadedScenarios:
    if not scenarios:
        raise FormatError(f"{path.name} holds no conversation to play", detail="\n".join(remarks))
    return LoadedScenarios(tuple(scenarios), remarks)
