/** Effects of a Python script. The commands that it starts are judged like lines of a script for a shell. */

import { findCommand } from '#inspect/commands/find.ts'
import { anyCase } from '#inspect/core/pattern.ts'
import { charge } from '#inspect/core/work.ts'
import type { PythonEffect } from '#inspect/programs/python/effects.ts'
import { readPython } from '#inspect/programs/python/python.ts'
import { GAP } from '#inspect/programs/python/tokens.ts'
import { RUNNABLE } from '#inspect/windows/extensions.ts'
import { WRITABLE_VARIABLES } from '#inspect/windows/folders.ts'
import { findCoded } from './coded.ts'
import { findDownload } from './downloads.ts'
import { type Effects, mergeEffects, NO_EFFECTS } from './effects.ts'
import { worstUrls } from './flow.ts'
import { doesHarm } from './harm.ts'
import { ENCODES, lineEffects } from './powershell.ts'
import { testedCode } from './test-code.ts'

/** Python code that is decoded or fetched, and run, also by the name of a variable. */
const SOURCE =
  /\b(?:b(?:64|85|32)decode|unhexlify|fromhex|decompress|marshal\.loads|codecs\.decode|urlopen|requests\.get|decrypt)\s{0,4}\(/
const RUNS = /\b(?:exec|eval)\s{0,4}\(\s{0,4}(?:compile\s{0,4}\(\s{0,4})?(\w{1,60})?/

/** Without one of these, nothing is started or run, whatever the names. */
const ACTS =
  /(?<!platform)\.system\b|\bimport\b[^\r\n]{0,200}\bsystem\b|["']system["']|\b(?:popen\w*|exec[lv]p?e?|execfile|spawn[lv]\w*|posix_spawnp?|startfile|subprocess|create_subprocess_\w+|ShellExecute\w*|WinExec|CreateProcess|getoutput|getstatusoutput|dup2|run_(?:module|path))\b|(?<![\w.])(?:exec|eval)(?:\s{0,4}\(|\s{1,4}["'\w])|\bfrom\s{1,4}(?:os|builtins)\s{1,4}import\s{1,4}\*/
/** Names that are computed: `getattr(os, x + y)`, `__import__(x)`, `vars(os)[x]`. */
const COMPUTES =
  /\bgetattr\s{0,4}\([^,()'"]{0,200},(?!\s{0,100}(?:[\w.]{1,60}|["'][^"'\\]{0,200}["'])\s{0,4}[,)])|\b(?:__import__|import_module)\s{0,4}\((?!\s{0,100}(?:[\w.]{1,60}|["'][^"'\\]{0,200}["'])\s{0,4}[,)])|\b(?:vars|globals|locals)\s{0,4}\([^()]{0,200}\)\s{0,4}\[|__dict__\s{0,4}\[(?!\s{0,4}[\w.]{1,60}\s{0,4}\])|\b__builtins__\b/

export function mayAct(text: string): boolean {
  charge(text.length * SEARCH_WORK)
  return ACTS.test(text) || COMPUTES.test(text)
}

/** Without the texts of a test or of rules, which nothing in it runs. */
export function actingPython(source: string): string {
  const code = testedCode(source)
  return code === null || mayAct(code) ? source : code
}

export function pythonEffects(source: string): Effects {
  const text = actingPython(source)
  const { effects, isHidden, isCut, texts } = mayAct(text) ? readPython(text) : NOTHING
  const commands = effects
    .filter(({ kind, text: command }) => kind === 'start' && command !== '')
    .map((effect) => effect.text.replaceAll(GAP, ' '))
  const calls = [...effects.map(({ call }) => call), ...downloadsIn(effects)].join('\n')
  return mergeEffects([
    {
      ...NO_EFFECTS,
      starts: [...codedIn(text), ...builtIn(commands, text)],
      isHidden: isHidden || runsDecoded(text),
      download: worstOf(findDownload(text), findDownload(calls)) ?? stagerIn(text),
      doesHarm: doesHarm(text) || doesHarm(calls),
      isUnclear: ENCODES.test(text),
      isCut,
    },
    // Any text may be what is started where that could not be followed.
    ...[...commands, ...texts].map(commandEffects),
  ])
}

/** A short script that saves a program among temporary files, and starts it. */
const STAGER: readonly RegExp[] = [
  anyCase`\bgettempdir\s{0,4}\(|\b(?:environ(?:\.get)?|getenv)\s{0,4}[[(]\s{0,4}["']${WRITABLE_VARIABLES}["']`,
  /\b(?:urlretrieve|urlopen|requests\.get)\s{0,4}\(/,
  anyCase`["'][^"'\r\n]{0,200}\.${RUNNABLE}["']`,
  /\b(?:startfile|Popen|system|run|call)\s{0,4}\(/,
]
const INSTALLS =
  /["'\s][-/]{1,2}(?:s|q|qn|quiet|silent|verysilent|passive|install)\b|\b(?:setup|install\w{0,6}|redist|update)[\w.-]{0,40}\.exe/i
const STAGER_LINES_MAX = 16

function stagerIn(text: string): Effects['download'] {
  charge(text.length * CHARACTER_WORK)
  const isShort = text.trim().split('\n', STAGER_LINES_MAX + 1).length <= STAGER_LINES_MAX
  if (!isShort || INSTALLS.test(text) || !STAGER.every((each) => each.test(text))) return null
  return { url: '', isTelling: false, isOpen: false, isStager: true }
}

function worstOf(one: Effects['download'], other: Effects['download']): Effects['download'] {
  return other?.isTelling ? other : (one ?? other)
}

const NOTHING: ReturnType<typeof readPython> = { effects: [], isHidden: false, isCut: false, texts: [] }

/** Another call may save the fetched data. */
function downloadsIn(effects: readonly PythonEffect[]): string[] {
  const textsOf = (wanted: string): string[] =>
    effects.filter(({ kind, text }) => kind === wanted && text !== '' && !text.includes(GAP)).map(({ text }) => text)
  const starts = effects.filter(({ kind }) => kind === 'start').map(({ call }) => call)
  const rank = (file: string): number => (starts.some((call) => call.includes(file)) ? 0 : 1)
  const files = textsOf('save')
  charge(files.length * starts.length * PAIR_WORK)
  const run = [...new Set(files)].sort((a, b) => rank(a) - rank(b)).slice(0, FILES_MAX)
  return worstUrls(textsOf('fetch'))
    .flatMap((url) => run.map((file) => `urlretrieve("${url}", "${file}")`))
    .concat(starts)
}

function commandEffects(command: string): Effects {
  const found = lineEffects(command)
  return { ...found, isUnclear: false, localStarts: [], fetches: false, runsText: found.loads === 'hostile' }
}

/** A command whose program is not in the file was put together from pieces. */
function builtIn(commands: readonly string[], source: string): string[] {
  const lower = source.toLowerCase()
  return commands.filter((command) => {
    const found = findCommand(command)
    return found?.isWindows && !lower.includes(found.program) && !/%comspec%/i.test(source)
  })
}

function runsDecoded(text: string): boolean {
  charge(text.length * CHARACTER_WORK)
  const decoded = new Set<string>()
  return text.split(/[\r\n;]+/).some((line) => {
    charge(LINE_WORK)
    const run = RUNS.exec(line)
    const isSource = SOURCE.test(line)
    const name = isSource ? /^\s{0,200}(\w{1,60})\s{0,4}=/.exec(line)?.[1] : undefined
    if (name !== undefined) decoded.add(name)
    return run !== null && (isSource || decoded.has(run[1] ?? ''))
  })
}

function codedIn(text: string): string[] {
  const coded = findCoded(text)
  return coded === null ? [] : [coded]
}

/** Files that are combined with addresses, those that are started first. */
export const FILES_MAX = 8
const PAIR_WORK = 100
const SEARCH_WORK = 10
const CHARACTER_WORK = 20
const LINE_WORK = 1_000
