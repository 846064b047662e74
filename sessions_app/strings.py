"""What the chat's scripts say, and prompts to start with, in the reader's language."""

from __future__ import annotations

from django.utils.translation import gettext as _


def page_strings() -> dict[str, str]:
    """Texts for the ES modules, by name; `{n}` and `{title}` are filled in by them."""
    return {
        "connecting": _("Connecting…"),
        "connected": _("Connected"),
        "reconnecting": _("Connection lost. Reconnecting…"),
        "offline": _("You are offline. What you send now goes out when you are back."),
        "signed_out": _("You are signed out. Sign in again to go on; your draft is kept."),
        "forbidden": _("You are no longer a member here. Ask an admin of your organisation."),
        "not_found": _("This chat is not there any more. Start a new one."),
        "too_many": _("Too many messages in a short time. Reconnecting in a moment…"),
        "queued": _("Waiting to be sent"),
        "sending": _("Sending…"),
        "send_failed": _("Not sent"),
        "send_again": _("Send again"),
        "edit": _("Edit"),
        "answering": _("The answer is being written"),
        "answered": _("The answer is complete"),
        "pinned": _("Pinned"),
        "unpinned": _("Not pinned any more"),
        "forgotten": _("Forgotten"),
        "restored": _("Back again"),
        "undo": _("Undo"),
        "undone": _("Undone"),
        "action_failed": _("That did not work. Try again."),
        "too_long": _("{n} characters too many"),
        "you": _("You"),
        "untitled": _("New chat"),
        "session_open_failed": _("The chat could not be started. Try again."),
    }


def sample_prompts() -> list[str]:
    """First messages that show what the memory does."""
    return [
        _("Remember: the contract number of this project is KX-2048."),
        _("I moved to Lisbon last month and I prefer tea over coffee."),
        _("What do you know about me?"),
    ]
