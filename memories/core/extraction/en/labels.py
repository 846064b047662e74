"""What an English clause says that a thing is called, numbered or runs on: "we renamed the app to X", "the app is at version 2.4"."""

from __future__ import annotations

import re

from memories.core.extraction.en.measures import whole_phrase
from memories.core.extraction.en.noun_words import CALENDAR, OWN
from memories.core.extraction.en.nouns import NounPhrase
from memories.core.extraction.en.plurals import singular
from memories.core.extraction.en.rules import PETS
from memories.core.extraction.en.subjects import NOT_NAMED, bare_name, me, owner_of
from memories.core.extraction.raw import Raw, Turn, Who
from memories.core.extraction.relations import BY_WORD
from memories.core.text.stopwords import POSSESSIVES

_NP = r"(?P<np>(?:(?i:my|our|the|this)\s|[A-Z])[\w'’-]*(?:\s[\w'’-]+){0,4}?)"
_NAMED = r"[\"“']?(?P<v>[A-Z][\w'’&-]*(?:\s[A-Z][\w'’&-]*){0,2})[\"”']?"
_TAIL = r"(?:\s+(?:now|instead|from now on|these days|last \w+|this \w+|yesterday|today|after .{2,30}|because .{2,40}|since .{2,30})){0,2}"
_ADVERB = r"(?:(?:have|has|had|been|was|were|got|just|now|recently|finally|officially|also|then|later)\s+)*"
_GIVES = re.compile(
    rf"(?i:I|we|they|he|she|(?:my|our|the)\s+\w+)\s+{_ADVERB}(?P<verb>named|renamed|called|calling|rechristened|christened|rebranded|retitled)\s+{_NP}\s+(?:(?:from\s+.{{2,30}}?\s+)?(?:to|as|into)\s+)?{_NAMED}{_TAIL}"
)
_GOT = re.compile(
    rf"{_NP}\s+{_ADVERB}(?P<verb>renamed|rechristened|rebranded|retitled|called|named)\s+(?:from\s+.{{2,30}}?\s+)?(?:to|as|into)?\s*{_NAMED}{_TAIL}"
)
_NAMES = re.compile(
    rf"{_NP}\s+(?:is|are|goes)\s+(?P<now>now\s+)?(?:called|named|by\s+the\s+name\s+of)\s+{_NAMED}(?P<now2>{_TAIL})"
)
_VERSION = re.compile(
    rf"{_NP}\s+(?:is|are|was\s+(?:bumped|updated|upgraded|moved)|has\s+been\s+(?:bumped|updated|upgraded|moved))\s+(?:(?P<now>now|currently|still)\s+)?(?:(?:at|on|running|to)\s+)?(?:version|release|v\.?)\s?(?P<v>\d[\w.-]*){_TAIL}",
    re.IGNORECASE,
)
_PLATFORM = re.compile(
    rf"{_NP}\s+(?P<now>now\s+)?(?:(?:is|are)\s+(?P<now2>now\s+)?)?(?:(?:runs?|running|hosted|deployed)\s+on|hosted\s+(?:in|with|by|at)|deployed\s+to|served\s+from)\s+(?P<v>[A-Z][\w.+#-]*(?:\s(?:[A-Z]|\d)[\w.+#-]*){{0,3}}){_TAIL}"
)
_WE_ON = re.compile(
    r"(?:I|[Ww]e)\s+(?:(?:am|are|have|been|currently|now|still|also)\s+)*(?:(?:deploy|host|develop|code|prototype|(?:build|test|train|publish|run)(?=(?:ning|ing)?\s+(?:everything|our|the|it|this|on)\b))(?:ing|ning|ed)?\s+(?:(?:it|this|everything|(?:the|our|my|a|an)\s+[a-z -]{2,30})\s+)?(?:on|using)|deploy(?:ing|ed)?\s+(?:(?:it|this|everything)\s+)?to)\s+(?P<v>[A-Z][\w.+#-]*(?:\s(?:[A-Z]|\d)[\w.+#-]*){0,3})(?:\s+(?:now|currently|for now|at the moment|so far|today|because .*|since .*|,.*)){0,2}"
)
_REBUILT = re.compile(
    rf"(?:(?i:I|we|they|(?:my|our|the)\s+\w+)\s+{_ADVERB}(?:rewrote|rewritten|rebuilt|ported|reimplemented|redid|redone)\s+{_NP}|{_NP.replace('<np>', '<np2>')}\s+(?:was|is|has\s+been|got|is\s+being)\s+(?:now\s+)?(?:rewritten|rebuilt|ported|reimplemented|redone))\s+(?:from\s+.{{2,30}}?\s+)?(?:in|with|using|on|to)\s+(?P<v>[A-Z][\w.+#-]*(?:\s(?:[A-Z]|\d)[\w.+#-]*){{0,3}}){_TAIL}"
)
_OTHERS = re.compile(r"(?:he|she|they)\b", re.IGNORECASE)
_AT_TIMES = re.compile(r"(?:in|at|during|for)\s+(?:the|a|an|my|our|one|that|this)\s", re.IGNORECASE)
"""Where or on what occasion: "in the demo we named the app X" names it for then."""
_STREET = frozenset(["street", "st", "road", "rd", "avenue", "ave", "lane", "drive", "boulevard", "broadway", "square", "hill"])  # fmt: skip
_PEOPLE = frozenset(["i", "we", "he", "she", "they", "it", "you", "who"])


def read(text: str, work: str, turn: Turn) -> list[Raw]:
    """The name, version or platform of a thing; [] where the clause gives none."""
    on = _WE_ON.fullmatch(work)
    if on and _is_label(on["v"]):
        return [Raw(me(turn), "uses", on["v"], "en.uses", None, text)]
    rebuilt = _REBUILT.fullmatch(work)
    made = _thing(rebuilt["np"] or rebuilt["np2"], turn) if rebuilt else None
    if rebuilt and made is not None:
        turn.mention(made)
        return [Raw(made, "built_with", rebuilt["v"], "en.rebuilt", None, text, update=True, single=True)]
    for pattern, attribute in (
        (_GIVES, "name"),
        (_GOT, "name"),
        (_NAMES, "name"),
        (_VERSION, "version"),
        (_PLATFORM, "runs_on"),
    ):
        match = pattern.fullmatch(work)
        who = _thing(match["np"], turn) if match else None
        if match is None or who is None or not _is_label(match["v"]):
            continue
        if attribute == "runs_on" and living(match["np"]):
            continue
        if (
            match.re is _GIVES
            and not match["verb"].startswith("re")
            and (_OTHERS.match(work) or _AT_TIMES.match(text))
        ):
            return []  # "he named the killer Smith" gives nothing a name
        if attribute == "name" and who.person and match.re is not _GOT:
            return []
        groups = match.groupdict()
        anew = (groups.get("verb") or "").startswith("re") or groups.get("now") or groups.get("now2")
        update = (
            bool(anew) or attribute == "name" or re.search(r"\b(?:has been|was|instead)\b", work) is not None
        )
        turn.mention(who)
        return [
            Raw(
                who,
                attribute,
                match["v"],
                "en.label",
                None,
                text,
                update=(update and match.re is not _NAMES) or bool(anew),
            )
        ]
    return []


def _thing(words: str, turn: Turn) -> Who | None:
    """The thing that the words name; None for a person, and for what only points."""
    first = words.split()[0].lower()
    if words.lower() in _PEOPLE or first in POSSESSIVES - OWN:
        return None  # what is theirs has not the name of what is ours
    owner = owner_of(words, turn)
    if owner is None or owner.person:
        return None
    phrase = whole_phrase(words)
    return Who(bare_name(_name(phrase, words)), words, person=False)


def _is_label(value: str) -> bool:
    """Whether a capitalised word may be a name, a version or a platform: no day, no month, no street."""
    words = [word.lower().rstrip(".") for word in value.split()]
    return (
        value.split()[0] not in NOT_NAMED
        and words[0].removesuffix("s") not in CALENDAR
        and words[-1] not in _STREET
    )


def living(words: str) -> bool:
    """Whether what the words name is a person or an animal: it runs on nothing."""
    last = words.split()[-1].lower()
    return last in BY_WORD or singular(last) in BY_WORD or re.fullmatch(PETS, last) is not None


def _name(phrase: NounPhrase | None, words: str) -> str:
    plain = re.sub(r"^(?:my|our|the|this|his|her|their|its)\s+", "", words, flags=re.IGNORECASE)
    return plain if phrase is None or any(word[:1].isupper() for word in plain.split()) else plain.lower()
