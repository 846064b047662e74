"""A door of mem0's shape: a program that speaks to mem0's hosted API moves over by changing the host and the key."""
