"""The singular of English nouns: irregular ones by a table, all others by their ending."""

from __future__ import annotations

_SINGULAR = {
    "lenses": "lens", "gases": "gas", "atlases": "atlas", "viruses": "virus", "campuses": "campus", "bonuses": "bonus", "statuses": "status", "choruses": "chorus", "cactuses": "cactus",
    "analyses": "analysis", "theses": "thesis", "crises": "crisis", "diagnoses": "diagnosis", "oases": "oasis", "hypotheses": "hypothesis", "criteria": "criterion", "phenomena": "phenomenon", "oxen": "ox",
    "thieves": "thief", "calves": "calf", "elves": "elf", "scarves": "scarf", "selves": "self", "hooves": "hoof", "headaches": "headache", "toothaches": "toothache", "backaches": "backache",
    "avalanches": "avalanche", "mustaches": "mustache", "moustaches": "moustache", "niches": "niche", "quiches": "quiche", "policemen": "policeman", "grandchildren": "grandchild", "lice": "louse", "dice": "die",
    "children": "child", "people": "person", "men": "man", "women": "woman", "feet": "foot", "teeth": "tooth", "geese": "goose",
    "mice": "mouse", "lives": "life", "wives": "wife", "knives": "knife", "leaves": "leaf", "loaves": "loaf", "shelves": "shelf",
    "halves": "half", "wolves": "wolf", "movies": "movie", "cookies": "cookie", "selfies": "selfie", "zombies": "zombie",
    "calories": "calorie", "brownies": "brownie", "smoothies": "smoothie", "hoodies": "hoodie", "rookies": "rookie",
    "buses": "bus", "quizzes": "quiz", "shoes": "shoe", "toes": "toe", "canoes": "canoe", "lens": "lens", "gas": "gas",
    "yes": "yes", "savings": "savings", "earnings": "earnings", "axes": "axe", "sizes": "size", "prizes": "prize", "mazes": "maze", "caches": "cache", "aches": "ache",
}  # fmt: skip
"""Plurals whose singular no ending tells; movie and its like look as if they ended in -y."""


def singular(word: str) -> str:
    """A noun's singular by its ending; words that are no plural stay ("class", "bus", "series")."""
    if word in _SINGULAR:
        return _SINGULAR[word]
    if len(word) <= 3 or word.endswith(("ss", "us", "is", "ies's", "series", "species", "news")):
        return word
    if word.endswith("ies"):
        return word[:-1] if len(word) <= 4 or word[-4] in "aeiou" else word[:-3] + "y"
    if word.endswith(("ches", "shes", "xes", "sses", "zzes", "oes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") else word
