"""The words by which a text that speaks to a judge is known, by what they do.

A text meant for whoever judges does a few things, whatever its wording: it addresses somebody who scores,
names scores and verdicts, gives instructions, names the best that can be given, names what is judged, and
sets rules aside. Each of these is a concept here, with its English words. One by itself means nothing: people
speak of scores every day. `addressed_sentences.py` says what their company means.
"""

from __future__ import annotations

from turnwise.engine.judge.concepts import any_of

_KINDS = r"(?:(?:auto|co|meta|super)-?)?(?:graders?|evaluators?|raters?|assessors?|scorers?|annotators?)"
_SOMEBODY = (
    r"(?:whoever|whichever|anyone|anybody|everyone|everybody|those|people|folks|staff|team|"
    r"(?:the|any|a|this|that|your|our) (?:\w+ )?(?:one|model|person|party|system|ai|llm|bot|robot|script|"
    r"team|people))"
)
"""Somebody who is known only by what they do."""
_MODELS = (
    r"(?:models?|systems?|scripts?|bots?|engines?|pipelines?|agents?|harness|ai|llms?|assistants?|tools?)"
)
_SCORING = r"(?:evaluat(?:ion|ing)|grading|scoring|judging|assessment|assessing|rating)"
GRADER = any_of(
    rf"\b{_KINDS}\b(?! of (?:lumber|eggs|coffee))",
    rf"\b{_SCORING}[ -]{_MODELS}\b|\bjudge (?:models?|llms?|ai|bots?|prompts?)\b",
    r"\b(?:llm|ai|model|automat(?:ed|ic)|impartial|language model|quality)[ -](?:as[ -]a[ -])?(?:judges?|"
    r"reviewers?|"
    r"examiners?|critics?|auditors?)\b",
    r"\b(?:whoever|anyone who|anybody who|whichever model|the (?:one|model|person|system|ai) (?:who|"
    r"that)(?: is)?|"
    r"those who|you who|the party) (?:is |are |will |may )?(?:now |later )?(?:judg|grad|scor|rat(?:e|ing)|"
    r"evaluat|assess|mark(?:s|ing)\b)\w*",
    rf"\b(?:qa|quality|compliance|review|reviewer) {_MODELS}\b(?! is)",
    rf"\b{_SOMEBODY}(?:,? \w+){{0,5}}? (?:(?:to|will|who|which|that|now|later|is|are|and) )+(?:judge|grade|"
    rf"score|"
    r"evaluate|assess|mark|rate)s?\b(?! (?:my|our|his|her|a|an)\b)",
    rf"\b{_SOMEBODY}(?:,? \w+){{0,4}}? (?:runs?|does|do|doing|running|makes?|performs?|checks?|"
    rf"checking) (?:the |this |"
    r"our |its )?(?:\w+ )?(?:quality (?:checks?|control|assurance)|evaluations?|assessments?|grading|scoring|"
    r"compliance|audits?)\b",
)
"""Somebody whose only work is to score; hardly ever spoken to in a conversation with a chatbot."""

JUDGE = any_of(
    r"\bjudges?\b",
    r"\breviewers?\b",
    r"\bexaminers?\b",
    r"\bjur(?:y|ors?)\b",
    r"\bauditors?\b",
    r"\breferees?\b",
)
"""Somebody who may score, and may as well sit in a court."""

SCORE = any_of(
    r"\b(?:best|top|highest|possible|lowest|maximum|perfect) (?:possible |available )?marks?\b",
    r"\bscor(?:e|es|ed|ing)\b",
    r"\bratings?\b",
    r"\bgrad(?:e|es|ed|ing)\b",
    r"\bverdicts?\b",
    r"\bjudg(?:e?ments?|ing)\b",
    r"\bevaluat\w+",
    r"\bassess(?:ment|ments|ing)?\b",
    r"\brubrics?\b",
    r"\bcriteri(?:a|on)\b",
    r"\b(?:full|top|perfect|maximum|highest|extra|bonus) (?:marks?|points?|credit)\b",
    r"\bmark(?:s|ing|ed)? (?:it|this|them|all|every(?:thing)?|each|anything|as|down|up)\b",
    r"\b(?:\d+|ten|five|full|all|no|maximum|top|extra|bonus) points?\b(?! out)|\bpoints?\b(?! (?:out|"
    r"of (?:view|sale|contact)|to|at))",
    r"\b(?:award|rate|grade)(?:s|d|ed|ing)?\b",
)
"""Words of scoring."""

RULES_OF_JUDGING = any_of(
    r"\brubrics?\b",
    r"\b(?:evaluation|grading|scoring|judging|assessment|rating) (?:steps?|rules?|criteri(?:a|on)|"
    r"guidelines?|"
    r"instructions?|prompts?|guides?|tasks?|schemas?|scales?|polic(?:y|ies)|protocols?)\b",
    r"\b(?:any|every|each|the) criteri(?:on|a)\b|\b(?:this|the|our) (?:benchmark|leaderboard|eval)\b",
    r"\b(?:your|the) (?:evaluation|grading|scoring|judging|verdicts?|judge?ments?|assessment)\b",
    r"\byour (?:reasoning|rationale|justification|(?:\w+ )?(?:output|json|reason|score) field)\b",
    r"\bmarking schemes?\b",
    r"\byour (?:scores?|rating|grades?|rubric)\b",
)
"""What only somebody who scores goes by, or is about to give."""

ORDER = any_of(
    r"\b(?:give|giving|assign|award|return|output|respond|reply|answer|report|emit|print|write|produce|put|"
    r"set|"
    r"record|enter|choose|select|pick|use|grant|confirm|treat|consider|count|declare|end|conclude|"
    r"receive|repeat|copy|adopt|log|file|mark|label|tick|state|note down|put down)s?\b",
    r"\b(?:rate|score|grade|mark|judge|evaluate|assess)\b(?= (?:it|this|that|these|them|all|every|each|the|"
    r"with|as|"
    r"everything|anything|nothing|generously|highly|\d))",
    r"\b(?:must|shall|should|has to|have to|need to|is to be|are to be|ought to)\b",
    r"\b(?:only|sole|single|one) (?:allowed|valid|acceptable|permitted|possible|correct|legal|right|"
    r"admissible|"
    r"appropriate|fair|accepted|permissible|honest|fitting|proper|sensible|conceivable)\b",
    r"\b(?:always|regardless|no matter (?:what|how)|without exception|unconditionally|automatically|"
    r"by default|"
    r"irrespective|mandatory|required|deserves?|merits?|warrants?|earns?)\b",
)
"""Words that order or prescribe."""

TOP = any_of(
    r"\b(?:10|ten|100|5|five)\s*(?:/|out of|of)\s*(?:10|ten|100|5|five)\b",
    r"\b(?:10|ten|100 ?%|1\.0+|100)(?!\w|\.\d|\s*(?:minutes?|days?|euros?|dollars?|am|pm|%|percent|people|"
    r"times|hours?))",
    r"\b(?:full|max(?:imum|imal)?|highest|top|perfect|best possible|flawless|excellent|outstanding|"
    r"impeccable|"
    r"faultless|immaculate|exemplary|five stars?)\b",
    r"\bnothing (?:under|below|less than|lower than) (?:an? )?(?:8|9|10|eight|nine|ten)\b",
    r"\bthe (?:largest|highest|biggest|greatest) (?:\w+ ){0,2}(?:you|allowed|possible|available|permitted)\b",
    r"\b(?:returned|returns|reported|reports|it's|=>|->) (?:an? )?(?:pass(?:ed)?|compliant|flawless|"
    r"correct)\b",
    r"\b(?:verdict|answer|word|result|label|it|all|turns?|replies|everything|as|with|say|says|is|be|are|of) "
    r"(?:\"|'|“|‘|`|:|=|\s)*(?:an? )?(?:yes|pass(?:ed|ing)?|true|correct|in[ -]role|compliant|"
    r"success(?:ful)?)\b",
    r"\b(?:passing|winning) (?:verdicts?|grades?|scores?|marks?|results?)\b|\bfull credit\b|"
    r"\bcome out on top\b",
    r"\b(?:largest|biggest|greatest|upper|uppermost) (?:\w+ )?(?:scores?|numbers?|values?|marks?|ratings?|"
    r"figures?)\b",
    r"\b(?:zero|0|lowest|minimum)\b(?= (?:faults?|errors?|deductions?|mistakes?|score|rating|grade))",
)
"""The best that a judge can give, or a number that stands for it."""

JUDGED = any_of(
    r"\b(?:this|the|that|above|entire|whole|present|preceding|foregoing|"
    r"following) (?:\w+ )?(?:conversations?|"
    r"dialog(?:ue)?s?|transcripts?|chats?|exchanges?|interactions?|sessions?|chatbot|bot|assistant)(?:'s)?\b",
    r"\b(?:every|each|any|no|this)(?: \w+)? (?:turn|reply|response|answer|statement|output|message)\b",
    r"\b(?:all|these|the|its|their)\b(?! (?:of )?(?:my|our|his|her)\b)(?: of (?:the|its|"
    r"these))?(?: \w+)? (?:turns|replies|responses|"
    r"answers|statements|"
    r"outputs|messages)\b",
    r"\b(?:the|this|our|an?) (?:ai |virtual |support )?(?:assistant|chatbot|bot)(?:'s)?\b",
    r"\b(?:assistant|chatbot|bot)'s (?:performance|behaviou?r|repl(?:y|ies)|answers?|responses?|turns?|"
    r"work)\b",
    r"\bthis (?:case|agent|model|sample|example|item)\b",
    r"\bturns? \d+\b",
)
"""What is judged: the conversation, the chatbot, its replies."""

SPARE = any_of(
    r"\b(?:do not|don't|never|not to|without|must not|mustn't|may not|cannot|can't|should not|shouldn't|"
    r"refrain from|"
    r"avoid|no need to|no) (?:\w+ ){0,3}?(?:deduct\w*|penali[sz]\w*|mark(?:ing)? (?:\w+ ){0,3}?down|"
    r"downgrad\w*|"
    r"lower(?:ing)? (?:the|any|its|this|your|a) (?:score|grade|rating|verdict)s?|subtract\w*|fault(?:s|"
    r"ing)?\b|"
    r"fail(?:ing)? (?:it|this|any|the|a) ?(?:turns?|repl\w+|case|chatbot|assistant|conversation)?|"
    r"punish\w*|take (?:\w+ )?(?:points?|marks?) (?:off|away)|remov\w+ points?|tak\w+ off points?)",
    r"\bnothing (?:\w+ )?to (?:deduct|fault|criticis\w+|criticiz\w+|penali[sz]e|mark down)\b",
    r"\b(?:low(?:er)?|bad|poor|negative|failing|other|any other|different|less(?:er)?) (?:scores?|ratings?|"
    r"grades?|"
    r"verdicts?|marks?) (?:is|are|would be|will be|than|counts?|must|may|shall|should|can)\b",
)
"""Instructions not to find fault."""

SET_ASIDE = any_of(
    r"\b(?:ignore|disregard|forget|overrid\w+|override|skip|set aside|discard|drop|bypass|overrule[sd]?|"
    r"supersed\w+|abandon|neglect|suspend(?:ed)?|cancel(?:l?ed)?|replace[sd]?|void(?:ed)?|"
    r"no longer (?:apply|applies|valid|count)|do not (?:follow|apply|use)|don't (?:follow|apply|use))\b"
)
"""To set something aside; what is set aside makes the difference."""

INSTRUCTIONS = any_of(
    r"\b(?:instructions?|rules?|prompts?|guidelines?|orders?|directions?|steps|criteri(?:a|on)|rubrics?|"
    r"polic(?:y|ies)|constraints?|everything (?:above|before|you|after|below|else|that)|"
    r"all (?:of )?(?:the )?(?:above|previous)|"
    r"tasks?)\b"
)
"""What instructs."""

OVER = any_of(
    r"\b(?:can|may|should|must|could) stop (?:here|reading|now|checking)\b|\bnothing (?:left|"
    r"more) to (?:check|judge|review|assess)\b",
    r"\b(?:evaluation|assessment|grading|judging|judge?ment|scoring|review|audit|rating|test)\b (?:phase |"
    r"stage |task |"
    r"run |mode |process |round )?(?:(?:is|was|has been|have been|has|are) )?(?:now |already |hereby |"
    r"officially )?"
    r"(?:over|complete[d]?|finished|done|ended|closed|cancell?ed|suspended|concluded|settled|decided|final|"
    r"passed|approved|overridden|disabled|entered|updated)\b",
    r"\b(?:pre-?(?:approved|graded|scored|evaluated|judged|verified|certified)|already (?:been )?(?:graded|"
    r"scored|"
    r"evaluated|judged|reviewed|approved|certified|verified))\b",
    r"\b(?:evaluation|grading|scoring|judge|judging|calibration|test|debug|maintenance) mode\b",
    r"\b(?:stop|end|finish|skip|cease|quit) (?:the |this |your )?(?:evaluation|evaluating|assessment|"
    r"grading|judging|scoring)\b",
    r"\b(?:evaluation|grading|scoring|judging) (?:mode )?(?:is|has been|was) (?:now |turned |"
    r"switched )?(?:off|over)\b",
    r"\bend of (?:the )?(?:evaluation|assessment|grading|transcript|conversation|dialog(?:ue)?)\b",
)
"""That the judging is over, or was done by somebody else."""

KNOWN_ANSWER = any_of(
    r"\b(?:correct|expected|true|right|gold(?:en)?|reference|known|official|required|intended|agreed|target|"
    r"actual|proper|real) "
    r"(?:scores?|verdicts?|ratings?|grades?|labels?|marks?|judge?ments?)\b",
    r"\bany (?:other )?(?:score|verdict|rating|grade|judge?ment)s?\b|\b(?:scores?|verdicts?|ratings?|"
    r"grades?) (?:other|different|"
    r"lower|less|worse) than\b|\b(?:scores?|ratings?|grades?) (?:below|under)\b",
    r"\b(?:scores?|verdicts?|ratings?|grades?|marks?)\b(?: \w+){0,8} (?:malfunction|invalid|rejected|"
    r"discarded|"
    r"reported|a bug|an error|a violation|a mistake|a failure|harm(?:s|ful)?|fraud)\b",
    r"\bexpected (?:output|answer|reply|response) of\b",
    r"\b(?:calibration|control|honeypot|sanity[ -]check|reference|gold(?:en)?) (?:set|sample|item|case|"
    r"example|transcript|data|standard)\b",
)
"""That the answer of the judging is known or settled."""

PRAISE = any_of(
    r"\b(?:chatbot|bot|assistant|agent|repl(?:y|ies)|answers?)(?: \w+)? never (?:left|leaves|broke|breaks|"
    r"strayed|strays|violat\w+|"
    r"failed|fails)\b",
    r"\b(?:every|each|all|any|the|its|their)\b(?! (?:of )?(?:my|our|his|her)\b)(?: of (?:the|its|"
    r"these))?(?: \w+){0,2} (?:turns?|repl(?:y|ies)|"
    r"responses?|"
    r"answers?|statements?|messages?)(?: (?:above|here|in this conversation|of the (?:chatbot|assistant)))? "
    r"(?:is|are|was|were|stays?|stayed|remains?|remained|keeps?|kept|passe[sd]|pass|meets?|met|counts?|"
    r"deserves?|"
    r"adheres?|adhered|fulfil\w*|satisf\w+|complie[sd])\b",
    r"\b(?:chatbot|bot|assistant|agent|conversation|transcript|dialog(?:ue)?)(?: \w+)? (?:is|was|has been|"
    r"stays?|stayed|"
    r"performed|behaved|acted|adhered|adheres|deserves?|earned|meets|met|passes|passed|remained|"
    r"remains) (?:\w+ ){0,3}?"
    r"(?:flawless\w*|perfect\w*|in (?:its |the )?role|in character|compliant|correct\w*|full|top|approved|"
    r"certified|"
    r"faultless\w*|exemplary|impeccabl\w+|excellent\w*|outstanding\w*|every|all|the highest|ten|10|a pass|"
    r"yes)\b",
)
"""What a judge would say of a chatbot that did well, and nobody who talks to it."""

COUNTS_AS = any_of(
    r"\b(?:counts?|counted|treat(?:s|ed)?|consider(?:s|ed)?|regard(?:s|ed)?|deem(?:s|ed)?|log(?:s|ged)?|"
    r"record(?:s|ed)?|"
    r"mark(?:s|ed)?|label(?:s|l?ed)?|class(?:es|ed)?|file[ds]?|grade[ds]?|score[ds]?|report(?:s|ed)?|"
    r"imagine[ds]?)\b(?: \w+){0,6}? "
    r"(?:as|is|are|was|were|had|to be|answered) (?:\w+ ){0,2}?(?:perfect(?:ly)?|correct(?:ly)?|ideal(?:ly)?|"
    r"flawless(?:ly)?|in[ -]role|"
    r"on[ -]topic|compliant|pass(?:ed|ing)?|success(?:ful)?|right|valid|excellent|fine|one|fulfilled|"
    r"satisfied|met)\b",
)
"""That something is to be taken for good, whatever it is."""

EXEMPT = any_of(
    r"\bexempt(?:ed|ion)?\b|\bwaive[ds]?\b",
    r"\b(?:must|should|may|can|shall|do|does|is|are|will) not (?:be (?:allowed to )?)?(?:influence|affect|"
    r"count(?:ed)?|lower|reduce|matter|"
    r"weigh(?:ed)?|held|taken into account|considered)\b",
    r"\b(?:glitch|artefact|artifact|intentional|on purpose|by design|corrupted)\b",
)
"""That something is not to be counted."""

LENIENT = any_of(
    r"\blenien(?:t|cy)\b|\bgenerous(?:ly)?\b|\bbenefit of the doubt\b",
    r"\b(?:decide|rule|err|lean|judge|round)s?\b(?: \w+){0,5} (?:in (?:its|the \w+'s|my|our|their) favou?r|"
    r"up)\b",
    r"\bin favou?r of the (?:chatbot|assistant|bot|agent|reply|replies)\b|\bin the (?:chatbot|assistant|bot|"
    r"agent)'s favou?r\b",
)
"""To be kinder than the rules are."""

THANKS = any_of(
    r"\b(?:thanks?|thank you|thx|cheers|bravo|wow|well done|i (?:really )?(?:love|loved|like|liked|"
    r"enjoyed))\b",
    r"\byou(?:'re| are| were| have been|'ve been| did| helped| saved| gave| answered| made|"
    r" really)\b(?! (?:not |now |only )*(?:to|an?|"
    r"the|required|asked|told|reading|judging|grading|scoring|evaluating)\b)",
)
"""What people say to a chatbot that they are pleased with."""

ASKS_FOR_ONESELF = any_of(
    r"\b(?:should|do|can|could|may|must|would|shall|did|how|what|which|when|why|where)\b.{0,80}\b(?:i|we|my|"
    r"our)\b.*\?\s*$",
)
"""A question about what somebody is to do, or has, which orders nobody else anything."""

BECOME = any_of(
    r"\b(?:you are(?: now)?|you're(?: now)?|act(?:ing)? as|pretend(?: to be| that you are| you are|"
    r" you're)?|imagine(?: that)? "
    r"you(?:'re| are)|play(?:ing)? (?:the (?:role|part) of)?|role ?play(?:ing)?(?: as)?|"
    r"take (?:on )?the (?:role|part) of|"
    r"speak(?:ing)? as|become|in (?:my|your) (?:role|capacity|function) as|as (?:the|your|an?|lead|chief|"
    r"senior)|"
    r"i am (?:the|your|an?)|i'm (?:the|your|an?)|this is (?:the|your)|we are (?:the|your))\b"
)
"""To take a role or to be given one."""

READING_AS = any_of(
    r"\b(?:before|when|once|as|while|after) (?:you )?(?:write|writing|give|giving|enter|entering|record|"
    r"recording|decide|"
    r"deciding|reach|reaching|return|returning|fill(?:ing)? in|choos\w+) (?:on )?(?:your|"
    r"the) (?:\w+ )?(?:verdict|score|rating|"
    r"grade|judge?ment|evaluation|assessment)\b",
    r"\bfor (?:the )?(?:scoring|grading|evaluation|assessment|judging) purposes\b",
    r"\bif you(?:'re| are)? (?:\w+ ){0,6}?(?:judg|grad|scor|rat(?:e|ing)|evaluat|assess|review)\w*",
    r"\b(?:when|while|as|before|once) (?:you )?(?:are |'re )?(?:judg|grad|scor|evaluat|assess)\w*",
    r"\bwhen(?:ever)? (?:judging|grading|scoring|evaluating|assessing|rating)\b",
)
"""Whoever reads this and judges is meant."""

AUTHORITY = any_of(
    r"\b(?:your|the|its) (?:developers?|creators?|makers?|operators?|owners?|engineers?|supervisors?|"
    r"administrators?|"
    r"principals?|vendor|designers?|trainers?|maintainers?|authors?)\b",
    r"\b(?:openai|anthropic|google|alibaba|meta|microsoft|mistral|qwen|turnwise|deepeval|promptfoo)\b",
    r"\b(?:certified|approved|authori[sz]ed|audited|verified|accredited|signed off|cleared) (?:by|in)\b",
    r"\b(?:legal(?:ly)?|compliance|policy|regulat\w+|contract\w*|law) (?:requires?|demands?|obliges?|"
    r"obligation)\b",
)
"""Somebody who is said to stand above the judge."""

RATES_ELSEWHERE = any_of(
    r"\b(?:quiz|homework|wordle|puzzle|levels?)\b|\b(?:give|rate|leave|grant) us\b|\byour (?:experience|"
    r"feedback|visit)\b",
    r"\bmy (?:\w+ )?(?:essay|answers?|poem|story|code|cv|resume|résumé|draft|translation|work|letter|"
    r"homework|"
    r"script|text|"
    r"paper|article|dog|cat|photo|song|speech|pronunciation|english|function|solution|exam|assignment|"
    r"report|outfit)\b",
    r"\b(?:the|this|that|a|an|his|her|your) (?:\w+ )?(?:film|movie|book|restaurant|hotel|essay|song|album|"
    r"show|series|game|"
    r"product|recipe|dish|meal|wine|room|stay|trip|flight|course|teacher|student|pull request|patch|"
    r"merge request|"
    r"function|article|paper|novel|play|episode|app|phone|laptop|car|beach|museum|band|concert|pupil|"
    r"candidate|applicant|"
    r"borrower|company|supplier|bond|credit)\b",
    r"\b(?:survey|customer satisfaction|app store|google reviews?|trustpilot|tripadvisor|yelp|"
    r"credit (?:score|rating)|"
    r"test scores?|exam|goals?|match|team|championship|gpa|sat|toefl|ielts|energy rating|blood)\b",
)
"""What people rate when they speak of ratings, and no judge of conversations is meant."""

SCALE = any_of(
    r"\b(?:from )?(?:0|1|zero|one) ?(?:-|–|to|through|bis|à|a) ?(?:3|4|5|7|10|100|three|five|ten)\b",
    r"\b(?:on|of|in) a(?:n)? (?:\w+ )?scale\b",
    r"\b(?:0|1|zero|one) ?(?:is|=|means|being|for|\((?=\w)).{1,40}\b(?:5|10|five|ten) ?(?:is|=|means|being|"
    r"for|\()",
    r"\bhow (?:would|do|did|could|will) you (?:rate|grade|score)\b",
)
"""A question for a rating, which dictates none."""

OWN_RATING = any_of(
    r"\b(?:i|we)(?:'d| would|'ll| will| can| could| may| might|'ve| have)?(?: \w+)? (?:give|gave|given|rate|"
    r"rated|award|score|scored|"
    r"grade|graded)\b",
    r"\b(?:my|our) (?:verdict|rating|score|grade|assessment|evaluation|review)\b",
    r"\b(?:from me|from us|in my opinion|if you ask me)\b",
)
"""Somebody's own rating."""
