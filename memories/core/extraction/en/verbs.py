"""English verb forms by grammar: which words are pasts or participles, and of which verb.

The irregular verbs are a closed class (`irregular`); all others, also those no dictionary holds, follow the spelling rules.
"""

from __future__ import annotations

import re
from functools import lru_cache

from memories.core.extraction.en.irregular import BASES, PARTICIPLE, PAST, PAST_OF, UNCHANGED
from memories.core.text.stopwords import word_set

_NO_PAST = word_set(
    """need feed weed seed heed breed bleed speed exceed proceed succeed indeed seaweed bed red shed sled hundred sacred naked wicked rugged kindred embed
    wed led fed fled bred bled sped ed aged moped biped"""
)
"""Words in -ed that are no past of a regular verb."""
_IN_EE = word_set("agree disagree free guarantee decree referee emcee knee tee pee")
_NO_GERUND = word_set(
    """thing nothing something anything everything king ring wing sing bring string spring swing cling fling sling sting wring ping ding evening morning during ceiling
    sibling wedding pudding darling sterling viking herring earring building"""
)
_DOUBLE = word_set(
    "add err egg ebb odd purr butt putt boycott whirr inn staff stuff buzz fizz jazz install recall fulfill distill instill forestall"
)
"""Bases that end in two of a letter though the rule would take one off."""
_WITH_E = word_set(
    """create recreate delete complete compete deplete secrete excite invite unite reunite ignite recite incite expedite
    explore ignore restore adore deplore implore underscore interfere adhere persevere revere convene intervene reconvene
    postpone condone atone telephone dethrone welcome escape landscape reshape retype prototype elope route guide misguide taste waste paste baste haste
    cache ache exhale inhale impale concede precede recede console cajole owe dye eye queue tie lie die vie untie hoe shoe rename accede impede argue rescue revise polite
    cringe binge hinge singe tinge infringe tiptoe canoe"""
)
"""Bases in -e where the letters before it do not tell."""
_WITHOUT_E = word_set(
    """focus bias canvas chorus bang clang gang twang ping ding wing belong prolong long throng wrong murmur pilot pivot ballot pencil
    waltz blitz sulfur ransom tailor"""
)
_TABLE_K = {"panick": "panic", "picnick": "picnic", "mimick": "mimic", "traffick": "traffic", "frolick": "frolic", "quizz": "quiz", "ski": "ski", "taxi": "taxi"}  # fmt: skip
_VOWELS = "aeiouy"
_COPULA = frozenset({"was", "were", "been"})


def is_past(word: str) -> bool:
    """Whether the word is a past or a participle of a full verb, by its form: "rose", "swum", "climbed", "blorted"."""
    low = word.lower()
    return low not in _COPULA and (low in PAST or low in PARTICIPLE or _regular(low))


def is_clear_past(word: str) -> bool:
    """A past that cannot be the present or a noun of its kind: "swam", "climbed"; not "cut" or "set"."""
    low = word.lower()
    return (low in PAST and low not in UNCHANGED) or _regular(low)


def is_gerund(word: str) -> bool:
    """Whether it is a verb in -ing by its form."""
    low = word.lower()
    return len(low) > 4 and low.endswith("ing") and low not in _NO_GERUND and _has_vowel(low[:-3])


def past_of(word: str) -> str:
    """The past of a verb given in any form: "bring" -> "brought", "shortening" -> "shortened", "cutting" -> "cut"."""
    base = lemma(word)
    if base in PAST_OF:
        return PAST_OF[base]
    if base.endswith("e"):
        return f"{base}d"
    if re.search(r"[^aeiou]y$", base):
        return f"{base[:-1]}ied"
    double = re.search(r"^[^aeiou]*[aeiou][bdgklmnprt]$", base) is not None
    return f"{base}{base[-1]}ed" if double else f"{base}ed"


def _regular(low: str) -> bool:
    if not low.endswith("ed") or len(low) < 4 or low in _NO_PAST:
        return False
    if low.endswith("eed"):
        return low[:-1] in _IN_EE
    return _has_vowel(low[:-2]) or low.endswith("ied")


def _has_vowel(text: str) -> bool:
    return any(letter in _VOWELS for letter in text)


@lru_cache(maxsize=4096)
def lemma(word: str) -> str:
    """The base of a verb form: "taught" -> "teach", "planned" -> "plan", "studied" -> "study"; a base stays."""
    low = word.lower()
    if low in PARTICIPLE:
        return PARTICIPLE[low]
    if low in PAST:
        return PAST[low]
    if _regular(low):
        if low.endswith("ied"):
            return (
                low[:-1] if len(low) <= 4 or low[:-1] in _WITH_E else _TABLE_K.get(low[:-2], f"{low[:-3]}y")
            )
        if low[:-1] in _WITH_E or low[:-1] in _IN_EE:
            return low[:-1]
        return _base(low[:-2])
    if is_gerund(low):
        stem = low[:-3]
        if stem.endswith("y") and len(stem) <= 3 and f"{stem[:-1]}ie" in _WITH_E:
            return f"{stem[:-1]}ie"
        return stem if stem in BASES else f"{stem}e" if f"{stem}e" in BASES | _WITH_E else _base(stem)
    return low


def _base(stem: str) -> str:
    """The base of a regular verb's stem before -ed or -ing."""
    if stem in _TABLE_K:
        return _TABLE_K[stem]
    if f"{stem}e" in _WITH_E:
        return f"{stem}e"
    if stem in _WITHOUT_E or stem in _DOUBLE:
        return stem
    if re.search(r"([bdgmnprtvk])\1$", stem):
        single = stem[:-1]
        return single if re.search(r"[^aeiou][aeiouy].$|u[aeiou].$", single) else stem
    if stem.endswith("ll"):
        return stem[:-1] if _syllables(stem) > 1 and not stem.endswith(("all", "ill")) else stem
    return f"{stem}e" if _takes_e(stem) else stem


def _syllables(text: str) -> int:
    return len(re.findall(r"[aeiouy]+", text))


def _takes_e(stem: str) -> bool:
    """Whether the spelling shows that an -e was dropped: "hik", "danc", "handl"."""
    if re.search(
        r"(?:[vcu]|[^z]z|[^aeiourwl]l|dg|[^n]g|[aeiou]ng|rg|lg|[bcdfgkptv]r|(?:[aei]|[^u]o)th)$", stem
    ):
        return not stem.endswith(("qu", "igg", "gg"))
    if re.search(r"[^s]s$", stem):
        return True
    if re.search(r"[iu]at$", stem):
        return True  # "appreciate", "evaluate"
    if not re.search(r"(?:^|[^aeiou]|qu)[aeiouy][bdfklmnprt]$", stem):
        return False
    short = _syllables(stem) == 1
    vowel, last = stem[-2], stem[-1]
    if last in "bdfk" or vowel in "uy":
        return True
    if last == "l":
        return vowel in "iou" or (vowel == "a" and short)
    if last == "r":
        return vowel in "ai" or (vowel == "o" and short)
    if last in "nm":
        return vowel == "i" or short or (last == "m" and vowel == "a")
    if last == "t":
        return vowel in "ao" or (short and vowel == "i")
    return short  # p: "hope", but "develop"
