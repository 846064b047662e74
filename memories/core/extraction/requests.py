"""Recognises that a sentence asks to forget something, in Chinese and English, and which words of it name what is to go.

Grammar, not phrases: a verb of removal (忘掉, 删, forget, erase) as a request, or a verb of keeping (记, 保存, remember, store)
under a prohibition; what it takes as its object stands behind it, before it (把 …, or fronted), or in the clause before.
What somebody did ("我忘了…", "I forgot"), reminders ("别忘了…") and work on files are no requests.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

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
    r"忘|删|抹|擦|清除|清掉|清空|去掉|移除|消除|销毁|没说|没讲|没提|没听|留着|记|保存|存储|存下|存着|保留|留存"
    r"|\b(?:forget|unlearn|delete|erase|wipe|remove|purge|clear|scrub|discard|rid|drop|strike|remember|memori|stor|sav|keep|record|retain|not|log|track|hold|pretend|act)",
    re.IGNORECASE,
)
_CJK = re.compile(r"[\u3400-\u9fff]")
_SUPPOSED = re.compile(
    r"(?:如果|要是|假如|假使|倘若|万一|除非)(?!可以|方便|行)|\b(?:if|unless|suppose|when|whenever)\b(?! (?:you )?(?:can|possible|may))",
    re.I,
)
_ASKS = re.compile(r"[?？]\s*[\"'”’)）」』]*\s*$")
_CUT = re.compile(rf"{PUNCTUATION}|[：:。！!?？]+")
_EDGE = ' \t\r\n\u3000，,、。.;；:：!！?？~～…"“”'

# ---------------------------------------------------------------- Chinese
_ASKING_ZH = (
    r"(?:(?:那么?|好(?:的|吧)?|嗯|哦|唉|对了|算了|就|请|麻烦|劳烦|拜托|烦请|你们?|您|帮我|帮忙|给我|替我|还是|可以|能不能|能|可不可以|能否|可否"
    r"|现在|马上|立刻|立即|赶紧|尽快|快|也|都|全都?|全部|先|干脆|直接|统统|彻底|完全|永久|一律|一概|以后|今后|往后|从(?:现在|今天?)(?:开始|起|以后)?|从此|再"
    r"|我(?:想|要|希望|需要)?(?:让|请|求|要|要求)(?:你|您)|我?(?:希望|要求|需要)(?:你|您)|(?:从|在)(?:你的|你)?(?:记忆|脑子|记录|系统|数据库|档案)(?:里面?|中|上))\s*)*"
)
_CLEAR = r"(?:忘掉|忘却|忘干净|抹掉|抹去|抹除|擦掉|擦除|清除|清掉|清空|清理掉|删掉|删除|删去|删干净|去掉|移除|消除|销毁)"
_SOFT = r"(?:忘了|忘记|忘|删了|抹了|清了|擦了|删)"
_TAIL = r"(?:掉|了|吧|干净|啊|呀|哦|哈|啦|嘛|呗|即可|就行|就好|好了|算了|好吗|好不好|行吗|可以吗|谢谢)*"
_NOT = r"(?:不(?:想|希望|愿意?)(?:让|要)?(?:你|您)(?:再|还|一直)?|别|不要|不用|不必|不需要|无需|无须|没必要|用不着|甭|请勿|勿|不许|不准|不可以?|停止|不得)"
_KEEP = r"(?:记住|记着|记下来?|记录下来?|记录|记忆|记(?![错得性号者账帐恨仇挂不])|保存下来?|保存|存储|储存|存下来?|存着|存(?![钱款在货折])|保留|留存|留着|记得(?=.*[^吗]$))"
_KEPT = r"(?:了|着|过|下来?|住|吧|啦|哦|啊|呀|它|这个|这些|那些|任何)*"
_AROUND = r"(?:都|也|就|请|你|您|再|全都?|全部|统统|彻底|完全|永久|一律|一概|一并|一起|帮我|给我|替我|麻烦|可以|以后|今后|往后|永远|继续|从此|直接|干脆|赶紧|马上|通通|(?:从|在)(?:你的|你)?(?:记忆|脑子|记录|系统|数据库|档案)(?:里面?|中|上))*"
_ZH_BA = re.compile(rf"{_ASKING_ZH}(?:把|将)(?P<what>.+?){_AROUND}(?:{_CLEAR}|{_SOFT}){_TAIL}")
_ZH_BA_KEEP = re.compile(rf"{_ASKING_ZH}{_NOT}{_AROUND}(?:把|将)(?P<what>.+?){_AROUND}{_KEEP}{_KEPT}")
_ZH_FIRST = re.compile(
    rf"(?P<ask>{_ASKING_ZH})(?:(?P<clear>{_CLEAR})|(?P<soft>{_SOFT}))(?:掉|了)?(?P<what>.*)"
)
_ZH_KEEP = re.compile(rf"(?P<ask>{_ASKING_ZH})(?P<no>{_NOT}){_AROUND}{_KEEP}(?P<kept>{_KEPT})(?P<what>.*)")
_ZH_FRONTED = re.compile(rf"(?P<what>.+?){_AROUND}(?:(?P<clear>{_CLEAR})|(?P<soft>{_SOFT}))(?P<tail>{_TAIL})")
_ZH_FRONTED_KEEP = re.compile(
    rf"(?P<what>.+?)(?P<mark>{_AROUND})(?P<no>{_NOT})(?P<more>{_AROUND}){_KEEP}(?P<kept>{_KEPT})"
)
_ZH_UNSAID = re.compile(
    r"(?P<what>.*?)(?:就|你)*当(?:作|做|成)?我?没(?:有)?(?:说|讲|提|发|问|听)(?:过|起过?|说过)?(?:了|吧|好了)*"
)
_SPEAKER = re.compile(
    r"(?:^|.*[^的])(?:我们?|咱们?|他们?|她们?|大家|别人|人家|谁|自己)(?:也|都|就|又|已经|刚刚?|早就?|总是?|老是?|经常|差点|快要?|快|会|要|想|怕|怎么|居然|竟然|完全|全|可能|好像|真的?|从来|还)*"
)
_POINTS_ZH = re.compile(
    r"(?:我|咱|你|您|他|她|它|这|那|此|关于|有关|刚|之前|以前|上次|上面|前面|昨天|今天|所有|一切|全部|任何|每|\S{1,14}的(?!时候|话$)|[“\"「]|\d)"
)
_FOREVER_ZH = re.compile(r"停止|都|全|一律|一概|统统|以后|今后|往后|永远|从此|从(?:现在|今)|任何|一切|再也")
_SPOKEN_ZH = re.compile(
    r"(?:刚才?|刚刚|上面?一?[句条段]|前面|之前|方才).{0,4}(?:[说讲发提聊]|[句条段]|话)|我(?:刚|方才).{0,2}[说讲发提]|我[说讲]的|这[句条段]|那[句条段]"
)

# ---------------------------------------------------------------- English
_ASKING_EN = (
    r"(?:(?:please|pls|ok(?:ay)?|so|and|well|hey|actually|oh|hmm|no|yeah|yes|now|then|also|just|kindly|but|sorry|alright|right"
    r"|(?:can|could|would|will) you(?: please| just| kindly)?|you (?:can|may|could|should|must|need to|have to|are to)"
    r"|i(?:'d| would)? (?:want|need|like|ask|prefer) (?:for )?you to|i(?:'m| am) asking you to|let's|go ahead and|feel free to|make sure (?:you|to)|be sure to"
    r"|from now on|in (?:the )?future|completely|permanently|immediately)[,!.]?\s+)*"
)
_OUT_EN = r"(?:forget(?!-|s\b|ting)|unlearn|unremember)(?:\s+(?:all\s+)?about)?"
_DELETE_EN = r"(?:delete|erase|wipe|remove|purge|clear|scrub|discard|get rid of|destroy|drop(?= (?:everything|anything|all|whatever|what)\b)|strike(?= .+ from your\b))(?:\s+(?:out|away))?"
_KEEP_EN = (
    r"(?:remember(?:ing)?|memori[sz](?:e|ing)|stor(?:e|ing)|sav(?:e|ing)|keep(?:ing)?(?: (?:track|a record|records?|a note|notes?) of)?|record(?:ing)?"
    r"|retain(?:ing)?|not(?:e|ing)(?: down)?|log(?:ging)?|hold(?:ing)? on ?to|track(?:ing)?|writ(?:e|ing) down|tak(?:e|ing) notes? (?:of|on|about))"
)
_NEVER_EN = r"(?:i(?:'d| would) (?:rather|prefer(?: it if)?) you (?:didn't|did not|don't|do not|not)|i (?:don't|do not|never) want you(?: to)?|do not|don't|dont|never|stop|quit|cease|no need to|there(?:'s| is) no need to|you (?:do not|don't|needn't)(?: need to| have to)?|no longer)(?:\s+(?:ever|please|again|even|bother to|bother))*"
_EN_OUT = re.compile(
    rf"{_ASKING_EN}(?:(?P<forget>{_OUT_EN})|(?P<delete>{_DELETE_EN}))(?:\s+(?P<what>.+))?", re.I
)
_EN_KEEP = re.compile(
    rf"(?P<ask>{_ASKING_EN})(?P<no>{_NEVER_EN})\s+(?P<verb>{_KEEP_EN})(?:\s+(?P<what>.+))?", re.I
)
_EN_UNSAID = re.compile(
    rf"{_ASKING_EN}(?:pretend|act (?:like|as if|as though)|imagine|let's say)\s+(?:that\s+)?i\s+(?:never|didn't|did not|hadn't|had not)\s+"
    r"(?:ever\s+)?(?:sa(?:y|id)|mention(?:ed)?|t(?:ell|old)|br(?:ing|ought) up|wr(?:ite|ote)|sen[dt])\b.*",
    re.I,
)
_EN_TAIL = re.compile(
    r"(?:[,\s]+(?:please|pls|now|right now|ok(?:ay)?|thanks?(?: you)?|for me|any ?more|any longer|again|ever again|from now on|in (?:the )?future|for good|forever|completely|permanently|immediately|all together|altogether"
    r"|(?:from|in|out of) (?:your|the) (?:memory|memories|records?|notes?|database|storage|system|files?)))+$",
    re.I,
)
_FOREVER_EN = re.compile(
    r"\b(?:never|stop|quit|cease|ever|any ?more|any longer|no longer|again|from now on|in (?:the )?future|for good|forever|always)\b",
    re.I,
)
_POINTS_BACK_EN = re.compile(
    r"(?:it|that|this|them|those|these|all (?:of )?(?:it|that|this|them)|that one|this one)", re.I
)
_POINTS_BACK_ZH = re.compile(
    r"(?:它们?|这个?|那个?|这些|那些|这件?事|那件?事|这一?[条点项]|那一?[条点项]|此事|这事儿?|那事儿?|啥|的?事)"
)
_MINE_EN = re.compile(
    r"(?:that|this|it|them|those|these|what|whatever|where|when|who|how|everything|anything|all|any|about|my|our|his|her|their|your (?:memor|note|record)|me\b|the (?:fact|thing|part|bit|last|previous)|[A-Z][\w-]+(?: [A-Z][\w-]+)*['’]s\b"
    r"|the [\w -]+ of |.*\babout\b|\W*\d)",
)
_DISMISSED_EN = re.compile(
    r"(?:ok(?:ay)?|just|actually|oh)?\s*forget\s+(?:it|that|this|(?:about\s+)?the\s+\w+)", re.I
)
_OTHERS_SAY_EN = re.compile(r"(?:what|whatever|how)\s+(?:he|she|they|people|everyone|anyone|others?)\s+(?:say|says|said|thinks?|thought|wants?)\b.*", re.I)  # fmt: skip
_ONTO_EN = re.compile(
    r"\s*(?:so\s+|and\s+|then\s+)?(?:let'?s|how about|what about|we'll|can we|could we|shall we)\b", re.I
)
"""Going on to something else: "forget it, let's get pizza" drops a plan, no memory."""
_FILES = re.compile(
    r"\b(?:files?|folders?|director(?:y|ies)|lines?|code|branch(?:es)?|tables?|rows?|columns?|functions?|methods?|class(?:es)?|variables?|comments?|commits?|photos?|pictures?|images?|screenshots?|videos?"
    r"|apps?|application|database|cache|cookies?|logs?|paragraphs?|sentences?|slides?|cells?|tests?|docs?|documents?|spreadsheets?|containers?|servers?|packages?|dependenc(?:y|ies)|duplicates?|spaces?|commas?|characters?|elements?|items? from|nodes?)\b"
    r"|文件夹?|目录|代码|分支|表格|数据表|那?[一二三四五六七八九十\d]+[行列]|函数|变量|注释|照片|图片|截图|视频|应用|软件|程序|缓存|日志|段落|幻灯片|单元格|文档|容器|服务器|依赖|重复项|空格|逗号|字符|元素|节点|第.{1,3}[条行列段页章]",
    re.I,
)
_VERBS_AFTER_FORGET = re.compile(
    r"to\b|how\b(?! (?:old|tall|much|many|often|far|long|i\b|my\b|we\b|he\b|she\b))", re.I
)


def asked(text: str) -> list[Asked]:
    """The requests to forget in a text, in order; [] for a text without one. Neither code nor quoted requests are looked at."""
    if _HINT.search(text) is None:
        return []
    plain = _without_quoted(_CODE.sub(_blank, text))
    found: list[Asked] = []
    before = ""
    for start, end in sentences(plain):
        found.extend(_of_sentence(plain[start:end], start, end, before))
        before = plain[start:end].strip(_EDGE) or before
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
    if _HINT.search(sentence) is None or _SUPPOSED.search(sentence):
        return []
    asks = _ASKS.search(sentence) is not None
    found: list[Asked] = []
    passed: list[str] = []
    pieces = _CUT.split(sentence)
    for at, piece in enumerate(pieces):
        clause = piece.strip(_EDGE)
        if not clause:
            continue
        chinese = _CJK.search(clause) is not None
        if (
            not chinese
            and at + 1 < len(pieces)
            and _ONTO_EN.match(pieces[at + 1])
            and _DISMISSED_EN.fullmatch(clause)
        ):
            passed.append(clause)
            continue
        one = (_zh if chinese else _en)(clause, asks)
        if one is None:
            if _FILLER.fullmatch(clause) is None:
                passed.append(clause)
            continue
        phrase, explicit, standing = one
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
        or _FOREVER_EN.search(clause) is not None
    )


_LONGEST_ZH, _LONGEST_EN = 120, 400
"""Characters of a clause that can be a request; what is longer is a text."""

Reading = tuple[str, bool, bool]
"""(phrase, explicit, standing)"""


def _zh(clause: str, asks: bool) -> Reading | None:
    """What a Chinese clause asks to forget."""
    if len(clause) > _LONGEST_ZH:
        return None
    if asks and not re.search(r"能|可以|可否|好吗|好不好|行吗", clause):
        return None
    if (match := _ZH_UNSAID.fullmatch(clause)) is not None:
        return _back(match["what"]), True, False
    for pattern in (_ZH_BA, _ZH_BA_KEEP):
        if (match := pattern.fullmatch(clause)) is not None and not _on_files(match["what"]):
            keep = pattern is _ZH_BA_KEEP
            return _back(match["what"]), not keep, keep and _FOREVER_ZH.search(clause) is not None
    if (match := _ZH_KEEP.fullmatch(clause)) is not None and not _on_files(match["what"]):
        what = _back(match["what"])
        if not what or _POINTS_ZH.match(what) or _SPOKEN_ZH.search(what):
            return what, False, _forever_zh(clause, what)
    if (match := _ZH_FIRST.fullmatch(clause)) is not None and not _on_files(match["what"]):
        return _first_zh(match)
    if (match := _ZH_FRONTED_KEEP.fullmatch(clause)) is not None:
        return _fronted_keep(match, clause)
    if (match := _ZH_FRONTED.fullmatch(clause)) is not None:
        return _fronted(match)
    return None


def _first_zh(match: re.Match[str]) -> Reading | None:
    """忘掉X, 请忘了X, 删除关于X的…; with the verbs that also tell what happened, X must point at something known."""
    what = re.sub(rf"{_TAIL}$", "", match["what"].strip(_EDGE)) if match["what"] else ""
    polite = re.search(r"请|麻烦|拜托|帮|你|您|可以|能", match["ask"]) is not None
    told = match["what"].endswith(("了", "的吗", "啦")) and not match["what"].endswith(("了吧", "好了"))
    if match["soft"]:
        if not what:
            return ("", True, False) if polite or match["what"].endswith("吧") else None
        if told or (not _POINTS_ZH.match(what) and not (polite or match["what"].endswith("吧"))):
            return None
        if re.match(r"(?:你|您)$", match["ask"].strip()) and not match["what"].endswith("吧"):
            return None  # 你忘了我的生日: a reproach
    elif told and not polite:
        return None
    return _back(what), True, False


def _fronted_keep(match: re.Match[str], clause: str) -> Reading | None:
    """X不用记了, X的事都别记: a mark that it is about keeping in mind must stand there (了, 都, 再, 以后)."""
    what = match["what"].strip(_EDGE)
    marked = (
        match["mark"] or match["more"] or re.search(r"[了吧啦]", match["kept"]) or _SPOKEN_ZH.search(what)
    )
    if not marked or _SPEAKER.fullmatch(what) or _on_files(what) or re.search(r"[我他她]们?$", what):
        return None
    if re.fullmatch(r"(?:你们?|您|这(?:就|个就)?|也)+", what):
        what = ""
    return _back(what), False, _forever_zh(clause, what)


def _forever_zh(clause: str, what: str) -> bool:
    around = clause.replace(what, "", 1) if what else clause
    return _FOREVER_ZH.search(around) is not None and not _SPOKEN_ZH.search(what)


def _fronted(match: re.Match[str]) -> Reading | None:
    """X忘掉吧, X删掉: a plain 了 at the end tells what happened, and so does a person before the verb."""
    what = match["what"].strip(_EDGE)
    tail = match["tail"]
    asks = re.search(r"吧|即可|就行|就好|好了|好吗|好不好|行吗|可以吗", tail) is not None
    if (match["soft"] or "了" in tail) and not asks:
        return None
    if (
        re.search(rf"{_NOT}|没|难|不$|[怎如何]", what[-3:])
        or re.search(r"[把将被让]", what)
        or _on_files(what)
    ):
        return None
    if _SPEAKER.fullmatch(what) or (re.search(r"[我他她]们?$", what) and len(what) <= 3):
        return None
    return _back(re.sub(r"(?:请|就|你|您|也)+$", "", what)), True, False


def _on_files(what: str) -> bool:
    """Work on files, code and the like, unless it is said to be a matter of memory."""
    return _FILES.search(what) is not None and not re.search(
        r"记忆|关于|有关|我说|刚才|\b(?:about|memor|i (?:said|told|mentioned))", what, re.I
    )


def _back(what: str) -> str:
    """The phrase; "" when it only points back to what was said before."""
    bare = re.sub(r"(?<=.)(?:了|吧|吗|啊|呀|啦|哦)+$", "", what.strip(_EDGE)).strip(_EDGE)
    return "" if _POINTS_BACK_ZH.fullmatch(bare) else bare


def _en(clause: str, asks: bool) -> Reading | None:
    """What an English clause asks to forget."""
    if len(clause) > _LONGEST_EN:
        return None
    clause = clause.replace("’", "'")
    if asks and not re.search(r"\b(?:can|could|would|will) you\b", clause, re.I):
        return None
    if _EN_UNSAID.fullmatch(clause):
        return "", True, False
    if (match := _EN_OUT.fullmatch(clause)) is not None:
        what = _object_en(match["what"])
        if match["forget"]:
            if _VERBS_AFTER_FORGET.match(what) or _OTHERS_SAY_EN.fullmatch(what):
                return None
            return what, True, False
        if what and (_on_files(what) or not _MINE_EN.match(match["what"] or "")):
            return None
        return (what, True, False) if what or match["what"] else None
    if (match := _EN_KEEP.fullmatch(clause)) is not None:
        what = _object_en(match["what"])
        raw = match["what"] or ""
        if not raw or _on_files(raw) or not _MINE_EN.match(raw):
            return None
        if re.match(r"keep", match["verb"], re.I) and re.match(r"(?:me|him|her|us)\b", raw, re.I):
            return None
        standing = _FOREVER_EN.search(f"{match['ask']} {match['no']}") or (
            _FOREVER_EN.search(raw[len(what) :]) if what else None
        )
        return what, False, standing is not None and bool(what)
    return None


def _object_en(what: str | None) -> str:
    bare = _EN_TAIL.sub("", (what or "").strip(_EDGE)).strip(_EDGE)
    return "" if _POINTS_BACK_EN.fullmatch(bare) else bare
