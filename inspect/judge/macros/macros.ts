/** Decides what the effects of a VBA project mean: the argument and the trigger decide, not the name of a call. */

import type { Definition } from '#inspect/catalogue/definition.ts'
import { MACROS } from '#inspect/catalogue/macros.ts'
import { findCommand } from '#inspect/commands/find.ts'
import { anyCase } from '#inspect/core/pattern.ts'
import type { BasicEffect, BasicReading } from '#inspect/programs/basic/basic.ts'
import { obfuscationOf } from '#inspect/programs/basic/obfuscation.ts'
import type { Module } from '#inspect/programs/basic/program.ts'
import { GAP, hasPartFrom, startsWithPartFrom, withoutGaps } from '#inspect/programs/basic/values.ts'
import { classifyTarget, describeTarget, foreignServers, reachOf } from '#inspect/targets/targets.ts'
import { SHELL_CLASSES } from '#inspect/windows/classes.ts'
import { MACRO_DOCUMENTS } from '#inspect/windows/extensions.ts'
import { BOOT_FILES, LOOSE, START_UP, SYSTEM } from '#inspect/windows/folders.ts'
import { POWERSHELLS, RUNNERS } from '#inspect/windows/programs.ts'
import { LOADED_KEYS, RUN_KEYS, SECURITY_KEYS } from '#inspect/windows/registry.ts'
import { hidesText } from '../command/hidden.ts'
import { isDangerousName, isDataName } from '../extensions.ts'
import { isBareServer, isCloudStorage } from '../references.ts'
import { storedCommand } from '../stored.ts'
import { judgeSpread } from './spread.ts'
import { isOwnRoutine, isProgram, judgeStart, startsConcealed } from './starts.ts'
import { namesProgram } from './web-address.ts'

interface Judged {
  definition: Definition
  detail: string | null
}

interface Project {
  reading: BasicReading
  modules: readonly Module[]
  /** Texts of forms and properties, which macros may run. Read only if needed. */
  texts: () => readonly string[]
}

/** The most severe finding is not always the first; several can hold. */
export function judgeMacros(project: Project): Judged[] {
  const { reading, modules, texts } = project
  const source = [...modules.map(({ text }) => text), ...reading.storedTexts].join('\n').toLowerCase()
  const found = new Map<string, Judged>()
  const add = (definition: Definition, text = ''): void => {
    if (!found.has(definition.id)) found.set(definition.id, { definition, detail: text === '' ? null : describe(text) })
  }
  const hasEffects = reading.mayExecute || reading.effects.some(({ kind }) => !QUIET.has(kind))
  const hides = reading.effects.find(({ text }) => hidesText(text, source))
  const isObfuscated = hasEffects && (hides !== undefined || obfuscationOf(source) >= OBFUSCATION_MIN)
  if (reading.triggers.length > 0) add(MACROS.autoStart, reading.triggers.slice(0, TRIGGERS_SHOWN).join(', '))
  if (isObfuscated) add(MACROS.obfuscated, hides?.text)
  for (const effect of reading.effects) {
    const definition = judgeEffect(effect, reading, isObfuscated)
    if (definition !== null) add(definition, effect.text)
  }
  if (reading.mayExecute) add(isObfuscated ? MACROS.autoProgram : MACROS.autoExecute)
  for (const { definition, text } of judgeSpread(reading)) add(definition, text)
  const injection = judgeMemory(reading, source)
  if (injection !== null) add(injection)
  const stored = judgeStored(reading, texts)
  if (stored !== null) add(stored.definition, stored.text)
  return [...found.values()]
}

/** A program that no value of the document tells. Only after all of them were read. */
export function judgeConcealed({ effects }: BasicReading): Judged[] {
  const concealed = effects.find(startsConcealed)
  return concealed === undefined ? [] : [{ definition: MACROS.autoProgram, detail: describe(concealed.text) }]
}

/** These alone do not make hidden text matter. */
const QUIET: ReadonlySet<string> = new Set(['object', 'save', 'memory', 'library', 'folder'])
const OBFUSCATION_MIN = 2
const TRIGGERS_SHOWN = 5

function describe(text: string): string {
  return describeTarget(withoutGaps(text))
}

function judgeEffect(effect: BasicEffect, reading: BasicReading, isObfuscated: boolean): Definition | null {
  switch (effect.kind) {
    case 'start':
      return judgeStart(effect, reading, isObfuscated)
    case 'code':
      return judgeCode(effect, reading)
    case 'fetch':
      return judgeFetch(effect, reading, isObfuscated)
    case 'save':
      return judgeSave(effect, reading)
    case 'registry':
      return judgeRegistry(effect)
    case 'document':
    case 'template':
      return judgeDocument(effect)
    case 'delete':
      return effect.isAutomatic && (SYSTEM_FILES.test(effect.text) || USER_FILES.test(effect.text))
        ? MACROS.destructive
        : null
    case 'rewrite':
      return judgeRewrite(effect)
    case 'replicate':
      return effect.isAutomatic ? MACROS.replication : null
    case 'persist':
      return judgePersist(effect)
    case 'drive':
      return isBareServer(classifyTarget(effect.text.slice(3)), effect.text) &&
        foreignServers(effect.text).includes(true)
        ? MACROS.beacon
        : null
    case 'library':
      return loadsBeside(effect, reading)
    default:
      return null
  }
}

/** All files of the system or of a disk. */
const SYSTEM_FILES = anyCase`^(?:${SYSTEM}\\(?:system32\\(?:drivers\\)?)?[^\\]{0,40}|(?:[a-z]:|%systemdrive%)\\\*(?:\.\*)?|${BOOT_FILES})$`

/** All files of a user, or all documents of one kind. */
const USER_FILES =
  /^(?:[a-z]:\\users\\[^\\]{1,100}|%userprofile%|%homedrive%%homepath%)(?:\\(?:my )?(?:documents|desktop|pictures|downloads|videos|music))?\\\*(?:\.(?:\*|docx?|xlsx?|pptx?|pdf|jpe?g|png))?$/i

/** Code that starts programs, in code that is written. */
const STARTING_CODE = anyCase`\bshell\b|wscript|${SHELL_CLASSES}|urldownload|win32_process|${POWERSHELLS}|virtualalloc`

function judgeRewrite({ text, isAutomatic }: BasicEffect): Definition | null {
  if (!isAutomatic) return null
  if (hasPartFrom('fetched', text)) return MACROS.downloader
  return STARTING_CODE.test(text) ? MACROS.autoProgram : MACROS.selfModifying
}

/** A document with macros, or a template, that is opened from the internet. */
function judgeDocument({ kind, text, isAutomatic }: BasicEffect): Definition | null {
  const target = classifyTarget(text)
  const isRemote = target.isRemote && (reachOf(target.host) !== 'company' || target.kind === 'webIp')
  const network = target.isRemote ? MACROS.network : null
  if (!isAutomatic || !isRemote) return network
  if (isBareServer(target, text)) return MACROS.downloader
  if (!/^https?:/i.test(text) || isCloudStorage(text)) return network
  if (/^(?:intranet|intra|intern)\./.test(target.host)) return MACROS.autoExecute
  return kind === 'template' || MACRO_DOCUMENT.test(text) ? MACROS.downloader : network
}

const MACRO_DOCUMENT = anyCase`\.${MACRO_DOCUMENTS}(?:[?#]|$)`

const LOOSE_FOLDER = anyCase`^${LOOSE}`

/** A library that Windows finds only because the macro changed the folder. Installed programs are not where anyone may write. */
function loadsBeside({ isAutomatic }: BasicEffect, { effects }: BasicReading): Definition | null {
  const folders = effects.filter(({ kind, isAutomatic: runs }) => kind === 'folder' && runs)
  if (!isAutomatic || folders.length === 0) return null
  return folders.some(({ text }) => LOOSE_FOLDER.test(text)) ? MACROS.autoProgram : MACROS.autoExecute
}

/** Of a shortcut, a task or a subscription. */
function judgePersist({ text, isAutomatic, name }: BasicEffect): Definition | null {
  const isShortcut = name === 'targetpath=' || name === 'arguments='
  if (isShortcut && !INTERPRETER.test(text) && findCommand(text) === null) return null
  if (isAutomatic && (INTERPRETER.test(text) || runsProgram(text))) return MACROS.autoProgram
  return MACROS.persistence
}

const INTERPRETER = anyCase`^"?(?:.{0,200}\\)?${RUNNERS}(?:\.exe)?"?(?:\s|$)`

/** Of a task: a program, or its description in XML. */
function runsProgram(text: string): boolean {
  return findCommand(text) !== null || (!text.startsWith('<') && isProgram(text) && !text.includes(GAP))
}

const STARTING_OBJECT = anyCase`${SHELL_CLASSES}|activexobject|\.run\s*\(`

function judgeCode({ text, isAutomatic, name }: BasicEffect, { effects }: BasicReading): Definition | null {
  const loadsRemotely = effects.some((other) => other.name === 'load' && other.isAutomatic)
  if (classifyTarget(text.replace(/^script(?:let)?:/i, '')).isRemote && /^script/i.test(text)) return MACROS.downloader
  if (STARTING_OBJECT.test(text)) return isAutomatic ? MACROS.autoProgram : MACROS.execute
  if (!isAutomatic || !text.includes(GAP)) return null
  // JSON has parentheses around it where it is evaluated.
  if (startsWithPartFrom('fetched', text) && name !== 'loadxml') return MACROS.downloader
  if (name === 'transformnode') return loadsRemotely ? MACROS.downloader : null
  // JSON is often read by an evaluation in a script engine.
  return name === 'eval' || name === 'loadxml' ? MACROS.autoExecute : MACROS.autoProgram
}

function judgeFetch(
  { text, isAutomatic, name }: BasicEffect,
  { effects }: BasicReading,
  isObfuscated: boolean,
): Definition {
  const saves = name.startsWith('urldownload')
  const [url = '', ...path] = text.split(' ')
  if (saves && (namesProgram(url) || isDangerousName(path.join(' ')))) return MACROS.downloader
  const starts = effects.some((other) => other.isAutomatic && (other.kind === 'start' || other.kind === 'code'))
  if (!isAutomatic) return MACROS.network
  if (namesProgram(url)) return MACROS.downloader
  if (!saves && !effects.some((other) => other.name === 'savetofile' && other.isAutomatic)) return MACROS.network
  if (starts || isObfuscated) return MACROS.downloader
  return isDataName(text) || effects.some((other) => other.name === 'savetofile' && isDataName(other.text))
    ? MACROS.network
    : MACROS.autoExecute
}

const START_FOLDERS = anyCase`${START_UP}`

function judgeSave({ text, isAutomatic, name, copiesItself }: BasicEffect, reading: BasicReading): Definition | null {
  const { effects } = reading
  const fetches = effects.some(({ kind }) => kind === 'fetch')
  if (isDangerousName(text) && fetches) return MACROS.downloader
  if (START_FOLDERS.test(text) && isAutomatic && copiesItself === true) return MACROS.replication
  if (START_FOLDERS.test(text)) return isAutomatic && isDangerousName(text) ? MACROS.autoProgram : MACROS.persistence
  const drops = isAutomatic && isDangerousName(text) && name !== 'createshortcut'
  return drops && !isOwnRoutine(text, reading) ? MACROS.dropper : null
}

const SECURITY_KEY = anyCase`${SECURITY_KEYS}`
const RUN_KEY = anyCase`\\currentversion\\${RUN_KEYS}\b`
/** Values that name a program for Windows or Office to load. No installer is a macro. */
const LOADED_KEY = anyCase`${LOADED_KEYS}`

function judgeRegistry({ text, isAutomatic }: BasicEffect): Definition | null {
  if (SECURITY_KEY.test(text)) return MACROS.securityOff
  if (!RUN_KEY.test(text) && !LOADED_KEY.test(text)) return null
  return isAutomatic ? MACROS.autoPersistence : MACROS.persistence
}

const RESERVES =
  /^(?:virtualalloc|virtualprotect|heapcreate|ntallocatevirtualmemory|zwallocatevirtualmemory|ntmapviewofsection)/
const COPIES =
  /^(?:rtlmovememory|rtlcopymemory|writeprocessmemory|ntwritevirtualmemory|zwwritevirtualmemory|uuidfromstring)/
const STARTS =
  /^(?:createthread|createremotethread|queueuserapc|setthreadcontext|ntcreatethreadex|enum(?!windows|childwindows|fontfamilies|print|jobs|forms|ports|monitors|displaysettings|displaydevices|process|services|dependentservices|devicedrivers|clipboardformats|protocols)\w+|graystring|createtimerqueuetimer|certenumsystemstore)/
const CALLS = /^(?:callwindowproc|dispcallfunc|settimer|enumwindows|enumchildwindows)/
/** The first bytes of common shellcode, as a list of numbers. */
const SHELLCODE =
  /"(?:\\x|&h|0x|%u)?(?:fc,? ?(?:\\x|&h|0x)?48,? ?(?:\\x|&h|0x)?83|fc,? ?(?:\\x|&h|0x)?e8|e8fc4883|4831c9)|array\(\s*(?:-4|252|&hfc)\s*,\s*(?:-24|232|&he8|72|&h48)\s*,/

function judgeMemory({ effects, imports, triggers }: BasicReading, source: string): Definition | null {
  const has = (pattern: RegExp): boolean => imports.some(({ name }) => pattern.test(name))
  if (imports.some(({ name }) => /^amsi/.test(name))) return MACROS.injection
  if (effects.some(({ kind, text }) => kind === 'memory' && /\bamsi/i.test(text))) return MACROS.injection
  const reserves = has(RESERVES)
  if (reserves && (has(STARTS) || SHELLCODE.test(source))) return MACROS.injection
  return reserves && has(COPIES) && has(CALLS) && triggers.length > 0 ? MACROS.memory : null
}

/** Characters without white space that are more than a word: data in Base64 or hexadecimal digits. */
const CODED_TEXT = /[A-Za-z0-9+/=]{200}/

/** Without a click, and not readable from the macro. */
export function runsUnknown({ effects, mayExecute }: BasicReading): boolean {
  return (
    mayExecute ||
    effects.some(
      ({ kind, text, isAutomatic }) =>
        isAutomatic && (kind === 'start' || kind === 'code') && (text === '' || text.includes(GAP)),
    )
  )
}

/** A macro that runs unknown text, and a command where such text is stored. */
function judgeStored(
  reading: BasicReading,
  textsOf: Project['texts'],
): { definition: Definition; text: string } | null {
  if (!runsUnknown(reading)) return null
  const texts = textsOf()
  const command = storedCommand(texts)
  if (command !== null) return { definition: MACROS.autoProgram, text: command }
  return texts.some((text) => CODED_TEXT.test(text)) ? { definition: MACROS.formPayload, text: '' } : null
}
