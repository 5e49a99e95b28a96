"""The English that rewriting and answering questions offline takes: closed classes of words, and no subject matter.

Word lists only; what they are for is decided where they are used.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _pairs(text: str) -> Mapping[str, str]:
    return dict(pair.split(":", 1) for pair in text.split())


LANGUAGE: Final = "en"

PERSON_PRONOUNS: Final = {"he": "m", "him": "m", "his": "m", "she": "f", "her": "f", "hers": "f"}
"""With the gender of who is meant."""

POSSESSIVES: Final = _words("his her its their hers theirs")
DETERMINERS: Final = _words(
    "the a an my your our some any this that these those its his her their every each no another which what all both"
)
PREPOSITIONS: Final = _words(
    "of in on at to from for with without about by into onto over under near during after before between against "
    "around through versus vs besides except like than as per since until towards within among behind beside "
    "inside outside off out up down"
)
AUXILIARIES: Final = _words(
    "is are was were be been being am do does did done has have had having can could will would shall should may "
    "might must isn't aren't wasn't weren't don't doesn't didn't hasn't haven't can't couldn't won't wouldn't "
    "shouldn't"
)
WH_WORDS: Final = _words("who whom whose where when why how what which what's who's where's how's")
PRONOUNS: Final = _words(
    "i me mine we us you yours he him she her hers it they them theirs there one ones someone something anyone "
    "anything everyone everything nobody nothing himself herself itself themselves"
)
CONJUNCTIONS: Final = _words("and or but if then because so while though although that")
ADVERBS: Final = _words(
    "not also too very more most less least much many ever never now just only still yet really first then often "
    "always usually again else instead long ago well even already generally originally please okay ok so early "
    "soon"
)
FUNCTION_WORDS: Final = DETERMINERS | PREPOSITIONS | AUXILIARIES | WH_WORDS | PRONOUNS | CONJUNCTIONS | ADVERBS
"""What carries no subject matter."""

VERBS: Final = _words(
    "work live keep go take make cause win eat come happen mean affect change compare spread get use tell "
    "describe explain give show learn know think say ask find look see want need help become begin start stop end "
    "call differ influence relate survive originate exist occur grow lose leave meet build buy sell cost play run "
    "write read die kill fight lead rule pay move stand turn bring hold like love try treat prevent form produce "
    "create invent discover choose replace drink sleep feel contribute evolve develop cure hurt damage reduce "
    "improve increase attract catch govern continue put send speak talk visit wear teach belong do spoil reverse "
    "receive fix cook seem sit fall spend lie"
)
"""Words that end a noun phrase unless a determiner began it, in their base form."""

PASTS: Final = _pairs(
    "came:come ate:eat made:make went:go got:get took:take left:leave told:tell knew:know began:begin ran:run "
    "wrote:write led:lead held:hold lost:lose built:build won:win grew:grow met:meet bought:buy sold:sell "
    "said:say kept:keep sent:send found:find caught:catch taught:teach thought:think gave:give saw:see "
    "became:become brought:bring paid:pay fought:fight died:die spoke:speak drank:drink wore:wear sat:sit "
    "stood:stand fell:fall spent:spend felt:feel lay:lie"
)
"""Irregular pasts with their base form."""

PREDICATES: Final = _words(
    "famous important popular known different similar common good better hard harder easy easier possible bad "
    "like legal ethical treatable worth expensive available useful dangerous apart called used related considered "
    "so native significant successful effective born"
)
"""Adjectives and participles that follow what they are said of."""

RELATIONAL: Final = _words(
    "type types kind kinds sort version versions history origin origins cause causes symptom symptoms effect "
    "effects role impact example examples difference differences similarity similarities advantage advantages "
    "disadvantage disadvantages pros cons benefit benefits risk risks importance significance purpose purposes "
    "part parts component components fact facts way ways use uses number name evidence information things thing "
    "relationship side sign reason reasons best theme themes character characters author member members finding "
    "findings result results rule rules characteristic characteristics criticism criticisms feature features "
    "competitor competitors variation variations variety objective objectives issue issues concern concerns "
    "moment moments population size price cost costs process"
)
"""Nouns that are about what follows their "of": that, not they, is what a question is about."""

MALE: Final = _words(
    "man boy king father dad brother son husband uncle grandfather nephew prince mr sir lord gentleman priest monk"
)
FEMALE: Final = _words(
    "woman girl queen mother mum mom sister daughter wife aunt grandmother niece princess mrs ms miss lady nun"
)
KIN: Final = _words(
    "brother sister father mother son daughter husband wife uncle aunt friend cousin nephew niece boss neighbour "
    "grandfather grandmother partner teacher doctor"
)
"""Who somebody is to somebody else."""

PLACE_PREPOSITIONS: Final = _words("in at on near into inside outside behind under beside around within")
WEEKDAYS: Final = _words("monday tuesday wednesday thursday friday saturday sunday")
MONTHS: Final = _words("january february march april may june july august september october november december")
DATES: Final = WEEKDAYS | MONTHS | _words("today tomorrow yesterday tonight")
NUMBER_WORDS: Final = _words(
    "one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty hundred thousand "
    "million several dozen hundreds thousands"
)
NEGATIONS: Final = _words("not no never n't cannot without neither nor nobody nothing")

ATTRIBUTES: Final = _pairs(
    "old:age warm:temperature hot:temperature cold:temperature cool:temperature heating:temperature "
    "degrees:temperature loud:volume quiet:volume fast:speed slow:speed bright:brightness "
    "dark:brightness high:height tall:height heavy:weight expensive:price cheap:price cost:price song:music "
    "listening:music"
)
"""What a word measures or belongs to: "How warm is it?" is about the temperature."""

AMBIENT: Final = _words("warm hot cold cool late early dark bright loud quiet far sunny time raining snowing")
"""In "How warm is it?" nothing named before is meant by "it"."""

REQUEST_FRAMES: Final = _words(
    "please can could would will you i we want need like to just now then and also ok okay hey no yes oh"
)
"""What may stand before the verb of a request."""

ASKING_VERBS: Final = _words("tell describe explain show give list name define compare discuss say")
"""Requests with these ask for words, and change nothing."""

SUBSTANCE_VERBS: Final = _words("set turn switch make put change get let start stop open close add take bring go keep")
"""Verbs of requests that say nothing about what the request is for."""

MOTION_VERBS: Final = _words("take bring drive go guide lead head walk ride fly get navigate travel")
"""With "to": requests to get somewhere, which share no words with questions about the way."""

WAY_WORDS: Final = _words("way destination going arrive arrival heading far distance")
"""Words of questions about the way."""

UNKNOWN: Final = "unknown"
"""The answer to what a story does not tell."""
