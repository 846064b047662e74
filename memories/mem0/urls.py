"""The addresses of mem0's hosted API that its clients call, of several of their versions."""

from django.urls import path

from memories.mem0.reading import History, Listing, Owners, Ping, Search
from memories.mem0.writing import Add, Batch, Collection, Detail, Feedback, Owner

urlpatterns = [
    path("v1/ping/", Ping.as_view(), name="mem0_ping"),
    path("v1/memories/", Collection.as_view(), name="mem0_memories"),
    path("v1/memories/search/", Search.as_view(), name="mem0_search_v1"),
    path("v1/memories/<uuid:memory_id>/", Detail.as_view(), name="mem0_memory"),
    path("v1/memories/<uuid:memory_id>/history/", History.as_view(), name="mem0_history"),
    path("v1/batch/", Batch.as_view(), name="mem0_batch"),
    path("v1/feedback/", Feedback.as_view(), name="mem0_feedback"),
    path("v1/entities/", Owners.as_view(), name="mem0_owners"),
    path("v2/entities/<str:kind>/<path:name>/", Owner.as_view(), name="mem0_owner"),
    path("v2/memories/", Listing.as_view(), name="mem0_list_v2"),
    path("v2/memories/search/", Search.as_view(), name="mem0_search_v2"),
    path("v3/memories/", Listing.as_view(), name="mem0_list"),
    path("v3/memories/add/", Add.as_view(), name="mem0_add"),
    path("v3/memories/search/", Search.as_view(), name="mem0_search"),
]
