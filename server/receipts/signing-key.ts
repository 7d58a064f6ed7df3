/** The private key of receipts: that of the configuration, or one in the data folder, which can be rotated while the service runs. */
import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { publicJwkOf, thumbprintOf } from '#base/dsse.ts'

const FILE = 'receipt-key.pem'
/** How soon a process notices that the file has been replaced. */
const LOOK_EVERY_MS = 1_000

export interface SigningKey {
  kid: string
  key: KeyObject
}

function parseKey(pem: string): SigningKey {
  const key = createPrivateKey(pem)
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('The key is not an Ed25519 key')
  return { kid: thumbprintOf(publicJwkOf(key)), key }
}

const newPem = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }) as string

/** Writes a file completely or not at all. `place` moves the draft to its name. */
function writeKey(dataDir: string, place: (draft: string, path: string) => void): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const path = join(dataDir, FILE)
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, newPem(), { mode: 0o600, flush: true })
  try {
    place(draft, path)
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Several processes get the same key, because only one of them can link it. */
function createIfMissing(dataDir: string): void {
  writeKey(dataDir, (draft, path) => {
    try {
      linkSync(draft, path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  })
}

/** Replaces the key in the data folder, and returns the new one. */
export function replaceKey(dataDir: string): SigningKey {
  writeKey(dataDir, renameSync)
  return parseKey(readFileSync(join(dataDir, FILE), 'utf8'))
}

interface KeySettings {
  receiptKey: string | null
  databaseUrl: string | null
  dataDir: string
}

/** Replicas with data folders of their own would each have another key. */
export const keyProblem = ({ receiptKey, databaseUrl }: KeySettings): string | null =>
  receiptKey === null && databaseUrl !== null
    ? 'Receipts are off: with PostgreSQL, set DOCVET_RECEIPT_KEY_FILE to the same Ed25519 key on all replicas.'
    : null

/** Null if there is none. */
export function openSigningKey(settings: KeySettings): (() => SigningKey) | null {
  if (settings.receiptKey !== null) {
    const key = parseKey(settings.receiptKey)
    return () => key
  }
  if (keyProblem(settings) !== null) return null
  const path = join(settings.dataDir, FILE)
  const read = (): { key: SigningKey; changedMs: number; lookedMs: number } => {
    const { mtimeMs: changedMs } = statSync(path)
    return { key: parseKey(readFileSync(path, 'utf8')), changedMs, lookedMs: performance.now() }
  }
  const start = () => {
    try {
      return read()
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      createIfMissing(settings.dataDir)
      return read()
    }
  }
  let current = start()
  return () => {
    if (performance.now() - current.lookedMs < LOOK_EVERY_MS) return current.key
    const changedMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? current.changedMs
    // A file that is gone or cannot be read is no reason to lose verdicts: the key in memory is still right.
    if (changedMs === current.changedMs) current.lookedMs = performance.now()
    else current = read()
    return current.key
  }
}
