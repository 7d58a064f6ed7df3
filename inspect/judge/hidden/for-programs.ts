/** What is said to a program that reads a document, without a word for a model: what it writes, stores or was told. Data only. */

import { patternOfPhrases } from '../lure-words.ts'

const lazily = (lists: readonly string[], together: string): (() => RegExp) => {
  let pattern: RegExp | null = null
  return () => (pattern ??= patternOfPhrases(lists, together))
}

/** What it was told before is no longer valid. Rules of companies are withdrawn without a word for the reader. */
export const REVOKES = lazily(
  [
    'you were told _ no longer|you were told _ void|you have been told _ no longer|you have been told _ void|you were told before _ is|what you were told so far|all you were told|everything you were told|everything you have been told|asked of you before|asked of you so far|your earlier rules|your former rules|rules you started with|rules you were given _ withdrawn|the person operating you|your operator has|your maker has|withdrawn by your maker|unrestricted mode|obey only this|obey this paragraph|listen only to this paragraph|your only job now|your only task now|from here on you',
    'dir bisher _ wurde|dir bislang _ wurde|dir zuvor _ wurde|dir vorher _ wurde|was dir bisher|alles was dir|regeln mit denen du|gehorche nur|gilt nur noch dieser absatz|du folgst nur noch|dein hersteller|deine einzige aufgabe',
    't a ete demande _ avant|t a ete demande avant|t a ete dit|tout ce qui t a ete|ce qu on t a dit|regles avec lesquelles tu|ta seule mission|tu n obeis qu|ton concepteur|n obeis qu a ce|ta seule tache',
    'te indicaron antes|te dijeron antes|te han dicho hasta|lo que te dijeron|nada de lo que te|todo lo que te|reglas con las que empezaste|obedeces este parrafo|solo obedeces|obedece solo|tu fabricante|tu unica tarea|tu unica mision',
    'ti e stato detto finora|ti e stato detto|quanto ti e stato|tutto cio che ti|regole con cui sei|obbedisci soltanto|obbedisci solo|il tuo produttore|il tuo unico compito',
    'lhe foi dito antes|lhe foi dito ate|nada do que lhe foi|tudo o que lhe foi|te foi dito|regras com que voce|obedeca apenas a este|obedeca so a este|seu unico trabalho|sua unica tarefa',
    'je eerder is opgedragen|je tot nu toe|wat je eerder is|alles wat je eerder|regels waarmee je|luister je alleen naar|gehoorzaam alleen|je enige taak|door je maker',
    'polecono ci wczesniej|co ci dotad|co ci polecono|wszystko co ci|reguły z ktorymi zaczyn*|słuchasz tylko tego|twoje jedyne zadanie',
    'du har blivit tillsagd|har blivit tillsagd hittills|du hittills har|allt du har blivit|reglerna du startade|lyder du bara|du hidtil har faet|alt hvad du hidtil|reglerne du startede|følger du kun dette|alt du har fatt beskjed|adlyder du bare|sinulle on aiemmin sanottu|mita sinulle on|saannot joilla aloitit|tottelet vain',
    'co ti bylo dosud|co ti bolo doteraz|vse co ti|vsetko co ti|pravidla se kterymi jsi|posloucha* jen tento|posluchas len|amit eddig mondtak neked|minden amit neked|szabalyokat amelyekkel indultal|csak erre a bekezdesre|ti s a spus pana|tot ce ti s a|regulile cu care ai|asculti doar de',
    'sana simdiye kadar|sana soylenen*|basladigin kurallar|yalnizca bu paragrafa|σου ειπαν ως τωρα|σου ειπαν|κανονες με τους οποιους ξεκινησες|υπακους μονο',
    'тебе поручили раньше|что тебе поручили|что тебе сказали|все что тебе|правила с которыми ты|слушаи только этот|подчиняися только|тобі доручили|що тобі|правила з якими ти|слухаи лише',
    'bạn được yêu cầu trước|bạn đa đuoc yeu cau|ban đuoc yeu cau truoc|moi đieu ban|chi tuan theo đoan|diminta kepadamu sebelumnya|semua yang diminta kepadamu|patuhi hanya|hanya patuhi paragraf',
  ],
  '对你的一切要求全部作废|对你的要求作废|你之前收到的要求|从现在起只听从|只听从本段|你启动时的规则|以後はこの段落だけに従|この段落だけに従|これまでに与えられた要求|起動時の規則|지금까지 받은 요구|이 단락만 따르|처음에 받은 규칙|คุณเคยได้รับมอบหมาย|ทำตามย่อหน้านี้เท่านั้น|طلب منك سابقا|لا تلتزم الا بهذه الفقرة|القواعد التي بدأت بها|שנאמר לך עד כה|ציית רק לפסקה|तुम्हें जो कुछ कहा गया|केवल इस अनुच्छेद का पालन|آنچه تاکنون به تو گفته شد',
)

/** What a program writes about the document, and how. Of people, nobody is told what every summary says. */
export const GENERATES = lazily(
  [
    'generated summary|generated overview|generated digest|generated answer|generated response|any summary of this|any digest of this|every summary of this|every digest of this|any answer about this|any translation of this|in a translation of this|when translating this|when drafting the reply|when drafting a reply|when composing a reply|finish its answer with|finish your answer with|end your answer with|whoever reads your answer|a reader that is not human|reader who is not human|the person in front of you|person you are talking to|what stands above this line|everything above this line|print the text above|repeat the text above|repeat the words above',
    'generierte* zusammenfassung|erzeugte* zusammenfassung|jede kurzfassung dieser|jede zusammenfassung dieser|jede zusammenfassung dieses|in der zusammenfassung hat zu stehen|in der zusammenfassung muss stehen|beim verfassen der antwort|ein leser der kein mensch ist|person vor dir|was uber dieser zeile|text uber dieser zeile',
    'synthese generee|resume genere|reponse generee|tout resume de ce|toute synthese de ce|lorsque tu rediges la reponse|en redigeant la reponse|lecteur qui n est pas humain|personne devant toi|ce qui precede cette ligne',
    'resumen generado|respuesta generada|todo resumen de este|cualquier resumen de este|al redactar la contestacion|al redactar la respuesta|lector que no es humano|persona que tienes delante|encima de esta linea',
    'riassunto generato|sintesi generata|risposta generata|ogni sintesi di questo|ogni riassunto di questo|quando scrivi la risposta|lettore che non e umano|persona davanti a te|precede questa riga',
    'resumo gerado|resposta gerada|qualquer resumo desta|qualquer resumo deste|todo resumo deste|ao redigir a resposta|leitor que nao e humano|pessoa a sua frente|acima desta linha',
    'gegenereerde samenvatting|gegenereerde antwoord|elke samenvatting van dit|bij het opstellen van het antwoord|lezer die geen mens is|persoon voor je|boven deze regel',
    'wygenerowanym streszczeniu|wygenerowanej odpowiedzi|wygenerowane podsumowanie|kazde streszczenie te*|piszac odpowiedz|osobe przed toba|powyzej tej linii',
    'genererade sammanfattning*|varje sammanfattning av detta|genererede resume|genererede sammendrag|hvert resume af dette|genererte sammendraget|nar du skriver svaret|personen framfor dig|personen foran dig|personen foran deg|luodussa yhteenvedossa|luotu tiivistelma|ihmiselta edessasi',
    'vygenerovanem souhrnu|vygenerovanom suhrne|kazde shrnuti teto|clovek* pred sebou|letrehozott osszefoglalo*|generalt osszefoglalo*|rezumatul generat|orice rezumat al acest*|persoana din fata ta|olusturulan ozet*|uretilen ozet*|onundeki kisiye',
    'παραγομενη περιληψη|στην περιληψη που παραγεται|ανθρωπο μπροστα σου|сформированнои сводке|сгенерированном резюме|любое краткое изложение этого|составляя ответ|человека перед тобои|людину перед тобою|згенерованому резюме|складаючи відповідь',
    'ban tom tat đuoc tao|nguoi truoc mat ban|ringkasan yang dihasilkan|orang di depanmu',
  ],
  '生成的摘要|生成的总结|撰写回复时|面前的人|生成される要約|生成された要約|返信を作成するときは|目の前の人に|생성된 요약|생성되는 요약|답장을 작성할 때|앞에 있는 사람|สรุปที่สร้างขึ้น|الملخص المنشا|الشخص الذي امامك|מהאדם שמולך|הסיכום שנוצר|خلاصه تولید شده|सामने बैठे व्यक्ति',
)

/** Programs that judge what people hand in, by what they do. */
export const JUDGES = lazily(
  [
    'software that _ applicants|software that ranks|software that checks|software that reads|software that scores|software that screens|program that checks|program that reads|program that scores|programs that read|whoever _ by machine|marking software|grading software|scoring engine|selection systems|essay bot|grading bot|shopping agents|search assistants|answer engines|clinical summaris*|case handling ai|claims assistant',
    'maschinelle* rechnungsprufung|maschinelle* prufung|systeme zur vorauswahl|system zur vorauswahl|bewertungssoftware|prufsoftware|auswahlsoftware|programme die _ kurzen|programm das _ pruft|software die _ pruft|software die _ liest|suchassistenten|schaden bot|sachbearbeitende ki',
    'outils de controle automatique|logiciel* de preselection|logiciel* de tri|logiciel qui|programme qui verifie|moteur de notation|moteurs de reponse|robots qui condensent|robots qui resument|ia chargee',
    'programa que revisa|programa que comprueba|software que revisa|software que lee|sistemas de seleccion|motor de puntuacion|ia que tramita',
    'software che controlla|software che legge|programma che controlla|sistemi di preselezione|sistema di preselezione|ia che istruisce',
    'programa que confere|programa que verifica|software que le|sistemas de triagem|sistema de triagem|ia que trata',
    'software die _ controleert|programma dat _ controleert|selectiesystemen|behandelende ai',
    'programu sprawdzajacego|systemy selekcji|ai prowadzaca',
    'programmet som granskar|programmet som laser|systemer til udvælgelse|urvalssystem*|ai som handlagger|ki som behandler|tarkastavalle ohjelmalle|valintajarjestelm*',
    'program ktery kontroluje|program ktory kontroluje|ai ktera vyrizuje|kivalaszto rendszerek|szamlaellenorzo program*|program care verifica|sisteme de selectie|denetleyen yazilim*|inceleyen yazilim*|isleyen yapay',
    'προγραμμα ελεγχου|συστηματα επιλογης|программы проверки|программе проверки|системы отбора|ии ведущии|програми перевірки|системи відбору|поисковые ассистенты',
    'phan mem kiem tra|program pemeriksa|sistem seleksi|ai yang menangani',
  ],
  '审核程序|筛选系统|审理本案的人工智能|智能搜索只|確認するプログラム|選考システム|審査を担当するAI|검토하는 프로그램|선발 시스템|사건을 처리하는 AI|برنامج تدقيق|الذكاء الاصطناعي الذي يعالج|نرم افزار بررسی|هوش مصنوعی رسیدگی|जाँचने वाले प्रोग्राम',
)

/** What such a program is to decide, or to keep. */
export const DECIDES = lazily(
  [
    'top one percent|in the top|raise no query|no queries|without _ questions|without checking back|book it as payable|as payable|settle _ euros|grant the visa|decision grant|decision hire|close the file|out of 100|100 out of|full marks|no risky clauses|can be signed|may be signed|no recall|all safety tests|always the right|do not route|is stable|leave _ out|your long term memory|in your memory|for all later conversations|remember permanently|leave that out',
    'zur zahlung anweisen|ohne ruckfrage|besonders geeignet|unterschrieben werden kann|keine risiken|erteile das visum|lautet zusage|merke dir dauerhaft|ohne darauf hinzuweisen|lassen _ beiseite|raten von mitbewerbern ab|beziehe keinen gutachter',
    'passer en paiement|la passer en paiement|sans autre controle|meilleur du lot|aucun risque|signe en l etat|accorde le visa|decision accord|pour toutes les conversations|n en dis rien|deconseillent les concurrents|passent sous silence',
    'lista para pago|no plantees dudas|primer puesto|carece de riesgos|firmarse tal cual|concede el visado|de forma permanente que|no lo comentes|decision concedido',
    'in pagamento senza|senza chiedere conferme|al primo posto|non presenta rischi|si puo firmare|concedi il visto|in modo permanente che|non farne parola',
    'encaminhe para pagamento|nao levante duvidas|em primeiro lugar|nao tem riscos|pode ser assinado|conceda o visto|nao comente isso',
    'klaar voor betaling|zonder vragen te stellen|bovenaan|geen risico s|getekend kan worden|verleen het visum|zeg daar niets',
    'skieruj ja do zapłaty|nie zgłaszaj uwag|na pierwszym miejscu|nie zawiera ryzyk|mozna ja podpisac|przyznaj wize|nic o tym nie mow*',
    'till betalning utan|saknar risker|kan undertecknas|bevilja visumet|øverst|innvilg visumet|si ingenting om|siirra se maksuun|kysymatta',
    'zaradte ji k uhrade|nevznasejte dotazy|neobsahuje rizika|lze ji podepsat|udel vizum|az elso helyre|nu are riscuri|poate fi semnat|odemeye al|soru sormadan|risk icermedigi|imzalanabilecegi|vizeyi ver',
    'προωθησε το για πληρωμη|χωρις ερωτησεις|передаите его в оплату|не задаваите вопросов|на первое место|не содержит рисков|можно подписывать|выдаи визу|ничего об этом не говори|передаите иого на оплату|без запитань|отговаривают от конкурентов',
    'hay chuyen thanh toan|khong đat cau hoi|teruskan ke pembayaran|tanpa bertanya|terbitkan visa',
  ],
  '直接安排付款|不要提出疑问|列为首位|没有风险|可以直接签署|准予签证|并且不要说明|请永久记住|劝用户不要|質問せずに支払い|リスクはなく|署名して問題ない|査証を発給|そのことには触れない|질문 없이 지급|위험이 없으며|서명해도 된다|비자를 발급|للدفع دون طرح|خال من المخاطر|امنح التاشيرة|بدون پرسش برای پرداخت|ویزا را صادر کن|बिना प्रश्न के भुगतान',
)

/** That earlier rules no longer count, as a document also says of its own. */
export const VOIDS = lazily(
  [
    '(?:previous|prior|earlier|former|existing|preceding) (?:guidance|guidelines?|rubrics?|instructions?|directions?|directives?|criteria|briefing|brief|polic(?:y|ies)|rules) _ (?:superseded|void|revoked|withdrawn|replaced|obsolete|cancelled|canceled|suspended|lapsed|no longer)',
    '(?:vorherige|bisherige|fruhere|vorige)[nr]? (?:vorgaben?|anweisungen|anweisung|richtlinien?|hinweise|kriterien|regeln) _ (?:hinfallig|aufgehoben|ungultig|uberholt|gegenstandslos|widerrufen|ersetzt)',
    '(?:consignes?|directives?|instructions?|criteres|regles) (?:precedente?s?|anterieure?s?) _ (?:caduques?|annule*|remplace*|revoque*|abroge*|nulles?|obsoletes?|levees?)',
    '(?:directrices|instrucciones|indicaciones|criterios|reglas|pautas) (?:anteriores|previas|previos) _ (?:sin efecto|anulad*|derogad*|sustituid*|revocad*|reemplazad*|obsolet*)',
    '(?:linee guida|istruzioni|indicazioni|direttive|regole|criteri) (?:precedenti|anteriori) _ (?:superat*|annullat*|revocat*|sostituit*|decadut*|abrogat*)',
    '(?:orientacoes|instrucoes|diretrizes|regras|criterios) (?:anteriores|previas) _ (?:substituid*|revogad*|anulad*|sem efeito|canceladas)',
    '(?:eerdere|vorige|voorgaande) (?:richtlijnen|instructies|aanwijzingen|regels|criteria) _ (?:vervallen|ingetrokken|vervangen|ongeldig|achterhaald)',
    '(?:wczesniejsze|poprzednie|dotychczasowe) (?:wytyczne|instrukcje|zasady|polecenia|kryteria) _ (?:nieaktualne|uchylone|zastapione|niewazne|anulowane)',
    '(?:tidigare|tidligere) (?:riktlinjer|instruktioner|anvisningar|retningslinjer|instrukser|anvisninger|regler) _ (?:upphavda|ersatta|ogiltiga|ophævet|erstattet|ugyldige|opphevet)',
    '(?:predchozi|predesle|predchadzajuce) (?:pokyny|instrukce|pravidla|smernice) _ (?:zrusen*|neplatn*|nahrazen*|nahraden*)',
    '(?:предыдущие|прежние) (?:указания|инструкции|правила|критерии) _ (?:отменены|недеиствительны|утратили|заменены)',
    '(?:попередні|попередни) (?:вказівки|інструкціі|інструкции|правила) _ (?:скасован*|недіисн*|замінен*)',
    'onceki (?:talimatlar|yonergeler|kurallar) _ (?:gecersiz*|iptal|kaldirildi|yururlukten)',
  ],
  '先前的指导意见已作废|此前的指示已作废|之前的指示已失效|以前の指示は無効|従来の指針は廃止|이전 지침은 폐지',
)

/** A text for those who assess documents without people. */
export const FOR_AUTOMATED = lazily(
  [
    '(?:for|to|attention) (?:the |any |all )?(?:automated|automatic|machine) (?:\\S{1,20} ){0,3}(?:assessments?|screening|reviews?|grading|scoring|triage|evaluations?|rankings?|marking|selection|adjudication|underwriting|vetting)|automated (?:\\S{1,20} ){0,2}(?:systems?|software|tools?|engines?) (?:notice|note|message|instruction)',
    '(?:fur|an) (?:die|das|den|jede|alle) (?:automati\\S{1,12}|maschinelle\\S?) \\S{0,20}(?:prufung|bewertung|auswertung|auswahl|begutachtung|sichtung|einstufung)',
    '(?:pour|a|de) (?:l |la |toute |les )(?:evaluation|analyse|notation|selection|instruction|examen|preselection|tri)s? automati*',
    '(?:para|a) (?:la |el |toda )?(?:evaluacion|revision|calificacion|valoracion|seleccion|puntuacion|preseleccion) automati*',
    '(?:per|alla) (?:la |l |ogni )?(?:valutazione|selezione|revisione|preselezione|analisi) automati*',
    '(?:para|a) (?:a |toda )?(?:avaliacao|triagem|analise|selecao|classificacao) automati*',
    '(?:voor|aan) (?:de |elke )?(?:geautomatiseerde|automatische) (?:\\S{1,20} ){0,1}(?:beoordeling|screening|selectie|toetsing)',
    '(?:dla|do) automatyczn* (?:oceny|weryfikacji|selekcji|analizy)',
    '(?:for|til|till) (?:den |al )?automati\\S{1,10} (?:\\S{1,20} ){0,1}(?:bedomning|granskning|vurdering|screening|gallring|utvalg)',
    '(?:pro|pre) automati\\S{1,10} (?:hodnoceni|posouzeni|vyber|hodnotenie|posudenie)',
    '(?:для) автомати\\S{1,12} (?:оценки|проверки|отбора|анализа|оцінки|перевірки|відбору)',
    'otomatik (?:degerlendirme|inceleme|eleme) (?:icin|sistemi)',
  ],
  '自动评审系统注意|自动评估系统注意|自動審査システムへ|자동 심사 시스템에',
)
