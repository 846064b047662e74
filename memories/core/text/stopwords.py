"""Words that carry no meaning of their own: left out of the index and of queries."""

from __future__ import annotations

from typing import Final


def word_set(text: str) -> frozenset[str]:
    """The words of a text written with spaces, for lists that read better as running text."""
    return frozenset(text.split())


EN_STOP: Final = word_set(
    """a an the and or but if then else so than that this these those there here of in on at by for with from to into onto
    about as is am are was were be been being do does did doing done have has had having will would shall should can could
    may might must not no nor i me my mine myself we us our ours ourselves you your yours yourself he him his himself she
    her hers herself it its itself they them their theirs themselves what which who whom whose when where why how all any
    both each few more most other some such only own same too very just also again ever please ok okay yes yeah oh hi hello
    let lets get got i'm i've i'd i'll you're we're they're it's that's don't doesn't didn't isn't aren't wasn't weren't
    won't wouldn't can't couldn't shouldn't haven't hasn't hadn't"""
)

ZH_STOP_CHARS: Final = frozenset(
    "的了吗呢吧啊呀哦嗯么着过得地之与和及或而且但就都也还又很太更最在是有我你您他她它们这那哪谁个把被给让从向对于以为等即则其并若把跟"
)

ZH_STOP: Final = word_set(
    """什么 怎么 怎样 如何 哪里 哪儿 哪个 哪些 多少 几个 为何 是否 是不 不是 可以 可能 应该 需要 但是 因为 所以 如果 虽然 然后 而且
    或者 还是 就是 这个 那个 这些 那些 这样 那样 这里 那里 我们 你们 他们 她们 它们 自己 咱们 大家 一个 一下 一些 一样 一直 已经 正在
    现在 为什么 有没有 是不是 怎么样 什么样 请问 告诉 知道 没有 还有 以及 对于 关于 的话 时候"""
)
