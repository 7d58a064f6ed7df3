/** Judges the scripts of a PDF by what they do and when. */

import { PDF } from '#inspect/catalogue/pdf.ts'
import { words } from '#inspect/core/words.ts'
import { charge, keep } from '#inspect/core/work.ts'
import { domainOf } from '#inspect/judge/deception/domains.ts'
import { type Folded, GAP, isCut, readScript, textsIn } from '#inspect/programs/javascript/javascript.ts'
import { describeTarget } from '#inspect/targets/targets.ts'
import { type Trigger, worse } from './actions.ts'
import type { Findings } from './findings.ts'
import { classify, isNamelessServer, isRemoteProgram, judgeTarget } from './targets.ts'

type ScriptRead = ReturnType<typeof readScript>

/** Functions that open or send to an address, as forms do after a click. */
const COMMON_NETWORK = new Set(words('launchURL getURL submitForm gotoURL mailForm mailMsg mailDoc Post Get Put'))
/** Functions of this kind that forms do not need. */
const RARE_NETWORK = new Set(
  words(`openDoc getURLData importDataObject addFeed importAnFDF importAnXFDF importXFAData importTextData
  insertPages addWatermarkFromFile newConnection replacePages addIcon importIcon importSound fetch WebSocket
  open sendBeacon EventSource importScripts getRemoteObject`),
)
const RARE_NETWORK_PATHS =
  /^(?:SOAP\.(?:connect|request)|Net\.(?:HTTP\.request|SOAP\.\w+|Discovery\.\w+)|ADBC\.\w+|FormWorkflow\.\w+|app\.media\.\w+|XMLHttpRequest\(\).open)$/
/** Where scripts find code that other parts of the document hide. */
const DOCUMENT_DATA =
  /getField|getAnnot|getPageNthWord|getPageNumWords|\binfo\b|dataObjects|getDataObject|stringFromStream|bookmarkRoot|\bevent\b|getTemplate|syncAnnotScan/
const READS_FILES = /^(?:util\.readFileIntoStream|getDataObjectContents|app\.(?:media\.)?getPath|importTextData)$/
const EXPLOITS =
  /^(?:Collab\.(?:collectEmailInfo|getIcon)|spell\.customDictionaryOpen|printSeps|media\.newPlayer|doc\.printSeps)$/

/** Scripts of one document that are read one by one. */
export const SCRIPTS_MAX = 2_000

const lastName = (path: string): string => /(?<![\w$])([\w$]+)$/.exec(path)?.[1] ?? path

export interface PdfScript {
  source: string
  trigger: Trigger
}

/**
 * Reads each script, and those that run by themselves together, because one may define what another calls. `values` are
 * the texts that scripts can read from the document.
 */
export function judgeScripts(
  scripts: readonly PdfScript[],
  values: ReadonlyMap<string, string>,
  findings: Findings,
): boolean {
  const known = new Set<string>()
  const triggers = new Map<string, Trigger>()
  for (const { source, trigger } of scripts) triggers.set(source, worse(trigger, triggers.get(source) ?? 'click'))
  const automatic = new Set([...triggers.keys()].filter((source) => triggers.get(source) === 'automatic'))
  for (const { source } of scripts) {
    if (known.has(source)) continue
    if (known.size >= SCRIPTS_MAX) return false
    known.add(source)
    const isRead = judgeScript(source, triggers.get(source) ?? 'click', values, findings)
    if (!isRead && automatic.has(source)) return false
  }
  return automatic.size < 2 || judgeScript([...automatic].join('\n;\n'), 'automatic', values, findings)
}

/** For every script, however short. */
const SCRIPT_WORK = 150_000

/** false: a limit was reached. */
function judgeScript(
  source: string,
  trigger: Trigger,
  values: ReadonlyMap<string, string>,
  findings: Findings,
): boolean {
  findings.add(PDF.javaScript)
  if (trigger === 'automatic') findings.add(PDF.autoScript)
  if (hasMachineCode(source)) findings.add(PDF.scriptExploit)
  charge(SCRIPT_WORK)
  const script = readScript(source, values, () => true, { isExact: true })
  const isNetwork = judgeCalls(script, trigger, findings)
  if (trigger === 'automatic' && script.calls.some((call) => opensHidden(call, source, values)))
    findings.add(PDF.scriptHidden)
  judgeAssignments(script, trigger, findings)
  judgeEvaluated(script, trigger, isNetwork, findings)
  if (trigger === 'automatic' && isNetwork && script.calls.some(({ name }) => READS_FILES.test(name)))
    findings.add(PDF.scriptFileTheft)
  return !script.isStopped && !script.calls.some(isUnclear)
}

/** Whatever they are given, they only find or show something in the document, or end a timer. */
const HARMLESS =
  /(?:^|\.)(?:clearInterval|clearTimeOut|clearTimeout|getField|getNthFieldName|buttonGetIcon|buttonSetIcon|setFocus|beep)$/

/** A limit was reached before what is called, or what it is given, was known. */
function isUnclear({ name, args }: ScriptRead['calls'][number]): boolean {
  return name.includes(GAP) || (args.some(isCut) && !HARMLESS.test(name))
}

/** Returns whether an address is opened. */
function judgeCalls({ calls }: ScriptRead, trigger: Trigger, findings: Findings): boolean {
  let isNetwork = false
  for (const { name, args, isReached } of calls) {
    const last = lastName(name)
    const texts = textsIn(args)
    // A function that no script calls may belong to a button.
    const when = isReached ? trigger : 'click'
    judgeCall(name, last, args, when, findings)
    const isRare = RARE_NETWORK.has(last) || RARE_NETWORK_PATHS.test(name)
    if (!isRare && !COMMON_NETWORK.has(last)) continue
    for (const text of texts) if (judgeAddress(text, when, isRare, findings) && isReached) isNetwork = true
  }
  return isNetwork
}

/** An address whose domain stands nowhere: it is computed from numbers or pieces of the name. */
function opensHidden(
  { name, args, isReached }: ScriptRead['calls'][number],
  source: string,
  values: ReadonlyMap<string, string>,
): boolean {
  const last = lastName(name)
  if (!isReached || !(RARE_NETWORK.has(last) || COMMON_NETWORK.has(last) || RARE_NETWORK_PATHS.test(name))) return false
  return textsIn(args).some((text) => {
    const { kind, host } = classify(text)
    if (kind !== 'web' || !NAMED_HOST.test(host)) return false
    const domain = domainOf(host).name
    const written = [source, ...values.values()]
    charge(written.reduce((sum, each) => sum + each.length, 0))
    return !written.some((each) => each.toLowerCase().includes(domain))
  })
}

/** A name of the internet whose letters are written as they are. */
const NAMED_HOST = /^(?!.*\bxn--)[a-z\d-]+(?:\.[a-z\d-]+)*\.[a-z]{2,}$/

function judgeCall(name: string, last: string, args: readonly Folded[], trigger: Trigger, findings: Findings): void {
  const texts = textsIn(args)
  if (last === 'submitForm') for (const text of texts) findings.posts.add(text)
  if (last === 'exportDataObject') judgeExport(args, trigger, findings)
  if (isExploit(name, last, args)) findings.add(PDF.scriptExploit, last)
  if (last === 'unescape' && texts.some(isMachineText)) findings.add(PDF.scriptExploit)
  if (texts.some(hasExternalEntity)) findings.add(PDF.xfaExternal)
}

/** A declaration in XML that loads from outside. */
export const EXTERNAL = /\b(?:SYSTEM|PUBLIC)\s*["']/

function hasExternalEntity(text: string): boolean {
  const at = text.indexOf('<!ENTITY')
  if (at === -1) return false
  charge(text.length)
  return EXTERNAL.test(text.slice(at))
}

/** Returns whether it is on another computer. */
function judgeAddress(text: string, trigger: Trigger, isRare: boolean, findings: Findings): boolean {
  const { kind, severity, isRemote } = classify(text)
  if (kind === 'share' || (kind === 'handler' && severity !== 'notice')) judgeTarget(text, trigger, findings)
  else if (isRemote && trigger !== 'click' && isRemoteProgram(text))
    findings.add(PDF.automaticProgram, describeTarget(text))
  else if (isRemote && trigger !== 'click' && isNamelessServer(text))
    findings.add(PDF.automaticServer, describeTarget(text))
  else if (isRemote && (trigger === 'automatic' || isRare)) findings.add(PDF.scriptNetwork, describeTarget(text))
  else if (isRemote) findings.add(PDF.link, describeTarget(text))
  return isRemote
}

/** A picture that is loaded, or a page that is left. */
function judgeAssignments({ assignments }: ScriptRead, trigger: Trigger, findings: Findings): void {
  for (const { name, value } of assignments)
    if (/(?:\.src|\.href|^location)$/.test(name))
      for (const text of textsIn([value])) judgeAddress(text, trigger, true, findings)
}

/** `nLaunch` starts the attachment. A form may open its own attachment after a click. */
function judgeExport(args: readonly Folded[], trigger: Trigger, findings: Findings): void {
  if (trigger === 'click') return
  const [first] = args
  const launch = first?.kind === 'record' ? first.entries.get('nLaunch') : args[2]
  const isLaunched = launch !== undefined && !(launch.kind === 'constant' && !launch.value)
  if (isLaunched) findings.add(PDF.scriptExport, 'exportDataObject')
  else if (trigger === 'automatic') findings.add(PDF.scriptNetwork, 'exportDataObject')
}

function isExploit(name: string, last: string, args: readonly Folded[]): boolean {
  if (EXPLOITS.test(name)) return last !== 'newPlayer' || isNull(args[0])
  const [first] = args
  // CVE-2008-2992: a number wider than any line.
  if (name === 'util.printf') return /%\d{4,}/.test(textsIn(args)[0] ?? '')
  return name === 'getAnnots' && first?.kind === 'constant' && typeof first.value === 'number' && first.value < 0
}

function isNull(value: Folded | undefined): boolean {
  return value?.kind === 'constant' && (value.value ?? null) === null
}

const RUNNERS = new Set(['eval', 'Function', 'execScript', 'app.eval', 'event.target.eval'])

function judgeEvaluated(
  { calls, evaluated }: ScriptRead,
  trigger: Trigger,
  isNetwork: boolean,
  findings: Findings,
): void {
  const isAutomatic = trigger === 'automatic'
  // Timers take their code as text.
  const own = evaluated.filter(({ by, isReached }) => isReached && RUNNERS.has(by))
  const isBuilt = own.some((each) => each.isBuilt)
  const sources = calls.filter(({ name, isReached }) => isReached && RUNNERS.has(name)).flatMap(({ args }) => args)
  const fromDocument = sources.some((arg) => arg.kind === 'unknown' && DOCUMENT_DATA.test(arg.name))
  const isUsed = own.length > 0 || sources.some(({ kind }) => kind === 'unknown')
  if (isAutomatic && (isBuilt || fromDocument || (own.length > 0 && isNetwork))) findings.add(PDF.scriptHidden)
  else if (isUsed && (isAutomatic || isBuilt)) findings.add(PDF.scriptObfuscated)
}

const UNICODE_RUN = /(?:(?:%u|\\u)[\da-fA-F]{4}){4,}/g

/** Machine code is written as a long run of characters, which are no text in any language. */
function hasMachineCode(source: string): boolean {
  charge(source.length * 4)
  for (const [run] of source.matchAll(UNICODE_RUN)) {
    if (isMachineText(run)) return true
  }
  return false
}

function isMachineText(text: string): boolean {
  charge(text.length * 20)
  keep(text.length * UNIT_BYTES)
  return isMachineCode(text)
}

/** Memory for each character of a coded text. */
const UNIT_BYTES = 10

const CODES = /(?:%u|\\u)([\da-fA-F]{4})/g
/** Filling of sprays: no operation, or an address that is mapped by it. */
const FILLING = /^(?:9090|0c0c|0d0d|0a0a|0909|0b0b|4141|4242|4343|cccc|9191|1414)$/
const UNITS_MIN = 8
/** Share of letters, digits and punctuation in text. */
const TEXT_SHARE = 0.8

function isMachineCode(text: string): boolean {
  const units = [...text.matchAll(CODES)].map(([, digits = '']) => digits.toLowerCase())
  if (units.some((unit, i) => FILLING.test(unit) && unit === units[i + 1])) return true
  if (units.length < UNITS_MIN) return false
  const letters = units.filter((unit) =>
    /[\p{L}\p{N}\p{P}\p{Zs}\n\r\t]/u.test(String.fromCharCode(Number.parseInt(unit, 16))),
  )
  const blocks = new Set(units.map((unit) => unit.slice(0, 2)))
  // Text stays within few blocks of the alphabet.
  return (
    letters.length < units.length * TEXT_SHARE ||
    (blocks.size > units.length * 0.75 && blocks.size > 16 && !isChinese(units))
  )
}

function isChinese(units: readonly string[]): boolean {
  return units.every((unit) => unit >= '3000' && unit <= '9fff')
}
