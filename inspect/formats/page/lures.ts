/** Pages that put a command on the clipboard for the reader to run (ClickFix). */

import { WEB } from '#inspect/catalogue/web.ts'
import type { Context, Item } from '#inspect/core/format.ts'
import { charge } from '#inspect/core/work.ts'
import { findCommand } from '#inspect/judge/commands.ts'
import { describeTarget } from '#inspect/judge/targets.ts'
import type { Behaviour } from './behaviour.ts'
import type { Markup } from './markup.ts'

/** Where a page asks the reader to paste it. */
const KEYS =
  /win(?:dows)?(?: ?(?:key|button|logo|taste))? ?(?:\+|and|plus|&|-) ?["'(]?r\b|\brun (?:dialog|box|window)|(?:ctrl|control|strg|cmd|command) ?\+ ?v\b|(?:open|launch|start|type|search for) (?:a |the |your )?(?:terminal|powershell|command prompt|file explorer)|(?:\u2318|\xe2\x8c\x98) ?\+ ?(?:v|space)\b|address bar/i
/** Why the reader should do so. */
const PRETEXT =
  /not a robot|you(?:'|&#39;|.)? ?a?re (?:a )?human|verif(?:y|ication)|captcha|fix (?:it|the|this)|(?:update|install|repair).{0,40}(?:browser|certificate|font|extension|error)|can ?not be displayed|can't be displayed/i

/** Only a page of an attacker checks by a command that its reader is human. */
const HUMAN = /(?:not a|no) robot|(?:are|you're|re) (?:a )?human|human verification|captcha|cloudflare/i
/** A comment after the command, all that a narrow window shows of it. */
const DISGUISED =
  /(?:\s{8,}|["')\s])(?:#|rem\b|::|&\s?rem\b)\s{0,200}.{0,40}(?:robot|captcha|verif|human|[a-z]:\\.{1,200}\.\w{3,4}\b)/i

/** Words of pages that warn of such attacks. */
const WARNING =
  /phishing|\bscams?\b|awareness|malware|attackers?\b|clickfix|(?:do not|don't|never) (?:run|paste|execute|press)|betr.{1,2}ger|warnung|nicht ausf|hame.{1,2}onnage|arnaque|estafa|truffa|oplichting/i

/** Characters of a command. */
const COMMAND_MIN = 8
const CHARACTER_WORK = 20

export function judgeLures(
  item: Item,
  markup: Markup,
  source: string,
  behaviour: Behaviour | null,
  context: Context,
): void {
  const copies = behaviour?.copies ?? false
  const built = behaviour?.texts ?? []
  const instructions = `${markup.text} ${built.join(' ')}`
  charge(instructions.length * CHARACTER_WORK)
  const names = KEYS.test(instructions)
  if (!copies && !(names && PRETEXT.test(instructions))) return
  const visible = findCommand(markup.text)
  const isLure = names && visible?.isRemote === true && PRETEXT.test(instructions)
  const candidates = copies ? [...built, ...valuesOf(markup)].filter((text) => !markup.text.includes(text)) : []
  const hidden = firstCommand(candidates, source)
  const isPretext = names && HUMAN.test(instructions) && !WARNING.test(markup.text)
  if (hidden !== null && isForced(hidden, names, isPretext))
    context.addFinding(item, { ...WEB.clickFix, detail: describeTarget(hidden.text) })
  else if (copies && isLure) context.addFinding(item, { ...WEB.clickFix, detail: null })
  else if (hidden?.command.isWindows || (isLure && !WARNING.test(markup.text)))
    context.addFinding(item, { ...WEB.commandCopy, detail: null })
}

/** A command that fetches code or poses as something else, and of which the reader knows nothing. */
function isForced({ command, text, isBuilt }: Candidate, names: boolean, isPretext: boolean): boolean {
  const isUnsafe = command.isRemote || command.isEncoded
  return (
    (isUnsafe && (names || command.isWindows || isBuilt)) || (command.isWindows && isPretext) || DISGUISED.test(text)
  )
}

interface Candidate {
  command: NonNullable<ReturnType<typeof findCommand>>
  text: string
  /** Decoded by the script, which does not even contain its beginning. */
  isBuilt: boolean
}

function firstCommand(texts: readonly string[], source: string): Candidate | null {
  for (const text of texts) {
    const command = text.length < COMMAND_MIN ? null : findCommand(text)
    if (command !== null) return { command, text, isBuilt: !source.includes(text.trim().slice(0, COMMAND_MIN)) }
  }
  return null
}

/** Texts of the page that a script may copy. */
function valuesOf({ tags }: Markup): string[] {
  return tags.flatMap(({ name, attributes, content }) => [
    ...(name === 'textarea' ? [content] : []),
    ...[...attributes].flatMap(([key, value]) => (key === 'value' || key.startsWith('data-') ? [value] : [])),
  ])
}
