/** Rule files of a folder: read in order of their names, and read again when one of them changes. */
import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'

export interface RuleSet {
  sources: readonly { name: string; text: string }[]
  /** Of the newest file; null without any. */
  changedAt: Date | null
  /** Differs as soon as a file comes, goes or changes. */
  fingerprint: string
}

export const NO_RULES: RuleSet = { sources: [], changedAt: null, fingerprint: '' }

const BYTES_MAX = 32 * 1024 * 1024

/** Rejects when the folder or a file cannot be read. */
export async function readRules(folder: string): Promise<RuleSet> {
  const files = await listRules(folder)
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  if (bytes > BYTES_MAX) throw new Error(`${folder} holds ${bytes} bytes of rules; ${BYTES_MAX} are allowed`)
  const sources = await Promise.all(
    files.map(async ({ name }) => ({ name, text: await readFile(path.join(folder, name), 'utf8') })),
  )
  const newestMs = Math.max(...files.map(({ changedMs }) => changedMs))
  return { sources, changedAt: files.length === 0 ? null : new Date(newestMs), fingerprint: fingerprintOf(files) }
}

/** Like that of `readRules`, without reading a file. */
export async function fingerprint(folder: string): Promise<string> {
  return fingerprintOf(await listRules(folder))
}

interface RuleFile {
  name: string
  size: number
  changedMs: number
  identity: string
}

async function listRules(folder: string): Promise<RuleFile[]> {
  const names = (await readdir(folder)).filter((name) => /\.yara?$/.test(name)).sort()
  const files = await Promise.all(
    names.map(async (name) => {
      const { size, mtimeMs, ctimeMs, ino } = await stat(path.join(folder, name))
      // The time of the inode too: a file can be put in another's place with the same size and time.
      return { name, size, changedMs: mtimeMs, identity: `${name}:${size}:${mtimeMs}:${ctimeMs}:${ino}` }
    }),
  )
  return files
}

function fingerprintOf(files: readonly RuleFile[]): string {
  return files.map(({ identity }) => identity).join('\n')
}
