"""Scripts for retention: the 60-turn one, and seeded ones of any length with planted, updated and talked-around facts."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random

from sessions_app.evaluation.attributes import Attribute, attributes
from sessions_app.evaluation.small_talk import SMALL_TALK
from sessions_app.evaluation.vocabulary import Vocabulary

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
TURNS_A_SESSION = 60


@dataclass(frozen=True)
class ScriptTurn:
    """One message; `session` counts from 0."""

    role: str
    text: str
    at: datetime
    session: int


@dataclass
class Planted:
    """A fact to be asked at the end. `old_value` is what it was before an update; all indexes are turn numbers from 0."""

    question: str
    value: str
    turn: int
    old_value: str = ""
    updated_turn: int | None = None
    attribute: str = ""


@dataclass
class Script:
    """A conversation and what must still be known at its end."""

    name: str
    language: str
    turns: list[ScriptTurn] = field(default_factory=list)
    planted: list[Planted] = field(default_factory=list)

    @property
    def end(self) -> datetime:
        return self.turns[-1].at + timedelta(minutes=1)


def sixty(language: str) -> Script:
    """The 60-turn script: small talk and five planted facts at turns 2, 8, 18, 26 and 40 (counted from 1)."""
    zh = language == "zh"
    planted = {
        2: (
            "记一下,这个项目的合同编号是 KX-7731。"
            if zh
            else "Please note, the contract number of this project is KX-7731.",
            "签的那份协议是哪个编号?" if zh else "Which reference does our agreement carry?",
            "KX-7731",
        ),
        8: (
            "我们的同步会固定在每周三10:00。" if zh else "Our sync meeting is fixed on Wednesdays at 10:00.",
            "团队每个星期什么时候碰头?" if zh else "When does the team come together each week?",
            "10:00",
        ),
        18: (
            "这次活动的预算上限是4800元。" if zh else "The budget limit of this event is 4800 yuan.",
            "这次活动最多能花多少钱?" if zh else "How much may we spend on the event at most?",
            "4800",
        ),
        26: (
            "周报里不要用表格。" if zh else "Do not use tables in the weekly report.",
            "写周报的格式上有什么要避免的?"
            if zh
            else "What should be avoided in the form of the weekly report?",
            "不要用表格" if zh else "not use tables",
        ),
        40: (
            "这件事的负责人是林岚。" if zh else "The owner of this matter is 林岚.",
            "这件事该找谁?" if zh else "Whom do I turn to about this matter?",
            "林岚",
        ),
    }
    script = Script(f"60.{language}", language)
    talk = SMALL_TALK[language]
    for number in range(1, 61):
        at = START + timedelta(minutes=number)
        pair = talk[(number // 2) % len(talk)]
        if number in planted:
            said, question, value = planted[number]
            script.turns.append(ScriptTurn("user", said, at, 0))
            script.planted.append(Planted(question, value, number - 1))
        else:
            # Facts stand on even turns, so the user speaks on those and the assistant on odd ones.
            role = "user" if number % 2 == 0 else "assistant"
            script.turns.append(ScriptTurn(role, pair[0] if role == "user" else pair[1], at, 0))
    return script


def generated(length: int, facts: int, language: str, seed: int) -> Script:
    """A script of `length` turns with `facts` planted facts, a quarter of them updated, each with four distractors.

    Facts lie at random places of the first nine tenths, updates at random later places, distractors anywhere: two that
    share the fact's words without its value, a question about it that nobody answered, and the same attribute of something
    that is never asked for. The rest is small talk. Sessions of 60 turns, one each morning. Same arguments, same script.
    """
    rng = Random(f"{seed}/{language}/{length}")
    words = Vocabulary(rng, language)
    table = attributes(language)
    rounds = length // 2
    script = Script(f"{length}.{language}", language)
    said: dict[int, str] = {}
    free = list(range(rounds))
    rng.shuffle(free)

    def take(low: int, high: int) -> int:
        """A free round in [low, high)."""
        for position, slot in enumerate(free):
            if low <= slot < high:
                return free.pop(position)
        raise ValueError("the script is too short for so many facts")

    changing = [index for index in range(facts) if table[index % len(table)].change]
    updated = set(rng.sample(changing, facts // 4))
    entities: dict[str, list[str]] = {}
    around: list[str] = []
    for index in range(facts):
        attribute = table[index % len(table)]
        entity = _entity(attribute, entities, words, index // len(table))
        first_value = attribute.value(words)
        place = take(0, int(rounds * 0.9))
        said[place] = words.pick(attribute.say).format(e=entity, v=first_value)
        fact = Planted(
            words.pick(attribute.question).format(e=entity), first_value, place * 2, attribute=attribute.name
        )
        if index in updated:
            later = take(place + 1, rounds)
            fact.old_value, fact.value = first_value, attribute.value(words)
            fact.updated_turn = later * 2
            said[later] = words.pick(attribute.change).format(e=entity, v=fact.value)
        around += [one.format(e=entity) for one in rng.sample(attribute.distract, 2)]
        around.append(words.pick(attribute.asked).format(e=entity))
        around.append(words.pick(attribute.say).format(e=attribute.entity(words), v=attribute.value(words)))
        script.planted.append(fact)
    for one in around:
        said[take(0, rounds)] = one
    pair = SMALL_TALK[language][0]
    for number in range(length):
        session, minute = divmod(number, TURNS_A_SESSION)
        at = START + timedelta(days=session, minutes=minute)
        if number % 2 == 0:
            pair = words.pick(SMALL_TALK[language])
            script.turns.append(ScriptTurn("user", said.get(number // 2, pair[0]), at, session))
        else:
            answer = _answer(said[number // 2], language) if number // 2 in said else pair[1]
            script.turns.append(ScriptTurn("assistant", answer, at, session))
    return script


def _answer(said: str, language: str) -> str:
    """What an assistant without memory would say to it."""
    if said.endswith("?"):
        return "这个我不清楚。" if language == "zh" else "I do not know that."
    return "好的。" if language == "zh" else "All right."


def _entity(attribute: Attribute, entities: dict[str, list[str]], words: Vocabulary, turn: int) -> str:
    """Attributes of one kind share their entities, so that an entity alone does not tell which fact is asked for."""
    kind = attribute.entity.__name__
    known = entities.setdefault(kind, [])
    if turn >= len(known):
        known.append(attribute.entity(words))
    return known[turn]
