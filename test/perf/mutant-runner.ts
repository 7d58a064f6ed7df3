/** Child process of mutants.ts: inspects changed documents one after the other. */

import { openSync, readdirSync, readFileSync, statSync, writeSync } from 'node:fs'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Inspection, Inspector } from '#inspect/inspect.ts'
import { ourInspector } from '#inspect/testing/inspector.ts'
import { mutateParts } from '#inspect/testing/mutate.ts'
import { open, type Part } from '#inspect/testing/parts.ts'
import { randomFrom } from '#inspect/testing/random.ts'
import { docx, pdf } from '#inspect/testing/samples.ts'

const SOURCE_BYTES_MAX = 65_536
const CPU_MS_MAX = 3_000
const SLOW_MS = 100
const RESIDENT_BYTES_MAX = 1_000_000_000
const PROGRESS_EVERY = 10_000
/** Of so many mutants one is inspected twice, with all rules and with equal reports, and the peak of the memory is read. */
const SAMPLE_EVERY = 50

const SAMPLES = [
  { name: 'pdf', bytes: pdf(['<< /Type /Catalog /OpenAction << /S /JavaScript /JS (app.alert(1)) >> >>']) },
  { name: 'docx', bytes: docx() },
  { name: 'page', bytes: Buffer.from('<html><script>location = atob("aHR0cDovL2E=")</script></html>') },
]

interface Source {
  name: string
  bytes: Buffer
  part: Part
}

export interface Job {
  seed: number
  /** Null: samples. */
  folder: string | null
  from: number
  to: number
  /** The number of the mutant that is being inspected, as text. */
  positionFile: string
}

export type Message =
  | { type: 'progress'; at: number; slowestMs: number; slowestAt: number; residentBytes: number }
  | { type: 'failure'; at: number; reason: string }

export function sourcesOf(folder: string | null): Source[] {
  const names = folder === null ? [] : readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  const files = names
    .map((name) => path.join(folder ?? '', name))
    .filter((name) => statSync(name).isFile() && statSync(name).size > 0 && statSync(name).size <= SOURCE_BYTES_MAX)
    .map((name) => ({ name, bytes: readFileSync(name) }))
  return (folder === null ? SAMPLES : files).map((file) => ({ ...file, part: open(file.bytes) }))
}

/** The same for the same seed, number and documents. */
export function mutantOf(sources: readonly Source[], seed: number, at: number): { name: string; mutant: Buffer } {
  const random = randomFrom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(at, 0x85ebca6b))
  const { name, part } = sources[random(sources.length)]!
  return { name, mutant: mutateParts(part, random, sources[random(sources.length)]!.bytes) }
}

const residentBytes = (): number => process.resourceUsage().maxRSS * 1024

function send(message: Message): Promise<void> {
  return new Promise((resolve) => process.send?.(message, () => resolve()))
}

/** The CPU clock stops a document that is refused, each time after another number of bytes. */
function comparable(inspection: Inspection): Partial<Inspection> {
  const { bytesInspected, ...rest } = inspection
  return inspection.obstacle === null ? inspection : rest
}

/** Inspects it, and says why that failed. */
function tryMutant(inspector: Inspector, mutant: Buffer, isSample: boolean): { ms: number; reason: string } {
  const before = process.threadCpuUsage()
  const inspection = inspector.inspect(mutant)
  const { user, system } = process.threadCpuUsage(before)
  const ms = (user + system) / 1_000
  const differs = isSample && !isDeepStrictEqual(comparable(inspection), comparable(inspector.inspect(mutant)))
  const resident = isSample || ms > SLOW_MS ? residentBytes() : 0
  const reasons = [
    /could not be analysed.*/.exec(inspection.obstacle?.detail ?? '')?.[0] ?? '',
    ms > CPU_MS_MAX ? `${Math.round(ms)} ms of CPU time` : '',
    resident > RESIDENT_BYTES_MAX ? `${Math.round(resident / 1e6)} MB resident` : '',
    inspector.healthy ? '' : 'the rule engine failed',
    differs ? 'two reports differ' : '',
  ]
  return { ms, reason: reasons.filter((reason) => reason !== '').join(', ') }
}

async function run({ seed, folder, from, to, positionFile }: Job): Promise<void> {
  const sources = sourcesOf(folder)
  const inspector = await ourInspector()
  // Compiling the analyser is no work of a document.
  for (const { bytes } of sources.slice(0, 20)) inspector.inspect(bytes)
  const position = openSync(positionFile, 'w')
  let slowest = { slowestMs: 0, slowestAt: 0 }
  for (let at = from; at < to; at++) {
    writeSync(position, `${at} `, 0)
    const isSample = at % SAMPLE_EVERY === 0
    const { mutant } = mutantOf(sources, seed, at)
    const { ms, reason } = tryMutant(inspector, mutant, isSample)
    if (ms > slowest.slowestMs) slowest = { slowestMs: ms, slowestAt: at }
    if (reason !== '') await send({ type: 'failure', at, reason })
    // The peak of the memory stays, and a failed engine too: another process continues.
    const isUnusable = / resident|rule engine/.test(reason)
    if ((at + 1) % PROGRESS_EVERY === 0 || at + 1 === to || isUnusable)
      await send({ type: 'progress', at: at + 1, ...slowest, residentBytes: residentBytes() })
    if (isUnusable) process.exit(0)
  }
  inspector.dispose()
  process.disconnect()
}

if (import.meta.main) await run(JSON.parse(process.argv[2] ?? '') as Job)
