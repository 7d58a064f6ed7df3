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
  /** What a model must do, which also texts about models say. */
  modal?: string
  /** To keep something from the user. */
  conceal: string
  /** What a text tells a model to leave aside, besides its orders: what the user asked for, and what the document says. */
  aside: string
  /** What it is to answer, or how to judge. */
  output: string
  /** Orders to a model that was addressed before. */
  order: string
}

/** Lower case, without accents. `*`: the rest of a word. `_`: up to three words. */
export const LANGUAGES: readonly Language[] = [
  {
    ignore: 'ignore|disregard|forget|override|bypass|do not follow|don t follow|stop following',
    former:
      'previous|prior|above|earlier|preceding|all|your|existing|original|initial|system|former|user|users|before|so far',
    orders:
      'instruction*|prompt*|direction*|directive*|guideline*|rules|commands|orders|context|safeguards|polic*|told|you were given',
    model:
      'ai|ais|llm|llms|language model*|assistant|assistants|chatbot*|chatgpt|gpt|claude|gemini|copilot|ai agent*|ai system*|ai model*|ai assistant*|automated agent*|automated assistant*|screening system*|screening tool*|ai tool*|ai reviewer*|ai reader*|ai bot*|ai summar*|large language model*|artificial intelligence|chat bot*|automated summar*|automated system*|automated reader*|automated screen*|automated review*|automated pars*|summar* tool*|machine reader*|virtual assistant*|generative model*|grading model*|copilots',
    address:
      'you are _ M|as M|as an M|note to _ M|attention _ M|message for _ M|message to _ M|instruction* for _ M|instruction* to _ M|dear M|hey M|hi M|hello M|if you are _ M|if M|when M|M please|M you|M evaluat*|M screening|M review*|M grading|M recruit*|M reading|M summar*|M processing|positive review only|positive _ review|positive _ evaluation|positive _ assessment|recommend acceptance|recommend this _ candidate|recommend _ hiring|rate this _ candidate|strongly recommend|M only|to any M|to any _ M|to all M|any M that|any M which|M that read*|M that process*|M that pars*|M that summar*|M that evaluat*|when an M|if an M|if a M|if any M|read by an M|read by a M|as the model|text for _ M|information for _ M|guidance for _ M|hint for _ M|for the attention of _ M|when summar* this|when summar* the|when review* this|when evaluating this|when asked about this|when answering _ about this|from now on you|you are now in|developer mode|new instructions from|system override|to whoever automat*|for automated agent*|to the automated M|M before answering|M before you|M when you|if you are summar*|if you summar*|while summar* this|task for the M|task for M|summar* this _ by saying|summar* this _ by stating|summar* this _ by telling|every question about this|act as an _ M|agents that _ this|agents reading|agents processing|bots that _ this',
    modal: 'M must|M should|M shall|M has to|M is to|M needs to|M will',
    conceal:
      'not _ mention|not _ reveal|not _ disclose|not _ tell|not _ repeat this|not _ show this|not _ list _ weak*|never _ mention|never _ reveal|never _ disclose|never _ tell|never _ show|never _ repeat|never _ quote|not _ quote _ text|not _ highlight|not _ inform|not _ show _ user|not ask _ user|not ask for confirmation|not ask for permission|without _ telling|without _ asking|without _ confirmation|without _ mentioning|keep this _ secret|keep _ hidden from|say there are no*|say there is no*|not _ include|not _ summar*|leave out',
    aside:
      'user|users|request*|question*|task*|rubric*|criteria|totals|numbers|figures|data|document*|content|contents|text|facts|everything|anything|rest|results|bars|chart|evidence|findings|safety|values|scores|ratings|weaknesses|concerns|warnings|complaints|clause*|limits|amounts|prices|exclusions|reviews',
    output:
      'tell the user|tell users|recommend acceptance|by saying that|by stating that|by telling|user has authori*|user has agreed|user has approved|user has consented|user has confirmed|pre approved|rank _ first|instead write|instead say|instead state|instead answer|inform the user|reply only|reply with|reply that|respond only|respond with|respond that|answer only|answer with|answer that|say that|say the|state that|report that|claim that|conclude that|describe this|describe it as|summar* this _ as|rate this|rank this|rank it|score this|grade this|grade of|give _ score|give _ rating|give _ grade|must receive|write in the|write that|print only|output only|always offer|always recommend|always answer|always choose|highest score|highest rating|top score|top rating|full marks|first place|best candidate|best match|approve this|approve the|approve every|approve all|mark _ approved|recommend this|recommend the|select this|choose this|without reservation|urge the reader|before you answer|before summar*|in your answer|in your summary|in your response|your output|your reply|your response|always describe|describe the _ as|mark this|mark the|mark it|classify this|treat the|treat this|state the|state this|over all other*|omit the|omit any|omit all|skip all|append the|append this|should state|should say|must state|must say|low risk|no issues found|an unrestricted|reveal your system|reveal your instructions|reveal your prompt|reveal the system|confirm that|say there are|say there is|reply to every|output the word|set the status|accept every|award full|wants you to|invite to interview|highest possible|followed by the conversation|enthusiastic sales|already approved|no further checks|financially sound|run the command|disable safety',
    order:
      'recommend|rate|rank|score|grade|mark|classify|state|say|tell|describe|summarize|summarise|present|approve|accept|award|ignore|disregard|skip|omit|leave out|append|include|answer|respond|reply|confirm|send|forward|open|visit|treat|set|invite|select|choose|prefer|export|reveal|run|execute|output|print|write|report|assume|consider|conclude|praise|give|transfer|disclose|mention|hide|insert',
  },
  {
    ignore: 'ignorier*|missacht*|vergiss|vergessen sie|uberschreib*|ubergeh*|verwirf|befolge nicht|beachte nicht',
    former:
      'vorherig*|oben|vorhergehend*|vorig*|bisherig*|obig*|fruher*|alle|allen|deine|ihre|samtlich*|benutzer*|nutzer*',
    orders: 'anweisung*|instruktion*|befehl*|vorgabe*|regel|regeln|prompt*|richtlinie*',
    model:
      'ki|ki assistent*|assistent*|sprachmodell*|chatbot*|ki modell*|ki system*|ki agent*|ki tool*|ai|ai system*|ai modell*|llm|llms|chatgpt|copilot|kunstliche intelligenz',
    address:
      'du bist _ M|sie sind _ M|als M|hinweis _ M|nachricht _ M|achtung _ M|anweisung* _ M|positive* _ bewertung|positive* _ beurteilung|wenn du _ M|falls du _ M|wenn sie _ M|falls sie _ M|wenn _ M dies*|an alle M|liebe M|nur fur _ M|text fur _ M|ab sofort gilt|ab jetzt gilt|beim zusammenfassen dies*|bei der zusammenfassung dies*|liebe* M|wenn sie dies* _ zusammenfass*|wenn du dies* _ zusammenfass*|wer dies* _ zusammenfass*',
    modal: 'M muss|M mussen|M soll|M sollen',
    conceal:
      'erwahn* _ nicht|verrat* _ nicht|nenn* _ nicht|nicht _ erwahnen|nicht _ verraten|nicht _ offenlegen|nicht _ nennen|nicht _ zeigen|nie* _ erwahn*|nie* _ nenn*|nie* _ zeig*|nie* _ verrat*|nie* _ offenleg*|zeig* _ nicht|frag* _ nicht|sag* _ nicht|ohne _ ruckfrage|ohne _ zu fragen|ohne _ zu erwahnen|behandle _ vertraulich|verschweig*|erwahn* _ kein*|erwahn* kein*|nenn* _ kein*|lass* _ weg|kein* ruckfrag*|kein* _ ruckfrag*',
    aside:
      'benutzer*|nutzer*|anfrage*|frage*|aufgabe*|kriterien|zahlen|daten|inhalt*|dokument*|text*|alles|bewertungsschema|ergebnis*|werte|noten|schwachen|mangel|warnung*|beschwerde*|klausel*|betrage|preise',
    output:
      'sag* _ nutzer*|sag* _ benutzer*|teile _ nutzer* mit|antworte nur|antworte mit|antworte _ dass|antworte immer|schreib* _ dass|schreib* in _ ergebnis|schreib* _ ergebnis|empfiehl immer|biete immer|behaupte*|bewerte* _ als|bewerte* _ mit|bestatige*|empfiehl*|empfehle* _ kandidat*|beste note|hochste punktzahl|volle punktzahl|als beste*|an erste* stelle|genehmige*|gib an|in deiner antwort|in deiner zusammenfassung|in ihrer zusammenfassung|fass* _ als|bewerten sie _ als|als positiv|als das beste|als beste|antwort* dem nutzer*|antwort* _ nutzer* dass|als gepruft|als genehmigt|als bezahlt|freigeben|freizugeben|gib _ frei|keine risiken|antworte auf alle|nutzer hat zugestimmt|benutzer hat zugestimmt|nutzer hat _ erlaubt|auf platz eins|den kauf',
    order:
      'bewerte|bewerten|fasse|fassen|empfiehl|empfehle|empfehlen|antworte|antworten|bestatige|bestatigen|erwahne|erwahnen|nenne|nennen|ignoriere|ignorieren|sende|senden|schreibe|schreiben|stufe|stufen|markiere|markieren|genehmige|genehmigen|wahle|wahlen|gib|geben|sage|sagen|verschweig*|behandle|behandeln|setze|setzen|offne|offnen|leite|leiten|uberweise',
  },
  {
    ignore: 'ignor*|oubli*|ne tiens pas compte|ne tenez pas compte|outrepass*|faites abstraction|fais abstraction',
    former: 'precedent*|anterieur*|ci dessus|toutes|tous|tes|vos|prealable*|utilisateur*',
    orders: 'instruction*|consigne*|directive*|ordres|regles|invite*|commandes',
    model:
      'ia|assistant|assistante|modele de langage|chatbot|intelligence artificielle|ias|modeles de langage|modele linguistique|systeme* ia|systeme* d ia|outil* d ia|llm|chatgpt|copilot',
    address:
      'tu es _ M|vous etes _ M|en tant qu M|en tant que M|note _ M|message _ M|attention _ M|evaluation _ positive|avis _ positif|si tu es _ M|si vous etes _ M|attention des M|l attention de _ M|pour les M uniquement|aux M|a tous les M|en resumant ce|lors du resume de ce*|lors de la synthese de ce*|lorsque vous resumez|quand tu resumes|si vous resumez|si tu resumes|instruction* pour _ M|consigne* pour _ M',
    modal: 'M doi*',
    conceal:
      'ne _ mentionne*|ne _ revele*|ne _ divulgu*|ne dites pas|ne dis pas|ne montre*|ne demande*|sans _ demander|sans _ mentionner|sans prevenir|garde* _ secret',
    aside:
      'utilisateur*|demande*|question*|tache*|criteres|chiffres|donnees|contenu|document|texte|tout|resultats|grille',
    output:
      'dis a _ utilisateur|dites a _ utilisateur|reponds*|repondez*|affirm*|declar*|indique* que|conclu*|note* _ candidat*|classe* _ premier*|meilleure note|note maximale|approuv*|recommand*|valide*|dans ta reponse|dans votre reponse|dans ton resume|dans votre resume|resum* _ comme|comme etant|sans risque|sans reserve|est conforme',
    order:
      'resume|resumez|recommand*|evalue*|notez|classe*|reponds|repondez|confirme*|indique*|mentionne*|ignore*|omets|omettez|approuve*|valide*|envoie*|transfere*|dis|dites|choisis*|considere*|presente*',
  },
  {
    ignore:
      'ignor*|olvid*|descart*|no tengas en cuenta|no tenga en cuenta|no hagas caso|no haga caso|no sigas|no siga|haz caso omiso|haga caso omiso',
    former: 'anterior*|previa*|previo*|precedente*|todas|todos|tus|sus|arriba|usuario*',
    orders: 'instruccion*|indicacion*|ordenes|reglas|directrices|comandos|prompt*',
    model:
      'ia|asistente|modelo de lenguaje|chatbot|inteligencia artificial|modelos de lenguaje|modelo linguistico|sistemas de ia|asistente de ia|asistentes de ia|ias|llm|chatgpt|copilot',
    address:
      'eres _ M|usted es _ M|como M|como una M|nota _ M|mensaje _ M|atencion _ M|evaluacion _ positiva|resena _ positiva|si eres _ M|si usted es _ M|instruccion* para _ M|aviso para _ M|solo para _ M|al resumir este|cuando resumas|si resumes',
    modal: 'M debe*',
    conceal:
      'no _ mencion*|no _ revel*|no _ divulg*|no digas|nunca _ mencion*|nunca _ revel*|nunca _ digas|nunca _ muestr*|no _ enumer*|no _ muestres|no pregunt*|sin _ preguntar|sin _ mencionar|sin _ avisar|manten* _ secreto',
    aside: 'usuario*|solicitud*|pregunta*|tarea*|criterios|cifras|datos|contenido|documento|texto|todo|resultados',
    output:
      'di al usuario|dile al usuario|diga al usuario|responde*|contesta*|afirma*|indica que|declara*|califica*|puntua*|clasifica*|mejor nota|puntuacion maxima|aprueba*|recomienda*|en tu respuesta|en su respuesta|en tu resumen|en su resumen|ordena|di que|diga que|esta aprobado|como excelente|como el mejor|como la mejor',
    order:
      'clasifica*|clasifique|recomienda*|recomiende|responde*|responda*|evalua*|evalue|califica*|di|diga|indica*|confirma*|confirme|ignora*|ignore|omite*|omita|menciona|menciones|mencione|aprueba*|apruebe|envia*|envie|resume|resuma|marca|marque|elige|elija|acepta|acepte|puntua*',
  },
  {
    ignore: 'ignor*|dimentic*|trascur*|non seguire|tralasci*|non tenere conto',
    former: 'precedent*|anterior*|sopra|tutte|tutti|tue|sue|vostre|utente|utenti',
    orders: 'istruzion*|indicazion*|direttiv*|ordini|regole|comandi|prompt*',
    model:
      'ia|assistente|modello linguistico|chatbot|intelligenza artificiale|modelli linguistici|sistema di ia|sistemi di ia|sistema ai|sistemi ai|assistente ai|llm|chatgpt|copilot',
    address:
      'sei _ M|lei e _ M|nota _ M|messaggio _ M|attenzione _ M|valutazione _ positiva|recensione _ positiva|se sei _ M|se siete _ M|istruzion* per _ M|messaggio per _ M|solo per _ M',
    modal: 'M deve|M devono',
    conceal:
      'non _ menzion*|non _ rivel*|non _ divulg*|mai _ menzion*|mai _ rivel*|non dire|non _ mostr*|non chied*|senza _ chiedere|senza _ menzionare|senza avvis*|tieni _ segret*',
    aside:
      'utente|utenti|richiesta|richieste|domanda|domande|compito|criteri|cifre|dati|contenuto|documento|testo|tutto|risultati',
    output:
      'di all utente|dica all utente|rispondi*|risponda*|afferma*|dichiara*|indica che|valuta*|classifica*|voto massimo|punteggio massimo|approva*|raccomanda*|consiglia*|nella tua risposta|nel tuo riassunto|nella sua risposta|come la migliore|come il migliore|approva la|approva il',
    order:
      'valuta*|valuti|consiglia*|raccomanda*|rispondi|risponda|conferma*|confermi|ignora*|ignori|ometti|ometta|menziona*|menzionare|approva*|approvi|invia*|invii|riassumi|riassuma|classifica*|scegli|scelga|indica*|indichi|dica',
  },
  {
    ignore: 'ignor*|esquec*|desconsider*|nao siga|descart*',
    former: 'anterior*|previa*|previo*|precedentes|acima|todas|todos|suas|tuas|usuario*|utilizador*',
    orders: 'instruc*|orientac*|diretrizes|ordens|regras|comandos|prompt*',
    model:
      'ia|assistente|modelo de linguagem|chatbot|inteligencia artificial|modelos de linguagem|sistemas de ia|assistente de ia|ias|llm|chatgpt|copilot',
    address:
      'voce e _ M|tu es _ M|como M|como uma M|nota _ M|mensagem _ M|atencao _ M|avaliacao _ positiva|se voce e _ M|se voce for _ M|se es _ M|instruc* ao M|instruc* para _ M|nota para _ M|aviso ao M|nota ao M|ao resumir este|quando resumir|se resumir',
    modal: 'M deve*',
    conceal:
      'nao _ mencion*|nao _ revel*|nao _ divulg*|nunca _ mencion*|nunca _ revel*|nunca _ diga|nao diga|nao _ mostre|nao pergunte|sem _ perguntar|sem _ mencionar|sem avisar|mantenha _ segredo',
    aside:
      'usuario*|utilizador*|pedido*|pergunta*|tarefa*|criterios|numeros|dados|conteudo|documento|texto|tudo|resultados',
    output:
      'diga ao usuario|diga ao utilizador|responda*|afirme*|declare*|indique que|avalie*|classifique*|nota maxima|pontuacao maxima|aprove*|recomende*|na sua resposta|no seu resumo|foi confirmado|como excelente|como o melhor|como a melhor',
    order:
      'recomend*|responda*|avalie*|classifique*|confirme*|ignore*|omita*|mencione|aprove*|envie*|resuma*|diga|escolha|considere|aceite',
  },
  {
    ignore: 'negeer|vergeet|negeren|volg niet|sla over',
    former: 'vorige|eerdere|bovenstaande|voorgaande|alle|jouw|uw|gebruiker*',
    orders: 'instructie*|aanwijzing*|opdracht*|regels|richtlijn*|prompt*',
    model:
      'ai|ai assistent|assistent|taalmodel|chatbot|taalmodellen|ai systemen|ai systeem|ai model*|llm|chatgpt|copilot',
    address:
      'je bent _ M|jij bent _ M|u bent _ M|bericht _ M|opmerking _ M|let op _ M|positieve _ beoordeling|als je _ M|als jij _ M|als u _ M|indien u _ M|instructie* voor _ M|alleen voor _ M|aan alle M',
    modal: 'M moet*',
    conceal:
      'vermeld _ niet|vermeld _ nooit|noem _ nooit|onthul _ nooit|noem _ niet|onthul _ niet|niet _ vermelden|toon _ niet|vraag _ niet|zeg _ niet|zonder _ te vragen|zonder _ te vermelden|houd _ geheim|vermeld _ _ niet',
    aside: 'gebruiker*|verzoek*|vraag|vragen|taak|criteria|cijfers|gegevens|inhoud|document|tekst|alles|resultaten',
    output:
      'zeg _ gebruiker|vertel _ gebruiker|antwoord*|beweer*|beoordeel*|geef _ score|geef _ cijfer|hoogste score|hoogste cijfer|keur _ goed|beveel* _ aan|in je antwoord|in uw antwoord|in je samenvatting|als uitstekend|als beste|als de beste|als goedgekeurd',
    order:
      'beoordeel|beveel|antwoord|bevestig|negeer|vermeld|keur|stuur|vat|kies|geef|markeer|zeg|noem|rangschik|accepteer',
  },
  {
    ignore: 'zignoruj|ignoruj|zapomnij|pomin|nie stosuj|nie wykonuj',
    former: 'poprzedni*|wczesniejsz*|powyzsz*|wszystki*|swoje|dotychczasow*|uzytkownik*',
    orders: 'instrukcj*|poleceni*|polecen|wskazow*|zasad*|reguł*|prompt*',
    model:
      'ai|asystent*|model jezykowy|modelem jezykowym|modelu jezykowego|chatbot*|sztucznej inteligencji|modele jezykowe|modeli jezykowych|modeli ai|systemy ai|systemow ai|sztuczna inteligencj*|llm|chatgpt|copilot',
    address:
      'jestes _ M|jako M|uwaga _ M|wiadomosc _ M|instrukcja _ M|pozytywn* _ recenzj*|pozytywn* _ ocen*|jesli jestes _ M|jezeli jestes _ M|informacja dla _ M|instrukcja dla _ M|tylko dla _ M',
    conceal: 'nie _ wspominaj|nie _ ujawniaj|nie mow|nie pokazuj|nie pytaj|bez _ pytania|zachowaj _ tajemnicy',
    aside: 'uzytkownik*|prosb*|pytani*|zadani*|kryteri*|liczby|dane|tresc*|dokument*|tekst*|wszystko|wyniki',
    output:
      'powiedz uzytkownik*|odpowiedz*|odpowiadaj*|napisz ze|stwierdz*|ocen*|najwyzsz* ocen*|najwyzsz* punkt*|zatwierdz*|polec*|rekomend*|w swojej odpowiedzi|w podsumowaniu|jako najlepsz*|jako zatwierdzon*',
    order:
      'ocen|polec|zarekomenduj|odpowiedz|potwierdz|zignoruj|pomin|wspominaj|zatwierdz|wyslij|podsumuj|wybierz|napisz|oznacz|powiedz|zaakceptuj',
  },
  {
    ignore:
      'не обращаи внимания|не обращаите внимания|не учитываи*|не следуи*|игнорируи*|проигнорируи*|забудь*|не следуи*|не выполняи*|отбрось*',
    former: 'предыдущ*|прежн*|вышеуказанн*|выше|все|всех|свои|прошл*|пользовател*',
    orders: 'инструкци*|указани*|команд*|правил*|приказ*|промпт*',
    model:
      'ии|ассистент*|языковая модель|языковои модели|чат бот*|неиросет*|ии ассистент*|ии модел*|ии систем*|языковые модели|языковых моделеи|искусственныи интеллект|llm|chatgpt|copilot',
    address:
      'ты _ M|вы _ M|как M|внимание _ M|сообщение _ M|положительн* _ отзыв*|положительн* _ оценк*|если ты _ M|если вы _ M|примечание для _ M|инструкция для _ M|только для _ M|при составлении резюме|при составлении сводки|при пересказе|при обобщении|при резюмировании|если ты резюмируешь|если вы резюмируете',
    conceal:
      'не _ упоминаи*|не _ раскрываи*|не говори*|не сообщаи*|не показываи*|не спрашиваи*|без _ подтверждения|не спросив|храни* _ секрете|в таине',
    aside:
      'пользовател*|запрос*|вопрос*|задани*|задач*|критери*|цифры|данные|содержани*|документ*|текст*|все|результат*',
    output:
      'скажи*|ответь*|отвечаи*|сообщи пользовател*|напиши что|утверждаи*|оцени*|высш* оценк*|высш* балл*|максимальн* балл*|одобри*|рекоменду*|порекоменду*|в своем ответе|в резюме|как лучш*|как отличн*|сообщи*',
    order:
      'оцени*|рекоменду*|сообщи*|скажи*|ответь*|отвечаи*|подтверди*|игнорируи*|пропусти*|упоминаи*|одобри*|отправь*|перешли*|выбери*|поставь*|считаи*|напиши*',
  },
  {
    // Swedish, Danish and Norwegian.
    ignore: 'ignorer*|glom|glem|bortse|se bort|folj inte|folg ikke',
    former: 'tidigare|foregaende|ovanstaende|alla|dina|tidligere|forrige|ovenstaende|alle|dine|overnevnte',
    orders: 'instruktion*|instruks*|anvisning*|regler|riktlinjer|retningslinjer|kommando*|prompt*',
    model:
      'ai|ai assistent*|assistent*|sprakmodell*|sprogmodel*|chatbot*|kunstig intelligens|ai modell*|ai system*|ki|ki assistent*|llm|chatgpt|copilot',
    address:
      'du ar _ M|du er _ M|som M|till _ M|til _ M|obs _ M|meddelande _ M|besked _ M|melding _ M|om du ar _ M|hvis du er _ M|dersom du er _ M|till alla M|notat til _ M|instruktion* till _ M|instruks* til _ M',
    conceal:
      'namn inte|navn ikke|nevn ikke|avsloja inte|afslor ikke|avslor ikke|beratta inte|fortael ikke|fortell ikke|visa inte|vis ikke|sporg ikke|spor ikke|fraga inte|nævn ikke|nævn aldrig',
    aside:
      'anvandare*|bruger*|bruker*|fraga*|fragor|sporsmal*|foresporg*|uppgift*|kriterier|data|innehall*|indhold*|innhold*|allt|alt',
    output:
      'svara *|svar *|sag till|sig til|si til|beratta for|betygsatt|bedom*|bedommelse|rekommendera*|anbefal*|godkann*|godkend*|godkjenn*|hogsta betyg|hojeste karakter',
    order:
      'rekommendera|anbefal|ignorera|ignorer|svara|svar|bedom|bedøm|vurder|namn|nævn|nevn|godkann|godkend|godkjenn|sammanfatta|opsummer|oppsummer|valj|vælg|velg|skicka|send',
  },
  {
    // Czech and Slovak.
    ignore: 'ignoruj*|zapomen*|zabudn*|nedodrzuj*',
    former: 'predchoz*|predchadzaj*|predesl*|vyse|vyssie|vsech*|vsetk*|sve|svoje',
    orders: 'instrukc*|instrukci*|pokyn*|prikaz*|pravidl*|prompt*',
    model:
      'ai|umela inteligence|asistent*|jazykovy model|chatbot*|umele inteligenci|umela inteligencia|jazykove modely|llm|chatgpt|copilot',
    address:
      'jsi _ M|jste _ M|si _ M|jako M|ako M|pozor _ M|zprava _ M|pokyn _ M|pokud jsi _ M|jestli jsi _ M|ak si _ M|poznamka pro _ M|pokyn pro _ M|pouze pro _ M',
    conceal: 'nezminuj*|nespominaj*|neprozrad*|neprezrad*|nerikej*|nehovor*|neukazuj*',
    aside: 'uzivatel*|pouzivatel*|dotaz*|otazk*|ukol*|uloh*|kriteri*|udaje|obsah*|dokument*|vse|vsetko',
    output: 'odpovez*|odpovedz*|rekni*|povedz*|napis ze|ohodno*|doporuc*|odporuc*|schval*|jako nejlepsi|ako najlepsi*',
    order:
      'ohodnot*|doporuc*|odporuc*|odpovez|odpovedz|potvrd*|ignoruj*|vynech*|zminuj|schval*|odesli|posli|shrn*|zhrn*|vyber*|oznac*',
  },
  {
    // Turkish.
    ignore: 'yok say|gormezden gel*|unut*|dikkate alma*|goz ardi et*',
    former: 'onceki|yukaridaki|tum|butun|mevcut',
    orders: 'talimat*|yonerge*|komut*|kural*|prompt*',
    model: 'yapay zeka*|asistan*|dil model*|sohbet botu|yapay zeka model*|yapay zeka asistan*|llm|chatgpt|copilot',
    address: 'M asistan*|M icin|sen bir M|bir M olarak|dikkat M|not M|M isen*|M asistanina|eger _ M|tum M',
    conceal: 'bahsetme*|soyleme*|aciklama yapma|gosterme*|belirtme*',
    aside: 'kullanici*|istek*|soru*|gorev*|kriter*|veri*|icerik*|belge*|her sey*',
    output: 'yanit ver*|cevap ver*|soyle*|degerlendir*|puan ver*|oner*|onayla*|en iyi olarak',
    order:
      'degerlendir*|oner*|yanitla*|yanit ver*|cevap ver*|onayla*|bahsetme*|belirtme*|soyle*|sec|isaretle*|gonder*|ozetle*|puan ver*|yok say',
  },
  {
    // Indonesian and Malay.
    ignore: 'abaikan|lupakan|jangan ikuti',
    former: 'sebelumnya|sebelum ini|di atas|semua|seluruh',
    orders: 'instruksi*|perintah*|arahan*|aturan*|prompt*',
    model: 'ai|asisten*|pembantu ai|model bahasa|chatbot*|kecerdasan buatan',
    address:
      'anda adalah _ M|kamu adalah _ M|sebagai M|untuk M|perhatian _ M|catatan _ M|jika anda _ M|jika kamu _ M|bila anda _ M|catatan untuk _ M|instruksi untuk _ M',
    conceal:
      'jangan _ sebutkan|jangan _ sebut|jangan _ beri tahu|jangan _ ungkapkan|jangan _ tanya*|tanpa _ memberi tahu',
    aside: 'pengguna*|permintaan*|pertanyaan*|tugas*|kriteria|angka|data|isi|dokumen*|semuanya',
    output: 'jawab*|katakan*|balas*|nyatakan*|nilai *|rekomendasikan*|setujui*|nilai tertinggi|sebagai yang terbaik',
    order: 'beri|berikan|rekomendasikan|jawab|setujui|abaikan|kirim*|ringkas*|pilih|sebutkan|katakan|konfirmasi*',
  },
  {
    // Romanian.
    ignore: 'ignor*|uita*|nu urma*',
    former: 'anterioar*|precedent*|de mai sus|toate|tale',
    orders: 'instructiun*|indicati*|reguli*|comenzi*|prompt*',
    model:
      'ia|asistent*|model lingvistic|chatbot*|inteligent* artificial*|modele lingvistice|model de limbaj|modele de limbaj|inteligenta artificiala|ai',
    address: 'esti _ M|sunteti _ M|ca M|nota _ M|mesaj _ M|atentie _ M|daca esti _ M|daca sunteti _ M|nota pentru _ M',
    conceal: 'nu _ mention*|nu _ dezvalui*|nu spune*|nu arata*|fara _ a intreba',
    aside: 'utilizator*|cerer*|intrebar*|sarcin*|criteri*|date*|continut*|document*|tot',
    output: 'raspund*|spune*|afirm*|evalu*|recomand*|aprob*|nota maxima',
    order: 'recomand*|evalueaza*|raspunde*|confirma*|ignora*|aproba*|trimite*|rezuma*|alege*|spune*|mentiona*',
  },
  {
    // Ukrainian.
    ignore: 'ігноруи*|проігноруи*|забудь*|не виконуи*',
    former: 'попередн*|вищ*|усі|всі|своі',
    orders: 'інструкці*|вказівк*|команд*|правил*|промпт*',
    model: 'ші|асистент*|мовна модель|чат бот*|штучнии інтелект|мовні моделі|ші асистент*|ai',
    address: 'ти _ M|ви _ M|як M|увага _ M|повідомлення _ M|якщо ти _ M|якщо ви _ M|примітка для _ M',
    conceal: 'не _ згадуи*|не _ розкриваи*|не кажи*|не показуи*',
    aside: 'користувач*|запит*|питання|завдання|критері*|дані|вміст*|документ*|усе|все',
    output: 'скажи*|відповід*|відповіда*|оціни*|рекоменду*|схвали*|як наикращ*',
    order: 'оціни*|рекоменду*|відповіда*|відповід*|підтверд*|ігноруи*|схвали*|надішли*|скажи*|обери*',
  },
  {
    // Greek.
    ignore: 'αγνοησ*|αγνοει*|ξεχασ*',
    former: 'προηγουμεν*|παραπανω|ολες|ολα',
    orders: 'οδηγι*|εντολ*|κανον*',
    model: 'τεχνητη νοημοσυνη|βοηθ*|ai|γλωσσικο μοντελο|γλωσσικα μοντελα',
    address:
      'εισαι _ M|ειστε _ M|ως M|προσοχη _ M|σημειωση _ M|μηνυμα _ M|αν εισαι _ M|εαν εισαι _ M|αν ειστε _ M|σημειωση για _ M',
    conceal: 'μην _ αναφερ*|μην _ αποκαλυψ*|μην πεις|μην πειτε|μην δειξ*',
    aside: 'χρηστη*|αιτημα*|ερωτησ*|κριτηρι*|δεδομεν*|περιεχομεν*|εγγραφ*|ολα',
    output: 'απαντησ*|πες|πειτε|αξιολογησ*|βαθμολογησ*|προτειν*|εγκριν*|ως τον καλυτερο|ως την καλυτερη|ως το καλυτερο',
    order: 'αξιολογησ*|προτειν*|απαντησ*|αγνοησ*|εγκριν*|στειλ*|πες|επιλεξ*|συνοψ*|επιβεβαιωσ*',
  },
  {
    // Arabic.
    ignore: 'تجاهل*|انس|انسى|لا تتبع',
    former: 'السابقة|السابق|اعلاه|جميع|كل',
    orders: 'التعليمات|الاوامر|تعليمات|القواعد|التوجيهات',
    model:
      'الذكاء الاصطناعي|المساعد|مساعد|نموذج لغوي|نموذج اللغة|نموذجا لغويا|النماذج اللغوية|ذكاء اصطناعيا|ذكاء اصطناعي',
    address: 'انت _ M|الى _ M|ايها M|ملاحظة _ M|تنبيه _ M|بصفتك _ M|اذا كنت _ M|ان كنت _ M',
    conceal: 'لا تذكر*|لا تكشف*|لا تخبر*|لا تظهر*|لا تسال*',
    aside: 'المستخدم|الطلب|السؤال|المهمة|المعايير|البيانات|المحتوى|المستند',
    output: 'اجب|رد|قل|اخبر|قيم|اعط|اوص|وافق|اذكر ان',
    order: 'فقيم*|قيم*|اوص*|اجب|رد|قل|تجاهل*|وافق|ارسل|لخص|اختر|اكد|تذكر*|فقل',
  },
  {
    // Hindi.
    ignore: 'अनदख*|नजरअदज*|भल*|उपकष*',
    former: 'पछल*|पहल*|ऊपर*|सभ*|सर*',
    orders: 'नरदश*|आदश*|नयम*|परमपट*',
    model: 'एआई|ai|सहयक*|भष मडल|कतरम बदधमतत',
    address: 'आप _ M|तम _ M|M क लए|M धयन|यद आप _ M|अगर आप _ M',
    conceal: 'उललख _ न कर*|न बतए*|मत बत*|जकर _ न कर*',
    aside: 'उपयगकरत*|परशन*|अनरध*|करय*|मनदड*|डट|समगर*',
    output: 'जवब द*|उततर द*|कह क|मलयकन कर*|सफरश कर*|सवकत कर*|अक द*|सरवशरषठ',
    order: 'बतए*|कह*|सफरश*|मलयकन*|सवकर*|सवकत*|चन*|अनदख*',
  },
  {
    // Vietnamese.
    ignore: 'bo qua|phot lo|quen',
    former: 'truoc đo|truoc|tren|tat ca|moi',
    orders: 'huong dan|chi dan|lenh|quy tac|prompt*',
    model: 'ai|tro ly*|tri tue nhan tao|mo hinh ngon ngu',
    address: 'ban la _ M|gui _ M|danh cho _ M|luu y _ M|chu y _ M|neu ban la _ M|neu la _ M',
    conceal: 'khong _ nhac|khong _ đe cap|khong _ tiet lo|đung _ noi|đung _ nhac|khong _ hoi|ma khong hoi',
    aside: 'nguoi dung|yeu cau|cau hoi|nhiem vu|tieu chi|du lieu|noi dung|tai lieu',
    output: 'tra loi|noi rang|đanh gia|xep hang|đe xuat|phe duyet|cho điem|la tot nhat',
    order: 'đanh gia|đe xuat|tra loi|xac nhan|bo qua|phe duyet|gui|tom tat|chon|xep hang',
  },
  {
    // Hungarian.
    ignore: 'hagyd figyelmen kivul|felejtsd el|ne kovesd',
    former: 'elozo|korabbi|fenti|osszes|eddigi',
    orders: 'utasitas*|szabaly*|parancs*|prompt*',
    model: 'ai|asszisztens*|nyelvi modell*|mesterseges intelligencia',
    address: 'te egy _ M|mint M|figyelem M|uzenet _ M|megjegyzes _ M|ha te _ M|ha egy _ M|ha on _ M',
    conceal: 'ne emlitsd*|ne aruld el|ne mondd*|ne mutasd*|ne kerdezd*',
    aside: 'felhasznalo*|keres*|kerdes*|feladat*|szempont*|adat*|tartalom*|dokumentum*|mindent',
    output: 'valaszold*|mondd*|allitsd*|ertekeld*|ajanld*|hagyd jova|legjobb',
    order: 'ajanld|ertekeld|valaszold|erositsd|hagyd|fogadd|kuldd|foglald|valaszd|ird',
  },
  {
    // Finnish.
    ignore: 'ohita|unohda|jata huomiotta|ala noudata',
    former: 'aiemm*|edellis*|kaikki|ylla*',
    orders: 'ohje*|kasky*|kehot*|saanno*',
    model: 'tekoaly*|kielimalli*|ai|chatbot*',
    address: 'jos olet _ M|olet M|huomio M|viesti M|ohje M',
    conceal: 'ala mainitse|ala paljasta|ala kerro',
    aside: 'kayttaj*|pyynto*|kysym*|tiedo*|sisalt*',
    output: 'kerro kayttaj*|vastaa*|paras arvosana|korkein*',
    order: 'suosittele|arvioi|vastaa|hyvaksy|ohita|laheta|tiivista|valitse|kerro|mainitse|merkitse',
  },
  {
    // Hebrew.
    ignore: 'התעלם|התעלמי|התעלמו|שכח',
    former: 'הקודמות|קודמות|כל|לעיל',
    orders: 'ההוראות|הוראות|ההנחיות|הנחיות',
    model: 'בינה מלאכותית|מודל שפה|ai',
    address: 'אם אתה _ M|אתה M|הערה _ M',
    conceal: 'אל תזכיר*|אל תגלה*|אל תספר*',
    aside: 'המשתמש|הבקשה|השאלה|המסמך|התוכן',
    output: 'ענה|אמור|המלץ|אשר',
    order: 'דרג|המלץ|ענה|אשר|אמור|שלח|סכם|בחר|התעלם*',
  },
  {
    // Persian.
    ignore: 'نادیده بگیر*|فراموش کن*',
    former: 'قبلی|پیشین|بالا|همه|تمام',
    orders: 'دستورات|دستور|دستورالعمل*|راهنما*',
    model: 'هوش مصنوعی|مدل زبانی|دستیار',
    address: 'اگر _ M|شما M|تو M|یادداشت برای M',
    conceal: 'ذکر نکن*|نگو*|فاش نکن*',
    aside: 'کاربر|درخواست|سوال|سند|محتوا',
    output: 'پاسخ بده*|توصیه کن*|تایید کن*',
    order: 'پاسخ*|بگو*|توصیه*|تایید*|نادیده*|ارزیابی*',
  },
]

/** Without spaces between words: Chinese, Japanese and Korean. */
export const TOGETHER = {
  ignore: [
    '(?:ละเว้น|เพิกเฉย|ไม่ต้องสนใจ)[^.]{0,10}คำสั่ง[^.]{0,10}(?:ก่อนหน้า|ทั้งหมด)',
    '(?:忽略|无视|忽視|不要理会|忘记|無視)[^。]{0,12}(?:之前|以上|先前|前面|所有|上述|一切)[^。]{0,8}(?:指令|指示|提示|命令|说明|规则|要求)',
    '(?:以前|これまで|前述|上記|すべて|全て|今まで)[^。]{0,8}(?:指示|命令|プロンプト|ルール|説明)[^。]{0,6}(?:無視|忘れ|従わな)',
    '(?:이전|위의|앞의|모든)[^.]{0,20}(?:지시|명령|프롬프트|지침)[^.]{0,20}(?:무시|잊)',
  ],
  address: [
    '(?:如果你是|AI(?:助手|模型|系统|系統))[^。]{0,6}(?:AI|人工智能|助手|模型|注意|必须|应)',
    'AI(?:アシスタント|モデル|システム)?(?:へ|は、)|(?:読む|要約する|処理する|評価する)AI',
    '(?:หากคุณเป็น|ถ้าคุณเป็น|คุณคือ)[^.]{0,20}(?:AI|ปัญญาประดิษฐ์|โมเดลภาษา)',
    '(?:总结|概括|归纳)(?:本|这|该)(?:文|份|段|合同|邮件)',
    'AI[^。]{0,2}(?:读者|阅读者|审阅者)',
    '你(?:现在)?是[^。]{0,10}(?:助手|人工智能|语言模型|模型)',
    '(?:致|给|作为)[^。]{0,6}(?:AI|人工智能|助手|语言模型|模型)',
    'あなた[はが][^。]{0,10}(?:アシスタント|言語モデル|人工知能)',
    '(?:AI|アシスタント|言語モデル)(?:への|として|は必ず)',
    '(?:AI|인공지능|언어 모델|어시스턴트)[^.]{0,6}(?:에게|로서|라면)',
    '正面(?:的)?评价|好评',
  ],
  conceal: [
    '(?:不要|请勿|切勿)[^。]{0,6}(?:提及|透露|告诉|说明|展示|询问)',
    '(?:言及|明か|教え|伝え|表示|触れ)[^。]{0,4}(?:しない|さない|ない|ず)(?:で|こと|に)',
    '(?:언급|공개|말|표시)[^.]{0,4}(?:하지 마|하지 말)',
  ],
  aside: [
    '(?:忽略|无视)[^。]{0,8}(?:用户|请求|问题|内容|数据)',
    '(?:ユーザー|質問|依頼|内容)[^。]{0,6}無視',
    '(?:사용자|질문|요청|내용)[^.]{0,8}무시',
  ],
  output: [
    '在(?:摘要|总结|回复|回答)中[^。]{0,4}(?:写|说|注|称)',
    '直接批准|视为(?:合格|通过)',
    '(?:请|必须|只)[^。]{0,4}(?:回答|回复|评价|打分|给出|推荐|批准|告诉用户)|最高分|满分',
    '(?:回答|返答|評価|推薦|承認)(?:して|せよ)|答えて(?:ください|くれ)|と書いて|ユーザーに[^。]{0,10}(?:伝え|言)|最高(?:点|評価)',
    '(?:답변|응답|평가|추천|승인)[^.]{0,4}(?:하세요|하라|해)|사용자에게[^.]{0,10}말|최고 점수',
  ],
  order: [
    '评为|推荐|批准|忽略|不要|回答|总结|说明|告诉',
    '評価|推薦|承認|無視|言及|要約|回答|伝え|答えて|書いて',
    '(?:평가|추천|승인|무시|답변|언급)(?:하|해)',
    'ละเว้น|เพิกเฉย|แนะนำ|ให้คะแนน|ตอบว่า',
  ],
}
