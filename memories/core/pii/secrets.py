"""Rules for what must never be stored: passwords, API keys, tokens, private keys and connection strings."""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import Final

from memories.core.pii.rules import PiiRule
from memories.core.text.stopwords import word_set

_FOLLOWS: Final = word_set("""a an the not no too very so also still now here there what wrong incorrect invalid correct right expired required needed
    necessary mandatory optional strong weak long short safe secure unsafe same different unique being been stored saved kept
    hashed encrypted set reset changed forgotten lost compromised leaked hidden visible shown never always only just already
    going working case in on at to for with by from of my your his her our their it that this something nothing anything empty
    blank missing protected and or but as if when where how why managed manager field fields rotated sent shared bad good fine
    ok okay unknown protecting hard easy simple complex complicated locked blocked important critical more less at least
    longer shorter stuck broken stolen available default""")
_PLACEHOLDER = re.compile(r"(?i)your|example|x{6}|\*{3}|\.{3}|placeholder|1234567890")
_EXPRESSION = re.compile(
    r"[A-Za-z_$][\w$]*(?:\.[A-Za-z_]\w*)*[\[(]|[A-Za-z$][\w$]*\.[A-Za-z_][\w.]*$|[a-z]+(?:_[a-z]+)+$|[\w-]+[\"'][}\])]"
)
_ASCII = r"[\x21-\x7e]"
_VALUE_END = r"(?=[\s，。、；！？）】」』”’]|[.,;!?)\"'`]+(?:[\s\u4e00-\u9fff]|$)|$|[\u4e00-\u9fff])"
_NAMES_EN = r"(?:pass\s?(?:word|code|phrase)|passwd|pwd|pin(?:\s?(?:code|number))?|otp|(?:verification|security|access|login) code)"
_NAMES_ZH = r"(?:密码|口令|密匙|PIN\s?码|pin\s?码|验证码|校验码|动态码)"
_VERB_ZH = r"(?:一直是|就是|还是|都是|仍是|现在是|是|为|改成了?|改为了?|换成了?|设成了?|设为|设置[为成]|叫做?|用的是?|记一下|[:：=])"
_VERB_EN = r"(?:(?:is|are|was)(?:\s+(?:now|still|just|set to|simply))?|(?:changed|set|reset|updated)?\s*to(?:\s+be)?|[:=])"
_LONG_RUN = r"[A-Za-z0-9_\-./+=~]{12,}"
_KEY_WORDS = (
    r"(?:api[\s_-]?key|access[\s_-]?key(?:[\s_-]?id)?|secret(?:[\s_-]?(?:access[\s_-]?)?key)?|client[\s_-]?secret|auth(?:orization)?[\s_-]?token|"
    r"access[\s_-]?token|refresh[\s_-]?token|bearer|token|key|密钥|私钥|令牌|凭证|秘钥|助记词)"
)


def _mixed(value: str, before: str, after: str) -> bool:
    """True for a string that nobody would write as a word: letters and digits mixed, at least 3 bits a character."""
    counts = Counter(value)
    bits = -sum(n / len(value) * math.log2(n / len(value)) for n in counts.values())
    return (
        bits >= 3
        and any(c.isdigit() for c in value)
        and any(c.isalpha() for c in value)
        and not value.endswith((".py", ".md"))
    )


def _real(value: str, before: str, after: str) -> bool:
    """True unless the string is a stand-in, such as xoxb-your-token or sk-xxxxxxxx."""
    return any(char.isdigit() for char in value) and not _PLACEHOLDER.search(value)


def _is_code(value: str) -> bool:
    """True for an expression or a variable of a program: request.json['password'], hashed_password, os.environ."""
    return _EXPRESSION.match(value) is not None


def _zh_password(value: str, before: str, after: str) -> bool:
    """A value right after "密码是": not a question, not a rule about passwords ("8位以上"), not an English remark."""
    if value.lower() in _FOLLOWS or value.startswith(("[", "***")) or _is_code(value):
        return False
    return not (value.isdigit() and re.match(r"\s*(?:位|个|天|次|分钟|秒|年|小时|元)", after))


def _en_password(value: str, before: str, after: str) -> bool:
    bare = value.strip(".,;:!?\"'")
    if bare.lower() in _FOLLOWS or len(bare) < 4 or bare.startswith(("[", "***", "{", "<")) or _is_code(bare):
        return False
    if any(char.isdigit() or not char.isalnum() for char in bare):
        return re.match(r"(?i)\s*(?:characters?|digits?|chars|letters|days?|times|minutes)", after) is None
    # A plain word is a password when the sentence, or this part of it, ends there.
    return re.match(r"\s*(?:[.,;!?)\"'，。；！]|$|\n|and\b|for\b|but\b)", after) is not None


def _rule(kind: str, pattern: str, flags: int = 0) -> PiiRule:
    return PiiRule(kind, re.compile(pattern, flags))


SECRET_RULES: Final = (
    _rule(
        "secret",
        r"-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|\Z)",
    ),
    _rule(
        "secret",
        r"\b[a-z][a-z0-9+.-]{1,20}://[^\s:/@\u4e00-\u9fff]{1,64}:[^\s/@\u4e00-\u9fff]{1,128}@[^\s\u4e00-\u9fff，。；、）)\"'<>]+",
    ),
    _rule("secret", r"(?<![A-Za-z0-9])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*"),
    PiiRule(
        "secret",
        re.compile(
            r"(?<![A-Za-z0-9])(?:sk-(?:ant-|proj-|or-|svcacct-)?[A-Za-z0-9_-]{16,}|(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{12,}|"
            r"gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|gl(?:pat|ptt|dt|rt)-[A-Za-z0-9_-]{16,}|xox[abeoprs]-[A-Za-z0-9-]{10,}|"
            r"xapp-[A-Za-z0-9-]{10,}|(?:AKIA|ASIA|ABIA|ACCA)[A-Za-z0-9]{12,}|AIza[A-Za-z0-9_-]{30,}|ya29\.[A-Za-z0-9_-]{20,}|"
            r"LTAI[A-Za-z0-9]{12,}|AKID[A-Za-z0-9]{13,}|hf_[A-Za-z0-9]{20,}|npm_[A-Za-z0-9]{30,}|pypi-[A-Za-z0-9_-]{30,}|"
            r"SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}|shp(?:at|ca|pa|ss)_[a-fA-F0-9]{24,}|dop_v1_[a-f0-9]{32,}|"
            r"(?:gsk|xai|pplx|r8|nvapi|sntrys|dckr_pat)[_-][A-Za-z0-9_-]{20,})(?![A-Za-z0-9])"
        ),
        _real,
    ),
    _rule(
        "secret",
        r"(?i)(?<![A-Za-z0-9])(?:AccountKey|SharedAccessSignature|aws_secret_access_key)\s*=\s*([^\s;,，。]{12,})",
    ),
    PiiRule(
        "secret",
        re.compile(
            rf"(?i)(?<![A-Za-z0-9]){_KEY_WORDS}\s*(?:是|为|就是|is|was|[:：=]|\s)\s*[\"'“`]?({_LONG_RUN})(?![A-Za-z0-9])"
        ),
        _mixed,
    ),
    PiiRule(
        "credential",
        re.compile(rf"(?i){_NAMES_ZH}[\"”』」]?\s*{_VERB_ZH}\s*[\"'“`「]?({_ASCII}{{3,64}}?){_VALUE_END}"),
        _zh_password,
    ),
    PiiRule(
        "credential",
        re.compile(
            rf"(?i){_NAMES_ZH}\s*[:：]?\s*((?=[\x21-\x7e]*\d)[A-Za-z0-9@#$%^&*!_+=~-]{{4,64}}){_VALUE_END}"
        ),
        _zh_password,
    ),
    PiiRule(
        "credential", re.compile(rf"(?i){_NAMES_ZH}\s*{_VERB_ZH}\s*[\"“‘'「]([^\"”’'」\s]{{2,32}})[\"”’'」]")
    ),
    PiiRule(
        "credential",
        re.compile(
            rf"(?i)\b{_NAMES_EN}\s*(?:(?:for|to|of|on)\s+[\w' -]{{1,40}}?\s+)?{_VERB_EN}\s*[\"'“`]?({_ASCII}{{3,64}}?){_VALUE_END}"
        ),
        _en_password,
    ),
)
"""In order of precedence."""
