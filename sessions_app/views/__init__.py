"""The pages: the chat and one's own memories."""
