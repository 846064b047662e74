"""Packs recalled entries into a number of tokens: whole ones in rank order, digests opened, nothing twice (R5, R6)."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from memories.core.text.lexical import terms
from memories.core.text.sentences import sentences
from memories.core.text.tokens import TokenCounter, count
from sessions_app.core.focus import focus
from sessions_app.core.pieces import Entry

Cost = Callable[[Entry, str], int]
"""Tokens of an entry's line with this text, its label included."""

SHORTEST = 24
"""An entry shortened below so many tokens says too little for its label."""
_HEAD = re.compile(
    r"^\[\d{4}-\d{2}-\d{2}\]\s*(?:[^:：。，]{1,23}[:：]\s*)?|^[^\s:：。，.!?\[\]][^:：。，.!?]{0,22}: "
)


@dataclass(frozen=True, slots=True)
class Packed:
    """An entry that goes in, with the text that is shown of it."""

    entry: Entry
    text: str


def pack(
    entries: Sequence[Entry],
    wanted: Collection[str],
    *,
    room: int,
    entry_cap: int,
    least: int,
    cost: Cost,
    counter: TokenCounter = count,
) -> list[Packed]:
    """The entries, best first, that stand within `room` tokens; order is kept.

    `wanted` are the question's index terms. The `least` best go in whatever room there is; each further one where it fits,
    a smaller one in the place of one that does not. An entry of more than `entry_cap` tokens is shortened to its part about
    the question, and so is the first one that does not fit whole. What says nothing that an entry before it does not say, too,
    is left out.
    """
    taken: list[Packed] = []
    said: list[str] = []
    left = room
    shortened = False
    for entry in entries:
        text = _shown(entry, wanted, entry_cap, counter)
        plain = _plain(text)
        if not text or any(plain in before for before in said):
            continue
        needed = cost(entry, text)
        if needed > left and len(taken) >= least:
            spare = left - (needed - counter(text))
            if shortened or spare < SHORTEST:
                continue
            shortened = True
            text = _shown(entry, wanted, spare, counter)
            needed = cost(entry, text)
            if not text or needed > left:
                continue
        taken.append(Packed(entry, text))
        said.append(plain)
        left -= needed
    return taken


def _shown(entry: Entry, wanted: Collection[str], cap: int, counter: TokenCounter) -> str:
    if entry.kind == "digest" and counter(entry.text) > cap // 2:
        return opened(entry.text, wanted, cap, counter)
    return focus(entry.text, wanted, cap, counter)


def opened(digest: str, wanted: Collection[str], max_tokens: int, counter: TokenCounter = count) -> str:
    """The sentences of a digest that share a term with the question, each with its line's date and speaker.

    At most `max_tokens` tokens; those that share most come first into the room, and all stand in their order. Where none
    shares any, the digest's part that `focus` finds.
    """
    asked = set(wanted)
    pieces = list(_pieces(digest))
    shared = [len(asked.intersection(terms(body))) for _, body in pieces]
    chosen: list[int] = []
    for at in sorted(range(len(pieces)), key=lambda at: (-shared[at], at)):
        if not shared[at]:
            break
        candidate = sorted([*chosen, at])
        if counter(_joined(pieces, candidate)) <= max_tokens:
            chosen = candidate
    return _joined(pieces, chosen) if chosen else focus(digest, wanted, max_tokens, counter)


def _pieces(digest: str) -> Iterator[tuple[str, str]]:
    """Each sentence under its line's head; the date is told on, since only a day's first line has it."""
    day = ""
    for line in digest.split("\n"):
        head = _HEAD.match(line)
        start = head.end() if head else 0
        label = line[:start]
        if label.startswith("["):
            day = label[: label.index("]") + 1]
        elif day:
            label = f"{day} {label}"
        body = line[start:]
        for first, last in sentences(body):
            yield label.strip(), body[first:last].strip()


def _joined(pieces: Sequence[tuple[str, str]], chosen: Sequence[int]) -> str:
    lines: list[str] = []
    label = None
    for at in chosen:
        head, body = pieces[at]
        if head == label:
            lines[-1] += f" {body}"
        else:
            lines.append(f"{head} {body}".strip())
        label = head
    return "\n".join(lines)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".。!！")
