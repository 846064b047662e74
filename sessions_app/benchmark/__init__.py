"""Benchmark cases of chat: assembling a context and compacting a window."""
