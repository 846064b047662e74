"""The chat socket, through the real ASGI application."""
