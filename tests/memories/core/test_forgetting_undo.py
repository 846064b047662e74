"""Words taken out of a text come back exactly, in any order, whatever else was taken out or made final meanwhile."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memories.core.forgetting.undo import Cut, base_of, cut_out, made_final, shown

MARK = "[x]"


def take(text: str, cuts: list[Cut], span: tuple[int, int], owner: str) -> tuple[str, list[Cut]]:
    start, end = span
    made = cut_out(text, cuts, [span], mark=MARK, owner=owner)
    return text[:start] + MARK + text[end:], [*cuts, *made]


@given(data=st.data(), words=st.lists(st.text("abc好 ", min_size=1, max_size=6), min_size=3, max_size=8))
def test_every_order_of_taking_and_putting_back_is_exact(data: st.DataObject, words: list[str]) -> None:
    original = "|".join(words)
    text, cuts = original, []
    for owner in "ABC":
        free = [
            (start, end)
            for start in range(len(text))
            for end in range(start + 1, len(text) + 1)
            if "[" not in text[start:end] and "]" not in text[start:end] and "x" not in text[start:end]
        ]
        if not free:
            break
        text, cuts = take(text, cuts, data.draw(st.sampled_from(free)), owner)
    assert base_of(text, cuts) == original
    for owner in data.draw(st.permutations(sorted({cut.owner for cut in cuts}))):
        base = base_of(text, cuts)
        assert base == original
        cuts = [cut for cut in cuts if cut.owner != owner]
        text = shown(base, cuts)
    assert text == original


@given(gone=st.sampled_from("ABC"))
def test_what_is_final_never_comes_back_and_the_others_do(gone: str) -> None:
    text, cuts = "one two three four", []
    for owner, word in zip("ABC", ("one", "three", "two"), strict=True):
        at = text.index(word)
        text, cuts = take(text, cuts, (at, at + len(word)), owner)
    cuts = made_final(cuts, [cut for cut in cuts if cut.owner == gone])
    word = {"A": "one", "B": "three", "C": "two"}[gone]
    assert base_of(text, cuts) == "one two three four".replace(word, MARK)


def test_a_text_that_changed_since_is_not_guessed_at() -> None:
    text, cuts = take("call Ann today", [], (5, 8), "A")
    assert base_of(text, cuts) == "call Ann today"
    assert base_of("something else altogether", cuts) is None
