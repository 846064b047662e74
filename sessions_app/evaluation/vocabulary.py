"""Open vocabulary for generated scripts: names, codes, amounts and times, drawn from a seeded generator."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")

_EN_ONSETS = [
    "b",
    "br",
    "c",
    "d",
    "dr",
    "f",
    "g",
    "gr",
    "h",
    "j",
    "k",
    "l",
    "m",
    "n",
    "p",
    "r",
    "s",
    "st",
    "t",
    "v",
]
_EN_VOWELS = ["a", "e", "i", "o", "u", "ai", "ea"]
_EN_CODAS = ["l", "n", "r", "s", "th", "nd", "rk", "x", "m", "ck"]
_EN_FIRST = [
    "Nora",
    "Felix",
    "Iris",
    "Owen",
    "Mabel",
    "Hugo",
    "Tessa",
    "Silas",
    "Greta",
    "Amos",
    "Lena",
    "Otis",
]
_ZH_SURNAMES = "赵钱孙周吴郑冯陈褚卫蒋沈韩杨朱秦许何吕施"
_ZH_GIVEN = "岚栩衡砚澄筠昭珂屿樾芷霖谦翊瑾宥棠沐遥昕"
_ZH_NATURE = "白青远云松石长星雪海晨北南岭溪峰林原谷川"
_ZH_THINGS = "鹭帆桥塔舟灯鹤泉岩港野麓洲庭轩桐竹枫鹰荷"
_EN_DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"]
_ZH_DAYS = ["周一", "周二", "周三", "周四", "周五"]
_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"


class Vocabulary:
    """Draws values that never repeat within one script, so that a match in a context can mean one fact only."""

    def __init__(self, rng: Random, language: str) -> None:
        self.rng = rng
        self.zh = language == "zh"
        self._drawn: set[str] = set()

    def _unique(self, draw: object) -> str:
        assert callable(draw)
        for _ in range(10_000):
            value = str(draw())
            # A value inside another one would let the wrong fact match.
            if not any(value in other or other in value for other in self._drawn):
                self._drawn.add(value)
                return value
        raise ValueError("the vocabulary is used up: ask for fewer facts")

    def pick(self, options: Sequence[T]) -> T:
        return self.rng.choice(options)

    def _syllables(self, count: int) -> str:
        r = self.rng
        body = "".join(r.choice(_EN_ONSETS) + r.choice(_EN_VOWELS) for _ in range(count - 1))
        return (body + r.choice(_EN_ONSETS) + r.choice(_EN_VOWELS) + r.choice(_EN_CODAS)).capitalize()

    def project(self) -> str:
        if self.zh:
            return self._unique(lambda: self.pick(_ZH_NATURE) + self.pick(_ZH_THINGS))
        return self._unique(lambda: self._syllables(2))

    def person(self) -> str:
        if self.zh:
            return self._unique(lambda: self.pick(_ZH_SURNAMES) + self.pick(_ZH_GIVEN) + self.pick(_ZH_GIVEN))
        return self._unique(lambda: f"{self.pick(_EN_FIRST)} {self._syllables(2)}")

    def company(self) -> str:
        if self.zh:
            return self._unique(
                lambda: self.pick(_ZH_NATURE) + self.pick(_ZH_GIVEN) + self.pick(["实业", "物流", "印务"])
            )
        return self._unique(lambda: f"{self._syllables(2)} {self.pick(['Works', 'Freight', 'Supply'])}")

    def client(self) -> str:
        """A company that is written about, apart from those that are values."""
        return self.company()

    def town(self) -> str:
        if self.zh:
            return self._unique(lambda: self.pick(_ZH_NATURE) + self.pick(_ZH_GIVEN) + self.pick("州城镇"))
        return self._unique(lambda: self._syllables(2) + self.pick(["ford", "ville", "stead"]))

    def hotel(self) -> str:
        if self.zh:
            return self._unique(
                lambda: self.pick(_ZH_NATURE) + self.pick(_ZH_THINGS) + self.pick(["酒店", "客栈", "宾馆"])
            )
        return self._unique(lambda: f"{self._syllables(2)} {self.pick(['Inn', 'Hotel', 'House'])}")

    def tool(self) -> str:
        """A framework or program: a Latin name in either language, as in life."""
        return self._unique(lambda: self._syllables(2) + self.pick(["Kit", "Flow", "Base", "DB"]))

    def drink(self) -> str:
        if self.zh:
            return self._unique(
                lambda: self.pick(_ZH_NATURE) + self.pick(_ZH_GIVEN) + self.pick(["乌龙", "红茶", "咖啡"])
            )
        return self._unique(lambda: f"{self._syllables(2)} {self.pick(['tea', 'coffee', 'juice'])}")

    def length(self) -> str:
        """How long a text may be; no multiple of ten, so that no amount or room looks like it."""
        unit = "字" if self.zh else " words"
        return self._unique(lambda: f"{self.rng.randint(11, 99)}{self.rng.randint(1, 9)}{unit}")

    def code(self) -> str:
        def draw() -> str:
            return f"{self.pick(_LETTERS)}{self.pick(_LETTERS)}-{self.rng.randint(1000, 9999)}"

        return self._unique(draw)

    def amount(self) -> str:
        unit = "元" if self.zh else " euros"
        return self._unique(lambda: f"{self.rng.randint(12, 999) * 100}{unit}")

    def number(self) -> str:
        return self._unique(lambda: str(self.rng.randint(2001, 9998)))

    def room(self) -> str:
        def draw() -> str:
            letter, number = self.pick(_LETTERS), self.rng.randint(101, 2999)
            return f"{letter}座{number}室" if self.zh else f"room {letter}{number}"

        return self._unique(draw)

    def weekly_time(self) -> str:
        def draw() -> str:
            clock = f"{self.rng.randint(8, 18)}:{self.pick(['05', '10', '15', '20', '25', '35', '40', '45', '50', '55'])}"
            return f"{self.pick(_ZH_DAYS)}{clock}" if self.zh else f"{self.pick(_EN_DAYS)} at {clock}"

        return self._unique(draw)

    def date(self) -> str:
        months = [
            "January",
            "February",
            "March",
            "April",
            "May",
            "June",
            "July",
            "August",
            "September",
            "October",
        ]

        def draw() -> str:
            month, day = self.rng.randint(1, 10), self.rng.randint(11, 28)
            return f"{month}月{day}日" if self.zh else f"{months[month - 1]} {day}"

        return self._unique(draw)
