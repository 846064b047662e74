"""What requests to forget take as their object, in both languages: matters of memory, not files or code."""

from __future__ import annotations

import re

EDGE = ' \t\r\n\u3000，,、。.;；:：!！?？~～…"“”'
"""What may stand around a clause without saying anything."""
Reading = tuple[str, bool, bool]
"""(phrase, explicit, standing)"""

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
