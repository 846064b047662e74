"""Markdown to sanitised HTML: what a model wrote can format its answer, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Collection, MutableMapping
from functools import lru_cache
from typing import Any

import nh3
from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

_TAGS = {
    *(
        "p",
        "br",
        "hr",
        "strong",
        "em",
        "s",
        "code",
        "pre",
        "blockquote",
        "ul",
        "ol",
        "li",
    ),
    *(
        "h3",
        "h4",
        "h5",
        "h6",
        "a",
        "sup",
        "div",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
    ),
}
# No images: one from elsewhere would tell its server what was recalled, in the address.
_ATTRIBUTES = {
    "a": {"href", "title", "class", "data-number"},
    "code": {"class"},
    "ol": {"start"},
    "div": {"class", "tabindex"},
    "sup": {"class"},
}
_CITATION = re.compile(r"\[(\d{1,3})\]")


def render_markdown(text: str, *, numbers: Collection[int] = (), anchor: str = "") -> str:
    """HTML that is safe to insert as it is.

    `[3]` becomes a link to `#<anchor>-3` when 3 is among `numbers`, the memories that the answer was given. Headings
    start at level 3, below the page's own. Raw HTML in the text is shown as text.
    """
    html = _parser().render(text, {"numbers": frozenset(numbers), "anchor": anchor})
    return nh3.clean(
        html,
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        attribute_filter=_keep,
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer nofollow",
    )


def _keep(tag: str, attribute: str, value: str) -> str | None:
    """Classes and in-page links are ours alone; a link that is neither ours nor absolute is dropped."""
    if attribute == "class":
        ours = {
            "a": r"cite",
            "sup": r"cites",
            "div": r"table-wrap",
            "code": r"language-[\w+#.-]{1,30}",
        }
        return value if re.fullmatch(ours.get(tag, "(?!)"), value) else None
    if attribute == "href":
        return value if re.match(r"(https?://|mailto:|#used-[0-9a-f-]{36}-\d{1,3}$)", value) else None
    return value


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "breaks": True}).enable(["table", "strikethrough"])
    parser.disable(["image", "html_block", "html_inline", "reference"])
    parser.core.ruler.push("citations", _cite)
    parser.core.ruler.push("headings", _lower_headings)
    parser.add_render_rule("table_open", lambda *_: '<div class="table-wrap" tabindex="0"><table>')
    parser.add_render_rule("table_close", lambda *_: "</table></div>")
    return parser


def _lower_headings(state: StateCore) -> None:
    for token in state.tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, int(token.tag[1]) + 2)}"


def _cite(state: StateCore) -> None:
    """Turn `[n]` in running text (not in code) into links."""
    if not state.env.get("numbers"):
        return
    for block in state.tokens:
        if block.type == "inline" and block.children:
            block.children = [made for token in block.children for made in _with_links(token, state.env)]


def _with_links(token: Token, env: MutableMapping[str, Any]) -> list[Token]:
    if token.type != "text" or "[" not in token.content:
        return [token]
    made: list[Token] = []
    end = 0
    for match in _CITATION.finditer(token.content):
        number = int(match[1])
        if number not in env["numbers"]:
            continue
        made.append(_text(token.content[end : match.start()], token.level))
        # Built from an integer and an id of ours; the only HTML that does not come from the renderer.
        link = Token("html_inline", "", 0, level=token.level)
        link.content = (
            f'<sup class="cites"><a class="cite" data-number="{number}" href="#used-{env["anchor"]}-{number}">'
            f"[{number}]</a></sup>"
        )
        made.append(link)
        end = match.end()
    return [*made, _text(token.content[end:], token.level)] if made else [token]


def _text(content: str, level: int) -> Token:
    return Token("text", "", 0, content=content, level=level)
