"""Recognises that a sentence asks to forget something, in Chinese and English, and which words of it name what is to go.

Grammar, not phrases: a verb of removal (忘掉, 删, forget, erase) as a request, or a verb of keeping (记, 保存, remember, store)
under a prohibition; what it takes as its object stands behind it, before it (把 …, or fronted), or in the clause before.
What somebody did ("我忘了…", "I forgot"), reminders ("别忘了…") and work on files are no requests.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from memories.core.extraction.request_objects import EDGE, Reading
from memories.core.extraction.requests_dropped import is_dropped, is_wrong, rather, takes_back
from memories.core.extraction.requests_en import BARE, FOREVER, is_attribute, read_en, wished
from memories.core.extraction.requests_kept import (
    CUT_EN,
    CUT_ZH,
    ELSE,
    OTHERS,
    Kept,
    goes_on,
    kept_in,
    split_zh,
)
from memories.core.extraction.requests_new import new_value
from memories.core.extraction.requests_zh import read_zh
from memories.core.text.clauses import PUNCTUATION
from memories.core.text.sentences import sentences
from memories.core.text.signs import as_read


@dataclass(frozen=True, slots=True)
class Asked:
    """One request: `phrase` names what is to go ("" when it only points back), `context` is what its sentence said before.

    `start` and `end` bound the sentence in the text. `explicit` tells a verb of forgetting from "no need to note it".
    `standing` asks for ever ("以后都别记", "never store …"). `kept` are phrases for what is left out of it and has to stay;
    `beside` is what else its sentence says, `unsure` is a wish or a complaint that may be no request.
    """

    phrase: str
    context: str
    start: int
    end: int
    standing: bool = False
    explicit: bool = True
    chinese: bool = False
    kept: tuple[str, ...] = ()
    unsure: bool = False
    beside: tuple[str, ...] = ()


_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`", re.DOTALL)
_QUOTED_LINE = re.compile(r"^[ \t]*[>＞].*$", re.MULTILINE)
_QUOTED = re.compile(r"\"[^\"\n]{4,400}\"|“[^”\n]{4,400}”|「[^」\n]{4,400}」|『[^』\n]{4,400}』")
_FILLER = re.compile(
    r"(?:actually|so|well|ok(?:ay)?|hey|hmm|oh|please|no|sorry|yes|yeah|对了|算了|好的?|嗯|那个|哦|唉|不好意思|麻烦你?|请)",
    re.IGNORECASE,
)
_HINT = re.compile(
    r"忘|删|知道|了解|没告诉|没跟|剔|拿掉|划掉|勾掉|去除|铲除|清零|归零|抹|擦|清除|清掉|清空|去掉|移除|消除|销毁|没说|没讲|没提|没听|留着|记|保存|存储|存下|存着|[许准要别不用必]存|留(?:下|着)?(?:我|他|她|咱)|不记|保留|留存"
    r"|\b(?:forg[eo]t|unlearn|lose|take\b|(?:needs?|has|have) to (?:go|disappear)|(?:must|should|can) (?:go|disappear)|delete|erase|wipe|remove|purge|clear|scrub|discard|rid|drop|strike|remember|memori|stor|sav|keep|record|retain|not|log|track|hold|pretend|act|know|hear)",
    re.IGNORECASE,
)
_CJK = re.compile(r"[\u3400-\u9fff]")
_SUPPOSED = re.compile(
    r"(?:如果|要是|假如|假使|倘若|万一|除非)(?!可以|方便|行)|(?<!\bas )\b(?:if|unless|suppose|when|whenever)\b(?! (?:you )?(?:can|possible|may))",
    re.I,
)
_ASKS = re.compile(r"[?？]\s*[\"'”’)）」』]*\s*$")
_CUT = re.compile(rf"{PUNCTUATION}|[：:。！!?？]+")
_CUT_EN = re.compile(CUT_EN, re.IGNORECASE)
_WIDE = re.compile(
    r"\b(?:everything|all|anything|whatever|about|me)\b|一切|所有|全部|关于|我$", re.IGNORECASE
)
_AND = re.compile(r"^(?:and|or|nor|as well as|also|plus)\s+|^(?:和|及|以及|还有|跟|与|加上)", re.IGNORECASE)
_ALL_GONE = re.compile(
    r"(?:请|帮我|给我|你|您|把)*(?:的|其他的?|其它的?|其余的?|别的|剩下的?|一切|所有的?|全部)*(?:东西|事情?|内容|信息|记忆|记录)?(?:都|全都?|全部|统统|一律|一概|可以|给我|帮我|请|你|您)*"
    r"(?:忘|删|抹|清|擦|去|移|消|销)(?:掉|除|了|记|去|空|毁|干净)*(?:吧|了|好了|就行|就好|即可)*"
)
"""All else goes, said together with what is left out."""


def asked(text: str) -> list[Asked]:
    """The requests to forget in a text, in order; [] for a text without one. Neither code nor quoted requests are looked at."""
    text = as_read(text)
    if _HINT.search(text) is None:
        return []
    plain = _without_quoted(_CODE.sub(_blank, text))
    found: list[Asked] = []
    before = ""
    bounds = sentences(plain)
    for at, (start, end) in enumerate(bounds):
        sentence = plain[start:end]
        after = plain[slice(*bounds[at + 1])].strip(EDGE) if at + 1 < len(bounds) else ""
        here = _of_sentence(sentence, start, end, before, after)
        if not here and found and found[-1].end == (bounds[at - 1][1] if at else 0):
            if _taken_back(sentence):
                found = [one for one in found if one.end != found[-1].end]
                before = ""
                continue
            if (meant := _meant_instead(_pieces(sentence), found[-1])) is not None:
                found[-1] = meant
                before = ""
                continue
            left_out = tuple(_kept_alone(sentence))
            if left_out:
                begin = bounds[at - 1][0]
                found = [
                    replace(one, kept=one.kept + left_out, end=end) if one.end > begin else one
                    for one in found
                ]
        if here and found and at and found[-1].end == bounds[at - 1][1] and is_wrong(_pieces(sentence)[0]):
            # "Forget my phone. No, forget my address."
            found = [one for one in found if one.end != found[-1].end]
        if found and len(here) == 1 and not here[0].phrase and found[-1].end == bounds[at - 1][1]:
            # "Delete my address. Don't keep it.": the same request once more.
            lasts = here[0].standing and _lasting(sentence)
            found[-1] = replace(found[-1], standing=found[-1].standing or lasts, end=end)
        else:
            found.extend(_meant_with(here, before))
        before = sentence.strip(EDGE) or before
    return found


def _meant_instead(pieces: list[str], one: Asked) -> Asked | None:
    """The request that "No." or 算了 behind it puts in doubt, or that "不对，是地址" makes one for something else; None for others."""
    if not 0 < len(pieces) < 3 or not is_wrong(pieces[0]):
        return None
    if len(pieces) == 1:
        return replace(one, unsure=True)
    phrase = rather(pieces[1])
    owner = re.match(r"我们?的?(?=.)|my\s|our\s", one.phrase, re.I)
    if owner is not None and phrase and re.match(r"我|my\s|our\s", phrase, re.I) is None:
        phrase = f"{owner[0]}{phrase}"
    return replace(one, phrase=phrase, context="") if phrase else None


def _meant_with(here: list[Asked], before: str) -> list[Asked]:
    """ "Keep my name. Forget everything else.": the sentence before names what is left out."""
    left_out = tuple(_kept_alone(before)) if any(OTHERS.search(one.phrase) for one in here) else ()
    if not left_out:
        return here
    return [
        replace(one, phrase="我的一切" if one.chinese else "everything", kept=left_out)
        if OTHERS.search(one.phrase)
        else one
        for one in here
    ]


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


def _of_sentence(sentence: str, start: int, end: int, before: str, after: str) -> list[Asked]:
    if _HINT.search(sentence) is None or (_SUPPOSED.search(sentence) and not wished(sentence)):
        return []
    asks = _ASKS.search(sentence) is not None
    found: list[Asked] = []
    passed: list[str] = []
    kept: list[str] = []
    first_kept: list[Kept] = []
    """Said before anything is asked: what is left out, or only something else to do."""
    excepting = False
    pieces = _pieces(sentence)
    for at, clause in enumerate(pieces):
        chinese = _CJK.search(clause) is not None
        following = pieces[at + 1] if at + 1 < len(pieces) else after
        last = pieces[at - 1] if at else ""
        if found and takes_back(clause, last):
            found.pop()
            continue
        if found and (meant := _meant_instead(pieces[at:], found[-1])) is not None:
            found[-1] = meant
            break
        if is_dropped(clause, last, following, passed):
            passed.append(clause)
            continue
        one, left_out = _read(clause, asks, chinese=chinese, excepted=bool(first_kept))
        if one is None:
            left = kept_in(clause, last, chinese=chinese)
            if left is not None and (found or left.firm or OTHERS.search(sentence)):
                if not found:
                    first_kept.append(left)
                elif left.firm or _WIDE.search(found[-1].phrase):
                    kept.append(left.phrase)
                excepting = True
                continue
            if _FILLER.fullmatch(clause) is not None:
                continue
            if excepting and goes_on(clause, chinese=chinese):
                more = Kept(_AND.sub("", clause), True)
                if found:
                    kept.append(more.phrase)
                else:
                    first_kept.append(more)
                continue
            passed.append(clause)
            continue
        excepting = left_out != ""
        if left_out:
            first_kept.append(Kept(left_out, True))
        phrase, explicit, standing = one.phrase, one.explicit, one.standing
        if phrase and not chinese and passed and BARE.fullmatch(clause) and not is_attribute(clause):
            passed.append(clause)  # "…, forget about comfort": so much for it, and no memory of it.
            continue
        if first_kept and (not phrase or ELSE.fullmatch(phrase)):
            phrase = "" if passed else ("我的一切" if chinese else "everything")
        elif OTHERS.search(phrase) and ELSE.fullmatch(phrase):
            first_kept += [
                Kept(phrase, True)
            ]  # Of what nobody said: nothing can be left out, so nothing goes.
        if not phrase and found and not first_kept:
            # "…删了，别留着": the same request once more.
            found[-1] = replace(
                found[-1],
                explicit=found[-1].explicit or explicit,
                standing=found[-1].standing or (standing and _lasting(clause)),
            )
            continue
        if found and is_wrong(last):
            found.pop()  # 忘掉我的电话，不，忘掉地址
        context = "，".join(passed) if chinese else ", ".join(passed)
        if not phrase and not passed:
            context = before
        found.append(Asked(phrase, context, start, end, standing, explicit, chinese, unsure=one.unsure))
    later = [piece for piece in _pieces(after) if new_value(piece, chinese=_CJK.search(piece) is not None)]
    beside = (*passed, *later)
    return [
        replace(one, beside=beside, kept=tuple(dict.fromkeys([*(left.phrase for left in first_kept), *kept])))
        for one in found
    ]


def _pieces(sentence: str) -> list[str]:
    """The clauses of a sentence, cut before what they except, too."""
    found = []
    for piece in _CUT.split(sentence):
        cut = CUT_ZH.split(piece) if _CJK.search(piece) else _CUT_EN.split(piece)
        found += [clause for one in cut if (clause := one.strip(EDGE))]
    return found


def _read(clause: str, asks: bool, *, chinese: bool, excepted: bool) -> tuple[Reading | None, str]:
    """What a clause asks, and what it leaves out of that; `excepted` when something is left out before it."""
    if not chinese:
        return read_en(clause, asks), ""
    if excepted and _ALL_GONE.fullmatch(clause):
        return Reading(""), ""
    split = split_zh(clause)
    if split is not None:
        rest, left_out = split
        one = Reading("") if _ALL_GONE.fullmatch(rest) else read_zh(rest, asks)
        if one is not None:
            return one, left_out
    return read_zh(clause, asks), ""


def _kept_alone(sentence: str) -> list[str]:
    """What a sentence of nothing else leaves out of the request before it ("But keep my name.")."""
    found: list[str] = []
    for clause in _pieces(sentence):
        chinese = _CJK.search(clause) is not None
        left = kept_in(clause, "all", chinese=chinese)
        if left is not None and left.firm:
            found.append(left.phrase)
        elif found and goes_on(clause, chinese=chinese):
            found.append(_AND.sub("", clause))
        elif _FILLER.fullmatch(clause) is None:
            return []
    return found


def _taken_back(sentence: str) -> bool:
    """A sentence of nothing else takes back the request in the one before."""
    pieces = _pieces(sentence)
    return 0 < len(pieces) < 3 and takes_back(pieces[-1], pieces[0] if len(pieces) == 2 else "")


def _lasting(clause: str) -> bool:
    """ "不要再记了" only repeats the request; "以后都别记" and "never again" ask for ever."""
    return (
        re.search(r"以后|今后|往后|永远|从此|从现在|一律", clause) is not None
        or FOREVER.search(clause) is not None
    )
