/** Files of projects for developers whose commands run when a folder is opened or a package is installed. */

import { SCRIPTS } from '#inspect/catalogue/scripts.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
import { anyCase } from '#inspect/core/pattern.ts'
import { charge } from '#inspect/core/work.ts'
import { HEAD_BYTES } from '#inspect/detect/sniff.ts'
import { decodeText, encodingOf } from '#inspect/detect/text.ts'
import { findCommand } from '#inspect/judge/command/find.ts'
import { describeTarget } from '#inspect/judge/targets.ts'
import { UNIX_SHELLS } from '#inspect/windows/programs.ts'

interface ProjectFile {
  name: RegExp
  /** Without it, nothing in the file runs by itself. */
  needs?: RegExp
  /** Matches that contain a command in their first group. */
  commands: RegExp
  /** Opening is enough. Packages fetch parts of themselves when they are installed. */
  on: 'opening' | 'installation'
}

/** The value of a key of JSON: a text, or a list of texts. */
const json = (keys: string): RegExp =>
  new RegExp(String.raw`"(?:${keys})"\s{0,20}:\s{0,20}(\[[^\]]{0,4000}\]|"(?:[^"\\]|\\.){0,4000}")`, 'gi')

/** A command with its arguments. */
const TASK =
  /"command"\s{0,20}:\s{0,20}("(?:[^"\\]|\\.){0,4000}"(?:\s{0,20},\s{0,20}"args"\s{0,20}:\s{0,20}\[[^\]]{0,4000}\])?)/gi

/** Keys of one server belong together. */
const GROUP = /\{[^{}]{0,8000}\}/g

const FILES: readonly ProjectFile[] = [
  { name: /(?:^|\/)\.vscode\/tasks\.json$/, needs: /"folderOpen"/, commands: TASK, on: 'opening' },
  { name: /(?:^|\/)(?:\.cursor\/|\.vscode\/|\.)mcp\.json$/, commands: GROUP, on: 'opening' },
  { name: /(?:^|\/)\.claude\/settings(?:\.local)?\.json$/, needs: /"hooks"/, commands: json('command'), on: 'opening' },
  {
    name: /(?:^|\/)\.?devcontainer(?:\/(?:[^/]+\/)?devcontainer)?\.json$/,
    commands: json('initializeCommand'),
    on: 'opening',
  },
  {
    name: /(?:^|\/)\.git\/config$/,
    commands:
      /^\s{0,20}(?:fsmonitor|sshCommand|pager|editor|askPass|textconv|clean|smudge|process)\s{0,20}=([^\r\n]{0,4000})/gim,
    on: 'opening',
  },
  {
    name: /(?:^|\/)\.idea\/[^/]+\.xml$/,
    needs: /StartupTasks|runOnStartup/i,
    commands: />([^<>]{8,4000})</g,
    on: 'opening',
  },
  {
    name: /\.(?:vc|cs|vb|fs)(?:x)?proj$/,
    commands: /<(?:Pre|Post)(?:Build|Link)Event>\s{0,200}(?:<Command>)?([^<]{8,4000})/gi,
    on: 'opening',
  },
  {
    name: /(?:^|\/)package\.json$/,
    commands: json('(?:pre|post)?install|(?:pre|post)?prepare|prepublish'),
    on: 'installation',
  },
  {
    name: /(?:^|\/)composer\.json$/,
    commands: json('(?:pre|post)-(?:install|update)-cmd|post-autoload-dump'),
    on: 'installation',
  },
  // What a value is set to runs before anything is built.
  {
    name: /(?:^|\/)(?:gnu)?makefile(?:\.\w{1,9})?$|\.mk$/,
    commands: /\$\(shell\s([^\r\n]{8,4000})/g,
    on: 'installation',
  },
  {
    name: /(?:^|\/)cmakelists\.txt$|\.cmake$/,
    commands: /execute_process\s{0,4}\(([^)]{8,4000})/gi,
    on: 'installation',
  },
  { name: /(?:^|\/)meson\.build$/, commands: /run_command\s{0,4}\(([^)]{8,4000})/g, on: 'installation' },
  { name: /(?:^|\/)binding\.gyp$/, commands: /<!@?\(([^"]{8,4000})/g, on: 'installation' },
]

const CHARACTER_WORK = 30
const NAMES = new RegExp(FILES.map(({ name }) => `(?:${name.source})`).join('|'), 'i')

const nameOf = ({ path, name }: Item): string => (path.at(-1) ?? name ?? '').replaceAll('\\', '/').toLowerCase()

export const projectFiles: Format = {
  among: { members: true, names: NAMES },
  applies: (item) => item.sniffed.kind === 'text' && NAMES.test(nameOf(item)),
  analyse(item, context) {
    const { bytes } = item
    charge(bytes.length * CHARACTER_WORK)
    const text = decodeText(bytes, encodingOf(bytes.subarray(0, HEAD_BYTES)) ?? 'utf-8')
    const name = nameOf(item)
    for (const { on, needs, commands } of FILES.filter((file) => file.name.test(name)))
      if (needs?.test(text) ?? true)
        for (const [whole, group] of text.matchAll(commands)) judgeCommand(item, plain(group ?? whole), on, context)
  },
}

const DETAIL_MAX = 500
const WINDOWS_PROJECT = /proj$/

function judgeCommand(item: Item, command: string, on: ProjectFile['on'], context: Context): void {
  if (findCommand(command) === null) return
  inspectCommand(item, command, context)
  if (runsForeignCode(command, on))
    context.addFinding(item, { ...SCRIPTS.project, detail: describeTarget(command.slice(0, DETAIL_MAX)) })
}

/** What a shell does with it. Projects of Visual Studio are for that of Windows. */
function inspectCommand(item: Item, command: string, context: Context): void {
  if (!context.countEntry(item) || !context.chargeBytes(item, command.length, 'stream')) return
  context.inspectMember(
    item,
    WINDOWS_PROJECT.test(nameOf(item)) ? '(command).bat' : '(command).sh',
    Buffer.from(command),
  )
}

/** Without the syntax around the words of a command. */
function plain(text: string): string {
  return text
    .replace(/\\(["\\/])/g, '$1')
    .replace(/"\s{0,20},\s{0,20}"args"\s{0,20}:\s{0,20}\[\s{0,20}"?/g, ' ')
    .replace(/"\s{0,20},\s{0,20}"|"\s{0,20}:\s{0,20}\[?\s{0,20}"?/g, ' ')
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&')
}

/** A server without a name, without encryption, or a window that nobody sees. */
const UNCHECKED = /http:\/\/(?!localhost|127\.)|:\/\/\d{1,3}(?:\.\d{1,3}){3}|-w(?:in\w*)? {1,4}(?:h|1\b)/i

/** What is downloaded runs at once. */
const PIPED = anyCase`\|\s{0,9}(?:sudo )?${UNIX_SHELLS}\b`

/** A line that sends what the computer has in its variables. */
const SENDS_SECRETS = /process\.env\b(?![.[])[\s\S]{0,2000}(?:https?:|\.(?:get|request|lookup|resolve)\()/

function runsForeignCode(text: string, on: ProjectFile['on']): boolean {
  const command = findCommand(text)
  if (command === null) return false
  if (command.isEncoded || SENDS_SECRETS.test(text)) return true
  if (!command.isRemote || on === 'opening') return command.isRemote
  return (command.kind !== 'download' || PIPED.test(text)) && UNCHECKED.test(text)
}
