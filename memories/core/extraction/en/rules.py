"""What English predicates say about their subject: one table of patterns, each for an attribute."""

from __future__ import annotations

import re

from memories.core.extraction.predicate import Predicate
from memories.core.extraction.relations import EN_RELATIONS
from memories.core.kinds import Kind

NAME = r"[A-Z][a-zà-ÿ]+(?:[ -][A-Z][a-zà-ÿ]+){0,2}"
REL = "(?:" + "|".join(re.escape(word) for word in EN_RELATIONS) + ")"
_ADV = (
    r"(?:(?:really|actually|also|just|now|currently|still|always|already|recently|usually|mostly|generally|absolutely|totally|definitely|truly|kind of|sort of|only|then|"
    r"at the moment|these days|do|does|have|has|had|finally|originally|officially|both)\s+)*"
)
_V = r"(?P<v>.{1,80}?)"
_END = (
    r"(?:\s+(?:now|currently|at the moment|these days|right now|too|as well|though|a lot|very much|so much|anymore|any more|any longer|already|again|actually|by the way|"
    r"last \w+|this \w+|yesterday|recently|in (?:(?:19|20)\d\d|January|February|March|April|May|June|July|August|September|October|November|December)|\w+ (?:days?|weeks?|months?|years?) ago|for .{1,20}|since .{1,20}|with my .{1,30})){0,3}"
)
_JOB = (
    r"(?:[A-Za-z-]+ ){0,3}?(?:[a-z]+(?:er|or|ist|ian|ant|ee|eer)|nurse|chef|cook|pilot|judge|clerk|coach|artist|student|intern|lawyer|attorney|vet|CEO|CTO|CFO|dentist|"
    r"doctor|teacher|entrepreneur|freelancer|architect|journalist|scientist|analyst|accountant|barista|carpenter|electrician|plumber|paramedic|firefighter|police officer|professor|"
    r"developer|designer|engineer|guide|therapist|mechanic|model|captain|sales(?:man|woman|person|rep)|stay-at-home (?:mom|dad|parent))"
)
_NOT_JOB = frozenset(
    {
        "winner", "loser", "beginner", "lover", "fan", "believer", "member", "owner", "stranger", "killer", "sucker",
        "computer", "number", "whatever", "ever", "never", "other", "another", "together", "better",
        "bigger", "matter", "father", "mother", "brother", "sister", "daughter", "after", "under", "over",
        "later", "sooner", "longer", "easier", "harder", "older", "younger", "taller", "order", "vegetarian",
        "foreigner", "newcomer", "sinner", "dinner", "letter", "paper", "water", "river", "summer", "winter", "color",
        "error", "mirror", "major", "minor", "for", "giant", "important", "constant", "plant", "pleasant", "elephant",
        "restaurant", "human", "committee", "coffee", "employee", "christian", "italian", "canadian", "australian",
        "brazilian", "belgian", "russian", "indian", "asian", "egyptian", "norwegian", "hungarian", "ukrainian",
        "iranian", "nonbeliever", "keeper", "supporter", "customer", "partner", "outsider", "insider", "early-riser",
        "riser", "realist", "optimist", "pessimist", "perfectionist", "minimalist", "feminist", "parent", "agent",
        "patient",
    }
)  # fmt: skip
_PASTIME = r"(?!(?:it|that|this|you|your|my|his|her|their|our|an?|some|any|too|enough|much|so|all|more|most|trouble|arms|residence|space|debt|bed|time|room|contact|touch|shape|college|university|school|office|position|place|line|fights?|arguments?)\b)[a-z][a-z-]+(?:\s(?!(?:of|in|on|at|to|for|with|late|early|by|from)\b)[a-z][a-z-]+)?"
"""One or two words for what somebody does: "pottery", "trail running"."""
PETS = r"(?:dog|cat|puppy|kitten|rabbit|hamster|parrot|bird|fish|turtle|horse|pony|snake|lizard|guinea pig|ferret|goldfish|retriever|poodle|labrador|corgi|terrier|shepherd|husky|beagle|bulldog|chicken|goat|cow|pig|duck)s?"


def _p(rule: str, attribute: str | None, pattern: str, kind: Kind | None = None, **flags: bool) -> Predicate:
    # case counts only where a name is asked for, so letters are given in lower case and the flag is local
    compiled = re.compile(_ADV + "(?:" + pattern.replace("{V}", _V) + ")" + _END)
    return Predicate("en." + rule, attribute, compiled, kind, **flags)


_BE = r"(?:am|is|are|'s)\s+(?:\w+ly\s+|now\s+|still\s+|also\s+|just\s+|based\s+)*"
PREDICATES: tuple[Predicate, ...] = (
    _p("called", "name", rf"{_BE}(?:called|named)\s+(?P<v>{NAME})"),
    _p("go_by", "nickname", rf"(?:go|goes)\s+by\s+(?P<v>{NAME})", Kind.PROFILE),
    _p("age", "age", rf"{_BE}(?:turning\s+)?(?P<v>\d{{1,3}}(?:\s+(?:years?|months?)(?:\s+old)?| y/?o)|[a-z-]+ years? old)"),
    _p("age_new", "age", r"(?:just\s+)?turned\s+(?P<v>\d{1,3})(?:\s+(?:on|in|last|this)\s+.{2,20})?", update=True),
    _p("age_short", "age", rf"{_BE}(?P<v>[1-9]\d?)"),
    _p("grade", "grade", rf"{_BE}in\s+(?:the\s+)?(?P<v>(?:year|grade|form)\s+\d+|\w+\s+grade|kindergarten|preschool|sixth\s+form)"),
    _p("grade_new", "grade", r"(?:started|entered|begun|began|moved\s+up\s+to)\s+(?:in\s+)?(?:the\s+)?(?P<v>(?:year|grade|form)\s+\d+|\w+\s+grade|kindergarten|preschool|sixth\s+form)(?:\s+(?:on|in|at|this|last)\s+.{2,20})?", update=True),
    _p("born_on", "birthday", r"(?:was|were|is)\s+born\s+(?:on\s+)?(?P<v>(?:in\s+(?:19|20)\d\d|[A-Z][a-z]+ \d.{0,14}|\d{1,2}(?:st|nd|rd|th)? (?:of )?[A-Z].{2,14}))"),
    _p("born_in", "origin", rf"(?:was|were)\s+born(?:\s+and\s+raised)?\s+in\s+(?P<v>{NAME}.{{0,30}})"),
    _p("from", "origin", rf"{_BE}(?:originally\s+)?from\s+(?P<v>(?:the\s+)?[A-Z].{{1,40}}?)|(?:grew up|was raised)\s+in\s+(?P<v2>.{{2,40}}?)|come\s+from\s+(?P<v3>[A-Z].{{1,40}}?)"),
    _p("home_ended", "home", r"(?:do not|does not|no longer)\s+lives?\s+(?:in|at)\s+{V}", Kind.PROFILE, ended=True, update=True),
    _p("home_left", "home", r"moved\s+(?:out\s+of|away\s+from)\s+(?P<v>[A-Z].{1,40}?)", Kind.PROFILE, ended=True, update=True),
    _p("moved", "home", r"(?:moved|relocated|emigrated|immigrated|have moved|has moved)\s+(?:back\s+|over\s+|down\s+|up\s+|out\s+)?(?:from\s+.{2,30}?\s+)?(?:to|into)\s+(?!a different|the next)(?P<v>[A-Za-z0-9].{1,50}?)|(?:resettled|settled(?:\s+down)?)\s+in\s+(?P<v2>[A-Z].{1,40}?)", Kind.PROFILE, update=True),
    _p("home", "home", rf"(?:live|lives|reside|resides|stay|stays)\s+(?:alone\s+|together\s+)?(?:in|at|on|near)\s+{{V}}|(?:{_BE}|been\s+)living\s+(?:in|at|on|near)\s+(?P<v2>.{{2,60}}?)|{_BE}based\s+in\s+(?P<v3>.{{2,60}}?)"),
    _p("home_past", "home", r"lived\s+(?:alone\s+)?(?:in|at|near)\s+(?P<v>[A-Z].{1,40}?)(?:\s+(?:(?:from|between|in|until|till)\s+.{3,40}|as\s+an?\s+\w+|when\s+.*|before(?:\s+.*)?|back\s+then|once|for\s+.{3,20}))?", Kind.PROFILE, past=True),
    _p("employer_past", "employer", r"worked\s+(?:at|for)\s+(?P<v>[A-Z].{1,40}?)(?:\s+(?:(?:from|between|in|until|till)\s+.{3,40}|as\s+an?\s+.{2,30}|when\s+.*|before(?:\s+.*)?|back\s+then|once|for\s+.{3,20}))?", Kind.PROFILE, past=True),
    _p("uses", "uses", rf"(?:use|uses|{_BE}using|have been using|started using|switched to|moved to using)\s+(?P<v>(?:an?\s+|the\s+)?(?!I\b)[A-Z][\w.+#-]*(?:[ ][A-Z0-9v][\w.+#-]*){{0,4}})(?:(?:,|\s+(?:for|to|as|on|in|with|and|because|app|since|instead))\b.*|,.*)?", None),
    _p("employer_ended", "employer", r"(?:(?:quit|left)(?=\s+(?:my|his|her|their|our)\s+job\s)|quit|resigned from|retired from|(?:was|were|got|been)\s+(?:fired|laid\s+off|let\s+go|sacked|dismissed|made\s+redundant)\s+(?:from|by|at))\s+(?:(?:my|his|her|their|our)\s+job\s+(?:at|with)\s+)?(?P<v>[A-Z].{1,30}?)|(?:do not|does not|no longer)\s+works?\s+(?:at|for)\s+(?P<v2>.{2,40}?)", Kind.PROFILE, ended=True, update=True),
    _p("employer_left", "employer", r"left\s+(?P<v>(?:the\s+)?[A-Z][\w&.-]*(?:\s(?:[A-Z][\w.-]*|&|of|and(?=\s[A-Z]))){0,3})(?:\s+(?:on\s+[A-Z].{2,15}|after\s+.{2,40}|because\s+.*))?", Kind.PROFILE, ended=True, update=True),
    _p("employer_new", "employer", r"(?:joined|started\s+(?:working\s+)?at|got\s+a\s+(?:new\s+)?job\s+at|switched\s+to\s+working\s+at|got hired (?:at|by))\s+(?P<v>(?:the\s+)?[A-Z].{1,40}?)(?:\s+as\s+an?\s+.*)?", Kind.PROFILE, update=True),
    _p("job_as", "occupation", rf"(?:work|works|worked|{_BE}working)\s*(?:at\s+.{{1,30}}\s+)?as\s+(?:an?\s+|the\s+)?(?P<v>[A-Za-z].{{2,40}}?)(?:\s+(?:at|for|in)\s+.*)?"),
    _p("employer", "employer", rf"(?:work|works|{_BE}working|intern|interns|teach|teaches)\s+(?:at|for)\s+(?!home|night|myself|a while|hours|days|now|it|that|free|fun|the (?:moment|weekend))(?P<v>.{{2,40}}?)"),
    _p("room", "workplace", r"(?:work|works|sit|sits)\s+(?:in|at|out of|from)\s+(?P<v>(?:the\s+)?(?:room|office|building|suite|floor|desk)\s+.{1,30}?)"),
    _p("field", "occupation", rf"(?:work|works|{_BE}working)\s+in\s+(?:the\s+field\s+of\s+)?(?P<v>(?!(?:the|an?|my|our|his|her|their|this|that|these|those)\b)[a-z][a-z &-]{{2,30}}?)"),
    _p("job_new", "occupation", rf"(?:became|got\s+promoted\s+to|was\s+promoted\s+to|have\s+become|has\s+become)\s+(?:an?\s+|the\s+)?(?P<v>{_JOB})", Kind.PROFILE, update=True),
    _p("job", "occupation", rf"{_BE}(?:an?|the)\s+(?P<v>{_JOB})(?:\s+(?:at|for|in|by|from|who|and|with|specializing).*)?"),
    _p("school", "school", rf"(?:study|studies|{_BE}studying|studied|graduated|go|goes|went)\s+(?:.{{2,30}}\s+)?(?:at|from|to)\s+(?P<v>(?:the\s+)?[A-Z][\w .&'-]*?(?:University|College|School|Institute|Academy)(?:\s+of\s+[A-Z]\w+)?|[A-Z]{{3,5}})"),
    _p("major", "major", rf"(?:major|majors|majored|{_BE}majoring)\s+in\s+{{V}}"),
    _p("learning", "learning", rf"{_BE}(?:learning|studying|taking lessons in)\s+(?:to\s+|how\s+to\s+)?(?P<v>(?!for\b|at\b|in\b|about\b|from\b|more\b|that\b|so\b|as\b|hard\b|a lot|the fact)[A-Za-z].{{1,30}}?)|(?:started|began)\s+(?:learning|studying)\s+(?P<v2>.{{2,30}}?)"),
    _p("allergy", "allergy", rf"{_BE}(?:\w+\s+)?(?:allergic|intolerant)\s+to\s+{{V}}|have\s+an?\s+(?P<v2>[\w -]{{2,30}}?)\s+allergy|have\s+an\s+allergy\s+to\s+(?P<v3>.{{2,30}}?)", Kind.PROFILE),
    _p("diet", "diet", rf"{_BE}(?:an?\s+)?(?:strict\s+)?(?P<v>vegan|vegetarian|pescatarian|lactose intolerant|gluten[- ]free|keto|kosher|halal)", Kind.PROFILE),
    _p("diet_no", "diet", r"(?P<v>(?:do not|don't|does not|cannot|can't|can not|never)\s+(?:eat|drink)\s+.{2,30}?)", Kind.PROFILE),
    _p("dislike", "dislikes", rf"(?:do not|don't|does not|doesn't|never|no longer)\s+(?:really\s+|particularly\s+)?(?:like|enjoy|love|care\s+for)\s+{{V}}|(?:hate|hates|dislike|dislikes|detest|detests|cannot\s+stand|can't\s+stand|can not stand|loathe)\s+(?P<v2>.{{2,60}}?)|{_BE}not\s+(?:a\s+(?:big\s+)?fan\s+of|into|keen\s+on|fond\s+of)\s+(?P<v3>.{{2,60}}?)", Kind.PREFERENCE),
    _p("fears", "dislikes", rf"{_BE}(?:afraid|scared|terrified)\s+of\s+(?P<v>.{{2,40}}?)", Kind.PREFERENCE),
    _p("prefer", "likes", r"(?:would\s+rather\s+have|prefer|prefers|favor|favors)\s+(?P<v>(?!not\b).{2,60}?)(?:\s+(?:to|over|rather than|instead of)\s+.*)?", Kind.PREFERENCE),
    _p("like", "likes", rf"(?:like|likes|love|loves|enjoy|enjoys|adore|adores)\s+(?P<v>(?!you\b|it\b|that\b|this\b|those\b|these\b|their\b|its\b|his\b|them\b|him\b|her\b|how\b|what\b|when\b|your\b|the way\b|to\s+(?:know|see|ask|say|hear|think)\b|seeing you|hearing|a\s+\w+$).{{2,60}}?)|{_BE}(?:(?:so|very|super|quite|pretty|really|big time|all)\s+)?(?:into|fond\s+of|keen\s+on|crazy\s+about|passionate\s+about|a\s+(?:big\s+|huge\s+)?fan\s+of|obsessed\s+with)\s+(?P<v2>(?!it\b|that\b|this\b|you\b).{{2,60}}?)", Kind.PREFERENCE),
    _p("taken_up", "hobby", rf"(?:(?:(?:have|has)\s+(?:recently\s+|just\s+|finally\s+|also\s+)*taken\s+up|(?:recently\s+|just\s+|finally\s+)*took\s+up)\s+(?P<v>(?:playing\s+|learning\s+)?the\s+[a-z]+|{_PASTIME})|(?:have|has)\s+(?:recently\s+|just\s+|finally\s+|also\s+)*(?:(?:got|gotten)|been\s+getting)\s+(?:really\s+)?into\s+(?P<v2>{_PASTIME}))(?:\s+(?:lately|recently|again|this\s+year|and\s+(?:it|I)\b.*))?", Kind.PREFERENCE),
    _p("dreamed", "goal", r"(?:(?:have|has)\s+)?always\s+(?:dreamed|dreamt)\s+of\s+(?P<v>(?!.*\b(?:there|it|this|that|them)\b)[a-z]+ing\s.{2,50}?)(?:,?\s+but\b.*)?|(?:(?:have|has)\s+)?always\s+wanted\s+to\s+(?P<v2>(?!.*\b(?:there|it|this|that|them)\b)[a-z]+\s.{2,50}?)(?:,?\s+but\b.*)?"),
    _p("habit", "habit", r"(?P<v>(?!.*\b(?:on|of|with|for|to|about)\s+(?:it|this|that|them)\b)(?:always|usually|typically|normally|every\s+\w+|only)\s+(?:i\s+)?(?:eat|drink|run|walk|read|write|listen|watch|play|swim|work|sleep|wake|get|go|take|use|have|cook|bake|practice|meditate|ride|drive|train|exercise|cycle|jog|hike|visit|spend)\b(?!\s+(?:when|if|whenever|so|because)\b).{0,90}?)", Kind.PREFERENCE, me_only=True),
    _p("pet_named", "pet", rf"(?:have|has|own|owns|got|adopted)\s+(?P<v>(?:an?|one|two|three|four|five|\d+)\s+(?:[\w-]+\s+){{0,3}}{PETS}(?:\s+(?:named|called)\s+{NAME}(?:(?:,| and)\s+{NAME})*)?)", None),
    _p("family", "family", r"(?:have|has|got)\s+(?P<v>(?:an?|one|two|three|four|five|six|\d+)\s+(?:\w+\s+){0,2}(?:kids?|child|children|sons?|daughters?|brothers?|sisters?|siblings?|twins)(?:\s+(?:named|called)\s+.{2,40}?)?)", Kind.PROFILE),
    _p("marital", "marital_status", rf"{_BE}(?P<v>married|single|divorced|engaged|widowed|separated)(?:\s+to\s+.*|\s+with\s+.*|\s+for\s+.*)?", Kind.PROFILE),
    _p("marital_new", "marital_status", r"(?:got|been)\s+(?P<v>married|divorced|engaged|separated)(?:\s+(?:to|in|on|at|over|during|by|with|since)\s+.*)?", Kind.PROFILE, update=True),
    _p("height", "height", rf"{_BE}(?P<v>\d(?:'|\s*f(?:ee|oo)?t)\s*\d*(?:\"|\s*in(?:ches)?)?|\d{{3}}\s?cm|\d\.\d+\s?m)(?:\s+tall)?", None),
    _p("weight", "weight", rf"weighs?\s+(?P<v>\d+\s?(?:kg|kilos?|pounds|lbs?))|{_BE}(?:down\s+to|up\s+to|back\s+to|back\s+at|at)\s+(?P<v2>\d+\s?(?:kg|kilos?|lbs?))", None),
    _p("speaks", "speaks", r"(?:can\s+)?(?:speak|speaks)\s+(?:fluent\s+|a\s+little\s+|some\s+)?(?P<v>[A-Z][a-z]+(?:(?:,\s*|\s+and\s+|,\s*and\s+)[A-Z][a-z]+)*)(?:\s+(?:fluently|well))?", Kind.PROFILE),
    _p("skill", "skill", r"(?:play|plays)\s+(?:the\s+)?(?P<v>(?!with|a\s|an\s|it\b|some\b)[a-z][a-z ]{2,20}?)(?:\s+(?:every|on|in|for|with|at)\s.*)?", None),
    _p("medication_ended", "medication", r"(?:came|come|went|gone|got)\s+off\s+(?:of\s+)?(?P<v>.{2,30}?(?:pills?|medication|medicine|tablets?|inhaler|insulin|\d+\s?mg))", Kind.PROFILE, ended=True, update=True),
    _p("medication", "medication", r"(?:take|takes|is\s+on|am\s+on)\s+(?P<v>.{2,30}?(?:pills?|medication|medicine|tablets?|inhaler|insulin|\d+\s?mg))(?:\s+.*)?", Kind.PROFILE),
    _p("condition", "condition", rf"(?:have|has|suffer\s+from|suffers\s+from|was diagnosed with|{_BE}diagnosed with)\s+(?P<v>(?:chronic\s+|type\s+\d\s+|severe\s+|mild\s+)?(?:asthma|diabetes|migraines?|anxiety|adhd|ADHD|arthritis|insomnia|epilepsy|anemia|depression|high blood pressure|hypertension|celiac disease|\w+itis|\w+emia))", Kind.PROFILE),
    _p("possession", "possession", r"(?:own|owns|drive|drives|bought|ride|rides)\s+(?P<v>(?:an?|two|three|\d+)\s+.{2,40}?)|(?:have|has|have\s+got|has\s+got|got)\s+(?P<v2>an?\s+(?-i:[A-Z])[\w-]*(?:\s(?-i:[A-Z])[\w-]*){0,2}\s[A-Z]?\d\w*(?:\s(?-i:[A-Z])\w*)?)", None),
    _p("responsible", "responsibility", rf"{_BE}(?:responsible\s+for|in\s+charge\s+of)\s+{{V}}|(?:lead|leads|manage|manages|run|runs)\s+(?P<v2>(?:the|our)\s+.{{2,40}}?)", None),
    _p("state", "status", rf"{_BE}(?P<v>(?:on|off)\s+(?:vacation|holiday|leave|maternity leave|sick leave|parental leave|a business trip|a diet|work|call)|out of (?:the )?office|out of town|pregnant|away|unemployed|retired|recovering|travell?ing|working from home)(?:\s+(?:until|till|this|for|from|in|to|today|tomorrow|next)\b.*)?", None),
    _p("plan", "plan", rf"(?:{_BE}(?:planning|hoping|going)\s+to|plan\s+to|plans\s+to|intend\s+to|want\s+to|wants\s+to)\s+(?P<v>(?!know|say|ask|see|tell|thank|hear|be\s+honest).{{3,60}}?)", None, me_only=True),
    _p("relation", "relation", rf"is\s+(?P<v>my\s+(?:\w+\s+)?{REL})"),
)  # fmt: skip

COPULA = re.compile(
    r"(?:(?<!\s)\s++)?(?P<cop>\b(?:is not|isn't|is no longer|was not)\b"
    r"|\b(?:has|have|had)?\s*(?:just\s+|now\s+|also\s+|recently\s+)?(?:been\s+)?(?:got\s+|was\s+|is\s+|were\s+)?(?:changed|moved|rescheduled|updated|switched|pushed|postponed|shifted|set|raised|reduced|increased|lowered|extended|shortened|renamed|brought forward|adjusted|bumped)\s+(?:back\s+|up\s+|down\s+)?(?:to|until|at|for|from\s+.{1,30}?\s+to)\b"
    r"|\b(?:(?:is|are|will be|equals|stays|becomes)(?:\s+(?:now|actually|currently|still|indeed|officially|only(?=\s+[$€£\d])|just(?=\s+[$€£\d])|around(?=\s+[$€£\d])|about(?=\s+[$€£\d])|back to|going to be|set to|set for|set at|called|named|due on|due by|due|at|on)(?=\s))*)\b|\s*[:=]\s)\s*",
    re.IGNORECASE,
)
"""Between an attribute and its value. A run of spaces is taken whole and from its beginning only, so that it is read once."""
LEAD = re.compile(
    r"(?:(?:so(?!\s+(?:far|long|many|much)\b)|well|right|ugh|hmm+|nice|great|wow|yay|gosh|oh|ok|okay|yeah|yes|yep|no|nope|hey|hi|hello|also|and|but|btw|by the way|fyi|actually|anyway|honestly|correction|update|sorry|wait|oops|you know|to be honest|in fact|"
    r"just so you know|for the record|i mean|i meant|i think you should know|as i said|like i said|turns out|it turns out(?: that)?|guess what|note|heads up|quick update|just to let you know|"
    r"i(?:'m| am) (?:happy|glad|sad|sorry) to say(?: that)?|i forgot to (?:mention|say)(?: that)?|as you know|fun fact|today|now|currently|these days|lately|recently|personally|my mistake|scrap that|silly me|typo|hang on|hold on|big news|bad news|good news|great news|life update|plot twist|long story short|scratch that|strike that|no wait|i misspoke|my bad|let me correct that|i stand corrected|i was wrong|i made a mistake)\b[,:;.!\s-]*)+",
    re.IGNORECASE,
)


def plausible_job(value: str) -> bool:
    """False for words that only look like a job's ("winner", "vegetarian"), and for none."""
    words = value.split()
    return bool(words) and words[-1].lower() not in _NOT_JOB


_SWINGS_BACK = re.compile(
    r"\s(?:and|then|but)(?:\s+then)?\s+(?:right\s+|straight\s+)?back(?:\s+again)?$", re.IGNORECASE
)
"""After all it is as it was ("to Proton and back again")."""
_CUT = re.compile(
    r"(?:,?\s+(?:rather than|instead of|as opposed to|unlike)|,\s+(?:just |much |exactly )?(?:like|same as)\s|,?\s+(?:and|or|but)\s+(?:no|not(?!\s+[a-z]+ing\b)|never|none|nothing)\b|\s+(?:because|since|until|till|starting|beginning|effective|so that|but|although|though|which|who|when|while|where|if|unless|except|and (?:i|we|he|she|they|it|my|his|her|that|then)\b|so (?:i|we|he|she|please))|,\s+(?:so|which|but|because|since|as|thanks to|due to|given)(?=\s))\b.*$",
    re.IGNORECASE | re.DOTALL,
)


def clean_value(value: str) -> str | None:
    """The value without quotes, closing courtesies and subordinate clauses; None when it only points or nothing is left."""
    value = _CUT.sub("", value.strip()).strip(" \t\n.,;:!\"'“”‘’")
    value = re.sub(r",\s*(?:right|ok|okay|yeah|yes|isn't it|though|remember|you know|lol|i'm afraid|unfortunately|sadly|luckily|thankfully|actually|now|fyi|of course|for sure|(?:to be )?(?:honest|frank)(?: with you)?|honestly|frankly|believe it or not)$", "", value, flags=re.IGNORECASE)  # fmt: skip
    value = re.sub(
        r"(?:,?\s+(?:too|as well|though|please|thanks|now|actually|by the way|btw|currently|instead|from now on|going forward|lol|haha|of course|for sure|to be honest|tbh|these days|nowadays|at the moment|right now|at present|at this point|so far|as of (?:now|today|yesterday|this \w+)|since then|already|after all|in the end))+$",
        "",
        value,
        flags=re.IGNORECASE,
    )
    value = re.sub(r",\s*(?:up|down)\s+from\s.*$", "", value, flags=re.IGNORECASE)
    if not value or len(value) > 100 or _SWINGS_BACK.search(value):
        return None
    if re.match(
        r"(?:what|how|why|whether|where|when|like\b|(?:(?:exactly|about|almost|just)\s+)?the same\s+(?:as|like|one)\b)",
        value,
        re.IGNORECASE,
    ):
        return None
    if re.fullmatch(
        r"(?:it|that|this|them|him|her|there|here|so|not|true|right|wrong|correct|good|great|fine|ok|okay|nice|bad|cool|awesome|amazing|ready|sure|done|late|early|"
        r"important|possible|clear|the same|the best|you|me|us|mine|yours|hers|ours|theirs|what|how|why|up|down|on|off|over|out|in|gone|back|going|coming|doing|always|never)",
        value,
        re.IGNORECASE,
    ):
        return None
    return value
