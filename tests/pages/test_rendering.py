"""Markdown becomes safe HTML, whatever a model writes."""

from __future__ import annotations

from html.parser import HTMLParser
from uuid import uuid4

from hypothesis import given
from hypothesis import strategies as st

from sessions_app.rendering import render_markdown

TAGS = {
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
}
ATTRIBUTES = {"href", "title", "class", "data-number", "rel", "start", "tabindex"}

pieces = st.sampled_from(
    [
        "<script>",
        "</script>",
        "<img src=x onerror=alert(1)>",
        "[a](javascript:alert(1))",
        "![x](http://e.com/p.png)",
        "**",
        "*",
        "`",
        "```\n",
        "[1]",
        "[2]",
        "<a href='data:text/html,x'>",
        "\n\n",
        "- ",
        "| a | b |\n|---|---|\n",
        '"><svg onload=alert(1)>',
        "&lt;script&gt;",
        "<style>*{}</style>",
        "[x]: javascript:alert(1)\n",
        "# ",
        "> ",
    ]
)


class _Tags(HTMLParser):
    """Collects every tag and attribute."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: dict[str, set[str]] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        for name, value in attrs:
            self.attributes.setdefault(name, set()).add(value or "")


@given(st.lists(pieces | st.text(max_size=20), max_size=12).map("".join))
def test_nothing_but_formatting_comes_out(text: str) -> None:
    found = _Tags()
    found.feed(render_markdown(text, numbers={1}, anchor=str(uuid4())))
    assert found.tags <= TAGS
    assert set(found.attributes) <= ATTRIBUTES
    for href in found.attributes.get("href", set()):
        assert href.startswith(("http://", "https://", "mailto:", "#used-"))


def test_only_numbers_of_real_memories_become_links() -> None:
    anchor = str(uuid4())
    html = render_markdown("Yes [1], perhaps [7], and `[1]` in code.", numbers={1}, anchor=anchor)
    assert html.count("<a ") == 1
    assert f'href="#used-{anchor}-1"' in html
    assert "[7]" in html
    assert "<code>[1]</code>" in html


def test_headings_stay_below_the_pages_own() -> None:
    assert render_markdown("# One\n\n###### Six") == "<h3>One</h3>\n<h6>Six</h6>\n"


def test_pictures_from_elsewhere_are_not_loaded() -> None:
    """Their address could carry what was recalled to somebody else's server."""
    assert "<img" not in render_markdown("![x](https://example.com/?q=secret)")


def test_chinese_lines_and_tables_are_kept() -> None:
    html = render_markdown("第一行\n第二行\n\n| 名 | 值 |\n|---|---|\n| 甲 | 1 |")
    assert "第一行<br>" in html
    assert "<td>甲</td>" in html
