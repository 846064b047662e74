"""People in the user's life by relation: one canonical name for the words of both languages."""

from __future__ import annotations

_ROWS: dict[str, str] = {
    "father": "爸爸|父亲|老爸|爸|爹|老爹|老爷子|阿爸|阿爹|dad|father|daddy|papa",
    "mother": "妈妈|母亲|老妈|妈|娘|老娘|阿妈|mom|mum|mother|mommy|mama",
    "parents": "父母|爸妈|家长|parents|folks",
    "grandfather": "爷爷|祖父|grandpa|grandfather|granddad",
    "grandmother": "奶奶|祖母|阿嬷|grandma|grandmother|granny",
    "maternal_grandfather": "外公|姥爷|外祖父",
    "maternal_grandmother": "外婆|姥姥|外祖母",
    "older_brother": "哥哥|大哥|哥|older brother|big brother|elder brother",
    "younger_brother": "弟弟|弟|younger brother|little brother",
    "older_sister": "姐姐|大姐|姐|older sister|big sister|elder sister",
    "younger_sister": "妹妹|妹|younger sister|little sister",
    "brother": "兄弟|brother",
    "sister": "姐妹|sister",
    "son": "儿子|大小子|小子|臭小子|son",
    "daughter": "女儿|闺女|daughter",
    "child": "孩子|小孩|宝宝|娃|child|kid|baby",
    "children": "孩子们|children|kids",
    "husband": "老公|丈夫|先生|孩子他爸|孩子爸|孩儿他爸|娃他爸|husband|hubby",
    "wife": "老婆|妻子|太太|媳妇|媳妇儿|老婆大人|孩子他妈|孩子妈|娃他妈|wife",
    "partner": "伴侣|对象|爱人|那口子|另一半|partner|spouse|significant other|fiancé|fiancée|fiance|fiancee|未婚妻|未婚夫",
    "boyfriend": "男朋友|男友|boyfriend",
    "girlfriend": "女朋友|女友|girlfriend",
    "father_in_law": "岳父|公公|丈人|father-in-law",
    "mother_in_law": "岳母|婆婆|丈母娘|mother-in-law",
    "brother_in_law": "brother-in-law",
    "sister_in_law": "sister-in-law",
    "uncle": "uncle",
    "aunt": "aunt|auntie|阿姨",
    "cousin": "cousin",
    "nephew": "nephew",
    "niece": "niece",
    "grandson": "grandson|孙子",
    "granddaughter": "granddaughter|孙女",
    "boss": "上司|老板|领导|主管|经理|上级|顶头上司|boss|manager|supervisor|line manager",
    "colleague": "同事|colleague|coworker|co-worker|workmate",
    "subordinate": "下属|手下|direct report|report",
    "assistant_person": "助理|秘书|assistant|secretary",
    "client": "客户|甲方|client|customer",
    "friend": "朋友|好友|好朋友|哥们|friend|buddy|pal",
    "best_friend": "闺蜜|死党|发小|最好的朋友|best friend",
    "roommate": "室友|舍友|roommate|flatmate|housemate",
    "classmate": "同学|同桌|老同学|classmate",
    "neighbor": "邻居|neighbor|neighbour",
    "teacher": "老师|班主任|teacher",
    "advisor": "导师|advisor|adviser|mentor",
    "student": "学生|学员|徒弟|student",
    "doctor": "医生|大夫|家庭医生|doctor|dentist|therapist",
    "lawyer": "律师|lawyer|attorney",
    "coach": "教练|coach|trainer",
    "landlord": "房东|landlord|landlady",
    "tenant": "租客|房客|tenant",
    "nanny": "保姆|nanny|babysitter",
    "dog": "狗|狗狗|小狗|dog|puppy",
    "cat": "猫|猫咪|小猫|cat|kitten",
}

# Chinese tells kin apart where English does not: each is its own relation, or 表哥 and 表妹 would share a slot
_OWN = (
    "叔叔 伯伯 伯父 大伯 舅舅 姑父 姨父 姨夫 姑姑 姑妈 姨妈 舅妈 婶婶 伯母 表哥 表弟 表姐 表妹 堂哥 堂弟 堂姐 堂妹 侄子 外甥 侄女 外甥女 "
    "外孙 外孙女 姐夫 妹夫 嫂子 弟妹 大舅子 小舅子 小姨子"
)
BY_WORD: dict[str, str] = {word: name for name, words in _ROWS.items() for word in words.split("|")}
BY_WORD |= {word: word for word in _OWN.split()}
ZH_RELATIONS: tuple[str, ...] = tuple(sorted((w for w in BY_WORD if not w.isascii()), key=len, reverse=True))
EN_RELATIONS: tuple[str, ...] = tuple(
    sorted((w for w in BY_WORD if w[0] in "abcdefghijklmnopqrstuvwxyz"), key=len, reverse=True)
)


def relation(word: str) -> str:
    """The canonical name of a relation; a word that the table does not know stands for itself."""
    return BY_WORD.get(word.casefold(), word.casefold())


MANY = frozenset(
    {
        "colleague", "friend", "classmate", "neighbor", "client", "student", "subordinate", "roommate", "teacher", "doctor", "child",
        "brother", "sister", "older_brother", "younger_brother", "older_sister", "younger_sister", "son", "daughter", "uncle", "aunt",
        "cousin", "nephew", "niece", "dog", "cat", "tenant", "coach", "lawyer",
    }
) | frozenset(_OWN.split())  # fmt: skip
"""Relations of which a person may have several: their names do not replace each other."""
NAMES: frozenset[str] = frozenset(BY_WORD.values())
"""The canonical names of all relations."""
ONE_EACH = NAMES - MANY
"""Relations of which a person has but one."""
