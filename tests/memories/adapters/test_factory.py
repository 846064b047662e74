"""Settings decide which embedder and model serve; a test or an evaluation may put others in their place."""

from __future__ import annotations

import pytest

from memories.adapters import factory
from memories.adapters.chat_offline import OfflineResponder
from memories.adapters.chat_openai import OpenAIChat
from memories.adapters.embedding_cache import CachedEmbedder
from memories.adapters.embedding_local import LocalEmbedder
from memories.adapters.embedding_openai import OpenAIEmbedder
from memories.ports import FixedClock, SystemClock


@pytest.fixture(autouse=True)
def fresh_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(factory, "_parts", {})


def test_without_endpoints_everything_is_local(settings) -> None:  # type: ignore[no-untyped-def]
    settings.OPENAI_BASE_URL = settings.EMBEDDINGS_BASE_URL = ""
    embedder = factory.get_embedder()
    assert isinstance(embedder, CachedEmbedder) and isinstance(embedder.inner, LocalEmbedder)
    assert isinstance(factory.get_chat_model(), OfflineResponder)
    assert factory.get_embedder() is embedder


def test_endpoints_in_the_settings_are_used(settings) -> None:  # type: ignore[no-untyped-def]
    settings.OPENAI_BASE_URL = settings.EMBEDDINGS_BASE_URL = "http://127.0.0.1:9/v1"
    settings.CHAT_MODEL = "m"
    embedder, model = factory.get_embedder(), factory.get_chat_model()
    assert isinstance(embedder, CachedEmbedder) and isinstance(embedder.inner, OpenAIEmbedder)
    assert isinstance(model, OpenAIChat) and model.name == "m"


def test_an_override_holds_for_its_block_only() -> None:
    clock, model = FixedClock(), OfflineResponder(pause=0)
    with factory.override(clock=clock, chat_model=model):
        assert factory.get_clock() is clock
        assert factory.get_chat_model() is model
        with factory.override(clock=FixedClock()):
            assert factory.get_clock() is not clock
        assert factory.get_clock() is clock
    assert isinstance(factory.get_clock(), SystemClock)
    assert factory.get_chat_model() is not model


def test_a_fixed_clock_moves_only_when_told() -> None:
    clock = FixedClock()
    before = clock.now()
    assert clock.now() == before
    assert (clock.advance(days=3) - before).days == 3
    assert clock.now().tzinfo is not None
