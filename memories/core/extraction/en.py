"""Reads facts out of one English clause."""

from __future__ import annotations

import re

from memories.core.extraction import schedule
from memories.core.extraction.attributes import EN_WORDS, canonical_attribute, lookup
from memories.core.extraction.en_rules import COPULA, LEAD, NAME, PREDICATES, REL, clean_value, plausible_job
from memories.core.extraction.raw import Raw, Turn, Who
from memories.core.extraction.relations import relation
from memories.core.kinds import Kind

_CONTRACTIONS = (
    (re.compile(r"\b(I)['’]m\b"), r"\1 am"),
    (re.compile(r"\b(he|she|it|that|there|what|who)['’]s\b(?=\s)", re.IGNORECASE), r"\1 is"),
    (re.compile(r"\b(we|they|you)['’]re\b", re.IGNORECASE), r"\1 are"),
    (re.compile(r"\b(\w+)['’]ve\b", re.IGNORECASE), r"\1 have"),
    (re.compile(r"\b(\w+)['’]ll\b", re.IGNORECASE), r"\1 will"),
    (re.compile(r"\b(I|he|she|we|they|you)['’]d\b", re.IGNORECASE), r"\1 would"),
    (re.compile(r"\b(do|does|did|is|are|was|has|have)n['’]t\b", re.IGNORECASE), r"\1 not"),
    (re.compile(r"\bcan['’]t\b", re.IGNORECASE), "cannot"),
)
_NOT_NAMED = frozenset(
    [
        "I",
        "The",
        "A",
        "An",
        "This",
        "That",
        "These",
        "Those",
        "It",
        "There",
        "Here",
        "My",
        "Your",
        "Our",
        "His",
        "Her",
        "Their",
        "He",
        "She",
        "We",
        "They",
        "You",
        "What",
        "Who",
        "When",
        "Where",
        "Why",
        "How",
        "Which",
        "Yes",
        "No",
        "Not",
        "Please",
        "Let",
        "Lets",
        "Monday",
        "Tuesday",
        "Wednesday",
        "Thursday",
        "Friday",
        "Saturday",
        "Sunday",
        "Today",
        "Tomorrow",
        "Yesterday",
        "Also",
        "And",
        "But",
        "So",
        "If",
        "Then",
        "Now",
        "Just",
        "Well",
        "Everything",
        "Everyone",
        "Someone",
        "Nothing",
        "One",
        "Some",
        "Any",
        "All",
        "Every",
        "Each",
        "Another",
        "Other",
        "Most",
        "Many",
        "Both",
        "Thanks",
        "Thank",
        "Ok",
        "Okay",
        "Hey",
        "Hi",
        "Hello",
        "Oh",
        "Wow",
        "Remember",
        "Note",
        "Always",
        "Never",
        "Do",
        "Don",
        "Can",
        "Could",
        "Should",
        "Would",
        "Will",
        "Must",
        "First",
        "Second",
        "Last",
        "Next",
        "Finally",
        "Actually",
        "Honestly",
        "Sometimes",
        "Maybe",
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ]
)
_MINE = re.compile(
    rf"(?P<pos>my|our)\s+(?:(?:dear|new|old|best|good|close|lovely|late|former|ex|first|second|only|eldest|youngest|oldest|other|twin)[\s-]+)*(?P<rel>{REL})\b(?!['’]s?\b)(?:,?\s+(?P<name>(?-i:{NAME})))?",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"(?P<p>he|she|it|they)\b", re.IGNORECASE)
_NAMED = re.compile(rf"(?P<name>{NAME})(?=\s)")
_POSSESSIVE = re.compile(
    rf"(?P<owner>(?:my|our)\s+(?:\w+\s+)?{REL}(?:\s+(?-i:{NAME}))?|(?-i:{NAME})|(?:the|our|my)\s+[\w-]+(?:\s+[\w-]+){{0,3}})['’]s?\s+(?P<attr>(?:[\w-]+\s+){{0,3}}?[\w-]+)",
    re.IGNORECASE,
)
_OWN = re.compile(r"(?P<owner>my|our|his|her|its|their)\s+(?P<attr>(?:[\w-]+\s+){0,3}?[\w-]+)", re.IGNORECASE)
_OF = re.compile(
    r"(?:the|our|my)\s+(?P<attr>(?:[\w-]+\s+){0,2}?[\w-]+)\s+(?:of|for)\s+(?P<owner>.{2,60})", re.IGNORECASE
)
_THING = re.compile(r"(?:the|this|our)\s+(?P<head>[\w'’&#-]+(?:\s+[\w'’&#-]+){0,5})", re.IGNORECASE)


def read(clause: str, turn: Turn) -> list[Raw]:
    """The facts of a clause; the turn learns whom the clause was about."""
    lead = LEAD.match(clause)
    text = clause[lead.end() :] if lead and lead.end() < len(clause) else clause
    text = text.strip(" ,.;:")
    work = text.replace("’", "'")
    for pattern, full in _CONTRACTIONS:
        work = pattern.sub(full, work)
    if not work:
        return []
    corrected = _correction(work, turn)
    if corrected:
        return [corrected]
    return _predicate(text, work, turn) or _attribute(text, work, turn) or _scheduled(text, work, turn)


def _correction(work: str, turn: Turn) -> Raw | None:
    """The clause after "X is not A": "it is B"."""
    denied, turn.denied = turn.denied, None
    match = re.fullmatch(
        r"(?:it is|it's|but|rather|instead)\s*(?:it is\s+)?(?P<v>.{1,60})", work, re.IGNORECASE
    )
    if denied is None or match is None or (value := clean_value(match["v"])) is None:
        return None
    who, attribute, kind = denied
    stated = f"{_possessive(who)} {attribute.replace('_', ' ')} is {value}".strip()
    return Raw(who, attribute, value, "en.not_but", kind, stated, correction=True, update=True)


def _possessive(who: Who) -> str:
    return {"I": "My", "we": "Our", "": "The"}.get(who.surface, f"{who.surface}'s")


def _me(turn: Turn, word: str = "I") -> Who:
    return Who(turn.speaker, turn.speaker_surface or word)


def subject(work: str, turn: Turn) -> tuple[Who, str] | None:
    """The subject at the clause's start with the rest, or None."""
    first = re.match(r"(?:I|i|we|We)\b(?!['’])\s+", work)
    if first:
        return _me(turn, first[0].strip()), work[first.end() :]
    you = re.match(r"you\b\s+", work, re.IGNORECASE)
    if you:
        return Who(turn.listener, "you"), work[you.end() :]
    mine = _MINE.match(work)
    if mine and work[mine.end() :].strip():
        name = mine["name"] if mine["name"] and mine["name"][0].isupper() else None
        end = mine.end() if name else mine.end("rel")
        key = f"{turn.speaker}:{relation(mine['rel'])}" + (f":{name}" if name else "")
        who = Who(key, work[:end])
        if name:
            turn.people[name] = who
        return who, work[end:].strip()
    pronoun = _PRONOUN.match(work)
    if pronoun:
        pointed = turn.thing or turn.person if pronoun["p"].lower() == "it" else turn.person
        return (pointed, work[pronoun.end() :].strip()) if pointed else None
    named = _NAMED.match(work)
    if named and named["name"].split()[0] not in _NOT_NAMED:
        name = named["name"]
        return turn.people.get(name, Who(name, name)), work[named.end() :].strip()
    return None


def _predicate(text: str, work: str, turn: Turn) -> list[Raw]:
    found = subject(work, turn)
    if found is None:
        if turn.subject is None or re.match(
            r"(?:the|this|that|there|my|our|his|her|its|their)\b", work, re.IGNORECASE
        ):
            return []
        found = turn.subject, work
        if not re.match(
            r"(?:\w+ly\s+|also\s+)*(?:am|is|live|work|love|likes|hate|prefer|enjoy|have|has|moved|study|speak|do|does|cannot|never|always|was)\w*\s",
            work,
        ):
            return []
    who, rest = found
    if who.key == turn.listener:
        return []
    for predicate in PREDICATES:
        if predicate.me_only and who.key != turn.speaker:
            continue
        match = predicate.pattern.fullmatch(rest)
        if match is None:
            continue
        groups = match.groupdict()
        value = next(
            (v for name in ("v", "v2", "v3", "v4") if groups.get(name) and (v := clean_value(groups[name]))),
            None,
        )
        if value is None or (predicate.attribute == "occupation" and not plausible_job(value)):
            continue
        turn.mention(who)
        return [
            Raw(
                who, predicate.attribute, value, predicate.rule, predicate.kind, _stated(text, who),
                negated=predicate.negated, ended=predicate.ended, update=predicate.update,
            )
        ]  # fmt: skip
    is_name = re.fullmatch(rf"is\s+(?P<v>{NAME})", rest)
    if is_name and ":" in who.key and who.person:
        turn.mention(who)
        return [Raw(who, "name", is_name["v"], "en.is_name", Kind.PROFILE, _stated(text, who))]
    if who.key != turn.speaker:
        turn.mention(who)
    return []


def _attribute(text: str, work: str, turn: Turn) -> list[Raw]:
    """<subject>'s <attribute> is <value>, the <attribute> of <subject> is <value>, my <attribute> is <value>."""
    for copula in COPULA.finditer(work):
        head, tail = work[: copula.start()].strip(), work[copula.end() :]
        if not head or len(head) > 80:
            continue
        split = _split_head(head, turn)
        value = clean_value(tail)
        if split is None or value is None:
            continue
        who, word = split
        attribute = _favourite(word) or canonical_attribute(word)
        row = lookup(word)
        kind = (
            Kind.PREFERENCE
            if attribute.startswith(("favorite", "least_favorite"))
            else row.kind
            if row
            else None
        )
        turn.mention(who)
        cop = copula["cop"].lower()
        if "not" in cop or "n't" in cop or "no longer" in cop or value.lower().startswith("not "):
            both = re.fullmatch(r"(?:not\s+)?(?P<a>.+?),?\s+(?:but|it is|it's)\s+(?P<b>.+)", tail)
            if both and (right := clean_value(both["b"])):
                return [
                    Raw(
                        who,
                        attribute,
                        right,
                        "en.not_but",
                        kind,
                        _stated(text, who),
                        correction=True,
                        update=True,
                    )
                ]
            turn.denied = (who, attribute, kind)
            return []
        changed = re.search(
            r"\bnow\b|chang|mov|resched|updat|switch|push|postpon|shift|rais|reduc|increas|lower|exten|short|renam|adjust|bump",
            cop,
        )
        return [
            Raw(who, attribute, value, "en.attribute", kind, _stated(text, who), update=changed is not None)
        ]
    return []


def _scheduled(text: str, work: str, turn: Turn) -> list[Raw]:
    found = schedule.read_en(work)
    if found is None or found[0].split()[0].lower() in {"it", "that", "there", "this"}:
        return []
    thing, value, changed = found
    who = Who(re.sub(r"^(?:our|my)\s+", "", thing, flags=re.IGNORECASE), thing, person=False)
    cleaned = clean_value(value)
    if cleaned is None or re.search(r"\b(?:I|you|he|she|we|they|that|who)\b", who.key):
        return []
    turn.mention(who)
    return [Raw(who, "time", cleaned, "en.scheduled", Kind.FACT, _stated(text, who), update=changed)]


def _favourite(word: str) -> str | None:
    match = re.fullmatch(r"(?P<least>least\s+)?favou?rite\s+(?P<noun>[\w -]+)", word, re.IGNORECASE)
    if match is None:
        return None
    return ("least_favorite_" if match["least"] else "favorite_") + canonical_attribute(match["noun"])


def _split_head(head: str, turn: Turn) -> tuple[Who, str] | None:
    """Subject and attribute word of what stands before the copula, or None when it names no attribute of anything."""
    head = re.sub(r"\s+(?:now|currently|has|have)$", "", head)
    possessive = _POSSESSIVE.fullmatch(head)
    if possessive:
        owner = owner_of(possessive["owner"], turn)
        return (owner, possessive["attr"]) if owner and _is_noun(possessive["attr"]) else None
    own = _OWN.fullmatch(head)
    if own and _is_noun(own["attr"]):
        word = own["owner"].lower()
        if word in {"my", "our"}:
            if _favourite(own["attr"]) or lookup(own["attr"]):
                return _me(turn), own["attr"]
            if _known_suffix(own["attr"]):
                return _thing(own["attr"], turn, mine=True)
            return (_me(turn), own["attr"]) if word == "my" else None
        pointed = turn.thing or turn.person if word == "its" else turn.person
        return (pointed, own["attr"]) if pointed else None
    of = _OF.fullmatch(head)
    if of and _is_noun(of["attr"]):
        owner = owner_of(of["owner"], turn)
        return (owner, of["attr"]) if owner else None
    thing = _THING.fullmatch(head)
    if thing:
        return _thing(thing["head"], turn, mine=False)
    bare = lookup(head)
    if bare is not None:
        return (turn.subject or (_me(turn) if bare.personal else Who("general", "", person=False))), head
    named = (
        re.match(r"[A-Z]", head)
        and len(head.split()) <= 5
        and not re.search(r"\b(?:I|i|you|we|they|to|that|why|how)\b", head)
    )
    return _thing(head, turn, mine=False) if named and _known_suffix(head) else None


def _known_suffix(phrase: str) -> str | None:
    low = phrase.lower()
    return next((word for word in EN_WORDS if low == word or low.endswith(" " + word)), None)


def _thing(phrase: str, turn: Turn, *, mine: bool) -> tuple[Who, str] | None:
    """ "project budget" -> (project, budget); a phrase that is only an attribute belongs to the last subject, or the matter."""
    word = _known_suffix(phrase)
    if word is None:
        return None
    before = phrase[: len(phrase) - len(word)].strip()
    if before:
        return Who(before, before, person=False), word
    row = lookup(word)
    if mine or (row is not None and row.personal and turn.subject is None):
        return _me(turn), word
    return turn.subject or Who("general", "", person=False), word


def owner_of(phrase: str, turn: Turn) -> Who | None:
    """The subject that an owner phrase names."""
    found = subject(phrase + " x", turn)
    if found and found[1] == "x":
        return found[0]
    bare = re.sub(r"^(?:the|this|that|our|my|a|an)\s+", "", phrase.strip(), flags=re.IGNORECASE)
    if not bare or re.search(r"[,;.!?]|\b(?:is|are|that|which|who|when|me|you|us|them|it)\b", bare):
        return None
    return Who(bare, phrase.strip(), person=False)


_NOT_ATTRIBUTES = frozenset(
    [
        "thing",
        "things",
        "one",
        "ones",
        "way",
        "point",
        "reason",
        "question",
        "problem",
        "day",
        "lot",
        "bit",
        "time",
        "first",
        "only",
        "best",
        "worst",
        "people",
        "life",
        "plan",
        "idea",
        "hope",
        "goal",
        "guess",
        "opinion",
    ]
)


def _is_noun(word: str) -> bool:
    low = word.lower()
    if lookup(low) or low.startswith(("favorite ", "favourite ", "least favorite", "least favourite")):
        return True
    return low.split()[-1] not in _NOT_ATTRIBUTES and not re.search(
        r"\b(?:that|which|is|are|was|to|and|i|you|really|just|not)\b", low
    )


def _stated(text: str, who: Who) -> str:
    """The clause with its subject named: a pronoun replaced, an elided subject put in front."""
    if not who.surface or who.surface.lower() in text.lower():
        return text
    possessive = re.match(r"(?:his|her|its|their)\b", text, re.IGNORECASE)
    if possessive:
        return f"{who.surface}'s{text[possessive.end() :]}"
    pronoun = re.match(r"(?:he|she|it|they)(?=\b)", text, re.IGNORECASE)
    if pronoun:
        return who.surface + text[pronoun.end() :]
    if re.match(r"(?:I|we|my|our|the|this)\b", text, re.IGNORECASE):
        return text
    return f"{who.surface} {text}"
