"""Each component of the ranking switched off in turn: the policy numbers that make it do nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

COMPONENTS: Final[dict[str, Mapping[str, float]]] = {
    "words": {"recall.lexical_weight": 0.0, "recall.lexical_alone": 0.0},
    "turns beside": {"recall.context_before": 0.0, "recall.context_after": 0.0, "recall.context_far": 0.0},
    "turns two away": {"recall.context_far": 0.0},
    "speaker": {"recall.speaker_weight": 0.0},
    "one hop": {"recall.hop_weight": 0.0},
    "answer": {"recall.answer_bonus": 0.0},
    "memory": {"recall.memory_bonus": 0.0},
    "slot": {"recall.slot_bonus": 0.0},
    "one sentence": {"recall.told_bonus": 0.0},
    "own words": {"recall.own_bonus": 0.0},
    "experience": {"recall.experience_bonus": 0.0},
    "liking": {"recall.liking_bonus": 0.0},
    "latest word": {"recall.later_bonus": 0.0},
    "only asks": {"recall.question_cost": 0.0},
    "assistant": {"recall.assistant_cost": 0.0},
    "stale": {"recall.stale_cost": 0.0},
    "strength": {"recall.weight.strength": 0.0},
    "recency": {"recall.weight.recency": 0.0},
    "importance": {"recall.weight.importance": 0.0},
    "credibility": {"recall.weight.credibility": 0.0},
    "diversity": {"recall.near_duplicate": 1.0},
}
"""Name of the component and the policy overrides under which it has no say."""
