"""Where real data stands: the folder `shared` beside the checkout."""

from __future__ import annotations

from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
SHARED = REPOSITORY.parent / "shared"
