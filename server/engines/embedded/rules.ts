/** Rule files of a folder: read in order of their names, and read again when one of them changes. */
import { constants } from 'node:fs'
import { open, readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { type BadFile, Complaint, messageOf } from './complaint.ts'

export interface RuleFile {
  name: string
  text: string
  changedMs: number
}

export interface RuleSet {
  files: readonly RuleFile[]
  /** What is named like a rule file and cannot be read as one. */
  bad: readonly BadFile[]
  /** Differs as soon as a file comes, goes or changes. */
  fingerprint: string
}

export const NO_RULES: RuleSet = { files: [], bad: [], fingerprint: '' }

/** Of all files together. */
export const RULE_BYTES_MAX = 32 * 1024 * 1024
export const FILES_MAX = 1_000

const NOT_A_FILE = 'is not a file'
const UNREADABLE = 'cannot be read'
const ONE_TOO_MANY = `is one too many: ${FILES_MAX} files are allowed`
const TOO_LARGE = `is too large: all rules together may have ${RULE_BYTES_MAX} bytes`

/** Rejects when the folder cannot be read. */
export async function readRules(folder: string): Promise<RuleSet> {
  const entries = await listRules(folder)
  const files: RuleFile[] = []
  const bad: BadFile[] = []
  let left = RULE_BYTES_MAX
  for (const { name, reason, changedMs } of entries) {
    const read = reason ?? (await readText(path.join(folder, name), left))
    if (typeof read === 'string') bad.push({ name, reason: read })
    else {
      files.push({ name, text: read.text, changedMs })
      left -= read.bytes
    }
  }
  return { files, bad, fingerprint: fingerprintOf(entries) }
}

/** Like that of `readRules`, without reading a file. */
export async function fingerprint(folder: string): Promise<string> {
  return fingerprintOf(await listRules(folder))
}

interface Entry {
  name: string
  changedMs: number
  identity: string
  /** Why it is none. */
  reason: string | null
}

async function listRules(folder: string): Promise<Entry[]> {
  const names = await readdir(folder).catch((error) => {
    throw new Complaint(messageOf(error), 'the folder of the rules cannot be read')
  })
  const rules = names.filter((name) => /\.yara?$/.test(name)).sort()
  const entries = await Promise.all(rules.slice(0, FILES_MAX).map((name) => look(folder, name)))
  return [...entries, ...rules.slice(FILES_MAX).map((name) => useless(name, ONE_TOO_MANY))]
}

async function look(folder: string, name: string): Promise<Entry> {
  try {
    // Links are followed: where a folder is mounted from elsewhere, all of its files may be links.
    const found = await stat(path.join(folder, name))
    const { size, mtimeMs, ctimeMs, ino } = found
    if (!found.isFile()) return useless(name, NOT_A_FILE)
    // The time of the inode too: a file can be put in another's place with the same size and time.
    return { name, changedMs: mtimeMs, identity: `${name}:${size}:${mtimeMs}:${ctimeMs}:${ino}`, reason: null }
  } catch {
    return useless(name, UNREADABLE)
  }
}

function useless(name: string, reason: string): Entry {
  return { name, changedMs: 0, identity: `${name}:${reason}`, reason }
}

/** A reason if there is none. Whatever is at that place by now: to open a pipe would wait for its other end. */
async function readText(file: string, bytesMax: number): Promise<{ text: string; bytes: number } | string> {
  try {
    await using handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK)
    if (!(await handle.stat()).isFile()) return NOT_A_FILE
    const bytes = await buffer(handle.createReadStream({ start: 0, end: bytesMax }))
    return bytes.length > bytesMax ? TOO_LARGE : { text: bytes.toString(), bytes: bytes.length }
  } catch {
    return UNREADABLE
  }
}

function fingerprintOf(entries: readonly Entry[]): string {
  return entries.map(({ identity }) => identity).join('\n')
}
