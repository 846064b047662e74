"""The socket addresses of the chat; memoryhub/asgi.py puts them behind the origin check and the session cookie."""

from __future__ import annotations

from django.urls import path

from sessions_app.consumers import ChatConsumer

# Not <uuid:...>: a malformed id is answered with a close code instead of an exception.
websocket_urlpatterns = [path("ws/chat/<str:session_id>/", ChatConsumer.as_asgi())]
