/** Scan helpers: forms built byte by byte, and a service with a generous plan. */

import assert from 'node:assert/strict'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Engine } from '#engines/engine.ts'
import { type Answer, request } from '#test/support/raw-http.ts'
import {
  ALL_WORKERS,
  atExit,
  type Service,
  type ServiceOptions,
  startService,
  temporaryFolder,
} from '#test/support/service.ts'
import { signUp, usage, withKey } from './client.ts'

export const FILE_BYTES_MAX = 26_214_400
export const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

export interface ScanBody {
  scanId: string
  status: 'clean' | 'infected'
  threat: string | null
  fileName: string
  fileSize: number
  contentType: string | null
  scannedAt: string
}

interface Plan {
  scansPerMonth: number
  keysPerMonth: number
  scansPerSecond: number
  burst: number
}

const GENEROUS: Plan = { scansPerMonth: 100_000, keysPerMonth: 100, scansPerSecond: 10_000, burst: 10_000 }

/** Path of a plans file without limits, except for the given ones. */
export function plansFile(free: Partial<Plan> = {}): string {
  const folder = temporaryFolder('plans')
  atExit(() => rmSync(folder, { recursive: true, force: true }))
  const file = path.join(folder, 'plans.json')
  writeFileSync(file, JSON.stringify({ free: { ...GENEROUS, ...free } }))
  return file
}

export interface ScanService extends Service {
  /** A new key. */
  newKey(): Promise<string>
  scan(key: string, content: Content, options?: ScanOptions): Promise<Answer>
  /** Charged scans of this key. */
  used(key: string): Promise<number>
}

export async function startScanService(
  {
    plan,
    ...env
  }: {
    plan?: Partial<Plan>
    [name: `DOCVET_${string}`]: string | undefined
    TMPDIR?: string
    NODE_COMPILE_CACHE?: string
    [name: `MALLOC_${string}`]: string
  } = {},
  options: ServiceOptions = {},
): Promise<ScanService> {
  const started = await startService(
    { ...ALL_WORKERS, DOCVET_PLANS_FILE: plansFile(plan), ...env },
    { readyTimeoutMs: 60_000, ...options },
  )
  const { port } = started
  return Object.assign(started, {
    newKey: async () => (await signUp(port)).apiKey,
    scan: (key: string, content: Content, how?: ScanOptions) => scan(port, key, content, how),
    used: async (key: string) => ((await usage(port, withKey(key))).json() as { scansUsed: number }).scansUsed,
  })
}

export const BOUNDARY = 'docvet-test-0123456789'
export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`

type Content = string | Uint8Array

/** A part with exactly these header lines. */
export function part(headerLines: string[], content: Content = ''): Buffer {
  const head = [`--${BOUNDARY}`, ...headerLines, '', ''].join('\r\n')
  return Buffer.concat([Buffer.from(head), Buffer.from(content), Buffer.from('\r\n')])
}

export interface FilePart {
  name?: string
  fileName?: string
  /** Null omits Content-Type. */
  type?: string | null
}

export function filePart(content: Content, { name = 'file', fileName = 'a.txt', type = 'text/plain' }: FilePart = {}) {
  const lines = [`Content-Disposition: form-data; name="${name}"; filename="${fileName}"`]
  if (type !== null) lines.push(`Content-Type: ${type}`)
  return part(lines, content)
}

export const form = (...parts: Buffer[]): Buffer => Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)])

export interface ScanOptions extends FilePart {
  headers?: Record<string, string>
  timeoutMs?: number
  localAddress?: string
}

export function scan(port: number, key: string, content: Content, options: ScanOptions = {}): Promise<Answer> {
  const { headers, timeoutMs, localAddress, ...file } = options
  return request(port, 'POST', '/api/v1/scan', {
    headers: { ...withKey(key), 'content-type': FORM_TYPE, ...headers },
    body: form(filePart(content, file)),
    ...(timeoutMs && { timeoutMs }),
    ...(localAddress && { localAddress }),
  })
}

/** For an application inside the test process. */
export const cleanEngine: Engine = {
  name: 'fake',
  inspect: async () => ({ kind: 'clean' }),
  health: () => ({
    ...{ name: 'fake', status: 'UP', version: '1', signatures: null, signaturesAt: null, detail: null },
  }),
  version: () => ({ version: '1', signatures: null }),
  close: async () => {},
}

/** The body of a 200. */
export function scanned(answer: Answer): ScanBody {
  assert.equal(answer.status, 200, answer.body)
  return answer.json() as ScanBody
}

export function assertClean(answer: Answer): ScanBody {
  const body = scanned(answer)
  assert.deepEqual([body.status, body.threat], ['clean', null])
  return body
}

export function assertInfected(answer: Answer, threat: string | RegExp): ScanBody {
  const body = scanned(answer)
  assert.equal(body.status, 'infected', answer.body)
  if (typeof threat === 'string') assert.equal(body.threat, threat)
  else assert.match(body.threat ?? '', threat)
  return body
}

/** Lines of text: one repeated letter could match a rule. */
export function textOf(bytes: number): Buffer {
  const text = Buffer.alloc(bytes)
  text.fill('The quick brown fox jumps over the lazy dog, and nobody minds.\n')
  return text
}

/** Reads the SQLite file of the service. */
/** Every byte that SQLite keeps, also of deleted rows. */
export const storedBytes = ({ dataDir }: { dataDir: string }): string =>
  ['', '-wal'].map((end) => readFileSync(path.join(dataDir, `docvet.sqlite${end}`), 'latin1')).join()

export function query<T>({ dataDir }: { dataDir: string }, sql: string, ...values: (string | number)[]): T[] {
  const database = new DatabaseSync(path.join(dataDir, 'docvet.sqlite'), { readOnly: true })
  try {
    return database.prepare(sql).all(...values) as T[]
  } finally {
    database.close()
  }
}

/** Files below the folder that contain these bytes. */
export function filesWith(folder: string, marker: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return entries
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).includes(marker))
}
