"""Extraction from Chinese clauses."""
