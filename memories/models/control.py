"""What steers memory: policy versions, jobs, idempotency, feedback, approvals, forget rules and sweep runs."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from accounts.models import Subject
from accounts.tenancy import TenantForeignKey, TenantModel
from memories.models.memory import Memory
from memoryhub.common.fields import EncryptedTextField


class PolicyVersion(TenantModel):
    """A tenant's overrides of the policy table; the highest number is in force."""

    number = models.PositiveIntegerField()
    overrides = models.JSONField(default=dict)
    # The tenant's own patterns and fields of sensitive content (core/pii/custom.py).
    custom = models.JSONField(default=dict, blank=True)
    note = models.CharField(max_length=200, blank=True)
    created_by = models.CharField(max_length=64, blank=True)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tenant", "number"], name="one_policy_a_number")]


class Job(TenantModel):
    """A piece of work: this row is the truth, Celery only rings the bell, beat rings again for what is overdue."""

    class State(models.TextChoices):
        PENDING = "pending"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"

    kind = models.CharField(max_length=32)
    key = models.CharField(max_length=200)
    # Ids and numbers only.
    payload = models.JSONField(default=dict)
    subject = TenantForeignKey(Subject, null=True, blank=True)
    state = models.CharField(max_length=8, choices=State, default=State.PENDING)
    attempts = models.PositiveSmallIntegerField(default=0)
    run_after = models.DateTimeField()
    lease_owner = models.CharField(max_length=64, blank=True)
    leased_until = models.DateTimeField(null=True, blank=True)
    error_code = models.CharField(max_length=64, blank=True)
    created_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "kind", "key"],
                condition=Q(state__in=["pending", "running"]),
                name="one_open_job_a_key",
            )
        ]
        indexes = [
            models.Index(
                fields=["tenant", "run_after"], condition=Q(state__in=["pending", "running"]), name="job_due"
            ),
            models.Index(
                fields=["tenant", "kind", "finished_at"], condition=Q(state="failed"), name="job_failed"
            ),
        ]


class IdempotencyKey(TenantModel):
    """Same key, same answer; another body under the same key is a conflict."""

    # Whose memory the answer is about, so that erasing that subject takes it along.
    subject = TenantForeignKey(Subject, null=True, blank=True)
    principal = models.CharField(max_length=64)
    key = models.CharField(max_length=200)
    request_hash = models.BinaryField()
    status = models.PositiveSmallIntegerField(null=True, blank=True)
    response = models.JSONField(null=True, blank=True)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tenant", "principal", "key"], name="one_answer_a_key")
        ]


class Feedback(TenantModel):
    """A person's verdict on a recalled memory or an answer."""

    subject = TenantForeignKey(Subject)
    memory = TenantForeignKey(Memory, null=True, blank=True)
    turn_id = models.UUIDField(null=True, blank=True)
    trace_id = models.UUIDField(null=True, blank=True)
    verdict = models.CharField(max_length=16)
    at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["tenant", "-at"], name="feedback_of_tenant")]


class Approval(TenantModel):
    """A memory that waits for its subject's yes before it is kept; the memory itself has status `pending`."""

    class State(models.TextChoices):
        WAITING = "waiting"
        APPROVED = "approved"
        REFUSED = "refused"

    subject = TenantForeignKey(Subject)
    memory = TenantForeignKey(Memory)
    state = models.CharField(max_length=8, choices=State, default=State.WAITING)
    rule = models.CharField(max_length=64, blank=True)
    asked_at = models.DateTimeField()
    decided_at = models.DateTimeField(null=True, blank=True)
    decided_by = models.CharField(max_length=64, blank=True)

    class Meta:
        indexes = [
            models.Index(fields=["tenant", "asked_at"], condition=Q(state="waiting"), name="approval_waiting")
        ]


class ForgetRule(TenantModel):
    """ "Do not learn this again": a keyed fingerprint of a value, slot or entity, binding turns said before `binds_before`.

    A standing rule ("都别记了") has no `binds_before`; it is listed and can be removed. Its label and target are encrypted;
    others have neither, so that nothing that was said outlives the memory in them.
    """

    subject = TenantForeignKey(Subject)
    kind = models.CharField(max_length=16)
    fingerprint = models.BinaryField()
    label = EncryptedTextField(null=True, blank=True)
    target = EncryptedTextField(null=True, blank=True)
    request = TenantForeignKey("memories.ForgetRequest", on_delete=models.SET_NULL, null=True, blank=True)
    binds_before = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField()
    removed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [models.Index(fields=["tenant", "subject", "fingerprint"], name="forget_rule_by_print")]


class ForgetRequest(TenantModel):
    """Somebody asked, in words, that something be forgotten: carried out, or waiting for their yes until `expires_at`.

    `target` is what was meant and `undo` the words taken out of texts that no memory rests on; both are encrypted, and
    both are destroyed at `purge_after`. While it is UNDOING all of it is recalled again, and `undo` holds the words that a job
    has still to put back.
    """

    class State(models.TextChoices):
        WAITING = "waiting"
        DONE = "done"
        REFUSED = "refused"
        UNDOING = "undoing"
        RESTORED = "restored"

    subject = TenantForeignKey(Subject)
    session_id = models.UUIDField(null=True, blank=True)
    turn_id = models.UUIDField(null=True, blank=True)
    number = models.PositiveSmallIntegerField(default=0)
    state = models.CharField(max_length=8, choices=State, default=State.WAITING)
    scope = models.CharField(max_length=16)
    standing = models.BooleanField(default=False)
    target = EncryptedTextField(null=True, blank=True)
    memories = models.PositiveIntegerField(default=0)
    texts = models.PositiveIntegerField(default=0)
    undo = EncryptedTextField(null=True, blank=True)
    asked_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    decided_at = models.DateTimeField(null=True, blank=True)
    decided_by = models.CharField(max_length=64, blank=True)
    purge_after = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            # The same message asks once, however often it is learnt from.
            models.UniqueConstraint(
                fields=["tenant", "turn_id", "number"],
                condition=Q(turn_id__isnull=False),
                name="one_request_a_turn_and_number",
            )
        ]
        indexes = [
            models.Index(
                fields=["tenant", "subject", "state", "-asked_at"], name="forget_request_by_subject"
            ),
            models.Index(
                fields=["tenant", "asked_at"],
                condition=Q(state__in=["waiting", "undoing"]),
                name="forget_request_unfinished",
            ),
            models.Index(
                fields=["tenant", "-id"], condition=Q(standing=True), name="forget_request_standing"
            ),
        ]


class SweepRun(TenantModel):
    """A report of one sweep: what went, by rule and kind, and how far it came."""

    class State(models.TextChoices):
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"
        PAUSED = "paused"

    dry_run = models.BooleanField(default=False)
    state = models.CharField(max_length=8, choices=State, default=State.RUNNING)
    counts = models.JSONField(default=dict)
    policy_version = models.PositiveIntegerField(default=0)
    actor_kind = models.CharField(max_length=16, default="system")
    actor_id = models.CharField(max_length=64, blank=True)
    now = models.DateTimeField()
    started_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True, blank=True)
    error_code = models.CharField(max_length=64, blank=True)

    class Meta:
        indexes = [models.Index(fields=["tenant", "-started_at"], name="sweep_run_of_tenant")]
