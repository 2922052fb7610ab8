"""Configs: the settings of an evaluation in groups, as deepeval has them since its version 3."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from enum import Enum
from typing import Any, ClassVar

from turnwise.conversations.errors import SettingError
from turnwise.conversations.models import shorten

SHOWN = ("all", "failing", "passing")
"""Which cases a list of results may hold."""


class TestRunResultDisplay(Enum):
    """Which cases are printed."""

    __test__ = False  # pytest would take a class of this name for a test.

    ALL = "all"
    FAILING = "failing"
    PASSING = "passing"


@dataclass(frozen=True, slots=True)
class AsyncConfig:
    """How much is done at once; see `a_evaluate`."""

    run_async: bool = True
    throttle_value: float = 0
    max_concurrent: int = 100


@dataclass(frozen=True, slots=True)
class DisplayConfig:
    """What is shown; see `a_evaluate`.

    display_option: the cases that are printed, `all`, `failing` or `passing`. truncate_passing_cases and
    inspect_after_run are of deepeval's report and change nothing here. Raises SettingError for the files that
    deepeval writes: runs are kept in the database.
    """

    show_indicator: bool = True
    print_results: bool = True
    verbose_mode: bool | None = None
    display_option: TestRunResultDisplay | str | None = "all"
    results_folder: str | None = None
    results_subfolder: str | None = None
    truncate_passing_cases: bool = True
    inspect_after_run: bool = True
    file_type: str | None = None
    file_output_dir: str | None = None

    FILES: ClassVar[tuple[str, ...]] = ("results_folder", "results_subfolder", "file_type", "file_output_dir")

    def __post_init__(self) -> None:
        for name in self.FILES:
            if getattr(self, name) is not None:
                raise SettingError(
                    f"DisplayConfig: {name} is not for turnwise, which keeps runs in its database",
                    next_step="Leave it out; `turnwise export` writes files of what is kept.",
                )
        if self.shown not in SHOWN:
            raise SettingError(
                f"DisplayConfig: display_option is {', '.join(SHOWN)}",
                detail=f"Given: {shorten(self.display_option)}",
            )

    @property
    def shown(self) -> str:
        """The cases that are printed, in a word."""
        option = self.display_option
        return str(option.value if isinstance(option, Enum) else option or "all")


@dataclass(frozen=True, slots=True)
class CacheConfig:
    """What is kept and what serves again; see `a_evaluate`."""

    write_cache: bool = True
    use_cache: bool = False


@dataclass(frozen=True, slots=True)
class ErrorConfig:
    """What an error means; see `a_evaluate`."""

    ignore_errors: bool = False
    skip_on_missing_params: bool = False


Config = AsyncConfig | DisplayConfig | CacheConfig | ErrorConfig
_NOT_SETTINGS = frozenset(
    {*DisplayConfig.FILES, "display_option", "truncate_passing_cases", "inspect_after_run"}
)


def with_configs(
    given: Mapping[str, Any], usual: Mapping[str, Any], configs: Mapping[str, Config | None]
) -> dict[str, Any]:
    """Return settings with those of configs in their place.

    given: the settings as they were given, by name. usual: what holds where nothing is given. configs: by
    their names. Raises SettingError where a setting is given twice and otherwise, and where a config is of
    another class.
    """
    settings = dict(given)
    for name, config in configs.items():
        if config is None:
            continue
        kind = CONFIGS[name]
        if not isinstance(config, kind):
            raise SettingError(
                f"{name} is a {kind.__name__}",
                detail=f"Given: {shorten(config)}",
                next_step=f"For example: {kind.__name__}({fields(kind)[0].name}=False)",
            )
        for setting, value in asdict(config).items():
            if setting in _NOT_SETTINGS:
                continue
            if settings[setting] not in (usual[setting], value):
                raise SettingError(
                    f"{setting} is given twice, once in {name}",
                    detail=f"{shorten(settings[setting])} and {shorten(value)}",
                )
            settings[setting] = value
    return settings


CONFIGS: Mapping[str, type[Any]] = {
    "async_config": AsyncConfig,
    "display_config": DisplayConfig,
    "cache_config": CacheConfig,
    "error_config": ErrorConfig,
}
