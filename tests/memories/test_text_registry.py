"""Every column that holds what people said has words taken out of it by a request to forget, or says why not."""

from __future__ import annotations

from memories.holders import holders
from memories.texts import left_out, text_holders


def test_the_registry_of_texts_covers_the_registry_of_content_column_by_column() -> None:
    content = {(one.table, column) for one in holders() for column in one.columns}
    reached = {(one.table, column) for one in text_holders() for column in one.reached}
    exempt = {(table, column) for table, columns in left_out().items() for column in columns}
    assert sorted(content - reached - exempt) == [], (
        "give these a text holder, or say in leave_out why they need none"
    )
    assert sorted(reached & exempt) == []
    assert sorted((reached | exempt) - content) == [], "no content holder knows these"
    assert all(why.strip() for columns in left_out().values() for why in columns.values())
