"""Finds the values in a text that a digest must not lose: numbers, codes, dates, names, contacts, snippets (R8)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

import rjieba

from memories.core.text.kept import kept
from memories.core.text.language import HAN
from memories.core.text.stopwords import word_set
from memories.core.text.words import is_cut_name
from memories.core.times.english import MONTH, MONTHS, WEEKDAY, WEEKDAYS


@dataclass(frozen=True, slots=True)
class KeyValue:
    """A value verbatim: text == source[start:end].

    `kind` is snippet, url, email, code, amount, date, time, number, title or name.
    """

    kind: str
    text: str
    start: int
    end: int


_ZH_NUM = "零〇一二两三四五六七八九十百千万亿半几"
_NUM = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,40}(?:\.\d{1,40})?"
_ZH_UNIT = (
    "万元|亿元|千元|百元|元|块钱|块|毛|万|亿|美元|欧元|日元|英镑|港币|人民币|%|个百分点|个小时|小时|个钟头|分钟|秒钟|秒|毫秒|"
    "个工作日|工作日|个星期|星期|个月|天|周|年|岁|人|位|名|次|遍|轮|条|件|份|台|套|辆|本|页|章|节|级|层|楼|栋|号楼|单元|室|"
    "公里|千米|厘米|毫米|米|公斤|千克|克|斤|吨|升|毫升|平方米|平米|平|度|倍|折|分|步|点|杯|瓶|只|张|把|间|家|所|门|个|字|行|票|股|"
    "兆|字节|寸"
)
_EN_UNIT = (
    r"%|percent|k\b|m\b|bn\b|million|billion|thousand|hundred|dollars?|bucks|usd\b|euros?|eur\b|gbp\b|rmb\b|cny\b|yuan|pounds?|cents?|"
    r"ms\b|seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?|km\b|kg\b|miles?|meters?|feet|ft\b|lbs?\b|"
    r"gb\b|mb\b|kb\b|tb\b|px\b|people|times|items|units|pages|lines|words|characters|points?|rows"
)
_DATE = "|".join(
    (
        r"\d{4}年(?:\d{1,2}月(?:\d{1,2}[日号])?)?",
        r"\d{1,2}月(?:\d{1,2}[日号]|[初中底])?",
        f"[{_ZH_NUM}]{{1,3}}月(?:[{_ZH_NUM}]{{1,3}}[日号]|[初中底])?",
        r"(?<!\d)\d{1,2}[日号](?![码线楼])",
        r"(?<![\d.])\d{4}[-/.]\d{1,2}(?:[-/.]\d{1,2})?(?![\d.])",
        r"(?<![\d./-])\d{1,2}/\d{1,2}(?:/\d{2,4})?(?![\d/])",
        rf"(?i:\b(?=[adfjmnos]){MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?\b(?:,?\s+\d{{4}})?)",
        rf"(?i:\b\d{{1,2}}(?:st|nd|rd|th)?(?:\s+of)?\s+{MONTH}\b(?:,?\s+\d{{4}})?)",
        rf"(?i:\b(?=[adfjmnos]){MONTH}\s+(?:of\s+)?\d{{4}}\b)",
        r"(?:每|下下|下个?|上个?|本|这个?)?(?:周|星期|礼拜)[一二三四五六日天末](?![个些次回遍趟])",
        r"(?:下下|下个?|上个?)(?:周|星期|礼拜|月)|[明后]天|[明去后前]年",
        rf"(?i:\b(?=[eflmnstw])(?:every\s+|next\s+|last\s+|this\s+)?{WEEKDAY}s?\b)",
        r"(?i:\b(?:tomorrow|next (?:week|month|year)|last (?:week|month|year))\b)",
        r"(?<![\d.,-])(?:19|20)\d{2}(?![\d.,-]|\s*(?:元|块|人|个))(?i:s\b)?",
    )
)
_DAYPART = "凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里"
_TIME = "|".join(
    (
        rf"(?:{_DAYPART})?\d{{1,2}}[:：]\d{{2}}(?:[:：]\d{{2}})?(?:\s*(?:[ap]m\b|[ap]\.m\.))?",
        rf"(?:{_DAYPART})?(?:\d{{1,2}}|[{_ZH_NUM}]{{1,3}})点(?:钟|整|半|一刻|三刻|[{_ZH_NUM}\d]{{1,3}}分?)?(?![{HAN}]{{0,1}}[头子儿])",
        r"\b\d{1,2}\s*(?:[ap]m\b|[ap]\.m\.)",
        r"\b(?:noon|midnight)\b",
    )
)
_SOURCES: Final = (
    ("snippet", r"```[\s\S]+?```|(?<!`)`[^`\n]{1,200}`(?!`)"),
    ("url", r"\b(?:https?|ftp|wss?|ssh|git)://[^\s<>\"'，。；、）)】》」]+"),
    ("email", r"[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+"),
    ("date", _DATE),  # Without regard to case only where letters are: the rest is passed over far sooner.
    ("time", rf"(?i:{_TIME})"),
    (
        "amount",
        rf"(?:[¥￥$€£]|(?i:\b(?:rmb|usd|eur|gbp|cny|us\$))\s?)\s?(?:{_NUM})(?:\s?(?i:{_EN_UNIT})|万|亿)?",
    ),
    (
        "code",
        r"(?<![A-Za-z0-9])(?=[A-Za-z0-9])(?=[A-Za-z0-9_./:#@-]{0,200}\d)(?=[A-Za-z0-9_./:#@-]{0,200}[A-Za-z])[A-Za-z0-9]+(?:[-_./:#@][A-Za-z0-9]+)*",
    ),
    (
        "code",
        r"(?<![A-Za-z0-9])[A-Za-z0-9]*_[A-Za-z0-9_]+|(?<![A-Za-z0-9/])(?:[\w-]{1,80}/){0,20}[\w-]{1,80}\.(?:py|js|ts|go|rs|java|md|txt|csv|json|ya?ml|toml|sql|sh|html|css|xlsx?|docx?|pptx?|pdf|png|jpe?g|zip|log|ini|conf)\b",
    ),
    (
        "code",
        r"(?<![\d.])\d+(?:[.-]\d+){2,}(?![\d.])|(?<![\d.-])\d{3,4}[- ]\d{4}(?:[- ]\d{4})?(?![\d-])|(?<!\d)\d{7,}(?!\d)",
    ),
    ("number", rf"(?:第\s?)?(?:{_NUM})\s?(?:{_ZH_UNIT})"),
    ("number", rf"\b(?:{_NUM})\s?(?:x\b|(?i:{_EN_UNIT}))"),
    ("number", rf"(?:第[{_ZH_NUM}]{{1,40}}|[{_ZH_NUM}]{{1,40}})(?:{_ZH_UNIT})"),
    ("number", rf"(?<![A-Za-z0-9.])[-+]?(?:{_NUM})(?![A-Za-z0-9])"),
    ("title", r"《[^》\n]{1,40}》|「[^」\n]{1,30}」|“[^”\n]{1,30}”|(?<!\w)\"[^\"\n]{1,40}\"(?!\w)"),
)
_WORDY = re.compile(r"\w")
_PATTERNS: Final = tuple((kind, re.compile(pattern)) for kind, pattern in _SOURCES)
_LIST_MARK = re.compile(r"(?m)^[^\S\n]*(?:\d{1,2}[.)、]|[-*•])\s+|^[^\S\n]*\d{1,2}[、.](?=\S)")
_VAGUE = re.compile(
    f"[一几半两]+(?:个|次|位|名|点|块|天|只|把|份|家|步|分|些|条|件|张|本|年|周|月|人|度|种|门|号)|[{_ZH_NUM}]|几.*|.*几.*|一万|万一|千万|百分"
)
_CAPITAL = re.compile(
    r"(?<![A-Za-z0-9'’])[A-Z][a-z\u00c0-\u024f]+(?:[A-Z][a-z]+)*(?:(?:\s|-)(?:(?:of|de|van|von|da|the)\s)?[A-Z][a-z\u00c0-\u024f]+)*|(?<![A-Za-z0-9])[A-Z]{2,6}(?![A-Za-z0-9])"
)
_SENTENCE_START = re.compile(r"(?:^|[.!?。！？:：\n\"“”‘(*>-])[\s*_\"“]*$")
_NOT_NAMES: Final = (
    word_set("""i i'm i'll i've i'd ok okay yes no hi hello hey thanks wow oh lol omg haha btw fyi asap tbh idk mr mrs ms dr english chinese
    in at on for from to of by with as after before since under during until all any each some no not the a an and but or so if it this that we you he she they my your what when where why how who can could would
    should do did does is are was were have has had will just also then there here please let sure great good nice well now
    absolutely definitely thank congrats congratulations sounds sorry maybe today tomorrow yesterday ai tv pm am id ids""")
    | frozenset([*MONTHS, *WEEKDAYS])
)
_ZH_NOT_NAMES: Final = word_set(
    "小时 宝宝 宝贝 老师 老板 阿姨 叔叔 爸爸 妈妈 哥哥 姐姐 弟弟 妹妹 明白 高兴 安静 成功 谢谢 哈哈 嗯嗯 中国 国内 国外"
)

_ZH_BESIDE_NAMES: Final = "给用在是聊把被让跟对从到找的了说"


def key_values(text: str) -> list[KeyValue]:
    """The values in the order of the text, none inside another; an earlier kind in the table wins an overlap.

    Numbers that only number a list, and vague ones (一个, 几天), are none.
    """
    return list(_key_values(text))


@kept
def _key_values(text: str) -> tuple[KeyValue, ...]:
    taken: list[tuple[int, int]] = [match.span() for match in _LIST_MARK.finditer(text)]
    found: list[KeyValue] = []
    for kind, pattern in _PATTERNS:
        for match in pattern.finditer(text):
            start, end = match.span()
            value = match.group()
            if (kind == "number" and _VAGUE.fullmatch(value)) or (
                kind == "title" and not _WORDY.search(value)
            ):
                continue
            if not value.strip() or any(start < right and left < end for left, right in taken):
                continue
            taken.append((start, end))
            found.append(KeyValue(kind, value, start, end))
    for start, end in [*_english_names(text), *_chinese_names(text)]:
        if not any(start < right and left < end for left, right in taken):
            taken.append((start, end))
            found.append(KeyValue("name", text[start:end], start, end))
    return tuple(sorted(found, key=lambda value: value.start))


def _english_names(text: str) -> list[tuple[int, int]]:
    """Capitalised words; one that only opens a sentence counts if it stands capitalised elsewhere, or before another."""
    spans: list[tuple[int, int]] = []
    openers: list[tuple[int, int, str]] = []
    inside: set[str] = set()
    for match in _CAPITAL.finditer(text):
        start, end = match.span()
        words = match.group().split()
        opens = bool(_SENTENCE_START.search(text[max(0, start - 6) : start]))
        while words and words[0].lower() in _NOT_NAMES:
            start += len(words[0]) + 1
            words = words[1:]
            opens = False
        while words and words[-1].lower() in _NOT_NAMES:
            end -= len(words[-1]) + 1
            words = words[:-1]
        if not words or start >= end:
            continue
        if opens and len(words) == 1 and not words[0].isupper():
            openers.append((start, end, words[0]))
            continue
        spans.append((start, end))
        inside.update(words)
    spans.extend((start, end) for start, end, word in openers if word in inside)
    return spans


def _chinese_names(text: str) -> list[tuple[int, int]]:
    """People (nr), places (ns) and organisations (nt) of two characters or more, by the word tagger."""
    spans: list[tuple[int, int]] = []
    for run in re.finditer(f"[{HAN}]{{2,}}", text):
        at = run.start()
        words = [(word, tag) for word, tag in rjieba.tag(run.group())]
        for place, (word, tag) in enumerate(words):
            if tag in {"nr", "nrt", "ns", "nt"} and word not in _ZH_NOT_NAMES:
                # The tagger takes a particle beside an unknown name for a part of it: 给雪樾, 韩筠翊是.
                left = len(word) - len(word.lstrip(_ZH_BESIDE_NAMES))
                right = len(word.rstrip(_ZH_BESIDE_NAMES))
                if (
                    place + 1 < len(words)
                    and right == len(word)
                    and is_cut_name((word[left:], tag), words[place + 1])
                ):
                    right += 1
                if right - left > 1:
                    spans.append((at + left, at + right))
            at += len(word)
    return spans
