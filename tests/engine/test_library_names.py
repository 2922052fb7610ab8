"""What `import turnwise` offers: the common names, each loaded when it is asked for."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import version

import pytest

import turnwise
from turnwise.engine.library_names import public_names


@pytest.mark.parametrize("name", public_names())
def test_every_name_is_there(name):
    home, _, own = public_names()[name].partition(":")
    found = getattr(turnwise, name)
    if own != "Outcome":
        assert found.__module__.endswith(home) or found.__name__ == own


def test_the_version_is_the_installed_one():
    assert turnwise.__version__ == version("turnwise")


def test_a_star_import_brings_them_all():
    names: dict[str, object] = {}
    exec("from turnwise import *", names)  # noqa: S102
    assert set(public_names()) <= set(names)


def test_they_are_listed():
    assert {"__version__", "LLMTestCase", "evaluate"} <= set(dir(turnwise))


def test_what_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'turnwise' has no attribute 'NoSuchName'"):
        turnwise.NoSuchName  # noqa: B018


def test_importing_it_loads_no_more_than_itself():
    code = "import sys, typing; before = {*sys.modules}; import turnwise; print({*sys.modules} - before)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "{'turnwise'}"


def test_type_checkers_know_what_it_offers(tmp_path):
    program = tmp_path / "program.py"
    lines = (
        "import turnwise",
        "reveal_type(turnwise.AnswerRelevancyMetric(0.7))",
        'turnwise.GEval("Kind", criteria="Be kind.")',
        'turnwise.MLLMImage("boat.png")',
    )
    program.write_text("\n".join(lines))
    # Outside of the checkout, as a program of somebody else's. To keep what was found takes a third of it.
    mypy = [sys.executable, "-m", "mypy", "--cache-dir", os.devnull, str(program)]
    ran = subprocess.run(mypy, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert 'Revealed type is "turnwise.engine.metrics' in ran.stdout, ran.stdout
    assert ran.returncode == 0, ran.stdout
