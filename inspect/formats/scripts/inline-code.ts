/** Code for .NET in build files and stylesheets, which tools of Windows compile and run. */

import { SCRIPTS } from '#inspect/catalogue/scripts.ts'
import { unreferenced } from '#inspect/codecs/character-references.ts'
import { findCommand } from '#inspect/commands/find.ts'
import { view } from '#inspect/core/bytes.ts'
import type { Format } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { charge } from '#inspect/core/work.ts'
import { describeTarget } from '#inspect/targets/targets.ts'

const CODE = mark(['CodeTaskFactory', 'implements-prefix', '<Exec '], { ignoresCase: true })
const FILE = /<Project[\s>]|urn:schemas-microsoft-com:xslt/i
/** Code that works on the memory of a process, or on programs that are not files. */
const INJECTION =
  /\b(?:VirtualAlloc(?:Ex)?|VirtualProtect|CreateRemoteThread|CreateThread|WriteProcessMemory|QueueUserAPC|NtCreateThreadEx|GetDelegateForFunctionPointer|UuidFromString\w?)\b/i
const LOADS = /\bAssembly\s*\.\s*Load\s*\(|\bAddScript\s*\(|\bInvokeScript\s*\(|\bCreatePipeline\s*\(/
const STARTS = /\bProcess\s*\.\s*Start\s*\(|\bProcessStartInfo\b/
const FETCHES = /\b(?:DownloadData|DownloadString|DownloadFile|GetStringAsync|GetByteArrayAsync|FromBase64String)\b/
const EXEC = /<Exec\s[^<]*?\bCommand\s*=\s*(?:"([^"]{1,8000})"|'([^']{1,8000})')/gi
const NET_SCRIPT = /<(?:\w{1,20}:)?script\s[^<>]*language\s{0,4}=\s{0,4}["'](?:c#|csharp|vb|visualbasic)["']/i
/** For each character: to find out whether it is such a file, and then to read it. */
const SEARCH_WORK = 3
const CHARACTER_WORK = 10
const COMMAND_WORK = 5_000

export const inlineCode: Format = {
  among: { marks: [CODE] },
  applies: (item) => item.sniffed.kind === 'text' && item.has(CODE),
  analyse(item, context) {
    const text = view(item.bytes).toString('latin1')
    charge(text.length * SEARCH_WORK)
    if (!FILE.test(text)) return
    charge(text.length * CHARACTER_WORK)
    const isStylesheet = /implements-prefix/i.test(text) && NET_SCRIPT.test(text)
    const isCode = /CodeTaskFactory/i.test(text) || isStylesheet
    const command = commandIn(text, isCode)
    // A build starts programs; what a table of prices looks like needs none.
    if ((isCode && isAttack(text)) || (isStylesheet && STARTS.test(text)) || command !== null)
      context.addFinding(item, { ...SCRIPTS.inlineCode, detail: command === null ? null : describeTarget(command) })
  },
}

/** Tasks of builds download tools and start them, so that one of both is no sign. */
function isAttack(code: string): boolean {
  return INJECTION.test(code) || (LOADS.test(code) && FETCHES.test(code))
}

const TEXT = /"([^"\r\n]{8,4000})"/g

function commandIn(text: string, isCode: boolean): string | null {
  const commands = [...text.matchAll(EXEC)].map(([, double, single]) => unreferenced(double ?? single ?? ''))
  const texts = isCode && STARTS.test(text) ? [joinedTexts(text)] : []
  for (const command of [...commands, ...texts]) {
    charge(COMMAND_WORK)
    const found = findCommand(command)
    if (found !== null && (found.isEncoded || found.isObfuscated || (found.isRemote && isWorse(found, texts, command))))
      return command
  }
  return null
}

/** Builds fetch files with PowerShell and curl; they never run pages of servers. */
function isWorse({ kind }: NonNullable<ReturnType<typeof findCommand>>, texts: string[], command: string): boolean {
  return kind === 'proxy' || texts.includes(command) || /\b(?:iex|invoke-expression)\b/i.test(command)
}

/** The texts of the code, because a program and its arguments are two of them. */
function joinedTexts(code: string): string {
  return [...code.matchAll(TEXT)].map(([, text = '']) => text).join(' ')
}
