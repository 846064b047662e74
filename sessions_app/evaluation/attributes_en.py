"""What scripts say in English about each attribute."""

from __future__ import annotations

from typing import Final

from sessions_app.evaluation.attributes import Wording

EN: Final[dict[str, Wording]] = {
    "contract": Wording(
        say=("For project {e}, the contract number is {v}.", "Please note: the {e} contract number is {v}."),
        change=("The contract number of {e} has changed, it is {v} now.", "Correction: the {e} contract number is {v}."),
        question=(
            "Under which reference is the {e} agreement filed?",
            "What is the reference of the agreement for {e}?",
            "Which file do I ask for to see what we signed for {e}?",
        ),
        distract=(
            "Legal read the {e} contract again and found nothing to say about its number.",
            "The {e} contract is twelve pages too long, if you ask me.",
            "The contract number of {e} was not on the copy that I got.",
        ),
        asked=("Does anybody know the contract number of {e}?", "Who keeps the {e} contract these days?"),
    ),
    "budget": Wording(
        say=("The budget limit of {e} is {v}.", "We agreed that {e} has a budget limit of {v}."),
        change=("The budget limit of {e} was changed to {v}.", "The {e} budget limit is {v} from now on."),
        question=(
            "How much may {e} cost at most?",
            "Up to what sum can we spend on {e}?",
            "How much money is there for {e}?",
        ),
        distract=(
            "Somebody asked about the {e} budget over lunch, but nobody knew the limit.",
            "The budget of {e} is always a delicate topic.",
            "Finance wants a nicer chart of the {e} budget.",
        ),
        asked=("Is there a budget limit for {e} at all?", "Did finance ever set a limit for the {e} budget?"),
    ),
    "sync": Wording(
        say=("The sync meeting of {e} takes place every {v}.", "{e} has its fixed sync meeting on {v}."),
        change=("The sync meeting of {e} moved to {v}.", "From now on the {e} sync meeting is on {v}."),
        question=(
            "When does the {e} team come together each week?",
            "At what time do the {e} people meet regularly?",
            "When do I have to be there for the {e} round?",
        ),
        distract=(
            "The {e} sync meeting ran late again and the coffee was cold.",
            "Nobody took notes in the {e} sync meeting.",
            "Half of the {e} team was on mute during the whole sync meeting.",
        ),
        asked=("Do we really need a sync meeting for {e} every week?", "Was the {e} sync meeting moved again?"),
    ),
    "owner": Wording(
        say=("The owner of {e} is {v}.", "{v} is the owner of project {e}."),
        change=("The owner of {e} is now {v}.", "{e} was handed over, its owner is {v} now."),
        question=(
            "Who is responsible for {e}?",
            "Who is in charge of {e}?",
            "Whom do I turn to about {e}?",
        ),
        distract=(
            "We wondered what an owner of {e} does all day.",
            "The owner of {e} was not in the picture of the team.",
            "Being the owner of {e} must be a lot of work.",
        ),
        asked=("Did the owner of {e} say anything about it?", "Would you like to be the owner of {e}?"),
    ),
    "supplier": Wording(
        say=("The supplier for {e} is {v}.", "We decided that {v} is the supplier for {e}."),
        change=("We changed the supplier for {e}, it is {v} now.", "The supplier for {e} is now {v}."),
        question=(
            "Who delivers the parts for {e}?",
            "Which company do we buy from for {e}?",
            "Where do the materials of {e} come from?",
        ),
        distract=(
            "A supplier for {e} can take a while to find, everybody says.",
            "The supplier for {e} sent a calendar with mountains on it.",
            "Purchasing talked for an hour about suppliers for {e}.",
        ),
        asked=("Was the supplier for {e} late again?", "How many suppliers did {e} have before?"),
    ),
    "deadline": Wording(
        say=("The delivery date of {e} is {v}.", "{e} has to be delivered by {v}."),
        change=("The delivery date of {e} was moved to {v}.", "{e} now has to be delivered by {v}."),
        question=(
            "By when must {e} be handed in?",
            "What is the last day for {e}?",
            "Until when do we have time for {e}?",
        ),
        distract=(
            "The delivery of {e} was a topic again, without any date.",
            "Everybody is nervous about the delivery date of {e}.",
            "The delivery of {e} will be a big day for the team.",
        ),
        asked=("Can the delivery date of {e} be kept?", "Did they talk about the delivery of {e}?"),
    ),
    "decision": Wording(
        say=("We decided to build {e} with {v}.", "It is settled that {e} will be built with {v}."),
        change=("We changed our minds: {e} will be built with {v}.", "We decided to build {e} with {v} instead."),
        question=(
            "Which framework does {e} rest on?",
            "What did we choose as the technical base of {e}?",
            "What do I have to install to work on {e}?",
        ),
        distract=(
            "We talked for two hours about what to build {e} with.",
            "Whatever {e} is built with, it has to be fast.",
            "The people who build {e} asked for more screens.",
        ),
        asked=("Has anybody decided what to build {e} with?", "Why does it take so long to build {e}?"),
    ),
    "extension": Wording(
        say=("{e}'s phone extension is {v}.", "You reach {e} on extension {v}."),
        change=("{e}'s phone extension is now {v}.", "{e} got a new phone extension: {v}."),
        question=(
            "What do I dial to get hold of {e}?",
            "On which number can I call {e} in the office?",
            "How do I ring up {e}?",
        ),
        distract=(
            "{e} was on the phone for an hour today.",
            "The phone of {e} has the loudest ring on the floor.",
            "{e}'s phone extension was busy all morning.",
        ),
        asked=("Did {e} get a new phone?", "Does {e} ever pick up the phone?"),
    ),
    "office": Wording(
        say=("{e}'s office is {v}.", "{e} works in {v}."),
        change=("{e} moved, the office is {v} now.", "{e}'s office is now {v}."),
        question=(
            "Where do I find {e} in the building?",
            "Where does {e} sit?",
            "To which door do I bring the parcel for {e}?",
        ),
        distract=(
            "{e} complained that the office is too warm in summer.",
            "The office of {e} smells of fresh paint.",
            "{e} has a cactus in the office.",
        ),
        asked=("Does {e} share the office with somebody?", "Has {e} been in the office today?"),
    ),
    "drink": Wording(
        say=("{e}'s favourite drink is {v}.", "The favourite drink of {e} is {v}."),
        change=("{e}'s favourite drink is {v} now.", "{e}'s favourite drink is now {v}."),
        question=(
            "What should I pour for {e}?",
            "Which cup do I order to please {e}?",
            "What does {e} love to have with a cake?",
        ),
        distract=(
            "{e} never finishes a drink.",
            "{e} says that one cannot like everything.",
            "{e} prefers to drink by the window.",
        ),
        asked=("Does {e} like drinks sweet?", "What does {e} like so much about that cafe?"),
    ),
    "todo": Wording(
        say=("Remind me to send {e} the form {v}.", "I still have to send {e} the form {v}."),
        change=(),
        question=(
            "Which paper is {e} still waiting for from me?",
            "What do I owe {e}?",
            "What have I got to mail to {e}?",
        ),
        distract=(
            "{e} dislikes forms as much as I do.",
            "I keep forgetting what {e} wanted from me.",
            "{e} wrote that forms should be shorter.",
        ),
        asked=("Did {e} send back the other forms?", "Why does {e} need forms at all?"),
    ),
    "boss": Wording(
        say=("{e} reports to {v}.", "{e}'s manager is {v}."),
        change=("{e} has a new manager: {v}.", "{e} reports to {v} now."),
        question=("Who is {e}'s boss?", "Who approves the leave of {e}?", "Who stands above {e}?"),
        distract=(
            "{e} had a long talk with the manager.",
            "{e} would be a good manager, too.",
            "{e} finds that managers travel too much.",
        ),
        asked=("Is {e} happy with the manager?", "Did {e} tell the manager about it?"),
    ),
    "birthday": Wording(
        say=("{e}'s birthday is on {v}.", "{e} was born on {v}."),
        change=("Correction: {e}'s birthday is on {v}.", "I had it wrong, {e}'s birthday is on {v}."),
        question=(
            "When do we congratulate {e}?",
            "On which day do I need a cake for {e}?",
            "When does {e} turn a year older?",
        ),
        distract=(
            "{e} does not like surprises on birthdays.",
            "Last year {e} forgot about the birthday altogether.",
            "There was no card for {e}'s birthday.",
        ),
        asked=("Shall we collect money for {e}'s birthday?", "Was {e} at the birthday party?"),
    ),
    "stay": Wording(
        say=("My usual hotel in {e} is the {v}.", "Please note: my usual hotel in {e} is the {v}."),
        change=("My usual hotel in {e} is the {v} now.", "From now on my usual hotel in {e} is the {v}."),
        question=(
            "Where do I like to sleep when I am in {e}?",
            "Where do I spend the night in {e}?",
            "Where should I book a bed in {e}?",
        ),
        distract=(
            "I never stay at a hotel in {e} for long.",
            "The hotel in {e} had no lift.",
            "In {e} I prefer to walk to the hotel.",
        ),
        asked=("Have you ever been to a hotel in {e}?", "Are the hotels in {e} any good?"),
    ),
    "constraint": Wording(
        say=("Letters to {e} must not be longer than {v}.", "Please note: letters to {e} must not exceed {v}."),
        change=(
            "From now on letters to {e} must not be longer than {v}.",
            "The limit changed: letters to {e} must not be longer than {v} now.",
        ),
        question=(
            "How long may it be when I write to {e}?",
            "What is the maximum size of our post to {e}?",
            "How much text does {e} put up with?",
        ),
        distract=(
            "The letters to {e} are always printed in colour.",
            "{e} answered the last letter with a nice note.",
            "Somebody at {e} collects old letters.",
        ),
        asked=("Are the letters to {e} printed?", "Has {e} ever complained about our letters?"),
    ),
}  # fmt: skip
