"""The numbers of an experiment's sessions, by arm: one statement over the newest of them, their traces and their verdicts."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import connection

from memories.core.experiments import Arm, ArmNumbers
from memories.core.intervals import Sample
from memories.models import Feedback, RecallTrace
from memoryhub.common.db import current_tenant_id
from sessions_app.models import ChatSession, Turn

SESSIONS, TRACES, VERDICTS = 20_000, 200_000, 50_000
"""How many of the newest are looked at."""


def experiment_numbers(experiment_id: uuid.UUID, since: datetime) -> dict[Arm, ArmNumbers]:
    """Of the sessions that were opened in the experiment, which runs since `since`; in the open tenant transaction.

    A session counts with the mean of its own turns, so that a long one weighs no more than a short one.
    """
    sql = f"""
        WITH counted AS (
            SELECT id, policy_variant AS arm, outcome FROM {ChatSession._meta.db_table}
            WHERE tenant_id = %(tenant)s AND experiment_id = %(experiment)s ORDER BY id DESC LIMIT {SESSIONS}
        ), recalled AS (
            SELECT session_id,
                   avg(used_tokens) FILTER (WHERE used_tokens > 0) AS tokens,
                   avg(abstained::int) FILTER (WHERE milliseconds > 0) AS abstained,
                   avg(milliseconds) FILTER (WHERE milliseconds > 0) AS milliseconds
            FROM (
                SELECT session_id, used_tokens, abstained, milliseconds FROM {RecallTrace._meta.db_table}
                WHERE tenant_id = %(tenant)s AND experiment_id = %(experiment)s ORDER BY at DESC LIMIT {TRACES}
            ) newest GROUP BY session_id
        ), judged AS (
            SELECT coalesce(turn.session_id, trace.session_id) AS session_id,
                   bool_or(given.verdict IN ('wrong', 'irrelevant')) AS bad
            FROM (
                SELECT turn_id, trace_id, verdict FROM {Feedback._meta.db_table}
                WHERE tenant_id = %(tenant)s AND at >= %(since)s ORDER BY at DESC LIMIT {VERDICTS}
            ) given
            LEFT JOIN {Turn._meta.db_table} turn ON turn.tenant_id = %(tenant)s AND turn.id = given.turn_id
            LEFT JOIN {RecallTrace._meta.db_table} trace ON trace.tenant_id = %(tenant)s AND trace.id = given.trace_id
            GROUP BY 1
        )
        SELECT arm, count(*), count(*) FILTER (WHERE outcome <> ''), count(*) FILTER (WHERE outcome = 'done'),
               count(*) FILTER (WHERE outcome = 'reworked'), count(bad), count(*) FILTER (WHERE bad),
               count(tokens), avg(tokens), var_samp(tokens),
               count(abstained), avg(abstained), var_samp(abstained),
               count(milliseconds), avg(milliseconds), var_samp(milliseconds)
        FROM counted
        LEFT JOIN recalled ON recalled.session_id = counted.id
        LEFT JOIN judged ON judged.session_id = counted.id
        GROUP BY arm
    """  # noqa: S608  (the tables' own names, and numbers of ours)
    values: dict[str, Any] = {"tenant": current_tenant_id(), "experiment": experiment_id, "since": since}
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        rows = cursor.fetchall()
    return {
        Arm(row[0]): ArmNumbers(
            sessions=row[1],
            outcomes=row[2],
            done=row[3],
            reworked=row[4],
            judged=row[5],
            bad=row[6],
            tokens=_sample(row[7:10]),
            abstained=_sample(row[10:13]),
            milliseconds=_sample(row[13:16]),
        )
        for row in rows
        if row[0] in set(Arm)
    }


def _sample(found: Sequence[Any]) -> Sample:
    n, mean, variance = found
    return Sample(n, float(mean or 0), float(variance or 0))
