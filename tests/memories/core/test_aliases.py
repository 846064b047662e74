"""A name, a relation and a name with its relation are one person where the facts leave no doubt, and only there."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memories.core.aliases import Aliases

WANG = ("user:colleague:王芳", "name", "王芳")


def test_a_named_colleague_is_meant_by_the_name_and_by_the_relation() -> None:
    aliases = Aliases([WANG])
    assert aliases.same("王芳", "user:colleague:王芳")
    assert aliases.same("user:colleague", "王芳")


def test_with_two_colleagues_the_bare_relation_means_neither() -> None:
    aliases = Aliases([WANG, ("user:colleague:Otto", "phone", "1")])
    assert aliases.key("user:colleague") == "user:colleague"
    assert aliases.same("Otto", "user:colleague:otto")
    assert not aliases.same("Otto", "王芳")


def test_a_name_told_of_a_single_relation_stands_for_it() -> None:
    aliases = Aliases([("user:mother", "name", "陈立")])
    assert aliases.same("陈立", "user:mother")


def test_a_name_that_two_people_have_is_left_alone() -> None:
    aliases = Aliases(
        [
            ("user:mother", "name", "陈立"),
            ("user:colleague:陈立", "phone", "1"),
            ("user:friend:陈立", "home", "x"),
        ]
    )
    assert aliases.key("陈立") == "陈立"


def test_strangers_and_things_keep_their_own_name() -> None:
    aliases = Aliases([WANG])
    assert aliases.key("邵峰") == "邵峰"
    assert aliases.key("user") == "user"
    assert aliases.key("Aurora") == "Aurora"


subjects = st.sampled_from(
    [
        "user",
        "a",
        "b",
        "user:boss",
        "user:mother",
        "user:friend",
        "user:friend:a",
        "user:friend:b",
        "user:boss:a",
    ]
)
known = st.lists(
    st.tuples(subjects, st.sampled_from(["name", "phone"]), st.sampled_from(["a", "b", "c"])), max_size=8
)


@given(known, subjects)
def test_the_key_of_a_key_is_itself(facts: list[tuple[str, str, str]], subject: str) -> None:
    aliases = Aliases(facts)
    assert aliases.key(aliases.key(subject)) == aliases.key(subject)
