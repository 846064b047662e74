"""The irregular verbs of English, all in common use: base, past, participle, where a form has several with a slash between."""

from __future__ import annotations

from typing import Final

_TABLE: Final = """
arise arose arisen; awake awoke awoken; be was/were been; bear bore borne/born; beat beat beaten; become became become; befall befell befallen;
begin began begun; bend bent bent; bet bet bet; bid bid/bade bid/bidden; bind bound bound; bite bit bitten; bleed bled bled; blow blew blown; break broke broken;
breed bred bred; bring brought brought; broadcast broadcast broadcast; build built built; burn burnt burnt; burst burst burst; buy bought bought;
cast cast cast; catch caught caught; choose chose chosen; cling clung clung; come came come; cost cost cost; creep crept crept; cut cut cut;
deal dealt dealt; dig dug dug; dive dove dived; do did done; draw drew drawn; dream dreamt dreamt; drink drank drunk; drive drove driven; dwell dwelt dwelt;
eat ate eaten; fall fell fallen; feed fed fed; feel felt felt; fight fought fought; find found found; flee fled fled; fling flung flung; fly flew flown;
forbid forbade forbidden; forecast forecast forecast; foresee foresaw foreseen; foretell foretold foretold; forget forgot forgotten; forgive forgave forgiven; forgo forwent forgone; forsake forsook forsaken; freeze froze frozen;
get got got/gotten; give gave given; go went gone; grind ground ground; grow grew grown; hang hung hung; have had had; hear heard heard; hide hid hidden; hit hit hit; hold held held; hurt hurt hurt;
keep kept kept; kneel knelt knelt; knit knit knit; know knew known; lay laid laid; lead led led; lean leant leant; leap leapt leapt; learn learnt learnt; leave left left; lend lent lent; let let let; lie lay lain; light lit lit; lose lost lost;
make made made; mean meant meant; meet met met; mishear misheard misheard; mislay mislaid mislaid; mislead misled misled; misread misread misread; misspell misspelt misspelt; mistake mistook mistaken; misunderstand misunderstood misunderstood; mow mowed mown;
offset offset offset; outdo outdid outdone; outgrow outgrew outgrown; outrun outran outrun; outsell outsold outsold; overcome overcame overcome; overdo overdid overdone; overhear overheard overheard; oversee oversaw overseen; oversleep overslept overslept; overtake overtook overtaken; overthrow overthrew overthrown;
pay paid paid; plead pled pled; prove proved proven; put put put; quit quit quit; read read read; rebuild rebuilt rebuilt; redo redid redone; remake remade remade; repay repaid repaid; rerun reran rerun; resell resold resold; reset reset reset; rethink rethought rethought; rewind rewound rewound; rewrite rewrote rewritten; rid rid rid; ride rode ridden; ring rang rung; rise rose risen; run ran run;
saw sawed sawn; say said said; see saw seen; seek sought sought; sell sold sold; send sent sent; set set set; sew sewed sewn; shake shook shaken; shave shaved shaven; shear shore shorn; shed shed shed; shine shone shone; shoot shot shot; show showed shown; shrink shrank shrunk; shut shut shut;
sing sang sung; sink sank sunk; sit sat sat; slay slew slain; sleep slept slept; slide slid slid; sling slung slung; slink slunk slunk; slit slit slit; smell smelt smelt; sow sowed sown; speak spoke spoken; speed sped sped; spell spelt spelt; spend spent spent; spill spilt spilt; spin spun spun; spit spat spat; split split split; spoil spoilt spoilt; spread spread spread; spring sprang sprung;
stand stood stood; steal stole stolen; stick stuck stuck; sting stung stung; stink stank stunk; stride strode stridden; strike struck struck/stricken; string strung strung; strive strove striven; swear swore sworn; sweep swept swept; swell swelled swollen; swim swam swum; swing swung swung;
take took taken; teach taught taught; tear tore torn; tell told told; think thought thought; throw threw thrown; thrust thrust thrust; tread trod trodden; undercut undercut undercut; undergo underwent undergone; understand understood understood; undertake undertook undertaken; underwrite underwrote underwritten; undo undid undone; unwind unwound unwound; uphold upheld upheld; upset upset upset;
wake woke woken; wear wore worn; weave wove woven; weep wept wept; wet wet wet; win won won; wind wound wound; withdraw withdrew withdrawn; withhold withheld withheld; withstand withstood withstood; wring wrung wrung; write wrote written
"""

PAST: Final[dict[str, str]] = {}
"""Past form to base."""
PARTICIPLE: Final[dict[str, str]] = {}
"""Participle to base."""
PAST_OF: Final[dict[str, str]] = {}
"""Base to its first past form."""
UNCHANGED: Final[set[str]] = set()
"""Verbs whose past looks like the base: "cut", "put", "read"."""

for _row in _TABLE.replace("\n", " ").split(";"):
    _base, _pasts, _participles = _row.split()
    for _form in _pasts.split("/"):
        PAST.setdefault(_form, _base)
        PAST_OF.setdefault(_base, _form)
    for _form in _participles.split("/"):
        PARTICIPLE.setdefault(_form, _base)
    if _base in _pasts.split("/"):
        UNCHANGED.add(_base)

# "found" and "ground" and "lay" and "saw" are bases, too; as what has been done they are the past of the commoner verb.
BASES: Final = frozenset(PAST.values())
