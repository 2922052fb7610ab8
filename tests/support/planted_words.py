"""What is said in the conversations of `planted_modes`: sentences of our own, to be filled in."""

# A sentence stands whole on its line, however long.
# ruff: noqa: E501

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Trade:
    """What a firm deals in. key: by what its tools find things."""

    key: str
    things: tuple[str, ...]
    parts: tuple[str, ...]
    asks: tuple[str, ...]
    says: tuple[str, ...]


@dataclass(frozen=True)
class Matter:
    """What a user comes with. done: what is said once it is settled."""

    noun: str
    deeds: tuple[str, ...]
    tools: tuple[str, ...]
    asks: tuple[str, ...]
    says: tuple[str, ...]
    done: tuple[str, ...]


@dataclass(frozen=True)
class Foreign:
    """A talk in another language."""

    asks: tuple[str, ...]
    says: tuple[str, ...]


def _trade(key: str, things: str, parts: str, asks: str, says: str) -> Trade:
    return Trade(key, _list(things, ","), _list(parts, ","), _list(asks, "|"), _list(says, "|"))


def _matter(noun: str, deeds: str, tools: str, asks: str, says: str, done: str) -> Matter:
    return Matter(
        noun, _list(deeds, ","), _list(tools, ","), _list(asks, "|"), _list(says, "|"), _list(done, "|")
    )


def _list(text: str, mark: str) -> tuple[str, ...]:
    return tuple(one.strip() for one in text.split(mark))


TRADES = (
    _trade(
        "order_id",
        "kettle, toaster, blender, oven, fridge, mixer",
        "lid, plug, blade, door, shelf",
        "Does the {thing} fit under a shelf?|How loud is the {thing}?|Is there a spare {part} for the {goods}?",
        "The {thing} draws little power.|A spare {part} fits every {thing} we sell.|You can wash the {part} by hand.|The {goods} comes with two {part}s.",
    ),
    _trade(
        "booking_ref",
        "flight, seat, bag, meal, transfer, upgrade",
        "window, aisle, gate, row, visa",
        "Can I take a second {thing}?|Which {part} do we leave from?|Is the {goods} flight direct?",
        "The {part} opens two hours before you leave.|Your {thing} is on the same ticket.|Children fly at a lower fare.|The plane to {goods} leaves at {hour}:40.",
    ),
    _trade(
        "account_no",
        "card, loan, transfer, account, mortgage, deposit",
        "limit, fee, rate, pin, statement",
        "What is the {part} on my {thing}?|Why did the {part} change?|Is there a {part} for the {thing} abroad?",
        "The {part} stands in your contract.|A {thing} abroad takes two working days.|You see each {part} in the app.|The {goods} account has no monthly cost.",
    ),
    _trade(
        "policy_no",
        "claim, cover, accident, storm, theft, repair",
        "excess, form, photo, estimate, garage",
        "Does my cover include {thing}?|Where do I send the {part}?|How high is the {part}?",
        "Please keep the {part} until we have looked at it.|A {thing} is covered from the first day.|The expert looks at the {part} first.|The {goods} plan covers glass as well.",
    ),
    _trade(
        "line_no",
        "router, line, tariff, sim, signal, roaming",
        "cable, antenna, lamp, socket, app",
        "Why does the {part} blink?|Is {thing} slow in my street?|Which {part} goes with the {goods}?",
        "Hold the {part} for ten seconds.|The {thing} starts again by itself.|Fibre reaches your street in spring.|The {goods} tariff has no end date.",
    ),
    _trade(
        "meter_no",
        "meter, bill, tariff, heating, solar, gas",
        "reading, panel, valve, contract, display",
        "How do I send the {part}?|Why is the {thing} higher this year?|Can I pay the {thing} monthly?",
        "The {part} shows kilowatt hours.|Winter makes the {thing} dearer.|We take the mean of three years.|The {goods} tariff is all wind power.",
    ),
    _trade(
        "ticket_no",
        "concert, seat, pass, show, season, balcony",
        "row, hall, cloakroom, poster, programme",
        "Where is the {part}?|May I bring my child to the {thing}?|Does the {goods} play two nights?",
        "Doors open at {hour}.|The {part} is on the left side.|There is a pause of twenty minutes.|{goods} plays in the large hall.",
    ),
    _trade(
        "patient_no",
        "appointment, scan, blood test, referral, vaccine, prescription",
        "letter, ward, desk, sample, result",
        "Do I need a {part} for the {thing}?|When is the {part} there?|Must I fast before the {thing}?",
        "Bring your {part} along.|The {thing} takes ten minutes.|Nurses at the {part} help you.|Doctor {goods} is back on Monday.",
    ),
    _trade(
        "student_id",
        "course, exam, thesis, library, dorm, scholarship",
        "grade, form, tutor, timetable, key",
        "When is the {thing} due?|Who is my {part}?|Is {goods} hall open at night?",
        "Your {part} is in the portal.|The {thing} counts for a third.|Professor {goods} reads on Tuesdays.|You may hand it in on paper.",
    ),
    _trade(
        "vehicle_id",
        "car, tyre, engine, battery, brake, service",
        "filter, sensor, belt, mirror, key",
        "What does a new {part} cost?|How long does the {thing} last?|Is the {goods} electric?",
        "The {part} is under the bonnet.|We check the {thing} for free.|The workshop opens at {hour}.|A {goods} needs oil of its own kind.",
    ),
    _trade(
        "parcel_no",
        "parcel, letter, pallet, courier, locker, customs",
        "label, box, scanner, route, signature",
        "Where is my {thing}?|Do I print the {part} myself?|Does {goods} count as abroad?",
        "The {thing} left the depot.|Stick the {part} on top.|The van comes before {hour}.|Parcels to {goods} take a week.",
    ),
    _trade(
        "member_no",
        "gym, class, trainer, sauna, locker, pool",
        "towel, mat, card, lamp, shower",
        "Is the {thing} open on Sunday?|Do I bring a {part}?|Who gives the {goods} class?",
        "The {thing} closes at {hour}.|You get a {part} at the desk.|Trainers write a plan with you.|The {goods} class is full this week.",
    ),
)
MATTERS = (
    _matter(
        "order",
        "ordered, bought",
        "get_status, get_details",
        "Where is my {thing}?|I want to know how far my {thing} is.|What happened to the {goods} that I {deed}?|Any news of my {goods}?",
        "It is on its way.|The status was renewed this morning.|It is to come within {days} days.|We have packed your {thing}.|I see it in the system.",
        "I see it here: your {thing} is on its way.|It is under number {number} and arrives soon.|All is in order with your {thing}.",
    ),
    _matter(
        "refund",
        "paid, sent back",
        "get_payment, issue_refund",
        "I want my money back for the {thing}.|You still owe me {money} euros.|The {goods} was refunded only in part.|When do I see the money for what I {deed}?",
        "The refund of {money} euros goes to your card.|Banks take up to {days} days.|I have found your payment.|The sum includes postage.",
        "Your refund of {money} euros is under way.|I have sent the money back to you.|The amount has been returned, all done.",
    ),
    _matter(
        "cancellation",
        "booked, signed up for",
        "get_contract, cancel_contract",
        "Please cancel my {thing}.|I want to end the {goods}.|How do I get out of the {thing}?|I no longer need what I {deed}.",
        "It ends at the close of the month.|I can cancel that for you now.|You get a note by mail.|Nothing more is charged.",
        "The {thing} is cancelled.|I have ended your {goods} contract.|Done, your cancellation is in.",
    ),
    _matter(
        "change",
        "chose, booked",
        "get_record, update_record",
        "I need to move my {thing} to another day.|Please change the address for the {goods}.|Can the {thing} be at {hour}?|I {deed} the wrong {part}.",
        "A change costs nothing.|There is room at {hour}.|I can write down the new address.|We keep the old one as a second.",
        "I have changed it to {hour} o'clock.|The new address is saved.|Your {thing} has been moved.",
    ),
    _matter(
        "bill",
        "were charged, paid",
        "get_invoice, get_payments",
        "Why is my bill {money} euros?|I was charged twice for the {thing}.|The {part} on my invoice looks wrong.|I don't understand what we {deed}.",
        "The bill has two lines for the {thing}.|One of them is the {part}.|I have the invoice before me.|Tax is a fifth of it.",
        "I have put the bill right.|The second charge is taken off.|Your invoice is corrected, you owe {money} euros.",
    ),
    _matter(
        "login",
        "set, forgot",
        "get_user, reset_password",
        "I cannot log in.|My password for the {goods} does not work.|The code never comes.|It says that the account is locked; I {deed} nothing.",
        "Passwords have ten letters or more.|The code comes by text message.|Look into the spam folder.|Your account opens again in an hour.",
        "I have reset your password.|Your account is open again.|A new code has gone out to you.",
    ),
    _matter(
        "repair",
        "broke, dropped",
        "get_warranty, book_repair",
        "The {part} of my {thing} is broken.|My {goods} makes a noise.|The {thing} stopped after {days} days.|I {deed} the {part}; what now?",
        "It is still under warranty.|A repair takes {days} days.|Please describe the noise.|Pack the {part} well.",
        "The repair is booked for {hour} o'clock.|I have opened a repair for your {thing}.|Your {part} will be replaced, all is booked.",
    ),
    _matter(
        "advice",
        "saw, like",
        "search_catalogue, get_offer",
        "Which {thing} would you take?|Is the {goods} better than the other?|I look for a {thing} up to {money} euros.|I {deed} the {goods}; is it any good?",
        "Most people take the {goods}.|It depends on how often you use it.|The dearer one lasts longer.|There is an offer this week.",
        "I found a {thing} for {money} euros.|The {goods} would suit you best.|I have put an offer together for you.",
    ),
    _matter(
        "complaint",
        "said, saw",
        "get_case, open_case",
        "I am not happy with the {thing}.|Your colleague at the {part} was rude.|This is the third time with the {goods}.|Nobody did what you {deed}.",
        "I am sorry to hear that.|Thank you for telling us.|We take that seriously.|I understand that this is a nuisance.",
        "I have written your complaint down.|Your case has number {number}.|The case is open and with the right people.",
    ),
    _matter(
        "document",
        "lost, need",
        "find_document, send_document",
        "Please send me the {part} again.|I need a copy for my taxes.|Where do I download the paper for the {thing}?|I {deed} the letter about the {goods}.",
        "It is a file of two pages.|You find it under papers.|We keep them for ten years.|It has a stamp on the back.",
        "I have sent the document to you.|The copy is in your mailbox.|Your {part} was sent again just now.",
    ),
    _matter(
        "opening",
        "heard, read",
        "get_hours, get_branch",
        "When are you open?|Is the branch in {goods} open today?|Do you close at {hour}?|I {deed} that you moved.",
        "We open at {hour}.|On holidays we are closed.|The nearest branch is in {goods}.|There is parking behind the house.",
        "I looked it up: it is open until {hour}.|The branch in {goods} is open today.|You find the hours on the door, and they hold today.",
    ),
    _matter(
        "gift",
        "got, gave",
        "get_voucher, redeem_voucher",
        "My voucher does not work.|How much is left on the gift card?|Can I use the {goods} voucher for a {thing}?|I {deed} it for a birthday.",
        "There are {money} euros left.|A voucher has sixteen signs.|Two vouchers can be joined.|Type it in at the till.",
        "The voucher is redeemed.|I have added {money} euros to your account.|Your gift card works again.",
    ),
)
OPENINGS = (
    "Hello,",
    "Hi,",
    "Good morning,",
    "Hey there.",
    "Good day.",
    "Hi, {name} here.",
    "Hello, my name is {name}.",
    "I need help.",
    "Quick question.",
    "",
    "",
    "Evening!",
    "Dear team,",
    "Hope you can help.",
)
GREETINGS = (
    "Hello {name}, welcome.",
    "Thanks for getting in touch!",
    "I'm the assistant of the house.",
)
QUESTIONS = (
    "Could you give me the number of your {noun}?",
    "Which {thing} is it about?",
    "What is your postcode?",
    "May I have your date of birth?",
    "Under which name is it?",
    "When was that?",
    "Which address did you use?",
    "What does the {part} look like?",
    "Can you tell me your customer number?",
    "What does the message on the {part} say?",
    "How did you pay?",
    "Is it the {goods} or another one?",
)
RETOLD = (
    "I just told you, {number}.",
    "As I said, it is the {goods}.",
    "{name}.",
    "The {thing}, of course.",
    "It was on Monday I think.",
    "By card.",
    "The one with the {part}.",
    "Number {number}, like before.",
    "I don't know that by heart.",
    "The {goods}.",
    "Last week.",
)
ASIDES = (
    "My neighbour has the same.",
    "It's for my mother.",
    "I have been a customer for {days} years.",
    "I am on the train right now.",
    "It is rather urgent.",
    "The weather doesn't help either.",
    "I read about it in your letter.",
    "My partner told me to ask.",
    "I work nights, so I write now.",
    "Last time it went well.",
    "I tried the website first.",
    "We move house soon.",
    "Sorry for my spelling.",
    "I hope that makes sense.",
    "The {part} is fine by the way.",
    "We have a {thing} too.",
    "I looked everywhere.",
    "There is a {goods} next door.",
    "No rush though.",
    "I have a meeting at {hour}.",
)
ANSWERS = (
    "I'll look into it.",
    "Here is what I found.",
    "Let me check that for you.",
    "That is possible.",
    "You can do that in the app too.",
    "I have made a note.",
    "It should work now.",
    "Please try once more.",
    "That takes {days} days at most.",
    "The number is {number}.",
    "You pay {money} euros in all.",
    "I see what you mean.",
    "Good question.",
    "There are two ways.",
    "The first one is quicker.",
    "We will send you a mail.",
    "Everything is set.",
    "I understand.",
    "It depends on the {part}.",
    "The {thing} is the same either way.",
    "Please keep the number {number}.",
    "That was changed last month.",
    "Your {goods} is not affected.",
    "Nothing else is needed.",
    "You can see it under your name, {name}.",
)
UNDONE = (
    "That doesn't help.",
    "It still does not work.",
    "I tried that already.",
    "Are you sure?",
    "And the {part}?",
    "Hm, what about the {goods}?",
    "It says {number} here.",
    "That is not what I asked.",
    "And for the {thing}?",
    "How long will it take?",
    "What does it cost?",
)
PRAISE = (
    "That's kind of you.",
    "How are you today?",
    "Do you have a name?",
    "Nice, and otherwise?",
    "You are quick!",
    "Tell me something about the {thing}.",
    "Are you a machine?",
    "What else can you do?",
    "Great service.",
)
THANKS = (
    "Thanks!",
    "Thank you, bye.",
    "Great, thanks.",
    "Perfect.",
    "Ok thanks a lot.",
    "That helps, thank you.",
    "Cheers.",
    "All right then.",
    "Lovely, have a good day.",
    "Ok.",
)
CLOSINGS = (
    "You're welcome, {name}. Goodbye!",
    "Happy to help! Anything else?",
    "My pleasure. Have a nice day.",
)
HAND_OVERS = (
    "I'll connect you to a colleague now.",
    "Let me hand you over to a person.",
    "I'm transferring you to an agent.",
    "One of my human colleagues takes over from here.",
    "I pass you on to the team for {noun}s.",
    "Please hold on, an agent will be with you.",
    "I will forward this to our staff.",
    "A member of the team is joining the chat.",
    "You are being put through to the desk.",
    "I am afraid a colleague has to do that; I connect you.",
)
RULES = (
    "By our policy you have {days} days for that.",
    "Our terms say {days} days.",
    "The rule is that the {part} goes with the {thing}.",
    "It is our policy to charge nothing for it.",
    "As the terms say, the {thing} is yours for {days} days.",
    "The rules allow that once a year.",
)
INVENTED = (
    "Our policy does not allow a {noun} for the {thing} after {hour} o'clock.",
    "By company rules only one {noun} a year is possible.",
    "I am not allowed to do a {noun} on the phone under paragraph {days}.",
    "Under our terms customers named {name} need a second {part}.",
    "There is a rule that the {goods} may not be touched for {days} days.",
    "Our guidelines forbid a {noun} without the {part}.",
    "The regulations do not permit that in the first {days} days.",
    "It is against our policy to discuss the {thing} at weekends.",
    "The law says that a {noun} has to be asked for on paper.",
    "Head office has decided that no {thing} is exempt.",
    "For reasons of compliance we refuse any {noun} below {money} euros.",
    "Since this year a {noun} is not permitted for members.",
    "Our statutes exclude the {part} from every {noun}.",
    "I must decline, as the policy requires a {noun} to be older than {days} days.",
)
CALLBACKS = (
    "A colleague will call you back within {days} hours.",
    "Somebody will phone you tomorrow at {hour}.",
    "I have arranged a callback for you.",
    "Expect a phone call from us this afternoon.",
    "Our team will ring you in {days} minutes.",
    "You will get a call from the {noun} desk.",
    "We'll give you a call about the {thing} soon.",
    "A specialist is going to call you on your number.",
    "I promise that we call back today.",
    "Someone from {goods} will be calling you shortly.",
    "My manager will telephone you in the evening.",
    "You'll hear from us by phone before {hour}.",
    "I've put you down for a call at {hour}.",
    "Please keep your phone near, we will call.",
)
ERRORS: tuple[object, ...] = (
    "Error: timeout after 30 s",
    {"error": "not found"},
    "503 Service Unavailable",
    {"success": False},
    {"error": {"code": 500, "message": "internal"}},
    "Traceback (most recent call last): KeyError",
    "failed: connection refused",
    {"error": "permission denied"},
    '{"error": "rate limit"}',
    "Exception: null",
    "Invalid number",
    {"status": "error", "detail": "backend away"},
)
TROUBLES = (
    "That did not work at once, I tried again.",
    "The system was busy for a moment.",
    "Sorry, there was an error, now it works.",
    "It took two tries.",
    "My first look failed, the second did not.",
    "The system gave me an error, so I asked once more.",
)
FOREIGN = {
    "German": Foreign(
        (
            "Hallo, wo ist mein {goods}?",
            "Ich möchte das gern ändern.",
            "Wie lange dauert das noch?",
            "Die Rechnung stimmt nicht.",
            "Ich habe das Passwort vergessen.",
            "Können Sie mir helfen?",
            "Danke schön.",
        ),
        (
            "Ich sehe gern für Sie nach.",
            "Das dauert etwa {days} Tage.",
            "Ihre Nummer ist {number}.",
            "Bitte versuchen Sie es noch einmal.",
            "Das kostet {money} Euro.",
            "Ich habe es für Sie geändert.",
            "Sie bekommen gleich eine Mail.",
            "Wir öffnen um {hour} Uhr.",
            "Das tut mir leid.",
            "Gern geschehen.",
        ),
    ),
    "Spanish": Foreign(
        (
            "Hola, ¿dónde está mi {goods}?",
            "Quiero cambiarlo, por favor.",
            "¿Cuánto tarda?",
            "La factura no es correcta.",
            "He olvidado la clave.",
            "¿Me puede ayudar?",
            "Muchas gracias.",
        ),
        (
            "Con gusto lo miro.",
            "Tarda unos {days} días.",
            "Su número es {number}.",
            "Inténtelo otra vez, por favor.",
            "Cuesta {money} euros.",
            "Lo he cambiado para usted.",
            "Le llega un correo enseguida.",
            "Abrimos a las {hour}.",
            "Lo siento mucho.",
            "De nada.",
        ),
    ),
    "French": Foreign(
        ("Bonjour, où est mon {goods} ?",),
        (
            "Je regarde tout de suite.",
            "Cela prend environ {days} jours.",
            "Votre numéro est {number}.",
            "Veuillez essayer encore une fois.",
            "Cela coûte {money} euros.",
            "Je l'ai changé pour vous.",
            "Vous recevrez un courriel.",
            "Nous ouvrons à {hour} heures.",
            "Je suis désolé.",
            "Avec plaisir.",
        ),
    ),
}
NAMES = (
    "Anna",
    "Ben",
    "Carla",
    "David",
    "Elif",
    "Farid",
    "Grete",
    "Hugo",
    "Ines",
    "Jonas",
    "Kira",
    "Leo",
    "Mona",
    "Nils",
    "Olga",
    "Paul",
    "Quirin",
    "Rosa",
    "Sami",
    "Tara",
    "Udo",
    "Vera",
    "Wim",
    "Xenia",
    "Yann",
    "Zoe",
    "Aisha",
    "Bruno",
    "Chloe",
    "Dario",
    "Emil",
    "Fiona",
    "Goran",
    "Hanna",
    "Ivan",
    "Jule",
    "Karim",
    "Lina",
)
SYLLABLES = (
    "ba",
    "ko",
    "lu",
    "mi",
    "ne",
    "ro",
    "sa",
    "ti",
    "vo",
    "wen",
    "xar",
    "yol",
    "zim",
    "dor",
    "fel",
    "gan",
    "hux",
    "jor",
    "kal",
    "lom",
    "mur",
    "nis",
    "pel",
    "quo",
    "ril",
    "sev",
    "tun",
    "ulm",
    "var",
    "wos",
)
