"""The OpenAI-compatible door: an unchanged OpenAI client, pointed here, gets memory."""
