"""Times in words: parsed against the time and zone they were said in, in both languages."""
