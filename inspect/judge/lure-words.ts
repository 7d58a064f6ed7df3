/** Words of texts that make their reader paste a command, open a code or give a password, and of texts that warn of it, by language. Data only. */

import { charge } from '#inspect/core/work.ts'
import { folded } from './folding.ts'

interface Language {
  /** What is done with the command. */
  pastes: string
  /** Only an attacker checks by a command that the reader is human. */
  human: string
  /** Something is broken, closed or found, and the command repairs, opens or removes it. */
  broken: string
  /** Why a password or a card is needed at once. */
  urges: string
  /** Orders not to do it. */
  forbids: string
  /** Those who ask for it, seen from outside. */
  reports: string
  /** Beside a code: to sign in, to sign, to confirm who one is, or what waits behind it. */
  signs: string
  /** Beside a code: money, parcels, cards and accounts. */
  pays: string
}

/** Lower case, without accents. `*`: the rest of a word. `_`: up to six words. */
const ROWS: readonly Partial<Language>[] = [
  {
    pastes: 'paste|copy|ctrl v|control v|strg v|cmd v|command v',
    human: 'verify you are human|confirm you are human|human verification',
    broken:
      'certificate _ expired|account _ locked|account _ suspended|security update|critical update|security patch|account _ blocked|account _ limited|unlock your account|restore access|malware _ found|malware _ detected|virus* _ found|virus* _ detected|threat* _ found|threat* _ detected|infected with',
    urges:
      'mailbox _ full|messages _ on hold|parcel _ held|parcel _ on hold|customs fee|delivery fee|card _ suspended|account _ suspended|confirm your account|permanently suspended|permanently closed|expires today|expire today|expires in _ hours|expire in _ hours|to keep access|to retain access|keep your access|redelivery fee|delivery _ unsuccessful|could not be delivered due|unusual access|unusual login|unusual sign in|refund _ pending|wallets _ not migrated',
    forbids:
      'do not run|do not paste|do not execute|do not press|do not copy|do not do this|do not follow|don t run|don t paste|don t execute|don t copy|don t do|don t follow|never run|never paste|never execute|never press|never copy|never do|not _ paste it|never ask you to run|never ask you to paste|never ask you to copy|never ask you to press|never asks you to run|never asks you to paste|only paste commands|only run commands|must not paste|should not paste|no _ will ask you to|no _ asks you to',
    reports:
      'clickfix|click fix|victim*|threat actor*|attacker* ask|attacker* asks|attacker* trick*|attacker* use*|attacker* want*|attacker* tell|attacker* instruct*|attacker* persuade*|attacker* place*|attacker* abuse*|attacker* lure*|criminals _ ask|criminals _ trick|scammer*|fake captcha*|fake verification*|fake human|fake check*|false captcha*|false human|false check of|asked her to|asked him to|asked the user|asked users|asks users to|asks the user to|told her to|told him to|told the user|told users|defanged|awareness training|security awareness|users _ tricked|users _ lured|social engineering',
    signs:
      'mfa|2fa|two factor|multi factor|multifactor|authenticat*|revalidat*|re validat*|verify your|verification|sign in|signin|log in|login|log on|logon|password|passwords|passcode*|e sign*|esign*|signature*|to sign|please sign|payroll|salary|bonus|direct deposit|benefits enrol*|voice mail|voicemail|voice message|missed call|mailbox|quarantine|quarantined|suspend|suspended|suspends|suspension|expire|expires|expired|expiration|unusual activity|secure document|secured document|secure message|secured message|secure file|secured file|shared _ document|shared _ file|shared with you|employee handbook|policy update|restore access|recovery phrase|seed phrase|reactivat*|your credentials|policy update|updated policy|new policy|policy acknowledg*|acknowledge*|hr portal|employee handbook|salary adjustment|pay rise|pay adjustment|appraisal|review and sign|shared document|shared a document|shared with you|document _ waiting|encrypted message|verify identity|confirm identity|your identity|completed document|benefits|compensation|authenticator|second factor|remote access|enrol|enroll|not enrolled|not yet enrolled|re register|register your device|register again|register _ device again|remuneration|pay statement|payslip*|pay slip*|wage statement*|earnings statement*|test results|insurance number|date of birth|open enrollment|open enrolment|enrolment ends|election form|protected document|is protected|cannot be shown|cannot be displayed|view completed|view _ document|view the file|held by the filter|messages were held|release or review|linked device*|link a device|add the new key|community standards|file an appeal|unpublished|accounts are disabled|stop working|stops working|no longer synchron*|limited access|confirm this account|session must be|security app|enter your card|personal statement|confidential figures|only _ opened on a mobile|opened on _ mobile|your operator account|not compliant|noncompliant|recorded you|invited to the signal|signal app|login details|user name and password|network name and password|claim your|group invitation|has added you',
    pays: 'pay|pays|paid|payment|payments|fee|fees|duty|duties|customs|parcel*|package*|deliver*|card|cards|account*|invoice*|refund*|renew*|update*|confirm*|fine|fines|penalty|penalties|toll|tolls|tax|reimburse*|subscription|overdue|outstanding|shipment|shipments|courier|balance of|settle|settled|bankers|remittance|gift card*|selected for|unpaid|towed|pay by phone|btc|bitcoin|charged|renewal|receipt',
  },
  {
    pastes: 'einfug*|einfueg*|fugen sie _ ein|fug _ ein|fuge _ ein|fuegen sie|kopieren|kopiere',
    human: 'kein roboter|mensch sind|ein mensch|menschliche uberprufung|prufe mensch|pruefe mensch',
    broken:
      'sicherheitsupdate|sicherheitsaktualisierung|gesperrt|freischalt*|freizuschalten|entsperr*|zertifikat _ abgelaufen|zertifikat _ erneuern|nicht angezeigt|nicht geoffnet|nicht dargestellt|nicht installiert|problem _ beheben|beheben sie _ problem|fehler _ beheben|beheben sie _ fehler|dokument ist geschutzt|dokument ist verschlusselt|manuell reparieren',
    urges:
      'postfach _ voll|speicher _ voll|konto _ gesperrt|konto _ eingeschrankt|karte _ gesperrt|zollgebuhr*|zollgebuehr*|sendung _ zuruckgehalten|paket _ zuruckgehalten|bestatigen sie ihr konto|verifizieren sie ihr konto|sitzung _ abgelaufen|lauft heute ab|lauft in _ ab|ablauf ihres passwort*|ungewohnliche anmeldung|ungewohnlicher zugriff|zustellgebuhr*|konnte nicht zugestellt werden|ruckerstattung _ steht|zugang _ gesperrt|sperrung ihres',
    forbids:
      'nicht ausfuhren|nicht ausfuehren|nicht einfugen|nicht einfuegen|nie _ ein|niemals _ ein|nie _ ausfuhren|niemals _ ausfuhren|nicht _ ausfuhren|fuhren sie _ nicht|fuhren sie nie*|fugen sie nie*|fugen sie _ nicht|drucken sie nie*|drucken sie _ nicht|folgen sie _ nicht|fordert sie _ nie|fordern sie _ nie',
    reports:
      'angreifer*|betruger*|betrueger*|opfer|opfern|kriminelle*|tater|gefalschte* captcha*|gefalschte _ prufung|falsche* captcha*|falsche* prufung*|angebliche* prufung*|entscharft*|sensibilisierung*',
    signs:
      'passwort|passworter|anmelden|anmeldung|anmeldename|melden sie sich an|melden sie sich _ an|bestatig*|gehalt*|lohnabrechnung|lohnportal|unterschr*|unterzeichn*|zugangsdaten|legitimation|legitimier*|tan verfahren|zwei faktor|sicherheitsverfahren|sprachnachricht|postfach|gesperrt|sperrung|lauft _ ab|authentifizier*|identitat _ prufen|richtlinie*|gehaltsanpassung|kenntnisnahme|freigegebenes dokument|identitat*|gehaltserhohung|betriebsvereinbarung|abgleich*|hinterlegten daten|hinterlegte daten|bankdaten|entgeltabrechnung*|die abrechnung|mobiles portal|mobile portal|geschutzte nachricht|geschutztes dokument|verschlusselte nachricht|daten aktualisieren|aktualisieren sie ihre|freischaltung|freischalten|registrieren sie ihr|neu registrieren|testergebnis*|befund*|elektronisch signier*',
    pays: 'zahl*|bezahl*|paket*|sendung|sendungen|zoll*|konto|konten|kontos|karte|karten|rechnung|rechnungen|gebuhr*|zustell*|lieferung|absender|uberweis*|bussgeld*|verwarngeld*|strafzettel|maut*|steuer*|erstattung*|ruckerstattung*|parkverstoss|mahnung*|geldbusse|sendungs*|girokonto|bankverbindung|gutschein*|guthaben|nachzahlung|kaution',
  },
  {
    pastes: 'collez|coller|colle|copiez|copier',
    human: 'pas un robot|etes humain*|verification humaine',
    broken:
      'certificat _ expire|certificat _ renouvel*|ne peut pas etre affiche*|n a pas pu etre affiche*|n a pas pu etre ouvert*|n a pas pu s afficher|est protegee pour|acces _ bloque*|camera _ bloquee*|est bloque* par|ne peut pas etre ouvert*|impossible d afficher|impossible d ouvrir|corriger le probleme|resoudre le probleme|corriger l erreur|n est pas installe*|document _ protege|compte _ bloque|compte _ suspendu|debloquer',
    urges:
      'boite _ pleine|boite _ saturee|quota _ depasse|compte _ suspendu|compte _ bloque|carte _ suspendue|carte _ bloquee|session _ expire*|colis _ attente|frais de douane|confirmez votre compte|verifiez votre compte|expire aujourd hui|expire dans _ heures|connexion inhabituelle|acces inhabituel|frais de livraison|frais de reexpedition|n a pas pu etre livre|remboursement _ attente|eviter _ suspension|eviter _ blocage',
    forbids:
      'ne collez _ jamais|ne collez _ pas|n executez _ jamais|n executez _ pas|ne jamais coller|ne jamais executer|ne pas coller|ne pas executer|n appuyez _ pas|ne copiez _ jamais|ne copiez _ pas|ne suivez _ pas|ne suivez _ jamais',
    reports:
      'attaquant*|escroc*|cybercriminel*|pirates|victime*|faux captcha*|fausse verification*|faux controle*|sensibilisation',
    signs:
      'mot de passe|mots de passe|connexion|connectez*|identifiez*|vos identifiants|authentifi*|double authentification|signer|signez|signature*|bulletin de paie|salaire*|messagerie vocale|message vocal|votre compte _ suspendu|suspension|validez votre|verifiez votre|confirmez votre identite|reglement interieur|augmentation|politique interne|charte|bulletin|coffre electronique|coffre numerique|valider votre|confirmer vos|confirmez vos|document protege|message protege|acces limite|acces restreint|situation fiscale|mettre a jour vos|mettez a jour|reactiver|reactivez|vos donnees bancaires|resultats d analyse*|carte vitale',
    pays: 'colis|frais|carte|cartes|compte|comptes|facture*|livraison|douane*|payer|payez|paiement*|expediteur|remboursement|amende*|contravention*|impot|impots|peage|verbalisation|avis de passage|vous pouvez recevoir|versement|regler|reglez|reglement|trop percu|cheque energie',
  },
  {
    pastes: 'pegue|pega|pegar|peguelo|copie|copiar|copia',
    human: 'no soy un robot|no es un robot|no eres un robot|es humano|eres humano|verificacion humana',
    broken:
      'certificado _ caducado|certificado _ vencido|certificado _ expirado|certificado _ caduco|no se puede mostrar|no se puede abrir|no se pudo abrir|solucionar el problema|solucionar el error|corregir el error|corregir el problema|no esta instalad*|documento _ protegido|actualizacion de seguridad|cuenta _ bloqueada|cuenta _ suspendida|desbloquear*|no se ha podido abrir|no se ha podido mostrar|esta bloquead*|esta deshabilitad*',
    urges:
      'buzon _ lleno|buzon _ capacidad|cuenta _ suspendida|cuenta _ bloqueada|tarjeta _ bloqueada|sesion _ caducado|sesion _ expirado|paquete _ retenido|tasas de aduana|confirme su cuenta|verifique su cuenta|perdida de mensajes|caduca hoy|vence hoy|acceso inusual|actividad inusual|inicio de sesion inusual|evitar _ bloqueo|evitar _ suspension|gastos de entrega|no se pudo entregar|reembolso _ pendiente',
    forbids:
      'no pegue|no pegues|no ejecute|no ejecutes|no copie|no copies|no pulse|no siga|nunca pegue*|nunca ejecute*|nunca copie*|no se debe pegar|no debe pegar',
    reports:
      'atacante*|estafador*|ciberdelincuente*|delincuentes|victima*|captcha falso|captchas falsos|falsa verificacion*|concienciacion',
    signs:
      'contrasena*|iniciar sesion|inicie sesion|inicia sesion|sus credenciales|tus credenciales|nomina|nominas|firma|firme|firmar|autentica*|verifique su|verifica tu|suspension|suspendid*|buzon de voz|mensaje de voz|doble factor|acceda con|identifiquese|politica interna|nueva politica|ajuste salarial|bloquee el acceso|dispositivo nuevo|nuevo dispositivo|su clave|tu clave|sus claves|actualizar sus datos|actualice sus datos|confirme sus datos|documento protegido|mensaje cifrado|recibo de sueldo|recibo de salario|reactivar|reactive su|tarjeta sanitaria|certificado digital|datos bancarios',
    pays: 'paquete*|tarjeta*|cuenta*|pago|pagos|pagar|aduana*|envio|envios|factura*|reembolso*|multa|multas|sancion*|impuesto*|devolucion*|peaje*|abone|abonar|importe|recargo|gastos|bono',
  },
  {
    pastes: 'incolla|incollare|incollate|incolli|copia|copiare|copiate',
    human: 'non sono un robot|non sei un robot|sei umano|essere umano|verifica umana',
    broken:
      'certificato _ scaduto|non puo essere visualizzato|non puo essere aperto|impossibile visualizzare|impossibile aprire|risolvere il problema|correggere il problema|correggere l errore|non e installat*|documento _ protetto|aggiornamento di sicurezza|account _ bloccato|account _ sospeso|conto _ bloccato|sbloccar*|e bloccat* da',
    urges:
      'casella _ piena|account _ sospeso|conto _ bloccato|carta _ bloccata|sessione _ scaduta|pacco _ attesa|spese doganali|conferma il tuo account|confermi il suo account|scade oggi|accesso insolito|accesso anomalo|attivita insolita|evitare _ blocco|evitare _ sospensione|spese di consegna|non e stato possibile consegnare|rimborso _ attesa',
    forbids:
      'non incollare|non incollate|non incolli|non eseguire|non eseguite|non esegua|non premere|non copiare|mai incollare|mai eseguire',
    reports:
      'aggressori|truffator*|criminali|vittim*|attaccant*|captcha falso|falsi captcha|finto captcha|falsa verifica*|finta verifica*',
    signs:
      'password|accedi|acceda|accedere con|credenziali|firma|firmare|firmi|sospensione|identita digitale|autenticazione|autenticar*|verifichi|verifica la sua|verifica la tua|busta paga|stipendio|messaggio vocale|segreteria|utenza|aggiornare i dati|aggiorni i dati|aggiorna i dati|aggiornare i suoi|ripristinare|documento riservato|documento protetto|cedolino|riattivar*|riattivi|dati bancari|tessera sanitaria|spid|bancoposta',
    pays: 'verifica|pacco|pacchi|conto|conti|carta|carte|pagament*|pagare|spedizione|dogana*|consegna|fattura*|rimborso|multa|multe|sanzion*|tasse|imposte|pedaggio|contravvenzion*|spedizion*|pagare|bonus|bolletta|bollette|utenza|saldo',
  },
  {
    pastes: 'plak|plakken|kopieer|kopieren',
    human: 'geen robot|een mens bent|mens bent|menselijke verificatie',
    broken:
      'certificaat _ verlopen|beveiligingsupdate|niet worden weergegeven|niet worden geopend|probleem op te lossen|probleem oplossen|fout te herstellen|niet geinstalleerd|document is beveiligd|account _ geblokkeerd|account _ opgeschort|rekening _ geblokkeerd|deblokkeren|ontgrendelen',
    urges:
      'postvak _ vol|mailbox _ vol|account _ geblokkeerd|rekening _ geblokkeerd|bankpas _ geblokkeerd|bankpas _ verloopt|sessie _ verlopen|pakket _ vastgehouden|douanekosten|bevestig uw account|verloopt vandaag|ongebruikelijke aanmelding|ongebruikelijke activiteit|ongebruikelijke toegang|blokkering _ voorkomen|bezorgkosten|verzendkosten _ betalen|kon niet worden bezorgd|terugbetaling _ wacht',
    forbids:
      'plak nooit|plak _ niet|nooit plakken|niet plakken|voer nooit|voer _ niet _ uit|nooit uitvoeren|niet uitvoeren|druk nooit|druk niet|kopieer nooit',
    reports:
      'aanvaller*|oplichter*|criminelen|slachtoffer*|nep captcha*|valse captcha*|valse controle*|valse verificatie*|nepcontrole*|bewustwording*',
    signs:
      'wachtwoord*|inloggen|inloggegevens|log in|aanmelden|meld u aan|ondertekenen|onderteken|handtekening|salaris*|loonstrook|voicemail|verifieer|verificatie|identificeer|opgeschort|tweestaps*|nieuwe scanner|nieuwe pas|vraag _ aan|beveiligd document|beveiligd bericht|gegevens bijwerken|werk _ bij|bevestig uw|bevestig je|opnieuw registreren|opnieuw activeren|loonspecificatie|identiteit*|digid',
    pays: 'betaal*|betaling*|pakket*|rekening*|bankpas*|bezorg*|verloopt|verlopen|douane*|factuur|facturen|zending|boete*|belasting*|teruggave*|tol|naheffing*|aanslag*|openstaand*|bedrag|overmaken|over te maken|voldaan|bekeuring*|toeslag*|heffing*',
  },
  {
    pastes: 'cole|colar|copie|copiar|copia',
    human: 'nao sou um robo|nao e um robo|e humano|voce e humano|verificacao humana',
    broken:
      'certificado _ expirado|certificado _ expirou|certificado _ venceu|certificado _ vencido|nao pode ser exibid*|nao pode ser abert*|nao foi possivel abrir|resolver o problema|corrigir o problema|corrigir o erro|nao esta instalad*|documento _ protegido|atualizacao de seguranca|atualizacao obrigatoria|conta _ bloqueada|conta _ suspensa|desbloquear*|nao foi possivel exibir|nao pode ser visualizad*|esta bloquead*',
    urges:
      'caixa _ cheia|conta _ suspensa|conta _ bloqueada|cartao _ bloqueado|sessao _ expirou|encomenda _ retida|taxa alfandegaria|confirme sua conta|confirme a sua conta|expira hoje|vence hoje|acesso incomum|atividade incomum|acesso nao reconhecido|evitar _ bloqueio|evitar _ suspensao|taxa de entrega|nao foi possivel entregar|reembolso _ pendente',
    forbids:
      'nao cole|nao execute|nao copie|nao pressione|nao siga|nunca cole|nunca execute|nunca copie|nunca pressione|nao deve colar',
    reports: 'atacante*|golpista*|criminosos|vitima*|captcha falso|captchas falsos|falsa verificacao|conscientizacao',
    signs:
      'senha|senhas|palavra passe|iniciar sessao|inicie sessao|entre na sua conta|suas credenciais|assinar|assine|assinatura|autentica*|verifique sua|verifique a sua|suspensao|suspensa|folha de pagamento|salario*|mensagem de voz|correio de voz|confirme os seus dados|confirme seus dados|atualize os seus|atualize seus|atualizar seus|cadastro|recadastramento|documento protegido|mensagem cifrada|recibo de vencimento|contracheque|holerite|reativar|reative|acesso _ limitado|acesso _ bloqueado|dados bancarios|certificado digital',
    pays: 'encomenda*|cartao|cartoes|conta|contas|pagament*|pagar|alfandeg*|fatura*|reembolso*|envio|multa|multas|imposto*|restituicao|portagem|pedagio|coima*|taxa|taxas|fatura|boleto*|debito|debitos|regularize*',
  },
  {
    // Czech and Slovak.
    pastes: 'vlozte|vlozit|vlozenim|zkopirujte|skopirujte|kopirovat|prilepte',
    human: 'nejsem robot|nejste robot|nie som robot|nie ste robot|jste clovek|ste clovek',
    broken:
      'nelze zobrazit|nelze otevrit|nie je mozne zobrazit|nie je mozne otvorit|nemozno zobrazit|nemozno otvorit|certifikat _ vyprsel|certifikat _ skoncila|ucet _ zablokovan*|ucet _ pozastaven*|dokument je chranen*|odblokovat|odblokovani',
    forbids:
      'nevkladejte|nespoustejte|nekopirujte|nevkladajte|nespustajte|nikdy nevkladejte|nikdy nespoustejte|nikdy nevkladajte|nikdy nekopirujte',
    reports: 'utocnik*|utocnic*|podvodnik*|podvodnic*|obeti phishingu',
    signs:
      'heslo|hesla|prihlas*|podepis*|podpis*|vyplat*|mzdov*|overte|overeni totoznosti|overenie totoznosti|pozastaven*|hlasova zprava|omezili pristup|obmedzili pristup|pro obnoveni|pre obnovenie|neoverene|neoveren*|internetoveho bankovnictvi|vyplatn* pask*|potvrdte sve|potvrdte svoje|udaje karty|aktualizujte',
    pays: 'balik*|zasilk*|zasielk*|ucet|uctu|platb*|kartu|karta|clo|faktur*|pokut*|dan|dane|preplat*|poplat*|doplat*|uhrad*|uhradte|colne|clo|nedoplat*|dorucen*',
  },
  {
    // Swedish, Danish and Norwegian.
    pastes: 'klistra in|klistrar in|kopiera|kopierar|kopier|kopierer|indsæt|indsætter|sett inn|lim inn|lim ind',
    human: 'inte en robot|inte ar en robot|ikke en robot|ar manniska|en manniska|et menneske',
    broken:
      'kan inte visas|kan inte oppnas|kunde inte visas|kunde inte oppnas|kan ikke vises|kan ikke abnes|kan ikke apnes|kunne ikke vises|kunne ikke abnes|kunne ikke apnes|certifikat* _ lopt ut|certifikat* _ udløbet|sertifikat* _ utløpt|dokumentet ar skyddat|dokumentet er beskyttet|kontot _ last|kontoen _ last|konto er sparret|las upp|lase op',
    forbids:
      'klistra aldrig|klistra inte|aldrig klistra|kor aldrig|kor inte|indsæt aldrig|indsæt ikke|kør aldrig|kør ikke|lim aldri|lim aldrig|lim ikke|kjør aldri|kjør ikke|kopiera aldrig|kopier aldrig|kopier aldri',
    reports: 'bedragare*|angripare*|svindler*|angriber*|angriper*|kriminella|kriminelle',
    signs:
      'losenord*|adgangskode*|passord*|logga in|log ind|logg inn|bankid|mitid|signera*|underskriv*|underskrift*|lønebesked|lønseddel|lonespecifikation|lønnsslipp|verifiera*|verificer*|verifiser*|bekrafta _ identitet|bekræft _ identitet|bekreft _ identitet|sparrat|sperret|rostmeddelande|tjanstekort|fornya*|fornyas|fornyes|bekreftes|bekraftas|bekræftes|nettbank*|netbank*|internetbank*|atkomst|adgang _ sparret|adgang _ spærret|oppdater|opdater|uppdatera|tidsbegrænset|lonebesked|lonspecifikation|logga in med|logg deg inn',
    pays: 'paket*|pakke*|konto|kontot|kontoen|kort|kortet|betal*|faktura*|tull*|told*|forsendelse*|gebyr*|avgift*|bot|boter|bøde|bøder|bøter|skatt*|skat|parkering*|aterbetaling|tilbagebetaling|elrakning|restskat|restskatt|avgiften|forsendelsen|leverans*|levering*',
  },
  {
    // Turkish.
    pastes: 'yapistir*|kopyala*',
    human: 'robot degilim|robot olmadiginiz*|insan oldugunuz*',
    broken:
      'goruntulenemiyor|goruntulenemedi|acilamiyor|acilamadi|sertifika* _ doldu|sertifika* _ sona erdi|hesap* _ kilitlendi|hesap* _ askiya|belge korumali*|guvenlik guncelle*|kilidini ac*',
    forbids: 'yapistirmayin*|calistirmayin*|kopyalamayin*|asla yapistir*|asla calistir*|asla kopyala*',
    reports: 'saldirgan*|dolandirici*|siber suclu*|kurban*',
    signs:
      'sifre*|parola*|oturum ac*|giris yap*|imzala*|imza|maas*|bordro*|dogrula*|askiya*|sesli mesaj|guncelle*|e devlet|kimlik bilgi*|bilgilerinizi|yeniden etkinlestir*|erisim*',
    pays: 'kargo*|gonderi*|indirim*|borc*|odeme*|hesap*|hesabin*|kart*|gumruk*|fatura*|paket*|ceza*|vergi*|iade*',
  },
  {
    // Romanian.
    pastes: 'lipiti|lipeste*|lipirea|copiati|copiaza',
    human: 'nu sunt robot|nu sunteti robot|nu sunteti un robot|sunteti om|fiinta umana',
    broken:
      'nu poate fi afisat*|nu poate fi deschis*|nu se poate afisa|nu se poate deschide|certificat* _ expirat|contul _ blocat|contul _ suspendat|document* _ protejat|deblocati|deblocarea',
    forbids: 'nu lipiti|nu rulati|nu executati|nu copiati|niciodata nu',
    reports: 'atacator*|escroc*|infractor*|victime*',
    signs:
      'parola*|autentific*|conectati*|semnati|semnatura|salari*|verificati _ contul|suspendat*|mesaj vocal|actualizati*|confirmati*|datele cardului|reactivati*|datele dumneavoastra|fluturas*',
    pays: 'colet*|plata|plati|contul|cont|card|cardul|vama*|factura*|livrare*|amenda|amenzi|taxa|taxe|impozit*|rambursare|achitati|achita|suma de|neachitat*|restant*|expediere',
  },
  {
    // Hungarian.
    pastes: 'illessze be|illeszd be|beilleszt*|masolja|masold|masolja ki|masolja at',
    human: 'nem vagyok robot|on nem robot|nem robot',
    broken:
      'nem jelenitheto meg|nem jelenithet* meg|nem nyithato meg|nem nyithat* meg|nem sikerult megnyitni|nem sikerult megjeleniteni|tanusitvany* _ lejart|fiok* _ zarol*|fiok* _ felfuggeszt*|vedett dokumentum*|feloldas*',
    forbids: 'ne illessze|ne futtassa|ne masolja|soha ne',
    reports: 'tamado*|csalok|csalo|bunozo*|aldozat*',
    signs:
      'jelszo*|jelszav*|bejelentkez*|alairas*|irja ala|hitelesit*|azonositsa*|felfuggeszt*|hangposta|frissitse*|erositse meg|adatainak|adatait|netbank*|ugyfelkapu*|berjegyzek*|fizetesi jegyzek*',
    pays: 'csomag*|fizet*|szamla*|kartya*|vam|vamot|vamdij*|vamkezel*|szallit*|kezbesit*|birsag*|dij|dijat|tartozas*|visszaterites*',
  },
  {
    // Finnish.
    pastes: 'liita|liittakaa|kopioi|kopioikaa',
    human: 'en ole robotti|et ole robotti|olet ihminen|olevasi ihminen',
    broken:
      'ei voi nayttaa|ei voida nayttaa|ei voi avata|ei voida avata|ei voitu avata|ei voitu nayttaa|varmenne _ vanhentunut|tili _ lukittu|tilisi _ lukittu|tilisi _ suljettu|asiakirja on suojattu',
    forbids: 'ala liita|ala suorita|ala kopioi|ala koskaan|alkaa koskaan|alkaa liittako|alkaa suorittako',
    reports: 'huijar*|hyokkaaj*|rikollis*',
    signs:
      'salasana*|kirjaudu*|allekirjoit*|palkka*|vahvista _ henkilollisyytesi|tunnistaudu*|vaaniviesti|tunnuks*|verkkopankki*|paivita*|vahvista*|kayttajatun*|palkkalaskelma*',
    pays: 'paketti*|maksu*|maksa|tili|tilisi|tilia|kortti*|tulli*|lasku*|lahetys*|toimitus*|sakko*|veronpalautus*',
  },
  {
    // Russian and Ukrainian.
    pastes: 'вставьте|вставить|вставте|вставити|скопируите|скопировать|скопіюите|скопіювати|копируите',
    human: 'не робот|вы человек|что вы человек|ви людина|що ви людина',
    broken:
      'не удалось отобразить|не удалось открыть|не удается отобразить|не удается открыть|невозможно отобразить|невозможно открыть|не вдалося відкрити|не вдалося відобразити|не вдається відкрити|неможливо відкрити|неможливо відобразити|исправить ошибку|исправить проблему|исправления ошибки|виправити помилку|виправити проблему|сертификат* _ истек*|термін діі сертифікат*|запись _ заблокирован*|запис _ заблоковано|документ защищен*|документ захищен*|разблокир*|розблок*|розблоку*',
    forbids: 'не вставляите|не запускаите|не выполняите|не копируите|никогда не|не виконуите|не копіюите|ніколи не',
    reports: 'злоумышленник*|мошенник*|зловмисник*|шахраі|шахраів|хакер*|киберпреступник*|жертв*',
    signs:
      'парол*|воидите|увіидіть|авториз*|подпис*|підпис*|зарплат*|подтвердите|підтвердіть|приостановлен*|призупинен*|двухфакторн*|двофакторн*|голосовое сообщение|обновите|обновить|учетн* запис*|облікови* запис*|обліков*|личныи кабинет|личном кабинете|особистии кабінет|особистого кабінету|данные карт*|дані _ картки|дані банківськ*|подтвердить|підтвердити|код из смс|верификац*|верифікац*|доступ ограничен|доступ обмежено|захищен* груп*|защищенн* групп*|расчетн* лист*|оновити|оновіть',
    pays: 'посылк*|посилк*|оплат*|счет*|рахун*|карт*|таможен*|митн*|доставк*|штраф*|налог*|возврат*|податк*|відправленн*|отправлени*|сплат*|сплатіть|оплатит*|кошт*|допомог*|нарахован*|выплат*|виплат*|штраф*|компенсац*|пособи*|борг*|задолженност*',
  },
  {
    // Greek.
    pastes: 'επικολλησ*|αντιγραψ*',
    human: 'δεν ειμαι ρομποτ|δεν ειστε ρομποτ|ειστε ανθρωπος',
    broken:
      'δεν ειναι δυνατη η εμφανιση|δεν ειναι δυνατη η προβολη|δεν ειναι δυνατο το ανοιγμα|δεν μπορει να εμφανιστει|δεν μπορει να ανοιξει|πιστοποιητικο _ ληξ*|λογαριασμος _ κλειδω*|λογαριασμος _ ανασταλ*|προστατευμενο εγγραφο|ξεκλειδωσ*',
    forbids: 'μην επικολλ*|μην εκτελ*|μην αντιγρ*|ποτε μην',
    reports: 'επιτιθεμεν*|απατεων*|εισβολεις|θυματα',
    signs:
      'κωδικο*|συνδεθ*|υπογραψ*|υπογραφ*|μισθο*|επαληθευσ*|ταυτοποιησ*|αναστολ*|ενημερωστε|επιβεβαιωσ*|εισοδο|στοιχεια σας|e banking|taxisnet',
    pays: 'δεμα|δεματος|πληρωμ*|λογαριασμ*|καρτα*|τελωνει*|παραδοσ*|προστιμ*|φορο*|επιστροφ*|πληρωστε|οφειλ*|αποστολ*|διοδι*',
  },
  {
    // Arabic and Hebrew.
    pastes: 'الصق|والصق|الصقه|والصقه|الصقها|والصقها|انسخ|وانسخ|הדבק|הדביקו|והדביקו|להדביק|העתק|העתיקו|להעתיק',
    human: 'لست روبوت*|انك لست روبوت*|انك انسان|אינך רובוט|אינני רובוט|לא רובוט|שאתה אנושי',
    broken:
      'تعذر عرض|لا يمكن عرض|تعذر فتح|لا يمكن فتح|لاصلاح المشكلة|اصلاح الخطا|انتهت صلاحية|المستند محمي|حسابك _ معلق|לא ניתן להציג|לא ניתן לפתוח|המסמך מוגן|החשבון _ נחסם|לשחרר את',
    forbids: 'لا تلصق*|لا تنسخ*|لا تنفذ*|لا تشغل*|אל תדביקו|אל תריצו|אל תעתיקו|לעולם אל|לעולם לא',
    reports: 'المهاجم*|المحتال*|المهاجمون|ضحايا|תוקפים|התוקפים|רמאים|נוכלים',
    signs:
      'كلمة المرور|تسجيل الدخول|سجل الدخول|توقيع|التوقيع|الراتب|راتبك|تاكيد هويتك|المصادقة|סיסמה|סיסמא|התחבר*|חתימה|משכורת|תלוש|אימות|עדכן*|עדכנו|פרטי האשראי|פרטי הכרטיס|אשר את|تحديث بياناتك|تحديث البيانات|ادخل بياناتك|وادخل بياناتك|بياناتك|البيانات البنكية|تفعيل البطاقة|تفعيل حسابك|اعادة تفعيل|ابشر',
    pays: 'طرد|شحنة|الشحنة|الدفع|حسابك|بطاقتك|الجمارك|رسوم|חבילה|תשלום|חשבון|כרטיס|מכס|غرامة|مخالفة|ضريبة|קנס|מס הכנסה|החזר|החבילה|משלוח*|שלם|שלמו|במכס|دفع|سداد|بطاقتك|بطاقة|مخالفات|فاتورة|الطرد|البطاقة|مبلغ|استرداد',
  },
  {
    // Hindi and Thai.
    signs: 'पसवरड|लगइन|कवईस|कवयस|सतयप*|ओटप|अपडट*|हसतकषर|वतन*|รหสผาน|เขาสระบบ|ยนยนตวตน',
    pays: 'खत*|बक|करड|भगतन*|परसल|शलक|चलन|जरमन|टकस|रफड|พสด|ชำระ|คาปรบ|บญช',
  },
  {
    // Indonesian.
    pastes: 'tempel|tempelkan|salin|menempelkan',
    human: 'bukan robot|anda manusia',
    broken:
      'tidak dapat ditampilkan|tidak dapat dibuka|tidak bisa dibuka|tidak bisa ditampilkan|dokumen _ dilindungi|akun _ diblokir|akun _ dikunci|sertifikat _ kedaluwarsa',
    forbids: 'jangan tempel*|jangan jalankan|jangan salin|jangan pernah',
    reports: 'penyerang|penipu|korban phishing',
    signs:
      'kata sandi|masuk ke akun|tanda tangan*|gaji|verifikasi*|autentikasi|ditangguhkan|perbarui*|konfirmasi*|data anda|diblokir|slip gaji|kode otp',
    pays: 'paket|pembayaran|akun|kartu|bea cukai|tagihan|pengiriman|rekening*|bayar*|denda|hadiah|bantuan',
  },
  {
    // Vietnamese.
    pastes: 'dan vao|dan lenh|sao chep',
    human: 'khong phai robot|khong phai la robot|la con nguoi|ban la nguoi',
    broken: 'khong the hien thi|khong the mo|chung chi _ het han|tai khoan _ bi khoa|tai lieu đuoc bao ve',
    forbids: 'khong dan|đung dan|khong chay|đung chay|tuyet đoi khong|khong bao gio',
    reports: 'ke tan cong|ke lua đao|toi pham mang|nan nhan',
    signs:
      'mat khau|đang nhap|ky ten|chu ky|luong|xac minh|xac thuc|cap nhat|sinh trac hoc|bi khoa|xac nhan|ma otp|vneid',
    pays: 'buu kien|thanh toan|tai khoan|the ngan hang|hai quan|hoa đon|phat nguoi|phi|khoan|tro cap|hoan thue',
  },
  {
    pastes: 'wklej|wklejcie|wkleic|wkleja*|skopiuj|skopiujcie|skopiowac|kopiuj',
    human: 'nie jestem robotem|nie jestes robotem|jestes człowiekiem|weryfikacja człowieka',
    broken:
      'certyfikat _ wygasł|konto _ zablokowane|konto _ zawieszone|nie mozna wyswietlic|nie mozna otworzyc|nie moze zostac otwart*|nie moze zostac wyswietlon*|naprawic problem|naprawic bład|instrukcja naprawy|kod błedu|nie jest zainstalowan*|dokument _ chroniony|odblokowac|odblokuj',
    urges:
      'skrzynka _ pełna|limit skrzynki|konto _ zawieszone|konto _ zablokowane|karta _ zablokowana|sesja _ wygasła|paczka _ wstrzymana|przesyłka _ wstrzymana|opłata celna|opłata za dostawe|dopłata _ przesyłki|potwierdz swoje konto|wygasa dzis|nietypowe logowanie|nietypowa aktywnosc|uniknac _ blokady',
    forbids:
      'nie wklejaj*|nie uruchamiaj*|nie wykonuj*|nie kopiuj*|nie naciskaj*|nie nalezy wklejac|nie nalezy uruchamiac',
    reports: 'atakujacy*|oszust*|cyberprzestep*|przestepc*|ofiara|ofiary|ofiar|fałszyw* captcha*|socjotechni*',
    signs:
      'hasło|hasła|haslo|zaloguj*|logowani*|podpis*|wynagrodzeni*|uwierzytelni*|zweryfikuj|weryfikacj* konta|zawieszon*|poczta głosowa|dane logowania|potwierdzic|potwierdz|danymi słuzbowymi|numer rachunku|zaktualizuj*|aktywowac|aktywuj|odnowic|certyfikat*|bankowosc*|pasek płac|profil zaufany',
    pays: 'paczk*|płatnosc*|opłat*|opłac*|konto|konta|karta|karty|przesyłk*|faktur*|cło|celn*|dopłat*|wpłat*|naleznosc*|wypłat*|rachunk*|doreczen*|mandat*|podatk*|zwrot*|grzywn*',
  },
  {
    // Croatian, Serbian, Bosnian and Slovene, in both scripts.
    signs:
      'lozink*|prijavite se|prijavi se|potvrdite*|potpis*|placa|platn* list*|vas racun|suspendiran*|blokiran*|ogranicen*|podatke kartice|podaci kartice|unesite podatke|geslo|gesla|prijavite|potrdite|omejen*|лозинк*|пријавите се|потврдите|блокиран*|податке картице|приступ|e građani',
    pays: 'paket*|posiljk*|carin*|plati|platite|placanj*|racun*|kartic*|povrat*|kazn*|naknad*|dostav*|porez*|placajte|placilo|vracil*|davk*|globa|globo|пошиљк*|пакет*|платите|царин*|казн*|повраћај*|порез*|рачун*',
  },
  {
    // Bulgarian.
    signs:
      'паролa*|парола*|влезте|вход|потвърдете|профилът|спрян*|блокиран*|ограничен*|въведете|данните на карт*|електронен подпис',
    pays: 'пратк*|платете|плащане*|такса|такси|митниц*|глоб*|възстановяван*|данък|данъ*|сметк*|карта*|доставк*',
  },
  {
    // Lithuanian, Latvian and Estonian.
    signs:
      'slaptazod*|prisijunk*|patvirtinkite|paskyra|apribota|sustabdyta|atnaujinkite|parol*|piesledzieties|apstipriniet|konts|ierobezots|blokets|atjauniniet|algas|salasona|logige sisse|kinnitage|konto on|piiratud|peatatud|uuendage|palgaleht',
    pays: 'siunt*|sumokek*|mokest*|muit*|baud*|saskait*|kortel*|grazin*|sutijum*|samaksajiet|maks*|nodok*|sod*|kart*|atmaks*|saadetis*|tasu*|tolli*|trahv*|tagast*|arve|kaardi*|pakk*',
  },
  {
    // Persian.
    signs: 'وارد شوید|رمز عبور|تایید|تایید|حساب شما|مسدود|اطلاعات کارت|کارت بانکی|احراز هویت|امضا|ابلاغیه|قطع می شود',
    pays: 'پرداخت|هزینه|تومان|ریال|بسته|مرسوله|گمرک|جریمه|یارانه|کارت|قبض|بازپرداخت',
  },
  {
    // Bengali, Tamil and Urdu.
    signs: 'লগ ইন*|পসওযরড*|অযকউনট*|কওযইস|যচই*|கடவசசல|உளநழ*|کھاتہ|پاس ورڈ|تصدیق',
    pays: 'জরমন*|পরশধ*|করড*|পরসল*|ফ|டலவர|கடடணம|பரசல|جرمانہ|ادايیگی|پارسل',
  },
  {
    // Malay, Filipino and Swahili.
    signs:
      'log masuk|kata laluan|sahkan|akaun anda|digantung|kemas kini|i verify|ma verify|mag log in|iyong account|naka hold|password mo|ingia|thibitisha|nenosiri|akaunti|pin yako|weka pin',
    pays: 'bungkusan|bayar|denda|kastam|saman|bayaran|magbayad|bayaran|padala|multa|lipa|malipo|faini|kifurushi|rudisha|kurejesha',
  },
  {
    // Catalan.
    signs:
      'contrasenya|inicii* sessio|iniciar sessio|el seu compte|el teu compte|desbloquejar|verifiqui|limitat|bloquejat',
    pays: 'paquet*|pagament*|pagui|targeta|compte|multa|devolucio|duana|impost*',
  },
  {
    // Further words of the languages above.
    signs:
      'compte a ete limite|coordonnees bancaires|iban|clabe|bankverbindung mitgeteilt|bankverbindung|kontodaten|kennwort|dati della carta|documento d identita|datos de la tarjeta|su rfc|dados do cartao|numero da conta|numer karty|numer konta|bankovni identit*|datove schrank*|cislo uctu|bankkartyaj*|kartyaadat*|datele card*|номер карты|номером картки|номер картки|данные карты|kart bilgi*|banka hesab*|τα στοιχεια της|αριθμο καρτας|لتحديث|عدم تحديث|سجل الدخول|بيانات البطاقة|כרטיס אשראי|הזן פרטי|הזינו|thong tin tai khoan|data kartu|isi data|kredensial|kontonummer|kortnummer|kortoplysninger|uppge|oppgi|rekeningnummer|stuur uw oude pas|penger til gode|recovery code|security check|bank details|debit card details|direct debit|secret recovery|choose your bank|your bank|provided via|scanned document|urgent meeting|invited to a meeting|vote for|to vote|expediente|declaracion de renta|log in|provjerite identitet|protected message|protected file|fax received|new fax|pages received|wire instructions|signature requested|to sign|owed money|national insurance|work e mail|work email|company e mail|staff login|domain password|unclaimed|blacklisted|kyc|warrant was issued|jury duty|disconnection notice|account is on hold|personalised offer|hasłem domenowym|oczekuje na twoj podpis|na twoj podpis|bulletin de|identifiants|kindergeld|nachreichen|steuer id|ny post|offentlig myndighed|bekreft*|identiteten|tilinumero*|keskeytetty|henkilollisyys*|vyprsi|dogrulay*|giris yapildi|igazolvan*|adja meg|неплатена|спиране на|ανεξοφλητ*|διακοπη|تعليق حسابك|تعليق|لاعادة التفعيل|חוב|nợ tien|cat đien|hangus|masuk ke|magbayad|umpendekeze',
    pays: 'guthaben|zu viel gezahlt|auszahlung|ruckzahlung|beitragsservice|bonusmitteilung|remise|indemnit*|beneficiez|prestations|bonus di|bonus de|accredito|irpef|avviso di pagamento|saldo a favor|citacion|credito|kredit|aterbaring|skatteaterbaring|skatteaterbaring|pengar|penger|beløb|beløbet|sanctiebedrag|beschikking|snelheidsovertreding|verkeersovertreding|uitkering|aow|rente|zorgtoeslag|rimborso*|rambursare de|esapament|компенсаци*|начислен*|виплач*|заявк*|удержан*|επιστροφη φορου|αποζημιωση|شحنتك|شحنتكم|مخالفة مرورية|ادفع|החזר של|מגיע לך|hoan thue|pengembalian|melanggar|tabungan|credit of|rebate|gst|benefit payment|toll payment|licence|connection will',
  },
]

/** Japanese has no spaces; of Chinese and Korean, what is beside codes. */
const TOGETHER = {
  pastes:
    '貼り付け|貼付け|ペースト|コピー|粘贴|貼上|贴上|黏贴|复制|複製|붙여넣|붙여 넣|복사하|복사한|คัดลอก|วางแล้ว|วางลง',
  human:
    'ロボットでは|人間であること|人間である|不是机器人|不是機器人|您是真人|你是真人|验证您是人|로봇이 아닙|로봇이 아님|사람인지|사람임을|ไม่ใช่หุ่นยนต์|ไม่ใช่โรบอต|เป็นมนุษย์',
  broken:
    '表示できません|表示できない|開くことができません|開けません|開けない|期限切れ|期限が切れ|失効|修復|本人確認|ロックされ|停止され|停止しました|保護されて|解除|インストールされていません|无法显示|無法顯示|无法打开|無法開啟|无法查看|无法预览|证书已过期|憑證已過期|文档受保护|文件受保護|账户已锁定|帳戶已鎖定|표시할 수 없|열 수 없|볼 수 없|인증서가 만료|인증서 만료|계정이 잠|보호된 문서|문서가 보호|ไม่สามารถแสดง|ไม่สามารถเปิด|ใบรับรองหมดอายุ|ถูกล็อก|เอกสารได้รับการป้องกัน',
  urges:
    '一時停止|一時的に停止|停止されます|本人様確認|本人確認|不正利用|時間以内に|再配達手数料|住所不備|お届けできません|不正アクセス|異常なログイン|ログインを検知|利用を制限',
  forbids:
    '貼り付けないで|貼り付けてはいけ|貼り付けない|実行しないで|実行してはいけ|押さないで|コピーしないで|従わないで|絶対に実行|切勿|不要粘贴|请勿粘贴|請勿貼上|不要貼上|不要运行|请勿运行|不要執行|請勿執行|不要复制|실행하지 마|붙여넣지 마|붙여 넣지 마|복사하지 마|절대로|절대 실행|อย่าวาง|ห้ามวาง|อย่าคัดลอก|ห้ามคัดลอก|อย่ารัน|ห้ามรัน',
  reports:
    '攻撃者|被害者|犯罪者|詐欺師|手口|攻击者|攻擊者|诈骗分子|詐騙集團|骗子|受害者|공격자|피해자|사기범|해커|ผู้โจมตี|มิจฉาชีพ|เหยื่อ|แฮกเกอร์',
  signs:
    '再登録|再設定|有効期限|已失效|重新激活|激活|补充地址|地址有误|만료|재등록|재설정|검진 결과|หมดอายุ|แลกรับ|ยืนยัน|アカウント|お支払い方法|お支払い情報|カード番号|カード情報|口座番号|利用停止|解約|納付手続|差押|暗証番号|重新认证|重新認證|停用|实名认证|填写银行卡|个人信息|實名|帳號|帳戶|身分驗證|계좌번호|입력하|본인인증|주소를 수정|ยืนยันตัวตน|เข้าสู่ระบบ|รหัสผ่าน|ระงับ|บัญชี|パスワード|ログイン|サインイン|制限しております|制限して|ご確認|更新手続|不審な|お手続き|署名|給与|二段階認証|本人確認|再認証|密码|登录|登錄|补贴|津贴|登记|银行卡信息|实名|验证|认领|領取|申领|签名|签署|工资|工資|身份验证|身份驗證|认证|비밀번호|로그인|서명|보류|확인하고|계정|정지|인증|업데이트|급여|본인 인증|본인인증',
  pays: '税金|納付|未払い|お届け|再配達|請求|補助金|給付金|違規|罰單|繳費|繳納|運費|郵費|补贴发放|退款|缴费|缴纳|欠费|통행료|납부|범칙금|지원금|세금|ชำระ|ค่าธรรมเนียม|พัสดุ|ค่าปรับ|ภาษี|คืนเงิน|荷物|支払|料金|口座|取引|补贴|领取|卡号|カード|関税|請求書|包裹|快递|付款|账户|賬戶|银行卡|关税|택배|결제|계좌|배송|요금|미납|수수료|카드|관세|罚款|罰款|退税|退稅|罚单|違反金|反則金|還付|과태료|벌금|환급',
}

/** Work for each character of ASCII, and of parts with others. */
const ASCII_WORK = 5
const OTHER_WORK = 60
/** Characters of ASCII between two others that are read together with them. */
const NEAR = 100
const NOT_ASCII = /[^\0-\x7f]/g
const SPACE = 0x20
const LINE_FEED = 0x0a
/** Letters in lower case and digits. All other characters are gaps. */
const LETTERS = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code)
  return /[a-z0-9]/i.test(char) ? char.toLowerCase().charCodeAt(0) : SPACE
})

/** As the texts are compared with: lower case, without accents, with one space before, between and after words. */
export function wordsOf(text: string): string {
  const written = isBytes(text) ? Buffer.from(text, 'latin1').toString() : text
  const pieces: string[] = []
  let from = 0
  for (const { start, end } of othersIn(written)) {
    pieces.push(asciiWords(written.slice(from, start)), otherWords(written.slice(start, end)))
    from = end
  }
  pieces.push(asciiWords(written.slice(from)))
  return ` ${pieces.filter((piece) => piece !== '').join(' ')} `
}

/** Parts with other characters than ASCII, between white space: what is around it changes no letter. */
function* othersIn(text: string): Generator<{ start: number; end: number }> {
  const isSpace = (at: number): boolean => text.charCodeAt(at) === SPACE || text.charCodeAt(at) === LINE_FEED
  let end = 0
  for (let at = nextOther(text, 0); at !== -1; ) {
    let start = at
    while (start > end && !isSpace(start - 1)) start -= 1
    do {
      end = at + 1
      while (end < text.length && !isSpace(end)) end += 1
      at = nextOther(text, end)
    } while (at !== -1 && at - end <= NEAR)
    yield { start, end }
  }
}

function nextOther(text: string, from: number): number {
  NOT_ASCII.lastIndex = from
  return NOT_ASCII.exec(text)?.index ?? -1
}

/** Several times as fast as the patterns. */
function asciiWords(text: string): string {
  charge(text.length * ASCII_WORK)
  const bytes = Buffer.from(text, 'latin1')
  let [length, before] = [0, SPACE]
  for (let at = 0; at < bytes.length; at++) {
    const letter = LETTERS[bytes[at] as number] as number
    bytes[length] = letter
    length += letter === SPACE && before === SPACE ? 0 : 1
    before = letter
  }
  return bytes.toString('latin1', 0, before === SPACE && length > 0 ? length - 1 : length)
}

function otherWords(text: string): string {
  charge(text.length * OTHER_WORK)
  return folded(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** Pages are read as bytes. */
const isBytes = (text: string): boolean =>
  /[\xc3-\xc5\xd0\xd1\xe3-\xe9][\x80-\xbf]|[\xc6-\xcf\xd7-\xdb][\x80-\x9f]|[\xe0-\xed](?:[\x80-\xbf][\x80-\x9f]|[\x80-\x9f][\x80-\xbf])/.test(
    text,
  ) && !/[^\0-\xff]/.test(text)

// In the result of `wordsOf` nothing but letters and digits stands between spaces. V8 would compile the class of all letters for each place: seconds.
const REST = '[^ 0-9]{0,12}'
const SIX_WORDS = '(?:[^ ]{1,20} ){0,6}'

/** For the result of `wordsOf`. `together`: in scripts without spaces. */
export function patternOfPhrases(lists: readonly string[], together: string): RegExp {
  const phrases = lists.map((words) => words.replaceAll('*', REST).replaceAll(' _ ', ` ${SIX_WORDS}`)).join('|')
  const whole = together.split('|').map((phrase) => wordsOf(phrase).trim())
  return new RegExp(` (?:${phrases}) |${whole.join('|')}`)
}

const patternOf = (key: keyof Language): RegExp =>
  patternOfPhrases(
    ROWS.flatMap((row) => row[key] ?? []),
    TOGETHER[key],
  )

export const PASTES = patternOf('pastes')
export const HUMAN_WORDS = patternOf('human')
export const BROKEN_WORDS = patternOf('broken')
export const URGES = patternOf('urges')
export const FORBIDS = patternOf('forbids')
export const REPORTS = patternOf('reports')
export const SIGNS = patternOf('signs')
export const PAYS = patternOf('pays')
