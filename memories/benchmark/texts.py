"""Generated statements and questions, Chinese and English by turns, of made-up but ordinary words."""

from __future__ import annotations

import random
from collections.abc import Sequence

_SYLLABLES = [
    "ba",
    "be",
    "bi",
    "bo",
    "da",
    "de",
    "di",
    "do",
    "fa",
    "fi",
    "ga",
    "go",
    "ka",
    "ke",
    "ko",
    "la",
    "le",
    "li",
    "lo",
    "ma",
    "me",
    "mi",
    "mo",
    "na",
    "ne",
    "ni",
    "no",
    "pa",
    "pe",
    "po",
    "ra",
    "re",
    "ro",
    "sa",
    "se",
    "so",
    "ta",
    "te",
    "ti",
    "to",
    "va",
    "ve",
    "vi",
    "za",
    "zo",
]
_HAN = "安柏彩晨丹岚枫谷禾菊康蓝梅宁鹏青荣松桃薇溪杨云泽竹海星月山河桥田园城港林泉石灯舟鹤鹿莲茶书画琴棋瓷"
_EN = (
    "We put the {a} next to the {b} in {c} on day {n}.",
    "The {a} from {c} costs {n} and came with a {b}.",
    "{c} asked whether the {b} still fits the {a}, number {n}.",
    "On the {n}th the {a} was moved from {c} to the {b}.",
    "My favourite {a} is the one that {c} built beside the {b}.",
)
_ZH = (
    "我们把{a}放在{c}的{b}旁边，编号{n}。",
    "{c}的{a}花了{n}元，还送了一个{b}。",
    "{c}问{b}和{a}是否合适，第{n}次了。",
    "{n}号那天{a}从{c}搬到了{b}。",
    "我最喜欢的{a}是{c}在{b}旁边做的那个。",
)
_ASK_EN = ("Where is the {a} of {c}?", "What did the {a} beside the {b} cost?", "Who moved the {b} to {c}?")
_ASK_ZH = ("{c}的{a}放在哪里？", "{b}旁边的{a}花了多少钱？", "谁把{b}搬到了{c}？")


def statements(number: int, seed: int) -> list[str]:
    """That many sentences, the same for the same seed; even ones English, odd ones Chinese."""
    return _made(number, seed, _EN, _ZH)


def questions(number: int, seed: int) -> list[str]:
    """That many questions about the same words."""
    return _made(number, seed, _ASK_EN, _ASK_ZH)


def _made(number: int, seed: int, english: Sequence[str], chinese: Sequence[str]) -> list[str]:
    rng = random.Random(seed)
    words = _english_words(400)
    names = _chinese_words(400)
    made = []
    for at in range(number):
        kind, source = (english, words) if at % 2 == 0 else (chinese, names)
        a, b, c = (source[min(int(rng.expovariate(1 / 80)), len(source) - 1)] for _ in range(3))
        made.append(rng.choice(kind).format(a=a, b=b, c=c, n=rng.randrange(1, 5000)))
    return made


def _english_words(number: int) -> list[str]:
    rng = random.Random(11)
    return ["".join(rng.choice(_SYLLABLES) for _ in range(rng.choice((2, 3, 3)))) for _ in range(number)]


def _chinese_words(number: int) -> list[str]:
    rng = random.Random(12)
    return ["".join(rng.choice(_HAN) for _ in range(2)) for _ in range(number)]
