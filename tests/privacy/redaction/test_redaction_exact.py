"""The arithmetic of redaction: texts, and what may be put back into them, stay consistent whatever is masked; odd writings are found."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.core.forgetting.redacting import (
    each_text,
    known_spans,
    mask_each,
    pattern_spans,
    plain_form,
    redacting_pattern,
)
from memories.core.forgetting.undo import Cut, base_of, masked_for_good, shown

MARK, CUT = "[redacted]", "[forgotten]"


@st.composite
def texts(draw: st.DrawFn) -> tuple[str, list[Cut], list[tuple[int, int]]]:
    """A base, disjoint cuts of it in any order, and disjoint spans to mask, which may lie across the cuts' edges."""
    base = draw(st.text("abc王李 ", min_size=1, max_size=40))

    def spans(most: int) -> list[tuple[int, int]]:
        points = sorted(draw(st.sets(st.integers(0, len(base)), max_size=2 * most)))
        return [(a, b) for a, b in zip(points[::2], points[1::2], strict=False) if a < b]

    cuts = [Cut(low, base[low:high], CUT, str(uuid.uuid4())) for low, high in spans(3)]
    return base, draw(st.permutations(cuts)), spans(3)


@given(texts())
def test_the_new_base_is_what_all_cuts_together_give_back(
    given_: tuple[str, list[Cut], list[tuple[int, int]]],
) -> None:
    base, cuts, spans = given_
    new, moved = masked_for_good(base, cuts, spans, MARK)
    assert [cut.owner for cut in moved] == [cut.owner for cut in cuts]
    assert base_of(shown(new, moved), moved) == new
    for cut in moved:
        assert new[cut.start : cut.end] == cut.text
    kept = "".join(char for at, char in enumerate(base) if not any(low <= at < high for low, high in spans))
    assert new.replace(MARK, "") == kept


@pytest.mark.parametrize(
    ("words", "text", "found"),
    [
        (["QX-7731"], "It is qx-7731, and AQX-77312 is not it.", ["qx-7731"]),
        (["QX-7731"], "号码是ＱＸ－７７３１。", ["ＱＸ－７７３１"]),
        (["ＱＸ－７７３１"], "It is QX-7731.", ["QX-7731"]),
        (
            ["13800138000"],
            "Call 138-0013-8000 or 138 0013 8000, not 138001380001.",
            ["138-0013-8000", "138 0013 8000"],
        ),
        (["王芳"], "她叫王芳。", ["王芳"]),
        (["Jos\u00e9"], "Jose\u0301 came.", ["Jose\u0301"]),
        (["Jose\u0301"], "Jos\u00e9 came.", ["Jos\u00e9"]),
        (["Ann Lee"], "It is Ann\nLee.", ["Ann\nLee"]),
        (["13800138000"], "Call 138\u20130013\u20138000.", ["138\u20130013\u20138000"]),
        (["QX-7731"], '{"a": "see\\nQX-7731"}', ["QX-7731"]),
        (["王芳"], '{"a": "\\u738b\\u82b3"}', ["\\u738b\\u82b3"]),
        (['the "x" key'], '{"a": "the \\"x\\" key"}', ['the \\"x\\" key']),
        (['a "b" \\ c'], 'He said a "b" \\ c twice.', ['a "b" \\ c']),
    ],
)
def test_it_is_found_however_it_is_written(words: list[str], text: str, found: list[str]) -> None:
    spans = sorted(set(pattern_spans(text, redacting_pattern(words))))
    assert [text[low:high] for low, high in spans] == found


def test_a_print_knows_a_word_in_a_text_and_not_a_part_of_another() -> None:
    form = plain_form("Ann")[0]
    text = "Anna met ＡＮＮ, and ann-marie."
    spans = known_spans(text, {len(form)}, lambda piece: piece == form)
    assert [text[low:high] for low, high in spans] == ["ＡＮＮ", "ann"]


@pytest.mark.parametrize(
    ("word", "text"),
    [
        ("Jos\u00e9 M\u00fcller", "He is Jose\u0301  Mu\u0308ller."),
        ("Ann Lee", "It is Ann\nLee."),
        ("王芳 主任", "王芳\u3000主任来了"),
    ],
)
def test_a_print_knows_other_writings_of_a_word(word: str, text: str) -> None:
    form = plain_form(word)[0]
    ((low, high),) = known_spans(text, {len(form)}, lambda piece: piece == form)
    assert plain_form(text[low:high])[0] == form


def test_json_within_json_is_masked_and_codes_of_our_own_stay() -> None:
    value = {"kind": "secret", "said": ['{"note": "secret", "secret": 1}', "a secret", "[secret"], "n": 3}

    def mask(text: str) -> str:
        return text.replace("secret", "X")

    assert mask_each(value, mask) == {
        "kind": "secret",
        "said": ['{"note": "X", "secret": 1}', "a X", "[X"],
        "n": 3,
    }
    assert mask_each({"secret": "secret"}, mask, own=False) == {"X": "X"}
    assert "secret" in list(each_text({"secret": 1}, own=False))
    assert list(each_text({"kind": "secret", "at": datetime(2026, 1, 1, tzinfo=UTC).isoformat()})) == [
        "2026-01-01T00:00:00+00:00"
    ]
