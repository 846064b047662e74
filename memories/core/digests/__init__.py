"""Digests of a session: what they must hold and how they are written without a model (R8)."""
