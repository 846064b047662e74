"""The offline embedder: unit vectors, meaning across languages, safe for threads and forks."""

from __future__ import annotations

import os
import threading

import numpy as np
import pytest

from memories.adapters.embedding_local import LocalEmbedder
from memories.ports import EmbeddingRefused

EMBEDDER = LocalEmbedder()


def embed(*texts: str) -> np.ndarray:
    return EMBEDDER.embed(list(texts), kind="query")


def test_vectors_are_unit_rows_of_the_promised_width() -> None:
    vectors = embed("我养了一只猫", "I have a cat", "KX-7731")
    assert vectors.shape == (3, EMBEDDER.identity.dim) == (3, 896)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_the_same_meaning_is_near_across_languages_and_other_meanings_are_far() -> None:
    zh, en, other = embed("我养了一只猫", "I keep a cat as a pet", "下周的航班取消了")
    assert zh @ en > 0.4
    assert zh @ other < 0.25


def test_order_does_not_depend_on_length_or_company() -> None:
    texts = ["短句", "这是一句长得多的话，讲的是昨天在河边遇到的一位老朋友。" * 3, "mid length sentence"] * 15
    together = EMBEDDER.embed(texts, kind="passage")
    assert np.allclose(together[1], embed(texts[1])[0], atol=1e-3)
    assert np.allclose(together[0], embed(texts[0])[0], atol=1e-3)


def test_a_nul_does_not_cut_the_text_and_a_lone_surrogate_does_no_harm() -> None:
    whole, with_nul, broken = embed("the red bicycle", "the\0red bicycle", "the red bicycle\ud800")
    assert whole @ with_nul > 0.99
    assert whole @ broken > 0.9


def test_text_beyond_two_thousand_characters_is_not_read() -> None:
    base = "We walked along the river. " * 80
    long, longer = embed(base[:2000], base[:2000] + "Quantum chromodynamics. " * 50)
    assert long @ longer > 0.9999


@pytest.mark.parametrize("text", ["", "   ", "\0\0"])
def test_a_text_without_content_is_refused_by_its_position(text: str) -> None:
    with pytest.raises(EmbeddingRefused, match="number 1"):
        embed("fine", text)


def test_no_texts_give_no_rows() -> None:
    assert embed().shape == (0, 896)


def test_without_e5_the_other_model_serves_under_its_own_name() -> None:
    alone = LocalEmbedder(with_e5=False)
    assert alone.identity.dim == 512
    assert alone.identity != EMBEDDER.identity
    assert alone.embed(["我养了一只猫"], kind="query").shape == (1, 512)


def test_many_threads_get_their_own_rows() -> None:
    texts = [f"thread number {at} speaks" for at in range(8)]
    expected = embed(*texts)
    got: dict[int, np.ndarray] = {}

    def work(at: int) -> None:
        got[at] = embed(texts[at])[0]

    threads = [threading.Thread(target=work, args=(at,)) for at in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert all(np.allclose(got[at], expected[at], atol=1e-3) for at in range(8))


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_worker_embeds_too() -> None:
    embed("load before the fork")
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        vector = embed("after the fork")
        os.write(writer, str(vector.shape).encode())
        os._exit(0)
    os.close(writer)
    assert os.read(reader, 100) == b"(1, 896)"
    os.waitpid(pid, 0)
