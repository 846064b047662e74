"""What a question asks for: its slot, its time, whether it asks of the past, and what could answer it."""
