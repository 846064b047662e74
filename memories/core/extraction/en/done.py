"""What somebody has or has never done: "I have never painted X", "I've painted X twice".

The attribute is the kind of act (`done_read`), the value what it was done to, so that yes and no to the same stand against
each other. Only what was done to something definite counts: a name, a title, or a noun with words that tell which.
"""

from __future__ import annotations

import re

from memories.core.extraction.en.noun_words import MEASURES
from memories.core.extraction.en.plurals import singular
from memories.core.extraction.en.subjects import subject
from memories.core.extraction.raw import Raw, Turn, Who
from memories.core.kinds import Kind
from memories.core.text.stopwords import word_set

_ADVERB = r"(?:(?:actually|really|ever|even|personally|just|recently|already|also|finally|successfully|now|only|once|honestly|still|yet|before|[a-z]+ly)\s+)*"
_NEVER = re.compile(
    rf"(?:(?:have|has|had)\s+)?{_ADVERB}never\s+{_ADVERB}(?P<rest>.+)|(?:have|has|had)\s+(?:not|yet to)\s+{_ADVERB}(?P<rest2>.+)|did\s+not\s+ever\s+(?P<rest3>.+)",
    re.IGNORECASE | re.DOTALL,
)
_DONE = re.compile(rf"(?:have|has)\s+{_ADVERB}(?P<rest>(?!not\b|never\b|been\s+(?:to\s+)?(?:\w+ing\b|\w+ed\b)).+)", re.IGNORECASE | re.DOTALL)  # fmt: skip
_DOING = re.compile(
    rf"(?:have|has)\s+{_ADVERB}been\s+{_ADVERB}(?P<rest>[a-z]+ing\b.+)", re.IGNORECASE | re.DOTALL
)
_PAST = re.compile(rf"{_ADVERB}(?P<rest>[a-z]+\s.+)", re.IGNORECASE | re.DOTALL)
_MORE_VERBS = re.compile(r",?\s+(?:or|nor)\s+(?:ever\s+)?(?=[a-z]+(?:ed|en|t|wn|n)\b|been\b|met\b|had\b|made\b|done\b)", re.IGNORECASE)  # fmt: skip
_WORDS = re.compile(r"[A-Za-zÀ-ÿ0-9][\w'’./&+-]*")
_NAME = re.compile(r"(?:[A-Z][\w'’+-]*|[A-Z]+\d*)(?:\s+(?:of\s+|the\s+|de\s+)?[A-Z][\w'’+-]*)*")
_TITLE = re.compile(r"[\"“'‘](?P<t>[^\"“”]{2,60})[\"”'’]")
_LEMMAS: dict[str, str] = {
    form: lemma
    for lemma, forms in {
        "read": "read reading",
        "meet": "met meeting known",
        "attend": "attended attending visited visiting joined joining enrolled enrolling been gone participated participating",
        "use": "used using tried trying integrated integrating installed installing adopted adopting",
        "write": "written wrote writing implemented implementing created creating built building developed developing made coded designed",
        "buy": "bought buying purchased purchasing ordered ordering acquired acquiring",
        "submit": "submitted submitting sent sending applied applying uploaded uploading",
        "fix": "fixed fixing solved solving resolved resolving debugged repaired",
        "complete": "completed completing finished finishing done attempted attempting",
        "collaborate": "collaborated collaborating worked working",
        "eat": "eaten ate eating",
        "watch": "watched watching seen saw",
        "play": "played playing",
        "celebrate": "celebrated celebrating",
        "run": "ran running run",
        "give": "given gave giving",
        "learn": "learned learnt learning studied studying",
        "miss": "missed missing",
        "win": "won winning",
        "receive": "received receiving got getting",
        "place": "placed placing",
        "own": "owned owning",
        "speak": "spoken spoke speaking",
        "drive": "driven drove driving",
        "fly": "flown flew flying",
        "ride": "ridden rode riding",
        "break": "broken broke breaking",
    }.items()
    for form in forms.split()
}
_THIN = word_set(
    """had got been thought heard felt wanted said told known seemed decided agreed noticed realized realised understood believed liked loved enjoyed hated hoped needed found lived
    made gotten become became kept let lost come came gone went grown started begun tried mentioned talked spoken seen looked considered wondered planned experienced encountered
    took taken taking imagined dreamed dreamt expected regretted forgotten forgot doubted ended continued managed helped happened turned meant guessed cared worried
    noted feeling thinking having being getting wondering considering trying looking going doing hearing wanting hoping wishing planning making struggling dealing meaning enjoying loving keeping"""
)
"""Verbs whose object tells little: "I've had a great time"."""
_PRESENT = word_set("need feed exceed proceed succeed seed weed breed speed heed own open happen listen strengthen bring sing ring swing cling fling wring spring string")  # fmt: skip
"""Verbs that only look like a past form: "we need to feed Rex" is not done."""
_POINTING = word_set("afterward afterwards together not only just every it that this them him her you me us so there here anything something everything nothing anyone someone everyone one ones yet before ever already again too either now then today things thing stuff lot much many more what how")  # fmt: skip
_LIGHT = word_set("a an any the my our his her their some that this these those such same other another few first own new old single actual different back out up off on in at to from with for into")  # fmt: skip
_STOPS = word_set("of in at with for on to from about related or and involving during this that through via into over under since back like without between")  # fmt: skip
_DAY = re.compile(
    r"(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)[a-z]*|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|I|I'm|I've"
)
_CLASSES = re.compile(r"\b(?:course|class|lesson|workshop|training|seminar|program|webinar)(?:e?s)?\b")
_POINTED_AT = re.compile(
    r"(?:(?:in|to|at|on|with|for|about|of)\s+)?(?:this|that|these|those)\b", re.IGNORECASE
)
_UNITS = word_set("day days week weeks month months year years hour hours minute minutes time times")
_END = re.compile(r"\b(?:once|twice|(?:two|three|four|five|\d+|many|several|a few) times|so|because|since|but|which|who|while|when|after|before|until|although|though|if|and (?:i|we|he|she|it|they|now|my|the|that)|as|especially|considering|where|due|by (?:\d|the end|[a-z]+ing))\b|[,;:.!?(]|—| - ", re.IGNORECASE)  # fmt: skip


def read(text: str, work: str, turn: Turn) -> list[Raw]:
    """What the clause says that its subject has done or never did; [] when it is not that or not definite."""
    found = subject(work, turn)
    if found is None:
        return []
    who, rest = found
    if who.key == turn.listener:
        return []
    never = _NEVER.fullmatch(rest)
    if never:
        said = next(group for group in (never["rest"], never["rest2"], never["rest3"]) if group)
        raws = [
            raw
            for part in _verbs(said)
            if (raw := _act(part, who, text, negated=True, sure=True)) is not None
        ]
    else:
        done = _DONE.fullmatch(rest) or _DOING.fullmatch(rest)
        past = _PAST.fullmatch(rest) if done is None else None
        match = done or past
        act = _act(match["rest"], who, text, negated=False, sure=done is not None) if match else None
        raws = [act] if act is not None else []
    if raws:
        turn.mention(who)
    return raws


def _verbs(said: str) -> list[str]:
    """ "rowed at dawn or sailed to Oban": each verb with its object."""
    return [part for part in _MORE_VERBS.split(said) if part][:3]


def _act(said: str, who: Who, text: str, *, negated: bool, sure: bool) -> Raw | None:
    """The act of "read any books by X"; `sure` False for a simple past, which must be about something named."""
    verb = re.match(r"[A-Za-z]+", said)
    if verb is None:
        return None
    word = verb[0].lower()
    if word not in _LEMMAS and (word in _PRESENT or not re.search(r"(?:ed|en|wn|ing)$", word)):
        return None
    if (
        word in _THIN
        and not (negated and word in {"been", "met", "gone", "seen", "spoken", "tried", "lived"})
        and word not in {"tried"}
        and not (word == "been" and re.match(r"been\s+to\s+[A-Z]", said))
    ):
        return None
    inner = re.match(r"(?:tried|attempted|started|begun)\s+(?=[a-z]+ing\s)", said, re.IGNORECASE)
    if inner:  # "tried using X" is about using it
        return _act(said[inner.end() :], who, text, negated=negated, sure=sure)
    end = _END.search(said, verb.end())
    thing = said[verb.end() : end.start() if end else len(said)].strip()
    if word == "been" and not re.match(r"(?:to|in|at|on|inside|near)\b", thing, re.IGNORECASE):
        return None
    if word == "used" and re.match(r"to\b", thing, re.IGNORECASE):
        return None
    words = [match.group() for match in _WORDS.finditer(thing)]
    if (
        not words
        or words[0].lower() in {"and", "or"}
        or [word.lower() for word in words[:2]] == ["a", "lot"]
        or words[0].lower() in _POINTING
        or len(thing) > 140
    ):
        return None
    value, named = _object(thing, words)
    if value is None or (not sure and not named):
        return None
    if not named and (
        _POINTED_AT.match(thing) or re.search(r"\b(?:of|with|from)\s+(?:it|them|him|her)\b", thing)
    ):
        return None  # "we never rowed on that lake" tells of which one only where it was said
    if not negated and not named and " " not in value and not re.match(r"(?:my|our)\b", thing, re.IGNORECASE):
        return None  # "I've fixed the bug" tells of which one only where it was said
    lemma = (
        "attend"
        if _CLASSES.search(value) and word in {"taken", "took", "taking", "done"}
        else _lemma(word, value)
    )
    attribute = "uses" if lemma == "use" else f"done_{lemma}"
    rule = "en.never" if negated else "en.done"
    return Raw(who, attribute, value, rule, Kind.FACT, text, negated=negated)


def _object(thing: str, words: list[str]) -> tuple[str | None, bool]:
    """What the act was done to, in a form that does not depend on the phrasing, and whether it is something named.

    The object itself where there is one, else what follows its preposition ("worked with Michael"); of a work, who made it.
    """
    author = re.search(rf"\bby\s+(?P<n>{_NAME.pattern})", thing) or re.match(
        rf"(?:(?:any|some|all|one)\s+(?:of\s+)?)?(?P<n>{_NAME.pattern})['’]s?\s", thing
    )
    if author and not _DAY.fullmatch(author["n"]):
        return re.sub(r"['’]s?$", "", author["n"]).split()[-1].lower(), True
    title = _TITLE.search(thing)
    if title:
        return title["t"].lower(), True
    content: list[str] = []
    for match in _WORDS.finditer(thing):
        word = match.group()
        low = word.lower().replace("’", "'")
        if low in _LIGHT and not content:
            continue
        if content and (
            low in _STOPS
            or low in {"i", "we", "he", "she", "they", "you"}
            or re.search(r"(?:ed|ade|ound|ought)$", low)
        ):
            break
        if (
            low in MEASURES
            or not low[0].isalpha()
            or low in _LIGHT
            or low in _POINTING
            or low.endswith("ly")
            or _DAY.fullmatch(word)
        ):
            continue
        content.append(word)
    if not content:
        return None, False
    if all(word[0].isupper() for word in content):
        return _short(" ".join(content)), True
    if content[-1][0].isupper():  # "my child Michael"
        names = [word for word in content if word[0].isupper()]
        return _short(" ".join(names)), True
    last = singular(content[-1].lower())
    return " ".join([*(word.lower() for word in content[-2:-1]), last]), any(
        word[0].isupper() for word in content
    )


def _short(name: str) -> str:
    words = [
        word
        for word in name.replace("’", "'").removesuffix("'s").split()
        if not re.fullmatch(r"[vV]?\d[\d.]*", word)
    ]
    return " ".join(words).lower() or name.lower()


def _lemma(word: str, value: str) -> str:
    if word in _LEMMAS:
        return _LEMMAS[word]
    if re.fullmatch(r"[a-z]ied", word):
        return word[:-1]  # tied, died
    stem = re.sub(r"(?:ing|ed|en)$", "", re.sub(r"ied$", "y", word)) or word
    if re.search(r"[aeiou]([bdgmnprt])\1$", stem):
        return stem[:-1]  # planned, stopped
    return (
        stem + "e"
        if re.search(
            r"(?:[^aeiou]l|v|iz|[^aeiou]g|nc|ur|at|as|us|ut|c|fin|[aeiou]s|(?:^|[^aeiou])[aeiou]k)$", stem
        )
        else stem
    )
