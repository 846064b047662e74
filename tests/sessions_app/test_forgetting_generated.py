"""Whoever and whatever it is: of several statements in open vocabulary one is forgotten, answers nowhere, and the others all do."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from memories.models import Memory
from memories.ports import FixedClock
from memoryhub.common.db import tenant_transaction
from sessions_app.services.compact_session import compact_session
from tests.sessions_app.conftest import Chat, chat_of
from tests.sessions_app.test_forgetting import context, everywhere, recalled
from tests.support.people import make_house

pytestmark = pytest.mark.django_db(transaction=True)


@dataclass(frozen=True)
class Said:
    """A statement with what it is about."""

    who: str
    what: str
    value: str
    chinese: bool

    @property
    def statement(self) -> str:
        if self.chinese:
            return f"{self.who}的{self.what}是{self.value}"
        owner = "My" if self.who == "my" else f"{self.who}'s"
        return f"{owner} {self.what} is {self.value}"

    @property
    def question(self) -> str:
        if self.chinese:
            return f"{self.who}的{self.what}是多少"
        return f"What is {self.who if self.who == 'my' else self.who + chr(39) + 's'} {self.what}?"

    @property
    def name(self) -> str:
        if self.chinese:
            return f"{self.who}的{self.what}"
        return f"my {self.what}" if self.who == "my" else f"{self.who}'s {self.what}"


digits = st.integers(10_000_000, 99_999_999).map(str)
syllable = st.sampled_from(["ba", "de", "ko", "lu", "mi", "na", "po", "ra", "so", "ti", "vu", "ze"])
latin_name = st.builds(lambda a, b, c: (a + b + c).capitalize(), syllable, syllable, syllable)
latin_noun = st.builds(lambda a, b: f"{a}n{b}r", syllable, syllable)
han_name = st.builds(
    lambda a, b: a + b,
    st.sampled_from("王李张刘陈杨赵周吴郑"),
    st.sampled_from(["芳", "建国", "晓东", "静怡", "文博"]),
)
han_noun = st.builds(
    lambda a, b: a + b,
    st.sampled_from(["会员", "车位", "工位", "设备", "学籍", "储物柜"]),
    st.sampled_from(["号", "编码", "代号"]),
)


@st.composite
def statements(draw: st.DrawFn) -> list[Said]:
    chinese = draw(st.booleans())
    names = draw(st.lists(han_name if chinese else latin_name, min_size=2, max_size=2, unique=True))
    nouns = draw(st.lists(han_noun if chinese else latin_noun, min_size=2, max_size=2, unique=True))
    values = draw(st.lists(digits, min_size=6, max_size=6, unique=True))
    owners = ["我" if chinese else "my", *names]
    pairs = [(who, what) for who in owners for what in nouns]
    return [Said(who, what, value, chinese) for (who, what), value in zip(pairs, values, strict=True)]


ZH = ("忘掉{}", "请把{}忘掉", "{}不用再记了", "{}，删掉吧", "能不能把{}忘了？")
EN = (
    "forget {}",
    "Please delete {} from your memory.",
    "{} — forget it",
    "Could you forget {}?",
    "don't remember {}",
)


@settings(
    max_examples=6,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    said=statements(),
    chosen=st.integers(0, 5),
    form=st.integers(0, 4),
    compact=st.sampled_from(["before", "after"]),
)
def test_the_one_is_gone_and_the_others_stay(
    transactional_db: None, clock: FixedClock, said: list[Said], chosen: int, form: int, compact: str
) -> None:
    chat = chat_of(make_house(f"h{uuid.uuid4().hex[:12]}"), clock)
    gone = said[chosen]
    for one in said:
        chat.say(one.statement)
    chat.work()
    if compact == "before":
        _fill(chat)
    found_before = {one for one in said if one is not gone and one.value in recalled(chat, one.question)}
    assert len(found_before) >= 3, "recall works at all"
    chat.say((ZH if gone.chinese else EN)[form].format(gone.name))
    chat.work()
    if compact == "after":
        _fill(chat)
    chat.work()
    assert gone.value not in recalled(chat, gone.question)
    assert gone.value not in context(chat, gone.question)
    assert everywhere(chat, gone.value) == set()
    with tenant_transaction(chat.actor.tenant_id):
        current = "\n".join(Memory.objects.filter(status="current").values_list("content", flat=True))
    for one in said:
        assert one is gone or one.value in current, one
    for one in found_before:
        assert one.value in recalled(chat, one.question), one


def _fill(chat: Chat) -> None:
    """Small talk until the window is compacted."""
    for number in range(14):
        chat.say(
            f"Nothing much happened on walk {number}, the weather was fine and the path was dry all the way."
        )
    chat.work()
    compact_session(actor=chat.actor, session_id=chat.id)
