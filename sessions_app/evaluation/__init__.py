"""Retention: what an assembled context still holds after long scripts, against a window and against plain retrieval."""
