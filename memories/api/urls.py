"""REST URLs of the memories app, under /api/v1/."""

from django.urls import include, path

from memories.api.bulk import MemoryBulk, MemoryBulkDelete
from memories.api.constraints import ConstraintDetail, ConstraintListView
from memories.api.forgetting import (
    Forget,
    ForgetRequestDecision,
    ForgetRequestList,
    ForgetRequestUndo,
    ForgetRuleDetail,
    ForgetRuleList,
)
from memories.api.judging import ApprovalDecision, ApprovalList, FeedbackList, TraceDetail, TraceReplay
from memories.api.lists import (
    FactList,
    TombstoneDetail,
    TombstoneList,
    TombstonePurge,
    TombstoneRestore,
    TraceList,
)
from memories.api.memories import MemoryDetail, MemoryList, MemoryRestore, MemoryVersions
from memories.api.operations import OperationDetail
from memories.api.policy import PolicyDetail, PolicyPreview, PolicyRevert, PolicyVersionDetail, PolicyVersions
from memories.api.profile import ProfileView
from memories.api.recall import Recall
from memories.api.redactions import (
    RedactionDetail,
    RedactionLift,
    RedactionList,
    RedactionPreviewView,
    RedactionResume,
)
from memories.api.runs import (
    ExperimentDetail,
    ExperimentList,
    SweepDetail,
    SweepList,
    SweepPauseView,
    SweepPlan,
)
from memories.api.search import Search
from memories.api.settling import (
    ContradictionList,
    ContradictionResolve,
    ContradictionUndo,
    MemoryMerge,
    MemoryUndo,
    StaleList,
)
from memories.api.subjects import ErasureDetail, ErasureList, SubjectDetail, SubjectList
from memories.api.usage import Usage

urlpatterns = [
    path("policy/", PolicyDetail.as_view(), name="api_policy"),
    path("policy/versions/", PolicyVersions.as_view(), name="api_policy_versions"),
    path("policy/versions/<int:number>/", PolicyVersionDetail.as_view(), name="api_policy_version"),
    path("policy/preview/", PolicyPreview.as_view(), name="api_policy_preview"),
    path("policy/revert/", PolicyRevert.as_view(), name="api_policy_revert"),
    path("subjects/", SubjectList.as_view(), name="api_subjects"),
    path("subjects/<uuid:subject_id>/", SubjectDetail.as_view(), name="api_subject"),
    path("erasures/", ErasureList.as_view(), name="api_erasures"),
    path("erasures/<uuid:erasure_id>/", ErasureDetail.as_view(), name="api_erasure"),
    path("subjects/<uuid:subject_id>/profile/", ProfileView.as_view(), name="api_subject_profile"),
    path("profile/", ProfileView.as_view(), name="api_profile"),
    path("constraints/", ConstraintListView.as_view(), name="api_constraints"),
    path("constraints/<uuid:memory_id>/", ConstraintDetail.as_view(), name="api_constraint"),
    path("memories/", MemoryList.as_view(), name="api_memories"),
    path("memories/bulk/", MemoryBulk.as_view(), name="api_memories_bulk"),
    path("memories/bulk-delete/", MemoryBulkDelete.as_view(), name="api_memories_bulk_delete"),
    path("memories/<uuid:memory_id>/", MemoryDetail.as_view(), name="api_memory"),
    path("memories/<uuid:memory_id>/restore/", MemoryRestore.as_view(), name="api_memory_restore"),
    path("memories/<uuid:memory_id>/versions/", MemoryVersions.as_view(), name="api_memory_versions"),
    path("memories/stale/", StaleList.as_view(), name="api_stale"),
    path("memories/<uuid:memory_id>/undo/", MemoryUndo.as_view(), name="api_memory_undo"),
    path("memories/<uuid:memory_id>/merge/", MemoryMerge.as_view(), name="api_memory_merge"),
    path("contradictions/", ContradictionList.as_view(), name="api_contradictions"),
    path(
        "contradictions/<uuid:contradiction_id>/resolve/",
        ContradictionResolve.as_view(),
        name="api_contradiction_resolve",
    ),
    path(
        "contradictions/<uuid:contradiction_id>/undo/",
        ContradictionUndo.as_view(),
        name="api_contradiction_undo",
    ),
    path("approvals/", ApprovalList.as_view(), name="api_approvals"),
    path("approvals/<uuid:approval_id>/", ApprovalDecision.as_view(), name="api_approval"),
    path("feedback/", FeedbackList.as_view(), name="api_feedback"),
    path("traces/", TraceList.as_view(), name="api_traces"),
    path("traces/<uuid:trace_id>/", TraceDetail.as_view(), name="api_trace"),
    path("traces/<uuid:trace_id>/replay/", TraceReplay.as_view(), name="api_trace_replay"),
    path("subjects/<uuid:subject_id>/forget/", Forget.as_view(), name="api_subject_forget"),
    path("forget/", Forget.as_view(), name="api_forget"),
    path("forget/requests/", ForgetRequestList.as_view(), name="api_forget_requests"),
    path("forget/requests/<uuid:request_id>/", ForgetRequestDecision.as_view(), name="api_forget_request"),
    path(
        "forget/requests/<uuid:request_id>/undo/", ForgetRequestUndo.as_view(), name="api_forget_request_undo"
    ),
    path("forget/rules/", ForgetRuleList.as_view(), name="api_forget_rules"),
    path("forget/rules/<uuid:rule_id>/", ForgetRuleDetail.as_view(), name="api_forget_rule"),
    path("facts/", FactList.as_view(), name="api_facts"),
    path("tombstones/", TombstoneList.as_view(), name="api_tombstones"),
    path("tombstones/<uuid:tombstone_id>/", TombstoneDetail.as_view(), name="api_tombstone"),
    path("tombstones/<uuid:tombstone_id>/restore/", TombstoneRestore.as_view(), name="api_tombstone_restore"),
    path("tombstones/<uuid:tombstone_id>/purge/", TombstonePurge.as_view(), name="api_tombstone_purge"),
    path("redactions/", RedactionList.as_view(), name="api_redactions"),
    path("redactions/preview/", RedactionPreviewView.as_view(), name="api_redaction_preview"),
    path("redactions/<uuid:redaction_id>/", RedactionDetail.as_view(), name="api_redaction"),
    path("redactions/<uuid:redaction_id>/resume/", RedactionResume.as_view(), name="api_redaction_resume"),
    path("redactions/<uuid:redaction_id>/lift/", RedactionLift.as_view(), name="api_redaction_lift"),
    path("sweeps/", SweepList.as_view(), name="api_sweeps"),
    path("sweeps/plan/", SweepPlan.as_view(), name="api_sweep_plan"),
    path("sweeps/pause/", SweepPauseView.as_view(), name="api_sweep_pause"),
    path("sweeps/<uuid:run_id>/", SweepDetail.as_view(), name="api_sweep"),
    path("experiments/", ExperimentList.as_view(), name="api_experiments"),
    path("experiments/<uuid:experiment_id>/", ExperimentDetail.as_view(), name="api_experiment"),
    path("operations/<uuid:operation_id>/", OperationDetail.as_view(), name="api_operation"),
    path("webhooks/", include("memories.api.webhook_urls")),
    path("usage/", Usage.as_view(), name="api_usage"),
    path("recall/", Recall.as_view(), name="api_recall"),
    path("search/", Search.as_view(), name="api_search"),
]
