"""The word classes by which English noun phrases are told: what opens one, what ends one, what only tells its state, what measures."""

from __future__ import annotations

from memories.core.text.stopwords import (
    ARTICLES,
    AUXILIARIES,
    CONJUNCTIONS,
    DEMONSTRATIVES,
    NEGATED_AUXILIARIES,
    POSSESSIVES,
    QUESTION_WORDS,
    SUBJECTS,
    word_set,
)
from memories.core.times.english import DAY_NAMES, MONTHS

DETERMINERS = ARTICLES | POSSESSIVES | DEMONSTRATIVES | word_set("each every")
OWN = word_set("my our")
CALENDAR = frozenset(
    name.lower()
    for name in (*DAY_NAMES, *MONTHS, "weekend", "weekday", "today", "tomorrow", "christmas", "easter")
)
"""Names of days and months, in the singular: no thing, no person and no place is called so."""
PREPOSITIONS = word_set("of for on in at with from by into per")
NEVER = (
    SUBJECTS | QUESTION_WORDS | (CONJUNCTIONS - DEMONSTRATIVES) | AUXILIARIES | NEGATED_AUXILIARIES | DAY_NAMES
    | word_set(
        """me him us them not no never still just also even only too very really quite pretty more most less least much many few some any all both either
        neither to about over under up down out off back again now already currently recently today here there that's it's i'm i've he's she's we're
        we've they're want wants need needs try trying hope hoping plan planning think thinking know make making made sure get got getting gets keep
        keeping let said says say considering like going go goes went come came especially after before until till during through between without
        within against toward towards one ones thing things lot bit kind sort couple around approximately roughly nearly almost exactly instead
        despite given means mean far starting beginning effective including based"""
    )
)  # fmt: skip
"""Words that are no part of a noun phrase, and end it."""
GOVERNS = word_set(
    """to i we you he she they it i've we've you've they've i'm will would can could should may might must shall do does did don't doesn't didn't has have had hasn't haven't hadn't
    let's please just already recently finally also never not who that which"""
)
"""Words that are followed by a verb where no determiner stands between."""
DROPPED = word_set(
    """new current latest updated recent present total overall increased decreased reduced raised lowered improved adjusted revised extended actual
    old former original previous initial existing own whole entire exact approximate strict tight upcoming rescheduled brand joint shared combined"""
)
"""Words that tell one state of an attribute from another, not one attribute from another."""
MEASURES = word_set(
    """budget salary rent wage pay income revenue price cost fee deposit fare tuition mortgage allowance bonus debt loan balance savings quota limit cap threshold maximum minimum
    goal target score grade rate ratio accuracy precision coverage uptime latency throughput speed temperature pressure weight height length width depth size capacity volume area
    age distance duration time timeout delay interval period frequency count number level percentage share discount tax interest usage bandwidth memory population attendance
    enrollment headcount stake premium bill rating pace mileage dose dosage streak quantity amount average gpa bmi cholesterol calories payment contribution commission turnover profit margin"""
)
"""Nouns that are themselves an amount of something."""
GENERIC = word_set("time rate count number size level score limit count percentage amount ratio length date average usage price cost total fee speed period interval target goal coverage quota cap budget rating share")  # fmt: skip
"""Measures that mean little without the noun before them: "response time", "error rate"."""
GENERIC_ALONE = GENERIC - word_set("budget price cost fee")
WORKS = word_set(
    """team crew squad group club choir band committee board council panel taskforce department division unit branch chapter guild office desk helpdesk shop bakery cafe store studio
    lab clinic kitchen workshop warehouse garage project program programme initiative workstream campaign account channel service system platform app application site website server
    pipeline backend frontend infrastructure module library repo repository database integration migration rollout release launch onboarding payroll newsletter podcast blog shift
    hotline queue portfolio region territory class course"""
)
"""Nouns of what people have in charge: a body of people, a place of work, a work in progress, a system."""
PERIODS = word_set("daily weekly biweekly monthly quarterly annual yearly hourly nightly")
STATE_VERBS = word_set(
    "increased decreased improved raised lowered changed adjusted rescheduled updated reduced revised extended"
)
