"""What schemathesis loads beside the schema: ids of the other tenant into every other call, and a check of what comes back."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import schemathesis

FOREIGN: dict[str, list[str]] = json.loads(os.environ.get("API_WALK_FOREIGN") or "{}")
MARKER = os.environ.get("API_WALK_MARKER", "")
COUNTS = os.environ.get("API_WALK_COUNTS", "")
OWN_KEY = os.environ.get("API_WALK_OWN_KEY", "")
NOBODYS = "00000000-0000-7000-8000-000000000007"
_turns = {"calls": 0}


@schemathesis.hook
def map_path_parameters(context: Any, path_parameters: Any) -> Any:
    """Put the other tenant's ids into the path; and do not let a run revoke the key that it works with."""
    _turns["calls"] += 1
    if isinstance(path_parameters, dict) and path_parameters.get("key_id") == OWN_KEY:
        return {**path_parameters, "key_id": NOBODYS}
    if not FOREIGN or not isinstance(path_parameters, dict) or _turns["calls"] % 2:
        return path_parameters
    return {name: FOREIGN[name][0] if name in FOREIGN else value for name, value in path_parameters.items()}


@schemathesis.check
def nothing_of_the_other_tenant(ctx: Any, response: Any, case: Any) -> None:
    """No answer holds what the other tenant's people said; what is named by their ids is not there."""
    if COUNTS:
        with Path(COUNTS).open("a") as file:
            file.write(f"{response.status_code}\n")
    text = response.text if isinstance(response.text, str) else ""
    assert not MARKER or MARKER.lower() not in text.lower(), "the answer holds another tenant's words"
    ids = {one for known in FOREIGN.values() for one in known}
    named = [value for value in (case.path_parameters or {}).values() if str(value) in ids]
    if named:
        assert response.status_code >= 400, "another tenant's object was answered about"
