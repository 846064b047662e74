"""LangGraph's long-term store on MemoryHub: `MemoryHubStore` is a BaseStore, so that a graph keeps its documents here.

Needs `pip install "memoryhub[langgraph]"`. A document is a memory of one subject, kept as given: nothing is read out of it, and
nothing takes its place but the next `put` under its key. Texts in it are screened by the tenant's policy like any other, so a
password does not come back as it was put.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import islice
from typing import Any, Final

from langgraph.store.base import (
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
)

from memoryhub.client.errors import MemoryHubError
from memoryhub.client.synchronous import MemoryHub

MARK: Final = "langgraph"
"""The tag of all documents, and the key of their metadata."""
MAX_RANKED: Final = 100


class MemoryHubStore(BaseStore):
    """Documents of `subject` (any text; agents and graphs that share it share them) over a client.

    `put`, `get`, `delete`, `search` with a query (ranked by meaning and words), filters and pages, `list_namespaces`, and their
    async forms, which run in threads. A value is at most 7,000 characters as JSON. `index` and TTLs are not understood.
    """

    supports_ttl = False

    def __init__(self, client: MemoryHub, *, subject: str = "langgraph") -> None:
        self._client = client
        self._whose = {"subject": subject, "subject_kind": "run"}

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """What reads sees the store as it was before the batch; of several puts under one key the last one counts."""
        given = list(ops)
        results = [None if isinstance(op, PutOp) else self._read(op) for op in given]
        for op in {(op.namespace, op.key): op for op in given if isinstance(op, PutOp)}.values():
            self._put(op)
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """The same in a thread."""
        return await asyncio.to_thread(self.batch, list(ops))

    def _read(self, op: Op) -> Result:
        if isinstance(op, GetOp):
            found = self._memory(op.namespace, op.key)
            return _item(found) if found else None
        if isinstance(op, SearchOp):
            return self._search(op)
        if isinstance(op, ListNamespacesOp):
            return self._namespaces(op)
        raise ValueError(f"{type(op).__name__} is no operation of a store")

    def _memory(self, namespace: tuple[str, ...], key: str) -> dict[str, Any] | None:
        return next(self._rows([_tag("key", (*namespace, key))]), None)

    def _rows(self, tags: list[str]) -> Iterator[dict[str, Any]]:
        """The documents with all of the tags; none of a subject of whom nothing was ever put."""
        try:
            yield from (dict(row) for row in self._client.memories(tags=tags, **self._whose))
        except MemoryHubError as problem:
            if problem.code != "not_found":
                raise

    def _put(self, op: PutOp) -> None:
        there = self._memory(op.namespace, op.key)
        if op.value is None:
            if there:
                self._client.delete(there["id"])
            return
        metadata = {MARK: {"namespace": list(op.namespace), "key": op.key, "value": op.value}}
        content = _content(op.namespace, op.key, op.value)
        if there:
            self._client.update(there["id"], content=content, metadata=metadata)
            return
        [outcome] = self._client.add(
            content,
            infer=False,
            kind="procedure",
            tags=_tags(op.namespace, op.key),
            metadata=metadata,
            **self._whose,
        )["results"]
        if not outcome.get("memory_id"):
            # A store that forgets what it was given without a word would be worse than one that refuses.
            raise ValueError(f"the document is not kept: {outcome['code']}: {'; '.join(outcome['reasons'])}")

    def _search(self, op: SearchOp) -> list[SearchItem]:
        tags = [_tag("under", op.namespace_prefix)] if op.namespace_prefix else [MARK]
        if op.query:
            found = self._ranked(op.query, tags)
        else:
            found = (SearchItem(**_fields(row)) for row in self._rows(tags))
        # Lazily: each ranked document, and each page of others, is a call, and the first few suffice.
        kept = (one for one in found if _fits(one.value, op.filter or {}))
        return list(islice(kept, op.offset, op.offset + op.limit))

    def _ranked(self, query: str, tags: list[str]) -> Iterator[SearchItem]:
        try:
            ranked = self._client.recall(
                query, k=MAX_RANKED, tags=tags, episodes=False, reinforce=False, **self._whose
            )
        except MemoryHubError as problem:
            if problem.code == "not_found":
                return
            raise
        for one in ranked["items"]:
            yield SearchItem(**_fields(dict(self._client.get(one["id"]))), score=one["score"])

    def _namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        spaces = {tuple(row["metadata"][MARK]["namespace"]) for row in self._rows([MARK])}
        chosen = {one for one in spaces if all(_matches(one, rule) for rule in op.match_conditions or ())}
        if op.max_depth is not None:
            chosen = {one[: op.max_depth] for one in chosen}
        return sorted(chosen)[op.offset : op.offset + op.limit]


def _tag(kind: str, parts: Sequence[str]) -> str:
    """A tag that stands for a path, whatever is in its parts: 94 bits as letters, which nobody takes for a number or a secret."""
    told = json.dumps(list(parts), ensure_ascii=False).encode("utf-8", "surrogatepass")
    rest = int.from_bytes(hashlib.sha256(told).digest(), "big")
    letters = ""
    for _ in range(20):
        rest, letter = divmod(rest, 26)
        letters += chr(ord("a") + letter)
    return f"{MARK} {kind} {letters}"


def _tags(namespace: tuple[str, ...], key: str) -> list[str]:
    under = [_tag("under", namespace[:depth]) for depth in range(1, len(namespace) + 1)]
    return [MARK, _tag("key", (*namespace, key)), *under]


def _content(namespace: tuple[str, ...], key: str, value: Mapping[str, Any]) -> str:
    """What is searched: the path, and the value as a block of code, in which no rule looks for statements."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True)
    return f"{'/'.join((*namespace, key))}\n```\n{text.replace('```', '')}\n```"


def _fields(row: dict[str, Any]) -> dict[str, Any]:
    kept = row["metadata"][MARK]
    return {
        "namespace": tuple(kept["namespace"]),
        "key": kept["key"],
        "value": kept["value"],
        "created_at": datetime.fromisoformat(row["created_at"]),
        "updated_at": datetime.fromisoformat(row["updated_at"]),
    }


def _item(row: dict[str, Any]) -> Item:
    return Item(**_fields(row))


_OPERATORS: Final = {
    "$eq": lambda one, other: one == other,
    "$ne": lambda one, other: one != other,
    "$gt": lambda one, other: float(one) > float(other),
    "$gte": lambda one, other: float(one) >= float(other),
    "$lt": lambda one, other: float(one) < float(other),
    "$lte": lambda one, other: float(one) <= float(other),
}


def _fits(value: dict[str, Any], wanted: dict[str, Any]) -> bool:
    return all(_compares(value.get(name), condition) for name, condition in wanted.items())


def _compares(one: Any, condition: Any) -> bool:
    if isinstance(condition, dict) and any(name.startswith("$") for name in condition):
        if one is None and set(condition) - {"$eq", "$ne"}:
            return False
        return all(_OPERATORS[name](one, other) for name, other in condition.items())
    return bool(one == condition)


def _matches(namespace: tuple[str, ...], rule: MatchCondition) -> bool:
    if len(namespace) < len(rule.path):
        return False
    part = (
        namespace[: len(rule.path)]
        if rule.match_type == "prefix"
        else namespace[len(namespace) - len(rule.path) :]
    )
    return all(wanted in ("*", one) for one, wanted in zip(part, rule.path, strict=True))
