"""Words that carry no meaning of their own: left out of the index and of queries."""

from __future__ import annotations

from typing import Final


def word_set(text: str) -> frozenset[str]:
    """The words of a text written with spaces, for lists that read better as running text."""
    return frozenset(text.split())


POSSESSIVES: Final = word_set("my your his her its our their")
DEMONSTRATIVES: Final = word_set("this that these those")
ARTICLES: Final = word_set("a an the")
QUANTIFIERS: Final = word_set(
    "all any both each every either neither some few many much more most less least other another such no"
)
DETERMINERS: Final = ARTICLES | POSSESSIVES | DEMONSTRATIVES | QUANTIFIERS
SUBJECTS: Final = word_set("i you he she it we they")
PRONOUNS: Final = SUBJECTS | word_set(
    """me him her us them mine yours hers ours theirs myself yourself himself herself itself ourselves yourselves themselves
    something anything everything nothing someone anyone everyone somebody anybody everybody nobody one ones there here"""
)
QUESTION_WORDS: Final = word_set("who whom whose what which when where why how")
PREPOSITIONS: Final = word_set(
    """of in on at to for from with without by about into onto over under between within during through until till since
    before after against toward towards via per like as than near behind beside besides across around along among beyond
    except despite upon up down off out"""
)
CONJUNCTIONS: Final = word_set(
    "and or but nor so yet then if though although because while whereas unless whether since as than that"
)
BE: Final = word_set("am is are was were be been being")
HAVE: Final = word_set("have has had having")
DO: Final = word_set("do does did")
MODALS: Final = word_set("will would can could should shall may might must cannot")
NEGATED_AUXILIARIES: Final = word_set(
    """isn't aren't wasn't weren't haven't hasn't hadn't don't doesn't didn't won't wouldn't can't couldn't shouldn't mustn't"""
)
AUXILIARIES: Final = BE | HAVE | DO | MODALS
LIGHT_VERBS: Final = word_set("get make take use want need know think like have do")
"""Verbs that say little without their object, in their plain form."""
INTENSIFIERS: Final = word_set(
    """very really so just also still again actually indeed quite truly simply basically definitely certainly absolutely totally too"""
)
"""Words that strengthen or fill; "only" and "even" change what is said and are none."""
COURTESIES: Final = word_set("please ok okay yes yeah oh well")
PLAIN_NOUNS: Final = word_set(
    """thing things means way time day days people something anything everything question questions idea lot bit kind sort help
    today tomorrow yesterday week month year"""
)
"""Nouns that are no topic by themselves."""
CLOSED_CLASS: Final = (
    DETERMINERS
    | PRONOUNS
    | QUESTION_WORDS
    | PREPOSITIONS
    | CONJUNCTIONS
    | AUXILIARIES
    | INTENSIFIERS
    | word_set("now not")
)
"""Words of grammar: none is, or is part of, a noun."""

EN_STOP: Final = (
    ARTICLES | POSSESSIVES | DEMONSTRATIVES | SUBJECTS | QUESTION_WORDS | BE | HAVE | DO
    | (MODALS - {"cannot"})
    | (NEGATED_AUXILIARIES - {"mustn't"})
    | word_set(
        """and or but if then else so than there here of in on at by for with from to into onto
        about as doing done not no nor me mine myself us ours ourselves yours yourself him himself
        hers herself itself them theirs themselves all any
        both each few more most other some such only own same too very just also again ever please ok okay yes yeah oh hi hello
        let lets get got i'm i've i'd i'll you're we're they're it's that's"""
    )
)  # fmt: skip
"""Left out of the index and of queries. Changing it changes what old rows match: it is no union of whole classes."""

ZH_STOP_CHARS: Final = frozenset(
    "的了吗呢吧啊呀哦嗯么着过得地之与和及或而且但就都也还又很太更最在是有我你您他她它们这那哪谁个把被给让从向对于以为等即则其并若把跟"
)

ZH_STOP: Final = word_set(
    """什么 怎么 怎样 如何 哪里 哪儿 哪个 哪些 多少 几个 为何 是否 是不 不是 可以 可能 应该 需要 但是 因为 所以 如果 虽然 然后 而且
    或者 还是 就是 这个 那个 这些 那些 这样 那样 这里 那里 我们 你们 他们 她们 它们 自己 咱们 大家 一个 一下 一些 一样 一直 已经 正在
    现在 为什么 有没有 是不是 怎么样 什么样 请问 告诉 知道 没有 还有 以及 对于 关于 的话 时候"""
)

ZH_PLAIN_NOUNS: Final = word_set(
    "东西 事情 时候 问题 意思 样子 地方 方面 情况 人 事 话 天 时间 今天 明天 昨天 建议 办法 方法 感觉 朋友 大家 你好 您好 聊天"
)
"""Nouns, and words tagged as such, that are no topic by themselves."""
