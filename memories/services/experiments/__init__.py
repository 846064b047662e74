"""Experiments: define, start, stop, adopt, discard, and what the sessions of each arm came to (R33)."""
