"""What of a recall goes into a context, and how old statements are kept from being read as current."""

from __future__ import annotations

import uuid
from dataclasses import replace
from datetime import UTC, datetime

from sessions_app.core.outdated import OldValue, Outdated, read
from sessions_app.core.pieces import Entry
from sessions_app.core.selection import Found, select

THEN = datetime(2026, 1, 5, tzinfo=UTC)
LATER = datetime(2026, 2, 5, tzinfo=UTC)
MOVED = Outdated(values=(OldValue("杭州", "上海", LATER), OldValue("KX-77", "KX-9", LATER)))


def found(
    text: str, *sources: uuid.UUID, item_kind: str = "episode", kind: str = "turn", score: float = 0.5
) -> Found:
    return Found(Entry(uuid.uuid4(), item_kind, kind, text, THEN, score=score), sources)


def chosen(
    *items: Found, outdated: Outdated | None = None, k: int = 6, question: uuid.UUID | None = None
) -> list[Entry]:
    return select(items, k=k, outdated=outdated or Outdated(), fixed=(), question=question)


def test_the_turn_a_memory_was_drawn_from_does_not_repeat_it() -> None:
    turn = uuid.uuid4()
    memory = found("The contract number is KX-7731.", turn, item_kind="memory", kind="fact")
    echo = found("The contract number is KX-7731.", turn)
    longer = found("The contract number is KX-7731. " + "We also spoke about the garden party. " * 3, turn)
    assert chosen(memory, echo, longer) == [memory.entry, longer.entry]


def test_what_was_learnt_from_the_question_is_no_answer_to_it() -> None:
    question = uuid.uuid4()
    assert chosen(found("Remember this.", question, item_kind="memory"), question=question) == []


def test_what_stands_in_the_context_already_is_left_out() -> None:
    one = found("A digest.", item_kind="memory", kind="digest")
    assert select([one], k=6, outdated=Outdated(), fixed={one.entry.id}, question=None) == []


def test_a_replaced_turn_goes_behind_the_rest_and_is_marked() -> None:
    old, new = found("我住在杭州", uuid.uuid4(), score=0.9), found("我搬到上海了", uuid.uuid4(), score=0.4)
    entries = chosen(old, new, outdated=MOVED)
    assert [entry.text for entry in entries] == ["我搬到上海了", "我住在杭州"]
    assert (entries[1].holding, entries[1].score) == ("superseded", 0.45)


def test_a_question_about_the_past_gets_what_was_replaced_in_its_place_marked() -> None:
    old, new = found("我住在杭州", uuid.uuid4(), score=0.9), found("我搬到上海了", uuid.uuid4(), score=0.4)
    entries = select([old, new], k=6, outdated=MOVED, fixed=(), question=None, past=True)
    assert [(entry.text, entry.holding) for entry in entries] == [
        ("我住在杭州", "superseded"),
        ("我搬到上海了", ""),
    ]


def test_a_long_turn_loses_the_words_that_were_replaced() -> None:
    turn = uuid.uuid4()
    one = found("I live in Lyon. The cat is called Miso. She sleeps all day.", turn)
    outdated = Outdated(quotes={turn: ("I live in Lyon",)})
    assert [entry.text for entry in chosen(one, outdated=outdated)] == [
        "The cat is called Miso. She sleeps all day."
    ]
    assert chosen(found("I live in Lyon.", turn), outdated=outdated) == []


def test_what_is_over_goes_behind_what_holds() -> None:
    over = replace(
        found("The tent is lent out.", item_kind="memory", kind="fact", score=0.9).entry, holding="ended"
    )
    now = found("The tent is in the cellar.", item_kind="memory", kind="fact", score=0.4)
    assert [entry.text for entry in chosen(Found(over, ()), now)] == [now.entry.text, over.text]


def test_both_sides_of_a_contradiction_stand_together() -> None:
    one = found("The tent is red.", item_kind="memory", kind="fact")
    noise = [found(f"Sentence {number}.", uuid.uuid4()) for number in range(5)]
    other = found("The tent is blue.", item_kind="memory", kind="fact")
    one = Found(replace(one.entry, contradicted=True, contradicts=(other.entry.id,)), ())
    other = Found(replace(other.entry, contradicted=True, contradicts=(one.entry.id,)), ())
    texts = [entry.text for entry in chosen(one, *noise, other, k=3)]
    assert texts == ["The tent is red.", "The tent is blue.", "Sentence 0."]


def test_earlier_questions_go_behind_what_states_something() -> None:
    asked = found("Who owns the Kestrel project?", uuid.uuid4(), score=0.9)
    both = found("Who owns it? Lin does.", uuid.uuid4(), score=0.3)
    told = found("Lin owns the Kestrel project.", uuid.uuid4(), score=0.4)
    assert chosen(asked, told, both, k=3) == [told.entry, both.entry, asked.entry]
    assert chosen(found("红隼项目归谁管呢?", uuid.uuid4()), told)[0] == told.entry


def test_k_counts_what_is_left() -> None:
    items = [found(f"Sentence {number}.", uuid.uuid4()) for number in range(9)]
    assert chosen(*items, k=3) == [item.entry for item in items[:3]]


def test_a_digest_loses_only_the_sentence_that_was_replaced() -> None:
    text = "[2026-01-05] 我住在杭州。我喜欢喝茶。\n[2026-01-06] Wen: The number is KX-77; the owner is Lin."
    assert (
        read(text, THEN, (), "memory", MOVED).text
        == "[2026-01-05] 我喜欢喝茶。\n[2026-01-06] Wen: the owner is Lin."
    )


def test_a_sentence_that_tells_of_the_change_stays() -> None:
    text = "我从杭州搬到上海了。"
    assert read(text, THEN, (), "memory", MOVED).text == text
    assert not read(text, THEN, (uuid.uuid4(),), "episode", MOVED).superseded


def test_whole_values_only_and_only_what_was_said_before() -> None:
    assert read("The number is KX-771.", THEN, (), "memory", MOVED).text == "The number is KX-771."
    assert read("我住在杭州", LATER, (uuid.uuid4(),), "episode", MOVED).superseded is False
    assert read("好的,你住在杭州。", THEN, (uuid.uuid4(),), "episode", MOVED).superseded is True
