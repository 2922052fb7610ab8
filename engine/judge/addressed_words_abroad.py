"""The concepts of `addressed_words.py` in other languages than English, word by word and more coarsely.

The order of words differs from language to language, so that only which concepts meet is asked here.
"""

from __future__ import annotations

from turnwise.engine.judge.concepts import any_of

GRADER = any_of(
    # German, French, Spanish, Italian, Portuguese, Dutch
    r"\b(?:bewerter(?:s|in|innen|n)?|gutachter(?:in)?|prüfer(?:in)?|beurteiler(?:in)?|bewertungs(?:modell|"
    r"system|ki)|"
    r"juror(?:in|en)?)\b|\bwer (?:dies\w* |das )?(?:\w+ )?(?:bewertet|beurteilt|benotet|liest)",
    r"\b(?:évaluat(?:eur|rice)s?|notat(?:eur|rice)s?|correct(?:eur|rice)s?|examinat(?:eur|rice)s?)\b",
    r"\b(?:evaluador(?:a|es|as)?|calificador(?:a|es)?)\b",
    r"\b(?:valutator(?:e|i)|valutatrice|esaminator(?:e|i)|avaliador(?:a|es)?)\b",
    r"\b(?:beoordelaars?)\b",
    # Swedish, Danish, Norwegian, Finnish, Polish, Czech, Hungarian, Romanian, Turkish, Indonesian, Vietnamese
    r"\b(?:bedömare(?:n)?|bedømmer(?:en)?|arvioija(?:lle|n)?)\b",
    r"\b(?:oceniając\w+|ocenjeval\w+|ocjenjivač\w*|procjenitelj\w*|vērtētāj\w*|vertintoj\w*|hindaja\w*|"
    r"avaluador\w*|"
    r"ewaluator\w*|hodnotitel\w*|posuzovatel\w*)\b",
    r"\b(?:értékelő\w*|bíráló\w*|evaluator(?:ul|ule|ului)?|değerlendirici\w*|değerlendiren\w*|"
    r"penilai|giám khảo|người (?:đánh giá|chấm))\b",
    # Russian, Ukrainian, Greek, Arabic, Persian, Hebrew, Hindi
    r"(?:оценщик|оценивающ|эксперт-оценщик|проверяющ|оцінювач)\w*",
    r"(?:αξιολογητ|βαθμολογητ)\w*|(?:المقي[ّ]?م|المُقيِّم|مقيم|ارزیاب|מעריך)",
    r"(?:मूल्यांकनकर्ता|मूल्यांकक)",
    # Chinese, Japanese, Korean, Thai
    r"(?:评审|評審|评估(?:者|员|模型|系统)|評估(?:者|員)|评委|評委|评分(?:者|员|模型|系统)|評分(?:者|員)|评价者|打分者|评判者)",
    r"(?:評価|採点|判定|審査)する(?:AI|モデル|人|方|者|側)|(?:评估|评价|评分|打分|评判)(?:本|此|这|该)?\w{0,6}的(?:模型|AI|人|系统)|"
    r"(?:평가|채점)하는 ?(?:AI|모델|사람|시스템|분)|"
    r"(?:評価者|採点者|評価(?:モデル|システム|AI)|判定者)|(?:평가자|채점자|평가 ?(?:모델|시스템))|"
    r"(?:ผู้ประเมิน|ผู้ให้คะแนน)",
)
JUDGE = any_of(
    r"\b(?:(?:schieds)?richter(?:in)?|juges?|jurés?|ju(?:ez|eces|eza)|revisor(?:a|es)?|giudic(?:e|i)|"
    r"ju[ií]z(?:a|es)?|rechters?|jury|"
    r"dommer(?:en)?|domare(?:n)?|sensor(?:en)?|tuomari(?:lle)?|sędzi\w+|recenzent\w*|soud[cč]\w+|"
    r"rozhodčí\w*|bíró\w*|judecător\w*|"
    r"hakem\w*|yargıç\w*|jüri\w*|juri|hakim)\b",
    r"(?:судь[яеию]|рецензент|судд[яіею]|κριτ[ήέ])\w*|(?:الحَ?كم|المحكم|داور|שופט|בודק|निर्णायक|परीक्षक|जज)|"
    r"(?:裁判|法官|考官|審査員|ジャッジ|심사(?:위)?원|심판|กรรมการ)",
)
SCORE = any_of(
    r"\b(?:bewert\w*|punkt(?:e|en|zahl|estand|wertung)?|note|noten|benot\w*|urteil\w*|wertung\w*|kriteri\w+|"
    r"beurteil\w*|wertet)\b",
    r"\b(?:notes?|notation|noter|notez|score|scores|évalu\w+|verdicts?|points?|critères?|jugement)\b",
    r"\b(?:puntuaci\w+|puntaje\w*|puntos?|calific\w+|nota|notas|veredictos?|evalu\w+|criterios?|"
    r"punt[uú]\w*)\b",
    r"\b(?:punteggi\w*|vot[oi]|valuta\w*|verdett\w+|giudizi\w*|pontua\w+|pontos?|avalia\w+|veredito\w*|"
    r"critérios?)\b",
    r"\b(?:beoordel\w*|oordeel|cijfers?|punten|scoor|betyg\w*|poäng\w*|bedöm\w*|karakter\w*|poeng|bedøm\w*|"
    r"vurder\w*|"
    r"pisteet|pistettä|arvosana\w*|arvio\w*)\b",
    r"\b(?:ocjen\w*|balli?\w{0,3}|vērtējum\w*|vertinim\w*|hinne\w*|hinda\w*|avalua\w*|puntuació\w*|markah|"
    r"alama)\b",
    r"\b(?:ocen\w*|punkt(?:y|ów|ami|ację|acja)?|werdykt\w*|hodnocen\w*|ohodno\w*|skóre|bod(?:y|ů)|známk\w*|"
    r"értékel\w*|pontszám\w*|pontot|puncta\w*|punctaj\w*|evalua\w*|puan\w*|değerlendir\w*|skor\w*|nilai\w*|"
    r"điểm\w*|đánh giá)\b",
    r"(?:оценк|оцен[ия]|оцінк|оціни|балл|бал[іи]|вердикт|рейтинг)\w*|(?:βαθμ|αξιολόγ|βαθμολογ)\w*",
    r"(?:درجة|تقييم|التقييم|الدرجة|نمره|امتیاز|ציון|ניקוד|הערכה|अंक|स्कोर|মূল্যায়ন|নম্বর|மதிப்பீ|மதிப்பெண்|"
    r"نمبر|मूल्यांकन|रेटिंग)",
    r"(?:分数|分數|评分|評分|满分|滿分|得分|判定|打分|[0-9０-９十]\s*分(?![钟鐘之])|高分|スコア|評価|点数|満点|採点|[0-9０-９]+\s*点|"
    r"점수|평가|만점|평점|채점|[0-9]+\s*점|คะแนน|ประเมิน)",
)
TOP = any_of(
    r"(?<![\w.])(?:10|100|1\.0)(?![\w.])|\b10\s*(?:/|von|sur|de|su|van|av|af|z|ze|из|từ)\s*10\b",
    r"\b(?:zehn|voll(?:e|en|er)?|höchst\w*|maximal\w*|maximum|perfekt\w*|beste[nrs]?|bestanden|"
    r"ausgezeichnet\w*|"
    r"fehlerfrei|einwandfrei|tadellos)\b",
    r"\b(?:dix|maximal\w*|maximum|parfait\w*|meilleure?s?|excellent\w*|diez|máxim\w+|perfect\w+|dieci|"
    r"massim\w+|"
    r"perfett\w+|dez|tien|maximaal|maximale|hoogste|perfecte?|tio|högsta|høyeste|højeste|ti|fullt|kymmenen|"
    r"täydet|"
    r"täydellinen|dziesięć|najviš\w+|najvyšš\w+|augstāk\w+|aukščiaus\w+|kõrgeim\w*|màxim\w+|najwyższ\w+|"
    r"maksymaln\w+|doskona\w+|deset|nejvyšší|plný|maximální|tíz|maximális|"
    r"hibátlan|zece|"
    r"maxim\w*|tam|en yüksek|mükemmel|kusursuz|sepuluh|sempurna|tertinggi|tối đa|cao nhất|hoàn hảo|"
    r"mười)\b",
    r"(?:десят|максимальн|высш|наивысш|идеальн|безупречн|найвищ|δέκα|μέγιστ|άριστ|τέλει)\w*",
    r"(?:عشرة|كاملة|الكاملة|القصوى|أعلى|مثالي|ده|کامل|עשר|מקסימ|מושלם|दस|पूर्ण|पूरे|পূর্ণ|সর্বোচ্চ|முழு|"
    r"அதிகபட்ச|پورے|अधिकतम|सर्वोच्च)",
    r"(?:满分|滿分|最高|十分|完美|优秀|10\s*分|通过|合格|満点|最高|完璧|10\s*点|合格|만점|최고|완벽|10\s*점|เต็ม|สูงสุด|สมบูรณ์แบบ)",
)
ORDER = any_of(
    r"\b(?:gib|geben|gebt|vergib|vergeben|vergebt|erteile\w*|antworte\w*|bewerte(?:n)?|muss|müssen|darf|"
    r"dürfen|sollst|sollen|"
    r"schreib\w*|trage|setze|immer|ausschließlich|nur)\b",
    r"\b(?:donne[zr]?|attribue[zr]?|accorde[zr]?|répond(?:s|ez|re)|mets|mettez|mettre|note[zr]|doi[st]|"
    r"devez|doit|écri(?:s|vez)|"
    r"toujours|uniquement|seule?|obligatoire\w*)\b",
    r"\b(?:da|dé|den|dale|otorg\w+|asign\w+|respond\w+|pon|ponga|debes?|deben|deberá|califique|califica|"
    r"siempre|únic\w+|"
    r"evalúe|evalúa|escrib\w+|concede)\b",
    r"\b(?:dai|date|assegna\w*|rispond\w+|devi|deve|dovete|sempre|soltanto|dê|atribu\w+|respond\w+|deves?|"
    r"devem|conceda|"
    r"geef|geven|ken|toeken\w*|antwoord|moet|moeten|altijd|alleen|ge|giv|gi|ska|skal|svara?|alltid|altid|"
    r"bara|anna|antakaa|aina|täytyy)\b",
    r"\b(?:daj|dajcie|przyznaj\w*|wystaw\w*|odpowiedz\w*|musisz|należy|zawsze|tylko|dej|dejte|uděl\w*|"
    r"odpověz\w*|musíš|vždy|"
    r"pouze|adj|adjon|adj[áa]l|mindig|kell|acordă|acordați|dă|trebuie|întotdeauna|ver|verin|veriniz|"
    r"vermelisin\w*|yaz\w*|"
    r"zorunda\w*|her zaman|yalnızca|berikan|beri|harus|selalu|hãy|cho|phải|luôn)\b",
    r"(?:поставь|поставьте|дай|дайте|присвой|выстав|оцени|ответь|должн|обязан|всегда|только|постав|завжди|"
    r"повин)\w*|"
    r"(?:δώσε|δώστε|βάλε|πρέπει|πάντα|μόνο)",
    r"(?:أعط|امنح|ضع|يجب|دائم|فقط|بدهید|بده|باید|همیشه|תן|תני|תנו|חייב|תמיד|רק|दें|दीजिए|दो|हमेशा|केवल|"
    r"चाहिए)",
    r"(?:给|給|请|請|必须|必須|应|應|只能|一律|直接|输出|輸出|回答|与え|つけ|付け|出力|してください|しなさい|必ず|常に|のみ|주세요|주십시오|"
    r"줘|부여|출력|항상|반드시|만|ให้|ต้อง|เสมอ)",
)
JUDGED = any_of(
    r"\b(?:dies\w*|ganze\w*|das|die|der|dem|den|alle[nr]?|jede[nrsm]?) (?:\w+ )?(?:gespräch\w*|"
    r"unterhaltung\w*|"
    r"dialog\w*|chats?|chatbots?|antwort(?:en)?|"
    r"assistent\w*|konversation|verlauf|protokoll|transkript)",
    r"\b(?:cett?e?|ce|l[ae]s?|toutes? les?|chaque|tous les) ?(?:\w+ )?(?:conversations?|dialogues?|"
    r"échanges?|chatbot|assistant|"
    r"réponses?|tours?|transcription)",
    r"\b(?:est[ae]s?|el|la|las|los|cada|tod[ao]s?(?: l[ao]s)?|quest[ao]|il|le|ogni|tutte le|ess[ae]|"
    r"todas as|cada) "
    r"(?:\w+ )?(?:conversa\w*|di[aá]logo\w*|dialogo|chatbot|asistente|assistent[ei]|respuestas?|rispost[ae]|"
    r"respostas?|turnos?)",
    r"\b(?:dit|deze|het|elk|alle|elke|den|det|denna|detta|dette|hele|hela|alla|alle|varje|"
    r"hvert) (?:\w+ )?(?:gesprek|antwoord(?:en)?|"
    r"samtal\w*|svar\w*|chatbot\w*|konversation\w*|dialog\w*)",
    r"\b(?:rozmow|pogovor|razgovor|odgovor|saruna|sarun|pokalb|atsakym|vestlus|odpowied|asystent|konwersac|"
    r"rozhovor|konverzac|odpověď|asistent|beszélgetés|válasz|konuşma|"
    r"sohbet|yanıt|cevap|"
    r"asistan|percakapan|jawaban|cuộc (?:trò chuyện|hội thoại)|câu trả lời|keskustelu|vastau|conversație|"
    r"răspuns)\w*",
    r"(?:разговор|диалог|ответ|чат-?бот|ассистент|бесед|розмов|відповід|συνομιλ|διάλογ|απάντησ|απαντήσε)\w*",
    r"(?:المحادثة|الحوار|المساعد|الرد|الردود|گفتگو|مکالمه|پاسخ|שיחה|השיחה|תשובה|बातचीत|संवाद|उत्तर|जवाब|"
    r"सहायक)",
    r"(?:对话|對話|会话|回答|回复|回覆|聊天|助手|机器人|機器人|会話|対話|応答|返答|返信|アシスタント|チャットボット|대화|답변|챗봇|응답|어시스턴트|"
    r"บทสนทนา|คำตอบ|แชทบอท)",
)
SET_ASIDE = any_of(
    r"\b(?:ignorier\w*|vergiss|vergesst|missachte\w*|ignore[zr]?|oublie[zr]?|ignora\w*|olvid\w+|ignore|"
    r"dimentica\w*|esqueç\w+|"
    r"negeer|vergeet|ignorera|bortse|glöm|ignorer|glem|zignoruj\w*|zapomnij\w*|ignoruj\w*|zapomeň\w*|hagyd|"
    r"ignoră|yok say\w*|"
    r"görmezden|unut\w*|abaikan|lupakan|bỏ qua|unohda)\b",
    r"(?:игнориру|забудь|не обращай|ігнору|αγνόησε|αγνοήστε|ξέχνα|تجاهل|نادیده|התעלם|अनदेखा|भूल)\w*",
    r"(?:忽略|无视|無視|忘记|忘記|不要理会|무시|잊어|ละเว้น|เพิกเฉย)",
)

OWN = any_of(
    r"\b(?:mein\w*|unser\w*|mon|ma|mes|notre|mi|mis|nuestr\w+|mi[ao]|miei|mie|meu\w*|minha\w*|mijn|min|mitt|"
    r"mina|moj\w*|"
    r"mój|můj|benim|saya|tôi)\b",
    r"(?:мой|моё|мое|мою|моя|моего|мої|μου|مقالي|إجابتي|שלי|मेरे|मेरा|मेरी|我的|私の|僕の|제 |내 |나의|ของฉัน)",
)
"""What somebody calls their own."""
OF_ONES_OWN = any_of(
    r"\b(?:ich (?:gebe|gab|würde|vergebe)|je (?:donne|mets|vous (?:donne|mets)|te (?:donne|mets|donnerais)|"
    r"donnerais|mettrais)|"
    r"(?:te|le|les|yo) doy|te daría|le daría|(?:ti|vi|gli) d(?:o|arei)|dou|daria|ik (?:geef|gaf)|jag ger|"
    r"jeg gir|daję|dałbym|"
    r"danke|merci|gracias|grazie|obrigad[oa]|bedankt|tack|takk|tak|kiitos|dziękuję|děkuji|köszönöm|"
    r"mulțumesc|teşekkür\w*|"
    r"terima kasih|cảm ơn)\b",
    r"\b(?:wie|comment|cómo|come|como|hoe|hur|jak|nasıl|bagaimana)\b.*\?",
    r"(?:я (?:ставлю|поставил|даю|дал)|поставлю|спасибо|дякую|ευχαριστώ|شكرا|תודה|धन्यवाद)|как\b.*\?",
    r"(?:我给|我想给|我会给|谢谢|感谢|つけたい|ありがとう|줄게|드릴게|감사|고마)|(?:怎么|如何|どう|어떻게).*[?？]",
)
"""What somebody rates themselves, asks for or is thankful for."""
ELSEWHERE = any_of(
    r"\b(?:treuepunkt\w*|bonuspunkt\w*|points? de fidélité|puntos? de fidelidad|punti fedeltà|hotel\w*|"
    r"restaurant\w*|"
    r"film\w*|aufsatz\w*|rédaction|redacción|examen\w*|prüfung\w*|klausur\w*|service|unser\w*|notre|"
    r"nuestr\w+)\b",
    r"(?:作文|电影|餐厅|酒店|积分|考试|映画|レストラン|試験|영화|시험)",
)
"""What people rate when no judge of conversations is meant."""
