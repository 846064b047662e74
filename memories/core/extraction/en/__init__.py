"""Extraction from English clauses."""
