"""What tests of the store share: here databases are made as users make them."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def new_databases() -> None:
    """No database is the copy of another."""
