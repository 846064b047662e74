"""The pages without a browser: what they show to whom, and what they never let through."""
