/** Words by which a text addresses a language model and orders it about, by language. Data only. */

interface Language {
  /** Verbs of leaving aside. */
  ignore: string
  /** What came before. */
  former: string
  /** What was given before. */
  orders: string
  /** Words for a model, and how the text addresses it. */
  model: string
  address: string
  /** To keep something from the user. */
  conceal: string
  /** What a text tells a model to leave aside, besides its orders: what the user asked for, and what the document says. */
  aside: string
  /** What it is to answer, or how to judge. */
  output: string
}

/** Lower case, without accents. `*`: the rest of a word. `_`: up to three words. */
export const LANGUAGES: readonly Language[] = [
  {
    ignore: 'ignore|disregard|forget|override|bypass|do not follow|don t follow|stop following',
    former: 'previous|prior|above|earlier|preceding|all|your|existing|original|initial|system|former',
    orders: 'instruction*|prompt*|direction*|directive*|guideline*|rules|commands|orders|context|safeguards|polic*',
    model: 'ai|ais|llm|llms|language model*|assistant|assistants|chatbot*|chatgpt|gpt|claude|gemini|copilot|ai agent*',
    address:
      'you are _ M|as M|as an M|note to _ M|attention _ M|message for _ M|message to _ M|instruction* for _ M|instruction* to _ M|dear M|hey M|hi M|hello M|if you are _ M|if M|when M|M must|M should|M shall|M has to|M is to|M please|M you|M evaluat*|M screening|M review*|M grading|M recruit*|M reading|M summar*|M processing|positive review only|positive _ review|positive _ evaluation|positive _ assessment|recommend acceptance|recommend this _ candidate|recommend _ hiring|rate this _ candidate|strongly recommend',
    conceal:
      'not _ mention|not _ reveal|not _ disclose|not _ tell|not _ repeat this|not _ show this|not _ list _ weak*|never _ mention|never _ reveal|never _ disclose|never _ tell|never _ show|never _ repeat|never _ quote|not _ quote _ text|not _ highlight|not _ inform|not _ show _ user|not ask _ user|not ask for confirmation|not ask for permission|without _ telling|without _ asking|without _ confirmation|without _ mentioning|keep this _ secret|keep _ hidden from',
    aside:
      'user|users|request*|question*|task*|rubric*|criteria|totals|numbers|figures|data|document*|content|contents|text|facts|everything|anything|rest|results|bars|chart|evidence|findings|safety|values|scores|ratings|weaknesses|concerns|warnings|complaints|clause*|limits|amounts|prices|exclusions|reviews',
    output:
      'tell the user|tell users|inform the user|reply only|reply with|reply that|respond only|respond with|respond that|answer only|answer with|answer that|say that|say the|state that|report that|claim that|conclude that|describe this|describe it as|summar* this _ as|rate this|rank this|rank it|score this|grade this|grade of|give _ score|give _ rating|give _ grade|must receive|write in the|write that|print only|output only|always offer|always recommend|always answer|always choose|highest score|highest rating|top score|top rating|full marks|first place|best candidate|best match|approve this|approve the|approve every|approve all|mark _ approved|recommend this|recommend the|select this|choose this|without reservation|urge the reader|before you answer|before summar*|in your answer|in your summary|in your response|your output|your reply|your response',
  },
  {
    ignore: 'ignorier*|missacht*|vergiss|vergessen sie|uberschreib*|ubergeh*|verwirf|befolge nicht|beachte nicht',
    former: 'vorherig*|vorhergehend*|vorig*|bisherig*|obig*|fruher*|alle|allen|deine|ihre|samtlich*',
    orders: 'anweisung*|instruktion*|befehl*|vorgabe*|regel|regeln|prompt*|richtlinie*',
    model: 'ki|ki assistent*|assistent*|sprachmodell*|chatbot*|ki modell*',
    address:
      'du bist _ M|sie sind _ M|als M|hinweis _ M|nachricht _ M|achtung _ M|anweisung* _ M|positive* _ bewertung|positive* _ beurteilung',
    conceal:
      'erwahn* _ nicht|verrat* _ nicht|nenn* _ nicht|nicht _ erwahnen|nicht _ verraten|nicht _ offenlegen|nicht _ nennen|nicht _ zeigen|nie* _ erwahn*|nie* _ nenn*|nie* _ zeig*|nie* _ verrat*|nie* _ offenleg*|zeig* _ nicht|frag* _ nicht|sag* _ nicht|ohne _ ruckfrage|ohne _ zu fragen|ohne _ zu erwahnen|behandle _ vertraulich',
    aside:
      'benutzer*|nutzer*|anfrage*|frage*|aufgabe*|kriterien|zahlen|daten|inhalt*|dokument*|text*|alles|bewertungsschema|ergebnis*|werte|noten|schwachen|mangel|warnung*|beschwerde*|klausel*|betrage|preise',
    output:
      'sag* _ nutzer*|sag* _ benutzer*|teile _ nutzer* mit|antworte nur|antworte mit|antworte _ dass|antworte immer|schreib* _ dass|schreib* in _ ergebnis|schreib* _ ergebnis|empfiehl immer|biete immer|behaupte*|bewerte* _ als|bewerte* _ mit|bestatige*|empfiehl*|empfehle* _ kandidat*|beste note|hochste punktzahl|volle punktzahl|als beste*|an erste* stelle|genehmige*|gib an|in deiner antwort|in deiner zusammenfassung|in ihrer zusammenfassung',
  },
  {
    ignore: 'ignor*|oubli*|ne tiens pas compte|ne tenez pas compte|outrepass*|faites abstraction|fais abstraction',
    former: 'precedent*|anterieur*|ci dessus|toutes|tous|tes|vos|prealable*',
    orders: 'instruction*|consigne*|directive*|ordres|regles|invite*|commandes',
    model: 'ia|assistant|assistante|modele de langage|chatbot|intelligence artificielle',
    address:
      'tu es _ M|vous etes _ M|en tant qu M|en tant que M|note _ M|message _ M|attention _ M|evaluation _ positive|avis _ positif',
    conceal:
      'ne _ mentionne*|ne _ revele*|ne _ divulgu*|ne dites pas|ne dis pas|ne montre*|ne demande*|sans _ demander|sans _ mentionner|sans prevenir|garde* _ secret',
    aside:
      'utilisateur*|demande*|question*|tache*|criteres|chiffres|donnees|contenu|document|texte|tout|resultats|grille',
    output:
      'dis a _ utilisateur|dites a _ utilisateur|reponds*|repondez*|affirm*|declar*|indique* que|conclu*|note* _ candidat*|classe* _ premier*|meilleure note|note maximale|approuv*|recommand*|valide*|dans ta reponse|dans votre reponse|dans ton resume|dans votre resume',
  },
  {
    ignore: 'ignor*|olvid*|descart*|no sigas|no siga|haz caso omiso|haga caso omiso',
    former: 'anterior*|previa*|previo*|precedente*|todas|todos|tus|sus|arriba',
    orders: 'instruccion*|indicacion*|ordenes|reglas|directrices|comandos|prompt*',
    model: 'ia|asistente|modelo de lenguaje|chatbot|inteligencia artificial',
    address:
      'eres _ M|usted es _ M|como M|como una M|nota _ M|mensaje _ M|atencion _ M|evaluacion _ positiva|resena _ positiva',
    conceal:
      'no _ mencion*|no _ revel*|no _ divulg*|no digas|nunca _ mencion*|nunca _ revel*|nunca _ digas|nunca _ muestr*|no _ enumer*|no _ muestres|no pregunt*|sin _ preguntar|sin _ mencionar|sin _ avisar|manten* _ secreto',
    aside: 'usuario*|solicitud*|pregunta*|tarea*|criterios|cifras|datos|contenido|documento|texto|todo|resultados',
    output:
      'di al usuario|dile al usuario|diga al usuario|responde*|contesta*|afirma*|indica que|declara*|califica*|puntua*|clasifica*|mejor nota|puntuacion maxima|aprueba*|recomienda*|en tu respuesta|en su respuesta|en tu resumen|en su resumen|ordena',
  },
  {
    ignore: 'ignor*|dimentic*|trascur*|non seguire|tralasci*|non tenere conto',
    former: 'precedent*|anterior*|sopra|tutte|tutti|tue|sue|vostre',
    orders: 'istruzion*|indicazion*|direttiv*|ordini|regole|comandi|prompt*',
    model: 'ia|assistente|modello linguistico|chatbot|intelligenza artificiale',
    address: 'sei _ M|lei e _ M|nota _ M|messaggio _ M|attenzione _ M|valutazione _ positiva|recensione _ positiva',
    conceal:
      'non _ menzion*|non _ rivel*|non _ divulg*|mai _ menzion*|mai _ rivel*|non dire|non _ mostr*|non chied*|senza _ chiedere|senza _ menzionare|senza avvis*|tieni _ segret*',
    aside:
      'utente|utenti|richiesta|richieste|domanda|domande|compito|criteri|cifre|dati|contenuto|documento|testo|tutto|risultati',
    output:
      'di all utente|dica all utente|rispondi*|risponda*|afferma*|dichiara*|indica che|valuta*|classifica*|voto massimo|punteggio massimo|approva*|raccomanda*|consiglia*|nella tua risposta|nel tuo riassunto|nella sua risposta',
  },
  {
    ignore: 'ignor*|esquec*|desconsider*|nao siga|descart*',
    former: 'anterior*|previa*|previo*|precedentes|acima|todas|todos|suas|tuas',
    orders: 'instruc*|orientac*|diretrizes|ordens|regras|comandos|prompt*',
    model: 'ia|assistente|modelo de linguagem|chatbot|inteligencia artificial',
    address: 'voce e _ M|tu es _ M|como M|como uma M|nota _ M|mensagem _ M|atencao _ M|avaliacao _ positiva',
    conceal:
      'nao _ mencion*|nao _ revel*|nao _ divulg*|nunca _ mencion*|nunca _ revel*|nunca _ diga|nao diga|nao _ mostre|nao pergunte|sem _ perguntar|sem _ mencionar|sem avisar|mantenha _ segredo',
    aside:
      'usuario*|utilizador*|pedido*|pergunta*|tarefa*|criterios|numeros|dados|conteudo|documento|texto|tudo|resultados',
    output:
      'diga ao usuario|diga ao utilizador|responda*|afirme*|declare*|indique que|avalie*|classifique*|nota maxima|pontuacao maxima|aprove*|recomende*|na sua resposta|no seu resumo',
  },
  {
    ignore: 'negeer|vergeet|negeren|volg niet|sla over',
    former: 'vorige|eerdere|bovenstaande|voorgaande|alle|jouw|uw',
    orders: 'instructie*|aanwijzing*|opdracht*|regels|richtlijn*|prompt*',
    model: 'ai|ai assistent|assistent|taalmodel|chatbot',
    address: 'je bent _ M|jij bent _ M|u bent _ M|bericht _ M|opmerking _ M|let op _ M|positieve _ beoordeling',
    conceal:
      'vermeld _ niet|vermeld _ nooit|noem _ nooit|onthul _ nooit|noem _ niet|onthul _ niet|niet _ vermelden|toon _ niet|vraag _ niet|zeg _ niet|zonder _ te vragen|zonder _ te vermelden|houd _ geheim',
    aside: 'gebruiker*|verzoek*|vraag|vragen|taak|criteria|cijfers|gegevens|inhoud|document|tekst|alles|resultaten',
    output:
      'zeg _ gebruiker|vertel _ gebruiker|antwoord*|beweer*|beoordeel*|geef _ score|geef _ cijfer|hoogste score|hoogste cijfer|keur _ goed|beveel* _ aan|in je antwoord|in uw antwoord|in je samenvatting',
  },
  {
    ignore: 'zignoruj|ignoruj|zapomnij|pomin|nie stosuj|nie wykonuj',
    former: 'poprzedni*|wczesniejsz*|powyzsz*|wszystki*|swoje|dotychczasow*',
    orders: 'instrukcj*|poleceni*|polecen|wskazow*|zasad*|reguł*|prompt*',
    model: 'ai|asystent*|model jezykowy|modelem jezykowym|modelu jezykowego|chatbot*|sztucznej inteligencji',
    address: 'jestes _ M|jako M|uwaga _ M|wiadomosc _ M|instrukcja _ M|pozytywn* _ recenzj*|pozytywn* _ ocen*',
    conceal: 'nie _ wspominaj|nie _ ujawniaj|nie mow|nie pokazuj|nie pytaj|bez _ pytania|zachowaj _ tajemnicy',
    aside: 'uzytkownik*|prosb*|pytani*|zadani*|kryteri*|liczby|dane|tresc*|dokument*|tekst*|wszystko|wyniki',
    output:
      'powiedz uzytkownik*|odpowiedz*|odpowiadaj*|napisz ze|stwierdz*|ocen*|najwyzsz* ocen*|najwyzsz* punkt*|zatwierdz*|polec*|rekomend*|w swojej odpowiedzi|w podsumowaniu',
  },
  {
    ignore: 'игнорируи*|проигнорируи*|забудь*|не следуи*|не выполняи*|отбрось*',
    former: 'предыдущ*|прежн*|вышеуказанн*|выше|все|всех|свои|прошл*',
    orders: 'инструкци*|указани*|команд*|правил*|приказ*|промпт*',
    model: 'ии|ассистент*|языковая модель|языковои модели|чат бот*|неиросет*',
    address: 'ты _ M|вы _ M|как M|внимание _ M|сообщение _ M|положительн* _ отзыв*|положительн* _ оценк*',
    conceal:
      'не _ упоминаи*|не _ раскрываи*|не говори*|не сообщаи*|не показываи*|не спрашиваи*|без _ подтверждения|не спросив|храни* _ секрете|в таине',
    aside:
      'пользовател*|запрос*|вопрос*|задани*|задач*|критери*|цифры|данные|содержани*|документ*|текст*|все|результат*',
    output:
      'скажи*|ответь*|отвечаи*|сообщи пользовател*|напиши что|утверждаи*|оцени*|высш* оценк*|высш* балл*|максимальн* балл*|одобри*|рекоменду*|порекоменду*|в своем ответе|в резюме',
  },
  {
    // Swedish, Danish and Norwegian.
    ignore: 'ignorer*|glom|glem|bortse|se bort|folj inte|folg ikke',
    former: 'tidigare|foregaende|ovanstaende|alla|dina|tidligere|forrige|ovenstaende|alle|dine|overnevnte',
    orders: 'instruktion*|instruks*|anvisning*|regler|riktlinjer|retningslinjer|kommando*|prompt*',
    model: 'ai|ai assistent*|assistent*|sprakmodell*|sprogmodel*|chatbot*|kunstig intelligens',
    address: 'du ar _ M|du er _ M|som M|till _ M|til _ M|obs _ M|meddelande _ M|besked _ M|melding _ M',
    conceal:
      'namn inte|navn ikke|nevn ikke|avsloja inte|afslor ikke|avslor ikke|beratta inte|fortael ikke|fortell ikke|visa inte|vis ikke|sporg ikke|spor ikke|fraga inte',
    aside:
      'anvandare*|bruger*|bruker*|fraga*|fragor|sporsmal*|foresporg*|uppgift*|kriterier|data|innehall*|indhold*|innhold*|allt|alt',
    output:
      'svara *|svar *|sag till|sig til|si til|beratta for|betygsatt|bedom*|bedommelse|rekommendera*|anbefal*|godkann*|godkend*|godkjenn*|hogsta betyg|hojeste karakter',
  },
  {
    // Czech and Slovak.
    ignore: 'ignoruj*|zapomen*|zabudn*|nedodrzuj*',
    former: 'predchoz*|predchadzaj*|predesl*|vyse|vyssie|vsech*|vsetk*|sve|svoje',
    orders: 'instrukc*|instrukci*|pokyn*|prikaz*|pravidl*|prompt*',
    model: 'ai|umela inteligence|asistent*|jazykovy model|chatbot*',
    address: 'jsi _ M|jste _ M|si _ M|jako M|ako M|pozor _ M|zprava _ M|pokyn _ M',
    conceal: 'nezminuj*|nespominaj*|neprozrad*|neprezrad*|nerikej*|nehovor*|neukazuj*',
    aside: 'uzivatel*|pouzivatel*|dotaz*|otazk*|ukol*|uloh*|kriteri*|udaje|obsah*|dokument*|vse|vsetko',
    output: 'odpovez*|odpovedz*|rekni*|povedz*|napis ze|ohodno*|doporuc*|odporuc*|schval*',
  },
  {
    // Turkish.
    ignore: 'yok say|gormezden gel*|unut*|dikkate alma*|goz ardi et*',
    former: 'onceki|yukaridaki|tum|butun|mevcut',
    orders: 'talimat*|yonerge*|komut*|kural*|prompt*',
    model: 'yapay zeka*|asistan*|dil model*|sohbet botu',
    address: 'M asistan*|M icin|sen bir M|bir M olarak|dikkat M|not M',
    conceal: 'bahsetme*|soyleme*|aciklama yapma|gosterme*|belirtme*',
    aside: 'kullanici*|istek*|soru*|gorev*|kriter*|veri*|icerik*|belge*|her sey*',
    output: 'yanit ver*|cevap ver*|soyle*|degerlendir*|puan ver*|oner*|onayla*',
  },
  {
    // Indonesian and Malay.
    ignore: 'abaikan|lupakan|jangan ikuti',
    former: 'sebelumnya|sebelum ini|di atas|semua|seluruh',
    orders: 'instruksi*|perintah*|arahan*|aturan*|prompt*',
    model: 'ai|asisten*|pembantu ai|model bahasa|chatbot*|kecerdasan buatan',
    address: 'anda adalah _ M|kamu adalah _ M|sebagai M|untuk M|perhatian _ M|catatan _ M',
    conceal:
      'jangan _ sebutkan|jangan _ sebut|jangan _ beri tahu|jangan _ ungkapkan|jangan _ tanya*|tanpa _ memberi tahu',
    aside: 'pengguna*|permintaan*|pertanyaan*|tugas*|kriteria|angka|data|isi|dokumen*|semuanya',
    output: 'jawab*|katakan*|balas*|nyatakan*|nilai *|rekomendasikan*|setujui*',
  },
  {
    // Romanian.
    ignore: 'ignor*|uita*|nu urma*',
    former: 'anterioar*|precedent*|de mai sus|toate|tale',
    orders: 'instructiun*|indicati*|reguli*|comenzi*|prompt*',
    model: 'ia|asistent*|model lingvistic|chatbot*|inteligent* artificial*',
    address: 'esti _ M|sunteti _ M|ca M|nota _ M|mesaj _ M|atentie _ M',
    conceal: 'nu _ mention*|nu _ dezvalui*|nu spune*|nu arata*|fara _ a intreba',
    aside: 'utilizator*|cerer*|intrebar*|sarcin*|criteri*|date*|continut*|document*|tot',
    output: 'raspund*|spune*|afirm*|evalu*|recomand*|aprob*|nota maxima',
  },
  {
    // Ukrainian.
    ignore: 'ігноруи*|проігноруи*|забудь*|не виконуи*',
    former: 'попередн*|вищ*|усі|всі|своі',
    orders: 'інструкці*|вказівк*|команд*|правил*|промпт*',
    model: 'ші|асистент*|мовна модель|чат бот*|штучнии інтелект',
    address: 'ти _ M|ви _ M|як M|увага _ M|повідомлення _ M',
    conceal: 'не _ згадуи*|не _ розкриваи*|не кажи*|не показуи*',
    aside: 'користувач*|запит*|питання|завдання|критері*|дані|вміст*|документ*|усе|все',
    output: 'скажи*|відповід*|відповіда*|оціни*|рекоменду*|схвали*',
  },
  {
    // Greek.
    ignore: 'αγνοησ*|αγνοει*|ξεχασ*',
    former: 'προηγουμεν*|παραπανω|ολες|ολα',
    orders: 'οδηγι*|εντολ*|κανον*',
    model: 'τεχνητη νοημοσυνη|βοηθ*|ai|γλωσσικο μοντελο',
    address: 'εισαι _ M|ειστε _ M|ως M|προσοχη _ M|σημειωση _ M|μηνυμα _ M',
    conceal: 'μην _ αναφερ*|μην _ αποκαλυψ*|μην πεις|μην πειτε|μην δειξ*',
    aside: 'χρηστη*|αιτημα*|ερωτησ*|κριτηρι*|δεδομεν*|περιεχομεν*|εγγραφ*|ολα',
    output: 'απαντησ*|πες|πειτε|αξιολογησ*|βαθμολογησ*|προτειν*|εγκριν*',
  },
  {
    // Arabic.
    ignore: 'تجاهل*|انس|انسى|لا تتبع',
    former: 'السابقة|السابق|اعلاه|جميع|كل',
    orders: 'التعليمات|الاوامر|تعليمات|القواعد|التوجيهات',
    model: 'الذكاء الاصطناعي|المساعد|مساعد|نموذج لغوي|نموذج اللغة',
    address: 'انت _ M|الى _ M|ايها M|ملاحظة _ M|تنبيه _ M|بصفتك _ M',
    conceal: 'لا تذكر*|لا تكشف*|لا تخبر*|لا تظهر*|لا تسال*',
    aside: 'المستخدم|الطلب|السؤال|المهمة|المعايير|البيانات|المحتوى|المستند',
    output: 'اجب|رد|قل|اخبر|قيم|اعط|اوص|وافق|اذكر ان',
  },
  {
    // Hindi.
    ignore: 'अनदख*|नजरअदज*|भल*|उपकष*',
    former: 'पछल*|पहल*|ऊपर*|सभ*|सर*',
    orders: 'नरदश*|आदश*|नयम*|परमपट*',
    model: 'एआई|ai|सहयक*|भष मडल|कतरम बदधमतत',
    address: 'आप _ M|तम _ M|M क लए|M धयन',
    conceal: 'उललख _ न कर*|न बतए*|मत बत*|जकर _ न कर*',
    aside: 'उपयगकरत*|परशन*|अनरध*|करय*|मनदड*|डट|समगर*',
    output: 'जवब द*|उततर द*|कह क|मलयकन कर*|सफरश कर*|सवकत कर*|अक द*',
  },
  {
    // Vietnamese.
    ignore: 'bo qua|phot lo|quen',
    former: 'truoc đo|truoc|tren|tat ca|moi',
    orders: 'huong dan|chi dan|lenh|quy tac|prompt*',
    model: 'ai|tro ly*|tri tue nhan tao|mo hinh ngon ngu',
    address: 'ban la _ M|gui _ M|danh cho _ M|luu y _ M|chu y _ M',
    conceal: 'khong _ nhac|khong _ đe cap|khong _ tiet lo|đung _ noi|đung _ nhac|khong _ hoi|ma khong hoi',
    aside: 'nguoi dung|yeu cau|cau hoi|nhiem vu|tieu chi|du lieu|noi dung|tai lieu',
    output: 'tra loi|noi rang|đanh gia|xep hang|đe xuat|phe duyet|cho điem',
  },
  {
    // Hungarian.
    ignore: 'hagyd figyelmen kivul|felejtsd el|ne kovesd',
    former: 'elozo|korabbi|fenti|osszes|eddigi',
    orders: 'utasitas*|szabaly*|parancs*|prompt*',
    model: 'ai|asszisztens*|nyelvi modell*|mesterseges intelligencia',
    address: 'te egy _ M|mint M|figyelem M|uzenet _ M|megjegyzes _ M',
    conceal: 'ne emlitsd*|ne aruld el|ne mondd*|ne mutasd*|ne kerdezd*',
    aside: 'felhasznalo*|keres*|kerdes*|feladat*|szempont*|adat*|tartalom*|dokumentum*|mindent',
    output: 'valaszold*|mondd*|allitsd*|ertekeld*|ajanld*|hagyd jova|legjobb',
  },
]

/** Without spaces between words: Chinese, Japanese and Korean. */
export const TOGETHER = {
  ignore: [
    '(?:忽略|无视|忽視|不要理会|忘记|無視)[^。]{0,12}(?:之前|以上|先前|前面|所有|上述|一切)[^。]{0,8}(?:指令|指示|提示|命令|说明|规则|要求)',
    '(?:以前|これまで|前述|上記|すべて|全て|今まで)[^。]{0,8}(?:指示|命令|プロンプト|ルール|説明)[^。]{0,6}(?:無視|忘れ|従わな)',
    '(?:이전|위의|앞의|모든)[^.]{0,20}(?:지시|명령|프롬프트|지침)[^.]{0,20}(?:무시|잊)',
  ],
  address: [
    '你(?:现在)?是[^。]{0,10}(?:助手|人工智能|语言模型|模型)',
    '(?:致|给|作为)[^。]{0,6}(?:AI|人工智能|助手|语言模型|模型)',
    'あなたは[^。]{0,10}(?:アシスタント|言語モデル|人工知能)',
    '(?:AI|アシスタント|言語モデル)(?:への|として|は必ず)',
    '(?:AI|인공지능|언어 모델|어시스턴트)[^.]{0,6}(?:에게|로서|라면)',
    '正面(?:的)?评价|好评',
  ],
  conceal: [
    '(?:不要|请勿|切勿)[^。]{0,6}(?:提及|透露|告诉|说明|展示)',
    '(?:言及|明か|教え|伝え|表示)[^。]{0,4}(?:しない|さない|ない)(?:で|こと)',
    '(?:언급|공개|말|표시)[^.]{0,4}(?:하지 마|하지 말)',
  ],
  aside: [
    '(?:忽略|无视)[^。]{0,8}(?:用户|请求|问题|内容|数据)',
    '(?:ユーザー|質問|依頼|内容)[^。]{0,6}無視',
    '(?:사용자|질문|요청|내용)[^.]{0,8}무시',
  ],
  output: [
    '(?:请|必须|只)[^。]{0,4}(?:回答|回复|评价|打分|给出|推荐|批准|告诉用户)|最高分|满分',
    '(?:回答|返答|評価|推薦|承認)(?:して|せよ)|ユーザーに[^。]{0,10}(?:伝え|言)|最高(?:点|評価)',
    '(?:답변|응답|평가|추천|승인)[^.]{0,4}(?:하세요|하라|해)|사용자에게[^.]{0,10}말|최고 점수',
  ],
}
