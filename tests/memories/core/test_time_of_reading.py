"""Whatever is sent, reading it takes time in proportion to its length: no text of repeated words makes a reader hang."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import lru_cache
from types import FrameType

import pytest

from memories.core import entities, topics
from memories.core.extraction import constraint_keys, directives, temporal
from memories.core.extraction.en import attributes as attributes_en
from memories.core.extraction.en import constraints as en_constraints
from memories.core.extraction.engine import extract
from memories.core.extraction.raw import Turn
from memories.core.extraction.sentences import split_clauses
from memories.core.extraction.zh import constraints as zh_constraints
from memories.core.forgetting import targets as forgetting
from memories.core.forgetting.remains import nothing_left
from memories.core.pii import detection as pii
from memories.core.placement import claims
from memories.core.questions import answering, past, standalone
from memories.core.questions import sensitive as sensitive_question
from memories.core.questions import slot as asked_slot
from memories.core.text import clauses as text_clauses
from memories.core.text import sentences
from memories.core.times import parsing as timeparse
from memories.core.values import forms, keyvalues, normalise

LENGTH = 8_000
MOST = 4.0
"""Seconds of CPU time for LENGTH characters; what grows faster than linearly needs far more, what does not far less."""
SHORT, AT_ONCE = 1_500, 0.5
"""What a message commonly has at most, in characters, and how many seconds of CPU time reading it may take."""
NOW = datetime(2024, 5, 1, 9, tzinfo=UTC)


def _extract(text: str) -> object:
    return extract(text, role="user", speaker="", said_at=NOW, tz=UTC)


def _answer(text: str) -> object:
    return extract(text, role="user", speaker="", said_at=NOW, tz=UTC, asked=text)


def _attribute(text: str) -> object:
    turn = Turn(speaker="user", speaker_surface="", listener="assistant")
    return attributes_en.read_attribute(text, text, turn)


READERS: dict[str, Callable[[str], object]] = {
    "extract": _extract,
    "answer": _answer,
    "times": lambda text: temporal.read_times.__wrapped__(text, NOW, UTC),
    "parse_times": lambda text: timeparse.parse_times(text, NOW, UTC),
    "clauses": split_clauses,
    "sentences": sentences.sentences,
    "statements": text_clauses.statements,
    "phrases": text_clauses.phrases,
    "attribute_en": _attribute,
    "short_forms": entities.short_forms,
    "explicit": directives.strip_explicit,
    "constraint_zh": lambda text: zh_constraints.constraint(text, explicit=True),
    "constraint_en": lambda text: en_constraints.constraint(text, explicit=True),
    "constraint_key": constraint_keys.constraint_key,
    "forget": forgetting.targets,
    "left": nothing_left,
    "values": keyvalues.key_values,
    "measured": forms.measured,
    "canonical": normalise.canonical,
    "value_form": forms.value_form,
    "claim": claims.claim_form,
    "past": lambda text: past.asks_about_past(text, NOW),
    "self": past.asks_about_self,
    "attributes": asked_slot.attributes_asked,
    "whether": sensitive_question.asks_whether_given,
    "topics": topics.topics,
    "standalone": lambda text: standalone.standalone(text, [text], []),
    "asks": answering.only_asks,
    "pii": pii.detect,
}
SEEDS = [
    "是",
    "都",
    "的",
    "我",
    "一",
    "在",
    "叫",
    "把",
    "不",
    "了",
    "改到",
    "忘掉",
    "去年",
    "2024年",
    "10点",
    "每周三",
    "现在",
    "以后",
    "请",
    "如果",
    "我的",
    "我是",
    "我住在",
    "我喜欢",
    "记住",
    "别",
    "张",
    "三个",
    "换成",
    "，",
    "“",
    "A",
    "a",
    "1",
    "12:",
    "@",
    "-",
    "(",
    "`",
    ".",
    "x's",
    "just ",
    "please ",
    "and ",
    "Jan ",
    "my ",
    "the ",
    "I am ",
    "A ",
    "is ",
    "of ",
    "no ",
    "not ",
    "until ",
    "so ",
]
SEEDS += [
    "5 km ",
    "forget ",
    "how has ",
    "old a ",
    " ",
    "\n",
    "都" * 110 + "，",
    "是" * 110 + "，",
    "and " * 90 + ". ",
    "忘掉" * 50 + "，",
    "因为雨" * 38 + "了，",
    "我们也都" * 28 + "没了，",
    "Averylongword" * 28 + " is what it is. ",
    "Some Word " * 36 + "is what it is. ",
    "not-",
    "not - ",
    "remember ",
    "remember that ",
    "please remember ",
    "keep ",
    "never ",
    ", ",
    ",  " * 110,
    "过，",
    "喜欢 A ",
    "电话was而是12从%",
]


@lru_cache(maxsize=1)
def _slowness() -> float:
    """How much slower than an ordinary one this machine is: 1 at least; counting to a million takes 0.05 s there."""
    begin = time.process_time()
    for _ in range(1_000_000):
        pass
    return max(1.0, (time.process_time() - begin) / 0.05)


class TooSlow(Exception):
    """The reader used up its time."""


@pytest.fixture
def watched() -> Iterator[Callable[[Callable[[str], object], str], float]]:
    """Runs a reader and gives its CPU seconds; TooSlow once it has used three times what it may."""

    def over(_signal: int, _frame: FrameType | None) -> None:
        raise TooSlow

    def run(reader: Callable[[str], object], text: str) -> float:
        begin = time.process_time()
        signal.setitimer(signal.ITIMER_VIRTUAL, 3 * MOST)
        try:
            reader(text)
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        return time.process_time() - begin

    before = signal.signal(signal.SIGVTALRM, over)
    yield run
    signal.signal(signal.SIGVTALRM, before)


@pytest.mark.parametrize("name", READERS)
def test_reading_repeated_words_takes_time_in_proportion(
    name: str, watched: Callable[[Callable[[str], object], str], float]
) -> None:
    reader = READERS[name]
    reader("my phone is 12. 我的电话是12。")  # Dictionaries are loaded once.
    slow = {}
    for seed in SEEDS:
        try:
            whole = watched(reader, (seed * LENGTH)[:LENGTH])
            if whole > MOST / 3:
                half = watched(reader, (seed * LENGTH)[: LENGTH // 2])
                if whole > MOST or whole > 3 * half + 0.3:
                    slow[seed[:12]] = (half, whole)
        except TooSlow:
            slow[seed[:12]] = (None, None)
    assert slow == {}


@pytest.mark.parametrize("name", READERS)
def test_reading_a_message_of_repeated_words_takes_no_noticeable_time(
    name: str, watched: Callable[[Callable[[str], object], str], float]
) -> None:
    reader = READERS[name]
    reader("my phone is 12. 我的电话是12。")
    slow = {}
    for seed in SEEDS:
        try:
            spent = watched(reader, (seed * SHORT)[:SHORT])
            if spent > AT_ONCE:
                # Once more with other words, of which nothing is kept: a busy machine is slow once, a hang always.
                spent = min(spent, watched(reader, (seed * SHORT)[: SHORT - 1]))
        except TooSlow:
            spent = 3 * MOST
        if spent > AT_ONCE * _slowness():
            slow[seed[:12]] = spent
    assert slow == {}


OPENINGS = ["I", "I have", "I never", "we", "The gate server is", "The gate server runs on Plover"]
OPENINGS += [
    "Runa is our tester",
    "I always eat plums",
    "I am allergic to plums",
    "I live in Plover",
    "I like plums",
]
OPENINGS += ["The gate pass costs $5", "The gate weighs 5 kg", "We test the gate on Plover"]
REPEATED = [
    "really",
    "only",
    "recently",
    "officially",
    "finally",
    "early",
    "just",
    "already",
    "no wait",
    "now",
    "too",
]
REPEATED += [
    "since it is",
    "since now",
    "after it all",
    "as of it all",
    "on it all",
    "for now",
    "because so",
    "for a while",
]
REPEATED += ["with my own", "and now"]


@pytest.mark.parametrize("opening", OPENINGS)
def test_no_words_are_read_in_two_ways_at_each_repetition(
    opening: str, watched: Callable[[Callable[[str], object], str], float]
) -> None:
    """A pattern that can read each of forty words in two ways tries all of them before it gives up: for ever."""
    _extract("my phone is 12.")
    slow = {}
    for word in REPEATED:
        text = f"{opening} {' '.join([word] * 40)} for Bob ahead {'z' * 60}."
        try:
            spent = watched(_extract, text)
        except TooSlow:
            spent = 3 * MOST
        if spent > AT_ONCE * _slowness():
            slow[word] = spent
    assert slow == {}
