"""Sensitive content: what it is, where it stands in a text, and what becomes of it (R28)."""
