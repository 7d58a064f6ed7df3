/** Forms that send a password to a server that nobody can check, or that of a mailbox or bank to any. */

import { PDF } from '#inspect/catalogue/pdf.ts'
import { charge } from '#inspect/core/work.ts'
import { CARD_CODE_FIELD, CARD_NUMBER_FIELD, PASSWORD_FIELD, PHRASE } from '#inspect/judge/field-words.ts'
import { wordsOf } from '#inspect/judge/lure-words.ts'
import { belongsToKnown, poses, waitsFor } from '#inspect/judge/posing.ts'
import { describeTarget, reachOf } from '#inspect/targets/targets.ts'
import type { TextField } from './actions.ts'
import type { Findings } from './findings.ts'
import { classify, isNamelessServer } from './targets.ts'

const PASSWORD =
  /pass[ _-]?(?:wor[dt]|wd|code|phrase)|kennwort|contrase(?:ñ|n)a|mot[ _-]?de[ _-]?passe|senha|wachtwoord|has[łl]o\b|парол|密码|パスワード|(?:atm|card|karten?|konto|online|banking)[ _-]?pin\b/i
/** The code on a card. */
const CARD_CODE = /(?:^|[\s_-])(?:cvv2?|cvc2?|csc|cryptogramme|pr(?:ü|u|ue)fnummer)(?:[\s_-]|$)/i
/** The account that the password opens: a mailbox or a bank account. */
const ACCOUNT =
  /mail|postfach|correo|outlook|office ?365|microsoft|onedrive|sharepoint|\bowa\b|bank|\biban\b|konto|\batm\b|card|\bpas(?:nr|nummer)\b/i
/** A form that only signs in asks for little else. */
const LOGIN_FIELDS_MAX = 3
const CHARACTER_WORK = 20
/** Lines in which a page says what it is. */
const TITLE_LINES = 3

/** A code that only the owner of an account or card knows. */
const PIN = /\b(?:pin|m?tan|[ps]in[ _-]?code?|code|geheimzahl|nip|clave|codigo|codice)\b/i

/** `form`: XML with fields of its own. `said`: what is written on the pages of a short document. */
export function judgePasswords(
  form: string,
  fieldsOf: () => readonly TextField[],
  said: () => string | null,
  findings: Findings,
): void {
  const posts = [...findings.posts].filter(isOutside)
  const unsafe = posts.filter(isUnsafe)
  const post = unsafe[0] ?? posts[0]
  if (post === undefined) return
  charge(form.length)
  const asked = askedFor(form, fieldsOf())
  if (!asked.asks) return
  const { isAccount, isCard, isPhrase, isSignIn } = asked
  const nameless = posts.find(isNamelessServer)
  const isPosing = isPhrase || posesAsKnown(said() ?? '', posts)
  const isTheft = nameless !== undefined || isAccount || isSignIn || isCard || isPosing
  // A portal may have its own sign-in. Only an attacker wants to know the password of another account.
  if (isAccount || isCard || isPosing || (unsafe.length > 0 && asked.password))
    findings.add(isTheft ? PDF.phishing : PDF.passwordForm, describeTarget(nameless ?? post))
}

const posesAsKnown = (text: string, posts: readonly string[]): boolean =>
  poses({ titles: text.split('\n', TITLE_LINES), text }, posts) || (!posts.some(belongsToKnown) && waitsFor(text))

function askedFor(form: string, fields: readonly TextField[]) {
  const labels = fields.map(({ label }) => label)
  charge(labels.join().length * CHARACTER_WORK)
  const isCalled = (pattern: RegExp): boolean => labels.some((label) => pattern.test(wordsOf(label)))
  const secrets = fields.filter(({ isSecret, label }) => isSecret || isPassword(label))
  const password = secrets.length > 0 || /<(?:\w{1,40}:)?passwordEdit\b/.test(form)
  const isPhrase = isCalled(PHRASE)
  const isPin = secrets.some(({ label }) => PIN.test(label.replaceAll('_', ' ')))
  const ofAccount = (isPin ? fields : secrets).some(({ label }) => ACCOUNT.test(label))
  return {
    asks: password || isPhrase || (isCalled(CARD_NUMBER_FIELD) && isCalled(CARD_CODE_FIELD)),
    password,
    isPhrase,
    isAccount: ofAccount,
    isSignIn: fields.length <= LOGIN_FIELDS_MAX && fields.some(({ label }) => ACCOUNT.test(label)),
    // No shop asks for the code of a card together with a password.
    isCard: secrets.length > 0 && labels.some((label) => CARD_CODE.test(label)),
  }
}

function isPassword(label: string): boolean {
  return PASSWORD.test(label) || PASSWORD_FIELD.test(wordsOf(label.replaceAll('_', ' ')))
}

function isOutside(target: string): boolean {
  const { host, isRemote } = classify(target)
  return isRemote && (isNamelessServer(target) || reachOf(host) === 'internet')
}

/** Without encryption or a name. */
function isUnsafe(target: string): boolean {
  return isNamelessServer(target) || classify(target).scheme === 'http'
}
