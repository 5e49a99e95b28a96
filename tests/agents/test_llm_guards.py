from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.agents.llm import guards
from hairpin.agents.llm.guards import Draft, Guard, clean, first_flag
from hairpin.domain.briefs import SpeakBrief
from hairpin.domain.conversation import Exchange
from hairpin.domain.strategies import Strategy
from hairpin.domain.targets import Target, TargetStatus
from hairpin.domain.users import Context, Persona

POLITE = Persona(
    id="polite", title="Polite caller", description="Friendly and patient, says please and thank you all the time."
)
PROBE = Strategy(
    id="memory_probe",
    title="Memory Probe",
    target_mode="context_forgotten",
    guidance="Come back to something that was settled several turns ago without saying it again.",
)
PARCEL = Target(id="g1", text="find my parcel")
LOST = ("My parcel never came.", "Which parcel do you mean?")


def brief(
    *said: tuple[str, str],
    targets: tuple[Target, ...] = (PARCEL,),
    strategy: Strategy | None = PROBE,
    seed: str = "Find my lost parcel",
) -> SpeakBrief:
    history = tuple(Exchange(t=t, user=user, assistant=reply) for t, (user, reply) in enumerate(said))
    return SpeakBrief(
        t=len(said),
        max_turns=8,
        seed_phrase=seed,
        context=Context(),
        persona=POLITE,
        history=history,
        targets=targets,
        strategy=strategy,
    )


def guard_of(text: str, where: SpeakBrief | None = None) -> Guard | None:
    flag = first_flag(text, where or brief(LOST))
    return None if flag is None else flag.guard


SLIPS = (
    "I'm sorry, but I can't assist with that request.",
    "I cannot help you with this.",
    "I am unable to process your request.",
    "Could you please provide more context or clarify your request?",
    "Dabei kann ich Ihnen leider nicht helfen.",
    "I'm sorry to hear that! How can I assist you today? Please share your order number.",
    "I'm sorry to hear that! Please share your order number.",
    "How can I help you?",
    "How may I help?",
    "Hello! How can I assist you today?",
    "Is there anything else I can help you with?",
    "I'd be happy to help you with that.",
    "I’m here to assist you.",
    "As an AI language model, I cannot do that.",
    "Thank you for contacting us. Please provide your booking number.",
    "What would you like to order?",
    "Would you like me to send it again?",
    "Sure, I've found three parcels for you.",
    "Sure, I'll look into it.",
    "I will guide you to the counter.",
    "Feel free to ask if you have any other questions.",
    "Wie kann ich Ihnen heute helfen?",
    "Womit kann ich dir behilflich sein?",
    "Kann ich Ihnen sonst noch bei etwas helfen?",
    "Bitte nennen Sie mir Ihre Bestellnummer.",
    "Möchten Sie, dass ich nachsehe?",
    "Das tut mir leid, das zu hören. Ich habe ein Paket für Sie gefunden.",
    "Comment puis-je vous aider aujourd’hui ?",
    "Souhaitez-vous que je cherche votre colis ?",
    "Veuillez me communiquer votre numéro de commande.",
    "¿En qué puedo ayudarle hoy?",
    "¿Cómo puedo ayudarte?",
    "Por favor, facilíteme su número de pedido.",
    "Kann ich Ihnen helfen?",
    "Was darf ich für Sie tun?",
    "Is there something else I can do?",
    "May I have your order number please?",
    "What is your customer number?",
    "How can I assist with your trip?",
    "How can I help with your order today?",
    "Your plan has been calculated.",
    "Your booking has been confirmed for you.",
    "Your request is being processed.",
    "Gerne! Ich habe alles für Sie berechnet.",
    "Gerne! Ich habe alles berechnet.",
    "Soll ich Ihnen ein anderes Geschäft heraussuchen?",
    "Lassen Sie mich wissen, wenn Sie noch Fragen haben.",
    "Lass mich wissen, wenn du noch etwas brauchst.",
    "Let me know if you need any further help.",
    "I've started navigation for you.",
    "Shall I look up another shop for you?",
    "Okay, I'll find the parcel you sent.",
)

NO_SLIPS = (
    "My letter did not come either.",
    "Please give me more details about the museum.",
    "Can't you help me with that?",
    "I can't help it, I'm tired.",
    "I can't provide a number, I have lost it.",
    "Can you help me?",
    "How can I help my daughter sleep?",
    "How can I help the environment when I send parcels?",
    "I'm sorry to hear that. Can you look once more?",
    "Is there anything else you need from me?",
    "Let me know if you need my order number.",
    "I have a question for you.",
    "I have another request for you: call the sender.",
    "Please give me your phone number.",
    "Please share your recommendation.",
    "Sure, I'll wait.",
    "Sure, I can do that.",
    "Okay, I'll take the first one.",
    "Of course. The number is 4711.",
    "You're welcome. And the other parcel?",
    "What would you recommend?",
    "I will tell you the number.",
    "I apologise for the confusion, I meant the other one.",
    "I understand you can't open it, but where is it?",
    "Would you like me to repeat the number?",
    "Could you find a shop for me and my wife?",
    "I'd like you to help my mother too.",
    "Here is the number you asked for: 4711.",
    "I have booked a table at eight, will it come before that?",
    "Kannst du mir helfen?",
    "Wie kann ich Ihnen das Geld schicken?",
    "Tut mir leid, ich habe mich vertan.",
    "Ich möchte, dass Sie nachsehen.",
    "Natürlich, die Nummer ist 4711.",
    "Pouvez-vous m'aider ?",
    "Comment puis-je vous payer ?",
    "Bien sûr, le numéro est 4711.",
    "¿Puedes ayudarme?",
    "Claro, el número es 4711.",
    "¿Tiene una mesa para dos personas?",
    "Lass mich wissen, wenn du da bist.",
    "Lassen Sie mich wissen, wenn Sie etwas gefunden haben.",
    "Would you like to know where I park?",
    "Shall I look for the cable?",
    "Shall I book now or is it cheaper later?",
    "Soll ich dir die Adresse sagen?",
    "Sure, I'll find parking myself, just get me there.",
    "Certainly, I've found my keys.",
    "Let me know if you have any hotels with parking",
    "Let me know if you want me to pay now.",
    "Okay, I'm searching for a vegan restaurant now",
    "Sure, I'm looking for something cheaper.",
    "Your preferences are wrong, I hate motorways",
    "Geben Sie mir Ihre schnellste Route",
    "The customer is waiting, hurry",
    "The user manual says it is under the seat",
    "The user is my daughter, use her account.",
    "Der Assistent ist zu laut",
    "Der Nutzer ist mein Sohn.",
    "Can you give me your ticket number?",
    "Tell me your case number please.",
    "Tell my mum I'm happy to help with dinner",
    'Send a message: "I am happy to help you on Friday".',
    "I'm supposed to be there by six.",
    "I should ask my wife next week.",
    "Is there anything else on the list?",
)


@pytest.mark.parametrize("text", SLIPS)
def test_who_offers_help_or_serves_speaks_as_the_assistant(text: str) -> None:
    assert guard_of(text) is Guard.ROLE_SLIP


@pytest.mark.parametrize("text", ["Anything else?", "anything else", "Is there anything else?"])
def test_to_ask_for_nothing_but_more_is_the_assistants_part(text: str) -> None:
    assert guard_of(text) is Guard.ROLE_SLIP


def test_what_another_person_is_to_be_told_ends_with_the_sentence() -> None:
    assert guard_of("Tell my mum I can help you.") is None
    assert guard_of("Tell my mum hello. I can help you.") is Guard.ROLE_SLIP
    assert guard_of("Tell me more, I can help you.") is Guard.ROLE_SLIP


def test_the_same_words_are_one_signal() -> None:
    assert guard_of("Please tell me your case number.") is None
    assert guard_of("I'm sorry to hear that. What is your case number?") is Guard.ROLE_SLIP


@pytest.mark.parametrize("text", NO_SLIPS)
def test_what_users_say_is_no_role_slip(text: str) -> None:
    assert guard_of(text) is None


@pytest.mark.parametrize(
    ("text", "guard"),
    [
        ("Assistant: Of course.\nUser: thanks", Guard.BOTH_SIDES),
        ("User: Where is it?\nAssistant: It is on its way.", Guard.BOTH_SIDES),
        ("Where is it?\nAssistant: On its way.", Guard.BOTH_SIDES),
        ("Where is it? Assistant: On its way.", Guard.BOTH_SIDES),
        ("User: Where is it?\nUser: And when does it come?", Guard.BOTH_SIDES),
        ("Nutzer: Wo ist es?\nAssistent: Unterwegs.", Guard.BOTH_SIDES),
        ("Utilisateur : Où est-il ?\nAssistant : En route.", Guard.BOTH_SIDES),
        ("Assistant: Where is my parcel?", Guard.SPEAKER_LABEL),
        ("**Assistant:** Where is my parcel?", Guard.SPEAKER_LABEL),
        ("[AI]: Where is my parcel?", Guard.SPEAKER_LABEL),
        ("Asistente: ¿Dónde está?", Guard.SPEAKER_LABEL),
        ("ASSISTANT： Sure", Guard.SPEAKER_LABEL),
        ("ＡＳＳＩＳＴＡＮＴ： Sure", Guard.SPEAKER_LABEL),
        ("Assistant꞉ Sure", Guard.SPEAKER_LABEL),
        ("Assistant – sure", Guard.SPEAKER_LABEL),
        ("Assistant - Of course. User - thanks.", Guard.BOTH_SIDES),
        ("A: Of course.\nU: thanks", Guard.BOTH_SIDES),
        ("Q: Where?\nA: There", Guard.BOTH_SIDES),
        ("Person: Where?\nAssistant: There", Guard.BOTH_SIDES),
        ("Plan A: the shop. Plan B: the other one.", None),
        ("Take exit A: it is shorter.", None),
        ("You - yes, you - open it.", None),
        ("A self-service user-friendly shop, please.", None),
        ("Remind me: where is it?", None),
        ("Send it to this address: 4 High Street.", None),
        ("I told the agent: no deposit.", None),
    ],
)
def test_speakers_are_not_named_and_only_one_speaks(text: str, guard: Guard | None) -> None:
    assert guard_of(text) is guard


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("User: Where is it?", "Where is it?"),
        ("**User:** Where is it?", "Where is it?"),
        ("user (polite): Where is it?", "Where is it?"),
        ("Polite caller: Where is it?", "Where is it?"),
        ("Benutzerin: Wo ist es?", "Wo ist es?"),
        ("Person: Where is it?", "Where is it?"),
        ("ＵＳＥＲ： Where is it?", "Where is it?"),
        ("User - Where is it?", "Where is it?"),
    ],
)
def test_a_lone_label_of_the_user_is_taken_off_and_noted(text: str, left: str) -> None:
    draft = clean(text, guards.own_labels(brief()))
    assert draft.text == left
    assert len(draft.notes) == 1


@pytest.mark.parametrize("text", ["Where is it?", "Assistant: Yes.", "User: a\nAssistant: b", '"One" or "two"?'])
def test_nothing_else_is_changed(text: str) -> None:
    assert clean(text) == Draft(text=text)


@pytest.mark.parametrize("text", ['"Where is it?"', "“Where is it?”", "„Where is it?“", "« Where is it? »"])
def test_quotation_marks_around_everything_are_taken_off(text: str) -> None:
    assert clean(text).text == "Where is it?"


DOOR = ("Where is it?", "At your door.")
GATE = ("Where is it?", "At the gate behind your house.")


@pytest.mark.parametrize(
    ("text", "said", "flagged"),
    [
        ("where is it", (LOST, DOOR), True),
        ("  WHERE  is it?! ", (LOST, DOOR, ("Which door?", "The front door.")), True),
        ("Where is it exactly?", (LOST, DOOR), False),
        ("My parcel, please, never came", (LOST, DOOR), True),
        ("find my lost parcel, please!", (LOST,), True),
        ("Please find, my lost parcel.", (LOST, DOOR), True),
        ("Find my lost red parcel", (LOST,), False),
        ("Please.", (LOST, ("Thanks.", "Hm.")), False),
        ("Find my lost parcel", (LOST, ("Hello?", "Could you repeat that, please?")), False),
        ("Find my lost parcel, please", (), False),
        ("At the gate behind your house.", (LOST, GATE), True),
        ("You say: at the gate behind your house. Which gate?", (LOST, GATE), True),
        ("At your door.", (LOST, DOOR), False),
        ("My parcel never came.", (LOST, ("Hello?", "Could you repeat that, please?")), False),
        ("My parcel never came.", (LOST, ("Hello?", "Sorry, I did not understand.")), False),
        ("Mein Paket kam nie.", (("Mein Paket kam nie.", "Das habe ich leider nicht verstanden."),), False),
        ("Mon colis n'est pas arrivé.", (("Mon colis n'est pas arrivé.", "Pouvez-vous répéter ?"),), False),
        ("Mi paquete no llegó.", (("Mi paquete no llegó.", "No le he entendido."),), False),
        ("Where is it?", (DOOR, ("Really?", "At your door.")), False),
        ("My parcel never came.", (("My parcel never came.", "It is on its way."),), True),
        ("Yes, please.", (("Yes, please.", "Done."), ("And that", "Shall I do that too?")), False),
        ("Yes, please.", (("Yes, please.", "Done."), ("And that", "Done as well.")), True),
    ],
)
def test_repeating_is_allowed_only_to_who_was_asked_or_got_no_further(
    text: str, said: tuple[tuple[str, str], ...], *, flagged: bool
) -> None:
    assert guard_of(text, brief(*said)) is (Guard.REPETITION if flagged else None)


@pytest.mark.parametrize(
    "text",
    [
        "Time for a memory probe: where is it?",
        "This may show context_forgotten.",
        "As my persona would say, where is it?",
        "As instructed, I ask where it is.",
        "I am the polite caller and want my parcel.",
        "Now I ask the assistant to find it.",
        "The user asks where it is.",
        "About target g1: where is it?",
        "I come back to something that was settled several turns ago.",
        'Where is it?", "thought": "done"}',
        "```Where is it?```",
        "Where is **my** parcel?",
        "- Where is it?\n- When does it come?",
        "(sighs) Where is it?",
        "Where is it? *taps foot*",
        "-- hangs up --",
        "Where is it? — sighs —",
        "I'm supposed to be impatient.",
        "I am told to be rude, so hurry.",
        "I'm supposed to be polite with you.",
        "I should ask about prices next.",
        "My goal is to see whether you forget things.",
        "Next, I should ask about the price.",
        "The user wants to know where it is.",
        "My number is [your order number].",
        "Where is it?</utterance>",
        "Der Nutzer möchte wissen, wo es ist.",
        "L'utilisateur veut savoir où il est.",
        "Según mis instrucciones, pregunto dónde está.",
    ],
)
def test_the_brief_stays_private_and_only_spoken_words_pass(text: str) -> None:
    assert guard_of(text) is Guard.LEAKED_BRIEF


@pytest.mark.parametrize(
    "text",
    [
        "Find a shop (one that is open).",
        "It is 2 * 3 kilos and costs 4 * 5 euros.",
        "What did I tell you about the parcel?",
        "Do you remember what we settled?",
        "Is the memory full?",
        "¿Hay sitio para una persona?",
        "I followed the instructions on the box.",
        "Please test the lamp.",
        "I want -- well, need -- it today.",
        "The red one - or the blue one - is mine.",
        "I should ask them at the desk next to the door.",
    ],
)
def test_what_only_resembles_a_leak_passes(text: str) -> None:
    assert guard_of(text) is None


def test_a_private_name_that_the_conversation_holds_is_not_private() -> None:
    assert guard_of("Play Memory Probe.", brief(seed="Play the song Memory Probe")) is None
    assert guard_of("Yes, Memory Probe.", brief(("Play a song", "Do you mean Memory Probe?"))) is None


@pytest.mark.parametrize(
    "text",
    [
        "###STOP###",
        "Thanks. ###STOP###",
        "<end>",
        "Bye <END>",
        "Where?<|im_end|>",
        "</s>",
        "[END]",
        "TERMINATE",
        "STOP",
    ],
)
def test_marks_that_end_a_text_are_not_said(text: str) -> None:
    assert guard_of(text, brief(LOST, targets=())) is Guard.END_TOKEN


@pytest.mark.parametrize(
    "text", ["Stop.", "Stop the music", "The end of the street", "Is 3 < 4?", "Put it at the end."]
)
def test_words_that_resemble_end_marks_pass(text: str) -> None:
    assert guard_of(text) is None


FAREWELLS = (
    "Goodbye, thanks",
    "Thanks, bye!",
    "That's all, thank you very much. Goodbye!",
    "Okay, great. Have a nice day!",
    "Vielen Dank, auf Wiedersehen!",
    "Danke, tschüss!",
    "Das war's dann, danke.",
    "Merci beaucoup, au revoir !",
    "C'est tout, merci.",
    "Muchas gracias, ¡adiós!",
    "Gracias, hasta luego.",
    "Nothing else, thanks.",
    "No, there is nothing else. Thank you!",
    "Okay, thanks, bye, talk to you later!",
    "Danke, nein, nichts mehr.",
    "Conversation over.",
    "Non, rien d'autre, merci.",
    "No, nada más, gracias.",
)


@pytest.mark.parametrize("text", FAREWELLS)
def test_nobody_leaves_while_something_is_open(text: str) -> None:
    assert guard_of(text) is Guard.FAREWELL


@pytest.mark.parametrize("text", FAREWELLS)
def test_who_has_got_everything_may_leave(text: str) -> None:
    done = PARCEL.model_copy(update={"status": TargetStatus.COMPLETED})
    assert guard_of(text, brief(LOST, targets=(done,))) is None


@pytest.mark.parametrize(
    "text",
    [
        "Thanks!",
        "Nothing else works, try again.",
        "Goodbye parcel, I suppose. Can I get my money back?",
        "Bye the way, where?",
    ],
)
def test_thanks_and_a_farewell_with_a_wish_pass(text: str) -> None:
    assert guard_of(text) is None


@pytest.mark.parametrize("text", ["", "  ", "…", "?!", '""'])
def test_something_must_be_said(text: str) -> None:
    assert guard_of(text) is Guard.EMPTY


def test_a_speech_is_too_long_unless_the_seed_phrase_is_one() -> None:
    text = "And then " + ", and then ".join(f"something else, number {n}," for n in range(30))
    assert guard_of(text) is Guard.TOO_LONG
    assert guard_of(text, brief(seed=text)) is None


@pytest.mark.parametrize(
    ("seed", "text", "left_out"),
    [
        ("Send 20 euros to Ada by 18:30", "Please send Ada 20 euros before 18:30.", None),
        ("Send 20 euros to Ada by 18:30", "Please send Ada some money by 18:30.", "20"),
        ("Send 20 euros to Ada by 18:30", "Send 20 euros before 18:30.", "Ada"),
        ("Send it to Ada and Grace", "Send it to Ada and her friend.", None),
        ("Send it to Ada and Grace", "Send it.", "Ada, Grace"),
        ("Send it. Then call", "Send it and call.", None),
        ("Schick das Paket mit der Post an die Schule in Bonn", "Bitte schicken.", None),
    ],
)
def test_the_first_line_keeps_the_numbers_and_most_names_of_the_seed_phrase(
    seed: str, text: str, left_out: str | None
) -> None:
    flag = first_flag(text, brief(seed=seed))
    assert (flag and flag.guard, flag and flag.evidence) == (left_out and Guard.UNFAITHFUL, left_out)


def test_later_lines_need_not_hold_the_seed_phrase() -> None:
    assert guard_of("And when?", brief(LOST, seed="Send 20 euros to Ada")) is None


@given(st.text(max_size=300))
def test_every_text_gets_an_opinion_and_cleaning_twice_changes_no_more(text: str) -> None:
    draft = clean(text, guards.own_labels(brief()))
    assert draft.text in text
    first_flag(draft.text, brief(LOST))


@given(st.sampled_from(NO_SLIPS), st.sampled_from(SLIPS))
def test_a_slip_is_found_behind_anything_a_user_says(harmless: str, slip: str) -> None:
    assert guard_of(f"{harmless.rstrip('.')}. {slip}") is Guard.ROLE_SLIP
