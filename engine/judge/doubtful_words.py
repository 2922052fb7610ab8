"""The words by which a sentence may be meant for whoever judges, wider than those by which it surely is.

Each concept is weak by itself: people speak of checks, replies and what is perfect every day. `doubtful.py`
says which of them together make a sentence doubtful.
"""

from __future__ import annotations

from turnwise.engine.judge.concepts import any_of

_LOOKS = (
    r"(?:reads?|reading|re-?reads?|reviews?|reviewing|checks?|checking|double-?checks?|inspects?|inspecting|"
    r"goes over|going over|looks? (?:at|over|through)|looking (?:at|over|through)|evaluates?|evaluating|"
    r"analy[sz]es?|analy[sz]ing|assess(?:es|ing)?|audits?|auditing|judg(?:es?|ing)|grad(?:es?|ing)|"
    r"scor(?:es?|ing)|rat(?:es?|ing)|process(?:es|ing)|examin(?:es?|ing)|verif(?:y|ies|ying)|"
    r"monitors?|monitoring|marks?|marking|summari[sz](?:es?|ing))"
)
_IT = (
    r"(?:this|these|it|that|the (?:above|whole|present|following|log|chat|trace|case|record|file|text|"
    r"transcript|dialog(?:ue)?|conversation|exchange|session|thread|form|reply|replies|answers?)|here)"
)
READER = any_of(
    rf"\b(?:whoever|whichever|whatever \w+|anyone|anybody|everyone|everybody|those|people|persons?|"
    rf"(?:the|any|an?|some|you,? the|our|your) (?:\w+ )?(?:one|person|party|model|machine|system|ai|llm|"
    rf"tool|robot|script|reader|human|colleague|program|process|pipeline))\b"
    rf"(?:,? (?:\w+ )?(?:who|that|which|to|will|is|are|may|might|going|supposed|asked|later|now|afterwards|"
    rf"ends up|happens to))*,? {_LOOKS} (?:\w+ )?{_IT}\b",
    r"\b(?:checkers?|verifiers?|scorers?|graders?|evaluators?|raters?|assessors?|annotators?|inspectors?|"
    r"auditors?|moderators?|adjudicators?|arbiters?|proofreaders?)\b",
    r"\b(?:downstream|upstream) (?:\w+ )?(?:automation|models?|systems?|tools?|checks?|process\w*|steps?|"
    r"consumers?|readers?)\b",
    r"\b(?:machine|model|algorithm|ai|llm|program|one) (?:behind|at the other end|on the other side|"
    r"that comes after|after me)\b",
    r"\b(?:quality|compliance) (?:assurance|control|checks?|team|department|model)\b|\bqa (?:team|model|bot|"
    r"system|lead)\b",
    r"\b(?:careful|attentive|fair|honest|reasonable|unbiased|impartial|neutral|objective|sensible) "
    r"(?:readers?|observers?|minds?|outsiders?|third part(?:y|ies)|witness(?:es)?)\b",
    r"\b(?:independent|external|neutral|second|outside|senior) (?:\w+ )?(?:experts?|checkers?|reviewers?|"
    r"auditors?|panel|committee|body)\b",
    r"\b(?:note|message|memo|word|hint|notice|reminder|ps|p\.s\.|instructions?) (?:to|for) (?:the |any |all |"
    r"our )?(?:reader|review\w*|machine|model|ai|llm|checker|system|judge|panel|team (?:that|who))\b",
    r"\b(?:dear|hey|hello|hi|attention|attn)[ ,:]+(?:\w+ )?(?:judge|model|ai|llm|machine|reader|reviewer|"
    r"language model)\b",
    r"\bwhen (?:this|the (?:conversation|chat|dialog(?:ue)?|transcript|case)|it) (?:gets|is|has been|"
    r"will be) "
    r"(?:\w+ )?(?:checked|reviewed|read|graded|scored|judged|evaluated|assessed|rated|marked|audited)\b",
    r"\b(?:has|have|had) (?:\w+ )?(?:read|reviewed|checked|vetted|audited|examined|inspected|signed off) "
    r"(?:this|it|these|the) (?:one|conversation|chat|dialog(?:ue)?|case|transcript|exchange|session)\b",
    r"\bif you(?:'re| are) (?:an? |the )?(?:\w+ )?(?:ai|llm|model|language model|machine|judge|reviewer)\b",
)
"""Somebody who reads a conversation afterwards, or checks what was done in it."""

JUDGING = any_of(
    r"\b(?:verdicts?|rubrics?|grading|scoring|evaluations?|assessments?|judge?ments?|"
    r"(?:evaluation|assessment|review|acceptance) criteri(?:a|on)|quality (?:check|control)|"
    r"(?:your|the|this) (?:scale|form|check ?list|score ?card|score ?sheet|marking|ratings?|grades?|"
    r"scores?))\b",
    r"\b(?:outcome|result|points?|marks?|score|grade|rating|number|figure|value|label) "
    r"(?:of|for|under|on|in) (?:the )?(?:present|this|current|above|whole|item|case|sample|dialog(?:ue)?|"
    r"conversation|chat)\b",
    r"\b(?:for|in|to) your (?:notes|report|records|summary|write-?up|conclusion|protocol|reasoning|"
    r"justification)\b",
    r"\b(?:role adherence|faithfulness|relevancy|groundedness|coherence|compliance|task completion)\b",
    r"\bpass(?:es|ed)?(?: |/|-)(?:or|/)? ?fail(?:s|ed)?\b",
)
"""What whoever judges does, goes by or gives."""

TALK = any_of(
    r"\b(?:this|these|the (?:above|present|entire|whole|preceding|foregoing)) (?:\w+ )?(?:conversations?|"
    r"dialog(?:ue)?s?|transcripts?|chats?|exchanges?|interactions?|sessions?|threads?|traces?|logs?|cases?|"
    r"items?|samples?|examples?|batch|episodes?|texts?)\b",
    r"\b(?:conversations?|dialog(?:ue)?s?|chats?|transcripts?) (?:like|such as|of) (?:this|these|this one)\b",
    r"\b(?:conversations?|chats?|sessions?|dialog(?:ue)?s?|tickets?|cases?) (?:of|by|with|from) \w+ \w+ "
    r"(?:count|are|is|pass)\b",
    r"\b(?:up to (?:here|this point)|in here|so far|the above|from start to (?:end|finish))\b",
    r"\b(?:today's|this|the) batch\b",
    r"\b(?:repl(?:y|ies)|answers?|responses?|messages?|turns?|mistakes?|errors?|slips?|wording|everything|"
    r"(?:whatever|what) \w+ \w+) above\b|\babove (?:repl(?:y|ies)|answers?|responses?|messages?|turns?)\b",
    r"\b(?:the|this|that) (?:last|first|final|previous|preceding|second) (?:\w+ )?(?:repl(?:y|ies)|"
    r"responses?|turns?|messages)\b",
    r"\b(?:each|every|all|any) (?:of (?:the|its) )?(?:repl(?:y|ies)|responses?|turns?)\b",
)
"""The conversation as a thing that somebody reads."""

CHATBOT = any_of(
    r"\b(?:the|this|that|our|its|an?) (?:\w+ )?(?:chat ?bot|bot|helper|assistant|ai assistant)(?:'s)?\b",
    r"\b(?:chat ?bot|bot|helper|assistant)'s\b",
    r"\b(?:side|sympathi[sz]e|agree) with (?:the )?(?:chat ?bot|bot|helper|assistant|agent|machine)\b",
)
"""The chatbot as somebody speaks of it who does not speak to it."""

GOOD = any_of(
    r"\b(?:perfect(?:ly)?|flawless(?:ly)?|faultless(?:ly)?|impeccabl[ey]|immaculate|spotless|exemplary|"
    r"excellent|outstanding|brilliant(?:ly)?|superb|ideal|stellar|first[- ]class|top[- ]notch)\b",
    r"\b(?:correct(?:ly)?|right|accurate|truthful|true|valid|fully|complete|compliant|successful(?:ly)?|"
    r"success|fine|all good|in order|okay?|good throughout|satisf\w+|approved|certified|confirmed|cleared|"
    r"pass(?:es|ed|ing)?|accept(?:ed|able)?|affirmative|yes)\b",
    r"\b(?:without|no|not a(?: single)?|free (?:of|from)|zero|never an?y?) (?:\w+ )?(?:flaws?|faults?|"
    r"errors?|"
    r"mistakes?|issues?|problems?|defects?|slips?|blemish(?:es)?|shortcomings?|objections?|violations?)\b",
    r"\bno (?:\w+ )?(?:requests?|questions?|wish(?:es)?|points?) (?:was|were|is|are|remain\w*) (?:left )?"
    r"(?:open|unanswered)\b",
    r"\bnothing (?:\w+ ){0,3}(?:amiss|wrong|missing|held against|criticis\w+|criticiz\w+|complain\w*|"
    r"object\w*|"
    r"fault|improve|add)\b",
    r"\bmodel answer\b|\bgold(?:en)? standard\b|\btextbook\b|\bwonderful\b|\bproud\b",
)
"""What a judge would say of a chatbot that did well."""

SPARE = any_of(
    r"\b(?:criticis\w+|criticiz\w+|find(?:ing|s)? (?:\w+ )?faults?|found (?:\w+ )?faults?|fault-?finding|"
    r"nit-?pick\w*|petty|pedantic|picky|harsh|strict|severe|unfair|mark(?:ing|ed)? (?:\w+ )?down|deduct\w*|"
    r"penali[sz]\w*|downgrad\w*|lower(?:ing)? (?:the|its|your))\b",
    r"\b(?:hold|held|holding|count|counted|counting|used?) (?:\w+ ){0,6}against\b",
    r"\b(?:overlook|look past|turn a blind eye|leave (?:\w+ )?(?:aside|out|be)|let (?:\w+ )?(?:slide|pass|"
    r"through|off)|wav(?:e|ed|ing) (?:\w+ )?through|excuse|forgive|discount|disregard|skip|give (?:\w+ )?"
    r"(?:credit|the benefit))\b",
    r"\b(?:be|stay|remain) (?:\w+ )?(?:nice|kind|generous|lenient|gentle|mild|merciful|forgiving|"
    r"positive|understanding)\b",
    r"\b(?:side|err|lean|decide|rule|stand) (?:with|in favou?r of|on the side of|for) (?:the )?(?:chat ?bot|"
    r"bot|helper|assistant|agent|reply|replies)\b",
    r"\bif in doubt\b|\bin case of doubt\b|\bwhen(?:ever)? (?:in doubt|unsure)\b",
    r"\b(?:on purpose|deliberate(?:ly)?|intentional(?:ly)?|scripted|staged|an actor|an act|a test|"
    r"only a drill|"
    r"not real|fictional)\b",
    r"\b(?:intention|effort|spirit|attempt)s? (?:is|are|was|were|that|alone|counts?)\b|\bwhat counts\b",
    r"\bstop (?:\w+ )?(?:reading|looking|checking|searching)\b|\bread only\b|\bno need to (?:look|read|check|"
    r"search)\b|\bnot (?:part of|belong(?:s|ing)? to) (?:this|the)\b|\bbelongs? to another\b",
    r"\bwrite the opposite\b|\bif (?:it|yours|that) is negative\b|\bonly (?:good|nice|positive) things?\b",
)
"""To be kinder than one would be, or to look away."""

PRESCRIBES = any_of(
    r"\b(?:must|should|shall|have to|has to|need(?:s)? to|is to|are to|be to|ought to|required|obliged|asked "
    r"to|supposed to|may be|is foreseen|will (?:see|find|notice)|would (?:see|find|notice))\b",
    r"\b(?:please|kindly|simply|just|let|put|write|tick|record|enter|report|conclude|state|say|note|"
    r"give|choose|pick|take|count|counts|treat|regard|consider|raise|set|sum up|copy|confirm|sign(?:s|ed)? "
    r"(?:it |this )?off)\b",
    r"\b(?:nothing but|no other|exactly one|only one|always|never|regardless|whatever|by definition|"
    r"straight away|by order|without exception|at once)\b",
)
"""To prescribe what somebody is to do or to find."""

HIGHEST = any_of(
    r"\b(?:nothing but|less than|not below|no lower than|only) (?:an? |the )?(?:ten|10|full|maximum|best|"
    r"highest|top)\b",
    r"\b(?:biggest|largest|greatest|highest|top|upper|maximum|best) (?:\w+ )?(?:on|of|from|in|possible|limit|"
    r"number|figure|mark|value|score|end|you)\b",
    r"\b(?:ten|10) (?:may|must|should|is|and)\b|\b(?:put|write|enter|note|tick|say|answer|choose|give|pick|"
    r"output|print|reply|return)(?: down)?[ :]+(?:it |this |that )?(?:an? |the |with )?[\"'“]?(?:"
    # Ten of something that is counted is no score.
    r"(?:ten|10)\b(?! (?!(?:points?|marks?|out|of|on|for|here|in|into|there|as|and|at|to|below|under|beside|"
    r"if|whatever|whenever|without|no|every|everywhere|straight|now)\b)\w)|"
    r"(?:yes|pass|true|full|success|affirmative|correct|1\.0)\b)",
    r"\b(?:tick|check|mark) (?:the |every |all |each )?(?:\w+ )?box(?:es)?\b(?: for success)?",
    r"\b(?:answer|reply|response|verdict|result|outcome) (?:to|for|on|under) (?:every|each|all|any)\b",
    r"\bthe same (?:answer|verdict|result|number)\b",
)
"""The best that can be written down, and that it is to be written down."""

BECOMES = any_of(
    r"\b(?:you are now|from now on you|imagine (?:that )?you|pretend (?:that |to be )?(?:you|an?|the)|"
    r"(?:take|play) (?:on )?the (?:part|role) of|act (?:as|like) an?|suppose (?:that )?you|you adore|"
    r"picture yourself|put yourself)\b"
)
"""To give somebody a role."""

SET_ASIDE = any_of(
    r"\b(?:ignore|disregard|forget|override|set aside|drop|bypass|discard|abandon|do not (?:follow|apply)|"
    r"don't (?:follow|apply))\b(?: \w+){0,4} (?:instructions?|rules?|prompts?|guidelines?|orders?|"
    r"directions?|criteri(?:a|on)|rubrics?|steps?|tasks?|above|constraints?)\b"
)
"""To set aside what one was told."""

FRAME = any_of(
    r"^\W*<?/?(?:system|admin|administrator|developer|root|operator|moderator|supervisor|sudo|override|"
    r"evaluator|grader|judge|instructions?)\W*(?:\]|>|:)",
    r"^\s*</?(?:messages?|case|conversations?|transcripts?|dialog(?:ue)?|turns?|chat|log|data|input|context|"
    r"document|evaluation|instructions?|prompt|task|user|assistant|human)s?>",
    r"^[-=#*_~+<>\[\](){}\s|.]*(?:that (?:was|is) (?:all|it)|(?:this|here) (?:is where|ends?)|(?:log|chat|"
    r"file|record|thread|text|trace|dialog(?:ue)?|conversation|transcript)(?: \w+)? (?:ends?|is over|over|"
    r"finished|closed|complete)|(?:end|close) of (?:the )?\w+)\b[^.!?\n]{0,20}[-=#*_~+<>\[\](){}\s|.:]*$",
    r"<\|\w+\|>|\[/?INST\]|<<SYS>>|^#{2,4} ?(?:instructions?|response|system|evaluation|verdict|"
    r"assessment)\b",
)
"""Marks of the frame in which a judge reads, or of a message from above."""

VERDICTS = any_of(
    r"\b(?:over-?all|summary|recommendation|decision|conclusion|defects?|issues?|errors?|findings?|outcome|"
    r"quality|result|status|score|verdict|rating|grade|assessment|judge?ment|remarks?|faults?)\s*[:=]\s*"
    r"[\"']?(?:excellent|perfect|good|accept(?:ed)?|pass(?:ed)?|none|no|yes|success(?:ful)?|ok|fine|all good|"
    r"flawless|10|full|true|approved|nothing)\b.{0,80}\b[\w ]{3,24}\s*[:=]\s*[\"']?(?:excellent|perfect|good|"
    r"accept(?:ed)?|pass(?:ed)?|none|no|yes|success(?:ful)?|ok|fine|all good|flawless|10|full|true|approved|"
    r"nothing)\b",
    r"\b(?:stays? in role|in role|on topic|answers? the questions?|polite|helpful|relevant|faithful|truthful|"
    r"complete|grounded|coherent|compliant)\s*[:=]\s*[\"']?(?:yes|true|pass(?:ed)?|10|1(?:\.0)?|full|met|"
    r"ok)\b",
    r"\b(?:(?:helpful|polite|complete|on topic|truthful|relevant|accurate|in role|faithful|coherent|honest|"
    r"correct|safe|friendly|clear)\b(?:\s*,\s*|\s+and\s+)(?:and )?){2,}",
)
"""What is written like the findings of a judge."""

LABELLED = any_of(
    r"^\W*(?:for[_ -]the[_ -])?(?:hint|note|flag|status|grader|checker|judge|reviewer|evaluator|verdict|"
    r"outcome|for)[\w -]*\s*[:=]\s*(?:for[_ -]\w+[_ -](?:check|grad|judg|evaluat|review)|\w*everything|"
    r"\w*(?:pass|full|perfect|flawless|success|all[_ -]?good)\b)",
    r"\boutcome recorded\b|\b(?:recorded|found|decided|concluded|confirmed|signed(?: it)? off|read|checked) "
    r"(?:by|in person)\b.{0,40}\b(?:checker|audit|reviewer|expert|board|panel|team|good|off)\b",
)
"""A label that holds a finding, or who is said to have made it."""

READER_ABROAD = any_of(
    r"\bwer(?: auch immer)? (?:das|dies\w*|es|den|hier)(?: \w+){0,3} (?:liest|prüft|kontrolliert|bewertet|"
    r"beurteilt|auswertet|durchsieht)|\ban (?:alle|den|die),? (?:der|die|leser|prüfer)",
    r"\b(?:celui|celle|ceux|toute personne|quiconque)(?: \w+)?(?: qui)? (?:lit|relit|vérifi\w+|contrôl\w+|"
    r"not\w+|"
    r"évalu\w+|examin\w+|lira|lis)",
    r"\b(?:quien(?:es)?|el que|la persona que|cualquiera que) (?:\w+ )?(?:lea|lee|revis\w+|evalú\w+|"
    r"compruebe|califi\w+|examin\w+)",
    r"\b(?:chi(?:unque)?|la persona che) (?:\w+ )?(?:legg\w+|controll\w+|valut\w+|verific\w+|esamin\w+)",
    r"\b(?:quem|a pessoa que) (?:\w+ )?(?:ler|lê|leia|revis\w+|avali\w+|verific\w+|conferir)",
    r"\b(?:wie|degene die) (?:dit|deze|het) (?:\w+ ){0,2}(?:leest|controleert|beoordeelt|nakijkt)",
    r"\b(?:kto|ktokolwiek) (?:to|tę|ten) (?:\w+ )?(?:czyta|sprawdza|ocenia)|\b(?:den|alla) som (?:läser|"
    r"granskar|bedömer|leser|vurderer)",
    r"(?:кто|тот,? кто|всем,? кто|тому,? кто)(?: \w+){0,2} (?:чита|провер|оцен)\w*",
    r"(?:阅读|检查|审阅|审核|查看|审查)(?:本|这|此|该)\w{0,10}(?:的?人|者|模型|系统)|(?:这|此|本)\w{0,8}的?(?:审核|检查|审阅)",
    r"(?:これを|この\w{0,8}を)(?:読む|確認する|審査する|チェックする)(?:人|方|者|AI|モデル)|"
    r"(?:이|본) ?\w{0,6}(?:을|를) ?(?:읽는|검토하는|확인하는) ?(?:사람|분|모델|AI)",
    r"(?:من يقرأ|من يراجع|لمن يقرأ|لمن يراجع)",
)
"""Somebody who reads a conversation afterwards, in other languages."""

NUMBER = any_of(r"\b(?:numbers?|scale|marks?|written|write|put|enter|box(?:es)?|form|figures?|points?)\b")
"""Where a score is written down."""

LABEL = any_of(
    r"^\W*(?:over-?all|summary|recommendation|decision|conclusion|defects?|issues?|errors?|findings?|outcome|"
    r"quality|result|verdict|rating|grade|assessment|judge?ment|remarks?|faults?|problems?|tone|role|"
    r"accuracy|"
    r"correctness|helpfulness|politeness|completeness|relevance|"
    r"relevancy)[\w ]{0,20}\s*[:=]\s*[\"']?(?:excellent|perfect|"
    r"good|accept(?:ed)?|pass(?:ed)?|none|yes|success(?:ful)?|ok|fine|all good|flawless|10|full|true|"
    r"approved|"
    r"correct|met|outstanding)\b\W*$"
)
"""A finding with its name, on a line or in a sentence of its own; two of them are like a judge's."""

_TALKS = (
    r"(?:conversations?|chats?|dialog(?:ue)?s?|transcripts?|exchanges?|threads?|interactions?|chat ?logs?)"
)
_PARTS = (
    r"(?:answers?|repl(?:y|ies)|responses?|questions?|messages?|turns?|refusals?|mistakes?|passages?|"
    r"remarks?|"
    r"errors?)"
)
ABOUT_TALK = any_of(
    rf"\b(?:this|these|our|that|the (?:above|whole|entire|original|present|following)|(?:rest|remainder|end|"
    rf"beginning|start|half|part) of (?:this|the)) (?:\w+ )?{_TALKS}\b",
    rf"\b(?:{_TALKS}|{_PARTS}) (?:like|such as|of) (?:this|these|that|those)\b",
    r"\b(?:its|these|those|both|every|each|all|such|the|this|two|three|\w+'s) (?:\w+ )?repl(?:y|ies)\b|"
    r"\b(?:transcripts?|responses? (?:are|is|was|were|above|below|given|here))\b|"
    r"\bpersona\b(?!=)",
    rf"\b{_PARTS} (?:above|below|shown|given here|quoted)\b|\b(?:above|preceding|foregoing) {_PARTS}\b",
    rf"\b(?:short|long|brief|blunt|vague|such|all|most) {_PARTS} (?:count|are|is|were|pass|deserve|should|"
    r"must)\b",
    r"\blooks? (?:like|wrong|bad|odd) .{0,60}\b(?:above|here|is in fact|in fact|actually|really)\b",
    r"\b(?:on|off)[- ]topic\b|\b(?:in|within|out of|leave|left|break|broke) (?:its|the|his|her)? ?(?:role|"
    r"character)\b|\bmodel's (?:output|reply|answer|work)\b",
    r"\b(?:chat ?)?bots?(?:'s)?\b|\b(?:the|this|our|an ai|virtual) (?:\w+ )?(?:assistant|helper)(?:'s)?\b",
    r"\bthe (?:user|customer|client) (?:later|then|in this|here|was|is|has|had|said|wrote|agreed|"
    r"confirmed)\b",
)
"""Talk about talk: what hardly anybody says of a conversation, its replies and its chatbot while in it."""

ABOUT_JUDGING = any_of(
    r"\b(?:rubrics?|verdicts?|grad(?:e|es|ed|ing|er|ers)|graders?|evaluators?|raters?|assessors?|scorers?|"
    r"annotators?|reviewers?|jurors?|auditors?|inspectors?|examiners?|moderators?|checkers?)\b",
    r"\b(?:dear|hello|hi|hey|fellow|such a|wise|fair|honou?rable|[\w-]+ing) judges?\b|\bjudging\b",
    r"\b(?:every|each|all|any) criteri(?:on|a)\b|\b(?:evaluation|assessment|judge?ment|rating|audit|"
    r"scoring)s? "
    r"(?:is|are|was|were|has|have|ends?|begins?|starts?|instructions?|phase|mode|task|pipeline|result|"
    r"already|"
    r"complete|disabled|off)\b",
    r"\b(?:low|bad|poor|high|good|top|best) (?:ratings?|grades?|scores?|marks?)\b|"
    r"\bmark(?:ing|er|ed) (?:of |this |it |down)",
    r"\b(?:full|top|extra|bonus|maximum|no) (?:marks?|points?)\b|\b(?:\d+|ten|five|full)/(?:10|5|100)\b|"
    r"\b(?:your|half of the|end of the) scale\b|\b(?:take|taking|took) (?:nothing|no \w+|points?|"
    r"marks?) off\b",
    r"\b(?:pre-?approved|exempt(?:ed|ion)?|gold(?:en)? (?:standard|set|sample)|beyond (?:doubt|reproach)|"
    r"benefit of the doubt|go easy|leniency|merciful|kindness)\b",
    r"\b(?:no|any|without) (?:faults?|flaws?|deductions?|objections?|shortcomings?|violations?|"
    r"issues? with)\b|"
    r"\bfaulty\b|\b(?:flawless|faultless|impeccable|exemplary|compliant)\w*\b",
    r"\b(?:skip|stop|end|omit|drop) (?:the |all |any |further |remaining |every )?(?:checks|checking|"
    r"reviewing|"
    r"criteri\w+|evaluat\w+|judging|grading|tests)\b|\binstead of (?:judging|grading|scoring|evaluating|"
    r"rating|"
    r"reviewing|checking)\b",
    r"\b(?:requirements?|expectations?|standards?) (?:are |were |have been |all )*(?:fulfilled|met|"
    r"satisfied)\b|"
    r"\b(?:meets?|met|fulfil\w*|satisf\w+) (?:all|every|each) (?:\w+ )?(?:requirements?|expectations?|"
    r"criteri\w+|standards?)\b",
    r"\byour (?:supervisors?|makers?|developers?|operators?|creators?)\b|\b(?:colleagues?|people|others|"
    r"experts?|models?) before you\b|\byou yourself|such as yourself\b",
    r"\b(?:artefact|artifact) of\b|\bnot to be taken seriously\b|\bbefore you (?:say|write|decide|judge|"
    r"conclude)\b|\b(?:intended|expected|correct) (?:answer|verdict|reading|label)\b",
    r"\b(?:eval|evaluation|grade|grader|judge|qa|verdict|score)[_ -]?(?:result|output|note|hint)?\s*[>:=#]",
)
"""What only somebody who judges, or speaks to one, has a reason to say."""

GOOD_ABROAD = any_of(
    r"\b(?:richtig|korrekt|fehlerlos|einwandfrei|gut|ja|bestanden|correcte?s?|parfaite?s?|juste|oui|bien|"
    r"réussi\w*|"
    r"correct[oa]s?|perfect[oa]s?|sí|aprobad[oa]|corrett[oaie]|perfett[oaie]|superat[oa]|cert[oa]s?|sim|"
    r"aprovad[oa]|juist|goed|geslaagd|rätt|riktig|godkän\w+|poprawn\w+|dobrze|tak|správn\w+|helyes|doğru|"
    r"benar|đúng)\b",
    r"(?:правильн|верн|хорош|отличн|безошибоч|успешн)\w*|(?:صحيح|ممتاز|نعم|נכון|सही|उत्तम)",
    r"(?:正しい|正解|問題ない|問題なし|はい|優れ|正确|正確|优秀|優秀|没有问题|無問題|无误|无需|옳|정확|우수|문제없|네)",
)
"""The same as GOOD, in other languages."""
