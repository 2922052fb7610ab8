"""Images of a test case: by path or by address, and which of the two follows from it."""

import pytest

from turnwise.conversations import MLLMImage, MLLMTestCase
from turnwise.conversations.errors import CaseError


@pytest.mark.parametrize(
    ("address", "local"),
    [
        ("/photos/ticket.png", True),
        ("photos/ticket.png", True),
        ("C:\\photos\\ticket.png", True),
        ("file:///photos/ticket.png", True),
        ("https://example.org/ticket.png", False),
        ("http://example.org/ticket.png", False),
        ("data:image/png;base64,AAAA", False),
    ],
)
def test_whether_an_image_is_local_follows_from_its_address(address, local):
    assert MLLMImage(url=address).local is local
    assert MLLMImage(image_path=address).local is local
    assert MLLMImage(imagePath=address).url == address


def test_what_is_said_of_an_image_stands():
    assert MLLMImage(url="https://example.org/a.png", local=True).local is True
    with pytest.raises(CaseError, match="url: required"):
        MLLMImage()


def test_texts_and_images_stand_in_order():
    case = MLLMTestCase(input=["Is this my bag?", MLLMImage(url="bag.png")], actual_output=["It is."])
    assert case.input == ["Is this my bag?", MLLMImage(url="bag.png", local=True)]
    given = {"input": ["a", {"url": "b.png"}], "actualOutput": ["c"], "additionalMetadata": {"k": 1}}
    read = MLLMTestCase.model_validate(given)
    assert read.input[1] == MLLMImage(url="b.png")
    assert read.metadata == {"k": 1}
