"""Every real file loads by import or by run, or says where it cannot be read, and what to do."""

import pytest
from real_files import FIXTURES, PAGE, Walked, page, walk

from turnwise.conversations.errors import TurnwiseError

pytestmark = [
    pytest.mark.fixtures,
    pytest.mark.skipif(not FIXTURES.is_dir(), reason="the folder ../shared/fixtures is not here"),
]


@pytest.fixture(scope="module")
def walked() -> list[Walked]:
    # A crash of any loader on any file ends the test right here.
    return list(walk())


def test_an_error_names_the_file_the_place_and_the_next_step(walked: list[Walked]) -> None:
    for one in walked:
        for error in (*one.imported.errors, *one.run.errors):
            assert one.path.name in error.detail, one.path
            assert place_of(error, one.path.name), one.path
            assert error.next_step, one.path
        assert one.loads or (one.imported.errors and one.run.errors), one.path


def place_of(error: TurnwiseError, name: str) -> str:
    """Return what is said behind the file's name: where in it, and what is wrong there."""
    return error.detail.partition(name)[2].strip(":, ")


def test_what_each_tool_publishes_as_its_own_loads(walked: list[Walked]) -> None:
    refused = [
        one.path.name
        for one in walked
        if one.run.word == "refused"
        and one.path.name.startswith("promptfooconfig")
        and one.path.suffix != ".json"
    ]
    # One names a provider's file that was not published with it; the tests of the other are code.
    assert len(refused) == 2
    conversations = {
        folder: [one.imported.word for one in walked if one.path.is_relative_to(FIXTURES / folder)]
        for folder in ("deepeval", "mt-rag", "tau-bench")
    }
    assert conversations == {
        "deepeval": ["deepeval"] * 4,
        "mt-rag": ["mt-rag"],
        "tau-bench": ["openai-chat", "refused"],
    }


def test_the_page_of_real_files_is_as_they_are(walked: list[Walked]) -> None:
    assert PAGE.read_text() == page(walked), "run tests/support/real_files.py"
