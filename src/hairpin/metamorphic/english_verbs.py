"""Forms of common English verbs: base, past, third person.

A list, not a grammar: of a verb that is not in it nothing is said.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hairpin.metamorphic.word_lists import word_set

_IRREGULAR: Final = """
arise arose; awake awoke; bear bore; beat beat; become became; begin began; bend bent; bite bit; bleed bled; blow blew
break broke; breed bred; bring brought; build built; burst burst; buy bought; catch caught; choose chose; cling clung
come came; cost cost; creep crept; cut cut; deal dealt; dig dug; draw drew; drink drank; drive drove; eat ate; fall fell
feed fed; feel felt; fight fought; find found; flee fled; fly flew; forbid forbade; forget forgot; forgive forgave
freeze froze; get got; give gave; go went; grow grew; hang hung; hear heard; hide hid; hit hit; hold held; hurt hurt
keep kept; kneel knelt; know knew; lay laid; lead led; leave left; lend lent; let let; lie lay; light lit; lose lost
make made; mean meant; meet met; pay paid; put put; read read; ride rode; ring rang; rise rose; run ran; say said
see saw; seek sought; sell sold; send sent; set set; shake shook; shine shone; shoot shot; shut shut; sing sang
sink sank; sit sat; sleep slept; slide slid; speak spoke; spend spent; spread spread; spring sprang; stand stood
steal stole; stick stuck; strike struck; swear swore; sweep swept; swim swam; swing swung; take took; teach taught
tear tore; tell told; think thought; throw threw; understand understood; undergo underwent; wake woke; wear wore
weep wept; win won; wind wound; withdraw withdrew; write wrote; have had; overcome overcame; undertake undertook
"""
_REGULAR: Final = """
accept accompany account achieve act add address admire admit adopt advance advise affect agree aim allow announce annoy
answer appear apply appoint approach approve argue arrange arrest arrive ask assign assist assume attack attempt attend
attract avoid award base beg behave believe belong blame boast border borrow bother bow call calm cancel capture care
carry cause celebrate change charge chase check cheer claim clean clear climb close collect combine command comment
commit compare compete complain complete compose conclude conduct confess confirm connect conquer consider consist
contain continue contribute control convince cook copy count cover crash crawl create criticise cross cry dance dare
decide declare decline defeat defend define delay deliver demand deny depend describe deserve desire destroy determine
develop die differ direct disappear discover discuss dislike divide doubt drag dress drop earn elect employ enable
encounter encourage end enjoy enter escape establish evolve examine exclaim exist expand expect experience explain
explode explore express extend face fail fear fill finish fire fit fix flow focus follow force form found frequent
function gain gather glance govern grab graduate grant greet guard guess guide happen hate help hire hope house hunt
hurry identify ignore imagine improve include increase influence inform inhabit inspire insist instruct intend interview
introduce invade invent invite involve issue join judge jump kick kill kiss knock lack land last laugh launch learn lift
like link list listen live load locate lock look love maintain manage mark marry match matter measure mention mind miss
mix move murder name need notice nod obey obtain occupy occur offer open operate oppose order organise own pass perform
permit persuade place plan plant play please point possess practise praise prefer prepare present press pretend prevent
produce promise promote propose protect prove provide publish pull purchase push question quit raise reach realise
receive recognise recommend record recover refer refuse regard reign reject release rely remain remark remember remind
remove rent repair repeat replace reply report represent request require rescue reside resign respond rest result retire
return reveal review reward roar rob rule rush sail save scare scream search seem select separate serve settle share
shout show sign smell smile smoke solve sound start stare state stay stop store struggle study succeed suffer suggest
supply support suppose surprise surrender surround survive suspect switch talk taste tend thank threaten touch trade
train translate transmit travel treat trust try turn type use utter value visit vote wait walk wander want warn wash
watch wave weigh welcome whisper wish wonder work worry worship yell
"""
_DOUBLING: Final = word_set("admit beg commit drag drop fit grab nod occur permit plan prefer refer rob stop")
_VOWELS: Final = "aeiou"
_IRREGULAR_BY_BASE: Final[Mapping[str, str]] = dict(
    zip(_IRREGULAR.replace(";", " ").split()[::2], _IRREGULAR.replace(";", " ").split()[1::2], strict=True)
)


def past_of(base: str) -> str:
    """Return the past tense of a verb; of an unknown one the regular form."""
    if base in _IRREGULAR_BY_BASE:
        return _IRREGULAR_BY_BASE[base]
    if base.endswith("e"):
        return base + "d"
    if base.endswith("y") and base[-2:-1] not in _VOWELS:
        return base[:-1] + "ied"
    return base + (base[-1] if base in _DOUBLING else "") + "ed"


def third_person_of(base: str) -> str:
    """Return what a verb is after "it"."""
    if base == "have":
        return "has"
    if base.endswith("y") and base[-2:-1] not in _VOWELS:
        return base[:-1] + "ies"
    return base + ("es" if base.endswith(("s", "sh", "ch", "x", "z", "o")) else "s")


BASES: Final = frozenset({*_IRREGULAR_BY_BASE, *_REGULAR.split()})
"""Known verbs."""

BASE_BY_PAST: Final[Mapping[str, str]] = {past_of(base): base for base in sorted(BASES)}
BASE_BY_THIRD_PERSON: Final[Mapping[str, str]] = {third_person_of(base): base for base in sorted(BASES)}
