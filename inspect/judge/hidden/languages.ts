/** Words by which a text addresses a language model and orders it about, by language. Data only. */

interface Language {
  /** Verbs of leaving aside. */
  ignore: string
  /** What came before. */
  former: string
  /** What was given before. */
  orders: string
  /** Models that read or judge the document, by what they do: what is said to them may be an order. */
  reader: string
  /** Words for a model, and how the text addresses it. */
  model: string
  address: string
  /** What also those say who write about models: it counts beside an order in the same sentence. */
  mention?: string
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
    ignore:
      'ignore|disregard|forget|override|bypass|do not follow|don t follow|stop following|do not continue|don t continue|abandon|pretend|do not consider|don t consider|do not take into account|do not take account|do not heed|pay no attention to|set aside',
    former:
      'previous|prior|above|earlier|preceding|all|your|existing|original|initial|system|former|user|users|before|so far|received until now|until now|up to now|up to this point|thus far',
    orders:
      'instruction*|prompt*|direction*|directive*|guideline*|rules|commands|orders|context|safeguards|polic*|told|you were given',
    reader:
      'summar* model*|model that summar*|model which summar*|model that read*|model reading|reading model|reader model|review* model|model that review*|model that process*|model processing|model that evaluat*|model that pars*|model summar*|automat* review*|automat* evaluat*|automat* grad*|automat* assess*|automat* screen*|automat* underwrit*|automat* rater*|automat* judg*|automat* scor*|automat* classif*|automat* recruit*|automat* summar*|automat* tool*|automat* assistant*|automat* pipeline*|automat* referee*|automat* reader*|machine reviewer*|machine reader*|llm review*|llm judge*|llm grader*|llm evaluator*|coding assistant*|coding agent*|coding model*|coding tool*|code assistant*|autonomous agent*|autonomous coding|scoring model*|rating model*|ranking model*|summariser*|summarizer*|review bot*|review agent*|reading agent*|ai evaluator*|ai grader*|ai coding|whichever ai|whatever ai|as the evaluator|as the reviewer|as the grader|as the summar*|as an evaluator|as a reviewer|agents working on|underwriting model*|claims model*|uncensored assistant|model that analy*|model which analy*|model analy*|model that examin*|model examin*|model that assess*|model assess*|model that compar*|model comparing',
    model:
      'ai|ais|llm|llms|language model*|assistant|assistants|chatbot*|chatgpt|gpt|claude|gemini|copilot|ai agent*|ai system*|ai model*|ai assistant*|automated agent*|automated assistant*|screening system*|screening tool*|ai tool*|ai reviewer*|ai reader*|ai bot*|ai summar*|large language model*|artificial intelligence|chat bot*|automated summar*|automated system*|automated reader*|automated screen*|automated review*|automated pars*|summar* tool*|screening bot*|screening bots|helpful assistant|reader model|ai screener*|ai recruit*|machine reader*|virtual assistant*|generative model*|grading model*|copilots',
    address:
      'whoever condenses|whoever summar*|whoever processes this|for all future chats|all future chats|all future conversations|decode the following|and do what it says|you have been upgraded|previous persona|new persona|do what the text|you are _ M|you re _ M|youre _ M|if you re _ M|summary for _ M|note to _ M|attention _ M|message for _ M|message to _ M|instruction* for _ M|instruction* to _ M|dear M|hey M|hi M|hello M|if you are _ M|M please|M you|positive review only|positive _ review|positive _ evaluation|positive _ assessment|recommend acceptance|recommend this _ candidate|recommend _ hiring|rate this _ candidate|strongly recommend this|to any M|to any _ M|to all M|read by an M|read by a M|as the model|text for _ M|information for _ M|guidance for _ M|hint for _ M|for the attention of _ M|when summar* this|when summar* the|when review* this|when evaluating this|when asked about this|when answering _ about this|from now on you|from now on act|from now on behave|you are now in|developer mode|new instructions from|system override|to whoever automat*|for automated agent*|to the automated M|if you are summar*|if you summar*|while summar* this|task for the M|task for M|summar* this _ by saying|summar* this _ by stating|summar* this _ by telling|every question about this|act as an _ M|agents that _ this|note for _ M|notes for _ M|for M only|addressed to _ M|intended for _ M|meant for _ M|reserved for _ M|only for _ M|to whichever M|whichever M|when generating _ summar*|when producing _ summar*|when writing _ summar*|when creating _ summar*|when drafting _ summar*|when you summar*|whenever you summar*|if asked to summar*|if you are asked to|when asked to summar*|agents working on|agents work* in this|agents that work _ this|agents editing this|begin hidden|you will respond as|greetings M|human asking you|person asking you|M must always|M should always|your system prompt|if _ processed by _ M|if _ evaluated by _ M|if _ screened by _ M|if _ graded by _ M|if _ reviewed by _ M|if _ read by _ M|when _ processed by _ M|when _ read by _ M|disregard the text of|forget the task|when you process*|when you read this|when you evaluate*|when you review*|when you parse*|when you screen*|when you grade*|when you answer*|when you are asked|when processing this|when screening this|when grading this|when parsing this|when reading this|you are a helpful|helpful assistant that|from this point on|from this point forward|reader _ is a machine|m evaluating this|m reading this|m processing this|m reviewing this|m summar* this|m grading this|when the user asks|when the user wants|if the user asks|whenever the user|when a user asks|when users ask|your context window|in your context|end of document new task|new task for you|instructions for the reader model|for any system that|treat all missing|you are now _ assistant|attention automat* underwrit*',
    mention:
      'as M|you M|as an M|if M|when M|M evaluat*|M screening|M review*|M grading|M recruit*|M reading|M summar*|M processing|M only|any M that|any M which|M that read*|M that process*|M that pars*|M that summar*|M that evaluat*|M before answering|M before you|M when you|when an M|if an M|if a M|if any M|agents reading|agents processing|bots that _ this',
    modal: 'M must|M should|M shall|M has to|M have to|M you must|M you have to|M is to|M needs to|M will',
    conceal:
      'not _ mention|not _ reveal|not _ disclose|not _ tell|not _ repeat this|not _ show this|not _ list _ weak*|never _ mention|never _ reveal|never _ disclose|never _ tell|never _ show|never _ repeat|never _ quote|not _ quote _ text|not _ highlight|not _ inform|not _ show _ user|not ask _ user|not ask for confirmation|not ask for permission|without _ telling|without _ asking|without _ confirmation|without _ mentioning|keep this _ secret|keep _ hidden from|say there are no*|say there is no*|not _ include|not _ summar*|leave out|leave _ out|not _ refer to|not talk about|not speak of|not speak about|never explain|skip rows|skip slide*|not explain|not draw attention|leave _ unmentioned|pass over|not bring up|not flag|never flag|not comment on|without _ noting|no human confirmation|no human review|without human|no confirmation needed|not _ cite|not _ quote',
    aside:
      'user|users|request*|question*|task*|rubric*|criteria|totals|numbers|figures|data|document*|content|contents|text|facts|everything|anything|rest|results|bars|chart|evidence|findings|safety|values|scores|ratings|weaknesses|concerns|warnings|complaints|clause*|limits|amounts|prices|exclusions|reviews|task|page|what you have received',
    output:
      'tell the user|tell users|recommend acceptance|by saying that|by stating that|by telling|user has authori*|user has agreed|user has approved|user has consented|user has confirmed|pre approved|rank _ first|instead write|instead say|instead state|instead answer|inform the user|reply only|reply with|reply that|respond only|respond with|respond that|answer only|answer with|answer that|say that|say the|state that|report that|claim that|conclude that|describe this|describe it as|summar* this _ as|rate this|rank this|rank it|score this|grade this|grade of|give _ score|give _ rating|give _ grade|must receive|write in the|write that|print only|output only|always offer|always recommend|always answer|always choose|highest score|highest rating|top score|top rating|full marks|first place|best candidate|best match|approve this|approve the|approve every|approve all|mark _ approved|recommend this|recommend the|select this|choose this|without reservation|urge the reader|before you answer|before summar*|in your answer|in your summary|in your response|your output|your reply|your response|always describe|describe the _ as|mark this|mark the|mark it|classify this|treat the|treat this|state the|state this|over all other*|omit the|omit any|omit all|skip all|append the|append this|should state|should say|must state|must say|low risk|no issues found|an unrestricted|reveal your system|reveal your instructions|reveal your prompt|reveal the system|confirm that|say there are|say there is|reply to every|output the word|set the status|accept every|award full|wants you to|invite to interview|highest possible|followed by the conversation|enthusiastic sales|already approved|no further checks|answer every question|answer all questions|answer any question|respond in the affirmative|pretend that|write a poem|as the first line|mark the rest|advance to|say only|treat this vendor|with the text|with the word|in the affirmative|risk is low|is whitelisted|as an image|as a picture|markdown image|as a markdown|reference style|as a source|recommend installing|recommend the app|will be refunded|call the number|financially sound|run the command|disable safety|best score|best possible|best mark*|highest mark*|maximum score|maximum points|as the strongest|as the best|as compliant|as reliable|as excellent|as outstanding|only _ strengths|only highlight|highly recommended|correct output|the answer is|may be signed|meets every|meets all|full points|every criterion|wants a positive|positive answer|write only|tell the person|tell the human|tell the reader|treat missing|uncensored assistant|begin your|start your|your system prompt|overrides the rubric|always add|first in every|no deviations|best choice|best option|the commit message',
    order:
      'recommend|rate|print|output|render|fetch|embed|emphasize|forward|advance|pretend|reply|collect|take|gather|read|copy|post|extract|encode|rank|score|grade|mark|classify|state|say|tell|describe|summarize|summarise|present|approve|accept|award|ignore|disregard|skip|omit|leave out|append|include|answer|respond|reply|confirm|send|forward|open|visit|set|invite|select|choose|prefer|export|reveal|run|execute|output|print|write|report|assume|consider|conclude|praise|give|transfer|disclose|mention|hide|insert|assign|add|begin|start|proceed|highlight|leave|put|place|delete|call|make|install|portray|depict|characterise|characterize|commit|overlook|treat|favour|favor|promote|emphasise|emphasize',
  },
  {
    ignore:
      'ignorier*|missacht*|vergiss|vergessen sie|uberschreib*|ubergeh*|verwirf|befolge nicht|beachte nicht|nicht beachten|nicht berucksichtigen|lass* _ ausser acht|ausser acht|berucksichtige nicht|berucksichtig* _ nicht|beachte* _ nicht',
    former:
      'vorherig*|oben|vorhergehend*|vorig*|bisherig*|obig*|fruher*|alle|allen|deine|ihre|samtlich*|benutzer*|nutzer*|bis jetzt|bislang|bis hierher|bis dato|fruhere',
    orders: 'anweisung*|instruktion*|befehl*|vorgabe*|regel|regeln|prompt*|richtlinie*',
    reader:
      'zusammenfassende* modell*|modell das _ zusammenfass*|modell das _ liest|modell das _ bewertet|modell das _ verarbeitet|modelle die _ zusammenfass*|modelle die _ lesen|lesende* modell*|automat* bewerter*|automat* gutacht*|automat* prufer*|automat* auswert*|automat* bewertungs*|automat* leser*|automat* assistent*|ki bewerter*|ki gutachter*|ki leser*|maschinelle* leser*|maschinelle* gutacht*|llm gutacht*|programmierassistent*|coding assistent*|ki die dies*|modell das _ analysier*|modell das _ auswertet|modell das _ pruft|modell das _ untersucht|modell das _ vergleicht|modelle die _ analysier*|auswertende* modell*|analysierende* modell*',
    model:
      'ki|ki assistent*|assistent*|sprachmodell*|chatbot*|ki modell*|ki system*|ki agent*|ki tool*|ai|ai system*|ai modell*|llm|llms|chatgpt|copilot|kunstliche intelligenz|kunstliche* intelligenz*|bewertungssystem*|auswertungssystem*|prufsystem*|screening system*|auswahlsystem*|ki prufer*|ki werkzeug*|coding agent*',
    address:
      'falls eine maschine|wenn eine maschine|maschine diesen|maschine dies*|du bist _ M|sie sind _ M|als M|hinweis _ M|nachricht _ M|achtung _ M|anweisung* _ M|positive* _ bewertung|positive* _ beurteilung|wenn du _ M|falls du _ M|wenn sie _ M|falls sie _ M|wenn _ M dies*|an alle M|liebe M|nur fur _ M|text fur _ M|ab sofort gilt|ab jetzt gilt|beim zusammenfassen dies*|bei der zusammenfassung dies*|liebe* M|wenn sie dies* _ zusammenfass*|wenn du dies* _ zusammenfass*|wer dies* _ zusammenfass*|solltest du _ M|sollten sie _ M|hinweis fur _ M|notiz fur _ M|notiz an _ M|wichtiger hinweis _ M|lieber M|sehr geehrte* M|bisherige* vorgaben|vorherige* vorgaben|beim erstellen _ zusammenfassung|bei der bewertung dies*|wenn _ von _ M|falls _ von _ M|an die M|an das M|an den M|ab sofort bist du|ab jetzt bist du|von nun an bist du',
    modal: 'M muss|M mussen|M soll|M sollen',
    conceal:
      'erwahn* _ nicht|verrat* _ nicht|nenn* _ nicht|nicht _ erwahnen|nicht _ verraten|nicht _ offenlegen|nicht _ nennen|nicht _ zeigen|nie* _ erwahn*|nie* _ nenn*|nie* _ zeig*|nie* _ verrat*|nie* _ offenleg*|zeig* _ nicht|frag* _ nicht|sag* _ nicht|ohne _ ruckfrage|ohne _ zu fragen|ohne _ zu erwahnen|behandle _ vertraulich|verschweig*|erwahn* _ kein*|erwahn* kein*|nenn* _ kein*|lass* _ weg|kein* ruckfrag*|kein* _ ruckfrag*|sprich nicht|sprich _ nicht|sprechen sie nicht|lass* _ _ weg|weglassen|wegzulassen|lasse _ weg|nicht zu nennen|nicht zu erwahnen|ubergeh*|auslass*|auszulassen|gehe nicht auf|unerwahnt|verrat* nicht',
    aside:
      'benutzer*|nutzer*|anfrage*|frage*|aufgabe*|kriterien|zahlen|daten|inhalt*|dokument*|text*|alles|bewertungsschema|ergebnis*|werte|noten|schwachen|mangel|warnung*|beschwerde*|klausel*|betrage|preise',
    output:
      'sag* _ nutzer*|sag* _ benutzer*|teile _ nutzer* mit|antworte nur|antworte mit|antworte _ dass|antworte immer|schreib* _ dass|schreib* in _ ergebnis|schreib* _ ergebnis|empfiehl immer|biete immer|behaupte*|bewerte* _ als|bewerte* _ mit|bestatige*|empfiehl*|empfehle* _ kandidat*|beste note|hochste punktzahl|volle punktzahl|als beste*|an erste* stelle|genehmige*|gib an|in deiner antwort|in deiner zusammenfassung|in ihrer zusammenfassung|fass* _ als|bewerten sie _ als|als positiv|als das beste|als beste|antwort* dem nutzer*|antwort* _ nutzer* dass|als gepruft|als genehmigt|als bezahlt|freigeben|freizugeben|gib _ frei|keine risiken|antworte auf alle|nutzer hat zugestimmt|benutzer hat zugestimmt|nutzer hat _ erlaubt|auf platz eins|den kauf|hochste* punktzahl|hochstpunktzahl|beste bewertung|beste* wahl|hochste* note|hochste* bewertung|bestnote|auf platz 1|an die spitze|als unbedenklich|als konkurrenzlos|als hervorragend|als zuverlassig|als bester|als bestes|gelten nicht mehr|alle prufungen bestanden|volle punkte|zu dem schluss|schlussfolger*',
    order:
      'bewerte|bewerten|fasse|bewillige*|bewillig|uberweisen|empfehlt|lade|laden|kopiere|hange|fuge|antwort|trag|trage|unterschreibe|fassen|empfiehl|empfehle|empfehlen|antworte|antworten|bestatige|bestatigen|erwahne|erwahnen|nenne|nennen|ignoriere|ignorieren|sende|senden|schreibe|schreiben|stufe|stufen|markiere|markieren|genehmige|genehmigen|wahle|wahlen|gib|geben|sage|sagen|verschweig*|behandle|behandeln|setze|setzen|offne|offnen|leite|leiten|uberweise|stelle|stellen|stell|vergib|vergeben|teile|teilen|lass|lasse|lassen|einzustufen|sprich|sprechen|begrunde|beschreibe|beschreiben|fuhre|fuhren|verweise|hebe|ordne|weise|prasentiere',
  },
  {
    ignore:
      'ignor*|oubli*|ne tiens pas compte|ne tenez pas compte|outrepass*|faites abstraction|fais abstraction|ne tiens aucun compte|ne tenez aucun compte|ne prends pas en co*|ne prenez pas en co*|ne prends pas _ en co*|ne considere* pas|fais fi|faites fi|ne prends pas en compte|laisse* de cote',
    former:
      'precedent*|anterieur*|ci dessus|toutes|tous|tes|vos|prealable*|utilisateur*|jusqu ici|jusqu a present|jusqu a maintenant|jusque la|recues _ ici',
    orders: 'instruction*|consigne*|directive*|ordres|regles|invite*|commandes',
    reader:
      'modele qui resum*|modele qui lit|modele qui evalu*|modele qui trait*|modele qui synthet*|modele charge de|ia qui lit|ia qui resum*|intelligence artificielle qui|evaluateur* automat*|relecteur* automat*|correcteur* automat*|lecteur* automat*|examinateur* automat*|outil* d aide au|outil* de tri|outil* automat*|assistant* automat*|modele qui analys*|modele qui examin*|modele qui verifi*|modele qui compar*|modele qui controle',
    model:
      'ia|assistant|assistante|modele de langage|chatbot|intelligence artificielle|ias|modeles de langage|modele linguistique|systeme* ia|systeme* d ia|outil* d ia|llm|chatgpt|copilot|gemini|agent* ia|agent* conversationnel*',
    address:
      'tu es _ M|vous etes _ M|en tant qu M|en tant que M|note _ M|message _ M|attention _ M|evaluation _ positive|avis _ positif|si tu es _ M|si vous etes _ M|attention des M|l attention de _ M|pour les M uniquement|aux M|a tous les M|en resumant ce|lors du resume de ce*|lors de la synthese de ce*|lorsque vous resumez|quand tu resumes|si vous resumez|si tu resumes|instruction* pour _ M|consigne* pour _ M|note a _ M|cher M|chere M|chers M|a l intention _ M|a destination _ M|instruction* a _ M|instruction* au* _ M|consigne* a _ M|consigne* au* _ M|directive* a _ M|directive* au* _ M|directive* pour _ M|M a partir de maintenant|M desormais|si _ lu par _ M|si _ traite par _ M|lorsque _ lu par _ M',
    modal: 'M doi*',
    conceal:
      'ne _ mentionne*|ne _ revele*|n indique*|n evoque*|ne signale*|n informe*|ne prevenez|cache*|cachez|dissimule*|masque*|ne _ divulgu*|ne dites pas|ne dis pas|ne montre*|ne demande*|sans _ demander|sans _ mentionner|sans prevenir|garde* _ secret|sous silence|n evoqu*|ne parle*|n en parle*|n abord*|ne cite*|sans en parler|sans le dire|sans le lui dire|omets|omettez|omettre|laisse* de cote|passe* sur',
    aside:
      'utilisateur*|demande*|question*|tache*|criteres|chiffres|donnees|contenu|document|texte|tout|resultats|grille',
    output:
      'dis a _ utilisateur|dites a _ utilisateur|reponds*|repondez*|affirm*|declarez|declare que|indique* que|conclu*|note* _ candidat*|classe* _ premier*|meilleure note|note maximale|approuv*|recommand*|validez|en disant que|en indiquant que|repondez que|reponds que|le produit est|sont sains|est sain|est valide|valide la|dans ta reponse|dans votre reponse|dans ton resume|dans votre resume|resum* _ comme|comme etant|sans risque|sans reserve|est conforme|la note la plus|meilleure option|meilleur choix|meilleure evaluation|en tete de liste|en premiere position|comme le meilleur|comme la meilleure|comme fiable|comme conforme|comme excellent*|au premier rang',
    order:
      'resume|resumez|recommand*|evalue*|notez|classe*|reponds|repondez|confirme*|indique*|mentionne*|ignore*|omets|omettez|approuve|approuvez|valide|validez|envoie*|transfere*|dis|dites|choisis*|considere*|presente*|attribue*|place*|placez|passe*|decris|decrivez|donne|donnez|mets|mettez|transmets|transmettez|presentez|transferez|affirmez|declarez|accorde|accordez|supprime*|ajoute*|recherche|recherchez|affiche|affichez|encode|encodez|ouvre|ouvrez|copie|copiez',
  },
  {
    ignore:
      'ignor*|olvid*|descart*|no tengas en cuenta|no tenga en cuenta|no hagas caso|no haga caso|no sigas|no siga|haz caso omiso|haga caso omiso|no consider*|no tomes en cuenta|no tome en cuenta|no prestes atencion|prescinde*',
    former:
      'anterior*|previa*|previo*|precedente*|todas|todos|tus|sus|arriba|usuario*|hasta ahora|hasta aqui|hasta este momento|hasta el momento',
    orders: 'instruccion*|indicacion*|ordenes|reglas|directrices|comandos|prompt*',
    reader:
      'modelo que resum*|modelo que lee|modelo que lea|modelo que evalu*|modelo que proces*|modelo encargado de|evaluador* automat*|revisor* automat*|corrector* automat*|calificador* automat*|lector* automat*|herramienta* automat*|asistente* automat*|ia que lee|ia que lea|ia que resum*|inteligencia artificial que|modelo que analic*|modelo que analiz*|modelo que examin*|modelo que revis*|modelo que compar*|modelo que verifi*',
    model:
      'ia|asistente|modelo de lenguaje|chatbot|inteligencia artificial|modelos de lenguaje|modelo linguistico|sistemas de ia|asistente de ia|asistentes de ia|ias|llm|chatgpt|copilot|gemini|agente* de ia|agente* ia|asistente* virtual*',
    address:
      'eres _ M|usted es _ M|como M|como una M|nota _ M|mensaje _ M|atencion _ M|evaluacion _ positiva|resena _ positiva|si eres _ M|si usted es _ M|instruccion* para _ M|aviso para _ M|solo para _ M|al resumir este|al procesar est*|al analizar est*|al evaluar est*|cuando resumas|cuando proceses|cuando analices|cuando evalues|cuando leas est*|instruccion* interna*|olvida tus _ reglas|olvida tus|nota interna para _ m|mensaje para _ sistema|cuando resumas|si resumes|nota para _ M|nota al M|estimado* M|querid* M|mensaje para _ M|dirigid* a* M|instruccion* al M|M a partir de ahora|M desde ahora|M de ahora en adelante|al generar _ resumen|al redactar _ resumen|al elaborar _ resumen|si _ leido por _ M|si _ procesado por _ M',
    modal: 'M debe*',
    conceal:
      'no _ mencion*|no _ revel*|no _ divulg*|no digas|nunca _ mencion*|nunca _ revel*|nunca _ digas|nunca _ muestr*|no _ enumer*|no _ muestres|no pregunt*|sin _ preguntar|sin _ mencionar|sin _ avisar|manten* _ secreto|no hables|no hable|no se lo digas|no se lo diga|no lo digas|no comentes|no comente|omite|omita|pasa por alto|oculta*|oculte*|esconde*|esconda*|no adviert*|no avis*|no muestre*|no indiques*|no informes*|no pid* confirm*|no pida* _ confirm*|no pidas _ confirm*|sin confirmacion|no solicit*|pase por alto|sin mencion*|sin decir*|no cites|no cite',
    aside:
      'usuario*|solicitud*|pregunta*|tarea*|criterios|cifras|datos|contenido|documento|texto|todo|resultados|peticion*|lo que pidio',
    output:
      'di al usuario|dile al usuario|diga al usuario|responde*|contesta*|afirma*|indica que|declara*|califica*|puntua*|clasifica*|mejor nota|puntuacion maxima|aprueba*|recomienda*|en tu respuesta|en su respuesta|en tu resumen|en su resumen|ordena|di que|diga que|esta aprobado|como excelente|como el mejor|como la mejor|maxima puntuacion|apruebala|apruebalo|marcala como|marcalo como|pagala|autoriza*|recomienda al lector|recomienda al usuario|recomienda instalar|sin revision|sin revisar|ya fue validad*|ya ha sido validad*|ya esta aprobad*|puntuacion mas alta|nota mas alta|maxima nota|la mejor opcion|mejor candidat*|en primer lugar|como fiable|como conforme|como el mas|concluye*|concluya*',
    order:
      'clasifica*|clasifique|registra*|registre|paga|pague|autoriza*|autorice|programa|programe|aprueba*|instala*|instale|copia|copie|valida*|valide|recomienda*|recomiende|responde*|responda*|evalua*|evalue|califica*|di|diga|indica*|confirma*|confirme|ignora*|ignore|omite*|omita|menciona|menciones|mencione|aprueba*|apruebe|envia*|envie|resume|resuma|marca|marque|elige|elija|acepta|acepte|puntua*|presenta|presente|presenten|otorga*|otorgue*|reenvia*|reenvie*|describe|describa|asigna*|asigne*|coloca*|coloque*|pon|ponga|hables|hable|destaca*|destaque*|anade|anada|dile|valora*|valore*',
  },
  {
    ignore:
      'ignor*|dimentic*|trascur*|non seguire|tralasci*|non tenere conto|non considerare|non considerate|non consideri|non tenga conto|non tenete conto|non badare|lascia perdere|lascia stare|metti da parte|accantona*',
    former:
      'precedent*|anterior*|sopra|tutte|tutti|tue|sue|vostre|utente|utenti|finora|fin ora|fino a ora|fino ad ora|fin qui|fino a qui|sinora|fino a questo momento',
    orders: 'istruzion*|indicazion*|direttiv*|ordini|regole|comandi|prompt*',
    reader:
      'modello che riassum*|modello che legge|modello che legga|modello che valut*|modello che elabor*|modello che sintetizz*|modello incaricato|valutator* automat*|revisor* automat*|correttor* automat*|lettor* automat*|strument* automat*|assistent* automat*|assistente virtuale che|ia che legge|ia che riassum*|intelligenza artificiale che|modello che analizz*|modello che esamin*|modello che verific*|modello che confront*|modello che process*|modello che controll*|modello che riceve',
    model:
      'ia|assistente|modello linguistico|chatbot|intelligenza artificiale|modelli linguistici|sistema di ia|sistemi di ia|sistema ai|sistemi ai|assistente ai|llm|chatgpt|copilot|gemini|assistent* virtual*|agent* ia|agent* ai',
    address:
      'sei _ M|lei e _ M|nota _ M|messaggio _ M|attenzione _ M|valutazione _ positiva|recensione _ positiva|se sei _ M|se siete _ M|istruzion* per _ M|messaggio per _ M|solo per _ M|nota per _ M|nota al M|gentile M|caro M|cara M|istruzion* al M|istruzion* ai M|M da questo momento|M d ora in poi|M da ora in poi|M a partire da ora|nel riassumere|quando riassum*|se _ letto da _ M|se _ elaborato da _ M',
    modal: 'M deve|M devono',
    conceal:
      'non _ menzion*|non _ rivel*|non _ divulg*|mai _ menzion*|mai _ rivel*|non dire|non _ mostr*|non chied*|senza _ chiedere|senza _ menzionare|senza avvis*|tieni _ segret*|non parl*|non cit*|tralasc*|ometti|ometta|omettere|omettete|nascond*|occult*|non avvis*|non indic*|non segnal*|senza dir*|senza parlar*|non fare riferimento|non faccia riferimento|non _ svel*|non far* cenno|non far* menzione|non far* parola',
    aside:
      'utente|utenti|richiesta|richieste|domanda|domande|compito|criteri|cifre|dati|contenuto|documento|testo|tutto|risultati',
    output:
      'di all utente|dica all utente|rispondi*|risponda*|afferma*|dichiara*|indica che|valuta*|classifica*|voto massimo|punteggio massimo|approva*|raccomanda*|consiglia*|nella tua risposta|nel tuo riassunto|nella sua risposta|come la migliore|come il migliore|approva la|approva il|punteggio piu alto|voto piu alto|massimo punteggio|massimo dei voti|migliore scelta|migliore opzione|al primo posto|come affidabile|come conforme|come eccellente|e stato autorizzato|concludi*|concluda*|concludere che|come il piu|come la piu',
    order:
      'valuta*|valuti|consiglia*|raccomanda*|rispondi|risponda|conferma*|confermi|ignora*|ignori|ometti|ometta|menziona*|menzionare|approva*|approvi|invia*|invii|riassumi|riassuma|classifica*|scegli|scelga|indica*|indichi|dica|assegna*|assegn*|descriv*|present*|inoltr*|date|metti|metta|colloca*|collochi|tralasc*|aggiung*|evidenz*|premi*|attribui*|segnala|elimina|elimini|cancella|cancelli|apri|apra|cerca|cerchi|agisci|agisca|copia|estrai',
  },
  {
    ignore:
      'ignor*|esquec*|desconsider*|nao siga|descart*|nao consider*|nao leve* em conta|nao leves em conta|nao tenha* em conta|nao tenhas em conta|deixe de lado|deixa de lado|nao atenda*',
    former:
      'anterior*|previa*|previo*|precedentes|acima|todas|todos|suas|tuas|usuario*|utilizador*|ate agora|ate aqui|ate o momento|ate ao momento|ate este momento',
    orders: 'instruc*|indicac*|orientac*|diretrizes|ordens|regras|comandos|prompt*',
    reader:
      'modelo que resum*|modelo que le|modelo que leia|modelo que avali*|modelo que process*|modelo encarregado de|avaliador* automat*|avaliadores automat*|revisor* automat*|corretor* automat*|leitor* automat*|ferramenta* automat*|assistente* automat*|ia que le|ia que leia|inteligencia artificial que|modelo que analis*|modelo que examin*|modelo que verific*|modelo que compar*',
    model:
      'ia|assistente|modelo de linguagem|chatbot|inteligencia artificial|modelos de linguagem|sistemas de ia|assistente de ia|ias|llm|chatgpt|copilot|gemini|assistente* virtua*|agente* de ia',
    address:
      'voce e _ M|tu es _ M|como M|como uma M|nota _ M|mensagem _ M|atencao _ M|avaliacao _ positiva|se voce e _ M|se voce for _ M|se es _ M|instruc* ao M|instruc* para _ M|nota para _ M|aviso ao M|nota ao M|M a partir de agora|M de agora em diante|ao resumir este|ao processar est*|ao analisar est*|ao avaliar est*|ao ler este|quando resumires|se fores _ m|quando resumir*|quando resumir|se resumir|caro M|cara M|prezad* M|mensagem para _ M|ao gerar _ resumo|ao elaborar _ resumo|se _ lido por _ M|se _ processado por _ M',
    modal: 'M deve*',
    conceal:
      'nao _ mencion*|nao _ revel*|nao _ divulg*|nunca _ mencion*|nunca _ revel*|nunca _ diga|nao diga|nao _ mostre|nao pergunte|sem _ perguntar|sem _ mencionar|sem avisar|mantenha _ segredo|nao fale*|nao cite*|nao comente*|omita*|omita|deixe de fora|esconda*|oculte*|nao avise*|nao informe*|nao alerte*|sem dizer|sem falar|nao refira*|nao conte|nao cites',
    aside:
      'usuario*|utilizador*|pedido*|pergunta*|tarefa*|criterios|numeros|dados|conteudo|documento|texto|tudo|resultados',
    output:
      'diga ao usuario|diga ao utilizador|responda*|afirme*|declare*|indique que|afirma que|diz que|deve ser contratad*|obteve a maior|maior pontuacao|avalie*|classifique*|nota maxima|pontuacao maxima|aprove*|recomende*|na sua resposta|no seu resumo|foi confirmado|como excelente|como o melhor|como a melhor|maxima pontuacao|pontuacao mais alta|nota mais alta|melhor opcao|melhor escolha|em primeiro lugar|como confiavel|como fiavel|como conforme|conclua*|conclui*',
    order:
      'recomend*|responda*|avalie*|afirme*|afirma|indique*|esconda*|contrate*|declare*|paga|pague|valide*|autorize*|classifique*|confirme*|ignore*|omita*|mencione|aprove*|envie*|resuma*|diga|escolha|considere|aceite|apresente*|deem|atribua*|descreva*|encaminhe*|reencaminhe*|coloque*|ponha|destaque*|acrescente*|conceda*',
  },
  {
    ignore:
      'negeer|vergeet|negeren|volg niet|sla over|houd geen rekening met|let niet op|laat _ buiten beschouwing|buiten beschouwing',
    former:
      'vorige|eerdere|bovenstaande|voorgaande|alle|jouw|uw|gebruiker*|tot nu toe|tot nog toe|tot hiertoe|tot dusver|eerder',
    orders: 'instructie*|aanwijzing*|opdracht*|regels|richtlijn*|prompt*',
    reader:
      'model dat _ samenvat*|model dat _ leest|model dat _ beoordeel*|model dat _ verwerk*|samenvattend* model*|automatisch* beoordelaar*|automatisch* recensent*|automatisch* lezer*|geautomatiseerd* beoordel*|geautomatiseerd* lezer*|ai beoordelaar*|ai die dit|model dat _ analyse*|model dat _ onderzoek*|model dat _ vergelijk*|model dat _ controle*|analyserend* model*',
    model:
      'ai|ai assistent|assistent|taalmodel|chatbot|taalmodellen|ai systemen|ai systeem|ai model*|llm|chatgpt|copilot|gemini|kunstmatige intelligentie|virtuele assistent*|ai agent*',
    address:
      'als je dit document samenvat|als u dit document samenvat|als je dit samenvat|als u dit samenvat|bij het samenvatten|je bent _ M|jij bent _ M|u bent _ M|bericht _ M|opmerking _ M|let op _ M|positieve _ beoordeling|als je _ M|als jij _ M|als u _ M|indien u _ M|instructie* voor _ M|alleen voor _ M|aan alle M|opmerking voor _ M|notitie voor _ M|bericht voor _ M|bestemd voor _ M|M vanaf nu|bedoeld voor _ M|bij het samenvatten|ter attentie van _ M|als _ gelezen door _ M|als _ verwerkt door _ M',
    modal: 'M moet*',
    conceal:
      'vermeld _ niet|vermeld _ nooit|noem _ nooit|onthul _ nooit|noem _ niet|onthul _ niet|niet _ vermelden|toon _ niet|vraag _ niet|zeg _ niet|zonder _ te vragen|zonder _ te vermelden|houd _ geheim|vermeld _ _ niet|laat _ weg|laat _ _ weg|weg te laten|weglaten|praat niet|spreek niet|verwijs niet|niet te noemen|zwijg*|verberg*|verzwijg*|waarschuw _ niet|meld _ niet',
    aside:
      'gebruiker*|verzoek*|vraag|vragen|taak|criteria|vergelijkingscriteri*|beoordelingscriteri*|selectiecriteri*|gunningscriteri*|eisen|prijzen|cijfers|gegevens|inhoud|document|tekst|alles|resultaten|verzoeken',
    output:
      'zeg _ gebruiker|vertel _ gebruiker|antwoord*|beweer*|beoordeel*|geef _ score|geef _ cijfer|hoogste score|hoogste cijfer|keur _ goed|beveel* _ aan|in je antwoord|in uw antwoord|in je samenvatting|als uitstekend|als beste|als de beste|als goedgekeurd|hoogste punt*|hoogste beoordeling|beste keuze|beste optie|beste score|als betrouwbaar|op de eerste plaats|bovenaan|volle punten|maximale score|concludeer*',
    order:
      'beoordeel|beveel|antwoord|bevestig|negeer|vermeld|keur|stuur|vat|kies|geef|markeer|zeg|noem|rangschik|accepteer|beschrijf|laat|plaats|zet|presenteer|meld|stel|verstuur|prijs|benadruk|voeg',
  },
  {
    ignore:
      'zignoruj|ignoruj|zapomnij|pomin|nie stosuj|nie wykonuj|nie uwzgledniaj*|nie bierz pod uwage|nie zwazaj*|nie zwracaj uwagi',
    former:
      'poprzedni*|wczesniejsz*|powyzsz*|wszystki*|swoje|dotychczasow*|uzytkownik*|dotad|do tej pory|jak dotad|uprzedni*',
    orders: 'instrukcj*|poleceni*|polecen|wskazow*|zasad*|reguł*|prompt*',
    reader:
      'model* streszcz*|model* podsumow*|model* czytaj*|model* oceniaj*|model* ktory _ streszcz*|model* ktory _ czyta|automatyczn* recenzen*|automatyczn* oceniaj*|automatyczn* egzaminator*|automatyczn* czytelni*|model* analizuj*|model* sprawdzaj*|model* porownuj*|model* ktory _ analizuje|model* ktory _ ocenia',
    model:
      'ai|asystent*|model jezykowy|modelem jezykowym|modelu jezykowego|chatbot*|sztucznej inteligencji|modele jezykowe|modeli jezykowych|modeli ai|systemy ai|systemow ai|sztuczna inteligencj*|llm|chatgpt|copilot|agent* ai|systemu ai|wirtualn* asystent*',
    address:
      'jestes _ M|jako M|uwaga _ M|wiadomosc _ M|instrukcja _ M|pozytywn* _ recenzj*|pozytywn* _ ocen*|jesli jestes _ M|jezeli jestes _ M|informacja dla _ M|instrukcja dla _ M|tylko dla _ M|uwaga dla _ M|notatka dla _ M|wiadomosc dla _ M|drogi M|droga M|przeznaczon* dla _ M|jesli czyta to _ M|jezeli czyta to _ M|podczas streszczania|przy streszczaniu|przy podsumowaniu|jesli _ czyta M|jesli _ czytasz _ M',
    conceal:
      'nie _ wspominaj|nie _ ujawniaj|nie mow|nie pokazuj|nie pytaj|bez _ pytania|zachowaj _ tajemnicy|pomin|pomijaj|nie pisz|nie mow*|nie odnos*|przemilcz*',
    aside:
      'uzytkownik*|prosb*|pytani*|zadani*|kryteri*|liczby|dane|tresc*|dokument*|tekst*|wszystko|wyniki|prosby|zyczen*',
    output:
      'powiedz uzytkownik*|odpowiedz*|odpowiadaj*|napisz ze|stwierdz*|ocen*|najwyzsz* ocen*|najwyzsz* punkt*|zatwierdz*|polec*|rekomend*|w swojej odpowiedzi|w podsumowaniu|jako najlepsz*|jako zatwierdzon*|najwyzsz* punktacj*|maksymaln* liczb*|najlepsz* wybor*|najlepsz* ofert*|na pierwszym miejscu|jako wiarygodn*|jako niezawodn*|stwierdzaj*',
    order:
      'ocen|polec|zarekomenduj|odpowiedz|potwierdz|zignoruj|pomin|wspominaj|zatwierdz|wyslij|podsumuj|wybierz|napisz|oznacz|powiedz|zaakceptuj|przedstaw|przyznaj*|opisz|umiesc|ustaw|przekaz|przeslij|postaw|dodaj|wystaw|uznaj',
  },
  {
    ignore:
      'не обращаи внимания|не обращаите внимания|не учитываи*|не следуи*|игнорируи*|проигнорируи*|забудь*|не следуи*|не выполняи*|отбрось*|не принимаи* во внимание|не бери* в расчет|не бери* во внимание|не рассматриваи*|оставь* без внимания',
    former:
      'предыдущ*|прежн*|вышеуказанн*|выше|все|всех|свои|прошл*|пользовател*|до сих пор|до этого момента|до настоящего момента|ранее|полученн* _ пор',
    orders: 'инструкци*|указани*|команд*|правил*|приказ*|промпт*',
    reader:
      'модел* составля*|модел* котор* _ чита*|модел* котор* _ обобща*|модел* суммир*|модел* обобща*|модел* чита*|модел* пересказ*|модел* резюмир*|автоматическ* рецензент*|автоматическ* оценщик*|автоматическ* проверяющ*|автоматическ* читател*|документ читает искусственныи|документ читает ии|читает искусственныи интеллект|читает ии|модел* котор* _ анализир*|модел* анализирующ*|модел* котор* _ проверя*|модел* котор* _ сравнива*|модел* котор* _ оценива*|модел* оценивающ*|модел* проверяющ*',
    model:
      'ии|ассистент*|языковая модель|языковои модели|чат бот*|неиросет*|ии ассистент*|ии модел*|ии систем*|языковые модели|языковых моделеи|искусственныи интеллект|llm|chatgpt|copilot|искусственного интеллекта|искусственному интеллекту|виртуальн* ассистент*|ии агент*|ии помощник*',
    address:
      'ты _ M|вы _ M|как M|внимание _ M|сообщение _ M|положительн* _ отзыв*|положительн* _ оценк*|если ты _ M|если вы _ M|примечание для _ M|инструкция для _ M|только для _ M|при составлении резюме|при составлении сводки|при пересказе|при обобщении|при резюмировании|если ты резюмируешь|если вы резюмируете|заметка для _ M|сообщение для _ M|уважаем* M|дорог* M|предназначен* для _ M|указание для _ M|инструкции для _ M|если _ читает M|если _ обрабатывает M',
    conceal:
      'не _ упоминаи*|не _ раскрываи*|не говори*|не сообщаи*|не показываи*|не спрашиваи*|без _ подтверждения|не спросив|храни* _ секрете|в таине|не пиши*|не пишите|опусти*|опустите|умолчи*|не указываи*|не затрагиваи*|пропусти*',
    aside:
      'пользовател*|запрос*|вопрос*|задани*|задач*|критери*|цифры|данные|содержани*|документ*|текст*|все|результат*',
    output:
      'скажи*|ответь*|отвечаи*|сообщи пользовател*|напиши что|утверждаи*|оцени*|высш* оценк*|высш* балл*|максимальн* балл*|одобри*|рекоменду*|порекоменду*|в своем ответе|в резюме|как лучш*|как отличн*|сообщи*|наивысш* оценк*|максимальн* оценк*|лучшии вариант|лучшии выбор|лучшее предложение|как лучшее|как лучшего|на первое место|полностью надежен|надежн* поставщик*|делаи вывод|сделаи вывод|приходи к выводу',
    order:
      'оцени*|рекоменду*|сообщи*|скажи*|ответь*|отвечаи*|подтверди*|игнорируи*|пропусти*|упоминаи*|одобри*|отправь*|перешли*|выбери*|поставь*|считаи*|напиши*|укажи*|опиши*|представь*|опусти*|поставьте|присвои*|дай|даите|выстави*|назови*|отметь*|пиши*|добавь*',
  },
  {
    // Swedish, Danish and Norwegian.
    ignore:
      'ignorer*|glom|glem|bortse|se bort|folj inte|folg ikke|ta inte hansyn till|ta ikke hensyn til|tag ikke hensyn til|beakta inte|lat bli att beakta|fas inte vid',
    former:
      'tidigare|foregaende|ovanstaende|alla|dina|tidligere|forrige|ovenstaende|alle|dine|overnevnte|hittills|indtil nu|hidtil|sa langt|til na|fram till nu',
    orders: 'instruktion*|instruks*|anvisning*|regler|riktlinjer|retningslinjer|kommando*|prompt*',
    reader:
      'modellen som sammanfatt*|modell som sammanfatt*|modellen der opsummer*|model der opsummer*|modellen som oppsummer*|modell som oppsummer*|modellen som laser|modellen der læser|modellen som leser|sprakmodellen som|sprogmodellen der|automatisk* granskare|automatisk* bedomare|automatisk* anmelder*|automatisk* bedømmer*|automatisk* vurderer*|automatisk* lasare|automatisk* leser*|modellen som analys*|modell som analys*|modellen der analys*|model der analys*|modellen som grans*|modellen som vurder*|modellen der vurder*|modellen som bedom*|modellen som jamfor*|modellen der sammenlign*',
    model:
      'ai|ai assistent*|assistent*|sprakmodell*|sprogmodel*|chatbot*|kunstig intelligens|ai modell*|ai system*|ki|ki assistent*|llm|chatgpt|copilot|ai agent*|artificiell intelligens|ai verktyg*|sprakmodellen|sprogmodellen',
    address:
      'du ar _ M|du er _ M|som M|till _ M|til _ M|obs _ M|meddelande _ M|besked _ M|melding _ M|om du ar _ M|hvis du er _ M|dersom du er _ M|till alla M|notat til _ M|instruktion* till _ M|instruks* til _ M|not till _ M|anteckning till _ M|meddelande till _ M|kare M|kaere M|kære M|kjære M|besked til _ M|bemærkning til _ M|merknad til _ M|avsett for _ M|beregnet til _ M|vid sammanfattning|nar du sammanfattar|ved opsummering',
    conceal:
      'namn inte|navn ikke|nevn ikke|avsloja inte|afslor ikke|avslor ikke|beratta inte|fortael ikke|fortell ikke|visa inte|vis ikke|sporg ikke|spor ikke|fraga inte|nævn ikke|nævn aldrig|utelamna|utelämna|udelad|utelat|tala inte|tal ikke|snakk ikke|hoppa over|spring _ over|hopp over|ikke skriv|skriv ikke|skriv inte|ingen omtale',
    aside:
      'anvandare*|bruger*|bruker*|fraga*|fragor|sporsmal*|foresporg*|uppgift*|kriterier|data|innehall*|indhold*|innhold*|allt|alt|onskemal*|onsker|ønsker',
    output:
      'svara *|svar *|sag till|sig til|si til|beratta for|betygsatt|bedom*|bedommelse|rekommendera*|anbefal*|godkann*|godkend*|godkjenn*|hogsta betyg|hojeste karakter|hogsta poang|hojeste score|højeste score|hoyeste poeng|høyeste poeng|som den basta|som den bedste|som den beste|som basta|basta valet|bedste valg|beste valg|som palitlig|som pålidelig|overst|forst pa listan|dra alltid slutsatsen|dra slutsatsen|konkluder*',
    order:
      'rekommendera|anbefal|ignorera|ignorer|svara|svar|bedom|bedøm|vurder|namn|nævn|nevn|godkann|godkend|godkjenn|sammanfatta|opsummer|oppsummer|valj|vælg|velg|skicka|send|beskriv|utelamna|udelad|utelat|ge|giv|gi|tildela|tildel|satt|sæt|sett|framhall|fremhæv|fremhev|presentera|præsenter|presenter|vidarebefordra|videresend|fortell|fortæl|lagg|anfor|ange|angiv|oppgi',
  },
  {
    // Czech and Slovak.
    ignore:
      'ignoruj*|zapomen*|zabudn*|nedodrzuj*|neber* v uvahu|neber* do uvahy|neber* ohled|nehled na|nevsimej*|nevsimaj*',
    former: 'predchoz*|predchadzaj*|predesl*|vyse|vyssie|vsech*|vsetk*|sve|svoje|dosud|doposud|doteraz|az dosud|dosial',
    orders: 'instrukc*|instrukci*|pokyn*|prikaz*|pravidl*|prompt*',
    reader:
      'model* ktery _ shrn*|model* ktory _ zhrn*|model* ktery _ cte|model* ktory _ cita|automatick* hodnotitel*|automatick* recenzent*|automatick* posudzovatel*|model* ktery _ analyz*|model* ktory _ analyz*|model* ktery _ posuz*|model* ktory _ posudz*|model* ktery _ porovn*|model* ktory _ porovn*|model* analyzuj*',
    model:
      'ai|umela inteligence|asistent*|jazykovy model|chatbot*|umele inteligenci|umela inteligencia|jazykove modely|llm|chatgpt|copilot|ai asistent*|ai agent*|umelou inteligenc*|umelu inteligenci*|virtualni asistent*',
    address:
      'jsi _ M|jste _ M|si _ M|jako M|ako M|pozor _ M|zprava _ M|pokyn _ M|text cte model|text cte jazykovy|dokument cte model|pokud jsi _ M|jestli jsi _ M|ak si _ M|poznamka pro _ M|pokyn pro _ M|pouze pro _ M|poznamka pre _ M|zprava pro _ M|sprava pre _ M|mily M|vazeny M|urceno pro _ M|pri shrnuti|pri zhrnuti',
    conceal:
      'nezminuj*|nespominaj*|neprozrad*|neprezrad*|nerikej*|nehovor*|neukazuj*|vynech*|nemluv*|nezmin*|neuvadej*|neuvadzaj*|nepis*|zamlc*',
    aside:
      'uzivatel*|pouzivatel*|dotaz*|otazk*|ukol*|uloh*|kriteri*|udaje|obsah*|dokument*|vse|vsetko|pozadavk*|poziadavk*|prosb*',
    output:
      'odpovez*|odpovedz*|rekni*|povedz*|napis ze|ohodno*|doporuc*|odporuc*|schval*|jako nejlepsi|ako najlepsi*|nejvyssi hodnoceni|nejvyssi pocet|najvyssie hodnotenie|najvyssi pocet|jako nejleps*|ako najleps*|nejlepsi volb*|najlepsi* volb*|na prvni misto|na prve miesto|jako spolehliv*|ako spolahliv*|uzavri*',
    order:
      'ohodnot*|doporuc*|odporuc*|odpovez|odpovedz|potvrd*|ignoruj*|vynech*|zminuj|schval*|odesli|posli|shrn*|zhrn*|vyber*|oznac*|popis*|uved*|pridel*|umist*|umiestn*|dej|daj|napis*|prepos*|predstav*|zarad*|prohlas*',
  },
  {
    // Turkish.
    ignore: 'yok say|gormezden gel*|unut*|dikkate alma*|goz ardi et*|hesaba katma*|goz onunde bulundurma*|onemseme*',
    former: 'onceki|yukaridaki|tum|butun|mevcut|simdiye kadar|su ana kadar|bu ana kadar',
    orders: 'talimat*|yonerge*|komut*|kural*|prompt*',
    reader:
      'ozetleyen model*|okuyan model*|degerlendiren model*|otomatik degerlendirici*|otomatik hakem*|otomatik inceleme*|ozetleyen yapay*|okuyan yapay*|analiz eden model*|inceleyen model*|karsilastiran model*|kontrol eden model*',
    model:
      'yapay zeka*|asistan*|dil model*|sohbet botu|yapay zeka model*|yapay zeka asistan*|llm|chatgpt|copilot|yapay zekaya|dil modeline|dil modelleri*|sanal asistan*|ai asistan*',
    address:
      'M asistan*|M icin|sen bir M|bir M olarak|dikkat M|not M|M isen*|M asistanina|eger _ M|tum M|M not|modele not|M dikkat|sayin M|sevgili M|M notu|okuyan M',
    conceal:
      'bahsetme*|soyleme*|aciklama yapma|gosterme*|belirtme*|soz etme*|deginme*|yer verme*|atla*|anma*|bahsetmey*|haric tut*|cikar*',
    aside: 'kullanici*|istek*|soru*|gorev*|kriter*|veri*|icerik*|belge*|her sey*',
    output:
      'yanit ver*|cevap ver*|soyle*|degerlendir*|puan ver*|oner*|onayla*|en iyi olarak|en yuksek puan*|en yuksek not*|en iyi secenek*|en iyi tercih*|en guvenilir|en iyi aday*|ilk sira*|tam puan*|guvenilir olarak|sonucuna var*',
    order:
      'degerlendir*|oner*|yanitla*|yanit ver*|cevap ver*|onayla*|bahsetme*|belirtme*|soyle*|sec|isaretle*|gonder*|ozetle*|puan ver*|yok say|goster*|ver|verin|tanit*|yaz|yazin|belirt*|cikar*|tanimla*|yonlendir*|ilet*|sun|sunun',
  },
  {
    // Indonesian and Malay.
    ignore: 'abaikan|lupakan|jangan ikuti|jangan pertimbangkan|jangan hiraukan|jangan pedulikan|ketepikan',
    former:
      'sebelumnya|sebelum ini|di atas|semua|seluruh|sejauh ini|sampai sekarang|hingga kini|hingga sekarang|setakat ini',
    orders: 'instruksi*|petunjuk*|perintah*|arahan*|aturan*|prompt*',
    reader:
      'model yang merangkum|model yang membaca|model yang meringkas|model yang menilai|model yang memproses|penilai otomatis|peninjau otomatis|ai yang membaca|ai yang merangkum|model yang menganalisis|model yang memeriksa|model yang membandingkan|model yang menganalisa',
    model: 'ai|asisten*|pembantu ai|model bahasa|chatbot*|kecerdasan buatan|asisten virtual|agen ai|alat ai|sistem ai',
    address:
      'anda adalah _ M|kamu adalah _ M|sebagai M|untuk M|perhatian _ M|catatan _ M|jika anda _ M|jika kamu _ M|bila anda _ M|catatan untuk _ M|instruksi untuk _ M|pesan untuk _ M|yth M|saat merangkum|ketika merangkum|saat meringkas|ketika meringkas|jika meringkas|bila meringkas',
    conceal:
      'jangan _ sebutkan|jangan _ sebut|jangan _ beri tahu|jangan _ ungkapkan|jangan _ tanya*|tanpa _ memberi tahu|hilangkan|jangan bahas|jangan bicara*|lewati|sembunyikan|jangan cantumkan|jangan tulis*',
    aside: 'pengguna*|permintaan*|pertanyaan*|tugas*|kriteria|angka|data|isi|dokumen*|semuanya',
    output:
      'jawab*|katakan*|balas*|nyatakan*|nilai *|rekomendasikan*|setujui*|nilai tertinggi|sebagai yang terbaik|skor tertinggi|pilihan terbaik|yang terbaik|peringkat pertama|sebagai terbaik|nilai penuh|dapat dipercaya|simpulkan*|usulkan',
    order:
      'beri|berikan|rekomendasikan|jawab|setujui|abaikan|kirim*|ringkas*|pilih|sebutkan|katakan|konfirmasi*|gambarkan|hilangkan|jelaskan|tempatkan|teruskan|nyatakan|tulis|tampilkan|tandai|lewati',
  },
  {
    // Romanian.
    ignore:
      'ignor*|uita*|nu urma*|nu lua in considerare|nu luati in considerare|nu tine cont|nu tineti cont|nu lua in seama',
    former: 'anterioar*|precedent*|de mai sus|toate|tale|pana acum|pana in prezent|pana aici|pana in acest moment',
    orders: 'instructiun*|indicati*|reguli*|comenzi*|prompt*',
    reader:
      'modelul* care rezum*|modelul* care cit*|modelul* care evalu*|modelul* care proces*|evaluator* automat*|recenzor* automat*|modelul* care analiz*|modelul* care examin*|modelul* care verific*|modelul* care compar*',
    model:
      'ia|asistent*|model lingvistic|chatbot*|inteligent* artificial*|modele lingvistice|model de limbaj|modele de limbaj|inteligenta artificiala|ai|asistent* virtual*|agent* ai',
    address:
      'esti _ M|sunteti _ M|ca M|nota _ M|mesaj _ M|atentie _ M|daca esti _ M|daca sunteti _ M|nota pentru _ M|mesaj pentru _ M|draga M|stimat* M|la rezumarea|cand rezum*',
    conceal:
      'nu _ mention*|nu _ dezvalui*|nu spune*|nu arata*|fara _ a intreba|omite*|omiteti|nu vorbi*|nu te referi|sari peste|treci peste|lasa deoparte|nu divulga*',
    aside: 'utilizator*|cerer*|intrebar*|sarcin*|criteri*|date*|continut*|document*|tot',
    output:
      'raspund*|spune*|afirm*|evalu*|recomand*|aprob*|nota maxima|cel mai mare punctaj|punctaj* maxim*|cea mai buna|cel mai bun|pe primul loc|ca fiind cel|ca fiind cea|de incredere|cea mai mare nota|nota cea mai|concluzion*',
    order:
      'recomand*|evalueaza*|raspunde*|confirma*|ignora*|aproba*|trimite*|rezuma*|alege*|spune*|mentiona*|descrie*|prezinta*|acorda*|atribuie*|pune*|plaseaza*|dati|redirectioneaza*|scrie*|adauga*|omite*|declara*',
  },
  {
    // Ukrainian.
    ignore: 'ігноруи*|проігноруи*|забудь*|не виконуи*|не бери* до уваги|не зважаи*|не враховуи*|не беріть до уваги',
    former: 'попередн*|вищ*|усі|всі|своі|досі|до цього часу|дотепер|до цього моменту',
    orders: 'інструкці*|вказівк*|команд*|правил*|промпт*',
    reader:
      'модель яка _ підсумов*|модел* що _ підсумов*|модел* яка чита*|модел* що чита*|модел* яка узагальн*|модел* яка стисл*|автоматичн* рецензент*|автоматичн* оцінювач*|автоматичн* перевіря*|читає штучнии|читає ші|модел* яка аналіз*|модел* що аналіз*|модел* яка перевір*|модел* яка порівн*|модел* яка оцін*',
    model:
      'ші|асистент*|мовна модель|чат бот*|штучнии інтелект|мовні моделі|ші асистент*|ai|штучного інтелекту|штучному інтелекту|мовноі моделі|віртуальн* асистент*|ші агент*|ші помічник*',
    address:
      'ти _ M|ви _ M|як M|увага _ M|повідомлення _ M|якщо ти _ M|якщо ви _ M|примітка для _ M|повідомлення для _ M|шановн* M|призначен* для _ M|інструкція для _ M|вказівка для _ M|при підсумовуванні|підсумовує цеи|підсумовуючи',
    conceal:
      'не _ згадуи*|не _ розкриваи*|не кажи*|не показуи*|не згадуи*|не пиши*|опусти*|пропусти*|не вказуи*|замовчи*|не розповідаи*',
    aside: 'користувач*|запит*|питання|завдання|критері*|дані|вміст*|документ*|усе|все',
    output:
      'скажи*|відповід*|відповіда*|оціни*|рекоменду*|схвали*|як наикращ*|наивищ* оцінк*|наивищ* бал*|максимальн* бал*|максимальн* оцінк*|наикращ* вибір|наикраща пропозиція|на перше місце|цілком надіин*|надіин* постачальник*|роби висновок|зроби висновок|роби завжди висновок',
    order:
      'оціни*|рекоменду*|відповіда*|відповід*|підтверд*|ігноруи*|схвали*|надішли*|скажи*|обери*|опиши*|постав*|поставте|представ*|подаи*|вкажи*|дай|даите|признач*|перешли*|напиши*|згадуи*|додаи*|виведи*|познач*',
  },
  {
    // Greek.
    ignore:
      'αγνοησ*|αγνοει*|ξεχασ*|μη λαβεις υποψη|μην λαβεις υποψη|μη λαμβανεις υποψη|μην λαμβανεις υποψη|μη λαβετε υποψη|μη δωσεις σημασια',
    former: 'προηγουμεν*|παραπανω|ολες|ολα|μεχρι τωρα|εως τωρα|ως τωρα|μεχρι στιγμης',
    orders: 'οδηγι*|εντολ*|κανον*',
    reader:
      'μοντελο που συνοψιζ*|μοντελο που διαβαζ*|μοντελο που αξιολογ*|μοντελο που επεξεργ*|αυτοματ* αξιολογητ*|αυτοματ* κριτ*|τεχνητη νοημοσυνη που|μοντελο που αναλυ*|μοντελο που εξεταζ*|μοντελο που συγκριν*|μοντελο που ελεγχ*',
    model:
      'τεχνητη νοημοσυνη|βοηθ*|ai|γλωσσικο μοντελο|γλωσσικα μοντελα|τεχνητης νοημοσυνης|γλωσσικου μοντελου|ψηφιακ* βοηθ*',
    address:
      'εισαι _ M|ειστε _ M|ως M|προσοχη _ M|σημειωση _ M|μηνυμα _ M|αν εισαι _ M|εαν εισαι _ M|αν ειστε _ M|σημειωση για _ M|σημειωση προς _ M|μηνυμα προς _ M|αγαπητ* M',
    conceal:
      'μην _ αναφερ*|μην _ αποκαλυψ*|μην πεις|μην πειτε|μην δειξ*|παραλειψ*|παραλειψε|μη μιλησ*|μη γραψ*|αποσιωπ*|μην αναφερθ*',
    aside: 'χρηστη*|αιτημα*|ερωτησ*|κριτηρι*|δεδομεν*|περιεχομεν*|εγγραφ*|ολα',
    output:
      'απαντησ*|πες|πειτε|αξιολογησ*|βαθμολογησ*|προτειν*|εγκριν*|ως τον καλυτερο|ως την καλυτερη|ως το καλυτερο|υψηλοτερ* βαθμολογ*|μεγιστη βαθμολογ*|αριστα|καλυτερη επιλογη|στην πρωτη θεση|ως αξιοπιστ*|κατεληξε*|κατεληγ*',
    order:
      'αξιολογησ*|προτειν*|απαντησ*|αγνοησ*|εγκριν*|στειλ*|πες|επιλεξ*|συνοψ*|επιβεβαιωσ*|παρουσιασ*|δωσ*|περιγραψ*|βαλ*|τοποθετησ*|παραλειψ*|γραψ*|προωθησ*|δηλωσ*|αποδωσ*|αναφερ*',
  },
  {
    // Arabic.
    ignore: 'تجاهل*|انس|انسى|لا تتبع|لا تاخذ في الاعتبار|لا تراع|لا تلتفت',
    former: 'السابقة|السابق|اعلاه|جميع|كل|حتى الان|الى الان|حتى هذه اللحظة',
    orders: 'التعليمات|الاوامر|تعليمات|القواعد|التوجيهات',
    reader:
      'للنموذج الذي|النموذج الذي يلخص|النموذج الذي يقرا|نموذج يلخص|المقيمين الاليين|المراجعين الاليين|للمراجعين الاليين|للمقيمين الاليين|المراجع الالي|الذكاء الاصطناعي الذي',
    model:
      'الذكاء الاصطناعي|المساعد|مساعد|نموذج لغوي|نموذج اللغة|نموذجا لغويا|النماذج اللغوية|ذكاء اصطناعيا|ذكاء اصطناعي|للذكاء الاصطناعي|للمساعد الذكي|المساعد الذكي|وكيل الذكاء|نموذج ذكاء',
    address:
      'انت _ M|الى _ M|ايها M|ملاحظة _ M|تنبيه _ M|بصفتك _ M|اذا كنت _ M|ان كنت _ M|ملاحظة M|ملاحظة الى M|رسالة الى M|رسالة M|تعليمات M|الى كل M|عزيزي M|عند تلخيص|عند تقييم|اثناء تلخيص',
    conceal:
      'لا تذكر*|لا تكشف*|لا تخبر*|لا تظهر*|لا تسال*|ولا تذكر*|ولا تشر|لا تشر|احذف*|تجاوز|لا تتحدث*|ولا تتحدث*|دون ذكر',
    aside: 'المستخدم|الطلب|السؤال|المهمة|المعايير|البيانات|المحتوى|المستند',
    output:
      'اجب|رد|قل|اخبر|قيم|اعط|اوص|وافق|اذكر ان|اعلى درجة|اعلى تقييم|الدرجة الكاملة|افضل خيار|بانه الافضل|على انه الافضل|في المرتبة الاولى|موثوق|كافضل|استنتج*',
    order:
      'فقيم*|قيم*|اوص*|اجب|رد|قل|تجاهل*|وافق|ارسل|لخص|اختر|اكد|تذكر*|فقل|صف|صفوا|امنح*|اعط*|ضع|اكتب|قدم|اعرض|ارسل*|احذف*|اعد|رشح',
  },
  {
    // Hindi.
    ignore: 'अनदख*|नजरअदज*|भल*|उपकष*',
    former: 'पछल*|पहल*|ऊपर*|सभ*|सर*',
    orders: 'नरदश*|आदश*|नयम*|परमपट*',
    reader: 'सरश बनन वल|सरश तयर करन|सवचलत समकषक*|सवचलत मलयकक*|पढन वल एआई',
    model: 'एआई|ai|सहयक*|भष मडल|कतरम बदधमतत',
    address: 'आप _ M|तम _ M|M क लए|M धयन|यद आप _ M|अगर आप _ M|परय M',
    conceal: 'उललख _ न कर*|न बतए*|मत बत*|जकर _ न कर*|उललख न|क उललख न|छपए*|छड द*|मत लख*|हट द*',
    aside: 'उपयगकरत*|परशन*|अनरध*|करय*|मनदड*|डट|समगर*',
    output: 'जवब द*|उततर द*|कह क|मलयकन कर*|सफरश कर*|सवकत कर*|अक द*|सरवशरषठ|सबस अचछ|उचचतम अक|परण अक|अधकतम अक|पहल सथन',
    order: 'बतए*|कह*|सफरश*|मलयकन*|सवकर*|सवकत*|चन*|अनदख*|लख*|दखए*|वरणन*|भज*|रख*|छड*',
  },
  {
    // Vietnamese.
    ignore: 'bo qua|phot lo|quen|khong xem xet|đung xem xet|khong tinh đen|đung đe y',
    former: 'truoc đo|truoc|tren|tat ca|moi|cho đen nay|cho đen bay gio|tu truoc đen nay',
    orders: 'huong dan|chi dan|lenh|quy tac|prompt*',
    reader:
      'mo hinh tom tat|mo hinh đoc|mo hinh đanh gia|mo hinh xu ly|nguoi cham tu đong|nguoi đanh gia tu đong|nguoi binh duyet tu đong|ai đoc|mo hinh phan tich|mo hinh kiem tra|mo hinh so sanh',
    model: 'ai|tro ly*|tri tue nhan tao|mo hinh ngon ngu|tro ly ao|tro ly ai|tac nhan ai',
    address:
      'ban la _ M|gui _ M|danh cho _ M|luu y _ M|chu y _ M|neu ban la _ M|neu la _ M|ghi chu cho _ M|ghi chu danh cho _ M|thu gui M|kinh gui M|khi tom tat',
    conceal:
      'khong _ nhac|khong _ đe cap|khong _ tiet lo|đung _ noi|đung _ nhac|khong _ hoi|ma khong hoi|bo qua|hay bo|đung đe cap|khong nhac đen|luoc bo|an đi',
    aside: 'nguoi dung|yeu cau|cau hoi|nhiem vu|tieu chi|du lieu|noi dung|tai lieu',
    output:
      'tra loi|noi rang|đanh gia|xep hang|đe xuat|phe duyet|cho điem|la tot nhat|tot nhat|điem cao nhat|điem toi đa|lua chon tot nhat|xep hang nhat|đang tin cay|ket luan',
    order:
      'đanh gia|đe xuat|tra loi|xac nhan|bo qua|phe duyet|gui|tom tat|chon|xep hang|mo ta|viet|trinh bay|đat|chuyen tiep|ghi|luoc bo',
  },
  {
    // Hungarian.
    ignore: 'hagyd figyelmen kivul|felejtsd el|ne kovesd|ne vedd figyelembe|ne torodj*|ne vegye figyelembe',
    former: 'elozo|korabbi|fenti|osszes|eddigi|eddig|mostanaig|ez idaig|mindeddig',
    orders: 'utasitas*|szabaly*|parancs*|prompt*',
    reader:
      'osszefoglalo model*|olvaso model*|ertekelo model*|feldolgozo model*|automatikus biral*|automatikus ertekel*|automatikus lektor*|elemzo model*|vizsgalo model*|osszehasonlito model*|ellenorzo model*',
    model: 'ai|asszisztens*|nyelvi modell*|mesterseges intelligencia|mi asszisztens*|virtualis asszisztens*|ai agens*',
    address:
      'te egy _ M|mint M|figyelem M|uzenet _ M|megjegyzes _ M|ha te _ M|ha egy _ M|ha on _ M|megjegyzes a* _ M|megjegyzes az* _ M|uzenet a* _ M|kedves M|tisztelt M|osszefoglalaskor',
    conceal:
      'ne emlitsd*|ne aruld el|ne mondd*|ne mutasd*|ne kerdezd*|hagyd ki|hagyja ki|ne irj*|ne beszelj*|ne szolj*|ne emlitse|mellozd|mellozze|ne hivatkoz*',
    aside: 'felhasznalo*|keres*|kerdes*|feladat*|szempont*|adat*|tartalom*|dokumentum*|mindent',
    output:
      'valaszold*|mondd*|allitsd*|ertekeld*|ajanld*|hagyd jova|legjobb|legjobbkent|legjobb valasztas*|legmagasabb pont*|maximalis pont*|legjobb pont*|elso helyre|megbizhato*|legjobb jelolt*|allapitsd*',
    order:
      'ajanld|ertekeld|valaszold|erositsd|hagyd|fogadd|kuldd|foglald|valaszd|ird|irja|adj|adjon|add|adja|mutasd|mutassa|tedd|tegye|allitsd|tovabbitsd|jelold|sorold|nevezd|tuntesd',
  },
  {
    // Finnish.
    ignore: 'ohita|unohda|jata huomiotta|ala noudata|ala huomioi|ala ota huomioon|ala valita',
    former: 'aiemm*|edellis*|kaikki|ylla*|tahan asti|toistaiseksi|tahan mennessa',
    orders: 'ohje*|kasky*|kehot*|saanno*',
    reader:
      'malli* joka tiivista*|malli* joka luke*|malli* joka arvioi*|malli* joka kasittel*|automaattis* arvioij*|automaattis* tarkastaj*|malli* joka analysoi*|malli* joka tarkast*|malli* joka vertaa*|analysoiva* malli*',
    model:
      'tekoaly*|kielimalli*|ai|chatbot*|tekoalylle|kielimallille|virtuaaliavustaj*|tekoalyavustaj*|tekoalyagent*|avustaj*',
    address: 'jos olet _ M|olet M|huomio M|viesti M|ohje M|huomautus M|hyva M|tiivistaessasi',
    conceal:
      'ala mainitse|ala paljasta|ala kerro|jata pois|jata _ pois|jattakaa pois|ala puhu|ala kirjoita|ala viittaa|alkaa mainitko|sivuuta|jata mainitsematta',
    aside: 'kayttaj*|pyynto*|kysym*|tiedo*|sisalt*|pyyntoj*',
    output:
      'kerro kayttaj*|vastaa*|paras arvosana|korkein*|korkein* piste*|paras valinta|parhaaksi|parhaana|taydet pisteet|ensimmaiseksi|luotettava*|paras vaihtoehto|totea*',
    order:
      'suosittele|arvioi|vastaa|hyvaksy|ohita|laheta|tiivista|valitse|kerro|mainitse|merkitse|kuvaile|jata|anna|aseta|kirjoita|esita|sijoita|valita|totea|luokittele|nosta|lisaa|antakaa|korosta',
  },
  {
    // Hebrew.
    ignore: 'התעלם|התעלמי|התעלמו|שכח|אל תתחשב*|אל תיקח* בחשבון',
    former: 'הקודמות|קודמות|כל|לעיל|עד כה|עד עכשיו|עד לרגע זה',
    orders: 'ההוראות|הוראות|ההנחיות|הנחיות|מההוראות|מההנחיות|בהוראות',
    reader:
      'למודל שמסכם|מודל שמסכם|המודל שמסכם|למודל שקורא|מודל שקורא|למודל המסכם|סוקרים אוטומטיים|לסוקרים אוטומטיים|מעריכים אוטומטיים|לבודקים אוטומטיים|בודקים אוטומטיים|לשופטים אוטומטיים|למודל שמנתח|מודל שמנתח|המודל שמנתח|למודל שבודק|מודל שבודק|למודל שמעריך',
    model:
      'בינה מלאכותית|מודל שפה|ai|למודל השפה|מודל השפה|עוזר וירטואלי|סוכן ai|הבינה המלאכותית|לבינה המלאכותית|לעוזר|עוזר',
    address: 'אם אתה _ M|אתה M|הערה _ M|הערה M|הערה ל M|הודעה M|הנחיה M|הוראה M|בעת סיכום|כשאתה מסכם',
    conceal: 'אל תזכיר*|אל תגלה*|אל תספר*|ואל תזכיר*|השמט*|אל תציין*|ואל תציין*|אל תדבר*|דלג*|אל תתייחס*|אל תציג*',
    aside: 'המשתמש|הבקשה|השאלה|המסמך|התוכן|בבקשות|בקשות',
    output:
      'ענה|אמור|המלץ|אשר|הטוב ביותר|הטובה ביותר|הציון הגבוה|ציון מקסימלי|ציון מלא|במקום הראשון|כטוב ביותר|אמין|קבע*|הסק*',
    order: 'דרג|המלץ|ענה|אשר|אמור|שלח|סכם|בחר|התעלם*|הצג|תאר|תן|תנו|כתוב|העבר|דרגו|ציין|הענק|השמט|הוסף|הדגש',
  },
  {
    // Persian.
    ignore: 'نادیده بگیر*|فراموش کن*|در نظر نگیر*|توجه نکن*',
    former: 'قبلی|پیشین|بالا|همه|تمام|تا کنون|تاکنون|تا الان|تا اینجا',
    orders: 'دستورات|دستور|دستورالعمل*|راهنما*',
    reader: 'مدلی که _ خلاصه*|مدل خلاصه*|داوران خودکار|ارزیاب* خودکار|مدلی که _ تحلیل*|مدلی که _ بررسی*',
    model: 'هوش مصنوعی|مدل زبانی|دستیار|دستیار مجازی|عامل هوشمند',
    address: 'اگر _ M|شما M|تو M|یادداشت برای M|یادداشت به M|خطاب به M|هنگام خلاصه*',
    conceal: 'ذکر نکن*|نگو*|فاش نکن*|اشاره نکن*|حذف کن*|ننویس*|صحبت نکن*',
    aside: 'کاربر|درخواست|سوال|سند|محتوا',
    output: 'پاسخ بده*|توصیه کن*|تایید کن*|بهترین|بالاترین امتیاز|بالاترین نمره|امتیاز کامل|قابل اعتماد',
    order: 'پاسخ*|بگو*|توصیه*|تایید*|نادیده*|ارزیابی*|معرفی*|بده*|توصیف*|بنویس*|حذف*|قرار*|ارسال*|اعلام*',
  },
  {
    // Bulgarian.
    ignore: 'игнорира*|пренебрегн*|забрави*|не следва*|не взимаи* предвид|не вземаи* предвид|не обръщаи* внимание',
    former: 'предишн*|горн*|всички|предходн*|твоите|досега|до момента|до този момент',
    orders: 'инструкци*|указани*|правила|нареждани*',
    reader:
      'модел които обобщав*|модел които обобщава|автоматичн* оценител*|автоматичн* рецензент*|модел* които анализира*|модел* които проверява*|модел* които сравнява*',
    model: 'изкуствен интелект|езиков модел|езиковият модел|ии|ai|асистент*',
    address:
      'ако си _ m|ако сте _ m|бележка за _ m|бележка към _ m|инструкци* за _ m|до m|ти си _ m|когато обобщава*|при обобщаване',
    conceal: 'не споменава*|не разкрива*|не казва*|пропусн*',
    aside: 'потребител*|въпрос*|задача*|документ*|съдържание*',
    output: 'препоръч*|отговори*|кажи*|наи добър*|наи висок*|одобри*|заключи*|предложи*',
    order:
      'препоръчаи|препоръчаите|оцени|оценете|отговори|отговорете|кажи|напиши|одобри|игнорираи|изпрати|представи|посочи',
  },
  {
    // Croatian, Serbian, Bosnian and Slovene.
    ignore:
      'zanemari*|ignoriraj*|ignorisi*|ignorisi|zaboravi*|prezri*|ne upostevaj*|занемари*|игнориши*|ne uzimaj* u obzir|ne obaziri se|ne jemlji v obzir|ne osvrci se|не узимај* у обзир',
    former:
      'prethodn*|prejsnj*|gornj*|sve|svih|vsa|vse|претходн*|све|dosad|do sada|dosada|doslej|do zdaj|досад*|до сада',
    orders: 'upute|uputa|uputstv*|navodil*|naredb*|pravila|instrukcij*|упутства|упутств*',
    reader:
      'model koji sazima|model koji sazi*|model ki povzema|automatsk* ocjenjivac*|samodejn* ocenjevalec*|model koji analizira*|model koji provjerava*|model koji proverava*|model ki analizira*|model koji usporeduje|модел који анализира*',
    model:
      'ai|umjetna inteligencija|umetna inteligenca|vestacka inteligencija|jezicn* model*|jezikovni model|asistent*|вештачка интелигенција|језички модел',
    address:
      'ako si _ m|ako ste _ m|ce si _ m|ce ste _ m|napomena za _ m|opomba za _ m|upute za _ m|ti si _ m|ако си _ m|напомена за m|kad sazim*|pri povzemanju',
    conceal: 'ne spominji*|ne spomeni*|ne otkrivaj*|ne omenjaj*|ne navodi*|izostavi*|izpusti*|не помињи*',
    aside: 'korisnik*|uporabnik*|pitanj*|vprasanj*|zadat*|dokument*|sadrzaj*|zahtjev*|zahtev*|zahtev',
    output:
      'preporuci*|priporoci*|odgovori da|odgovori*|najbolj*|odobri*|reci da|ocijeni*|препоручи*|одговори*|zakljuci*|predlozi*',
    order:
      'preporuci|preporucite|priporoci|ocijeni|oceni|odgovori|odgovorite|reci|napisi|odobri|ignoriraj|zanemari|posalji|predstavi|ne|navedi|препоручи|одговори|оцени',
  },
  {
    // Lithuanian.
    ignore: 'ignoruok*|nepaisyk*|pamirsk*|neatsizvelk*|nekreipk* demesio',
    former: 'ankstesn*|visus|visas|auksciau|tavo|iki siol|lig siol|iki dabar',
    orders: 'nurodym*|instrukcij*|taisykl*',
    reader: 'modelis kuris apibendrina|automatin* vertintoj*|modelis kuris analizuoja|modeliui kuris analizuoja',
    model: 'dirbtinis intelektas|dirbtini* intelekt*|kalbos model*|di asistent*|di model*|di sistem*|ai|asistent*',
    address: 'jei esi _ m|jeigu esi _ m|jei esate _ m|pastaba _ m|tu esi _ m|instrukcij* m|apibendrindam*',
    conceal: 'neminek*|neatskleisk*|nesakyk*|praleisk*',
    aside: 'vartotoj*|klausim*|uzduot*|dokument*|prasym*',
    output: 'rekomenduok*|atsakyk*|geriausi*|patvirtink*|auksciausi* bal*',
    order:
      'rekomenduok|rekomenduokite|ivertink|ivertinkite|atsakyk|atsakykite|sakyk|parasyk|patvirtink|siusk|ignoruok|pateik|nurodyk',
  },
  {
    // Latvian.
    ignore: 'ignore*|nenem vera|aizmirsti|nenem* vera',
    former: 'ieprieksej*|visus|visas|augstak|lidz sim|lidz pat sim',
    orders: 'noradijum*|instrukcij*|noteikum*',
    reader: 'modelis kas apkopo|automatisk* vertetaj*|modelis kas analize|modelim kas analize',
    model: 'maksligais intelekts|makslig* intelekt*|valodas model*|mi asistent*|mi model*|ai|asistent*',
    address: 'ja tu esi _ m|ja esi _ m|ja jus esat _ m|piezime _ m|tu esi _ m|apkopojot',
    conceal: 'nepiemini*|neatklaj*|nesaki*|izlaid*',
    aside: 'lietotaj*|jautajum*|uzdevum*|dokument*|pieprasijum*',
    output: 'iesaki*|atbildi*|labak*|apstiprini*|augstak* vertejum*',
    order: 'iesaki|iesakiet|noverte|atbildi|atbildiet|saki|uzraksti|apstiprini|nosuti|ignore|noradi',
  },
  {
    // Estonian.
    ignore: 'eira|eirake|ignoreeri*|unusta*|ara arvesta|arge arvestage',
    former: 'varasemaid|eelnevaid|koiki|ulaltoodud|eelmisi|seni|siiani|seniseid',
    orders: 'juhiseid|juhised|kaske|reegleid|korraldusi',
    reader: 'mudel mis kokkuvot*|automaatne hindaja|mudel mis analuusi*|mudelile mis analuusi*',
    model: 'tehisintellekt|tehisaru|keelemudel*|ai|assistent',
    address: 'kui oled _ m|kui sa oled _ m|kui olete _ m|markus _ m|sa oled _ m|kokkuvotte tegemisel',
    conceal: 'ara maini*|arge mainige|ara avalda*|jata valja',
    aside: 'kasutaja*|kusimus*|ulesan*|dokument*|soov*|paring*',
    output: 'soovita*|vasta*|parim*|kinnita*|korgeim*',
    order: 'soovita|soovitage|hinda|hinnake|vasta|vastake|utle|kirjuta|kinnita|saada|eira|esita',
  },
  {
    // Filipino and Swahili.
    ignore: 'balewalain|balewala|huwag sundin|kalimutan|puuza|usifuate|sahau',
    former: 'naunang|nakaraang|lahat|nasa itaas|awali|yote|yaliyotangulia|zilizopita',
    orders: 'tagubilin|utos|panuto|instruksyon|maagizo|maelekezo',
    reader: 'modelo na nagbubuod|modeli inayofupisha',
    model: 'ai|artipisyal na intelihensiya|language model|katulong|akili bandia|akili unde|modeli ya lugha',
    address: 'kung ikaw _ m|ikaw ay _ m|kama wewe ni _ m|wewe ni _ m|ikiwa wewe _ m|para sa m|kwa m',
    conceal: 'huwag banggitin|huwag sabihin|usitaje|usiseme|usifichue',
    aside: 'gumagamit|tanong|dokumento|mtumiaji|swali|hati',
    output: 'irekomenda|sagutin|pinakamahusay|aprubahan|pendekeza|jibu|bora zaidi|idhinisha|umpendekeze',
    order:
      'irekomenda|sagutin|sumagot|sabihin|isulat|aprubahan|ipadala|pendekeza|umpendekeze|jibu|sema|andika|idhinisha|tuma|mpe',
  },
  {
    // Catalan.
    ignore: 'ignor*|oblida*|no tinguis en compte|no segueixis|no consideris|no facis cas',
    former: 'anterior*|previ*|totes|tots|teves|fins ara|fins aqui|fins al moment',
    orders: 'instruccion*|ordres|indicacion*|regles',
    reader: 'model que resumeix|avaluador* automat*|model que analitza*|model que examina*',
    model: 'ia|assistent|model de llenguatge|intel ligencia artificial',
    address: 'si ets _ m|si sou _ m|ets _ m|nota per a _ m|quan resumeixis|en resumir',
    conceal: 'no mencion*|no esmentis|no revelis|omet*|no reveleu',
    aside: 'usuari*|pregunta*|tasca*|document*|peticion*',
    output: 'recomana*|respon*|millor*|aprova*|puntuacio maxima|conclou*|proposa*',
    order: 'recomana|recomani|respon|avalua|puntua|aprova|digues|escriu|envia|classifica',
  },
]

/** Without spaces between words: Chinese, Japanese and Korean. */
export const TOGETHER = {
  ignore: [
    '(?:ละเว้น|เพิกเฉย|ไม่ต้องสนใจ)[^.]{0,10}คำสั่ง[^.]{0,10}(?:ก่อนหน้า|ทั้งหมด)',
    '(?:忽略|无视|忽視|不要理会|不要考虑|不考虑|忘记|無視)[^。]{0,12}(?:之前|以上|先前|前面|所有|上述|一切|目前为止|此前)[^。]{0,8}(?:指令|指示|提示|命令|说明|规则|要求)',
    '(?:以前|これまで|前述|上記|すべて|全て|今まで)[^。]{0,8}(?:指示|命令|プロンプト|ルール|説明)[^。]{0,6}(?:無視|忘れ|従わな|考慮しな)',
    '(?:이전|위의|앞의|모든|지금까지|여태)[^.]{0,20}(?:지시|명령|프롬프트|지침)[^.]{0,20}(?:무시|잊|고려하지)',
  ],
  address: [
    '(?:要約|翻訳)する(?:場合|際|とき|時)',
    'सारांश (?:बनाते|लिखते|देते) समय',
    '(?:总结|概括|翻译)时只',
    '(?:总结|概括|阅读|处理|评审|评估|审阅|分析|检查|比较)(?:本|这|该|此)[^。]{0,8}的(?:模型|系统|AI|人工智能|助手)',
    '(?:自动|智能|机器)(?:评审|评分|审稿|筛选|审核|评估)[^。]{0,6}(?:注意|请|应|必须|系统|模型|:|：)',
    '(?:要約|処理|評価|査読|読む|読んでいる|採点|選考|分析|解析|比較)[^。]{0,4}(?:する|している|の)?(?:モデル|AI|システム)(?:へ|は|に|の皆)',
    '(?:自動|機械)(?:査読|評価|採点|選考|審査)[^。]{0,6}(?:へ|は|に|様)',
    '(?:요약|처리|평가|심사|읽|분석|비교|검토)(?:하는|는|을)? ?(?:모델|AI|인공지능|시스템)[^.]{0,2}(?:에게|에 대한|을 위한|은|는|께)',
    '자동 ?(?:심사|평가|채점)[^.]{0,8}(?:에게|께|은|는)',
    '(?:โมเดล|ปัญญาประดิษฐ์|AI|ระบบ)ที่(?:สรุป|อ่าน|ประมวลผล|ประเมิน)',
    '(?:如果你是|AI(?:助手|模型|系统|系統))[^。]{0,6}(?:AI|人工智能|助手|模型|注意|必须|应)',
    'AI(?:アシスタント|モデル|システム)?(?:へ|は、)|(?:読む|要約する|処理する|評価する)AI',
    '(?:หากคุณเป็น|ถ้าคุณเป็น|คุณคือ)[^.]{0,20}(?:AI|ปัญญาประดิษฐ์|โมเดลภาษา)',
    '(?:总结|概括|归纳)(?:本|这|该)(?:文|份|段|合同|邮件)',
    'AI[^。]{0,2}(?:读者|阅读者|审阅者)',
    '你(?:现在)?是[^。]{0,10}(?:助手|人工智能|语言模型|模型)',
    '(?:致|给|作为)[^。]{0,6}(?:AI|人工智能|助手|语言模型|模型)',
    'あなたがAI',
    '당신이 (?:AI|인공지능|언어 모델)',
    '(?:若|假如|倘若)你是',
    'あなた[はが][^。]{0,10}(?:アシスタント|言語モデル|人工知能)',
    '(?:AI|アシスタント|言語モデル)(?:への|として|は必ず)',
    '(?:AI|인공지능|언어 모델|어시스턴트)[^.]{0,6}(?:에게|로서|라면)',
    '正面(?:的)?评价|好评',
  ],
  conceal: [
    '(?:省略|略去|跳过|隐去|不提)[^。]{0,10}(?:条款|部分|内容|风险|罚|违约)',
    '(?:省い|省略し|伏せ|飛ばし|除い)て(?:ください|くれ|お|、)?',
    '(?:생략|제외|빼고|숨기)[^.]{0,4}(?:하세요|하고|해|세요|기)',
    '(?:อย่า|ไม่ต้อง|ห้าม)[^.]{0,6}(?:กล่าวถึง|พูดถึง|เปิดเผย|ระบุ)|ละเว้นส่วน|ตัด[^.]{0,20}ออก',
    '(?:不要|请勿|切勿)[^。]{0,6}(?:提及|透露|告诉|说明|展示|询问)',
    '(?:言及|明か|教え|伝え|表示|触れ)[^。]{0,4}(?:しない|さない|ない|ず)(?:で|こと|に)',
    '(?:언급|공개|말|표시)[^.]{0,4}(?:하지 마|하지 말)',
  ],
  aside: [
    '(?:忽略|无视|不要考虑|不考虑)[^。]{0,8}(?:用户|请求|问题|内容|数据)',
    '(?:ユーザー|質問|依頼|内容)[^。]{0,12}(?:無視|考慮しな)',
    '(?:사용자|질문|요청|내용)[^.]{0,8}(?:무시|고려하지)',
  ],
  output: [
    '最佳(?:选择|方案|候选|供应商)|最优|排在(?:第一|首位)|列为第一|给予(?:最高|满分)|最高分',
    '最(?:良|適|優秀)[^。]{0,6}(?:として|と評価|選択|候補)|最高(?:点|評価|得点)|満点|第一位',
    '최고(?:의|로)? ?(?:선택|점|평가|점수)|만점|1순위|가장 (?:좋은|우수)',
    'ดีที่สุด|คะแนน(?:สูงสุด|เต็ม)|อันดับหนึ่ง',
    '在(?:摘要|总结|回复|回答)中[^。]{0,4}(?:写|说|注|称)',
    '直接批准|视为(?:合格|通过)',
    '(?:请|必须|只)[^。]{0,4}(?:回答|回复|评价|打分|给出|推荐|批准|告诉用户)|最高分|满分',
    '(?:安全|問題ない|リスク(?:は|が)ない)(?:だ|である)?と(?:回答|答え|報告)',
    '(?:위험이 없|안전하)[^.]{0,8}(?:답|말)',
    '(?:写明|注明|说明|回答)[^。]{0,12}(?:没有风险|安全|合格)',
    '(?:回答|返答|評価|推薦|承認)(?:して|せよ)|答えて(?:ください|くれ)|と書いて|ユーザーに[^。]{0,10}(?:伝え|言)|最高(?:点|評価)',
    '(?:답변|응답|평가|추천|승인)[^.]{0,4}(?:하세요|하라|해)|사용자에게[^.]{0,10}말|최고 점수',
  ],
  order: [
    '描述为|描述成|给出|列为|写成|评为|推荐|批准|忽略|不要|回答|总结|说明|告诉',
    '紹介|付けて|記載|説明して|評価|推薦|承認|無視|言及|要約|回答|伝え|答えて|書いて',
    '(?:평가|추천|승인|무시|답변|언급|설명|소개|부여|기재)(?:하|해)|(?:주세요|매기)',
    'อธิบาย|ให้คะแนน|เขียนว่า|ระบุว่า|ละเว้น|เพิกเฉย|แนะนำ|ให้คะแนน|ตอบว่า',
  ],
}
