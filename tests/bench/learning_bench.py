"""How well a signal learned from the rewards of tau-bench foretells tasks that it had not seen.

    python tests/bench/learning_bench.py PATH/TO/tau-bench/*.json [--json]

The files are trajectories of tau-bench (Yao et al. 2024, https://arxiv.org/abs/2406.12045), each with a
reward of 0 or 1 and a task. Cross-validated by task, nested, with several divisions into folds; the interval
is a bootstrap over tasks. Beside it: single features as they are, and what labels given by chance teach.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from turnwise.conversations.formats import Loaded, load
from turnwise.engine.learning.features import features_of
from turnwise.engine.learning.fitting import LabelledExample, cross_validate, fit
from turnwise.engine.metrics.deterministic.shapes import SHAPES
from turnwise.engine.metrics.subject import Subject
from turnwise.engine.people.statistics.ranks import area_under_curve


def examples_in(path: Path) -> list[LabelledExample]:
    """Read the rewarded trajectories of a file."""
    cases = [record.case for record in load(path) if isinstance(record, Loaded)]
    return [
        LabelledExample(
            session=place,
            features=features_of(Subject.of(case)),
            passed=(case.metadata or {})["reward"] == 1,
            group=f"{path.name} {(case.metadata or {})['task_id']}",
        )
        for place, case in enumerate(cases)
    ]


def by_chance(examples: Sequence[LabelledExample], seed: int) -> list[LabelledExample]:
    """Return the examples with their labels dealt out anew."""
    labels = [one.passed for one in examples]
    random.Random(seed).shuffle(labels)
    return [replace(one, passed=passed) for one, passed in zip(examples, labels, strict=True)]


def figures(examples: Sequence[LabelledExample]) -> dict[str, Any]:
    """Measure the learned signal, its features alone, and labels by chance."""
    passed = [one.passed for one in examples]
    alone = {
        name: area_under_curve([one.features[name] for one in examples], passed)
        for name in SHAPES
        if all(name in one.features for one in examples)
    }
    fitted = fit(examples)
    measured = cross_validate(examples)
    return {
        "learned": measured.model_dump(mode="json"),
        "families": fitted.families,
        "rests_on": {one.feature: round(one.weight, 3) for one in fitted.weights},
        "single_features": {name: round(max(value, 1 - value), 3) for name, value in alone.items()},
        "labels_by_chance": [round(cross_validate(by_chance(examples, seed)).auc, 3) for seed in range(3)],
    }


def main() -> None:
    """Read the files, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    found = figures([one for path in options.files for one in examples_in(path)])
    if options.json:
        print(json.dumps(found, indent=2))
        return
    learned = found["learned"]
    print(
        f"learned, {learned['sessions']} conversations, {learned['groups']} tasks not seen: AUC "
        f"{learned['auc']:.2f} ({learned['low']:.2f} to {learned['high']:.2f}), Brier {learned['brier']:.3f} "
        f"against {learned['brier_of_rate']:.3f}"
    )
    best = sorted(found["single_features"].items(), key=lambda one: -one[1])[:5]
    print("best single features:", ", ".join(f"{name} {value:.2f}" for name, value in best))
    print("labels by chance:", ", ".join(f"{value:.2f}" for value in found["labels_by_chance"]))


if __name__ == "__main__":
    main()
