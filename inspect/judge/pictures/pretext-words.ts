/** Words beside codes: that they are to be scanned, that it must be soon, and who seems to ask for it. Data only. */

import { patternOfPhrases } from '../lure-words.ts'

/** Lower case, without accents. `*`: the rest of a word. `_`: up to six words. */
export const SCANS = patternOfPhrases(
  [
    'qr|scan*|scann*|smartphone|phone camera|mobile camera|escane*|codigo|scansion*|inquadra*|flasher|flashez|codice',
    'zeskanuj|skanuj|kodu|отсканир*|сканир*|skann*|naskenuj*|karekod*|kodu okut*|scaneaza*|szkenneld|olvassa be|pindai|quet ma',
    'skenirajte|сканираите|скенирајте|nuskenuokite|noskenejiet|skannige|scannez|scansioni|scansiona|scanati|σαρωστε|اسکن|সকযন|imbas|i scan|changanua|escanegi|سرق*|סרקו|הסריקה|digitalizando|leia o codigo|quet|pindai',
    'امسح|الرمز|סרוק|सकन',
  ],
  '二维码|扫码|扫描|스캔|QRコード|スキャン|読み取',
)

export const PRESSES = patternOfPhrases(
  [
    'within _ hours|within _ hour|within _ days|in the next _ hours|immediately|urgent|urgently|as soon as possible|today|tonight|deadline|final notice|final reminder|last reminder|last chance|action required|required action|avoid|otherwise|failure to|legal action|surcharge|additional charge*|late fee*|penalty|penalties|suspend*|blocked|will be closed|will be returned|returned to _ sender|will be deactivated|expire*|mandatory|must be completed|overdue|on hold|held at|attempted delivery|unable to deliver|could not deliver|could not be delivered|missed delivery|before friday|by friday|by end of|end of day|no later than|midnight|ends tonight|will be disabled|are disabled|are removed|will be removed|will lose|lose access|lose your|must be finished|must be completed|stop working|stops working|no longer work*|not compliant|will be deleted|is deleted|will be charged|towed|unpaid|must register|has to register|has to be confirmed|must be confirmed|new payment details|bankers have changed|of your account|former account',
    'innerhalb von|innerhalb _ stunden|binnen|umgehend|sofort|unverzuglich|dringend|heute|letzte mahnung|letzte erinnerung|andernfalls|sonst|frist|gesperrt|vermeiden|spatestens|eingeschrankt|ohne abgleich|letztmalig|ansonsten|endgultig|sperrung|verfallt|erlischt|nicht zugestellt|zuruckgesendet|zuruckgeschickt|mahngebuhr*',
    'sous _ heures|dans les _ heures|immediatement|urgent|urgence|aujourd hui|dernier rappel|dernier avis|sous peine|afin d eviter|pour eviter|majoration|majore*|suspendu*|bloque*|au plus tard|sans quoi|faute de quoi|sera bloque*|sera suspendu*|obligatoire|n a pas pu etre livre|retourne',
    'en _ horas|antes de|inmediat*|urgente*|hoy|ultimo aviso|de lo contrario|evitar|recargo|suspendid*|bloquead*|obligatorio|plazo|ahora mismo|sera devuelto|sera bloquead*|detenid*|dejara de|retenid*|no se pudo entregar|no pudo ser entregado',
    'entro _ ore|entro il|immediat*|urgente|oggi|ultimo avviso|altrimenti|evitare|sospes*|bloccat*|obbligatori*|scadenza|scade|in attesa|verra bloccat*|non e stato possibile|giacenza',
    'em _ horas|ate _ horas|imediat*|urgente|hoje|ultimo aviso|caso contrario|evitar|suspens*|bloquead*|obrigatori*|prazo|bloqueio|definitiv*|retid*|sera cancelad*|sera bloquead*',
    'binnen _ uur|binnen _ dagen|onmiddellijk|direct|dringend|vandaag|laatste herinnering|anders|voorkom*|geblokkeerd|opgeschort|verplicht|uiterlijk|niet bezorgd|extra kosten|vermijden|verloopt|vervalt|geen betalingen|niemand thuis|vastgehouden|vanaf _ werkt|laatste kans',
    'w ciagu|natychmiast|pilne|dzis|dzisiaj|ostatnie wezwanie|unikna*|zablokowan*|zawieszon*|obowiazkow*|termin*|niedoreczon*|wstrzyman*|oczekuje w|brak wpłaty|brak dopłaty|zwrot do nadawcy|musi potwierdzic|kazdy pracownik|niezwłocznie|wygasa*|zostanie zamkniet*|zostanie zablokowan*',
    'inom _ timmar|inom _ dagar|omedelbart|bradskande|idag|i dag|inden _ timer|straks|omgaende|haster|innen _ timer|undvika|undga|unnga|sparras|sperres|senast|senest|stangs|stengt|stenges|lukkes|spærres|lukket|kunne desværre ikke|kunde inte leverera|kunne ikke levere|utgar|udløber|utløper|behover fornyas|ma bekreftes|skal bekræftes',
    'do _ hodin|okamzite|ihned|dnes|nejpozdeji|zablokov*|pozastav*|saat icinde|hemen|acil*|bugun|son _ gun|askiya|engellen*|suresi dol*|sure _ dol*|son gun|iptal*|kapatil*|omezili|obmedzili|uzavren*|budou uzavreny|caka na|ceka na|neuhrad*|vracen*|vraten*',
    'in termen de|in _ ore|imediat|urgent|astazi|ultima notificare|suspendat*|blocat*|in 48 de ore|altfel|neachitat*|se dubleaza|returnat*',
    'в течение|немедленно|срочно|сегодня|последнее _ уведомление|во избежание|заблокирован*|приостановлен*|протягом|негаино|терміново|щоб уникнути|уникнути повернення|буде заблоковано|буде закрито|будет заблокирован*|будет закрыт*|не вдалося доставити|не удалось доставить|повернут*|возвращен*',
    'u roku od|odmah|hitno|danas|inace|zadrzan*|ceka na|bit ce|zatvoren|задржан*|одмах|хитно|данас|чека|takoj|nujno|danes|sicer|задържан*|незабавно|спешно|днес|в срок|sulaikyt*|nedelsiant|siandien|per 24|laukia|aizturet*|nekavejoties|sodien|gaida|viivitamatult|tana|kinni peetud|muidu|فوری|امروز|برای جلوگیری|قطع|আজই|ditahan|segera|ngayon|leo|kwa makosa|immediatament|avui|stopgezet|niet tijdige|hoger|verhoogd|majore|interrompues|scade il|entro il|retinut|se va bloca|задържана|σε αναμονη|περιοριστει|قيد الانتظار|לפני|מעוכב*|se bi phat|se bi|neu khong|antes del|prazo|senao|fallt eine gebuhr|spaerret|bortfalder|før den|innen fristen|ennen|maaraaika|do piatku|do 48|vyprsel|propadne|lejar|hatarido',
    'εντος|αμεσα|επειγον|σημερα|خلال|فورا|عاجل|اليوم|בתוך|מיד|דחוף|היום|dalam _ jam|segera|hari ini|trong vong|ngay lap tuc|hom nay|تم ايقاف|ايقاف|سيتم اغلاق|سيتم ايقاف|مؤقتا|ממתינה|תיחסם|ייחסם|תחסם|יום אחרון|אחרת|आज|तरत|समपत|बद ह*|बद कर*|घट|παραμενει|αναστελλεται|θα κλειδωθει|kulonben|kulönben|visszakuld*|lukitaan|vanhene*|suljetaan|akan diblokir|akan ditutup|24 jam|se bi khoa|truoc 24|oran belul|azonnal|surgos*|tunnin kuluessa|heti|valittomasti|tanaan',
  ],
  '无法投递|派送失败|投递失败|お届けできませんでした|加倍|今日18|前完成|以免|通行|停用|作废|逾期将|解約され|停止いたし|執行し|差押|迟延|지연|오늘 중|미납|ภายใน|ชั่วคราว|ไม่สามารถจัดส่ง|小时内|立即|马上|视为放弃|截止|过期|冻结|将被|凍結|制限し|されない場合|반송|보류|오늘까지|逾期|尽快|今天|暂停|至急|時間以内|直ちに|本日|期限|停止|시간 이내|즉시|오늘|기한|정지',
)

/** Offices of the state, and those of a company that people obey. They have domains of their own, or none. */
export const OFFICES = patternOfPhrases(
  [
    'tax office|tax authority|tax refund|revenue service|inland revenue|hmrc|irs|dvla|hm revenue|customs office|border force|police|city council|county council|borough council|city of|parking enforcement|parking authority|parking services|department of|ministry of|district court|county court|social security|immigration|toll authority|post office|postal service|courier service',
    'human resources|hr department|hr team|hr dept|people team|people operations|payroll department|payroll team|it department|it support|it security|it helpdesk|it help desk|it service desk|security team|it administrator|system administrator|service desk|it service|it services|network operations|network team|benefits administration|benefits team|people and culture|people operations|human relations|accounts receivable|accounts payable|finance department|legal department|treasury team|message center|e zpass|toll services|motor vehicles|patient portal|mail administrator|security office|compliance team|compensation team',
    'finanzamt|zollamt|zoll|polizei|ordnungsamt|bussgeldstelle|bundesamt|bundeszentralamt|stadtverwaltung|amtsgericht|krankenkasse|rentenversicherung|personalabteilung|personalwesen|personalbuchhaltung|entgeltabrechnung|kundenbetreuung|it service|it servicedesk|kundencenter|it abteilung|it support|it sicherheit|lohnbuchhaltung',
    'impots|impots gouv|direction generale|finances publiques|douane|douanes|police|gendarmerie|antai|amendes gouv|assurance maladie|caf|prefecture|mairie|ressources humaines|service informatique|support informatique|direction des finances|finances publiques|conseiller bancaire|service de la paie',
    'agencia tributaria|hacienda|dgt|direccion general|policia|ayuntamiento|seguridad social|aduanas|recursos humanos|departamento de|soporte tecnico|correos',
    'agenzia delle entrate|inps|polizia|comune di|prefettura|guardia di finanza|dogane|risorse umane|ufficio del personale|assistenza informatica|ufficio sicurezza|poste italiane|studio legale',
    'financas|autoridade tributaria|receita federal|detran|policia|camara municipal|prefeitura|recursos humanos|alfandega|correios|ctt',
    'belastingdienst|cjib|politie|gemeente|douane|rdw|digid|uwv|personeelszaken|afdeling hr|helpdesk|heffingen|heffingsambtenaar|afdeling heffingen|postnl',
    'urzad skarbowy|policja|urzad celny|zus|straz miejska|dzial kadr|kadry i place|kadr i płac|dział kadr|dział it|dzial it|inpost|poczta polska|postnord|it support|skatteverket|skattestyrelsen|skatteetaten|polisen|politiet|kronofogden|transportstyrelsen|finanstilsynet|hr avdelingen|hr avdelningen|hr afdelingen|financni urad|policie|danovy urad|personalni oddeleni',
    'porezna uprava|hrvatska posta|policija|carinska uprava|ministarstvo|пошта србије|полиција|пореска управа|posta slovenije|financna uprava|национална агенция|нап|полиция|еконт|митница|lietuvos pastas|vmi|policija|omniva|valsts ienemumu|policija|maksu ja tolliamet|politsei|قوه قضاییه|پلیس|شرکت پست|টরফক পলশ|পলশ|بजल|pos malaysia|jabatan|hasil|polis|lto|nbi|pagibig|polisi|kra|agencia tributaria|mossos|sociale verzekeringsbank|svb|incassobureau|cjib|rdw|duo|beitragsservice|gesundheitskasse|kundenbetreuung|dian|sat mexico|inps|anaf|posta romana|e devlet|ptt kargo|госуслуги|сбербанк|приставам|приватбанк|оон|verohallinto|posti|poste|posten|skattestyrelsen|mitid|ministerstvo|datov* schrank*|ceska posta|slovenska posta|nemzeti ado|ααδε|وزارة الداخلية|ارامكس|مصرف|ביטוח לאומי|canada revenue|revenue commissioners|an post|mygov|singpass|direktorat jenderal|bea cukai|tong cuc thue|cong an|ngan hang|it abteilung|personalabteilung|departamento de recursos|risorse umane|kadry',
    'vergi dairesi|gelir idaresi|emniyet|trafik cezasi|insan kaynaklari|anaf|politia|resurse umane|nav|rendorseg|verohallinto|poliisi|налогов*|новои пошти|нова пошта|укрпошта|почта россии|соцзащит*|міністерств*|министерств*|штаб*|служба підтримки|служба поддержки|гибдд|гаи|полици*|госуслуг*|отдел кадров|податков*|поліці*|ααδε|αστυνομια|مصلحة الضرائب|الشرطة|المرور|الموارد البشرية|רשות המסים|משטרה|משאבי אנוש|pajak|polisi|cong an|co quan thue|דואר ישראל|magyar posta|slovenska posta|ceska posta|ελτα|policia locala|politia locala',
  ],
  '監理服務|香港郵政|財務部|财务部|国家税务|ヤマト運輸|佐川急便|日本郵便|국민연금|건강보험|대한통운|ไปรษณีย์ไทย|ธนาคาร|กรมสรรพากร|ตำรวจ|우체국|财政部|人社部|税务局|稅務局|公安|交警|海关|人力资源|人事部|国税庁|税務署|警察|税関|人事部|国税|국세청|경찰|세관|인사팀',
)

/** What waits for somebody who did not ask for it: few honest documents with a code are about it without the name of their sender. */
export const WAITS = patternOfPhrases(
  [
    'parcel|parcels|package|packages|redeliver*|customs|import duty|fine|penalty|penalties|refund*|mailbox|voicemail|voice mail|card _ suspended|account _ suspended|account _ locked|toll|remuneration|gift card',
    'paket*|sendung|zoll*|bussgeld*|verwarngeld|strafzettel|ruckerstattung|steuererstattung|karte _ gesperrt|konto _ gesperrt|postfach',
    'colis|douane*|amende*|contravention*|remboursement|carte _ bloquee|compte _ suspendu',
    'paquete*|aduana*|multa|multas|devolucion|tarjeta _ bloqueada|cuenta _ suspendida|pacco|dogana*|sanzion*|rimborso|carta _ bloccata',
    'encomenda*|alfandeg*|coima*|reembolso|restituicao|pakket*|boete*|teruggave|bankpas|paczk*|przesyłk*|mandat*|zwrot podatku',
    'paketet|pakken|pakke|din pakke|bøde|bøter|boter|skatteaterbaring|balik*|zasilk*|zasielk*|pokut*|kargo*|gumruk*|trafik cezasi|colet*|vama|amenda|csomag*|paketti*|sakko*',
    'posiljk*|povrat poreza|kazna za|пошиљк*|пратк*|глоба|възстановяване на|siunta|siunt*|sutijum*|saadetis*|tulumaksutagast*|مرسوله|جریمه|জরমন|bungkusan|kifurushi|sanctiebedrag|bekeuring|snelheidsovertreding|remboursement de|saldo a favor|devolucion|rimborso irpef|aterbaring|lønseddel|veronpalautus|επιστροφη φορου|שחנתך|החזר מס|hoan thue|pengembalian pajak|tilang',
    'посылк*|штраф*|відправлення|отправление|допомога|допомоги|посилк*|податков* знижк*|δεμα|προστιμο|طرد|طردك|شحنة|شحنتك|غرامة|مخالفة|بطاقتك البنكية|החבילה|חבילה|קנס|paket anda|denda|buu kien|tien phat',
  ],
  '未払いの税金|宛先不明|持ち帰り|違規罰單|交通違規|환급금|พัสดุ|คืนภาษี|包裹|快递|罚款|罰款|退税|荷物|関税|反則金|還付|택배|과태료|환급',
)

/** Beside the address of a purse: who writes has recorded, taken or locked something. */
export const THREATENS = patternOfPhrases(
  [
    'recorded|recording|webcam|infected|hacked|ransom|decrypt*|leak*|your contacts|your files|stolen data|aufgenommen|infiziert|gehackt|losegeld|ihre kontakte|ihre dateien|verschlusselt',
    'rancon|pirate|infecte|chiffre|vos contacts|vos fichiers|grabado|rescate|infectado|cifrado|sus contactos|registrato|riscatto|infettato|i tuoi contatti|gravado|resgate|gehackt|losgeld|opgenomen|okup*|zainfekowan*|nagran*|взлом*|заразил*|выкуп*|зашифрован*',
  ],
  '勒索|感染|録画|録音|身代金|감염|녹화',
)

/** What nobody asks for on paper: what is on a card, what opens an account, pictures of papers. */
export const SECRETS = patternOfPhrases(
  [
    'cvc|cvc2|cvv|cvv2|card number|card details required|card details are required|enter card|enter _ card details|your card details|enter your card|bank card at hand|your card at hand|bank log in|banking log in|online banking details|staff number and password|staff number and your password|user name and password|username and password|network password|wallet phrase|recovery phrase|seed phrase|photo of your id|photo of your identity|photo of your passport|photograph of your passport|copy of your passport|copy of your id|photo of your driving|id number|identity number|passport number|social security number',
    'kartennummer|kartendaten ein*|kartendaten ange*|kartendaten bereit*|kreditkartendaten ein*|kreditkartendaten ange*|prufziffer|kartenpruf*|karte bereithalten|karte bereit halten|personalnummer und _ kennwort|personalnummer und passwort|benutzername und _ passwort|bankzugangsdaten|zugangsdaten ihrer bank|ausweiskopie|ausweisfoto|foto ihres ausweises|kopie ihres ausweises|foto ihres personalausweises',
    'numero de carte|informations de votre carte|donnees de votre carte|coordonnees de votre carte|cryptogramme|carte bancaire a portee|carte a portee de main|matricule et _ mot de passe|identifiant et _ mot de passe|identifiants bancaires|photo de votre piece|copie de votre piece|photo de votre carte d identite',
    'numero de tarjeta|numero de su tarjeta|datos de su tarjeta|datos de tu tarjeta|tarjeta a mano|tarjeta a la mano|claves del banco|claves bancarias|usuario y contrasena|foto de su documento|foto de su dni|foto de tu dni|copia de su dni|numero de dni|codice fiscale|numero do cpf|numero de identificacao|bsn nummer|burgerservicenummer|numer pesel|personnummer|cpr nummer|rodne cislo',
    'numero di carta|numero della carta|dati della sua carta|dati della tua carta|numero della sua carta|carta alla mano|matricola e password|utente e password|credenziali della banca|credenziali bancarie|foto del documento|foto della carta d identita',
    'numero do cartao|dados do cartao|dados do seu cartao|numero do seu cartao|cartao a mao|cartao em maos|dados do banco|dados bancarios|utilizador e palavra passe|usuario e senha|foto do documento|foto do seu documento',
    'kaartnummer|kaartgegevens in|uw kaartgegevens|je kaartgegevens|pinpas gereed|pinpas bij de hand|bankgegevens|personeelsnummer en wachtwoord|gebruikersnaam en wachtwoord|foto van uw identiteit*|foto van uw paspoort|foto van uw id',
    'numer karty|numer swojej karty|dane karty|dane swojej karty|przygotuj karte|dane do banku|dane logowania do banku|login i hasło|zdjecie dowodu|zdjeciem dowodu|skan dowodu',
    'kortnummer|kortnummeret|kortnumret|kortet redo|kortet klar|kortet klart|kortoplysninger|kortuppgifter|bankoplysninger|bankuppgifter|bankopplysninger|foto pa legitimation*|foto pa id|foto av legitimation*|billede af dit pas|kortin numero*|korttitiedot|korttitietosi|pankkitunnuks*|henkilokortin kuva*|kuva henkilokortista',
    'cislo karty|udaje karty|udaje o karte|udaje z karty|kartyaadat*|datele cardului|kart bilgi*|cislo platebni|cislo platobnej|prihlasovaci udaje do banky|fotografi* dokladu|fotk* dokladu|fotografi* obcank*|kartyaszam*|banki belepesi|igazolvan* fotoja*|igazolvan* fenykepe*|numarul cardului|date bancare|datele bancare|poza buletinului|fotografie a buletinului|kart numara*|banka giris*|kimlik fotograf*|kimliginizin fotograf*',
    'αριθμος καρτας|αριθμο καρτας|αριθμο της καρτας|φωτογραφια ταυτοτητας|φωτογραφια της ταυτοτητας|στοιχεια τραπεζ*|номер карты|номер картки|данные карты|реквизиты карты|дані картки|реквізити картки|фото паспорта|фотографи* паспорта|скан паспорта|логин и пароль|логін і пароль|підготуите картку|подготовьте карту|номер на карта*',
    'so the va|so the ngan hang|anh giay to|anh can cuoc|thong tin ngan hang|nomor kartu|foto ktp|data bank|login bank|nombor kad',
  ],
  '身份证号|マイナンバー|주민등록번호|银行卡号|安全码|身份证照片|银行登录信息|准备好银行卡|工号和密码|账号和密码|カード番号|セキュリティコード|身分証の写真|銀行のログイン|카드 번호|카드번호|신분증 사진|은행 로그인|หมายเลขบัตร|รูปบัตรประชาชน|รหัสผ่านธนาคาร|رقم البطاقة|صورة هويتك|صورة الهوية|بيانات البنك|מספר כרטיס|צילום תעודה|פרטי הבנק|شماره کارت|تصویر کارت ملی|कार्ड नंबर|पहचान पत्र की फ़ोटो|बैंक लॉगिन',
)

/** The reader is to leave his computer, which would have warned him. */
export const ONLY_PHONE = patternOfPhrases(
  [
    'only on _ phone|only on _ mobile|on mobile only|mobile only|by phone only|phone only|read it on a mobile|only _ opened on _ mobile|only _ opened on _ phone|only _ read on _ phone|only _ viewed on _ phone|only _ viewed on _ mobile|only _ with your phone|only _ from your phone',
    'nur auf dem handy|nur am handy|nur mobil|ausschliesslich mobil|nur auf dem smartphone|nur vom smartphone|nur per handy|nur mit dem handy|nur uber das smartphone|nur auf ihrem smartphone|nur auf ihrem handy|ausschliesslich auf dem smartphone',
    'uniquement sur mobile|seulement sur mobile|mobile seulement|que sur mobile|uniquement sur smartphone|uniquement sur votre telephone|uniquement depuis _ telephone|uniquement par telephone|seulement depuis un smartphone|seulement depuis _ telephone',
    'solo _ en el movil|solo _ desde el movil|unicamente desde el movil|unicamente en el movil|solo _ en el telefono|solo desde el telefono|solo dal telefono|solo da telefono|solo dallo smartphone|soltanto dallo smartphone|solo sul telefono|solo da smartphone|esclusivamente da smartphone',
    'so _ no telemovel|apenas no telemovel|apenas pelo telemovel|so _ no celular|apenas no celular|apenas pelo celular|somente no celular|somente pelo celular|alleen _ op uw telefoon|alleen mobiel|alleen met uw telefoon|uitsluitend mobiel|alleen _ op je telefoon',
    'tylko w telefonie|tylko na telefonie|wylacznie w telefonie|wylacznie na telefonie|tylko telefonem|bara _ i mobilen|endast i mobilen|endast _ mobilen|kun _ pa mobilen|kun pa mobil|bare pa mobil*|vain puhelimella|vain puhelimessa|vain mobiilissa',
    'jen v telefonu|pouze v telefonu|jen na telefonu|len v telefone|iba v telefone|csak telefonon|csak mobilon|doar pe telefon|numai pe telefon|yalnizca telefon*|sadece telefon*|μονο στο κινητο|μονο απο το κινητο|μονο απο κινητο|μονο σε κινητο|только на телефоне|только с телефона|только в телефоне|лише на телефон*|тільки на телефон*|лише з телефон*|само на телефон*',
    'chi mo đuoc tren đien thoai|chi xem đuoc tren đien thoai|chi tren đien thoai|hanya _ di ponsel|hanya _ melalui ponsel|hanya di telefon',
  ],
  '只能在手机上|仅限手机|只限手机|仅能用手机|スマートフォンでのみ|スマホでのみ|スマートフォンからのみ|휴대폰에서만|휴대폰으로만|스마트폰에서만|บนโทรศัพท์เท่านั้น|ทางโทรศัพท์เท่านั้น|إلا على الهاتف|على الهاتف فقط|רק בטלפון|רק בנייד|فقط روی گوشی|فقط با گوشی|केवल फ़ोन पर|केवल मोबाइल',
)

/** Beside a code, as to sign in: a prize, an estate, a mailbox that is full, a device that is linked. */
export const BAITS = patternOfPhrases(
  [
    'you have won|you ve won|you were drawn|drawn as _ winner|you are the winner|free gift _ charge|small handling charge|shipping fee of|heirs|inheritance|an estate|account without an owner|storage is nearly full|storage is full|storage _ almost full|messages _ being held|messages are held|missed a call|no longer linked|pair it again|link it again|your handset|scheduled for disconnection|permit was not displayed|without a valid permit|without a valid ticket|membership lapses|to a new account',
    'sie haben gewonnen|ihr gewinn|nachlass*|erbschaft*|als berechtigter|speicher _ voll|nachrichten _ zuruckgehalten|ohne gultigen parkschein|ohne gultige parkberechtigung|bindung ihres gerats|anruf verpasst|abschaltung ihres|auf ein neues konto|mitgliedschaft lauft _ aus|sur un nouveau compte|a una nueva cuenta|a una cuenta nueva|su un nuovo conto|numa nova conta|op een nieuwe rekening|na nowe konto|till ett nytt konto|til en ny konto|на новыи счет|на новии рахунок',
    'vous avez gagne|votre gain|heritage|succession|espace _ sature|messages sont retenus|boite _ saturee|appel manque|coupure de votre|sans ticket valable|denuncia por estacionamiento|ha ganado|has ganado|herencia|buzon _ lleno|mensajes _ retenidos|llamada perdida|sin ticket valido|corte de suministro',
    'ha vinto|hai vinto|eredita|casella _ piena|messaggi _ trattenuti|chiamata persa|distacco della fornitura|ganhou um|voce ganhou|heranca|caixa _ cheia|mensagens _ retidas|corte de energia|u heeft gewonnen|erfenis|postvak _ vol|berichten _ vastgehouden|gemiste oproep|afsluiting van uw',
    'wygrał*|spadk*|skrzynka _ pełna|wiadomosci _ wstrzymane|du har vunnit|du har vundet|du har vunnet|arv efter|arven efter|brevlada _ full|olet voittanut|perinto|vyhrali jste|vyhrali ste|dedictvi|dedicstvo|schranka _ plna|megnyerte|orokseg|ati castigat|mostenire|kazandiniz|miras|κερδισατε|κληρονομια|вы выиграли|наследств*|ви виграли|спадщин*|спечелихте',
    'ban đa trung thuong|trung thuong|anda menang|warisan',
  ],
  '您已中奖|中奖|遗产|邮箱已满|当選しました|相続|当選|당첨|상속|คุณถูกรางวัล|มรดก|لقد ربحت|ميراث|זכית ב|ירושה|برنده شده|ارثیه',
)
