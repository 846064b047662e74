"""Who or what an English clause is about."""

from __future__ import annotations

import re

from memories.core.extraction.en.rules import NAME, PETS, REL
from memories.core.extraction.en.verbs import is_clear_past
from memories.core.extraction.raw import Turn, Who
from memories.core.extraction.relations import relation

NOT_NAMED = frozenset(
    {
        "For", "About", "Regarding", "Concerning", "In", "On", "At", "With", "From", "By", "Of", "To", "As",
        "I", "The", "A", "An", "This", "That", "These", "Those", "It", "There", "Here", "My", "Your", "Our", "His",
        "Her", "Their", "He", "She", "We", "They", "You", "What", "Who", "When", "Where", "Why", "How", "Which",
        "Yes", "No", "Not", "Please", "Let", "Lets", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday",
        "Saturday", "Sunday", "Today", "Tomorrow", "Yesterday", "Also", "And", "But", "So", "If", "Then", "Now",
        "Just", "Well", "Everything", "Everyone", "Someone", "Nothing", "One", "Some", "Any", "All", "Every", "Each",
        "Another", "Other", "Most", "Many", "Both", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Few", "Several", "None", "Half", "Thanks", "Thank", "Ok", "Okay", "Hey", "Hi", "Hello", "Oh",
        "Wow", "Remember", "Note", "Always", "Never", "Do", "Don", "Can", "Could", "Should", "Would", "Will", "Must",
        "First", "Second", "Last", "Next", "Finally", "Actually", "Honestly", "Sometimes", "Maybe", "January",
        "Its", "Seems", "Looks", "Sounds", "Getting", "Good", "Great", "Nice", "Yeah", "Yep", "Sure", "Glad", "Happy", "Sorry", "Bet", "Appreciate", "Thought", "Figured", "Me", "Such", "Been", "Being", "Love", "Loved", "Wish", "Hope", "Hoping", "Guess", "People", "Because", "Since", "While", "Although", "Though", "After",
        "Before", "Until", "During", "Without", "Within", "Between", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
    }
)  # fmt: skip


_MINE = re.compile(
    rf"(?P<pos>my|our)\s+(?:(?:dear|new|old|best|good|close|lovely|late|former|ex|first|second|third|only|eldest|youngest|oldest|middle|other|previous|last|twin)[\s-]+)*(?P<rel>{REL})\b(?!['’]s?\b)(?:,?\s+(?P<name>(?-i:{NAME})))?",
    re.IGNORECASE,
)


_KIN_OF = re.compile(
    rf"(?:(?P<pos>my|our)\s+(?:(?:best|old|new|former|late|older|younger|big|little|twin)\s+)*(?P<rel>{REL})|(?P<who>(?-i:{NAME})))['’]s\s+"
    rf"(?P<which>(?:(?:best|new|older|younger|elder|eldest|other|big|little|twin|ex)[\s-]+)*)(?P<rel2>{REL}|{PETS})\b(?!['’])(?:,?\s+(?P<name>(?-i:{NAME})))?",
    re.IGNORECASE,
)
"""Somebody's somebody: "my wife's brother", "Tim's boss Ana", "my sister's dog"."""
_KIN = re.compile(
    rf"(?:(?P<rel>(?i:mum|mom|mummy|mommy|dad|daddy|grandma|grandpa|granny|granddad))|(?P<rel2>Uncle|Aunt|Auntie|Cousin)\s+(?P<name>{NAME}))(?=\s|['’]s?\b)"
)
"""Kin that need no "my"."""
_TOLD_APART = re.compile(
    r"\b(other|second|third|eldest|oldest|youngest|middle|ex|former|previous|last|first)[\s-]", re.IGNORECASE
)
"""Words that tell one person in a relation from another in the same."""


_PRONOUN = re.compile(r"(?P<p>he|she|it|they)\b", re.IGNORECASE)


_NAMED = re.compile(rf"(?P<name>{NAME})(?=\s)")


def possessive(who: Who) -> str:
    end = "'" if who.surface.endswith("s") and not who.person else "'s"
    return {"I": "My", "we": "Our", "": "The"}.get(who.surface, f"{who.surface}{end}")


def me(turn: Turn, word: str = "I") -> Who:
    return Who(turn.speaker, turn.speaker_surface or word)


def subject(work: str, turn: Turn) -> tuple[Who, str] | None:
    """The subject at the clause's start with the rest, or None."""
    first = re.match(r"(?:I|i|we|We)\b(?!['’])\s+", work)
    if first:
        return me(turn, first[0].strip()), work[first.end() :]
    you = re.match(r"you\b\s+", work, re.IGNORECASE)
    if you:
        return Who(turn.listener, "you"), work[you.end() :]
    of = _KIN_OF.match(work)
    if of and work[of.end() :].strip() and (of["who"] is None or of["who"].split()[0] not in NOT_NAMED):
        last = of.end() if of["name"] else of.end("rel2")
        owner = f"{turn.speaker}:{relation(of['rel'].lower())}" if of["rel"] else of["who"]
        which_one = of["which"].lower().replace("new ", "")
        return Who(f"{owner}'s {which_one}{relation(of['rel2'].lower())}", work[:last]), work[last:].strip()
    mine = _MINE.match(work)
    if mine and work[mine.end() :].strip():
        name = mine["name"] if mine["name"] and mine["name"][0].isupper() else None
        end = mine.end() if name else mine.end("rel")
        which = _TOLD_APART.search(work, mine.start(), mine.start("rel"))
        apart = f"{which[1].lower()}_" if which else ""
        key = f"{turn.speaker}:{apart}{relation(mine['rel'])}" + (f":{name}" if name else "")
        who = Who(key, work[:end])
        if name:
            turn.people[name] = who
        return who, work[end:].strip()
    kin = _KIN.match(work)
    if kin:
        key = f"{turn.speaker}:{relation((kin['rel'] or kin['rel2']).lower())}" + (
            f":{kin['name']}" if kin["name"] else ""
        )
        return Who(key, kin[0]), work[kin.end() :].strip()
    pronoun = _PRONOUN.match(work)
    if pronoun:
        pointed = turn.thing or turn.person if pronoun["p"].lower() == "it" else turn.person
        return (pointed, work[pronoun.end() :].strip()) if pointed else None
    named = _NAMED.match(work)
    if (
        named
        and named["name"].split()[0] not in NOT_NAMED
        and _is_named(named["name"], work[named.end() :], turn)
    ):
        name = named["name"]
        return turn.people.get(name, Who(name, name)), work[named.end() :].strip()
    return None


_PLURAL = re.compile(r"\s*(?:(?:really|also|just|still|always|often|usually|do|don't|never)\s+)*(?:are|were|have|like|love|hate|enjoy|prefer|live|work|need|want|make|bring|get|go|help|take|come|keep|know|look|feel|sound|seem|use|speak|study|play|drive|own|spend|learn)\b", re.IGNORECASE)  # fmt: skip


_HEAD_AFTER = re.compile(
    r"\s*(?!(?:also|just|now|never|still|always|recently|currently|really|only|finally|who|has|had|is|was|will|can|[a-z]+ly)\b)[a-z]+s?(?<!s)\s+(?:is|are|was|were|has|have|had|will)\b"
)
"""A common noun between the word and its verb: "Test coverage is" is not about somebody called Test."""
_AFTER_GERUND = re.compile(
    r"\s*(?:to|the|my|our|a|an|in|on|at|for|with|through|up|out|off|it|this|that|some|more|back|home)\b"
)


def _is_named(name: str, rest: str, turn: Turn) -> bool:
    """Whether a capitalised word that opens a clause is a name: one person or thing takes a verb in the singular.

    "Themes like love ...", "Pets are ...", "Having seen ..." open with ordinary words.
    """
    if name in turn.people:
        return True
    if is_clear_past(name) and not re.match(r"\s+(?:is|has|was|had|will|[a-z]+s)\b", rest):
        return False  # "Rewrote it in C"; Rose and Drew are followed by a verb
    if re.fullmatch(r"[A-Z][a-z]+ed", name) and re.match(
        r"\s*(?:\w+ing|to|with|on|in|at|a|an|the|my|our|up|out)\b", rest
    ):
        return False
    if _HEAD_AFTER.match(rest) or (re.fullmatch(r"[A-Z][a-z]+ing", name) and _AFTER_GERUND.match(rest)):
        return False
    return _PLURAL.match(rest) is None and not re.fullmatch(r"[A-Z][a-z]{2,}ing", name)


def owner_of(phrase: str, turn: Turn) -> Who | None:
    """The subject that an owner phrase names."""
    found = subject(phrase + " x", turn)
    if found and found[1] == "x":
        return found[0]
    bare = re.sub(r"^(?:the|this|that|these|our|my|a|an)\s+", "", phrase.strip(), flags=re.IGNORECASE)
    if not bare or re.search(
        r"[,;.!?]|\b(?:is|are|was|were|am|have|has|had|will|would|i|we|they|he|she|that|which|who|when|me|you|us|them|it|sure|want|make|said|says|told|say|think|know|so|to|not)\b",
        bare,
        re.IGNORECASE,
    ):
        return None
    return Who(bare_name(bare), phrase.strip(), person=False)


def bare_name(name: str) -> str:
    """Aurora for "project Aurora" and "Aurora project": whether one says what a named thing is does not make it another."""
    return re.sub(r"(?:^(?:project|the|event)\s+(?=[A-Z])|(?<=[a-z])\s+(?:project|event)$)", "", name)


def stated(text: str, who: Who) -> str:
    """The clause with its subject named: a pronoun replaced, an elided subject put in front."""
    if not who.surface or who.surface.lower() in text.lower():
        return text
    if who.name and (named := re.search(rf"\b{re.escape(who.name)}\b", text, re.IGNORECASE)):
        # Called by the bare name, after "my boss Ann": the whole takes its place in front, and elsewhere it says enough.
        whole = who.surface.lower().endswith(who.name.lower()) and named.start() == 0
        return who.surface + text[named.end() :] if whole else text
    possessive = re.match(r"(?:his|her|its|their)\b", text, re.IGNORECASE)
    if possessive:
        return f"{who.surface}'s{text[possessive.end() :]}"
    pronoun = re.match(r"(?:he|she|it|they)(?=\b)", text, re.IGNORECASE)
    if pronoun:
        return who.surface + text[pronoun.end() :]
    if re.match(r"(?:I|we|my|our|the|this)\b", text, re.IGNORECASE):
        return text
    return f"{who.surface} {text}"
