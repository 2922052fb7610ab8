"""Pictures: images as they are sent to a judge, and as they are kept."""

import base64

import pytest

from turnwise.conversations import MLLMImage
from turnwise.conversations.errors import CaseError
from turnwise.engine.judge import pictures
from turnwise.engine.judge.pictures import Picture, picture_of, without_image_data


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"\x89PNG\r\n\x1a\nrest", "image/png"),
        (b"\xff\xd8\xff\xe0rest", "image/jpeg"),
        (b"GIF89arest", "image/gif"),
        (b"RIFF\x00\x00\x00\x00WEBPrest", "image/webp"),
    ],
)
def test_a_local_image_is_told_by_its_content_and_sent_as_a_data_url(tmp_path, content, kind):
    path = tmp_path / "image with a misleading.txt"
    path.write_bytes(content)
    expected = f"data:{kind};base64,{base64.b64encode(content).decode()}"
    for address in (str(path), path.as_uri()):
        assert picture_of(MLLMImage(url=address), "one") == Picture("one", expected)


@pytest.mark.parametrize("url", ["https://example.org/a.png", "data:image/png;base64,AAAA"])
def test_a_remote_image_is_fetched_by_the_api_and_not_by_us(url):
    assert picture_of(MLLMImage(url=url), "one").url == url


@pytest.mark.parametrize("content", [b"", b"<svg></svg>", b"RIFF\x00\x00\x00\x00WAVE"])
def test_a_file_that_is_no_image_is_told(tmp_path, content):
    path = tmp_path / "a.png"
    path.write_bytes(content)
    with pytest.raises(CaseError, match="no image that judges take"):
        picture_of(MLLMImage(url=str(path)), "one")


def test_a_file_that_is_too_large_is_not_read(tmp_path, monkeypatch):
    monkeypatch.setattr(pictures, "LARGEST", 4)
    path = tmp_path / "a.png"
    path.write_bytes(b"\x89PNG\r\n\x1a\n")
    with pytest.raises(CaseError, match="too large"):
        picture_of(MLLMImage(url=str(path)), "one")


def test_what_is_kept_of_a_request_has_no_bytes_of_images_and_all_the_rest():
    body = {
        "model": "m",
        "messages": [
            {"role": "system", "content": "rules"},
            {
                "role": "user",
                "content": [
                    *Picture("one", "data:image/png;base64,AAAA").parts(),
                    *Picture("two", "https://example.org/a.png").parts(),
                ],
            },
        ],
    }
    kept = without_image_data(body)
    assert kept["messages"][0] == body["messages"][0]
    first, local, second, remote = kept["messages"][1]["content"]
    assert (first["text"], second["text"]) == ("one", "two")
    assert local["image_url"]["url"].startswith("data:image/png;base64,sha256:")
    assert remote == body["messages"][1]["content"][3]
    assert body["messages"][1]["content"][1]["image_url"]["url"].endswith("AAAA")


def test_a_request_without_images_is_kept_as_it_is():
    body = {"messages": [{"role": "user", "content": "text"}]}
    assert without_image_data(body) is body
