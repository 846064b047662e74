"""What kind of sentence it is before anything is read out of it: question, supposition, guess, request to forget, small talk."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memories.core.extraction.requests import is_request
from memories.core.text.clauses import statements
from memories.core.text.kept import kept
from memories.core.text.sentences import sentences

_WS = " \t\r\n\u3000"


@dataclass(frozen=True, slots=True)
class Clause:
    """text[start:end] of the turn, trimmed, with the sentence that it stands in."""

    text: str
    start: int
    end: int
    sentence: str
    sentence_start: int
    asks: bool = False


_CJK = re.compile(r"[\u3400-\u9fff]")

_ZH_ASK = re.compile(
    r"[吗么]$|什么(?!都|也|的$)|[怎咋](?:么|样)|为什么|为啥|(?<!无论)(?<!不管)哪(?:里|儿|个|些|位|天|年|种|家)|谁(?!都|也)|多少|几(?:点|个|岁|号|月|天|次)|多[大久高重长远](?!$)?"
    r"|是不是|有没有|能不能|要不要|会不会|可不可以|好不好|对不对|行不行|知不知道|是否|难道|(?<![现正])(.)不\1|啥(?!都|也)"
)
_ZH_TAG = re.compile(r"^(?:对吗|是吗|对吧|是吧|对不对|是不是|好吗|行吗|可以吗|没错吧)")
_EN_ASK = re.compile(
    r"^(?:(?:so|and|but|well|hey|oh|ok|okay|also|btw),?\s+)*(?:what|who|whom|whose|where|when|why|how|which|do|does|did|is|are|was|were"
    r"|can|could|would|will|should|shall|have|has|had|am|isn't|aren't|don't\s+you|didn't|won't|any|what's|where's|who's|how's)\b",
    re.IGNORECASE,
)
_EN_ASKS_ANYWAY = re.compile(
    r"(?:(?:so|and|but|hey|hmm|also|btw),?\s+)*(?:(?:can|could|would|will) you\b|how (?:can|do|should|could|would) |what(?:'s| is| are| should| can| would)\b|(?:should|can|could|do) (?:i|we)\b|do you\b|is (?:it|there|that)\b|which (?:one|of)\b)",
    re.IGNORECASE,
)
_SUPPOSE = re.compile(
    r"如果(?!你|您|需要|有(?:问题|事|需要))|要是(?!你|您)|假如|假设|假使|倘若|万一|若是|要不是|就算|即使|除非|的话(?![题语])|本来(?:想|要|打算)|差点|(?:梦|幻想)(?:见|到)|做梦"
    r"|[，,；;](?:但是?|不过|可是?|后来|最后|结果|现在|我们?|老板|领导|对方|他们|上面|公司){0,3}(?:还没(?:有)?(?:定|批|通过|决定|答应|同意|确定|落实|想好|最终)|没(?:有)?(?:答应|同意|批准?|通过|成功|谈成|谈拢)|(?:被|给)?(?:拒绝|驳回|否决|辟谣))(?:了|呢|下来|好)*[。！!～~\s]*$"
    r"|\b(?:if(?![-\w]|\s+(?:you|anyone|needed|necessary|possible|there|that's|it's))|unless|suppose|supposing|imagine|what if|would have|could have|should have|wish|pretend"
    r"|hypothetically|let's say|almost|nearly|used to think)\b",
    re.IGNORECASE,
)
_PLAYS = re.compile(
    r"(?:^|[,;:.!—]\s*)(?:(?:and|so|but|now|ok(?:ay)?|please|just|hey|well|then)[,\s]+)*(?:(?:let['’]?s|let us|(?:can|could|shall|will) (?:we|you)|you (?:can|should|must|will)"
    r"|(?:i|we)(?:['’]d| would)? (?:want|like|need) (?:you|us) to|(?:we|i)(?:['’]re|['’]m|['’]ll| are| am| will)(?: going to)?)\s+(?:(?:all|both|just|now|please)\s+)*)?(?:pretend(?:ing)?|make[- ]believe|role[- ]?play(?:ing)?)\b"
    r"|(?:^|[，,；;。！!]\s*)(?:那么?|请|现在|今天|好)*(?:我们|咱们?|你|您|大家|让我们|我(?=来|就))?(?:一起|来|就|先|可以|要|也)*(?:假装|设想|想象(?!力)|幻想|扮演|假扮|装作|装成|权当|角色扮演)",
    re.IGNORECASE,
)
"""An order or a proposal to play something; not the telling of somebody who plays."""
_GUESS = re.compile(
    r"可能|也许|或许|大概(?![\d零一二两三四五六七八九十]|是?[\d零一二两三四五六七八九十])|好像|估计(?![\d])|似乎|说不定|恐怕|没准|我猜|不确定|不太清楚|不清楚|不知道|记不清|印象中|听说|据说|吧$"
    r"|\b(?:maybe|perhaps|might|probably|possibly|i guess|not sure|i suppose|seems?|seemingly|could be|may be|apparently|i heard|i doubt|don't know|no idea|likely)\b",
    re.IGNORECASE,
)
_SMALL_TALK = re.compile(
    r"(?:(?:你|您|大家)?好(?:的|呀|啊|哒|嘞|吧)?|嗨|哈喽|在吗|早|早安|晚安|早上好|下午好|晚上好|再见|拜拜|谢谢(?:你|您|啦|了)?|多谢|辛苦了?|不客气|没事|没关系|嗯+|哦+|噢+|啊+|哈+|呵+|嘿+|"
    r"对(?:的|啊|呀)?|是(?:的|啊|呀)|行(?:吧|啊)?|可以(?:的|啊)?|收到|明白了?|知道了|懂了|了解|不错|太好了|真棒|厉害|原来如此|这样啊|好吧|当然(?:了|啦)?|继续|算了|没有|没|不是|随便|都行"
    r"|(?:那|好|今天|今晚|这次|我们|咱们?|就|先)*聊(?:到|在)?这(?:儿|里|样)?(?:了|吧|啦|哈)*|(?:那|我们|咱们?|有空|以后|下次|改天|回头|明天)*再聊(?:了|吧|啦|哈)*)"
    r"|(?:hi|hey|hello|yo|thanks|thank you|thx|ty|cheers|ok|okay|k|sure|yes|yep|yeah|yup|no|nope|nah|great|good|nice|cool|awesome|perfect|wow|lol|haha+|hmm+|oh|ah|"
    r"got it|i see|sounds good|bye|goodbye|see you|see ya|good (?:morning|afternoon|evening|night)|welcome|you're welcome|no problem|np|alright|right|exactly|indeed|fine|go on|continue|"
    r"never mind|take care|congrats|congratulations|absolutely|definitely|of course|sorry|please|well|(?:that's|that is) (?:all|it)(?: (?:for (?:now|today|tonight)|from me))?|let's (?:leave|call) it (?:there|here|at that|a day|a night)|(?:talk|speak) (?:to you )?(?:later|soon|tomorrow|again))(?: (?:so much|a lot|very much|then|there|everyone|all|again|you))*",
    re.IGNORECASE,
)
_LOG = re.compile(
    r"^\s*(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|(?:\[?(?:DEBUG|INFO|WARN(?:ING)?|ERROR|TRACE|FATAL)\]?[ :])|Traceback|at [\w.$]+\(|File \"|[{\[<]|\$ |>>> |\w+=\S+ \w+=\S+)"
)


LONGEST = 600
"""Characters of a sentence that are read at once: what goes on longer without a stop is cut, so that reading stays linear."""


def _readable(text: str) -> list[tuple[int, int]]:
    """The bounds of the sentences, those that are too long cut at the last break within reach, else where reach ends."""
    bounds: list[tuple[int, int]] = []
    for begin, end in sentences(text):
        while end - begin > LONGEST:
            reach = begin + LONGEST
            cut = max(text.rfind(mark, begin + LONGEST // 2, reach) for mark in "，,；;、 \t")
            cut = cut + 1 if cut > 0 else reach
            bounds.append((begin, cut))
            begin = cut
        bounds.append((begin, end))
    return bounds


def split_clauses(text: str) -> list[Clause]:
    """The clauses of a turn in order, trimmed, none empty; `asks` marks those that ask something."""
    return list(_clauses(text))


@kept
def _clauses(text: str) -> tuple[Clause, ...]:
    found: list[Clause] = []
    for begin, end in _readable(text):
        sentence = text[begin:end].strip(_WS)
        if not sentence:
            continue
        start = text.index(sentence, begin)
        found.extend(_of_sentence(text, sentence, start))
    return tuple(found)


def _of_sentence(text: str, sentence: str, start: int) -> list[Clause]:
    chinese = _CJK.search(sentence) is not None
    question = re.search(r"[?？][\s\"'”’)）」』!！]*$", sentence) is not None
    trimmed = statements(sentence)
    clauses = []
    for index, (low, high) in enumerate(trimmed):
        last = index == len(trimmed) - 1
        piece = sentence[low:high]
        tag = index + 1 < len(trimmed) and _ZH_TAG.match(sentence[trimmed[index + 1][0] :]) is not None
        asks = (question and last) or tag or _asks(piece, chinese, question)
        clauses.append(Clause(piece, start + low, start + high, sentence, start, asks))
    return clauses


def _asks(piece: str, chinese: bool, question: bool) -> bool:
    if chinese:
        return _ZH_ASK.search(piece) is not None
    return (question and _EN_ASK.match(piece) is not None) or _EN_ASKS_ANYWAY.match(piece) is not None


def is_question(text: str) -> bool:
    """True when the whole text asks and states nothing."""
    clauses = split_clauses(text)
    return bool(clauses) and all(clause.asks or is_small_talk(clause.text) for clause in clauses)


def is_supposition(sentence: str) -> bool:
    """A condition, wish or near miss: what it says does not hold."""
    return _SUPPOSE.search(sentence) is not None


def is_play(sentence: str) -> bool:
    """The sentence asks to pretend: nothing that it says, in whichever of its clauses, is so."""
    return _PLAYS.search(sentence) is not None


_JEST = re.compile(
    r"(?:^|[，,；;、。…!！\s—-])\s*(?:(?:哈|嘿|嘻)+[，,]?)?(?:我)?(?:(?:跟|和)你)?(?:开(?:个|你的?)?(?:小)?玩笑|骗你|逗你(?:玩)?|说着玩|闹着玩|瞎说)(?:的|呢|啦|了|儿|哈)*[\s。.!！~～]*$"
    r"|(?:^|[,;.!—-])\s*(?:(?:i['’]?m|i was|only|just|ha+|lol|no)[\s,]+)*(?:kidding|joking|jk|j/k)[\s.!]*$",
    re.IGNORECASE,
)


def is_jest(sentence: str) -> bool:
    """What stands before was said in jest: "我搬到大连了，开玩笑的"."""
    return _JEST.search(sentence) is not None


def is_guess(clause: str) -> bool:
    """The speaker is not sure, or has it from hearsay."""
    return _GUESS.search(clause) is not None


def asks_to_forget(sentence: str) -> bool:
    """A request to delete or not to keep something ("忘掉我的电话", "don't save that")."""
    return is_request(sentence)


def is_small_talk(text: str) -> bool:
    """Greetings, thanks, fillers: nothing but words of courtesy."""
    bare = re.sub(r"[\W_]+", " ", text, flags=re.UNICODE).strip()
    if not bare:
        return True
    return all(_SMALL_TALK.fullmatch(part) for part in _courtesy_parts(text))


def _courtesy_parts(text: str) -> list[str]:
    parts = [re.sub(r"[^\w\s']+", "", part).strip() for part in re.split(r"[，。！？,.!?;；~～\n、]+", text)]
    return [part for part in parts if part]


def is_log(text: str) -> bool:
    """Program output: a log line, a trace or a data dump."""
    lines = [line for line in text.splitlines() if line.strip()]
    return bool(lines) and sum(1 for line in lines if _LOG.match(line)) * 2 > len(lines)
