"""Text that is given to be worked on: "Translate this: …", "帮我润色这段话：…". What it says is nobody's memory."""

from __future__ import annotations

import re

_WORK_EN = (
    r"(?:translat\w*|summari[sz]\w*|proof-?read\w*|rewrit\w*|re-?phras\w*|paraphras\w*|edit(?:ing)?|copy-?edit\w*|shorten\w*|polish\w*|reword\w*|spell-?check\w*|"
    r"correct(?: the (?:grammar|spelling|english))|fix (?:the|this|my) (?:grammar|spelling|english|sentence|paragraph|text|wording)|improve (?:this|the|my) (?:text|sentence|paragraph|wording|writing|essay|email|letter)|"
    r"(?:write|continue|finish|complete) (?:me )?(?:an?|the|this|my) (?:\w+ ){0,3}(?:story|poem|email|letter|essay|paragraph|scene|dialogue|speech|caption|song|text|prompt)|"
    r"role-?play|turn (?:this|the following) into)"
)
_NOUN_EN = r"(?:text|paragraph|passage|sentence|draft|essay|article|email|letter|poem|excerpt|quote|transcript|story|abstract|bio|following|prompt|example|dialogue|caption|lyrics?)s?"
_GIVEN_EN = re.compile(
    rf"\s*(?:(?:please|hi|hey|hello|ok|okay|so|now|can you|could you|would you|will you|i need you to|i'd like you to|help me(?: to)?)[\s,]+)*{_WORK_EN}\b[^:]{{0,80}}"
    rf"|(?:.*\W)?(?:here(?:['’]s| is| are)|this is|below is|consider|given|take|read)\s+(?:the|a|an|my|this|our|some)\s+(?:\w+\s+){{0,3}}?{_NOUN_EN}\b[^:]{{0,40}}(?P<quoted>)",
    re.IGNORECASE,
)
_GIVEN_ZH = re.compile(
    r"\s*(?:请|麻烦|帮我|帮忙|你|能不能|可以|能|把|给我|将|再|下面|一下|，|,|\s)*"
    r"(?:翻译|润色|改写|总结|概括|归纳|校对|缩写|扩写|续写|仿写|朗读|解读|点评|批改|修改(?:一下)?(?:这|下面|以下)|优化(?:一下)?(?:这|下面|以下))[^：:]{0,24}"
    r"|.{0,12}(?:下面|以下|这)(?:的|这)?[一几]?(?:段|句|篇|首|封|个)?(?:话|文字|文章|句子|内容|邮件|信|诗|故事|段落|材料)[^：:]{0,16}(?:翻译|润色|改写|总结|概括|校对|缩写|扩写|续写)[^：:]{0,16}"
)
_COLON = re.compile(r"[:：]\s*(?=\S)")
_HEAD = re.compile(r"[^.!?。！？\n]{0,160}\Z")


def without_material(text: str) -> str:
    """The text with what it gives to be worked on blanked, at the same length.

    In quotation marks it ends with them, else with its paragraph, or, where it begins on a line of its own, with the text.
    """
    at = 0
    while (colon := _COLON.search(text, at)) is not None:
        at = colon.end()
        head = _HEAD.search(text, max(0, colon.start() - 160), colon.start())
        if head is None or not _gives(head[0], text[colon.end() : colon.end() + 1], colon[0]):
            continue
        at = _end(text, colon.end())
        text = text[: colon.end()] + re.sub(r"[^\n]", " ", text[colon.end() : at]) + text[at:]
    return text


def _gives(head: str, opens: str, colon: str) -> bool:
    """Whether the words before a colon ask for what follows to be worked on, or present it as a text."""
    found = _GIVEN_EN.fullmatch(head)
    if found is not None:
        return found["quoted"] is None or opens in _CLOSING or "\n" in colon
    return _GIVEN_ZH.fullmatch(head) is not None


_CLOSING = {'"': '"', "“": "”", "‘": "’", "'": "'", "「": "」", "『": "』", "《": "》"}


def _end(text: str, start: int) -> int:
    closing = _CLOSING.get(text[start : start + 1])
    at = text.find(closing, start + 1) if closing is not None else -1
    if at != -1 and (closing != "'" or not text[at + 1 : at + 2].isalpha()):
        return at + 1
    if "\n" in text[max(0, start - 2) : start]:
        return len(text)
    stop = re.search(r"\n\s*\n|\n", text[start:])
    return start + stop.start() if stop else len(text)
