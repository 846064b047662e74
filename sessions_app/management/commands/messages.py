"""Collects what the pages say into templates/locale and compiles it, without gettext's own programs: a developer's tool."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation.template import templatize

from accounts.admin_names import NAMES
from memories.core.policy_table import RULES

APPS = ("accounts", "memories", "sessions_app", "memoryhub")
CATALOGUE = Path("templates/locale/zh_Hans/LC_MESSAGES/django.po")
_CALLS = {"_", "_t", "gettext", "gettext_lazy", "ngettext", "ngettext_lazy"}


class Message(NamedTuple):
    """What is to be translated; `plural` is "" where there is only one form."""

    msgid: str
    plural: str


def collect(root: Path) -> dict[Message, list[str]]:
    """Every message of the project's own templates and Python files, with the files it stands in."""
    found: dict[Message, list[str]] = {}
    for path in sorted(root.glob("templates/**/*.html")):
        for message in _of_template(path.read_text(encoding="utf-8")):
            found.setdefault(message, []).append(str(path.relative_to(root)))
    for app in APPS:
        for path in sorted(root.glob(f"{app}/**/*.py")):
            if "migrations" not in path.parts:
                for message in _of_python(path.read_text(encoding="utf-8")):
                    found.setdefault(message, []).append(str(path.relative_to(root)))
    for message in _of_policy():
        found.setdefault(message, []).append("memories/core/policy_table.py")
    for name in sorted(NAMES):
        found.setdefault(Message(name, ""), []).append("accounts/admin_names.py")
    return found


def _of_policy() -> Iterator[Message]:
    """The table's reasons and units, which the policy's editor shows."""
    for rule in RULES.values():
        yield Message(rule.reason, "")
        yield Message(rule.unit, "")


def _of_template(source: str) -> Iterator[Message]:
    # Django turns a template into something that looks like C, with one call a message.
    code = templatize(source)
    string = r"""u?('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
    for match in re.finditer(rf"\b(n?gettext|_)\(\s*{string}(?:\s*,\s*{string})?", code):
        plural = ast.literal_eval(match[3]) if match[1] == "ngettext" and match[3] else ""
        yield Message(ast.literal_eval(match[2]), plural)


def _of_python(source: str) -> Iterator[Message]:
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        texts = [
            arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)
        ]
        if name in _CALLS and texts:
            yield Message(texts[0], texts[1] if name.startswith("ngettext") and len(texts) > 1 else "")


class Command(BaseCommand):
    help = "Bring templates/locale up to date with what the pages say and compile it. --check only says what is missing."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: Any) -> None:
        parser.add_argument(
            "--check", action="store_true", help="Write nothing; exit with 1 when something is missing."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Keep translations, add new messages empty, drop what no page says any more."""
        import polib  # A development dependency.

        path = settings.BASE_DIR / CATALOGUE
        old = (
            {(entry.msgid, entry.msgid_plural): entry for entry in polib.pofile(str(path))}
            if path.exists()
            else {}
        )
        catalogue = polib.POFile(wrapwidth=110)
        catalogue.metadata = {
            "Content-Type": "text/plain; charset=UTF-8",
            "Content-Transfer-Encoding": "8bit",
            "Language": "zh_Hans",
            "Plural-Forms": "nplurals=1; plural=0;",
        }
        for message, places in sorted(collect(settings.BASE_DIR).items()):
            known = old.get((message.msgid, message.plural))
            entry = polib.POEntry(msgid=message.msgid, msgid_plural=message.plural)
            entry.occurrences = [(place, "") for place in sorted(set(places))]
            if re.search(r"%[(sd]", message.msgid):
                entry.flags = ["python-format"]
            if message.plural:
                entry.msgstr_plural = known.msgstr_plural if known else {0: ""}
            else:
                entry.msgstr = known.msgstr if known else ""
            catalogue.append(entry)
        missing = [entry.msgid for entry in catalogue.untranslated_entries()]
        if not options["check"]:
            path.parent.mkdir(parents=True, exist_ok=True)
            catalogue.save(str(path))
            catalogue.save_as_mofile(str(path.with_suffix(".mo")))
        for msgid in missing:
            self.stdout.write(f"untranslated: {msgid}")
        if missing and options["check"]:
            raise CommandError(f"{len(missing)} messages have no Chinese translation in {CATALOGUE}")
        self.stdout.write(f"{len(catalogue)} messages, {len(missing)} untranslated")
