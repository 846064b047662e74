"""The words that the pages use for codes: kinds, outcomes, states, scores and errors, in the reader's language."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from memories.status_words import STATUSES

KINDS: dict[str, Promise] = {
    "preference": _("preference"),
    "profile": _("profile"),
    "fact": _("fact"),
    "event": _("event"),
    "decision": _("decision"),
    "constraint": _("constraint"),
    "todo": _("to-do"),
    "digest": _("digest"),
    "chunk": _("excerpt"),
    "procedure": _("procedure"),
    "conclusion": _("conclusion"),
    "sensitive": _("sensitive"),
    "episode": _("earlier message"),
    "turn": _("earlier message"),
}

SPEAKERS: dict[str, Promise] = {
    "user": _("you"),
    "assistant": _("the assistant"),
    "tool": _("a tool"),
    "import": _("an import"),
    "operator": _("an operator"),
}

OUTCOMES: dict[str, Promise] = {
    "stored": _("Remembered"),
    "duplicate": _("Already known"),
    "superseded": _("Replaced an older memory"),
    "superseded.history": _("Kept as history: a later one holds"),
    "stored.planned": _("Remembered for later"),
    "undone": _("Undone"),
    "contradiction": _("Contradicts an older memory"),
    "blocked_sensitive": _("Not kept: it looks like a secret"),
    "needs_approval": _("Waits for your approval"),
    "not_worth_keeping": _("Nothing to remember here"),
    "budget": _("Not all kept: too much for one message"),
    "budget.model": _("Not read by the model"),
    "forgotten": _("Forgotten"),
    "error": _("Could not be remembered now"),
}

RESOLUTIONS: dict[str, Promise] = {
    "keep_new": _("kept the later one"),
    "keep_old": _("kept the earlier one"),
    "keep_both": _("both are right"),
    "merge": _("put in one sentence"),
}

# Why nothing was kept, by the rule that decided; the longest beginning that is listed here speaks.
WHY_NOT: dict[str, Promise] = {
    "gate": _("nothing that will be needed again"),
    "gate.small_talk": _("small talk"),
    "gate.question": _("it only asks"),
    "gate.guess": _("it is a guess"),
    "gate.supposition": _("it only supposes"),
    "gate.log": _("it looks like a log"),
    "extract.nothing": _("it states nothing to keep"),
    "learn.empty": _("it is empty"),
    "forget": _("you asked to forget it"),
    "subject.paused": _("the memory is paused"),
    "session.read_only": _("this chat keeps nothing"),
    "turn.tool": _("a tool's result is kept to be found again"),
    "constraint": _("a rule of somebody else stands above it"),
    "constraint.nothing_to_lift": _("there was no such rule"),
    "constraint.unclear_lift": _("it fits several rules"),
    "pii": _("it looks like a secret"),
    "write.statements": _("too many statements in one message"),
    "anchor.ambiguous": _("several known things could be meant; say which"),
    "anchor.unknown": _("nothing that is known has that value"),
    "model": _("the model found nothing that can be kept"),
    "model.nothing": _("the model found nothing more to keep"),
    "model.unproven": _("the message does not prove what the model read in it"),
    "model.paused": _("the memory is paused"),
    "model.refused": _("the model declined to read it"),
    "model.malformed": _("the model's answer could not be used"),
    "model.truncated": _("the model's answer broke off"),
    "model.misconfigured": _("the model is not set up rightly"),
    "model.unavailable": _("the model does not answer; it is tried again"),
    "model.budget": _(
        "your organisation's model tokens for this month are spent; what the rules found stands"
    ),
}

STATES: dict[str, tuple[Promise, Promise]] = {
    "interrupted": (
        _("This answer was interrupted."),
        _("What had been written is kept. You can generate it again."),
    ),
    "stopped": (
        _("You stopped this answer."),
        _("What had been written is kept. You can generate it again."),
    ),
    "failed": (_("This answer failed."), _("Your message is kept. Try again.")),
}

ERRORS: dict[str, tuple[Promise, Promise]] = {
    "session_ended": (
        _("This chat has ended."),
        _("Start a new chat; what was said here is remembered."),
    ),
    "message_empty": (_("The message is empty."), _("Write something first.")),
    "message_too_long": (
        _("The message is too long."),
        _("Shorten it, or send it in parts."),
    ),
    "client_msg_id_reused": (
        _("This message was sent before with another text."),
        _("Send it again as a new message."),
    ),
    "not_retryable": (
        _("This answer cannot be generated again."),
        _("Only the newest answer can; send your question anew."),
    ),
    "not_running": (
        _("This answer has already ended."),
        _("Nothing more needs to be done."),
    ),
    "rate_limited": (
        _("Too many messages in a short time."),
        _("Wait a minute, then send it again."),
    ),
    "unavailable": (
        _("The database does not answer."),
        _("Nothing is lost: unsent messages are sent again by themselves."),
    ),
    "not_found": (_("This is not there any more."), _("Reload the page.")),
    "permission_denied": (
        _("You may not do this."),
        _("Ask an admin of your organisation."),
    ),
    "internal": (
        _("Something broke on our side."),
        _("Try again; if it stays, tell an operator."),
    ),
    "model_unavailable": (
        _("The language model does not answer."),
        _("Your message is kept. Try again in a moment."),
    ),
    "model_misconfigured": (
        _("The language model is set up wrongly."),
        _("An operator has to check its address, key and name."),
    ),
    "model_interrupted": (
        _("The language model broke off."),
        _("What had been written is kept. Try again."),
    ),
    "model_truncated": (
        _("The answer reached its length limit."),
        _("Ask for the rest, or for a shorter answer."),
    ),
    "model_refused": (
        _("The language model refused to answer."),
        _("Put the question differently."),
    ),
    "model_malformed": (
        _("The language model's answer cannot be read."),
        _("Try again."),
    ),
    "model_empty": (_("The language model gave no answer."), _("Try again.")),
    "model_budget": (
        _("Your organisation's model tokens for this month are spent."),
        _("What you say is remembered all the same. An admin of your organisation can raise the limit."),
    ),
    "assembly_failed": (
        _("The answer could not be prepared."),
        _("Your message is kept. Try again in a moment."),
    ),
    "not_stored": (_("The answer could not be stored."), _("Your message is kept. Try again in a moment.")),
    "process_lost": (
        _("This answer was interrupted: the server stopped meanwhile."),
        _("What had been written is kept. You can generate it again."),
    ),
    "embedder_unavailable": (
        _("The search by meaning is down."),
        _("Answers go by words alone until it is back."),
    ),
    "reader_left": (
        _("This answer was interrupted: nobody was reading."),
        _("You can generate it again."),
    ),
}

_SAME_AS = {
    "session_not_found": "not_found",
    "turn_not_found": "not_found",
    "memory_not_found": "not_found",
    "database_unavailable": "unavailable",
    "process_stopping": "process_lost",
}


def kind(code: str) -> str:
    """A kind of memory; an unknown one as it is."""
    return str(KINDS.get(code, code))


def speaker(role: str, name: str = "") -> str:
    """Who said it: a name where one is known."""
    return name or str(SPEAKERS.get(role, role))


def status(code: str) -> str:
    """Where a memory stands."""
    return str(STATUSES.get(code, code))


def who(role: str, name: str = "") -> str:
    """The head of a turn."""
    if role == "user":
        return name or gettext("You")
    return name or str(SPEAKERS.get(role, role))


def outcome(code: str) -> str:
    """What became of something said."""
    return str(OUTCOMES.get(code, code))


def error(code: str) -> tuple[str, str] | None:
    """(what happened, what to do); None for a code that has no words of its own."""
    found = ERRORS.get(_SAME_AS.get(code, code))
    return (str(found[0]), str(found[1])) if found else None


def state(code: str, error_code: str = "") -> tuple[str, str] | None:
    """Why an answer is not complete, and what to do; None when it is."""
    if code == "complete":
        return error(error_code) if error_code else None
    specific = error(error_code) if error_code else None
    if specific is not None and code != "stopped":
        return specific
    found = STATES.get(code)
    return (str(found[0]), str(found[1])) if found else None


def fit(score: float) -> str:
    """A score from 0 to about 1 in words; the number stands beside it."""
    if score >= 0.6:
        return gettext("fits very well")
    if score >= 0.4:
        return gettext("fits well")
    return gettext("fits loosely")


def resolution(code: str) -> str:
    """How a contradiction was settled."""
    return str(RESOLUTIONS.get(code, code))


def why_not(rule: str) -> str:
    """Why something was not kept; "" for a rule that has no words."""
    parts = rule.split(".")
    for length in range(len(parts), 0, -1):
        if (found := WHY_NOT.get(".".join(parts[:length]))) is not None:
            return str(found)
    return ""


def left_out(stayed: int, missed: int) -> list[str]:
    """What an undo could not bring back, as people read it: memories that something newer replaces, words whose text changed."""
    said: list[str] = []
    if stayed:
        said.append(
            ngettext(
                "%d memory stays forgotten, because something newer stands in its place.",
                "%d memories stay forgotten, because something newer stands in their place.",
                stayed,
            )
            % stayed
        )
    if missed:
        said.append(
            ngettext(
                "%d passage could not be put back, because its text was changed since.",
                "%d passages could not be put back, because their texts were changed since.",
                missed,
            )
            % missed
        )
    return said
