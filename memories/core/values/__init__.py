"""Values of facts: their forms, how two of them compare, and which fact a bare value belongs to."""
