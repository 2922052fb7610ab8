"""The catalogue: the one list of metrics, from which the package and its stub take their names."""

import ast
from pathlib import Path

import turnwise.engine.metrics as package
from turnwise.engine.metrics.catalogue import METRICS, public_names
from turnwise.engine.metrics.registry import metric_class

STUB = Path(package.__file__).with_suffix(".pyi")


def test_the_package_offers_the_class_of_every_metric():
    assert list(public_names()) == package.__all__
    for key in METRICS:
        kind = metric_class(key)
        assert getattr(package, kind.__name__) is kind
        assert public_names()[kind.__name__] == kind.__module__.removeprefix("turnwise.engine.metrics.")


def test_the_stub_tells_type_checkers_the_same_names_from_the_same_modules():
    imports = [node for node in ast.parse(STUB.read_text()).body if isinstance(node, ast.ImportFrom)]
    told = {
        alias.name: (node.module or "").removeprefix("turnwise.engine.metrics.")
        for node in imports
        for alias in node.names
    }
    assert dict(sorted(told.items())) == public_names(), "run python docs/generate.py"
