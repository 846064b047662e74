"""What of a model's statement the message proves, and the words in which it stands alone."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from memories.core.extraction.sentences import (
    is_guess,
    is_jest,
    is_play,
    is_small_talk,
    is_supposition,
    split_clauses,
)
from memories.core.extraction.zh.names import titled
from memories.core.text.language import detect
from memories.core.text.sentences import sentences
from memories.core.values.forms import value_key
from memories.core.values.keyvalues import key_values
from memories.core.values.normalise import canonical

MAX_CHARS: Final = 300
MIN_QUOTE: Final = 2
LEAVE_OUT: Final = "leave it out"
"""In a problem that no other words would mend."""
_TITLED = re.compile(r"\b(?:Dr|Mr|Mrs|Ms|Prof|Professor|Doctor|Miss|Aunt|Uncle)\.?\s+([A-Z][\w'’-]+)")
_ONESELF = re.compile(r"我|咱|俺|\b(?:i|me|my|mine|we|us|our|ours)\b", re.IGNORECASE)


def problem(item: Mapping[str, Any], text: str, *, named: bool) -> str:
    """What of a statement the text does not prove; "" when it proves all. `named`: it is about somebody the text has to name."""
    content, quote = str(item["content"]).strip(), str(item["quote"]).strip()
    if len(quote) < MIN_QUOTE or quote not in text:
        return "quote: it does not stand in the message; copy it character by character"
    if not content or len(content) > MAX_CHARS:
        return f"content: 1 to {MAX_CHARS} characters"
    if not _claims(text, quote):
        return f"quote: the message only asks, guesses or supposes this, or it is small talk; {LEAVE_OUT}"
    if _invents(content, text) or _calls_otherwise(content, text):
        return "content: it holds a number, name, date or code that the message does not"
    if named and str(item["about"]).strip() not in text:
        return "about: copy the name from the message"
    return ""


def standing_alone(content: str, quote: str, about: str, text: str) -> str:
    """The statement with the name of what it is about; without a name, the sentence that it is a mere piece of.

    A model copies pieces out of the message ("主刀是韩医生"), of which nobody can tell later whose they are. `about` is a
    name as written, or "" for the one who writes and for people called by what they are to them.
    """
    if about:
        separator = "：" if detect(content) == "zh" else ": "
        return content if about in content else f"{about}{separator}{content}"
    if _ONESELF.search(content):
        return content
    sentence = _sentence(text, content if content in text else quote)
    return sentence if content in sentence else content


def as_said(text: str, quote: str, about: str) -> str:
    """The sentence that the quote is from, in place of a statement that turned it; with the name of whom it is about, if given."""
    said = _sentence(text, quote) or quote
    if not about or about in said:
        return said
    return f"{about}{'：' if detect(said) == 'zh' else ': '}{said}"


def _sentence(text: str, words: str) -> str:
    """The sentence in which the words begin; "" for one that is too long to be a statement."""
    at = text.find(words)
    for start, end in sentences(text):
        sentence = text[start:end].strip()
        if start <= at < end and len(sentence) <= MAX_CHARS:
            return sentence
    return ""


def _claims(text: str, quote: str) -> bool:
    """Whether some clause that the quote touches says that it is so."""
    begin = text.find(quote)
    end = begin + len(quote)
    return any(
        not (clause.asks or is_guess(clause.text) or is_small_talk(clause.text))
        and not (is_supposition(clause.sentence) or is_play(clause.sentence) or is_jest(clause.sentence))
        for clause in split_clauses(text)
        if clause.start < end and begin < clause.end
    )


def _invents(content: str, text: str) -> bool:
    """Whether the statement holds a number, name, code, date or the like that the text does not."""
    said = {value_key(value) for value in key_values(text)}
    plain = canonical(text)
    return any(
        value_key(value) not in said and canonical(value.text) not in plain for value in key_values(content)
    )


def _calls_otherwise(content: str, text: str) -> bool:
    """Whether the statement calls somebody by a title and a name that the text does not: 王医生, "Dr. Wang"."""
    plain = canonical(text)
    return any(canonical(name) not in plain for name in [*titled(content), *_TITLED.findall(content)])
