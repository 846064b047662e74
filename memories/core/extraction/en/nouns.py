"""English noun phrases by their closed-class words: what stands before a value, as an attribute of something."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from memories.core.extraction.attributes import canonical_attribute, lookup
from memories.core.extraction.raw import Turn, Who
from memories.core.text.stopwords import word_set

_TOKEN = re.compile(r"[A-Za-zÀ-ÿ][\w'&/.-]*[\w]|[A-Za-zÀ-ÿ]|\d[\w.-]*|[,;:()\"“”—–]")
_DETERMINERS = word_set("my our the his her its their this that a an your these those each every")
_OWN = word_set("my our")
_PREPOSITIONS = word_set("of for on in at with from by into per")
_NEVER = word_set(
    """i you he she it we they me him us them who whom what which when where why how if whether because since although though while as than then so
    and or but nor not no never yet still just also even only too very really quite pretty more most less least much many few some any all both either neither
    is am are was were be been being isn't aren't wasn't weren't has have had hasn't haven't hadn't do does did don't doesn't didn't will would can could should may might must shall
    to about over under up down out off back again now already currently recently today here there that's it's i'm i've he's she's we're we've they're
    want wants need needs try trying hope hoping plan planning think thinking know make making made sure get got getting gets keep keeping let said says say
    considering like going go goes went come came especially after before until till during through between without within against toward towards one ones thing things lot bit kind sort
    couple range average around approximately roughly nearly almost exactly instead because despite given improve increase reduce achieve reach hit meet use using find finding
    help helping understand manage managing handle handling track tracking set setting work working start started finish finished completed bought spent saw see seeing feel feels felt noticed notice mentioned means mean
    moved moving raising lowering changing adjusting rescheduling pushed postponed bumped cut updating starting beginning effective including based
    jan feb mar apr jun jul aug sep sept oct nov dec january february april june july august september october november december sept monday tuesday wednesday thursday friday saturday sunday"""
)
_DROPPED = word_set(
    """new current latest updated recent present total overall increased decreased reduced raised lowered improved adjusted revised extended actual
    old former original previous initial existing own whole entire exact approximate strict tight upcoming rescheduled brand joint shared combined"""
)
"""Words that tell one state of an attribute from another, not one attribute from another."""
MEASURES = word_set(
    """budget salary rent wage pay income revenue price cost fee deposit fare tuition mortgage allowance bonus debt loan balance savings quota limit cap threshold maximum minimum
    goal target score grade rate ratio accuracy precision coverage uptime latency throughput speed temperature pressure weight height length width depth size capacity volume area
    age distance duration time timeout delay interval period frequency count number level percentage share discount tax interest usage bandwidth memory population attendance
    enrollment headcount stake premium bill rating pace mileage dose dosage streak quantity amount average gpa bmi cholesterol calories payment contribution commission turnover profit margin"""
)
"""Nouns that are themselves an amount of something."""
_GENERIC = word_set("time rate count number size level score limit count percentage amount ratio length date average usage price cost total fee speed period interval target goal coverage quota cap budget rating share")  # fmt: skip
"""Measures that mean little without the noun before them: "response time", "error rate"."""
_GENERIC_ALONE = _GENERIC - word_set("budget price cost fee")
_PERIODS = word_set("daily weekly biweekly monthly quarterly annual yearly hourly nightly")
_STATE_VERBS = word_set(
    "increased decreased improved raised lowered changed adjusted rescheduled updated reduced revised extended"
)


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """`owner` is a name before 's; `heads` the words of the head, in lower case; `about` what "of", "for" or "on" adds."""

    text: str
    start: int
    determiner: str
    owner: str
    heads: tuple[str, ...]
    about: str = ""
    preposition: str = ""

    @property
    def mine(self) -> bool:
        """Of the speaker."""
        return self.determiner in _OWN

    @property
    def definite(self) -> bool:
        """Presupposed to exist: "my", "Ana's", "the"."""
        return bool(self.owner) or self.determiner in {"my", "our", "the", "his", "her", "its", "their"}


@dataclass(slots=True)
class _Part:
    words: list[str] = field(default_factory=list)
    determiner: str = ""
    owner: str = ""
    start: int = 0


_SINGULAR = {
    "children": "child", "people": "person", "men": "man", "women": "woman", "feet": "foot", "teeth": "tooth", "geese": "goose",
    "mice": "mouse", "lives": "life", "wives": "wife", "knives": "knife", "leaves": "leaf", "loaves": "loaf", "shelves": "shelf",
    "halves": "half", "wolves": "wolf", "movies": "movie", "cookies": "cookie", "selfies": "selfie", "zombies": "zombie",
    "calories": "calorie", "brownies": "brownie", "smoothies": "smoothie", "hoodies": "hoodie", "rookies": "rookie",
    "buses": "bus", "quizzes": "quiz", "shoes": "shoe", "toes": "toe", "canoes": "canoe", "lens": "lens", "gas": "gas",
    "yes": "yes", "axes": "axe", "sizes": "size", "prizes": "prize", "mazes": "maze", "caches": "cache", "aches": "ache",
}  # fmt: skip
"""Plurals whose singular no ending tells; movie and its like look as if they ended in -y."""


def singular(word: str) -> str:
    """A noun's singular by its ending; words that are no plural stay ("class", "bus", "series")."""
    if word in _SINGULAR:
        return _SINGULAR[word]
    if len(word) <= 3 or word.endswith(("ss", "us", "is", "ies's", "series", "species", "news")):
        return word
    if word.endswith("ies"):
        return word[:-1] if len(word) <= 4 or word[-4] in "aeiou" else word[:-3] + "y"
    if word.endswith(("ches", "shes", "xes", "sses", "zzes", "oes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") else word


def before(text: str, end: int) -> NounPhrase | None:
    """The noun phrase that ends at text[end], ignoring spaces and a comma; None when none does."""
    tokens = list(_TOKEN.finditer(text, max(0, end - 160), end))
    while tokens and tokens[-1].group() == ",":
        tokens.pop()
    parts: list[_Part] = []
    links: list[str] = []
    part, at = _walk(tokens, len(tokens) - 1)
    while part is not None and len(parts) < 3:
        parts.append(part)
        if at >= 1 and tokens[at].group().lower() in _PREPOSITIONS and not part.owner:
            link = tokens[at].group().lower()
            part, further = _walk(tokens, at - 1)
            if part is None or (not part.words):
                break
            links.append(link)
            at = further
        else:
            break
    if not parts or not parts[0].words:
        return None
    measures = [at for at, one in enumerate(parts) if singular(one.words[-1].lower()) in MEASURES]
    if measures:  # "a kayak within our allowance of": the amount is the budget's
        parts, links = parts[: measures[-1] + 1], links[: measures[-1]]
    head = parts[-1]
    text_from = head.start
    about = link = ""
    if len(parts) > 1:
        link = links[-1]
        about = _joined(parts[-2])
        for inner, word in zip(parts[-3::-1], links[-2::-1], strict=False):
            about += f" {word} {_joined(inner)}"
    heads = tuple(word.lower() for word in head.words)
    return NounPhrase(
        text[text_from:end].strip(" ,"), text_from, head.determiner, head.owner, heads, about, link
    )


def after(text: str, start: int) -> NounPhrase | None:
    """The noun phrase that begins at text[start] ("annual budget for trips" after "$600"), without a determiner."""
    words: list[str] = []
    about: list[str] = []
    link = ""
    end = start
    for match in _TOKEN.finditer(text, start, min(len(text), start + 90)):
        if match.start() > end + 1 or not match.group()[0].isalpha():
            break
        low = match.group().lower()
        if low in {"of", "for", "on"} and words and not link:
            link = low
        elif link and not about and low in _DETERMINERS:
            pass
        elif low in _NEVER or low in _DETERMINERS or low in _PREPOSITIONS or (about and low.endswith("ing")):
            break
        elif link:
            about.append(match.group())
        else:
            words.append(match.group())
        end = match.end()
        if len(words) > 5 or len(about) > 4:
            break
    if not words:
        return None
    return NounPhrase(
        text[start:end],
        start,
        "",
        "",
        tuple(w.lower() for w in words),
        " ".join(about),
        link if about else "",
    )


def _joined(part: _Part) -> str:
    lead = f"{part.owner}'s " if part.owner else ""
    return lead + " ".join(part.words)


def _walk(tokens: list[re.Match[str]], at: int) -> tuple[_Part | None, int]:
    """The words that end at tokens[at] up to a determiner or a word that no noun phrase holds; the index before them."""
    part = _Part()
    while at >= 0:
        word = tokens[at].group()
        low = word.lower()
        if low in _DETERMINERS:
            part.determiner = low
            part.start = tokens[at].start()
            return (part if part.words else None), at - 1
        owner = re.fullmatch(r"([A-Z][\w-]*|\w+)['’]s?", word)
        if owner and part.words:
            return _owned(part, tokens, at, owner[1])
        if not word[0].isalpha() and not re.fullmatch(r"\d[\w.-]*", word):
            break
        if low in _NEVER or low in _PREPOSITIONS or len(part.words) >= 6:
            break
        if low in _STATE_VERBS and not (at and _begins_phrase(tokens[at - 1].group())):
            break  # "we increased budget": a verb; "my increased budget": what state it is in
        part.words.insert(0, word)
        part.start = tokens[at].start()
        at -= 1
    while (
        part.words
        and not part.determiner
        and re.search(r"(?:ing|ed)$", part.words[0])
        and len(part.words) > 1
    ):
        part.words.pop(0)  # "improving test coverage": the verb of the phrase is none of its words
    return (part if part.words else None), at


def _begins_phrase(word: str) -> bool:
    return word.lower() in _DETERMINERS or word.endswith(("'s", "s'", "’s"))


def _owned(part: _Part, tokens: list[re.Match[str]], at: int, name: str) -> tuple[_Part, int]:
    """With the owner before 's: a name, "my sister", "the API module"."""
    owner = [name]
    start = tokens[at].start()
    index = at - 1
    while index >= 0 and len(owner) < 5:
        word = tokens[index].group()
        if word.lower() in {"that", "this"} and name[0].isupper():
            break
        if word.lower() in _DETERMINERS:
            owner.insert(0, word)
            start = tokens[index].start()
            index -= 1
            break
        if not word[0].isalpha() or word.lower() in _NEVER or word.lower() in _PREPOSITIONS:
            break
        if name[0].isupper() and not word[0].isupper():
            break
        owner.insert(0, word)
        start = tokens[index].start()
        index -= 1
    part.owner, part.start = " ".join(owner), start
    return part, index


def measure_of(phrase: NounPhrase, owner: Who | None, turn: Turn, speaker: Who) -> tuple[Who, str] | None:
    """Whose and which attribute the phrase names: "dashboard response time" -> (dashboard, response_time).

    `owner` is the resolved subject of the phrase's 's or of a pronoun. Words that only tell one state from another ("new",
    "increased") do not count.
    """
    if phrase.heads[0] in {"typical", "usual", "standard", "normal"} and not (phrase.mine or phrase.owner):
        return None  # of one of its kind: nobody's
    words = [word for word in phrase.heads if word not in _DROPPED and not word.isdigit()]
    if not words:
        return None
    if words[-1] in {"number", "count", "amount", "total"} and phrase.preposition == "of":
        return _count_of(phrase, owner, speaker if phrase.mine else Who("general", "", person=False))
    words[-1] = singular(words[-1])
    size = _suffix(words)
    attribute = " ".join(words[-size:])
    rest = [word for word in words[:-size] if word not in _PERIODS]
    attribute = " ".join([*(word for word in words[:-size] if word in _PERIODS), attribute])
    if owner is None and phrase.about and phrase.preposition in {"of", "for", "on", "in"}:
        about = _thing(phrase.about, phrase)
        return Who(about, phrase.about, person=False), _name([*rest, attribute])
    if owner is not None:
        return owner, _name([*rest, attribute])
    if rest and phrase.mine and (lookup(attribute) is None or attribute == "plan"):
        return speaker, _name([*rest, attribute])
    if rest:
        thing = " ".join(rest)
        shown = _as_said(phrase.text, rest)
        return Who(_singular_last(thing), shown, person=False), _name([attribute])
    if phrase.mine:
        return speaker, _name([attribute])
    if turn.subject is not None:
        return turn.subject, _name([attribute])
    row = lookup(attribute)
    if row is not None and row.personal and phrase.determiner != "the":
        return speaker, _name([attribute])
    return Who("general", "", person=False), _name([attribute])


def _count_of(phrase: NounPhrase, owner: Who | None, nobody: Who) -> tuple[Who, str]:
    """ "the number of loaves sold in the corner shop": (corner shop, loaf_count)."""
    what, _, place = re.sub(
        r"\s(?:of|for|on|in|at|with|from|by|into|per)\s", "\n", phrase.about.lower()
    ).partition("\n")
    nouns = [word for word in what.split() if not re.search(r"(?:ed|ing)$", word)] or what.split()
    nouns[-1] = singular(nouns[-1])
    who = owner or (
        Who(_singular_last(place), place, person=False) if place and "\n" not in place else nobody
    )
    return who, _name([*nouns, "count"])


def _suffix(words: list[str]) -> int:
    """How many of the last words are the attribute; the rest says of what."""
    for size in (3, 2, 1):
        if size <= len(words) and lookup(" ".join(words[-size:])) is not None:
            if size == 1 and words[-1] in _GENERIC_ALONE and len(words) > 1:
                return 2
            return size
    if words[-1] in _GENERIC and len(words) > 1:
        return 2
    if words[-1] in MEASURES:
        return 1
    return len(words)


def _name(words: list[str]) -> str:
    return canonical_attribute(" ".join(words))


def _thing(about: str, phrase: NounPhrase) -> str:
    words = [
        word for word in about.split() if word.lower() not in _DETERMINERS and word.lower() not in _DROPPED
    ]
    return _singular_last(" ".join(words) or about)


def _singular_last(text: str) -> str:
    head, _, last = text.rpartition(" ")
    return f"{head} {singular(last) if last.islower() else last}".strip()


def _as_said(text: str, words: list[str]) -> str:
    match = re.search(r"\b" + r"\s+".join(re.escape(word) for word in words) + r"\b", text, re.IGNORECASE)
    return match[0] if match else " ".join(words)
