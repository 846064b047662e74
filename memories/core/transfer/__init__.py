"""The exchange format of memories: what a line holds, and how it is checked when it comes from elsewhere."""
