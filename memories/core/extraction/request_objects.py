"""What requests to forget take as their object, in both languages: matters of memory, not files or code."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memories.core.extraction.attributes import lookup
from memories.core.text.words import tagged

EDGE = ' \t\r\n\u3000，,、。.;；:：!！?？~～…"“”'
"""What may stand around a clause without saying anything."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a clause asks to forget: `phrase` names it; `unsure` is a wish or complaint that is asked about first."""

    phrase: str
    explicit: bool = True
    standing: bool = False
    unsure: bool = False


_FILES = re.compile(
    r"\b(?:files?|folders?|director(?:y|ies)|lines?|code|branch(?:es)?|tables?|rows?|columns?|functions?|methods?|class(?:es)?|variables?|comments?|commits?|photos?|pictures?|images?|screenshots?|videos?"
    r"|apps?|application|database|cache|cookies?|logs?|paragraphs?|sentences?|slides?|cells?|tests?|docs?|documents?|spreadsheets?|containers?|servers?|packages?|dependenc(?:y|ies)|duplicates?|spaces?|commas?|characters?|elements?|items? from|nodes?)\b"
    r"|文件夹?|目录|代码|分支|表格|数据表|那?[一二三四五六七八九十\d]+[行列]|函数|变量|注释|照片|图片|截图|视频|应用|软件|程序|缓存|日志|段落|幻灯片|单元格|文档|容器|服务器|依赖|重复项|空格|逗号|字符|元素|节点|第.{1,3}[条行列段页章]",
    re.I,
)


def on_files(what: str) -> bool:
    """Work on files, code and the like, unless it is said to be a matter of memory."""
    return _FILES.search(what) is not None and not re.search(
        r"记忆|关于|有关|我说|刚才|\b(?:about|memor|i (?:said|told|mentioned))", what, re.I
    )


_DEFINITE_EN = re.compile(
    r"(?i:(?:about\s+)?(?:my|our|his|her|their|its|the|this|that|these|those|it|them|me|him|us|myself|everything|all|both|\"))(?![\w'])"
    r"|.*\b(?i:i|my|me|our|we|his|her|him|their|the|this|that|your)\b|.*(?<![\w.])[A-Z][\w-]+|.*[\d@\"“]"
)
_DEFINITE_ZH = re.compile(
    r".*(?:我|咱|他|她|它|这|那|刚|上次|上面|前面|之前|以前|昨天|今天|你的|您的|\d|[“「\"@])|关于|有关|所有|一切|全部"
)
_PEOPLE_ZH = re.compile(r"(?:别人|人家|大家|人们|用户|客户|有人|某人|谁|人)")
_LIGHT_ZH = re.compile(r"(?:事情?|东西|话|内容|信息|资料|记忆|数据|记录|消息|对话|细节)")


def is_definite_en(phrase: str) -> bool:
    """Whether an English object means something that both know (my …, the …, a name, a number), and not "things" at large."""
    return _DEFINITE_EN.match(phrase) is not None or lookup(phrase) is not None


def is_definite_zh(phrase: str) -> bool:
    """The same for Chinese: 我的…, 那件事, a name, an attribute; neither 东西 nor 别人的事."""
    if _DEFINITE_ZH.match(phrase) is not None or lookup(phrase) is not None:
        return True
    owner, mark, what = phrase.rpartition("的")
    if _PEOPLE_ZH.match(phrase) or _LIGHT_ZH.fullmatch(phrase):
        return False
    if mark and not _LIGHT_ZH.fullmatch(what):
        return True
    return any(tag[:2] in {"nr", "ns", "nt", "nz"} for _, tag in tagged(owner or phrase))
