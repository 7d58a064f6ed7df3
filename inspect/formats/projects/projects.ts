/** Files of projects for developers whose commands run when a folder is opened or a package is installed. */

import { SCRIPTS } from '#inspect/catalogue/scripts.ts'
import { findCommand } from '#inspect/commands/find.ts'
import { literalsIn } from '#inspect/commands/literals.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
import { anyCase } from '#inspect/core/pattern.ts'
import { charge } from '#inspect/core/work.ts'
import { HEAD_BYTES } from '#inspect/detect/sniff.ts'
import { decodeText, encodingOf } from '#inspect/detect/text.ts'
import { runsForeignCode } from '#inspect/judge/command/foreign.ts'
import { doesHarm } from '#inspect/judge/scripts/harm.ts'
import { shellScriptEffects } from '#inspect/judge/scripts/shells.ts'
import { describeTarget } from '#inspect/targets/targets.ts'
import { PROXIES, UNIX_SHELLS } from '#inspect/windows/programs.ts'
import { stepsIn } from './steps.ts'
import { PROJECT_FILES, type ProjectFile } from './table.ts'
import { codedTexts, joinedTexts, withHosts, withValues } from './values.ts'

const CHARACTER_WORK = 30
const NAMES = new RegExp(PROJECT_FILES.map(({ name }) => `(?:${name.source})`).join('|'), 'i')

const nameOf = ({ path, name }: Item): string => (path.at(-1) ?? name ?? '').replaceAll('\\', '/').toLowerCase()

export const projectFiles: Format = {
  among: { members: true, names: NAMES },
  applies: (item) => item.sniffed.kind === 'text' && NAMES.test(nameOf(item)),
  analyse(item, context) {
    const { bytes } = item
    charge(bytes.length * CHARACTER_WORK)
    const text = decodeText(bytes, encodingOf(bytes.subarray(0, HEAD_BYTES)) ?? 'utf-8')
    const name = nameOf(item)
    for (const file of PROJECT_FILES.filter((each) => each.name.test(name)))
      if (file.needs?.test(text) ?? true) judgeFile(item, file, text, context)
  },
}

function judgeFile(item: Item, { on, commands, settings, values }: ProjectFile, text: string, context: Context): void {
  const [setting] = settings?.exec(text) ?? []
  if (setting !== undefined) report(item, setting.trim(), context)
  if (commands === 'steps') {
    for (const step of stepsIn(text)) if (shellScriptEffects('shell', step).doesHarm) report(item, step, context)
    return
  }
  const resolved = values === undefined ? text : withValues(text, values)
  for (const command of commandsIn(resolved, commands)) judgeCommand(item, command, on, context)
  if (commands !== 'literals') return
  for (const joined of joinedTexts(text)) judgeCommand(item, joined, on, context)
  // Nobody hides the address of a server that is meant to be read.
  for (const hidden of codedTexts(text)) judgeCommand(item, hidden, 'opening', context)
}

function* commandsIn(text: string, commands: Exclude<ProjectFile['commands'], 'steps'>): Generator<string> {
  if (commands === 'literals') for (const literal of literalsIn(text)) yield withHosts(literal)
  else if (commands !== undefined)
    for (const [whole, group] of text.matchAll(commands)) yield plain((group ?? whole).trim())
}

/** Without one of these, a command neither fetches nor decodes anything. */
const FETCHES = anyCase`://|/dev/(?:tcp|udp)/|\\x[\da-f]{2}|\\\\|base64|-e(?:c|nc\w*)? |\d\.\d{1,3}\.\d|\bi(?:ex|wr|rm)\b|\b(?:ncat|nc|socat|telnet) |${PROXIES}|process\.env`

/** A shell gets what another program writes. */
const PIPED = anyCase`\|\s{0,9}${UNIX_SHELLS}\b`

function judgeCommand(item: Item, command: string, on: ProjectFile['on'], context: Context): void {
  if (!FETCHES.test(command)) return
  const found = findCommand(command)
  if (found !== null || PIPED.test(command)) inspectCommand(item, command, found?.isWindows === true, context)
  if (doesHarm(command) || runsForeignCode(command, on)) report(item, command, context)
}

const DETAIL_MAX = 500
const WINDOWS_PROJECT = /proj$/

function report(item: Item, command: string, context: Context): void {
  context.addFinding(item, { ...SCRIPTS.project, detail: describeTarget(command.slice(0, DETAIL_MAX)) })
}

/** What a shell does with it. Projects of Visual Studio are for that of Windows. */
function inspectCommand(item: Item, command: string, isWindows: boolean, context: Context): void {
  if (!context.countEntry(item) || !context.chargeBytes(item, command.length, 'stream')) return
  context.inspectMember(
    item,
    isWindows || WINDOWS_PROJECT.test(nameOf(item)) ? '(command).bat' : '(command).sh',
    Buffer.from(command),
  )
}

/** Without the syntax around the words of a command. */
function plain(text: string): string {
  return text
    .replace(/\\(["\\/])/g, '$1')
    .replace(/"\s{0,20},\s{0,20}"args"\s{0,20}:\s{0,20}\[\s{0,20}"?/g, ' ')
    .replace(/"\s{0,20},\s{0,20}"|"\s{0,20}:\s{0,20}\[?\s{0,20}"?/g, ' ')
    .replace(/<\/?argument>\s{0,20}/g, ' ')
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&')
}
