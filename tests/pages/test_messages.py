"""Everything the pages say is there in Chinese, and compiled."""

from __future__ import annotations

import re

import polib
from django.conf import settings

from sessions_app.management.commands.messages import CATALOGUE, collect

PO = settings.BASE_DIR / CATALOGUE


def test_every_message_has_a_chinese_translation() -> None:
    """Run `manage.py messages` after changing a text, then fill in what it lists."""
    known = {(entry.msgid, entry.msgid_plural): entry for entry in polib.pofile(str(PO))}
    wanted = collect(settings.BASE_DIR)
    assert len(wanted) > 100
    missing = [
        message.msgid
        for message in wanted
        if (message.msgid, message.plural) not in known
        or not known[(message.msgid, message.plural)].translated()
    ]
    assert missing == []


def test_the_compiled_catalogue_is_that_of_the_source() -> None:
    def texts(file: polib.POFile | polib.MOFile) -> dict[str, object]:
        return {entry.msgid: entry.msgstr or entry.msgstr_plural for entry in file}

    assert texts(polib.mofile(str(PO.with_suffix(".mo")))) == texts(polib.pofile(str(PO)))


def test_translations_keep_their_placeholders() -> None:
    placeholder = re.compile(r"%\(\w+\)s|%d|\{\w+\}")
    for entry in polib.pofile(str(PO)):
        translated = entry.msgstr or entry.msgstr_plural[0]
        assert set(placeholder.findall(translated)) == set(placeholder.findall(entry.msgid)), entry.msgid
