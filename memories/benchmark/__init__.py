"""`manage.py bench`: how fast the real services are over a generated store, as ratios to floors of the same run."""
