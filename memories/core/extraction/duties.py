"""What the speaker still has to do, without a word of when: "I still have to send Anna the form", "我还得把合同寄给王芳"."""

from __future__ import annotations

import re

from memories.core.values.keyvalues import key_values

_ERRAND_EN = (
    r"(?:send|mail|e-?mail|post|ship|deliver|bring|hand|give|return|forward|fax|submit|file|upload|pay|transfer|reimburse|refund|repay|buy|order|book|reserve|renew|cancel|"
    r"call|phone|ring|text|reply|answer|write|invite|notify|inform|tell|show|fill|sign|print|scan|copy|collect|fetch|pick|drop|schedule|arrange|register|apply|enrol|"
    r"finish|complete|prepare|draft|review|proofread|translate|update|check|confirm|fix|repair|replace|install|wash|clean|pack|iron|water|sell|finalise|finalize|close)"
)
_OWES_EN = re.compile(
    rf"(?:(?:and|but|so|oh|also|well|by the way|besides)\b[,\s]*)*(?:I|we)(?P<still>\s+still|\s+haven't\s+yet|)(?:\s+(?:also|really|just|only|actually))*\s*"
    rf"(?:\s(?:have|need|ought|have got|am supposed|are supposed|am meant)\s+to|'(?:ve|m)(?P<yet>\s+still|)\s+(?:got|supposed|meant)\s+to|\s(?:gotta|must))"
    rf"(?P<later>\s+still|)(?:\s+(?:also|really|just|quickly|finally|go\s+and))*\s+(?P<do>{_ERRAND_EN})\b\s+(?!you\b)(?P<what>\S.{{2,100}})",
    re.IGNORECASE,
)
_OWES_THING_EN = re.compile(
    r"(?:(?:and|but|so|oh|also|well)\b[,\s]*)*(?:I|we)\s+still\s+owe\s+(?P<what>\S.{2,100})", re.IGNORECASE
)
_ERRAND_ZH = (
    r"(?:寄|邮|发送?|送|交|还给|归还|退|付|缴|转账?|汇|买|订|预订|预约|约|回复|回信|答复|回电|打电话|联系|通知|告诉|填|签|盖章|打印|复印|扫描|取|领|拿|带给|带去|借给|提交|上传|"
    r"办理?|申请|报名|登记|续|取消|退订|完成|写完|做完|改完|准备|整理|修改?|修好|修理|换掉|安装|检查|核对|确认|更新|翻译|洗|收拾|打包|搬|卖)"
)
_OWES_ZH = re.compile(
    rf"(?:对了|另外|还有|不过|而且|[,，\s])*(?:我|我们|咱们?|俺)(?P<still>(?:也|都|现在|今天)?还|)(?:得|必须|需要|要(?!不|是|么)|应该|该|欠着?)(?!不)(?P<what>[^，。？?]{{0,30}}?{_ERRAND_ZH}(?!你|您|大家)[^，。？?]{{0,30}})"
)
_OWED_ZH = re.compile(r"(?:我|我们|咱们?)还(?:欠着?|差)(?P<what>[^，。？?]{3,40})")
_NO_TASK_ZH = re.compile(
    r"[吗么呢]$|[了过]$|不[要用必]|没(?!有?[寄发送交还付买订])|多久|怎么|什么|几[个天次]"
)


def owed_en(clause: str) -> bool:
    """Whether the English clause tells an errand that the speaker has not done.

    "still" says so; without it, the errand must be about something exact ("I have to send Anna the form QX-12"): "I have
    to write more", "I need to get going" are talk.
    """
    bare = clause.strip(" ,.;!").replace("’", "'")
    if _OWES_THING_EN.fullmatch(bare):
        return True
    match = _OWES_EN.fullmatch(bare)
    if match is None:
        return False
    return bool(match["still"] or match["yet"] or match["later"]) or _exact(match["what"])


def owed_zh(clause: str) -> bool:
    """The same for Chinese: 还 says that it is not done yet."""
    bare = clause.strip(" ,，。.;；!！")
    if _NO_TASK_ZH.search(bare):
        return False
    if _OWED_ZH.fullmatch(bare):
        return True
    match = _OWES_ZH.fullmatch(bare)
    return match is not None and (bool(match["still"]) or _exact(match["what"]))


def _exact(what: str) -> bool:
    """Whether a code, a name, a title, a sum or an address stands in it."""
    return any(
        value.kind in {"code", "email", "url", "title", "name", "amount"} for value in key_values(what)
    )
