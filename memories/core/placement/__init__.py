"""Where a statement goes among what is known: new, confirmed, superseding, contradicting or history (R17, R18)."""
