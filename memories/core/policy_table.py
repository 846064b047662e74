"""The one table of named rules: every number of the requirements with its default, range, unit and reason."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rule:
    """One named rule.

    A number when `choices` is empty (whole when the default is an int), within [low, high]; otherwise one of `choices`.
    `requirement` is the line of the requirements that it comes from.
    """

    key: str
    default: float | int | str
    low: float
    high: float
    unit: str
    reason: str
    requirement: str
    choices: tuple[str, ...] = ()

    @property
    def whole(self) -> bool:
        """True when the rule takes whole numbers only."""
        return isinstance(self.default, int)


def _choice(key: str, default: str, choices: tuple[str, ...], reason: str, requirement: str) -> Rule:
    return Rule(key, default, 0, 0, "choice", reason, requirement, choices)


def _half_life(kind: str, days: float, reason: str) -> Rule:
    return Rule(f"half_life.{kind}", days, 0.01, 36500, "days", reason, "R12")


def _weight(term: str, default: float, reason: str) -> Rule:
    return Rule(f"recall.weight.{term}", default, 0, 1, "weight", reason, "R21")


def _sign(name: str, default: float, reason: str) -> Rule:
    return Rule(f"abstain.{name}", default, -20, 20, "log odds", reason, "R23")


def _credibility(source: str, default: float, reason: str) -> Rule:
    return Rule(f"credibility.{source}", default, 0, 1, "0..1", reason, "R21")


ON_OFF = ("on", "off")
CONTENTS = ("clear", "masked")
LATER = ("supersede", "contradict")
PII_ACTIONS = ("block", "mask", "encrypt", "ask", "keep")
MODEL_ACTIONS = ("send", "mask")


def _pii(kind: str, default: str, reason: str) -> Rule:
    return _choice(f"pii.action.{kind}", default, PII_ACTIONS, reason, "R28")


def _for_model(kind: str, default: str) -> Rule:
    reason = "whether a model may see it where it stands in the clear"
    return _choice(f"pii.model.{kind}", default, MODEL_ACTIONS, reason, "R28")


_ROWS: tuple[Rule, ...] = (
    # Working memory
    Rule("session.idle_minutes", 30, 1, 10080, "minutes", "a silent session ends", "R1"),
    Rule("window.rounds", 8, 1, 200, "rounds", "rounds kept in their own words", "R2"),
    Rule("window.tokens", 1200, 100, 100000, "tokens", "tokens kept in their own words", "R2"),
    Rule("window.compact_to", 0.5, 0.1, 0.9, "share", "a full window compacts to this share", "R2"),
    Rule("window.least_leaving", 4, 1, 50, "turns", "fewer are not worth a digest of their own yet", "R2"),
    Rule("window.keep_turns", 6, 0, 100, "turns", "the newest turns always stay", "R2"),
    Rule("tool.summary_tokens", 80, 10, 2000, "tokens", "a tool result enters the window as a summary", "R3"),
    Rule("window.no_recall_rounds", 2, 1, 20, "rounds", "rounds taken when a turn needs no memory", "R4"),
    Rule("window.new_topic_rounds", 2, 1, 20, "rounds", "rounds taken when the topic is new", "R4"),
    Rule("context.share", 0.25, 0.02, 0.9, "share", "share of the model's window", "R5"),
    Rule("context.model_window", 16000, 1000, 4000000, "tokens", "assumed when the model's is unknown", "R5"),
    Rule("context.budget_tokens", 0, 0, 1000000, "tokens", "0: the share of the model's window decides", "R5"),
    Rule("context.cap_tokens", 4000, 200, 1000000, "tokens", "more context costs more than it helps", "R5"),
    Rule("context.depth", 60, 1, 100, "memories", "looked at for a context; the budget decides how many go in", "R5"),
    Rule("context.memory_tokens", 2000, 100, 1000000, "tokens", "recalled memories; deeper ones seldom tell more", "R5"),
    Rule("context.margin", 0.05, 0, 0.5, "share", "other tokenizers count more than o200k", "R5"),
    Rule("constraint.cap_tokens", 600, 50, 20000, "tokens", "constraints go first, but not without end", "R12"),
    Rule("profile.context_tokens", 60, 0, 1000, "tokens", "who the person is, in one line; 0: none", "R15"),
    # Compaction
    Rule("digest.max_chars", 150, 40, 2000, "characters", "a digest apart from its key values", "R8"),
    Rule("digest.max_words", 100, 20, 1000, "words", "the same for English", "R8"),
    Rule("digest.max_share", 0.25, 0.05, 1, "share", "or this share of what it replaces", "R8"),
    Rule("digest.max_generation", 2, 1, 5, "generations", "bounds the drift of digests of digests", "R9"),
    Rule("digest.pile", 6, 2, 100, "digests", "more of one generation become one of the next", "R9"),
    Rule("digest.closing_turns", 6, 1, 1000, "turns", "a session that ends with as many is digested", "R14"),
    Rule("digest.in_context", 3, 0, 20, "digests", "newest digests of the session, always in", "R6"),
    # Slots
    Rule("slots.ttl.entity_minutes", 1440, 1, 43200, "minutes", "what was talked about today", "R11"),
    Rule("slots.ttl.task_minutes", 30, 1, 43200, "minutes", "what is being done now", "R11"),
    Rule("slots.ttl.conclusion_minutes", 60, 1, 43200, "minutes", "what was just found out", "R11"),
    Rule("slots.importance_base", 0.5, 0, 2, "factor", "TTL = base x (this + importance)", "R11"),
    Rule("slots.capacity", 20, 1, 200, "slots", "live slots a user", "R11"),
    Rule("slots.render_tokens", 100, 20, 2000, "tokens", "the slots' summary in the context", "R11"),
    Rule("slots.promote_after", 3, 2, 50, "sessions", "a topic that keeps returning becomes long-term", "R11"),
    # Kinds and decay
    _half_life("preference", 60.0, "tastes change slowly"),
    _half_life("decision", 30.0, "decisions hold for a month or so"),
    _half_life("fact", 14.0, "loose facts go stale"),
    _half_life("event", 30.0, "what happened is asked about for weeks"),
    _half_life("todo", 2.0, "a todo is done or dropped"),
    _half_life("digest", 10.0, "a digest serves the next days"),
    _half_life("chunk", 10.0, "raw pieces serve the next days"),
    _half_life("procedure", 60.0, "how-to knowledge lasts"),
    _half_life("conclusion", 30.0, "a finding holds for a month or so"),
    _half_life("sensitive", 1.0, "what is sensitive is kept short"),
    _half_life("unknown", 14.0, "a kind that nobody named"),
    _half_life("turn", 180.0, "what was said is asked about for months; ranks turns, archives none"),
    _half_life("level.high", 180.0, "said to be important"),
    _half_life("level.medium", 60.0, "said to matter"),
    _half_life("level.low", 14.0, "said to matter little"),
    _choice("decay.enabled", "on", ON_OFF, "off for experiments: strength never fades", "R33"),
    Rule("strength.start", 1.0, 0.05, 10, "strength", "a new memory", "R22"),
    Rule("strength.start.salience", 0.5, 0.05, 10, "strength", "found at compaction, nobody asked for it", "R22"),
    Rule("strength.start.digest", 0.6, 0.05, 10, "strength", "a digest stands in for its turns", "R22"),
    Rule("strength.cap", 5.0, 1, 100, "strength", "no front-runner locks the top", "R22"),
    _choice("reinforce.enabled", "on", ON_OFF, "off for experiments: use changes nothing", "R33"),
    Rule("reinforce.retrieved", 0.5, 0, 10, "strength", "went into a context", "R22"),
    Rule("reinforce.cited", 1.0, 0, 10, "strength", "the answer rests on it", "R22"),
    Rule("reinforce.confirmed", 1.0, 0, 10, "strength", "a person said it is right", "R22"),
    Rule("reinforce.done", 1.0, 0, 10, "strength", "the session reached its goal with it", "R22"),
    Rule("reinforce.repeated", 1.0, 0, 10, "strength", "said again", "R17"),
    Rule("reinforce.wrong_factor", 0.5, 0, 1, "factor", "a person said it is wrong", "R22"),
    # Write gate and duplicates
    Rule("gate.importance", 0.75, 0, 1, "0..1", "importance above this passes by itself", "R13"),
    Rule("chunk.min_tokens", 200, 20, 4000, "tokens", "shorter pieces lose their context", "R16"),
    Rule("chunk.max_tokens", 500, 40, 8000, "tokens", "longer pieces blur their vector", "R16"),
    Rule("chunk.overlap", 0.2, 0, 0.5, "share", "a sentence at the cut stands in both", "R16"),
    _choice("slot.later.own", "supersede", LATER, "a person's later word about themselves, without words of change", "R18"),
    _choice("slot.later.other", "contradict", LATER, "the same about somebody or something else", "R18"),
    Rule("slot.correction_minutes", 30, 0, 10080, "minutes", "a correction without a name means what was just said", "R18"),
    Rule("slot.many_after", 2, 1, 100, "times", "as many pairs kept side by side: the slot holds several values", "R18"),
    _choice("merge.enabled", "on", ON_OFF, "confirmations in other words become one memory", "R17"),
    Rule("merge.least", 2, 2, 100, "memories", "fewer of the same claim are left as they are", "R17"),
    Rule("merge.batch", 200, 10, 10000, "memories", "merged of one person in one run", "R17"),
    _choice("approval.sensitive", "on", ON_OFF, "ask before a sensitive kind is saved", "R34"),
    # Recall
    Rule("recall.k", 6, 1, 100, "memories", "memories in a context", "R21"),
    Rule("recall.candidates", 60, 5, 2000, "memories", "considered before the final ranking", "R21"),
    Rule("recall.exact_up_to", 5000, 0, 1000000, "items", "a larger subject is searched by bits first", "R21"),
    Rule("recall.first_pass", 600, 50, 10000, "items", "the nearest by bits, which are then compared exactly", "R21"),
    _weight("similarity", 0.55, "relevance first"),
    _weight("strength", 0.20, "s/(s+1): used memories, bounded"),
    _weight("recency", 0.05, "exp(-age/recency_days): a tie-breaker"),
    _weight("importance", 0.15, "what matters to the person"),
    _weight("credibility", 0.05, "who said it"),
    Rule("recall.recency_days", 7.0, 0.1, 3650, "days", "scale of the recency term", "R21"),
    Rule("recall.pin_bonus", 0.14, 0, 0.5, "score", "breaks ties, never beats strong relevance", "R20"),
    Rule("recall.threshold", 0.1, 0, 1, "0..1", "less likely than this that an answer was found: recall says so", "R23"),
    _sign("bias", -3.6, "where all other signs are 0"),
    _sign("best", 0.8, "x how well the best row fits, on the scale of scores"),
    _sign("whole", 2.0, "x the question's words that one row holds, by its nearness"),
    _sign("speaker", 3.5, "x what rows of the named speaker hold beyond those of others"),
    _sign("slot", 4.0, "x how surely a row stands in the slot that is asked about"),
    _sign("typed", 1.1, "the question asks for a sort of value"),
    _sign("whom", 2.5, "x how much of what the question names as what it is about stands in a row"),
    Rule("recall.floor", 0.2, 0, 1, "relevance", "below this it is noise and never used (per embedder)", "R21"),
    Rule("recall.scale_low", 0.1, 0, 1, "relevance", "scores 0: noise (per embedder)", "R21"),
    Rule("recall.scale_high", 1.25, 0, 2, "relevance", "scores 1: as near as it gets (per embedder)", "R21"),
    Rule("recall.lexical_weight", 0.25, 0, 1, "weight", "x bm25/max, added to the vector's similarity", "R21"),
    Rule("recall.lexical_alone", 0.6, 0, 1, "weight", "x bm25/max, where there is no vector", "R21"),
    Rule("recall.context_before", 0.8, 0, 2, "weight", "x what fits in the turn before: a turn answers it", "R21"),
    Rule("recall.context_after", 0.6, 0, 2, "weight", "x what fits in the turn after", "R21"),
    Rule("recall.context_far", 0.15, 0, 2, "weight", "x what fits in the turns beside those", "R21"),
    Rule("recall.context_gain", 0.48, 0, 2, "score", "x what stands around it; as similarity weighs relevance", "R21"),
    Rule("recall.context_floor", 0.2, 0, 1, "relevance", "a neighbour below this says nothing", "R21"),
    Rule("recall.context_rank", 20, 1, 2000, "turns", "nor does one below the turn of this rank", "R21"),
    Rule("recall.neighbours_of", 30, 0, 2000, "turns", "best turns whose neighbours are looked at", "R21"),
    Rule("recall.speaker_weight", 0.3, 0, 1, "relevance", "said by somebody whom the question names", "R21"),
    Rule("recall.answer_bonus", 0.07, 0, 0.5, "score", "holds a value of the sort that is asked for", "R21"),
    Rule("recall.memory_bonus", 0.035, 0, 0.5, "score", "passed the write gate, which a turn did not", "R21"),
    Rule("recall.question_cost", 0.07, 0, 0.5, "score", "only asks, and so lies near every question", "R21"),
    Rule("recall.slot_bonus", 0.1, 0, 0.5, "score", "x how surely it stands in the slot that is asked about", "R18"),
    Rule("recall.told_bonus", 0.07, 0, 0.5, "score", "x the question's words that stand in one sentence of it", "R21"),
    Rule("recall.own_bonus", 0.07, 0, 0.5, "score", "the person's words, to a question about themselves", "R21"),
    Rule("recall.experience_bonus", 0.28, 0, 0.5, "score", "x how surely it tells that something was, or never was, done", "R18"),
    Rule("recall.liking_bonus", 0.1, 0, 0.5, "score", "says how the person likes things, where advice is sought", "R21"),
    Rule("recall.later_bonus", 0.07, 0, 0.5, "score", "x how late it is among statements about the same thing", "R18"),
    Rule("recall.hop_weight", 0.7, 0, 1, "share", "x the way up to a better row that is about the same thing", "R21"),
    Rule("recall.assistant_cost", 0.05, 0, 0.5, "score", "said by the assistant, where the question does not ask for that", "R21"),
    Rule("recall.stale_cost", 0.14, 0, 0.5, "score", "does not hold now, or was replaced in part", "R18"),
    Rule("recall.outside_bonus", 0.3, 0, 2, "score", "x what an outside reranker says, where one is set; 0: do not ask", "R21"),
    Rule("recall.near_duplicate", 0.97, 0.5, 1, "cosine", "nearer ones give way to the rest", "R21"),
    _credibility("user", 1.0, "the person knows"),
    _credibility("operator", 1.0, "declared on purpose"),
    _credibility("tool", 0.8, "measured, but about a moment"),
    _credibility("import", 0.7, "origin is hearsay"),
    _credibility("assistant", 0.4, "may have been made up"),
    # Forgetting
    Rule("sweep.floor", 0.05, 0, 1, "strength", "weaker memories are archived", "R24"),
    Rule("sweep.min_age_days", 1.0, 0, 365, "days", "nothing younger is archived", "R24"),
    Rule("sweep.capacity", 1000, 10, 10000000, "memories", "live memories a user", "R24"),
    Rule("sweep.hit_weight", 0.1, 0, 10, "value", "value of a hit when the capacity is reached", "R24"),
    Rule("sweep.batch", 1000, 10, 100000, "memories", "rows of one transaction of a sweep", "R24"),
    Rule("stale.importance", 0.6, 0, 1, "0..1", "only what matters is asked about", "R24"),
    Rule("stale.days", 180, 1, 36500, "days", "unconfirmed this long: ask, do not trust", "R24"),
    Rule("stale.ask_again_days", 14, 0, 36500, "days", "a question without an answer is not put every time", "R24"),
    Rule("tombstone.retention_days", 30, 0, 3650, "days", "restorable until then, purged after", "R25"),
    Rule("trace.retention_days", 90, 1, 3650, "days", "traces explain recent answers", "R6"),
    # Model tokens
    Rule("budget.tokens_month", 0, 0, 1_000_000_000_000, "tokens", "what models may cost in a calendar month (UTC); 0: no limit", "R32"),
    Rule("budget.price_prompt", 0.0, 0, 1_000_000, "per million tokens", "what is sent to a model costs; 0: not told", "R32"),
    Rule("budget.price_completion", 0.0, 0, 1_000_000, "per million tokens", "what a model writes costs; 0: not told", "R32"),
    # Sensitive content (what identifies or unlocks is masked or refused, what people ask for again is kept)
    _pii("secret", "block", "API keys, tokens, private keys"),
    _pii("credential", "block", "passwords and PINs"),
    _pii("card", "mask", "payment cards"),
    _pii("id_number", "mask", "identity numbers"),
    _pii("passport", "mask", "travel documents"),
    _pii("bank_account", "mask", "account numbers and IBANs"),
    _pii("phone", "keep", "people ask for them again"),
    _pii("email", "keep", "people ask for them again"),
    _pii("address", "keep", "people ask for them again"),
    _pii("plate", "keep", "licence plates"),
    _pii("handle", "keep", "names in chat services"),
    _pii("person", "keep", "names of people"),
    _pii("ip", "keep", "network addresses"),
    _pii("medical", "keep", "health data; stricter tenants encrypt it"),
    # Operators read what they decide about, and each reading is audited; sensitive memories are masked whatever this says.
    _choice("operators.contents", "clear", CONTENTS, "operators judge by what they read, and it is audited; masked: until revealed", "R31"),
    _choice("webhooks.content", "off", ON_OFF, "webhooks tell ids; on: those that ask for it are sent what people said, never what is sensitive", "R36"),
    *[_for_model(kind, "mask") for kind in ("card", "id_number", "passport", "bank_account")],
    *[
        _for_model(kind, "send")
        for kind in ("phone", "email", "address", "plate", "handle", "person", "ip", "medical")
    ],
)  # fmt: skip

RULES: dict[str, Rule] = {rule.key: rule for rule in _ROWS}
"""Every rule by its key, in the order of the table."""

PRESETS: dict[str, dict[str, float | int | str]] = {
    "default": {},
    "similarity_heavy": {
        "recall.weight.similarity": 0.6,
        "recall.weight.strength": 0.3,
        "recall.weight.recency": 0.1,
        "recall.weight.importance": 0.0,
        "recall.weight.credibility": 0.0,
    },
    "balanced": {
        "recall.weight.similarity": 0.55,
        "recall.weight.strength": 0.30,
        "recall.weight.recency": 0.0,
        "recall.weight.importance": 0.15,
        "recall.weight.credibility": 0.0,
    },
    "chat": {"window.rounds": 6},
    "task": {"window.rounds": 10},
}
"""Named sets of overrides: the recall weights of R21 and the window sizes of R2."""
