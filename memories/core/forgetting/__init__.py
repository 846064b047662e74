"""Forgetting by words: what a request means, which memories and which texts it reaches, and how it is undone (R26)."""
