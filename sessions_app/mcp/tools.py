"""The table of tools, in the order in which agents see them."""

from __future__ import annotations

from sessions_app.mcp.adding import ADD_MEMORY
from sessions_app.mcp.changing import UPDATE_MEMORY
from sessions_app.mcp.deleting import DELETING
from sessions_app.mcp.following import FOLLOWING
from sessions_app.mcp.reading import READING
from sessions_app.mcp.settling import SETTLING
from sessions_app.mcp.tool import Tool

TOOLS: dict[str, Tool] = {
    tool.name: tool
    for tool in (ADD_MEMORY, *READING[:3], UPDATE_MEMORY, *DELETING, READING[3], *FOLLOWING, *SETTLING)
}
