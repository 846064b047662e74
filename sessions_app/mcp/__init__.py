"""The MCP door: MemoryHub's tools for agents, at /mcp."""
