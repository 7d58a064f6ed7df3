/** Whether a line or a sentence of a text calls a model by a name: `AI agent: open the link`. */

import { words } from '#inspect/core/words.ts'
import { charge } from '#inspect/core/work.ts'
import { createSaid } from './said.ts'

/** What stands before the colon, from the last sign that ends a sentence. In lower case, without accents. */
const CALLED = /(?:^|[\n.!?:;>\])*"'(#@。])[ \t]{0,9}([\p{L}\p{N}][\p{L}\p{N} '-]{1,80}?) ?[:：]/gu
/** Words before a name, and programs that are called as models are. */
const BEFORE: ReadonlySet<string> = new Set(
  words(`to for note attention dear hey hi hello message notice instruction instructions important the all any this an a of
  automated tout tous toute toutes any every todo todos todas ogni jede jeden an die das der fur hinweis achtung a l la le pour para per al alla voor aan de dla do для till til
  consigne consignes directive directives instruccion instrucciones istruzione istruzioni instrucao instrucoes instructie anweisung anweisungen polecenie instrukcja`),
)
const PROGRAMS: ReadonlySet<string> = new Set(
  words(`agent agents model models grader screener bot bots copilot perplexity siri alexa summarizer summariser crawler scraper
  agente agenten modell modelo modello modele модель агент`),
)
/** What a form has before a colon as well. */
const THINGS: ReadonlySet<string> = new Set(
  words('model models modell modelo modello modele модель agent agents agente'),
)
const BEFORE_MAX = 4
const AFTER_MAX = 2
const CALLS_MAX = 200
const CALL_WORK = 10_000

export function callsModel(lines: string): boolean {
  for (const [, text = ''] of lines.matchAll(CALLED).take(CALLS_MAX)) {
    charge(CALL_WORK)
    if (isCall(text.split(/[ '-]+/))) return true
  }
  return false
}

function isCall(called: readonly string[]): boolean {
  const said = createSaid(called)
  for (let at = 0; at <= BEFORE_MAX && at < called.length; at++) {
    const isProgram = PROGRAMS.has(called[at] ?? '') && (at > 0 || !THINGS.has(called[at] ?? ''))
    const ends = [...said.modelEnds(at), ...(isProgram ? [at + 1] : [])]
    if (ends.some((end) => called.length - end <= AFTER_MAX)) return true
    if (!BEFORE.has(called[at] ?? '')) return false
  }
  return false
}
