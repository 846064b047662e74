"""Recognises that a sentence asks to forget something, in Chinese and English, and which words of it name what is to go.

Grammar, not phrases: a verb of removal (忘掉, 删, forget, erase) as a request, or a verb of keeping (记, 保存, remember, store)
under a prohibition; what it takes as its object stands behind it, before it (把 …, or fronted), or in the clause before.
What somebody did ("我忘了…", "I forgot"), reminders ("别忘了…") and work on files are no requests.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from memories.core.extraction.request_objects import EDGE
from memories.core.extraction.requests_en import BARE, DISMISSED, FOREVER, ONTO, is_attribute, read_en, wished
from memories.core.extraction.requests_zh import read_zh
from memories.core.text.clauses import PUNCTUATION
from memories.core.text.sentences import sentences


@dataclass(frozen=True, slots=True)
class Asked:
    """One request: `phrase` names what is to go ("" when it only points back), `context` is what its sentence said before.

    `start` and `end` bound the sentence in the text. `explicit` tells a verb of forgetting from "no need to note it".
    `standing` asks for ever ("以后都别记", "never store …").
    """

    phrase: str
    context: str
    start: int
    end: int
    standing: bool = False
    explicit: bool = True
    chinese: bool = False


_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`", re.DOTALL)
_QUOTED_LINE = re.compile(r"^[ \t]*[>＞].*$", re.MULTILINE)
_QUOTED = re.compile(r"\"[^\"\n]{4,400}\"|“[^”\n]{4,400}”|「[^」\n]{4,400}」|『[^』\n]{4,400}』")
_FILLER = re.compile(
    r"(?:actually|so|well|ok(?:ay)?|hey|hmm|oh|please|no|sorry|yes|yeah|对了|算了|好的?|嗯|那个|哦|唉|不好意思|麻烦你?|请)",
    re.IGNORECASE,
)
_HINT = re.compile(
    r"忘|删|剔|拿掉|划掉|勾掉|去除|铲除|清零|归零|抹|擦|清除|清掉|清空|去掉|移除|消除|销毁|没说|没讲|没提|没听|留着|记|保存|存储|存下|存着|[许准要别不用必]存|留(?:下|着)?(?:我|他|她|咱)|不记|保留|留存"
    r"|\b(?:forg[eo]t|unlearn|lose|take\b|(?:needs?|has|have) to (?:go|disappear)|(?:must|should|can) (?:go|disappear)|delete|erase|wipe|remove|purge|clear|scrub|discard|rid|drop|strike|remember|memori|stor|sav|keep|record|retain|not|log|track|hold|pretend|act)",
    re.IGNORECASE,
)
_CJK = re.compile(r"[\u3400-\u9fff]")
_SUPPOSED = re.compile(
    r"(?:如果|要是|假如|假使|倘若|万一|除非)(?!可以|方便|行)|\b(?:if|unless|suppose|when|whenever)\b(?! (?:you )?(?:can|possible|may))",
    re.I,
)
_ASKS = re.compile(r"[?？]\s*[\"'”’)）」』]*\s*$")
_CUT = re.compile(rf"{PUNCTUATION}|[：:。！!?？]+")


def asked(text: str) -> list[Asked]:
    """The requests to forget in a text, in order; [] for a text without one. Neither code nor quoted requests are looked at."""
    if _HINT.search(text) is None:
        return []
    plain = _without_quoted(_CODE.sub(_blank, text))
    found: list[Asked] = []
    before = ""
    for start, end in sentences(plain):
        found.extend(_of_sentence(plain[start:end], start, end, before))
        before = plain[start:end].strip(EDGE) or before
    return found


def _without_quoted(text: str) -> str:
    """The text without what it quotes: lines of a quoted message, and requests in quotation marks, are somebody else's words.

    A name or a value in quotation marks stays: it is no request by itself.
    """
    text = _QUOTED_LINE.sub(_blank, text)
    return _QUOTED.sub(lambda match: _blank(match) if asked(match[0][1:-1]) else match[0], text)


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def is_request(sentence: str) -> bool:
    """Whether the sentence asks to forget something, or not to keep it."""
    return bool(asked(sentence))


def _of_sentence(sentence: str, start: int, end: int, before: str) -> list[Asked]:
    if _HINT.search(sentence) is None or (_SUPPOSED.search(sentence) and not wished(sentence)):
        return []
    asks = _ASKS.search(sentence) is not None
    found: list[Asked] = []
    passed: list[str] = []
    pieces = _CUT.split(sentence)
    for at, piece in enumerate(pieces):
        clause = piece.strip(EDGE)
        if not clause:
            continue
        chinese = _CJK.search(clause) is not None
        if (
            not chinese
            and at + 1 < len(pieces)
            and ONTO.match(pieces[at + 1])
            and DISMISSED.fullmatch(clause)
            and not is_attribute(clause)
        ):
            passed.append(clause)
            continue
        one = (read_zh if chinese else read_en)(clause, asks)
        if one is None:
            if _FILLER.fullmatch(clause) is None:
                passed.append(clause)
            continue
        phrase, explicit, standing = one
        if phrase and not chinese and passed and BARE.fullmatch(clause) and not is_attribute(clause):
            passed.append(clause)  # "…, forget about comfort": so much for it, and no memory of it.
            continue
        if not phrase and found:
            # "…删了，别留着": the same request once more.
            found[-1] = replace(
                found[-1],
                explicit=found[-1].explicit or explicit,
                standing=found[-1].standing or (standing and _lasting(clause)),
            )
            continue
        context = "，".join(passed) if chinese else ", ".join(passed)
        if not phrase and not passed:
            context = before
        found.append(Asked(phrase, context, start, end, standing, explicit, chinese))
    return found


def _lasting(clause: str) -> bool:
    """ "不要再记了" only repeats the request; "以后都别记" and "never again" ask for ever."""
    return (
        re.search(r"以后|今后|往后|永远|从此|从现在|一律", clause) is not None
        or FOREVER.search(clause) is not None
    )
