"""Rules for postal addresses and people's names, Chinese and English."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import rjieba

from memories.core.text.language import HAN

Found = tuple[int, int]

_PROVINCES: Final = (
    "北京|天津|上海|重庆|河北|山西|辽宁|吉林|黑龙江|江苏|浙江|安徽|福建|江西|山东|河南|湖北|湖南|广东|海南|四川|贵州|云南|陕西|甘肃|"
    "青海|台湾|内蒙古|广西|西藏|宁夏|新疆|香港|澳门"
)
_NUMBER = r"(?:[A-Za-z]?\d{1,5}[A-Za-z]?(?:-\d{1,4})?|[一二三四五六七八九十百]{1,5}|[A-Za-z甲乙丙丁东南西北])"
_UNIT = rf"{_NUMBER}\s?(?:号楼|号院|单元|栋|幢|座|层|楼|室|户|房|号|弄|门)"
_ROAD = rf"[{HAN}A-Za-z0-9]{{1,14}}?(?:大道|大街|胡同|公路|路|街|道|巷|弄|里|村|屯|庄|小区|社区|花园|家园|花苑|公寓|大厦|广场|园区|苑|园|城|府|湾)"
_AREA = rf"[{HAN}]{{1,9}}?(?:特别行政区|自治区|自治州|自治县|街道|省|市|区|县|旗|镇|乡|州|盟)"
_ZH_ADDRESS = re.compile(rf"(?:{_AREA}\s?){{0,5}}(?:{_ROAD}\s?){{1,2}}(?:{_UNIT}\s?)+(?<!\s)")
_LEAD = re.compile(
    r"^.*(?:地址|住址|寄到|送到|发到|邮到|搬到|改成|改为|换成|填的?|住在|位于|坐落|家在|公司在|租在|住|址|寄|送|[在到是为成了去给叫从往])"
)
_EN_ADDRESS = re.compile(
    r"(?<![\w.-])\d{1,5}[A-Za-z]?(?:[-/]\d{1,4})?(?:\s+(?:[NSEW]\.?|North|South|East|West))?(?:\s+(?:[A-Z][\w'’.-]*|\d{1,3}(?:st|nd|rd|th))){1,4}?\s+"
    r"(?:Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Lane|Ln|Drive|Dr|Court|Ct|Way|Place|Pl|Square|Sq|Terrace|Parkway|Pkwy|Highway|Hwy|Circle|Crescent)\b\.?"
    r"(?:,?\s+(?:Apt|Apartment|Suite|Ste|Unit|Floor|Fl|Room|Rm|#)\.?\s*[\w-]{1,6})?"
    r"(?:,\s+[A-Z][A-Za-z.' -]{1,30})?(?:,?\s+[A-Z]{2})?(?:,?\s+\d{5}(?:-\d{4})?)?(?!\w)"
)

_SURNAMES: Final = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江"
    "尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤温康施文牛樊葛邢安齐易乔伍庞颜倪庄聂章鲁岳翟殷詹申欧耿关兰焦俞左柳甘祝包宁尚符舒阮柯纪梅童凌毕单季裴霍傅萧"
    "涂成苗谷盛曲翁冉骆蓝路游辛靳欧管柴蒙鲍华喻祁蒲房滕屈饶解牟艾尤阳时穆农司卓古吉缪简车项连芦麦褚娄窦戚岑景党宫费卜冷晏席卫米柏宗瞿桂全佟应臧闵苟邬边卞姬师和仇栾隋"
)
_DOUBLE: Final = (
    "欧阳|上官|司马|诸葛|司徒|东方|皇甫|尉迟|公孙|慕容|令狐|夏侯|长孙|宇文|端木|轩辕|南宫|西门|独孤|申屠|太史"
)
_NEVER_GIVEN: Final = frozenset(
    "的了是在有和跟去来要会能不就也都还又很给被让对从到向着过吗呢吧啊我你他她它们这那昨今个只每问看听做吃喝走跑打住买卖写送收找想用接说把申负因所但而且与或及等"
    "号码元块岁年月日时点分秒上下前后里外已曾应该请先再才快慢电话卡钱件条次位张，。、"
)
_CUE = re.compile(
    r"(?:我叫|名叫|叫做|名字(?:是|叫)?|姓名(?:是)?|本人|联系人|收件人|收货人|寄件人|开户人|户主|户名|持卡人|负责人|经办人|对接人|申请人|客户|同事|"
    r"同学|室友|邻居|老公|老婆|领导|主管|患者|病人|嘉宾|候选人|找|通知|转告|抄送给?|请问是)\s*(?:是|为|叫|[:：])?\s*"
)
_SURNAME = re.compile(rf"{_DOUBLE}|[{_SURNAMES}]")
_EN_NAME = re.compile(
    r"(?:\b[Mm]y (?:full |first |last )?name(?:'s| is)|\bI am called|\b[Cc]all me|\b(?:Mr|Mrs|Ms|Dr|Prof)\.?)\s+"
    r"([A-Z][\w'’-]+(?:\s+(?:[A-Z]\.\s+)?[A-Z][\w'’-]+){0,2})"
)


def addresses(text: str) -> Iterator[Found]:
    """Addresses exact enough to find a door: a street or estate with a number."""
    for match in _ZH_ADDRESS.finditer(text):
        start = match.start()
        province = re.search(_PROVINCES, match.group())
        if province:
            start += province.start()
        else:
            lead = _LEAD.match(match.group())
            start += lead.end() if lead else 0
        if match.end() - start >= 5 and re.search(rf"{_ROAD}\s?{_NUMBER}", text[start : match.end()]):
            yield start, match.end()
    for match in _EN_ADDRESS.finditer(text):
        yield match.span()


def people(text: str) -> Iterator[Found]:
    """Names of people: a surname and a given name after a word that announces one, or that the tagger takes for a name."""
    for match in _EN_NAME.finditer(text):
        yield match.span(1)
    for match in _CUE.finditer(text):
        name = _name_at(text, match.end())
        if name and not _is_word(text[name[0] : name[1]]):
            yield name
    for run in re.finditer(f"[{HAN}]{{2,}}", text):
        at = run.start()
        for word, tag in rjieba.tag(run.group()):
            compound = re.match(_DOUBLE, text[at:]) is not None
            if (tag in {"nr", "nrfg"} and len(word) > 1) or compound:
                name = _name_at(text, at)
                if name and (compound or name[1] - name[0] >= 2) and not _is_word(text[name[0] : name[1]]):
                    yield name
            at += len(word)


def _name_at(text: str, at: int) -> Found | None:
    """The name that starts at this offset: a surname and one or two characters that may be a given name."""
    surname = _SURNAME.match(text, at)
    if surname is None:
        return None
    end = surname.end()
    while end < len(text) and end - surname.end() < 2 and _may_be_given(text[end]):
        end += 1
    return (at, end) if end > surname.end() else None


def _may_be_given(char: str) -> bool:
    return re.match(f"[{HAN}]", char) is not None and char not in _NEVER_GIVEN


def _is_word(word: str) -> bool:
    """True when the dictionary knows the string as an ordinary word rather than as a name."""
    if word == word[0] * len(word):
        return True  # 谢谢, which the tagger takes for a name.
    return rjieba.has_word(word) and not any(tag in {"nr", "nrfg"} for _, tag in rjieba.tag(word))
