/**
 * A process with the analyser and the options of a worker, which inspects what its parent names and answers with CPU times.
 * Without the pipe and the sandbox, so that only the analyser is measured.
 */

import { readFileSync } from 'node:fs'
import { LIMITS } from '#inspect/core/limits.ts'
import type { Inspector } from '#inspect/inspect.ts'

export interface Given {
  file: string
  fileName: string
}

export type Request =
  /** One inspection of each, in this order, within the usual limits. */
  | { ask: 'judge'; documents: readonly Given[] }
  /** Passes over all documents with ten times the limit of work, until they took so long. */
  | { ask: 'measure'; documents: readonly Given[]; cpuMsMin: number; passesMax: number }
  /** The same with the parser of JavaScript only. */
  | { ask: 'parse'; documents: readonly Given[]; cpuMsMin: number; passesMax: number }

export interface Judged {
  cpuMs: number
  work: number
  /** Of the obstacle or a malicious finding; null for a clean document. */
  refusal: string | null
}

export interface Passes {
  /** Of each pass over all documents. */
  passesMs: number[]
  /** Of each document, its least. */
  documentsMs: number[]
  /** Some were not inspected to their end, so that the times are too short. */
  isCut: boolean
}

/** Ten times the usual limit: seconds in place of the hours that a large text could take. */
const FAR = { workMax: 10 * LIMITS.workMax, keptBytesMax: Number.POSITIVE_INFINITY }

function cpuMs(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

/** `one` returns whether the document was not inspected to its end. */
function passes(times: { cpuMsMin: number; passesMax: number }, count: number, one: (i: number) => boolean): Passes {
  let isCut = false
  const passesMs: number[] = []
  const documentsMs = Array.from({ length: count }, () => Number.POSITIVE_INFINITY)
  for (let spent = 0; passesMs.length === 0 || (spent < times.cpuMsMin && passesMs.length < times.passesMax); ) {
    const passMs = cpuMs(() => {
      for (let i = 0; i < count; i++)
        documentsMs[i] = Math.min(
          documentsMs[i] ?? 0,
          cpuMs(() => {
            if (one(i)) isCut = true
          }),
        )
    })
    passesMs.push(passMs)
    spent += passMs
  }
  return { passesMs, documentsMs, isCut }
}

function judge(inspector: Inspector, bytes: Buffer, name: string): Judged {
  let refusal: string | null = null
  const spent = cpuMs(() => {
    const { kind, obstacle, findings } = inspector.inspect(bytes, { name })
    const threat = findings.find(({ severity }) => severity === 'malicious')
    refusal = threat?.id ?? (kind === null ? 'type not accepted' : (obstacle?.reason ?? null))
  })
  return { cpuMs: spent, work: inspector.cost.work, refusal }
}

async function answer(inspector: Inspector, request: Request): Promise<Judged[] | Passes> {
  const documents = request.documents.map(({ file, fileName }) => ({ name: fileName, bytes: readFileSync(file) }))
  if (request.ask === 'judge') return documents.map(({ bytes, name }) => judge(inspector, bytes, name))
  if (request.ask === 'measure')
    return passes(request, documents.length, (i) => {
      const { bytes = Buffer.alloc(0), name } = documents[i] ?? {}
      const { obstacle } = inspector.inspect(bytes, { name, limits: FAR })
      return obstacle?.reason === 'too_complex' && inspector.cost.work > FAR.workMax
    })
  const { parse } = await import('#inspect/programs/javascript/parser.ts')
  const texts = documents.map(({ bytes }) => bytes.toString())
  return passes(request, texts.length, (i) => {
    parse(texts[i] ?? '')
    return false
  })
}

const analyser: typeof import('#inspect/inspect.ts') = await import(process.argv[2] ?? '')
// Without rules of an operator the rule engine is not loaded.
const inspector = await analyser.createInspector({ wasm: () => new Uint8Array(), operatorRules: [] })
process.on('message', async (request: Request) => process.send?.(await answer(inspector, request)))
process.send?.('ready')
