"""Images of a test case: by path or by address, and which of the two follows from it."""

import pytest

from turnwise.conversations import ConversationalTestCase, MLLMImage, MLLMTestCase
from turnwise.conversations.errors import CaseError
from turnwise.conversations.images import as_conversation, pictured_in


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
    assert MLLMImage(address).local is local
    assert MLLMImage(imagePath=address).url == address


def test_what_is_said_of_an_image_stands():
    assert MLLMImage(url="https://example.org/a.png", local=True).local is True
    with pytest.raises(CaseError, match="url: required"):
        MLLMImage()


def test_a_case_may_still_wait_for_its_answer():
    case = MLLMTestCase(input=["Paint it blue.", MLLMImage(url="bag.png")])
    assert case.actual_output == []
    assert case.images == [MLLMImage(url="bag.png")]


def test_texts_and_images_stand_in_order():
    case = MLLMTestCase(input=["Is this my bag?", MLLMImage(url="bag.png")], actual_output=["It is."])
    assert case.input == ["Is this my bag?", MLLMImage(url="bag.png", local=True)]
    given = {"input": ["a", {"url": "b.png"}], "actualOutput": ["c"], "additionalMetadata": {"k": 1}}
    read = MLLMTestCase.model_validate(given)
    assert read.input[1] == MLLMImage(url="b.png")
    assert read.metadata == {"k": 1}


@pytest.mark.parametrize(
    ("url", "named"),
    [
        ("./shoes.png", "shoes.png"),
        ("/home/me/a b.png", "a b.png"),
        ("C:\\pictures\\boat.png", "boat.png"),
        ("https://example.org/pictures/blue%20shoes.png?size=2#top", "blue shoes.png"),
        ("https://example.org/", "image"),
        ("data:image/png;base64,AAAA", "image/png"),
    ],
)
def test_where_an_image_cannot_be_shown_it_is_named(url, named):
    assert MLLMImage(url=url).named == named


def test_input_and_output_as_text_number_the_images_through():
    one, two = MLLMImage(url="one.png"), MLLMImage(url="two.png")
    case = MLLMTestCase(input=["Make it blue.", one], actual_output=["Here:", two, "and", one])
    assert case.input_text == "Make it blue.\n[image 1: one.png]"
    assert case.output_text == "Here:\n[image 2: two.png]\nand\n[image 3: one.png]"
    assert case.images == [one, two, one]


class TestAsConversation:
    REMOTE = MLLMTestCase(
        input=["Make it blue.", MLLMImage(url="https://example.org/one.png")],
        actual_output=["Here:", MLLMImage(url="data:image/png;base64,AAAA")],
        name="shoes",
        metadata={"from": "a test"},
    )

    def test_it_says_what_the_case_says_and_remembers_its_images(self):
        whole = as_conversation(self.REMOTE)
        assert [turn.content for turn in whole.turns] == [
            "Make it blue.\n[image 1: one.png]",
            "Here:\n[image 2: image/png]",
        ]
        assert (whole.name, whole.multimodal, whole.metadata["from"]) == ("shoes", True, "a test")
        again = pictured_in(ConversationalTestCase.model_validate(whole.data()))
        assert again is not None
        assert (again.input, again.actual_output) == (self.REMOTE.input, self.REMOTE.actual_output)

    def test_images_on_this_machine_that_a_conversation_names_are_not_looked_at(self):
        local = MLLMTestCase(input=["Look:"], actual_output=[MLLMImage(url="/home/me/private.png")])
        assert pictured_in(as_conversation(local)) is None
        lying = as_conversation(self.REMOTE)
        for address in ("/home/me/private.png", "file:///home/me/private.png", "ftp://example.org/a.png"):
            lying.metadata["images_in"]["input"] = [{"url": address, "local": False}]
            assert pictured_in(lying) is None

    @pytest.mark.parametrize("kept", [None, [], {}, {"input": 3}, "x"])
    def test_a_conversation_that_was_made_of_no_images_has_none(self, kept):
        whole = as_conversation(self.REMOTE)
        whole.metadata["images_in"] = kept
        assert pictured_in(whole) is None
        plain = ConversationalTestCase(turns=[{"role": "user", "content": "a"}])
        assert pictured_in(plain) is None
