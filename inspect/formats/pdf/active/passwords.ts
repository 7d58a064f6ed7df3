/** Forms that send a password to a server that nobody can check, or that of a mailbox or bank to any. */

import { PDF } from '#inspect/catalogue/pdf.ts'
import { charge } from '#inspect/core/work.ts'
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
  /mail|postfach|correo|outlook|office ?365|microsoft|onedrive|sharepoint|\bowa\b|bank|\biban\b|konto|\batm\b|card/i
/** A form that only signs in asks for little else. */
const LOGIN_FIELDS_MAX = 3
const CHARACTER_WORK = 20

/** `form`: XML with fields of its own. */
export function judgePasswords(form: string, fieldsOf: () => readonly TextField[], findings: Findings): void {
  const posts = [...findings.posts].filter(isOutside)
  const unsafe = posts.filter(isUnsafe)
  const post = unsafe[0] ?? posts[0]
  if (post === undefined) return
  charge(form.length)
  const fields = fieldsOf()
  const labels = fields.map(({ label }) => label)
  charge(labels.join().length * CHARACTER_WORK)
  const secrets = fields.filter(({ isSecret, label }) => isSecret || PASSWORD.test(label))
  if (secrets.length === 0 && !/<(?:\w{1,40}:)?passwordEdit\b/.test(form)) return
  const isAccount = secrets.some(({ label }) => ACCOUNT.test(label))
  const isLogin = isAccount || isSignIn(fields)
  // No shop asks for the code of a card together with a password.
  const isCard = labels.some((label) => CARD_CODE.test(label))
  const nameless = posts.find(isNamelessServer)
  const definition = nameless !== undefined || isLogin || isCard ? PDF.phishing : PDF.passwordForm
  // A portal may have its own sign-in. Only an attacker wants to know the password of another account.
  if (isAccount || isCard || unsafe.length > 0) findings.add(definition, describeTarget(nameless ?? post))
}

function isSignIn(fields: readonly TextField[]): boolean {
  return fields.length <= LOGIN_FIELDS_MAX && fields.some(({ label }) => ACCOUNT.test(label))
}

function isOutside(target: string): boolean {
  const { host, isRemote } = classify(target)
  return isRemote && (isNamelessServer(target) || reachOf(host) === 'internet')
}

/** Without encryption or a name. */
function isUnsafe(target: string): boolean {
  return isNamelessServer(target) || classify(target).scheme === 'http'
}
