"""What a tool is: its words for an agent, what a key needs, the model of its arguments, and a synchronous function."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from mcp_types import Tool as McpTool
from mcp_types import ToolAnnotations
from pydantic import BaseModel, ConfigDict, ValidationError

from accounts.actor import Actor
from accounts.permissions import Capability
from memoryhub.common.errors import Invalid

MAX_PROBLEMS = 20
_OWN_WORDS = {
    "uuid_parsing": "must be an id (a UUID), as another tool gave it",
    "uuid_type": "must be an id (a UUID), as another tool gave it",
    "extra_forbidden": "there is no such argument",
    "missing": "is required",
}
"""Instead of pydantic's, where those would quote what was sent or say little to an agent."""


class Arguments(BaseModel):
    """The base of all arguments: a misspelt name is an error, not a silent nothing."""

    model_config = ConfigDict(extra="forbid")


@dataclass(frozen=True, slots=True)
class Said:
    """A tool's answer: a few lines for a model to read, and the same as data."""

    text: str
    data: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Tool:
    """`needs` are the capabilities that a key must have, all of them; `run` calls services and may block.

    `reads`, `destroys` and `repeatable` are the hints of the protocol: changes nothing; takes something away for good; a second
    equal call changes nothing more.
    """

    name: str
    title: str
    description: str
    arguments: type[Arguments]
    run: Callable[[Actor, Any], Said]
    needs: frozenset[Capability]
    reads: bool = False
    destroys: bool = False
    repeatable: bool = False

    def allowed(self, actor: Actor) -> bool:
        """Whether the key may call it, and is shown it."""
        return self.needs <= actor.capabilities

    def call(self, actor: Actor, arguments: Mapping[str, Any]) -> Said:
        """Check the arguments and run it. Invalid names each offending argument; none of their values is repeated."""
        try:
            given = self.arguments.model_validate(dict(arguments))
        except ValidationError as error:
            raise Invalid(
                "some arguments are not usable",
                hint=f"Change what `fields` names; the input schema of {self.name} says what each takes.",
                fields=_problems(error),
            ) from None
        return self.run(actor, given)

    @cached_property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of the arguments, plain: no references, no generated titles, no unions with null."""
        raw = self.arguments.model_json_schema()
        definitions = raw.pop("$defs", {})
        plain: dict[str, Any] = _plain(raw, definitions)
        plain.pop("description", None)
        plain.setdefault("properties", {})
        return plain

    @cached_property
    def listed(self) -> McpTool:
        """As clients see it."""
        return McpTool(
            name=self.name,
            title=self.title,
            description=self.description,
            input_schema=self.schema,
            annotations=ToolAnnotations(
                title=self.title,
                read_only_hint=self.reads,
                destructive_hint=self.destroys,
                idempotent_hint=self.reads or self.repeatable,
                open_world_hint=False,
            ),
        )


def _problems(error: ValidationError) -> dict[str, str]:
    """{"messages.0.role": "…"} without the values that were sent."""
    found: dict[str, str] = {}
    for one in error.errors(include_url=False, include_context=False, include_input=False)[:MAX_PROBLEMS]:
        name = ".".join(str(part)[:60] for part in one["loc"]) or "arguments"
        found[name] = _OWN_WORDS.get(one["type"], one["msg"].removeprefix("Value error, "))
    return found


def _plain(node: Any, definitions: Mapping[str, Any]) -> Any:
    if isinstance(node, list):
        return [_plain(one, definitions) for one in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        rest = {name: value for name, value in node.items() if name != "$ref"}
        return _plain({**definitions[node["$ref"].rsplit("/", 1)[1]], **rest}, definitions)
    choices = [one for one in node.get("anyOf", ()) if one.get("type") != "null"]
    if len(choices) == 1:
        rest = {name: value for name, value in node.items() if name not in {"anyOf", "default"}}
        return _plain({**choices[0], **rest}, definitions)
    return {
        name: {key: _plain(value, definitions) for key, value in inner.items()}
        if name == "properties"
        else _plain(inner, definitions)
        for name, inner in node.items()
        if not (name == "title" and isinstance(inner, str))
    }
