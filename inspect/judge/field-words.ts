/** What fields for passwords, cards and wallets are called, in the languages of most readers. */

import { wordsOf } from './lure-words.ts'

interface Language {
  password: string
  /** Before the word for a password. */
  before?: string
  /** The number of a card. */
  cardNumber?: string
  /** The code on its back. */
  cardCode?: string
  /** What a wallet is restored from. */
  phrase?: string
  /** The words of such a phrase, counted. */
  words?: string
}

/** Lower case, without accents. */
const ROWS: readonly Language[] = [
  {
    password: 'password|passwd|passcode',
    before: 'enter|confirm|your|the|e|e?mail|mailbox|account|current|login|office|outlook|windows',
    cardNumber:
      '(?:credit |debit )?card ?(?:number|num|no|nr)|(?:credit|debit)card ?(?:number|num|no|nr)|cc ?(?:number|num|no)',
    cardCode: 'cvv2?|cvc2?|csc|cc csc|card ?(?:code|cvv|cvc|pin)|security code',
    phrase:
      '(?:seed|recovery|secret|backup|wallet) (?:recovery )?(?:phrase|words|seed)|seedphrase|mnemonic|(?:12|24) word backup|private ?key|key ?store ?json',
    words: 'words?',
  },
  {
    password: 'passwort|kennwort',
    before: 'ihr|das|mein|konto|bitte|aktuelles',
    cardNumber: 'kartennummer|kreditkarte|kreditkartennummer',
    cardCode: 'prufnummer|prufziffer|kartenprufnummer|sicherheitscode',
    phrase: 'wiederherstellungs ?(?:phrase|worter|worte)|geheime phrase',
    words: 'worter|wortern|worte',
  },
  {
    password: 'mot de passe|code d acces',
    before: 'votre|entrez|saisissez',
    cardNumber: 'num(?:ero)? de (?:la )?carte(?: bancaire)?',
    cardCode: 'cryptogramme(?: visuel)?|code de securite',
    phrase: 'phrase (?:secrete )?de recuperation|phrase (?:secrete|mnemonique)',
    words: 'mots',
  },
  {
    password: 'contrasena|clave (?:de acceso|de firma|personal|secreta|bancaria|dinamica)',
    before: 'su|tu|la|ingrese|introduzca|escriba',
    cardNumber: 'numero de (?:la )?tarjeta',
    cardCode: 'codigo de seguridad',
    phrase: 'frase (?:secreta )?de recuperacion|frase (?:semilla|secreta)',
    words: 'palabras',
  },
  {
    password: 'parola d ordine|parola',
    before: 'inserisci|inserire|la|tua|sua',
    cardNumber: 'numero (?:della |di )?carta',
    cardCode: 'codice di sicurezza',
    phrase: 'frase (?:segreta )?di recupero|frase (?:segreta|seme)',
    words: 'parole',
  },
  {
    password: 'wachtwoord',
    before: 'uw|het|voer',
    cardNumber: 'kaartnummer|kaart nummer',
    cardCode: 'beveiligingscode',
    phrase: '(?:geheime )?herstelzin|herstelwoorden',
    words: 'woorden',
  },
  {
    password: 'senha|palavra passe',
    before: 'sua|a|digite|informe|insira',
    cardNumber: 'numero do cartao',
    cardCode: 'codigo de seguranca',
    phrase: 'frase (?:secreta )?de recuperacao|frase (?:semente|secreta)',
    words: 'palavras',
  },
  {
    password: 'hasło',
    before: 'podaj|wpisz|twoje|obecne',
    cardNumber: 'numer karty',
    cardCode: 'kod (?:cvv|cvc|bezpieczenstwa)',
    phrase: 'fraz[aey] (?:odzyskiwania|seed)',
    words: 'słow|słowa',
  },
  {
    password: 'пароль',
    before: 'ваш|введите|введіть',
    cardNumber: 'номер карт[ыи]',
    cardCode: 'код безопасности|код безпеки',
    phrase: 'секретн(?:ая|ую|ои) фраз[ауы]|сид фраз[ауы]',
    words: 'слов|слова',
  },
  {
    password: 'sifre|parolaniz',
    before: 'kart|internet',
    cardNumber: 'kart numara\\p{L}{0,4}|kart no',
    cardCode: 'guvenlik kodu',
    phrase: '(?:kurtarma|gizli|tohum) (?:ifade|kelime|cumle)\\p{L}{0,8}',
    words: 'kelime\\p{L}{0,4}',
  },
  {
    password: 'losenord|adgangskode|passord',
    before: 'ditt|din|dit',
    cardNumber: 'kortnummer|kort nr|kortnr|kontokort',
    cardCode: 'sakerhetskod|sikkerhedskode|sikkerhetskode|kontrolkode',
    phrase: 'aterstallningsfras|gendannelsesfrase|gjenopprettingsfrase|gjenopprettingsfrasen',
    words: 'ord',
  },
  {
    password: 'salasana|tunnusluku',
    before: 'anna|syota',
    cardNumber: 'kortin numero|korttinumero',
    cardCode: 'turvakoodi|tarkistusnumero',
    phrase: 'palautuslause\\p{L}{0,3}',
    words: 'sanaa|sanan',
  },
  {
    password: 'heslo|hesla',
    before: 'vase|zadejte|zadajte',
    cardNumber: 'cislo (?:platebni |platobnej )?kart[ya]',
    cardCode: 'bezpecnostni kod|bezpecnostny kod',
    phrase: '(?:obnovovaci|zalozni|seed) fraz[eiu]',
    words: 'slov',
  },
  {
    password: 'jelszo|jelszava',
    before: 'adja meg',
    cardNumber: 'kartya ?szam(?:a)?',
    cardCode: '(?:cvc|cvv|biztonsagi) kod',
    phrase: 'helyreallitasi kifejezes\\p{L}{0,3}',
    words: 'szo|szavas',
  },
  {
    password: 'parola',
    before: 'introduceti',
    cardNumber: 'numar(?:ul)? (?:de )?card(?:ului)?',
    cardCode: 'cod de securitate',
    phrase: 'fraza de recuperare',
    words: 'cuvinte',
  },
  {
    password: 'κωδικος προσβασης',
    cardNumber: 'αριθμος (?:της )?καρτας',
    cardCode: 'κωδικος ασφαλειας',
    phrase: 'φραση ανακτησης',
    words: 'λεξεις',
  },
  {
    password: 'كلمة المرور|كلمة السر|סיסמה|סיסמא',
    cardNumber: 'رقم البطاقة|מספר כרטיס(?: האשראי)?|מספר הכרטיס',
    cardCode: 'رمز الامان|رمز التحقق|קוד אבטחה',
    phrase: 'عبارة الاسترداد|משפט שחזור',
    words: 'كلمة|מילים',
  },
  {
    password: 'mat khau|kata sandi|geslo|lozinka',
    cardNumber: 'so the|nomor kartu|broj kartice|stevilka kartice',
    cardCode: 'ma bao mat|kode keamanan|sigurnosni kod|varnostna koda',
    phrase: 'cum tu khoi phuc|frasa pemulihan',
    words: 'tu|kata',
  },
  {
    password: 'парола|лозинка',
    cardNumber: 'номер на карта(?:та)?|број картице|номер картк[иі]',
    cardCode: 'код за сигурност|сигурносни код|код безпеки картки',
    phrase: 'фраза за възстановяване|секретна фраза',
    words: 'думи|слів',
  },
]

/** Languages without spaces. */
const TOGETHER: Language = {
  password: 'パスワード|暗証番号|密码|密碼|비밀번호|รหัสผ่าน',
  cardNumber: 'カード番号|卡号|卡號|카드번호|카드 번호|หมายเลขบัตร|เลขบัตร',
  cardCode: 'セキュリティコード|セキュリティーコード|安全码|안전코드|보안코드',
  phrase: 'リカバリーフレーズ|シードフレーズ|復元フレーズ|助记词|助記詞',
  words: '個の単語|语|単語',
}

const joined = (key: keyof Language): string => ROWS.flatMap((row) => row[key] ?? []).join('|')
const together = (key: keyof Language): string =>
  (TOGETHER[key] ?? '')
    .split('|')
    .map((word) => wordsOf(word).trim())
    .join('|')

/** The code of a card or bank, which is also that of a district elsewhere, and the account that it opens. */
export const PIN_FIELD =
  /^ (?:(?:uw|huidige|your|ihre?|deine|votre|su|tu|din|twoj|atm|card|karten|bank|enter|entrez|saisissez|ingrese|introduzca|inserisci|digite|code|codigo|codice|numero) ){0,2}(?:pin ?code|pin ?kod\p{L}{0,2}|pinkode|geheimzahl|code secret|codigo secreto|codice segreto|pin|nip)(?: |$)/u
export const BANK_FIELD =
  / (?:iban|rekeningnummer|pasnummer|pasnr|kontonummer|rib|clabe|card number|kartennummer|kaartnummer|kortnummer|numero de carte|numero de tarjeta|numero carta|numero do cartao|numer karty|debit card|bank account|account number|online banking id) /u
/** The account of a mailbox. */
export const MAILBOX_FIELD = / (?:e ?mail\p{L}{0,8}|mail|correo\p{L}{0,12}|courriel|posta|e posta|адрес|почта) /u
/** Proofs of identity of whole countries, and who is asked for by them. */
export const IDENTITY =
  / (?:bankid|mitid|nemid|digid|itsme|smart id|id porten|idin|franceconnect|freja eid|spid|cl@ve|mobiilivarmenne|eparaksts|e devlet) /u
export const PERSON_FIELD =
  / (?:personnummer|personnr|persnr|aaaammdd \p{L}{4}|ssammdd \p{L}{4}|cpr(?: nummer| nr)?|fodselsnummer|f dselsnummer|fødselsnummer|bruger id|brugernavn|brukernavn|anvandarnamn|bsn|burgerservicenummer|codice fiscale|numero fiscal|henkilotunnus|isikukood|kennitala|tc kimlik(?: no)?|t c kimlik no) /u

const DETAILS = String.raw`(?:[\p{L}\p{N}]{1,12} ){0,3}$`

/** Words are the beginning of a name: "password_field". */
const PASSWORD_START = `(?:${joined('password')}|${together('password')})`
/** Nothing else but some details: "CVV (3 digits)". */
const only = (key: keyof Language): RegExp =>
  new RegExp(`^ (?:(?:${joined(key)}) ${DETAILS}|(?:${together(key)}).{0,20}$)`, 'u')

/** All are for the result of `wordsOf`. */
export const PASSWORD_FIELD = new RegExp(`^ (?:(?:${joined('before')}) ){0,4}${PASSWORD_START}`, 'u')
export const CARD_NUMBER_FIELD = only('cardNumber')
export const CARD_CODE_FIELD = only('cardCode')
/** Fields of other forms. */
export const OTHER_FIELD =
  / (?:e?mails?|search|q|query|name|vorname|nachname|user|username|phone|tel|comments?|kommentar|subject|message|amount|city|country|website|company) /u
export const PHRASE = new RegExp(` (?:${joined('phrase')}) |${together('phrase')}`, 'u')
export const COUNTED_WORDS = new RegExp(
  ` (?:12|15|18|21|24)(?: (?:\\p{L}{1,12} |\\d\\d ){0,2}(?:${joined('words')}) | ?(?:${together('words')}))`,
  'u',
)
/** What is restored from a phrase. */
export const WALLET =
  / (?:wallets?|metamask|ledger|trezor|phantom|exodus|coinbase|airdrop|dapps?|crypto|кошел\p{L}{1,4}) /u
/** Advice not to do it. */
export const NEVER = / (?:never|niemals|jamais|nunca|nooit|nigdy|никогда) /u
