/** Commands as those quote them who warn of an attack: with an address that nothing can open. */

import { pattern } from '#inspect/core/pattern.ts'
import { charge } from '#inspect/core/work.ts'
import { FETCHING, FETCHING_METHODS } from '#inspect/windows/powershell.ts'
import { ADDRESS_READERS, INSTALLERS, SHELLS, UNIX_SHELLS } from '#inspect/windows/programs.ts'

/** Without another address: a part of a name, a long number or a folder. */
const BEFORE = String.raw`(?:[^.;|&#+%^\x60\\/\d\r\n$]|\.(?:exe|webclient)\b|\.(?=${FETCHING_METHODS.join('|')})|/[a-z]\b|\d{1,4}(?!\d)|\$\()`
/** `hxxps://a.example`, `https://a[.]example`. */
const ADDRESS = String.raw`(?:hxxps?(?::|\[:\])//[\w.[\]-]{1,200}|https?(?::|\[:\])//[\w.-]{1,100}\[\.\][\w.[\]-]{1,200})[\w./[\]?=\u2026-]{0,200}`
/** The rest of the line is left to be judged. With another command in it, the quoted one counts as well. */
const QUOTED = pattern`(?<![\w-])(?:(?:${SHELLS}|${UNIX_SHELLS})\b${BEFORE}{0,200}?\b)?(?:${FETCHING}|${FETCHING_METHODS}|${ADDRESS_READERS}|${INSTALLERS})(?:\.exe)?(?:\s{1,4}[-/]\w{1,20}){0,6}[\s("']{1,6}${ADDRESS}(?=["')\s]|$)["')\s]{0,9}(?:\|\s{0,4}(?:iex|invoke-expression|${UNIX_SHELLS})\b)?(?=[^;&|\r\n]{0,300}(?:[\r\n]|$))`
const ALL_QUOTED = new RegExp(QUOTED, 'gi')
const DEFANGED = /hxxps?(?::|\[:\])\/\/|\[\.\]/i
/** A script or command that may make an address of it. */
const REWRITES = /(?:\.|-[ic]?)replace|\.split\b|\bsed\s|\btr\s{1,4}["']|<script|\$\{/i
const CHARACTER_WORK = 5
const QUOTED_WORK = 200

/** The text without such commands, if it belongs to a whole that changes none. */
export function withoutQuoted(text: string, whole: string): string {
  if (!DEFANGED.test(text)) return text
  charge(whole.length * CHARACTER_WORK + text.length * QUOTED_WORK)
  return REWRITES.test(whole) ? text : text.replace(ALL_QUOTED, ' ')
}
