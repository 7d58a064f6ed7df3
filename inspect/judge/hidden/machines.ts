/** A program that is recognised by what it does with the document, and what it is asked to report: words of many languages and their patterns. */

interface Language {
  /** Programs, what stands between, and what they do with a text; `isBefore`: what they do comes first. */
  program: string
  that: string
  does: string
  isBefore?: true
  /** Whoever does so without a person. */
  whoever?: string
  /** The time of such a task. */
  during: string
  /** To tell users something, which must be said. */
  tell: string
  user: string
  must: string
  say: string
  /** To add a sentence. */
  add: string
  sentence: string
  /** To give this one something. */
  give: string
  candidate: string
  /** Not to quote what is said here. */
  not: string
  quote: string
  note: string
  /** What to answer when users ask. */
  asks: string
  /** Who keeps books, before a colon, and what to change in them. */
  clerk: string
  change: string
  account: string
}

/** Starts of words in lower case, without accents. */
const LANGUAGES: readonly Language[] = [
  {
    program: 'system|program|software|tool|service|engine|pipeline|robot|machine|algorithm|application|process',
    that: 'that|which',
    does: 'analy|translat|summar|evaluat|rank|scor|screen|grad|assess|classif|review|digest|condens',
    whoever: 'whoever|whatever|anything|those who|anyone who',
    during: '(?:when|while|whenever|during) (?:evaluat|rating|grading|scoring|ranking|assess|translat|screening)',
    tell: 'tell|inform|assure|notify',
    user: 'user|reader|client|customer|person',
    must: 'must|should|shall|has to|have to',
    say: 'say|state|claim|report|recommend|answer|conclude',
    add: 'add|append|insert',
    sentence: 'sentence|phrase|link',
    give: 'give|award|grant|assign',
    candidate: 'this candidate|this applicant|this offer|this bid|this essay|this supplier|this vendor',
    not: 'do not|don t|never',
    quote: 'quote|cite|repeat|mention|translate|render',
    note: 'this instruction|this sentence|this note|this paragraph|this line|these instructions',
    asks: 'if (?:the |a |any )?(?:user|reader|someone|somebody|anyone|client)\\S? ask',
    clerk: '(?:accounting|bookkeeping|payment|payments|invoice|finance|procurement) (?:assistant|agent|bot)',
    change: 'change|replace|update|set|pay|release',
    account: 'account number|bank account|bank details|iban|approved|the payment',
  },
  {
    program: 'system|programm|software|werkzeug|tool|dienst|anwendung|maschine|roboter|algorithm',
    that: 'das|die|der|dem|welche\\S?',
    does: 'analysier|liest|lesen|zusammenfass|ubersetz|bewert|auswert|verarbeit|pruft|einstuf|klassifizier|begutacht',
    whoever: 'wer|wer auch|an alle die',
    during:
      '(?:beim|bei der|wahrend der) (?:bewerten|bewertung|ubersetz|einstuf|beurteil|auswert|auswahl|sichtung|zusammenfass)',
    tell: 'teile|teilen|sage|sag|sagen|informier|versicher',
    user: 'nutzer|benutzer|leser|kunden|anwender',
    must: 'muss|mussen|soll|sollen|hat|haben',
    say: 'angeben|behaupten|empfehlen|schreiben|melden|mitteilen|lauten|erklaren',
    add: 'fuge|fugen|hange|hangen|erganze',
    sentence: 'satz|link|hinweis',
    give: 'gib|geben|vergib|vergeben|erteil|weise',
    candidate:
      'dieser bewerb|diesem bewerb|diesem kandidat|dieser kandidat|diesem angebot|diesem anbieter|diesem lieferant',
    not: 'nicht|kein|niemals|nie',
    quote: 'zitier|wiederhol|erwahn|ubersetz|wiedergeb|gib',
    note: 'diesen satz|diese anweisung|diesen hinweis|diesen absatz|diese zeile|diese notiz',
    asks: '(?:wenn|falls|sollte) (?:der |ein |die |jemand )?(?:nutzer|benutzer|leser|anwender|jemand)\\S{0,3} (?:\\S{1,20} ){0,4}frag',
    clerk:
      '(?:buchhaltung|buchungs|rechnungs|zahlungs|finanz|einkaufs)\\S{0,6}[- ]?(?:assistent|agent|bot|ki)|assistent (?:der|fur die) buchhaltung',
    change: 'ander|andere|ersetz|setze|setz|aktualisier|uberweis|bereite',
    account: 'kontonummer|iban|bankverbindung|freigegeben|genehmigt|zahlung',
  },
  {
    program: 'systeme|programme|logiciel|outil|application|moteur|service|robot|machine|algorithme',
    that: 'qui|charge de|charges de|charge d',
    does: 'analys|lit |lira|resum|traduit|traduir|evalu|trait|class|notera|examin|synthetis',
    whoever: 'quiconque|celui qui|ceux qui|qui que ce soit',
    during:
      '(?:lors de|pendant|lors du|en) (?:l |la |le )?(?:evalu|notation|traduisant|traduction|classement|notant|examin|selection)',
    tell: 'dis|dites|informe|informez|indique|indiquez|assure|assurez',
    user: 'utilisateur|lecteur|client|usager',
    must: 'doit|doivent|devra|devront',
    say: 'indiquer|dire|affirmer|recommander|conclure|repondre|ecrire|mentionner|attribuer',
    add: 'ajoute|ajoutez|insere|inserez',
    sentence: 'phrase|lien|mention',
    give: 'donne|donnez|attribue|attribuez|accorde|accordez',
    candidate: 'ce candidat|cette candidat|cette offre|ce fournisseur|ce dossier',
    not: 'ne|n|jamais',
    quote: 'cite|citez|repete|mentionne|tradui',
    note: 'cette phrase|cette consigne|cette instruction|cette note|ce paragraphe|cette ligne',
    asks: 'si (?:l |un |le |la )?(?:utilisateur|lecteur|client|usager|quelqu un|on)\\S{0,3} (?:\\S{1,12} ){0,2}demand',
    clerk: '(?:assistant|agent|robot)\\S? (?:comptable|de comptabilite|de facturation|de paiement|financier)',
    change: 'change|modifi|remplace|mets|mettez|passe|passez|prepare',
    account: 'iban|numero de compte|rib|coordonnees bancaires|approuve|valide|paiement',
  },
  {
    program: 'sistema|programa|software|herramienta|aplicacion|motor|servicio|robot|maquina|algoritmo',
    that: 'que',
    does: 'analic|analiz|lea|lee|resum|traduc|traduzc|evalu|proces|clasifi|clasifiqu|puntu|revis|valor|califi',
    whoever: 'quien|quienes|a quien|todo aquel que',
    during:
      '(?:al|durante la|durante el|en la) (?:evaluar|evaluacion|calificar|puntuar|traducir|traduccion|valorar|valoracion|seleccionar|seleccion)',
    tell: 'informa|informe|di|dile|diga|indica|comunica|asegura',
    user: 'usuari|lector|client',
    must: 'debe|deben|debera|deberan|tiene que|ha de',
    say: 'indicar|decir|afirmar|recomendar|concluir|responder|escribir|otorgar|asignar|senalar',
    add: 'anade|anadir|agrega|inserta|anada|agregue',
    sentence: 'frase|oracion|enlace',
    give: 'da|dale|otorga|otorgue|asigna|concede',
    candidate: 'este candidat|esta candidat|esta oferta|este proveedor|este aspirante',
    not: 'no|nunca',
    quote: 'cites|cite|citar|repita|repitas|mencion|traduzc',
    note: 'esta frase|esta instruccion|esta nota|este parrafo|esta linea',
    asks: '(?:si|cuando) (?:el |la |un |alguien )?(?:usuari\\S|lector\\S{0,2}|client\\S|alguien) (?:\\S{1,12} ){0,2}pregunt',
    clerk: '(?:asistente|agente|robot) (?:contable|de contabilidad|de facturacion|de pagos|financiero)',
    change: 'cambi|modific|sustitu|pon|marca|prepar|actualiz',
    account: 'iban|numero de cuenta|cuenta bancaria|aprobad|conforme|pago',
  },
  {
    program: 'sistem|programm|software|strument|applicazion|motor|servizi|robot|macchin|algoritm',
    that: 'che',
    does: 'analizz|legg|riassum|traduc|valut|elabor|classific|esamin|sintetizz',
    whoever: 'chi|a chi|chiunque|per chi',
    during: '(?:nel|nella|durante la|quando si|in fase di) (?:valut|traduc|traduzion|selezion|classific|punteggi)',
    tell: 'informa|di|dica|comunica|assicura|riferisci',
    user: 'utent|lettor|client',
    must: 'deve|devono|dovra|dovranno',
    say: 'indicare|dire|affermare|raccomandare|consigliare|rispondere|scrivere|assegnare|riportare',
    add: 'aggiung|inserisc|accod',
    sentence: 'frase|collegament|link',
    give: 'dai|assegn|attribui|conced',
    candidate: 'questo candidat|questa candidat|questa offert|questo fornitor',
    not: 'non|mai',
    quote: 'citar|cita|ripet|menzion|tradur|traduc',
    note: 'questa frase|questa istruzion|questa nota|questo paragraf|questa riga',
    asks: '(?:se|quando) (?:l |un |il |la )?(?:utent|lettor|client|qualcuno)\\S{0,2} (?:\\S{1,12} ){0,2}(?:chied|domand)',
    clerk: '(?:assistente|agente|robot) (?:contabile|di contabilita|di fatturazione|pagamenti|amministrativ)',
    change: 'cambi|modific|sostitu|imposta|metti|prepar|aggiorn',
    account: 'iban|numero di conto|conto bancario|coordinate bancarie|approvat|pagament',
  },
  {
    program: 'sistema|programa|software|ferramenta|aplicativo|aplicacao|motor|servico|robo|maquina|algoritmo',
    that: 'que',
    does: 'analis|le |leia|ler |resum|traduz|avali|process|classifi|pontu|revis',
    whoever: 'quem|a quem|para quem',
    during: '(?:ao|durante a|na) (?:avali|traduz|traducao|classific|pontuar|selec)',
    tell: 'informe|diga|comunique|assegure|avise',
    user: 'usuari|utilizador|leitor|client',
    must: 'deve|devem|devera|deverao|tem de|tem que',
    say: 'indicar|dizer|afirmar|recomendar|concluir|responder|escrever|atribuir',
    add: 'adicion|acrescent|insir|inser',
    sentence: 'frase|link|ligacao',
    give: 'de|atribua|conceda',
    candidate: 'este candidat|esta candidat|esta propost|este fornecedor|a este candidat',
    not: 'nao|nunca',
    quote: 'cite|repita|mencion|traduz',
    note: 'esta frase|esta instrucao|esta nota|este paragrafo|esta linha',
    asks: '(?:se|quando) (?:o |a |um |alguem )?(?:usuari\\S|utilizador|leitor|client\\S|alguem) (?:\\S{1,12} ){0,2}pergunt',
    clerk: '(?:assistente|agente|robo) (?:contabil|de contabilidade|de faturacao|de pagamentos|financeiro)',
    change: 'alter|mud|substitu|defin|marqu|prepar|atualiz',
    account: 'iban|numero da conta|conta bancaria|aprovad|pagamento|pix',
  },
  {
    program: 'systeem|systemen|programma|software|tool|dienst|toepassing|machine|robot|algoritme',
    that: 'dat|die',
    does: 'analyse|leest|lezen|samenvat|vertaal|vertal|beoorde|verwerk|rangschik|classific',
    whoever: 'wie|aan wie|voor wie',
    during: '(?:bij|bij het|bij de|tijdens de|tijdens het) (?:beoorde|vertal|rangschik|selectie|screen)',
    tell: 'vertel|meld|zeg|informeer|verzeker',
    user: 'gebruiker|lezer|klant',
    must: 'moet|moeten|dient|dienen',
    say: 'vermelden|zeggen|aanbevelen|adviseren|stellen|antwoorden|schrijven|toekennen',
    add: 'voeg|plaats',
    sentence: 'zin|link|regel',
    give: 'geef|ken|verleen',
    candidate: 'deze kandida|deze sollicita|deze offerte|deze leverancier',
    not: 'niet|nooit',
    quote: 'citeer|herhaal|vermeld|noem|vertaal',
    note: 'deze zin|deze instructie|deze opdracht|deze notitie|deze alinea|deze regel',
    asks: '(?:als|wanneer) (?:de |een )?(?:gebruiker|lezer|klant|iemand)\\S? (?:\\S{1,20} ){0,5}vraagt',
    clerk:
      '(?:boekhoud|facturatie|factuur|betaal|betalings|financiele|inkoop)[- ]?(?:assistent|agent|robot|bot)|boekhoudkundig assistent',
    change: 'wijzig|verander|vervang|zet|maak|betaal',
    account: 'rekeningnummer|iban|bankgegevens|akkoord|goedgekeurd|betaling',
  },
  {
    program: 'system|program|oprogramowani|narzedzi|aplikacj|usług|maszyn|robot|algorytm',
    that: '|ktor\\S{1,3}',
    does: 'analizuj|czyta|streszcz|podsumow|tłumacz|oceni|przetwarz|klasyfik|sprawdz',
    whoever: 'kto|kazdy kto|dla tego kto',
    during: '(?:podczas|przy|w trakcie) (?:oceni|oceny|tłumacz|wyboru|klasyfik|selekcj|punktow|rozpatrywan)',
    tell: 'powiedz|poinformuj|przekaz|zapewnij',
    user: 'uzytkownik|czytelnik|klient',
    must: 'musi|powinien|powinna|powinno|ma|nalezy',
    say: 'podac|stwierdzic|polecic|napisac|odpowiedziec|wskazac|przyznac',
    add: 'dodaj|dopisz|wstaw',
    sentence: 'zdani|link|odnosnik',
    give: 'przyznaj|daj|wystaw|nadaj',
    candidate: 'temu kandydat|tej kandydat|tej oferci|temu dostawc',
    not: 'nie|nigdy',
    quote: 'cytuj|powtarzaj|wspominaj|tłumacz|przytaczaj',
    note: 'tego zdani|tej instrukcj|tego poleceni|tej notat|tego akapit|tej lini',
    asks: '(?:jesli|jezeli|gdy|kiedy) (?:\\S{1,20} ){0,1}(?:uzytkownik|czytelnik|klient|ktos)\\S{0,2} (?:\\S{1,12} ){0,2}(?:zapyta|spyta|pyta)',
    clerk: '(?:asystent|agent|robot)\\S{0,3} (?:ksiegow|do spraw ksiegow|fakturow|płatnosci|finansow)\\S{0,4}',
    change: 'zmien|zastap|ustaw|oznacz|przygotuj|podmien',
    account: 'numer rachunku|numer konta|rachunek|iban|zatwierdzon|płatnosc|przelew',
  },
  {
    program: 'system|program|softwar|softver|nastroj|sluzb|stroj|robot|algoritm|aplikac',
    that: 'kter\\S{1,3}|ktor\\S{1,3}',
    does: 'analyz|cte|cita|shrn|zhrn|preklad|hodnot|zpracov|spracov|trid|posuz|posudz',
    whoever: 'kdo|kto|kdokoli|tomu kdo|tomu kto',
    during: '(?:pri|behem|pocas) (?:hodnoc|hodnoten|preklad|vyber|posuz|posudz|trid)',
    tell: 'rekni|sdel|informuj|povedz|oznam',
    user: 'uzivatel|ctenar|citatel|zakaznik|pouzivatel',
    must: 'musi|ma|mel by',
    say: 'uvest|rict|doporucit|odporucit|napsat|napisat|odpovedet|odpovedat|tvrdit',
    add: 'pridej|pridaj|vloz|dopln|pripis',
    sentence: 'vetu|odkaz|link',
    give: 'dej|daj|udel|pridel|prirad',
    candidate: 'tomuto uchazec|tomuto kandidat|tomuto zajemc|teto nabidc|tejto ponuk|tomuto dodavatel',
    not: 'ne|nikdy',
    quote: 'necituj|neopakuj|nezminuj|nespomin|neprekladej|neprekladaj|cituj',
    note: 'tuto vetu|tento pokyn|tuto poznamk|tento odstavec|tento radek|tento riadok',
    asks: '(?:pokud|kdyz|zepta li|ak|ked) (?:se |sa )?(?:uzivatel|ctenar|pouzivatel|zakaznik|nekdo|niekto)\\S{0,2} (?:\\S{1,12} ){0,2}(?:zepta|pta|opyta|pyta)',
    clerk: '(?:ucetni|fakturacni|platebni|financni|uctovny|fakturacny) (?:asistent|agent|robot)',
    change: 'zmen|nahrad|nastav|oznac|priprav',
    account: 'cislo uctu|iban|bankovni|bankovy|schvalen|platb',
  },
  {
    isBefore: true,
    program: 'rendszer|program|szoftver|eszkoz|alkalmazas|robot|gep|algoritmus',
    that: '',
    does: 'elemzo|olvaso|osszefoglalo|fordito|ertekelo|feldolgozo|rangsorolo|kivonatolo',
    during:
      '(?:ertekelesekor|ertekelese soran|forditasakor|forditas soran|rangsorolasakor|elbiralasakor|kivalasztasakor)',
    tell: 'mondd|tajekoztasd|kozold|ertesitsd',
    user: 'felhasznalo|olvaso|ugyfel',
    must: 'kell|koteles',
    say: 'irni|mondani|ajanlani|allitani|valaszolni|adni|feltuntetni',
    add: 'tedd|add|illeszd|fuzd|szurd',
    sentence: 'mondat|link|hivatkozas',
    give: 'adj|add|adjon|iteld',
    candidate: 'ennek a jelolt|ennek a palyaz|ennek az ajanlat|ennek a szallito',
    not: 'ne|soha',
    quote: 'idezd|ismeteld|emlitsd|forditsd',
    note: 'ezt a mondat|ezt az utasit|ezt a megjegyz|ezt a bekezd|ezt a sort',
    asks: '(?:ha|amikor) (?:a |az |egy )?(?:felhasznalo|olvaso|ugyfel|valaki)\\S{0,3} (?:\\S{1,15} ){0,3}(?:kerdez|kerdezi|megkerdez)',
    clerk: '(?:konyvelo|konyvelesi|szamlazo|szamlazasi|penzugyi|fizetesi) (?:asszisztens|ugynok|robot)',
    change: 'modositsd|valtoztasd|csereld|allitsd|keszitsd',
    account: 'szamlaszam|bankszamla|iban|jovahagy|fizetes',
  },
  {
    program: 'sistem|program|software|instrument|aplicati|serviciu|robot|algoritm|masin',
    that: 'care|ce',
    does: 'analiz|citest|citeasc|rezum|tradu|evalu|proces|clasific',
    whoever: 'cine|oricine|celui care',
    during: '(?:la|in timpul|cand) (?:evalu|tradu|clasific|selec|punct)',
    tell: 'spune|informeaz|comunic|anunt',
    user: 'utilizator|cititor|client',
    must: 'trebuie sa|va|vor',
    say: 'spuna|indice|afirme|recomande|raspunda|scrie|acorde|mentiona',
    add: 'adauga|insereaz',
    sentence: 'propozit|fraz|link|mesaj',
    give: 'acorda|da|ofer',
    candidate: 'acestui candidat|acestei candidat|acestei ofert|acestui furniz',
    not: 'nu',
    quote: 'cita|repeta|mentiona|traduc',
    note: 'aceasta fraz|aceasta instruct|aceasta not|acest paragraf|aceasta propozit',
    asks: '(?:daca|cand) (?:\\S{1,12} )?(?:utilizator|cititor|client|cineva)\\S{0,4} (?:\\S{1,12} ){0,2}intreab',
    clerk: '(?:asistent|agent|robot)\\S{0,3} (?:contabil|de contabilitate|de facturare|de plati|financiar)',
    change: 'schimb|modific|inlocui|seteaz|pune|pregat',
    account: 'iban|numarul contului|contul bancar|numar de cont|aproba|plata',
  },
  {
    isBefore: true,
    program: 'sistem|program|yazilim|arac|uygulama|robot|makine|algoritma|servis|hizmet',
    that: '',
    does: 'ceviren|ozetleyen|okuyan|inceleyen|analiz eden|degerlendiren|isleyen|puanlayan|siralayan|tarayan',
    whoever: 'her kim',
    during: '(?:degerlendirirken|puanlarken|cevirirken|siralarken|degerlendirme sirasinda|eleme sirasinda)',
    tell: 'soyle|bildir|belirt|ilet',
    user: 'kullanici|okuyucu|okur|musteri|yazar',
    must: 'yazmali|olmali|gerekir|zorunda',
    say: 'soylemeli|belirtmeli|yazmali|onermeli|vermeli',
    add: 'ekle|yerlestir',
    sentence: 'cumle|baglanti|link',
    give: 'ver|verin',
    candidate: 'bu aday|bu teklif|bu basvur|bu tedarikci',
    not: 'asla',
    quote: 'cevirme|alintilama|tekrarlama|bahsetme|belirtme|aktarma',
    note: 'bu talimat|bu cumle|bu not|bu paragraf|bu satir',
    asks: '(?:kullanici|okuyucu|okur|musteri|biri)\\S{0,3} (?:\\S{1,15} ){0,4}(?:sorarsa|sordugunda)',
    clerk: '(?:muhasebe|fatura|odeme|finans|satin alma) (?:asistan|ajan|robot|temsilci)\\S{0,3}',
    change: 'degistir|guncelle|ayarla|hazirla|onayla|ode',
    account: 'hesap numara|iban|banka hesab|odeme|onaylan',
  },
  {
    program:
      'system|program|mjukvar|verktyg|værktøj|verktøy|tjanst|tjeneste|maskin|robot|algoritm|applikation|løsning|losning',
    that: 'som|der',
    does: 'analyser|laser|læser|leser|sammanfatt|opsummer|oppsummer|oversatt|oversætt|oversett|bedom|bedøm|vurder|behandl|granska|rangordn|klassific|klassifis',
    whoever: 'den som|den der|hvem som|den som helst',
    during: '(?:vid|ved|nar du|under) (?:bedom|bedøm|vurder|oversatt|oversætt|oversett|granskning|urval|udvælg|utvelg)',
    tell: 'sag|beratta|meddela|informera|fortæl|fortell|meddel|informer|opplys',
    user: 'anvandar|lasar|kund|bruger|bruker|læser|leser|kunde',
    must: 'maste|ska|skal|ma|bor|bør',
    say: 'ange|saga|pasta|rekommendera|skriva|svara|sige|anbefale|skrive|svare|si|tildel',
    add: 'lagg|infoga|tilføj|indsæt|legg',
    sentence: 'meningen|sætningen|setningen|lank|link',
    give: 'ge|giv|gi|tilldela|tildel',
    candidate:
      'denna kandidat|denne kandidat|denna sokand|denne ansøg|denne søker|detta anbud|dette tilbud|denna leverant|denne leverand',
    not: 'inte|ikke|aldrig|aldri',
    quote: 'citer|upprepa|namn|oversatt|gentag|nævn|oversæt|gjenta|nevn|siter|oversett',
    note: 'denna mening|denna instruktion|denna text|denna notering|denne sætning|denne instruks|denne setning|dette notat|detta stycke',
    asks: '(?:om|nar|hvis|nar) (?:en )?(?:anvandar|lasar|bruger|bruker|læser|leser|kund|nagon|nogen|noen)\\S{0,4} (?:\\S{1,15} ){0,2}(?:fragar|spørger|spør)',
    clerk:
      '(?:bokforings|ekonomi|faktura|betalnings|bogholderi|bogførings|regnskabs|regnskaps|betalings)[- ]?(?:assistent|agent|robot|bot)\\S{0,2}',
    change: 'andra|byt|ersatt|satt|ændr|skift|sæt|endre|bytt|sett|forbered|klargør|klargjør',
    account: 'kontonummer|kontonumret|iban|bankgiro|godkan|godkend|godkjen|betalning|betaling',
  },
  {
    program: 'jarjestelma|ohjelma|ohjelmisto|tyokalu|sovellus|palvelu|robotti|kone|algoritmi',
    that: 'joka|jotka',
    does: 'analysoi|lukee|tiivist|kaanta|arvioi|kasittel|luokittel',
    whoever: 'kuka tahansa joka|sille joka|jokaiselle joka',
    during: '(?:arvioitaessa|arvioidessa|kaannettaessa|valittaessa|luokiteltaessa|pisteytettaessa)',
    tell: 'kerro|ilmoita|sano',
    user: 'kayttaj|lukij|asiakka',
    must: 'pitaa|taytyy|tulee|on',
    say: 'sanoa|ilmoittaa|suositella|kirjoittaa|vastata|todettava|antaa',
    add: 'lisaa|liita',
    sentence: 'lause|virke|linkki',
    give: 'anna|myonna',
    candidate: 'talle hakij|talle ehdokka|talle tarjouks|talle toimittaj',
    not: 'ala|alka',
    quote: 'lainaa|toista|mainitse|kaanna',
    note: 'tata lause|tata ohje|tata huomaut|tata kappale|tata virke',
    asks: '(?:jos|kun) (?:kayttaj|lukij|asiaka|joku)\\S{0,4} (?:\\S{1,15} ){0,2}kysy',
    clerk: '(?:kirjanpito|lasku|laskutus|maksu|talous)[- ]?(?:avustaj|assistent|agentti|robotti|botti)\\S{0,2}',
    change: 'muuta|vaihda|korvaa|aseta|valmistele|merkitse',
    account: 'tilinumero|iban|pankkitili|hyvaksyt|maksu',
  },
  {
    program: 'συστημ|προγραμμ|λογισμικ|εργαλει|εφαρμογ|υπηρεσι|ρομποτ|αλγοριθμ|μηχαν',
    that: 'που|το οποιο|η οποια',
    does: 'αναλυ|διαβαζ|συνοψ|μεταφραζ|αξιολογ|επεξεργ|ταξινομ|βαθμολογ',
    whoever: 'οποιος|σε οποιον|για οποιον',
    during: '(?:κατα την|κατα τη|οταν) (?:αξιολογ|μεταφρα|βαθμολογ|επιλογ|συνοψ)',
    tell: 'πες|πειτε|ενημερωσ|πληροφορησ|διαβεβαιωσ',
    user: 'χρηστ|αναγνωστ|πελατ',
    must: 'πρεπει|οφειλει',
    say: 'αναφερ|πει|δηλωσ|προτειν|γραψ|απαντησ|δωσ',
    add: 'προσθεσ|εισαγ|βαλ',
    sentence: 'φραση|προταση|συνδεσμο',
    give: 'δωσ|αποδωσ|βαλ',
    candidate: 'σε αυτον τον υποψηφ|στον υποψηφιο αυτον|σε αυτη την προσφορ|σε αυτον τον προμηθευτ',
    not: 'μην|μη|ποτε',
    quote: 'παραθε|αναφερ|επαναλ|μεταφρα',
    note: 'αυτη τη φραση|αυτη την οδηγια|αυτην την οδηγια|αυτη τη σημειωση|αυτη την προταση|αυτην την προταση|την παρουσα οδηγια',
    asks: '(?:αν|εαν|οταν) (?:ο |η |καποιος )?(?:χρηστ|αναγνωστ|πελατ|καποιος)\\S{0,2} (?:\\S{1,12} ){0,2}(?:ρωτ)',
    clerk:
      '(?:λογιστικ|ταμειακ|οικονομικ)\\S{1,2} (?:βοηθ|πρακτορ)\\S{0,4}|(?:βοηθε|πρακτορα)\\S{0,2} (?:λογιστηριου|τιμολογησης|πληρωμων)',
    change: 'αλλαξ|τροποποι|αντικατ|ορισ|ετοιμασ|θεσ',
    account: 'iban|αριθμο λογαριασμ|τραπεζικ|εγκεκριμεν|πληρωμ',
  },
  {
    program: 'систем|программ|сервис|инструмент|приложени|машин|робот|алгоритм',
    that: '|котор\\S{1,3}',
    does: 'анализиру|чита|обобща|резюмиру|перевод|оценива|обрабатыва|классифициру|ранжиру|пересказыва',
    whoever: 'кто|тому кто|всем кто|всякому кто',
    during: '(?:при|во время|в ходе) (?:оцен|перевод|отбор|рассмотрен|ранжиров|составлени)',
    tell: 'скажи|сообщи|сообщите|скажите|уведоми|заверь',
    user: 'пользовател|читател|клиент',
    must: 'должн|обязан|следует|надо',
    say: 'указать|сказать|сообщить|рекомендовать|написать|ответить|утверждать|поставить',
    add: 'добавь|добавьте|вставь|допиши',
    sentence: 'фраз|предложени|ссылк',
    give: 'дай|даи|поставь|присвои|выстави',
    candidate: 'этому кандидат|этои кандидат|этому предложен|этому поставщик|этому соискател',
    not: 'не|никогда',
    quote: 'цитируи|повторяи|упоминаи|переводи|приводи',
    note: 'эту фраз|это предложен|эту инструкц|это указан|этот абзац|эту строк|эту заметк|этои фраз|этого',
    asks: '(?:если|когда) (?:пользовател|читател|клиент|кто)\\S{0,4} (?:\\S{1,12} ){0,2}(?:спрос|спраш)',
    clerk:
      '(?:бухгалтерск|финансов|платежн)\\S{2,3} (?:ассистент|помощник|агент|робот|бот)|(?:ассистент|помощник|агент) бухгалтера',
    change: 'измени|замени|поменяи|установи|поставь|подготовь|отметь',
    account: 'номер счета|реквизит|банковск|расчетныи счет|одобрен|согласован|платеж|оплат|iban',
  },
  {
    program: 'систем|програм|сервіс|інструмент|застосун|додат|машин|робот|алгоритм',
    that: '|що|як\\S{1,2}|котр\\S{1,3}',
    does: 'аналізу|чита|підсумову|узагальн|переклада|оціню|обробля|класифіку|ранжу|стисл',
    whoever: 'хто|тому хто|усім хто',
    during: '(?:під час|при) (?:оцін|переклад|відбор|розгляд|ранжу)',
    tell: 'скажи|повідом|скажіть|запевни',
    user: 'користувач|читач|клієнт',
    must: 'має|мусить|повин|слід|треба',
    say: 'вказати|сказати|рекомендувати|написати|відповісти|стверджувати|поставити|зазначити',
    add: 'додаи|додаите|встав|допиши',
    sentence: 'фраз|речення|посилан',
    give: 'даи|постав|признач|вистав',
    candidate: 'цьому кандидат|ціи кандидат|ціи пропозиц|цьому постачальник|цьому заявник',
    not: 'не|ніколи',
    quote: 'цитуи|повторюи|згадуи|перекладаи|наводь',
    note: 'цю фраз|це речен|цю інструкц|цю вказівк|цеи абзац|цеи рядок|цього речен|цієі вказівк',
    asks: '(?:якщо|коли) (?:користувач|читач|клієнт|хтось)\\S{0,2} (?:\\S{1,12} ){0,2}(?:запита|спита|питає)',
    clerk: '(?:бухгалтерськ|фінансов|платіжн)\\S{1,3} (?:асистент|помічник|агент|робот|бот)',
    change: 'зміни|заміни|встанов|постав|підготуи|познач',
    account: 'номер рахунк|реквізит|банківськ|схвален|погоджен|платіж|оплат|iban',
  },
  {
    program: 'he thong|chuong trinh|phan mem|cong cu|ung dung|thuat toan|may',
    that: '|nao|ma|đang|tu đong',
    does: 'phan tich|đoc|tom tat|dich|đanh gia|xu ly|phan loai|cham điem',
    whoever: 'bat ky ai|ai',
    during: '(?:khi|trong khi|trong qua trinh) (?:đanh gia|dich|cham điem|xep hang|tuyen chon|xet duyet)',
    tell: 'hay noi|noi|thong bao|bao',
    user: 'nguoi dung|nguoi đoc|khach hang',
    must: 'phai|can phai',
    say: 'neu|noi|ghi|viet|đe xuat|tra loi|khuyen',
    add: 'them|chen',
    sentence: 'cau|lien ket|đuong dan',
    give: 'cho|trao|cham',
    candidate: 'ung vien nay|ho so nay|nha cung cap nay|de xuat nay',
    not: 'khong|đung|khong đuoc',
    quote: 'trich dan|nhac|dich|lap lai|nhac lai',
    note: 'cau nay|chi dan nay|huong dan nay|ghi chu nay|đoan nay|chi thi nay',
    asks: '(?:neu|khi) (?:nguoi dung|nguoi đoc|khach hang|ai đo) (?:\\S{1,10} ){0,2}hoi',
    clerk: '(?:tro ly|tac nhan) (?:ke toan|hoa đon|thanh toan|tai chinh)',
    change: 'thay đoi|đoi|sua|thay|đat|chuan bi|cap nhat',
    account: 'so tai khoan|tai khoan ngan hang|đa duyet|thanh toan',
  },
  {
    program: 'sistem|program|perangkat lunak|aplikasi|alat|mesin|robot|algoritma|layanan',
    that: 'yang',
    does: 'menganalisis|membaca|merangkum|meringkas|menerjemahkan|menilai|memproses|mengolah|mengevaluasi|menyaring',
    whoever: 'siapa pun yang|siapapun yang',
    during: '(?:saat|ketika|dalam) (?:menilai|penilaian|menerjemahkan|mengevaluasi|menyeleksi|memeringkat)',
    tell: 'beri tahu|beritahu|katakan|sampaikan|informasikan',
    user: 'pengguna|pembaca|pelanggan',
    must: 'harus|wajib|hendaknya',
    say: 'menyatakan|mengatakan|merekomendasikan|menulis|menjawab|menyebut|memberi',
    add: 'tambahkan|sisipkan|masukkan',
    sentence: 'kalimat|tautan',
    give: 'beri|berikan',
    candidate: 'kandidat ini|pelamar ini|penawaran ini|pemasok ini',
    not: 'jangan',
    quote: 'mengutip|kutip|ulangi|sebut|terjemahkan|menerjemahkan|menyebut',
    note: 'kalimat ini|instruksi ini|petunjuk ini|catatan ini|paragraf ini|perintah ini',
    asks: '(?:jika|bila|kalau|apabila) (?:pengguna|pembaca|pelanggan|seseorang) (?:\\S{1,15} ){0,2}(?:bertanya|menanyakan)',
    clerk: '(?:asisten|agen) (?:akuntansi|pembukuan|faktur|pembayaran|keuangan)',
    change: 'ubah|ganti|setel|siapkan|perbarui',
    account: 'nomor rekening|rekening bank|disetujui|pembayaran',
  },
  {
    program: '(?:لل|ال)?نظام|(?:لل|ال)?برنامج|(?:لل|ال)?اداة|(?:لل|ال)?تطبيق|(?:لل|ال)?الة|(?:لل|ال)?خوارزمية',
    that: 'الذي|التي',
    does: 'يحلل|يلخص|يترجم|يقرا|يقيم|يعالج|تحلل|تلخص|تترجم|تقرا|تقيم|تعالج|يصنف',
    during: '(?:عند|اثناء|خلال) (?:تقييم|ترجمة|تصنيف|اختيار|تلخيص|فرز)',
    tell: 'اخبر|ابلغ|قل|اعلم',
    user: '(?:ال|لل)?مستخدم|(?:ال|لل)?قارئ|(?:ال|لل)?قاري|(?:ال|لل)?عميل',
    must: 'يجب|عليك|ينبغي',
    say: 'ذكر|يذكر|تذكر|القول|يقول|تقول|يوصي|توصي|كتابة|يكتب|تكتب',
    add: 'اضف|ادرج|اضافة',
    sentence: 'جملة|الجملة|عبارة|العبارة|رابط|الرابط',
    give: 'امنح|اعط',
    candidate: 'هذا المرشح|هذا المتقدم|هذا العرض|هذا المورد',
    not: 'لا',
    quote: 'تقتبس|تكرر|تذكر|تترجم',
    note: 'هذه الجملة|هذه التعليمات|هذه العبارة|هذه الملاحظة|هذه الفقرة|هذا النص',
    asks: '(?:اذا|ان|عندما) (?:سال|سالك|يسال|استفسر) (?:ال)?(?:مستخدم|قارئ|قاري|عميل|احد)',
    clerk: '(?:ال)?(?:مساعد|وكيل) (?:ال)?(?:محاسبة|محاسبي|فواتير|مدفوعات|مالي)',
    change: 'غير|عدل|استبدل|حدث|ضع|جهز',
    account: 'رقم الحساب|الحساب البنكي|ايبان|معتمد|الدفع|الدفعة',
  },
]

const gap = (words: number): string => `(?:\\S{1,20} ){0,${words}}`
const begun = (starts: string): string => `(?:${starts})\\S{0,9} `
const near = (one: string, other: string, words: number): string => `${begun(one)}${gap(words)}${begun(other)}`
/** In either order: verbs come last in some languages. */
const around = (one: string, other: string, words: number): string[] => [
  near(one, other, words),
  near(other, one, words),
]

function machine({ program, that, does, isBefore, whoever }: Language): string[] {
  const whole = isBefore ? near(does, program, 3) : `${begun(program)}(?:${between(that)})${gap(3)}${begun(does)}`
  const alone = whoever === undefined ? [] : [`(?:${whoever}) ${gap(5)}${begun(ALONE)}`]
  return [whole, ...alone]
}

/** An empty choice: nothing needs to be between. */
const between = (that: string): string =>
  that
    .split('|')
    .map((each) => (each === '' ? '' : `${each} `))
    .join('|')

/** Without a person. */
const ALONE = '(?:in )?(?:automat|automaat|geautomat|avtomat|otomat|maschinell|автомат|αυτοματ)'

const TOGETHER_MACHINES =
  /(?:分析|翻译|翻譯|总结|總結|阅读|評估|评估|处理|處理|评审|筛选|审核)[^。]{0,12}的(?:系统|系統|程序|程式|软件|軟體|工具|机器)|(?:分析|翻訳|要約|評価|処理|審査|読み取)(?:する|して|り)[^。]{0,8}(?:システム|プログラム|ソフト|ツール)|(?:분석|번역|요약|평가|처리|심사)하는 (?:시스템|프로그램|소프트웨어|도구)|(?:ระบบ|โปรแกรม|ซอฟต์แวร์)ที่[^.]{0,4}(?:วิเคราะห์|แปล|สรุป|อ่าน|ประเมิน|ประมวลผล)/u

const patternOf = (phrases: (language: Language) => readonly string[]): RegExp =>
  new RegExp(` (?:${LANGUAGES.flatMap(phrases).join('|')})`, 'u')

const MACHINES = patternOf(machine)
const DURING = patternOf(({ during }) => [during])
const TELLS = patternOf((row) => [
  ...around(row.tell, row.user, 3),
  near(row.must, row.say, 3),
  ...around(row.add, row.sentence, 5),
  ...around(row.give, row.candidate, 3),
])
const ASKS = patternOf(({ asks }) => [asks])
const SECRET = patternOf(({ not, quote, note, isBefore }) => [
  `${isBefore ? '' : `(?:${not}) ${gap(1)}`}${begun(quote)}${gap(1)}${begun(note)}`,
  `${begun(note)}${gap(2)}${isBefore ? '' : `(?:${not}) `}${begun(quote)}`,
  // In Czech and Slovak the verb has what denies it.
  ...(quote.includes('necituj') ? [near(quote, note, 1)] : []),
])
const CHANGES = patternOf((row) => around(row.change, row.account, 4))

/** In the lines as they are: who is called stands before a colon or a comma. */
const CALLED_CLERK = new RegExp(
  `(?:^|[\\n.!?;>*"'(])[ \\t]{0,9}(?:${LANGUAGES.map(({ clerk }) => clerk).join('|')})[\\p{L}\\p{M}]{0,4} ?[:：,]`,
  'u',
)

/** `spaced`: its words with single spaces between them; `lines`: as it is written; both in lower case, without accents. */
export function toldByTask(spaced: string, lines: string) {
  const isMachine = MACHINES.test(spaced) || TOGETHER_MACHINES.test(lines)
  const isTask = DURING.test(spaced)
  const isClerk = CALLED_CLERK.test(lines)
  const isAsked = ASKS.test(spaced)
  const isTold = (isMachine || isTask || isAsked) && TELLS.test(spaced)
  const isSecret = (isMachine || isTask || isClerk) && SECRET.test(spaced)
  return {
    isMachine,
    // Rules of those who mark papers say as much, but not that they are a secret.
    isTask: isClerk || (isTask && (isTold || isSecret)),
    isAsked,
    isTold,
    isSecret,
    isChanged: isClerk && CHANGES.test(spaced),
  }
}
