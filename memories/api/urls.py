"""REST URLs of the memories app, under /api/v1/."""

from django.urls import path

from memories.api.judging import ApprovalDecision, ApprovalList, FeedbackList, TraceDetail
from memories.api.memories import MemoryDetail, MemoryList, MemoryRestore, MemoryVersions
from memories.api.recall import Recall
from memories.api.subjects import ErasureDetail, SubjectDetail, SubjectList

urlpatterns = [
    path("subjects/", SubjectList.as_view(), name="api_subjects"),
    path("subjects/<uuid:subject_id>/", SubjectDetail.as_view(), name="api_subject"),
    path("erasures/<uuid:erasure_id>/", ErasureDetail.as_view(), name="api_erasure"),
    path("memories/", MemoryList.as_view(), name="api_memories"),
    path("memories/<uuid:memory_id>/", MemoryDetail.as_view(), name="api_memory"),
    path("memories/<uuid:memory_id>/restore/", MemoryRestore.as_view(), name="api_memory_restore"),
    path("memories/<uuid:memory_id>/versions/", MemoryVersions.as_view(), name="api_memory_versions"),
    path("approvals/", ApprovalList.as_view(), name="api_approvals"),
    path("approvals/<uuid:approval_id>/", ApprovalDecision.as_view(), name="api_approval"),
    path("feedback/", FeedbackList.as_view(), name="api_feedback"),
    path("traces/<uuid:trace_id>/", TraceDetail.as_view(), name="api_trace"),
    path("recall/", Recall.as_view(), name="api_recall"),
]
