/** Requests of fraudsters in short texts: to call about a payment that nobody made, to make a secret group, or to open a download on Windows. */

import type { Definition } from '#inspect/catalogue/definition.ts'
import { LINKS } from '#inspect/catalogue/links.ts'
import { charge } from '#inspect/core/work.ts'
import { CONTROLS, GROUPS, KEEPS, MONEY, ONLY_WINDOWS, PAPERS, PROGRAMS, SHARES, UNMADE } from './fraud-words.ts'
import { callOf } from './invitations.ts'
import { wordsOf } from './lure-words.ts'
import { warns } from './pasting.ts'
import { shownText } from './pictures/pretexts.ts'

/** Longer texts are manuals and reports. */
const TEXT_MAX = 4_000
const CHARACTER_WORK = 60
/** Little more than what to click. */
const BUTTON_MAX = 400
const HOURS =
  / (?:12|24|36|48|72) (?:hours?|hrs|stunden|heures?|horas?|ore|uur|godzin\p{L}{0,2}|timmar|timer|saat\p{L}{0,4}) (?!a day|7 |per day|am tag|par jour|al dia|por dia|al giorno|per dag)/u
/** Letters in the place of digits, which keep the number from being found. */
const DISGUISED = /(?<=[\d(.-] ?)[Oo](?=[\d). -])/g

interface Fraud {
  definition: Definition
  detail: string | null
}

/** `hasLink`: something of the document is clicked. */
export function judgeFraud(text: string, hasLink: boolean): Fraud | null {
  if (text.length > TEXT_MAX) return null
  charge(text.length * CHARACTER_WORK)
  const words = wordsOf(text)
  const found = judgeCall(text, words) ?? judgeRequest(text, words, hasLink)
  return found === null || warns(text) ? null : found
}

function judgeCall(text: string, words: string): Fraud | null {
  const plain = text.replace(DISGUISED, '0')
  const number = UNMADE.test(words) ? callOf(plain, shownText(plain, true), words) : null
  if (number === null) return null
  const [controls, isSoon] = [CONTROLS.test(words), HOURS.test(words)]
  if (controls && isSoon) return { definition: LINKS.callback, detail: number }
  // Programs that read scanned pages take a zero for a letter as well.
  const isDisguised = isSoon && !text.includes(number)
  return controls || isDisguised ? { definition: LINKS.fraudRequest, detail: number } : null
}

function judgeRequest(text: string, words: string, hasLink: boolean): Fraud | null {
  const isGroup = [GROUPS, SHARES, KEEPS, MONEY].every((each) => each.test(words))
  const isDownload =
    hasLink && text.length <= BUTTON_MAX && ONLY_WINDOWS.test(words) && PAPERS.test(words) && !PROGRAMS.test(words)
  return isGroup || isDownload ? { definition: LINKS.fraudRequest, detail: null } : null
}
