"""What people read as the name of an attribute is a word."""

from __future__ import annotations

import pytest

from memories.core.extraction.en.plurals import singular


@pytest.mark.parametrize(
    ("plural", "one"),
    [
        ("movies", "movie"),
        ("cookies", "cookie"),
        ("heroes", "hero"),
        ("ties", "tie"),
        ("pies", "pie"),
        ("buses", "bus"),
        ("quizzes", "quiz"),
        ("lens", "lens"),
        ("lenses", "lens"),
        ("viruses", "virus"),
        ("houses", "house"),
        ("theses", "thesis"),
        ("thieves", "thief"),
        ("headaches", "headache"),
        ("peaches", "peach"),
        ("blorts", "blort"),
        ("men", "man"),
        ("cities", "city"),
        ("berries", "berry"),
        ("boxes", "box"),
        ("sizes", "size"),
        ("shelves", "shelf"),
        ("class", "class"),
        ("books", "book"),
    ],
)
def test_the_singular_is_a_word(plural: str, one: str) -> None:
    assert singular(plural) == one
