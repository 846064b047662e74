"""Memories as a file: written line by line, and taken in again, here or elsewhere (R35)."""
