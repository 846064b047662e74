"""Rules for personal numbers and contacts: cards, identity papers, accounts, phones, e-mail, plates, addresses of hosts."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from memories.core.pii.checks import digits_of, iban, ipv4, luhn, us_ssn, zh_id, zh_id_shape

Check = Callable[[str, str, str], bool]
"""Takes the value, the text before it and the text after it."""


@dataclass(frozen=True, slots=True)
class PiiRule:
    """A pattern whose group 1 (else the whole match) is the value, and what must hold besides."""

    type: str
    pattern: re.Pattern[str]
    check: Check = lambda value, before, after: True


_OTHER_LABEL = re.compile(
    r"(?i)(?:订单|单号|单|运单|快递|物流|编号|编码|货号|条码|流水号?|序列号?|型号|版本号?|工单|发票|合同号?|会议(?:号|id)?|房间号?|房号|批次|"
    r"票号|取件码|股票|代码|案号|文号|考号|学号|工号|商品|航班|车次|热线|客服|版本|端口|金额|销量|库存|浏览量|时间戳|"
    r"\border|\btracking|\binvoice|\bticket|\bcase|\bserial|\bmodel|\bversion|\bpart|\bref(?:erence)?|\bbatch|\bbooking|"
    r"\bconfirmation|\bmeeting|\broom|\bsku|\bisbn|\bcommit|\bbuild|\bissue|\bcontract|\bproduct|\bitem|\btransaction|"
    r"\bhotline|\btimestamp|\b(?:user|customer|session|request|trace|job|run|task)[ _-]?id|\bupc|\bean|\bimei)"
    r"\s*(?:号码?|码|id|no\.?|number|num|code|#)?\s*(?:是|为|is|was|[:：=#])?\s*[\"“(（]?$"
)
_CARD_WORDS = re.compile(
    r"(?i)卡|\bcards?\b|\bvisa\b|master\s?card|\bamex\b|american express|\bcredit\b|\bdebit\b|工资.{0,6}打|退款到"
)
_ID_WORDS = re.compile(
    r"(?i)身份证|身份号|证件号|公民身份|\bid card\b|national id|identity (?:card|number)|resident id"
)
_SSN_WORDS = re.compile(r"(?i)\bssn\b|social security|\bitin\b|taxpayer")
_PASSPORT_WORDS = re.compile(r"(?i)护照|passport|通行证|travel document")
_LICENCE_WORDS = re.compile(r"(?i)driver'?s?'?\s*licen[cs]e|driving\s*licen[cs]e|\bdl\b|驾驶证|驾照")
_BANK_WORDS = re.compile(
    r"(?i)银行|开户|转账|汇款|对公|支行|收款|账户|账号|\bbank\b|\bwire\b|\brouting\b|\bchecking\b|\bsavings\b|\bsort code\b|"
    r"\baccount (?:number|no|#)|\bacct\b|\biban\b|\bswift\b"
)
_PHONE_WORDS = re.compile(
    r"(?i)电话|手机|座机|号码|致电|联系|拨打|打给|短信|传真|热线|微信同号|\bphones?\b|\btel(?:ephone)?\b|\bcall(?:ed|ing)?\b|\bmobile\b|"
    r"\bcell\b|\bfax\b|\boffice\b|\btext(?:ed|ing)?\b|\bmessages?\b|\bcontact\b|\bring\b|\bdial\b|\bsms\b|\bwhatsapp\b|"
    r"\breach\b|\b(?:my|his|her|their|registered) number\b"
)
_PHONE_AFTER = re.compile(r"(?i)^\s*\(?(?:office|fax|mobile|cell|home|work|phone)\b")
_EDGE = r"(?<![A-Za-z0-9])"
_END = r"(?![A-Za-z0-9])"


def _near(words: re.Pattern[str], before: str, reach: int = 24) -> bool:
    return words.search(before[-reach:]) is not None


def _other(before: str) -> bool:
    """True when the words right before the value call it something that is not personal (an order, a version)."""
    return _OTHER_LABEL.search(before[-28:]) is not None


def _is_card(value: str, before: str, after: str) -> bool:
    digits = digits_of(value)
    called = _near(_CARD_WORDS, before)
    if len(set(digits)) == 1 or _other(before):
        return False
    if called:
        return 12 <= len(digits) <= 19 and (luhn(digits) or len(digits) >= 15)
    shaped = digits[0] in "3456" or digits[:4] in {"2131", "1800"} or "2221" <= digits[:4] <= "2720"
    return 14 <= len(digits) <= 19 and shaped and luhn(digits) and not zh_id(digits)


def _is_zh_id(value: str, before: str, after: str) -> bool:
    compact = value.replace(" ", "")
    if _near(_ID_WORDS, before, 16):
        return zh_id_shape(compact) or (len(compact) in {15, 18} and compact[:-1].isdigit())
    return zh_id(compact) and not _other(before)


def _is_ssn(value: str, before: str, after: str) -> bool:
    if value.isdigit():
        return us_ssn(value) and _near(_SSN_WORDS, before, 40)
    return us_ssn(value) and not _other(before)


def _is_account(value: str, before: str, after: str) -> bool:
    return 8 <= len(digits_of(value)) <= 22 and _near(_BANK_WORDS, before, 20) and not _other(before)


def _is_mobile(value: str, before: str, after: str) -> bool:
    return not _other(before)


def _is_landline(value: str, before: str, after: str) -> bool:
    separated = not value.isdigit()
    return not _other(before) and (separated or _near(_PHONE_WORDS, before))


def _is_grouped_phone(value: str, before: str, after: str) -> bool:
    """Groups of digits: a + or a bracket is telling, anything else needs a word for a phone near it."""
    count = len(digits_of(value))
    if not 7 <= count <= 15 or _other(before) or re.fullmatch(r"\d{4}[-./ ]\d{1,2}[-./ ]\d{1,2}", value):
        return False
    if value.startswith("+") and count >= 9:
        return True
    return _near(_PHONE_WORDS, before) or _PHONE_AFTER.search(after[:12]) is not None


def _is_ip(value: str, before: str, after: str) -> bool:
    return ipv4(value) and not re.search(
        r"(?i)(?:\bv|版本号?|version|release)\s*(?:是|为|is|[:：])?\s*$", before[-12:]
    )


def _is_plate(value: str, before: str, after: str) -> bool:
    return any(char.isdigit() for char in value) or "牌" in before[-8:]


_GROUPS = r"(?:\(\+?\d{1,4}\)|\+?\d{1,5})(?:[ .\-/]{0,2}\(\d{1,4}\))?(?:[ .\-/]{1,2}\d{1,5}|(?<=\))\d{1,5}){1,5}(?:\s?(?:x|ext\.?)\s?\d{1,6})?"
_PLATE = "[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼]"

RULES: Final = (
    PiiRule(
        "email",
        re.compile(
            rf"{_EDGE}[A-Za-z0-9](?:[A-Za-z0-9._%+-]*[A-Za-z0-9_%+-])?@(?:[A-Za-z0-9-]+\.)+[A-Za-z]{{2,24}}{_END}"
        ),
    ),
    PiiRule(
        "bank_account",
        re.compile(
            rf"{_EDGE}[A-Za-z]{{2}}\d{{2}}(?: ?[A-Za-z0-9]{{4}}){{2,7}}(?: ?[A-Za-z0-9]{{1,3}})?{_END}"
        ),
        lambda v, b, a: iban(v),
    ),
    PiiRule(
        "id_number", re.compile(rf"{_EDGE}(?:\d{{6}} ?\d{{8}} ?\d{{3}}[\dXx]|\d{{15}}){_END}"), _is_zh_id
    ),
    PiiRule(
        "id_number",
        re.compile(r"(?<![A-Za-z0-9-])(?:\d{3}-\d{2}-\d{4}|\d{3} \d{2} \d{4}|\d{9})(?![A-Za-z0-9-])"),
        _is_ssn,
    ),
    PiiRule(
        "id_number",
        re.compile(rf"{_EDGE}(?=[A-Z0-9 -]*\d{{3}})[A-Z]{{0,3}}\d[A-Z0-9]*(?:-[A-Z0-9]{{2,6}}){{0,3}}{_END}"),
        lambda v, b, a: 5 <= len(v) <= 20 and _near(_LICENCE_WORDS, b, 36),
    ),
    PiiRule(
        "passport",
        re.compile(rf"{_EDGE}(?:[A-Za-z]{{1,2}}\d{{6,9}}|\d{{8,9}}){_END}"),
        lambda v, b, a: _near(_PASSPORT_WORDS, b) and not _other(b),
    ),
    PiiRule(
        "card", re.compile(rf"(?<![A-Za-z0-9.+])(?<!\d[ -])\d(?:[ -]?\d){{11,18}}(?![ -]?\d){_END}"), _is_card
    ),
    PiiRule(
        "phone",
        re.compile(
            r"(?<![A-Za-z0-9.])(?<!\d-)(?:(?:\+|00)?86[ -]?|\(\+?86\) ?)?1[3-9]\d(?:[ -]?\d{4}){2}(?![A-Za-z0-9])(?!-\d)"
        ),
        _is_mobile,
    ),
    PiiRule(
        "phone",
        re.compile(
            r"(?<![A-Za-z0-9.])(?<!\d-)(?:\+86[ -]?)?(?:\(0\d{2,3}\) ?|0\d{2,3}[- ]?)[2-9]\d{2,3}[- ]?\d{4}(?:[-转]\d{1,6})?(?![A-Za-z0-9])(?!-\d)"
        ),
        _is_landline,
    ),
    PiiRule(
        "phone",
        re.compile(
            r"(?<![A-Za-z0-9.])(?<!\d[-/.])(?:\+?1[-. ]?)?(?:\([2-9]\d{2}\) ?|[2-9]\d{2}[-.])\d{3}[-.]\d{4}(?:\s?(?:x|ext\.?)\s?\d{1,6})?(?![A-Za-z0-9])(?![-.]\d)"
        ),
        lambda v, b, a: not _other(b),
    ),
    PiiRule(
        "phone",
        re.compile(rf"(?<![A-Za-z0-9.(+-])(?<!\d[ /-]){_GROUPS}(?![A-Za-z0-9])(?![-/:]\d)"),
        _is_grouped_phone,
    ),
    PiiRule("phone", re.compile(r"(?<![A-Za-z0-9.])\+\d{9,14}(?![A-Za-z0-9])")),
    PiiRule(
        "phone",
        re.compile(
            r"(?i)(?:电话|手机号?|号码|\bphone(?: number)?|\bcell|\bmobile|\bcall(?: me)?(?: at| on)?|\btext me(?: at)?)\s*(?:是|为|is|[:：])?\s*(\d{7,12})(?![A-Za-z0-9])"
        ),
        lambda v, b, a: not _other(b),
    ),
    PiiRule(
        "bank_account",
        re.compile(rf"(?<![A-Za-z0-9.+])(?<!\d[ -])\d(?:[ -]?\d){{7,21}}(?![ -]?\d){_END}"),
        _is_account,
    ),
    PiiRule("ip", re.compile(r"(?<![A-Za-z0-9.])\d{1,3}(?:\.\d{1,3}){3}(?![A-Za-z0-9])(?!\.\d)"), _is_ip),
    PiiRule("ip", re.compile(r"(?<![A-Za-z0-9:])(?:[0-9A-Fa-f]{1,4}:){7}[0-9A-Fa-f]{1,4}(?![A-Za-z0-9:])")),
    PiiRule("plate", re.compile(rf"{_PLATE}[A-Z][·• ]?[A-HJ-NP-Z0-9]{{5,6}}(?![A-Za-z0-9])"), _is_plate),
    PiiRule(
        "handle",
        re.compile(
            r"(?i)(?:微信号?|wechat(?:\s*id)?|wx|vx|v信)\s*(?:是|为|is|[:：])?\s*([A-Za-z][A-Za-z0-9_-]{5,19})(?![A-Za-z0-9_-])"
        ),
        lambda v, b, a: any(c.isdigit() or c in "_-" for c in v),
    ),
    PiiRule(
        "handle",
        re.compile(
            r"(?i)(?:微信号|微信id|wechat id)\s*(?:是|为|is|[:：])\s*([A-Za-z][A-Za-z0-9_-]{5,19})(?![A-Za-z0-9_-])"
        ),
    ),
    PiiRule(
        "handle",
        re.compile(
            r"(?i)(?<![A-Za-z])qq(?:号码?)?\s*(?:也行|也可以|也是|是|为|is|[:：])?\s*([1-9]\d{4,10})(?!\d)"
        ),
    ),
)
"""In order of precedence: an earlier rule's span wins an overlap."""
