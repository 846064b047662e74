"""English noun phrases by their closed-class words: what stands before a value, as an attribute of something."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from memories.core.extraction.en.noun_words import (
    DETERMINERS,
    GOVERNS,
    MEASURES,
    NEVER,
    OWN,
    PERIODS,
    PREPOSITIONS,
    STATE_VERBS,
)
from memories.core.extraction.en.plurals import singular
from memories.core.extraction.en.verbs import is_past

_TOKEN = re.compile(r"[A-Za-zÀ-ÿ][\w'&/.-]*[\w]|[A-Za-zÀ-ÿ]|\d[\w.-]*|[,;:()\"“”—–]")


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
        return self.determiner in OWN

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
        if (
            at >= 1
            and tokens[at].group().lower() in PREPOSITIONS
            and (not part.owner or singular(tokens[at - 1].group().lower()) in MEASURES)
        ):
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
        elif link and not about and low in DETERMINERS:
            pass
        elif low in NEVER or low in DETERMINERS or low in PREPOSITIONS or (about and low.endswith("ing")):
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
        if low in DETERMINERS:
            part.determiner = low
            part.start = tokens[at].start()
            return (part if part.words else None), at - 1
        owner = re.fullmatch(r"([A-Z][\w-]*|\w+)['’]s?", word)
        if owner and part.words:
            return _owned(part, tokens, at, owner[1])
        if not word[0].isalpha() and not re.fullmatch(r"\d[\w.-]*", word):
            break
        if low in NEVER or low in PREPOSITIONS or len(part.words) >= 6:
            break
        if at and _governs(tokens[at - 1].group().lower(), low) and (part.words or is_past(low)):
            break  # "to improve coverage", "we recently bought shoes": a verb by where it stands
        if low in STATE_VERBS and not (at and _begins_phrase(tokens[at - 1].group())):
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
        part.words.pop(0)  # "improving water quality": the verb of the phrase is none of its words
    return (part if part.words else None), at


def _governs(before: str, word: str) -> bool:
    """Whether a word without determiner behind this one is a verb: "to", a modal, a subject, "have", an adverb."""
    return before in GOVERNS or (before.endswith("ly") and before not in PERIODS and is_past(word))


def _begins_phrase(word: str) -> bool:
    return word.lower() in DETERMINERS or word.endswith(("'s", "s'", "’s"))


def _owned(part: _Part, tokens: list[re.Match[str]], at: int, name: str) -> tuple[_Part, int]:
    """With the owner before 's: a name, "my sister", "the API module"."""
    owner = [name]
    start = tokens[at].start()
    index = at - 1
    while index >= 0 and len(owner) < 5:
        word = tokens[index].group()
        if word.lower() in {"that", "this"} and name[0].isupper():
            break
        if word.lower() in DETERMINERS:
            owner.insert(0, word)
            start = tokens[index].start()
            index -= 1
            break
        if not word[0].isalpha() or word.lower() in NEVER or word.lower() in PREPOSITIONS:
            break
        if name[0].isupper() and not word[0].isupper():
            break
        owner.insert(0, word)
        start = tokens[index].start()
        index -= 1
    part.owner, part.start = " ".join(owner), start
    return part, index
