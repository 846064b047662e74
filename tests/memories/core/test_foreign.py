"""Files of other products: each form that is known is read whole, and what is of no form is refused."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.core.transfer.columns import NotTaken
from memories.core.transfer.foreign import Conversation, Kept, read_foreign

AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
MESSAGES = [
    {"role": "system", "content": "You are helpful."},
    {"role": "user", "content": "我住在苏州", "timestamp": AT.timestamp()},
    {"role": "assistant", "content": [{"type": "text", "text": "好的"}]},
    {"role": "user", "content": ""},
]
CHATGPT = {
    "conversation_id": "c1", "title": "Moving", "current_node": "d",
    "mapping": {
        "a": {"message": None, "parent": None},
        "b": {"message": {"author": {"role": "user"}, "content": {"parts": ["I moved to Leeds"]}, "create_time": AT.timestamp()}, "parent": "a"},
        "c": {"message": {"author": {"role": "user"}, "content": {"parts": ["I moved to York"]}, "create_time": AT.timestamp()}, "parent": "a"},
        "d": {"message": {"author": {"role": "assistant"}, "content": {"parts": ["Noted", {"image": 1}]}}, "parent": "b"},
    },
}  # fmt: skip
CLAUDE = {
    "uuid": "u1", "name": "Trip",
    "chat_messages": [
        {"sender": "human", "text": "I fly in May", "created_at": "2026-01-02T03:04:05Z"},
        {"sender": "assistant", "text": "", "content": [{"type": "text", "text": "Where to?"}]},
    ],
}  # fmt: skip


def read(value: Any) -> list[Any]:
    return list(read_foreign(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)))


def said(piece: Any) -> list[tuple[str, str]]:
    return [(one.role, one.text) for one in piece.said]


def test_memories_of_mem0_keep_their_time_tags_and_metadata() -> None:
    row = {"id": "m", "memory": "Likes tea", "created_at": "2026-01-02T03:04:05+00:00", "categories": ["food", 3],
           "metadata": {"a": 1}, "user_id": "alex"}  # fmt: skip
    for value in ({"results": [row]}, [row], {"count": 1, "next": None, "results": [row]}):
        assert read(value) == [Kept("Likes tea", AT, ("food",), {"a": 1})]


def test_a_conversation_of_chatgpt_is_the_branch_that_was_gone_on_with() -> None:
    [piece] = read([CHATGPT])
    assert (piece.id, piece.title) == ("c1", "Moving")
    assert said(piece) == [("user", "I moved to Leeds"), ("assistant", "Noted")]
    assert piece.said[0].at == AT


def test_claude_s_conversations_and_memories() -> None:
    [talk] = read([CLAUDE])
    assert (talk.id, talk.title, said(talk)) == (
        "u1", "Trip", [("user", "I fly in May"), ("assistant", "Where to?")]
    )  # fmt: skip
    kept = read(
        [
            {
                "conversations_memory": "**Work**\n- Alex is a nurse in Leeds.\n\n2. Prefers short answers",
                "project_memories": {"p": "Plans a book"},
            }
        ]
    )
    assert [one.text for one in kept] == [
        "Alex is a nurse in Leeds.",
        "Prefers short answers",
        "Plans a book",
    ]


@pytest.mark.parametrize(
    "value",
    [MESSAGES, {"messages": MESSAGES}, [MESSAGES], {"conversations": [{"messages": MESSAGES}]},
     "\n".join(json.dumps(one) for one in MESSAGES), json.dumps({"messages": MESSAGES}) + "\n"],
)  # fmt: skip
def test_chat_logs_in_their_common_shapes(value: Any) -> None:
    [piece] = read(value)
    assert said(piece) == [("user", "我住在苏州"), ("assistant", "好的")]
    assert piece.said[0].at == AT


def test_lines_of_text_are_a_memory_each() -> None:
    assert [one.text for one in read("- 喜欢喝茶\n\n2. Lives in Leeds\n* has a cat\n")] == [
        "喜欢喝茶", "Lives in Leeds", "has a cat"
    ]  # fmt: skip


@pytest.mark.parametrize(
    "value", [1, {"a": 1}, [{"a": 1}], [[1]], '{"a": ', "[" * 5000 + "]" * 5000, '{"messages": [1]}{']
)
def test_what_is_of_no_known_form_is_refused(value: Any) -> None:
    with pytest.raises(NotTaken):
        read(value)


@given(st.recursive(st.none() | st.booleans() | st.floats() | st.text(max_size=8) | st.sampled_from(["user", "human"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from([
        "messages", "role", "content", "text", "sender", "mapping", "message", "author", "parts", "current_node", "parent", "memory",
        "results", "chat_messages", "conversations_memory", "project_memories", "created_at", "create_time"]), inner, max_size=5)))  # fmt: skip
def test_no_json_makes_the_reader_stumble(value: Any) -> None:
    try:
        for piece in read_foreign(json.dumps(value)):
            assert isinstance(piece, Kept | Conversation)
    except NotTaken:
        pass
