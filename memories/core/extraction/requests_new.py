"""What takes the place of what a sentence asks to forget: "forget my old address, the new one is …", …删了吧，换成…."""

from __future__ import annotations

import re

_WHICH = r"(?:one|address|number|name|e-?mail|value|job|place|date|time|password|plan|phone|[a-z]+)"
_NEW_EN = (
    re.compile(
        rf"(?:and|because|as|since|but|so|,|\s)*(?:the|my|our|his|her|their|its)\s+(?:new|current|present|latest|right|correct|updated)\s+{_WHICH}(?:\s+{_WHICH})?\s*(?:is|are|'s|will be|would be|:)\s*(?:now\s+)?(?P<value>.+)",
        re.I,
    ),
    re.compile(
        r"(?:and|because|as|since|but|so|,|\s)*(?:now\s+it(?:'s|\s+is)|it(?:'s|\s+is)\s+now|these\s+days\s+it(?:'s|\s+is))\s+(?P<value>.+)",
        re.I,
    ),
    re.compile(
        r"(?:and|because|as|since|but|so|,|\s)*it(?:'s|\s+is)\s+(?P<value>.+?)\s+(?:now|instead)", re.I
    ),
    re.compile(
        r"(?:and|because|as|since|but|so|,|\s)*(?:it(?:'s|\s+has|\s+was)?\s+)?(?:(?:just|recently|since)\s+)?(?:been\s+)?changed\s+to\s+(?P<value>.+)",
        re.I,
    ),
    re.compile(
        r"(?:and|but|so|please|,|\s)*(?:replace\s+(?:it|that)\s+(?:with|by)|(?:use|remember|note|take|save)\s+(?=.+\s(?:instead|from now on)))\s*(?P<value>.+?)(?:\s+(?:instead|from now on))?",
        re.I,
    ),
)
_NEW_ZH = (
    re.compile(
        r"(?:因为|由于|我|他|她|它|已经|现在|最近|刚刚?|早就|都|就|给我|帮我|请|把它|号码|地址|\s)*(?:换|改|变|更新|更正)(?:成|为|到|作)了?(?P<value>.+?)(?:了|吧|啦|的)*"
    ),
    re.compile(
        r"(?:我|他|她|它|\s)*(?:的|最)?(?:新|现在|目前|如今|正确|最新)的?(?:那?个|号码?|地址|电话|邮箱|名字|[^，是为在]{0,4})(?:就|已经|应该|现在)*(?:是|(?<![华认以因作成])为|叫|：|:)(?P<value>.+?)(?:了|啦|的)*"
    ),
    re.compile(
        r"(?:它|\s)*(?:现在|如今|目前)(?:已经|就|都|改)*(?:是|为|叫|用的?是?)(?P<value>.+?)(?:了|啦|的)*"
    ),
)
FORMER_ONE = re.compile(
    r"(?:the|my|our|that|his|her|their)\s+(?:old|former|previous|past|earlier|other|outdated)\s+(?:ones?|value|version|entry)|(?:那个?|我的?)?(?:旧|老|以前|之前|过去|原来|原先|从前)的?(?:那[个条项]|一[个条])?",
    re.I,
)
"""What was before what the clause beside it tells."""
NEWLY = re.compile(
    r"\b(?:now|new|newly|nowadays|these days|currently|moved|changed|switched|instead)\b|现在|如今|目前|新的?|换|改成|改为|搬",
    re.I,
)


def new_value(clause: str, *, chinese: bool) -> str:
    """The new value that a clause gives for what was named before it; "" for any other clause."""
    for pattern in _NEW_ZH if chinese else _NEW_EN:
        match = pattern.fullmatch(clause.strip(" \t\r\n，,。.;；!！").replace("’", "'"))
        if match is not None:
            return match["value"].strip(" ，,。.;；!！")
    return ""
