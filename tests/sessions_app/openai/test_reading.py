"""What is read out of requests and answers: prints of conversations, options, and words in bytes however they were cut."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryhub.common.errors import Invalid
from sessions_app.core.aside import aside_text
from sessions_app.openai.body import ChatBody, answer_form, parse
from sessions_app.openai.options import read_options
from sessions_app.openai.upstream import _tidy
from sessions_app.openai.watching import Watcher


def _body(*messages: tuple[str, Any]) -> ChatBody:
    said = [{"role": role, "content": content} for role, content in messages]
    return parse(json.dumps({"messages": said}).encode())


def test_a_conversation_is_known_by_what_was_said_in_it_and_not_by_what_programs_put_in() -> None:
    first = _body(("user", "Hi"))
    second = _body(("system", "It is 10:41."), ("user", "Hi"), ("assistant", "Hello."), ("user", "Go on"))
    third = _body(
        ("developer", "It is 10:42."), *[("user", "Hi"), ("assistant", "Hello."), ("user", "Go on")]
    )
    assert second.forms() == third.forms()
    assert second.forms()[1:] == [answer_form("Hi", "Hello."), first.forms()[0]]
    other = _body(("user", "Hi"), ("assistant", "Good day."), ("user", "Go on"))
    assert set(other.forms()) & set(second.forms()) == {first.forms()[0]}


def test_a_round_with_tools_has_the_print_of_its_question() -> None:
    asked = [("user", "Weather?")]
    looked_up = [("assistant", None), ("tool", "21 degrees")]
    assert _body(*asked, *looked_up).forms() == _body(*asked).forms()
    parts = [{"type": "text", "text": "Weather?"}, {"type": "image_url", "image_url": {"url": "data:,"}}]
    assert _body(("user", parts)).forms() == _body(*asked).forms()
    assert _body(("system", "x"), ("user", [{"type": "image_url"}])).question == ""


def test_the_newest_messages_suffice_to_know_a_long_conversation() -> None:
    rounds = [(role, f"{role} {n}") for n in range(100) for role in ("user", "assistant")]
    whole = _body(*rounds, ("user", "now"))
    cut = _body(*rounds[-4:], ("user", "now"))
    assert len(whole.forms()) == 30
    assert answer_form("user 99", "assistant 99") in whole.forms()
    assert set(whole.forms()) & set(cut.forms()) >= {answer_form("user 99", "assistant 99")}


@pytest.mark.parametrize("raw", [b"", b"[]", b"nul", b"\xff", b"[" * 100_000])
def test_what_is_no_object_is_refused(raw: bytes) -> None:
    with pytest.raises(Invalid):
        parse(raw)


def test_options_read_utf_8_and_rfc_8187_and_leave_percents_alone() -> None:
    wire = "林岚 %20".encode().decode("latin-1")
    assert read_options({"X-MemoryHub-Subject": wire}).subject == "林岚 %20"
    assert read_options({"X-MemoryHub-Subject": "utf-8''%E6%9E%97%20%25"}).subject == "林 %"
    assert read_options({"X-MemoryHub-Subject": "caf\xe9"}).subject == "café"
    assert read_options({"X-MemoryHub-Upstream-Authorization": "sk-1"}).authorization == "Bearer sk-1"
    assert read_options({}).subject is None
    for header in ("X-MemoryHub-Include", "X-MemoryHub-Memory-Mode"):
        with pytest.raises(Invalid):
            read_options({header: "everything"})
    with pytest.raises(Invalid):
        read_options({"X-MemoryHub-Upstream-Authorization": "Bearer a\x01b"})


@pytest.mark.parametrize(
    "url",
    ["file:///etc/passwd", "http://", "https://a@b/v1", "http://h/v1?x=1", "http://h/#f", "gopher://h", ""],
)
def test_no_other_address_than_a_plain_one_is_an_endpoint(url: str) -> None:
    assert _tidy(url) == ""


def test_addresses_are_compared_without_their_last_slash_and_their_hosts_case() -> None:
    assert _tidy(" https://API.example.org/v1/ ") == "https://api.example.org/v1"


def _events() -> bytes:
    def one(delta: dict[str, Any], index: int = 0, finish: str | None = None, **more: Any) -> bytes:
        data = {"model": "m", "choices": [{"index": index, "delta": delta, "finish_reason": finish}], **more}
        return b"data: " + json.dumps(data, ensure_ascii=False).encode() + b"\r\n\r\n"

    usage = {"prompt_tokens": 3, "completion_tokens": 4}
    return b"".join(
        [
            b": comment\n\n",
            one({"role": "assistant", "content": ""}),
            one({"content": "你好,"}),
            one({"content": "hidden"}, index=1),
            one({"content": "世界"}),
            b"data: [1, 2\n\n",
            b'data: "text"\n\n',
            one({"tool_calls": [{"function": {"arguments": "{}"}}]}, finish="stop"),
            b"data: " + json.dumps({"choices": [], "usage": usage}).encode() + b"\n\n",
            b"data: [DONE]\n\n",
        ]
    )


@given(st.lists(st.integers(0, len(_events())), max_size=12))
def test_a_stream_says_the_same_wherever_it_was_cut(cuts: list[int]) -> None:
    data, watcher = _events(), Watcher(streams=True)
    edges = [0, *sorted(cuts), len(data)]
    for start, end in itertools.pairwise(edges):
        watcher.feed(data[start:end])
    watcher.end()
    heard = watcher.heard
    assert (heard.text, heard.finished, watcher.done, heard.model) == ("你好,世界", True, True, "m")
    assert heard.usage == {"prompt_tokens": 3, "completion_tokens": 4}
    assert heard.beside > len("hidden")


@given(st.binary(max_size=300), st.booleans())
def test_no_answer_is_too_odd_to_be_passed_on(data: bytes, streams: bool) -> None:
    for odd in (data, b"data: " + data + b"\n", b'{"choices": [' + data + b"]}"):
        watcher = Watcher(streams=streams)
        watcher.feed(odd)
        watcher.end()


@pytest.mark.parametrize(
    "value",
    [{"choices": 1}, {"choices": [None, 3, {"message": "x"}]}, {"choices": [{"delta": {"content": 7}}]}, []],
)
def test_odd_shapes_say_nothing(value: Any) -> None:
    watcher = Watcher(streams=False)
    watcher.feed(json.dumps(value).encode())
    watcher.end()
    assert watcher.heard.text == ""


def test_a_context_of_nothing_but_the_day_is_none() -> None:
    assert aside_text("Today is Monday.", [], "en") == ""
    text = aside_text("Today.\n\nRules", [("user", "a </memory> b"), ("assistant", "c")], "zh")
    assert text == "Today.\n\nRules\n\n本次对话之前说过的:\n<memory>\n用户: a ‹/memory> b\n助手: c\n</memory>"
