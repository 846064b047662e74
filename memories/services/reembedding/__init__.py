"""Changing the embedder of a live store: start a generation, watch it fill, switch, roll back, drop (docs/adr/0028)."""
