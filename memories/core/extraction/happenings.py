"""What a clause tells as an event: something done or planned at a time that stands without the talk around it."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, tzinfo

from memories.core.extraction.en.verbs import is_gerund, is_past
from memories.core.extraction.signals import FIRST_PERSON, HAPPENS
from memories.core.text.stopwords import CLOSED_CLASS, word_set
from memories.core.times.parsing import TimeSpan
from memories.core.values.keyvalues import key_values

_OFTEN = re.compile(
    r"有时候?|偶尔|时不时|常常?|经常|往往|通常|一般(?!般)|平时|平常|平日|总(?:是|会|爱)|老是|一向|向来|习惯|每逢|一到|每到"
    r"|\b(?:sometimes|often|usually|typically|normally|generally|occasionally|rarely|seldom|(?<!will )(?<!['’]ll )always|whenever|every\s+(?:now|once|other|single)|from time to time|most\s+(?:days|weekends|mornings|nights|evenings|weeks)|tends?\s+to)\b",
    re.IGNORECASE,
)
"""Words that tell how often something is done: a habit, whatever time stands beside them."""
_SOME_DAY = re.compile(r"(?<![这上下本个周末])周末(?=.{0,6}(?:会|都|要|喜欢|爱|才|就|休|可以))")
"""周末会去跳舞 is no certain weekend."""
_POINTS_ZH = re.compile(
    r"^(?:这|那|它)(?:[张个些本件幅次部]|是|就是)"
    r"|(?:[去到来做看买吃拍画写试听玩用见选拿带穿参加尝](?:了|过|到|完|好)?)(?:它们?|这[个些件本部张]?|那[个些件本部张]?)(?:了|啦)?$"
)
_POINTS_EN = re.compile(
    r"^(?:(?:and|but|so|oh|well|yes|yeah|yep|also)\b[,\s]*)*(?:here['’]?s|here\s+(?:is|are)|th(?:is|at|ese|ose)(?:['’]s|\s+(?:is|are|was|were|[a-z]+))|it(?:['’]s)?)\b",
    re.IGNORECASE,
)
_POINTERS = frozenset({"it", "them", "this", "that", "these", "those", "one"})
_ON_FROM_IT = word_set("is was were are will would has had can could and i we he she they")
_TAKES_OBJECT = word_set("make try do buy see get take to in at on with for")
_WHEN = word_set(
    """last this next past week weekend month year day days yesterday today tonight tomorrow morning afternoon evening night ago monday tuesday wednesday thursday friday
    saturday sunday january february march april may june july august september october november december spring summer autumn fall winter together really too also"""
)
"""Words of when."""
_WORD = re.compile(r"[A-Za-z][\w'’-]*")
_SHELL_EN = re.compile(
    r"\b(?:have|has|had|having|got|get|need|took|take)\s+(?:(?:such|quite|a|an|some|another|so|much|the|my|one|of|most|very|really)\s+)*(?:[a-z-]+\s+){0,3}?"
    r"(?:times?|days?|weeks?|weekends?|nights?|experiences?|surprises?|fun|things?|stuff|moments?|luck|news|lots?|plans|photos?|pictures?)\b(?P<rest>.*)$",
    re.IGNORECASE,
)
"""It was had, and of which sort it was only what follows can tell ("I had a great time last week"); only nouns that fit anything."""
_SHELL_ZH = re.compile(
    r"(?:遇到|碰到|发生|有|听到|看到|收到|做|处理|经历|忙)(?:了|过|完)?(?:一|几|两|很多|许多|好多|不少)?(?:[件个些点种次条段]|一[些点])?[^，。]{0,8}?(?:事情?|问题|麻烦|消息|情况|困难|东西|工作|经历|烦恼)(?:要?[说讲聊])?[了的呢啊呀吧]*$"
)
_FAREWELL = re.compile(
    r"(?:再[见会聊]|(?:明天|明儿|后天|改天|下次|回头|晚点|一会儿?|(?:周|星期|礼拜)[一二三四五六日天])(?:再|咱们|我们)?[见聊说])[吧了哦啦呀]*[。！!~～]*$"
    r"|\b(?:see|talk\s+to|catch(?:\s+up)?(?:\s+with)?|meet|text|call)\s+(?:you|ya|u)\b",
    re.IGNORECASE,
)
"""What people part with: 回头再聊."""
_MIND_EN = re.compile(
    r"\b(?:have|has|got)\s+any\b|\b(?:I|we)(?:['’](?:m|re|ve|d))?\s+(?:(?:do|did|don['’]t|didn['’]t|really|just|still|also|kinda|already)\s+)*(?:know|think|thinking|considering|hoping|debating|dreaming|tempted|thought|hope|hoped|guess|wonder|wondered|remember|recall|feel|felt|wish|mean|meant|believe|bet|suppose|agree|understand|forgot|sure|glad|happy|sorry|excited)\b",
    re.IGNORECASE,
)
"""What is thought or felt: nothing that happens."""
_MIND_ZH = re.compile(
    r"(?:我|我们)(?:也|都|真的?|其实|现在|今天|最|很|更|比较|特别|不)*(?:觉得|感觉|认为|希望|知道|记得|相信|明白|感到|喜欢|讨厌|习惯)"
)
_SOMEBODY_EN = re.compile(r"\b(?:I|we|he|she|they|my|our|his|her|their)\b", re.IGNORECASE)


def happens(statement: str, sentence: str) -> bool:
    """Whether the words tell something that somebody did or will do, once, and what it was."""
    return (
        len(statement) >= 6
        and HAPPENS.search(statement) is not None
        and (_names(statement) or FIRST_PERSON.search(sentence) is not None)
        and not is_often(statement)
    )


def is_often(statement: str) -> bool:
    """Whether the words tell a habit: no date of theirs is one."""
    return _OFTEN.search(statement) is not None or _SOME_DAY.search(statement) is not None


def stands_alone(statement: str, *, chinese: bool) -> bool:
    """Whether the statement tells by itself what happened: it points at nothing ("I fixed it yesterday") and is no empty shell."""
    if _FAREWELL.search(statement):
        return False
    if chinese:
        return not (_POINTS_ZH.search(statement) or _SHELL_ZH.search(statement) or _MIND_ZH.search(statement))
    if _POINTS_EN.match(statement) or _MIND_EN.search(statement):
        return False
    if _SOMEBODY_EN.search(statement) is None and not _names(statement):
        return False
    return not (_acts_on_pointer(statement) or _is_shell(statement))


def on_another_day(span: TimeSpan, said_at: datetime, tz: tzinfo) -> bool:
    """Whether it lies wholly before or after the day on which it is told, and is no more than a month long."""
    today = said_at.astimezone(tz).replace(hour=0, minute=0, second=0, microsecond=0)
    apart = span.end <= today or span.start >= today + timedelta(days=1)
    return apart and span.end - span.start <= timedelta(days=31)


def ahead(span: TimeSpan, said_at: datetime, tz: tzinfo) -> bool:
    """Whether it ends after the day on which it is told: what is planned for it is still to come tomorrow."""
    tomorrow = said_at.astimezone(tz).replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
    return span.end > tomorrow and span.end - span.start <= timedelta(days=366)


def _names(statement: str) -> bool:
    return any(value.kind == "name" for value in key_values(statement))


def _acts_on_pointer(statement: str) -> bool:
    """ "I fixed it last week", "we are going to that hall": the object of an act is only pointed at."""
    words = _WORD.findall(statement)
    for at, word in enumerate(words[1:], start=1):
        if word.lower() not in _POINTERS:
            continue
        before = words[at - 1].lower()
        after = words[at + 1].lower() if at + 1 < len(words) else ""
        acted = is_past(before) or is_gerund(before) or before in _TAKES_OBJECT
        this = word.lower() in {"this", "that"}
        if not acted or after in _ON_FROM_IT or (this and after in _WHEN):
            continue
        told = [one for one in words[at + 1 : at + 4] if one.lower() not in CLOSED_CLASS | _WHEN]
        if word.lower() != "this" or len(told) < 2:  # "went to this old bakery" points at nothing
            return True
    return False


def _is_shell(statement: str) -> bool:
    match = _SHELL_EN.search(statement)
    if match is None:
        return False
    rest = [word.lower() for word in _WORD.findall(match["rest"])]
    return not any(word not in CLOSED_CLASS and word not in _WHEN for word in rest)
