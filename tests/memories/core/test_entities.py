"""A name, a relation and a name with its relation are one entity where the facts leave no doubt."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.core.entities import Entities, Known


def test_a_name_and_its_relation_are_one_person() -> None:
    known = Entities([("user:colleague:陶宁", "name", "陶宁"), ("user:mother", "name", "邵敏")])
    assert known.same("陶宁", "user:colleague")
    assert known.same("陶宁", "user:colleague:陶宁")
    assert known.same("邵敏", "user:mother")
    assert known.same("user:mother:邵敏", "user:mother")
    assert not known.same("陶宁", "邵敏")
    assert known.key("user") == "user"


def test_two_colleagues_stay_two_and_the_bare_word_means_neither() -> None:
    known = Entities([("user:colleague:陶宁", "phone", "1"), ("user:colleague:邵峰", "phone", "2")])
    assert known.key("user:colleague") == "user:colleague"
    assert known.key("陶宁") == "user:colleague:陶宁"
    assert not known.same("陶宁", "邵峰")


def test_a_second_boss_does_not_take_over_what_was_said_of_the_first() -> None:
    known = Entities([("user:boss:Tom", "phone", "1"), ("user:boss:Amy", "phone", "2")])
    assert not known.same("user:boss:Tom", "user:boss:Amy")
    assert known.key("user:boss") == "user:boss"
    assert Entities([("user:boss:Tom", "phone", "1")]).same("Tom", "user:boss")


def test_one_full_name_in_two_relations_is_one_person_but_a_loose_one_is_not() -> None:
    known = Entities([("user:colleague:陶宁", "a", "1"), ("user:friend:陶宁", "a", "1")])
    assert known.same("user:colleague:陶宁", "user:friend:陶宁")
    loose = Entities([("user:colleague:小陶", "a", "1"), ("user:friend:小陶", "a", "1")])
    assert not loose.same("user:colleague:小陶", "user:friend:小陶")
    assert loose.key("小陶") == "小陶"


def test_somebodys_mother_is_the_mother_of_whoever_that_is() -> None:
    known = Entities([("user:colleague:陶宁", "name", "陶宁")])
    assert known.same("陶宁:mother", "user:colleague:陶宁:mother")
    assert not known.same("陶宁:mother", "user:mother")


@pytest.mark.parametrize(
    ("short", "long"),
    [("茶艺交流会", "杭州茶艺交流会"), ("茶艺交流会", "2026年茶艺交流会"), ("product launch", "Berlin product launch")],
)  # fmt: skip
def test_a_name_without_its_place_is_the_same_thing_unless_another_competes(short: str, long: str) -> None:
    assert Entities([(short, "time", "x"), (long, "location", "y")]).same(short, long)
    rival = (
        long.replace("杭州", "绍兴")
        .replace("2026", "2027")
        .replace("Berlin", "Lisbon")
        .replace("Berg", "Holm")
    )
    both = Entities([(short, "time", "x"), (long, "location", "y"), (rival, "location", "z")])
    assert both.key(short) == short
    assert not both.same(long, rival)


@pytest.mark.parametrize(("one", "other"), [("会", "年会"), ("读书会", "反读书会"), ("交流会", "茶艺交流会"), ("launch", "product launch")])  # fmt: skip
def test_another_word_before_a_name_makes_another_thing(one: str, other: str) -> None:
    assert not Entities([(one, "time", "x"), (other, "time", "y")]).same(one, other)


def test_the_aliases_of_an_entity_are_all_its_keys_and_names() -> None:
    known = Entities([("user:colleague", "name", "陶宁"), ("陶宁", "phone", "1"), ("邵峰", "phone", "2")])
    assert known.aliases("陶宁") == {"陶宁", "user:colleague", "user:colleague:陶宁"}


names = st.sampled_from(["陶宁", "邵峰", "小李", "Tom", "Amy Stone", "茶艺交流会", "杭州茶艺交流会"])
relations = st.sampled_from(["colleague", "mother", "boss", "合伙人", "表哥"])
keys = (
    names
    | relations.map(lambda one: f"user:{one}")
    | st.tuples(relations, names).map(lambda pair: f"user:{pair[0]}:{pair[1]}")
)
facts: st.SearchStrategy[list[Known]] = st.lists(
    st.tuples(keys, st.sampled_from(["name", "phone"]), names), max_size=8
)


@given(facts, keys)
def test_the_key_of_a_key_is_itself_and_the_user_is_nobody_else(known: list[Known], one: str) -> None:
    entities = Entities(known)
    assert entities.key(entities.key(one)) == entities.key(one)
    assert entities.key(one) != "user"


@given(facts, keys)
def test_the_order_of_the_facts_does_not_matter(known: list[Known], one: str) -> None:
    assert Entities(known).key(one) == Entities(known[::-1]).key(one)


def test_a_first_word_is_a_name_for_people_only() -> None:
    assert not Entities([("Apple Pie", "price", "9")]).same("Apple", "Apple Pie")
    assert not Entities([("Paris Trip", "budget", "900")]).same("Paris", "Paris Trip")
    assert Entities([("Nora Quill", "phone", "5550100")]).same("Nora", "Nora Quill")
    assert Entities([("user:boss:Nora Quill", "age", "40")]).same("Nora", "user:boss")
