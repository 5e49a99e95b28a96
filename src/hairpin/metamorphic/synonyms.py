"""Words that can stand for each other in common English, in groups of the same inflected form.

Ours, chosen by hand: of several senses the commonest in questions. A word with an asterisk is only ever put in, never
replaced, since it means something else too often.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_GROUPS: Final = """
big large; huge enormous gigantic; small little; tiny minuscule; quick fast rapid swift; quickly rapidly swiftly slow
sluggish; slowly gradually; happy glad cheerful; happily gladly; sad unhappy sorrowful; angry furious; afraid scared
frightened terrified; brave courageous; clever smart intelligent; stupid foolish; rich wealthy; poor needy; old aged
ancient antique; modern contemporary; new recent; beautiful gorgeous; pretty attractive; ugly hideous; strange odd
unusual peculiar; usual customary; normal ordinary; famous renowned celebrated; important significant essential; main
principal chief primary; biggest largest; bigger larger; smallest littlest; smaller littler; fastest quickest
swiftest; faster quicker swifter; oldest eldest; earliest soonest; correct right accurate; wrong incorrect; true
genuine; real actual; false untrue; whole entire; complete full; empty vacant; difficult hard tough; easy simple;
dangerous hazardous risky; safe secure; calm peaceful; quiet silent; loud noisy; weak feeble; strong powerful;
expensive costly pricey; cheap inexpensive; tired weary exhausted; sick ill; healthy fit*; busy occupied; lazy idle;
nice pleasant; good fine*; great excellent; awful terrible dreadful; best finest; worst poorest; certain sure*;
different distinct; similar alike; same identical; various several; common widespread; rare uncommon; special
particular; possible feasible; impossible unachievable; necessary required; available obtainable; near close; nearest
closest; far distant; remote faraway; deep profound; wide broad; narrow slender; thin slim; fat plump; heavy weighty;
bright brilliant; dark dim; clean spotless; dirty filthy; wet damp; dry arid; cold* chilly; hot scorching; warm
lukewarm; sharp pointed; soft tender; rough coarse; straight direct; proud arrogant; polite courteous; rude impolite;
honest truthful; loyal faithful; cruel brutal; gentle mild; eager keen; curious inquisitive; jealous envious; lonely
lonesome; lucky fortunate; unlucky unfortunate; begin start commence; begins starts commences; began started
commenced; begun initiated; beginning starting; end finish conclude; ends finishes concludes; ended finished
concluded; ending finishing; stop cease halt; stops ceases halts; stopped ceased halted; buy purchase; buys purchases;
bought purchased; buying purchasing; sell vend; help assist aid; helps assists aids; helped assisted aided; helping
assisting aiding; get obtain acquire; gets obtains acquires; got obtained acquired; getting obtaining acquiring; give
provide; gives provides; gave provided; given supplied; giving providing; show display exhibit; shows displays
exhibits; showed displayed exhibited; tell inform; tells informs; told informed; say state*; says states*; said
stated; saying stating; speak talk; speaks talks; spoke talked; speaking talking; shout yell; shouts yells; shouted
yelled; ask inquire; asks inquires; asked inquired; answer reply; answers replies; answered replied responded; think
believe; thinks believes; thought believed; thinking believing; know understand; knows understands; knew understood;
see observe; sees observes; saw observed; seen spotted; look glance; looks glances; looked glanced; looking glancing;
watch view*; watches views*; watched viewed; hear overhear; heard overheard; walk stroll; walks strolls; walked
strolled; walking strolling; run sprint; runs sprints; ran sprinted; running sprinting; go travel; goes travels; went
travelled; gone departed; going travelling; come arrive; comes arrives; came arrived; coming arriving; leave depart;
leaves departs; return revert; make create; makes creates; made created; making creating; build construct erect;
builds constructs erects; built constructed erected; destroy demolish; destroys demolishes; destroyed demolished;
break shatter; breaks shatters; broke shattered; broken damaged; fix repair mend; fixes repairs mends; fixed repaired
mended; find locate discover; finds locates discovers; found located discovered; finding locating discovering; seek
pursue; hunt chase; keep retain; keeps retains; kept retained; hold grip*; holds grips*; held gripped; carry bear*;
carries bears; carried bore*; throw toss; throws tosses; threw tossed; catch capture; catches captures; caught
captured; choose select pick; chooses selects picks; chose selected picked; chosen elected; want desire; wants
desires; wanted desired; need require; needs requires; needed necessitated; likes enjoys; liked enjoyed; love adore;
loves adores; loved adored; hate detest despise; hates detests despises; hated detested despised; try attempt; tries
attempts; tried attempted; trying attempting; let allow permit; lets allows permits; allowed permitted; forbid
prohibit; forbidden prohibited; use employ utilise; uses employs utilises; used employed utilised; using employing
utilising; happen occur; happens occurs; happened occurred; happening occurring; live reside dwell; lives resides
dwells; lived resided dwelt; living residing; die perish; dies perishes; died perished; kill slay; kills slays; killed
slain; fight battle*; fights battles; fought battled; win triumph; wins triumphs; won triumphed; lose misplace; lost
misplaced; change alter modify; changes alters modifies; changed altered modified; changing altering modifying; grow
expand; grows expands; grew expanded; grown enlarged; increase raise*; increases raises*; increased raised; reduce
decrease lower*; reduces decreases lowers; reduced decreased lowered; include contain; includes contains; included
contained; including containing; join unite; joins unites; joined united; divide split separate; divides splits
separates; divided separated; send dispatch; sends dispatches; sent dispatched; receive accept; receives accepts;
received accepted; bring fetch; brings fetches; brought fetched; put place*; puts places*; push shove; pushes shoves;
pushed shoved; pull drag; pulls drags; pulled dragged; jump leap; jumps leaps; jumped leapt; fall drop*; falls drops*;
fell dropped; rise ascend; rises ascends; rose ascended; climb scale*; hide conceal; hides conceals; hid concealed;
reveal disclose; reveals discloses; revealed disclosed; remember recall; remembers recalls; remembered recalled; teach
instruct; teaches instructs; taught instructed; learn study*; learns studies; learned studied; write compose; writes
composes; wrote composed; publish issue*; published issued; name title*; called named; cry weep; cries weeps; cried
wept; laugh chuckle; laughs chuckles; laughed chuckled; smile grin; smiles grins; smiled grinned; sleep slumber; eat
consume; eats consumes; ate consumed; drink sip; wear sport*; rule govern; rules governs; ruled governed; led guided;
defeat beat*; defeated beaten; attack assault; attacked assaulted; attacks assaults; protect defend; protects defends;
protected defended; rescue save*; rescued saved; steal rob; stole robbed; marry wed; married wedded; serve attend*;
surround encircle; surrounded encircled; established instituted; support back*; supported backed*; describe depict
portray; describes depicts portrays; described depicted portrayed; explain clarify; explains clarifies; explained
clarified; consider regard; considered regarded; connect link; connected linked; connects links; develop evolve;
developed evolved; develops evolves; work labour; works labours; worked laboured; man gentleman; men gentlemen; woman
lady; women ladies; boy lad; boys lads; girl lass; girls lasses; child kid*; children kids*; baby infant; babies
infants; father dad; mother mum; person individual*; people persons; friend pal companion; friends pals companions;
enemy foe; enemies foes; leader head*; leaders heads*; king monarch; kings monarchs; soldier trooper; soldiers troops;
doctor physician; doctors physicians; teacher instructor; teachers instructors; student pupil; students pupils; writer
author; writers authors; worker employee; workers employees; boss manager; thief robber; thieves robbers; house home;
houses homes; town settlement; towns settlements; city metropolis; cities metropolises; country nation; countries
nations; area region; areas regions; place location spot*; places locations spots*; road street; roads streets; path
trail*; paths trails*; forest wood; forests woods; hill mound; mountain peak; mountains peaks; sea ocean; seas oceans;
ship vessel; ships vessels; boat craft*; boats crafts*; car automobile; cars automobiles; picture image; pictures
images; story tale; stories tales; letter note*; letters notes*; song tune*; songs tunes*; movie film*; movies films*;
word term; words terms; language tongue*; languages tongues*; job occupation profession; jobs occupations professions;
task duty; tasks duties; company firm* business; companies firms businesses; shop store; shops stores; money cash;
gift present*; gifts presents*; price cost; prices costs; prize award; prizes awards; food meal; war conflict; wars
conflicts; contest competition; game match*; games matches*; idea notion; ideas notions; opinion viewpoint; problem
difficulty trouble; problems difficulties troubles; reason cause; reasons causes; result outcome consequence; results
outcomes consequences; goal aim objective; goals aims objectives; plan scheme; plans schemes; way manner; method
technique; methods techniques; kind type sort; types sorts; part portion; parts portions; piece fragment; pieces
fragments; group band*; groups bands*; amount quantity; amounts quantities; rest* remainder; origin source; origins
sources; purpose intention; rate pace; speed velocity; size magnitude; shape form*; shapes forms*; colour hue; colours
hues; smell odour; sound noise; sounds noises; feeling emotion; feelings emotions; fear dread; joy delight; anger
rage; sadness sorrow; pain ache; illness disease sickness; illnesses diseases; accident mishap; accidents mishaps;
error mistake; errors mistakes; rubbish garbage; stone rock*; stones rocks*; animal creature beast; animals creatures
beasts; dog hound; dogs hounds; rabbit hare; rabbits hares; clothes garments; hat cap*; bag sack; bags sacks; bed cot;
sofa couch; trip journey; trips journeys; holiday vacation; holidays vacations; evening dusk; morning daybreak; year
twelvemonth; number figure*; numbers figures*; total sum; top summit; bottom base*; side flank*; middle centre; edge
border; edges borders; front fore*; inside within; outside beyond; above over; below beneath under; often frequently;
sometimes occasionally; always constantly; rarely seldom; maybe perhaps possibly; also additionally; almost nearly;
very extremely; only merely; mainly mostly chiefly; usually generally normally; originally initially; finally
eventually ultimately; currently presently; immediately instantly; suddenly abruptly; together jointly; alone solo;
especially particularly; exactly precisely; completely totally entirely; soon shortly; afterwards later
subsequently; many numerous; enough sufficient; allegedly supposedly; born begotten; nicknamed dubbed; situated
located*
"""


def _by_word() -> Mapping[str, tuple[str, ...]]:
    groups = [group.split() for group in _GROUPS.split(";")]
    plain = [[word.removesuffix("*") for word in group] for group in groups]
    return {
        word: tuple(other for other in others if other != word)
        for group, others in zip(groups, plain, strict=True)
        for word in group
        if not word.endswith("*")
    }


SYNONYMS: Final[Mapping[str, tuple[str, ...]]] = _by_word()
"""By lower-case word: what can be said instead."""
