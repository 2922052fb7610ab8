"""The plugins of a pytest that a test runs in a process of its own: those it is about, and no others.

What is installed for our own tests (hypothesis, langsmith) takes two seconds of every start, and so of every
process that shares the tests out.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

_OWN = ("xdist.plugin", "turnwise.engine.scoring.pytest_plugin")


def with_few_plugins() -> Mapping[str, str]:
    """Return the environment in which pytest loads our plugin and xdist, as it would find them by itself."""
    return {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_PLUGINS": ",".join(_OWN)}
