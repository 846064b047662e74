"""Takes spans out of a text so that each can be put back exactly, in any order, whatever else was taken out meanwhile.

The base of a text is the text with every restorable span back in place. A cut names its span by the offset in the base; so
cuts of one text never disturb each other, except when one is made final, which shortens the base for those behind it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Cut:
    """`text` stood at `start` of the base and is shown as `mark`; `owner` may have it put back."""

    start: int
    text: str
    mark: str
    owner: str = ""

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def base_of(current: str, cuts: Iterable[Cut]) -> str | None:
    """The base of a text as it stands; None when it was changed since, so that its cuts do not fit any more."""
    parts: list[str] = []
    at = shown = 0
    for cut in sorted(cuts, key=lambda one: one.start):
        plain = cut.start - at
        if plain < 0 or current[shown + plain : shown + plain + len(cut.mark)] != cut.mark:
            return None
        parts += [current[shown : shown + plain], cut.text]
        shown += plain + len(cut.mark)
        at = cut.end
    return "".join([*parts, current[shown:]])


def shown(base: str, cuts: Iterable[Cut]) -> str:
    """The text with the cuts' marks in place of their spans; the reverse of `base_of`."""
    parts: list[str] = []
    at = 0
    for cut in sorted(cuts, key=lambda one: one.start):
        parts += [base[at : cut.start], cut.mark]
        at = cut.end
    return "".join([*parts, base[at:]])


def cut_out(
    current: str, cuts: Sequence[Cut], spans: Iterable[tuple[int, int]], *, mark: str, owner: str
) -> list[Cut]:
    """New cuts for spans of the text as it stands; the spans touch none of the marks in it."""
    before = sorted(cuts, key=lambda one: one.start)
    made: list[Cut] = []
    for start, end in spans:
        shift = 0
        for cut in before:
            if cut.start + shift >= start:
                break
            shift += len(cut.mark) - len(cut.text)
        made.append(Cut(start - shift, current[start:end], mark, owner))
    return made


def made_final(cuts: Collection[Cut], gone: Collection[Cut]) -> list[Cut]:
    """The other cuts when `gone` can never be put back: their marks are part of the base from now on."""
    left = [cut for cut in cuts if cut not in gone]
    return [
        replace(
            cut, start=cut.start + sum(len(one.mark) - len(one.text) for one in gone if one.start < cut.start)
        )
        for cut in left
    ]


def masked_for_good(
    base: str, cuts: Sequence[Cut], spans: Iterable[tuple[int, int]], mark: str
) -> tuple[str, list[Cut]]:
    """The base with the mark over the spans, and the cuts, in their order, as they name the same places of the new base.

    A span that lies across the edge of a cut is masked on both sides of it, so that no part of it comes back.
    """
    wanted = sorted(spans)
    order = sorted(range(len(cuts)), key=lambda number: cuts[number].start)
    moved = list(cuts)
    parts: list[str] = []
    at = length = 0

    def take(low: int, high: int) -> str:
        text, here = "", low
        for start, end in wanted:
            start, end = max(start, low), min(end, high)
            if start < end:
                text, here = text + base[here:start] + mark, end
        return text + base[here:high]

    for number in order:
        cut = cuts[number]
        plain, inside = take(at, cut.start), take(cut.start, cut.end)
        parts += [plain, inside]
        moved[number] = replace(cut, start=length + len(plain), text=inside)
        length += len(plain) + len(inside)
        at = cut.end
    return "".join([*parts, take(at, len(base))]), moved
