"""Whom and what a question asks about: the people, and the thing whose attribute it asks for (R23)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from memories.core.extraction.relations import BY_WORD as RELATIONS
from memories.core.extraction.relations import NAMES as RELATION_NAMES
from memories.core.text.language import HAN
from memories.core.text.stopwords import AUXILIARIES, CLOSED_CLASS, COURTESIES, word_set
from memories.core.text.words import tagged

_HAN: Final = re.compile(f"[{HAN}]")
_SAME: Final = {
    name: tuple(word for word, other in RELATIONS.items() if other == name and len(word) > 1)
    for name in RELATION_NAMES
}
"""The words of each relation: who asks about the mother means what was said of mum."""
_CLAUSE: Final = re.compile(r"[，。！？、：；,.!?:;\s]+")
_OWNER: Final = re.compile(
    r"(?:那么?|请问|对了|所以|话说|你知道|还?记得|关于|是不是|是否|有没有|为什么|为啥|怎么|难道|到底|究竟"
    r"|(?:什么时候|哪[天年里儿个]|谁)(?:才?是)?|[嗯啊哎唉哦])*(?P<owner>[^的是有在哪那这什谁几多没不了过个其想问]{3,16})的(?=.)"
)
"""A clause that begins with what something belongs to; words that ask, point or tell make a sentence of it instead."""
_NAMING: Final = frozenset("nljzbg")
"""First letters of the tags that end the name of a thing."""
_KINDS: Final = frozenset("会节日赛展班课团队社店馆厅房间楼")
"""Characters that end the name of an event or a place, whatever the tagger makes of them."""
_SHORTEST: Final = 3
_LONGEST_VERB: Final = 2
"""The tagger takes what it does not know for a verb; Chinese verbs have one character or two."""
_POSSESSIVE: Final = re.compile(r"\b((?:[A-Z][\w&-]*\s){0,3}[A-Z][\w&-]*)['’]s\s(?=\w)")
_CONTRACTED: Final = frozenset(
    {"what", "who", "where", "when", "how", "why", "it", "that", "there", "here", "he", "she", "let"}
)
_OPENING: Final = (
    CLOSED_CLASS
    | COURTESIES
    | word_set(
        "hey hi hello tell remind show give list find check recall remember say name describe explain confirm"
    )
)
"""Words that a question or a request begins with: before a name they are no part of it."""
_ALSO_NAMES: Final = frozenset({"Will", "May"})
"""Within a sentence, and behind another auxiliary, these are people."""


def asked_about(question: str) -> list[Named]:
    """What the question names as what it is about: people, and the owner of what it asks for.

    "What is my aunt's size" and "我姑姑穿几码" give the aunt, "白鹭项目的预算是多少" and "Blue Heron's budget" the project;
    a question that describes what it is about ("那个开面馆的人叫什么") names nothing.
    """
    plain = question.lower()
    related = [word for word in RELATIONS if len(word) > 1 and _stands(word, plain)]
    longest = [word for word in related if not any(word != other and word in other for other in related)]
    names = [word for word, tag in _tagged(question) if tag in {"nr", "nrt"} and len(word) > 1]
    people = {*longest, *names}
    owners = [one for one in _owners(question) if not any(word in one for word in people)]
    return [
        *(Named(_SAME[RELATIONS[word]]) for word in longest),
        *(Named((name.lower(),)) for name in names),
        *(Named((owner.lower(),), _parts(owner)) for owner in owners),
    ]


@dataclass(frozen=True, slots=True)
class Named:
    """Somebody or something by name: any of the `words` means it, as do all `parts` together, where there are several."""

    words: tuple[str, ...]
    parts: tuple[str, ...] = ()

    def stands_in(self, text: str) -> bool:
        """Whether a text in lower case names it."""
        whole = any(_stands(word, text) for word in self.words)
        return whole or (len(self.parts) > 1 and all(_stands(part, text) for part in self.parts))


def _tagged(question: str) -> tuple[tuple[str, str], ...]:
    return tagged(question) if _HAN.search(question) else ()


def _parts(owner: str) -> tuple[str, ...]:
    """The words of a thing's name, in lower case: "白鹭项目" is also meant by the project that is called 白鹭."""
    words = [word for word, _ in _tagged(owner)] or owner.split()
    return tuple(word.lower() for word in words if len(word) > 1)


def _stands(word: str, plain: str) -> bool:
    if word not in plain:
        return False
    return not word.isascii() or re.search(rf"\b{re.escape(word)}s?\b", plain) is not None


def _owners(question: str) -> list[str]:
    found = (_named(match) for match in _POSSESSIVE.finditer(question))
    english = [name for name in found if name.lower() not in _CONTRACTED]
    if not _HAN.search(question):
        return english
    owners = (match["owner"] for clause in _CLAUSE.split(question) if (match := _OWNER.match(clause)))
    bare = (re.sub(r"^[我你他她咱]们?", "", owner) for owner in owners if _is_thing(owner))
    return [*english, *(owner for owner in bare if len(owner) >= _SHORTEST)]


def _named(match: re.Match[str]) -> str:
    """The name alone, without the words before it that are large because a sentence begins: "Is Tom's", "Please Tell Ann's"."""
    within = match.string[: match.start()].rstrip()[-1:].islower()
    first, *words = match[1].split()
    while words and first.lower() in _OPENING and not (within and first in _ALSO_NAMES):
        # "Is Will Fox's flat" asks about Will Fox, "When Will Ann's train" about Ann.
        within = first.lower() in AUXILIARIES
        first, *words = words
    return " ".join([first, *words])


def _is_thing(owner: str) -> bool:
    """A name, and no sentence ("上次推荐"): it ends like one, and tells no time."""
    words = tagged(owner)
    last, tag = words[-1]
    ends = (
        tag[0] in _NAMING
        or tag == "vn"
        or last[-1] in _KINDS
        or (tag[0] == "v" and len(last) > _LONGEST_VERB)
    )
    return ends and not any(tag == "t" and word[-1] not in _KINDS for word, tag in words)
