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
  { password: 'sifre|salasana|losenord|adgangskode|passord|heslo|jelszo', before: 'ditt|din|vase' },
]

/** Languages without spaces. */
const TOGETHER: Language = {
  password: 'パスワード|暗証番号|密码|密碼|비밀번호',
  cardNumber: 'カード番号|卡号|卡號|카드번호',
  cardCode: 'セキュリティコード|セキュリティーコード|安全码|안전코드',
  phrase: 'リカバリーフレーズ|シードフレーズ|復元フレーズ|助记词|助記詞',
  words: '個の単語|语|単語',
}

const joined = (key: keyof Language): string => ROWS.flatMap((row) => row[key] ?? []).join('|')
const together = (key: keyof Language): string =>
  (TOGETHER[key] ?? '')
    .split('|')
    .map((word) => wordsOf(word).trim())
    .join('|')

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
