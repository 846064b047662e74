"""REST URLs of the sessions app, under /api/v1/."""

from django.urls import path

from sessions_app.api.bulk import MessageBulk
from sessions_app.api.context import ContextView
from sessions_app.api.sessions import MessageDetail, MessageList, SessionDetail, SessionEnd, SessionList
from sessions_app.api.slots import SlotList

urlpatterns = [
    path("context/", ContextView.as_view(), name="api_context"),
    path("slots/", SlotList.as_view(), name="api_slots"),
    path("sessions/", SessionList.as_view(), name="api_sessions"),
    path("sessions/<uuid:session_id>/", SessionDetail.as_view(), name="api_session"),
    path("sessions/<uuid:session_id>/end/", SessionEnd.as_view(), name="api_session_end"),
    path("sessions/<uuid:session_id>/messages/", MessageList.as_view(), name="api_messages"),
    path("sessions/<uuid:session_id>/messages/bulk/", MessageBulk.as_view(), name="api_messages_bulk"),
    path("sessions/<uuid:session_id>/messages/<uuid:turn_id>/", MessageDetail.as_view(), name="api_message"),
]
