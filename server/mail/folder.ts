/** Writes mail to files if no mail server is configured; the log names each file. */
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import MailComposer from 'nodemailer/lib/mail-composer'
import { newId } from '#base/ids.ts'
import type { Log } from '#base/log.ts'
import { composed, type Mail, type Transport } from './transport.ts'

/** Past this, the oldest files are deleted. */
export const FILES_MAX = 1_000
/** Older temporary files were left behind by a process that ended. */
const UNFINISHED_MS = 60 * 60 * 1000

/** `20261115T063043Z`: sorts by time. */
const stamp = (date: Date): string => `${date.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`

function fileName({ date, messageId }: Mail): string {
  const [id = ''] = messageId.split('@')
  return `${stamp(date)}-${id.replaceAll(/[^A-Za-z0-9-]/g, '')}.eml`
}

export const mailFolder = (dataDir: string): string => join(dataDir, 'outbox')

/** Null if another process has just deleted the file. */
const readIfPresent = (path: string): Promise<string | null> => readFile(path, 'utf8').catch(nullIfMissing)

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}

/** In lower case; empty without one. */
function recipientOf(content: string): string {
  const [head = ''] = content.split('\r\n\r\n', 1)
  const [, address = ''] = /^To:(.*)$/im.exec(head.replaceAll(/\r\n[ \t]+/g, ' ')) ?? []
  return address.trim().toLowerCase()
}

/** The files with mail to an address, given in lower case; also unfinished ones. */
export async function findMailFiles(folder: string, emailKey: string): Promise<{ file: string; content: string }[]> {
  const found: { file: string; content: string }[] = []
  for (const file of ((await readdir(folder).catch(nullIfMissing)) ?? []).sort()) {
    const content = /\.(?:eml|tmp)$/.test(file) ? await readIfPresent(join(folder, file)) : null
    if (content !== null && recipientOf(content) === emailKey) found.push({ file, content })
  }
  return found
}

export async function deleteMailFiles(folder: string, emailKey: string): Promise<void> {
  for (const { file } of await findMailFiles(folder, emailKey)) await rm(join(folder, file), { force: true })
}

const linksIn = (text: string): string[] => text.match(/https?:\/\/[^\s<>"]+/g) ?? []

interface FolderOptions {
  folder: string
  /** Logs the links of each mail. Only for local use, because reset links are secrets. */
  showLinks: boolean
  log: Log
}

export function createFolderTransport({ folder, showLinks, log }: FolderOptions): Transport {
  async function removeOld(): Promise<void> {
    const names = (await readdir(folder)).sort()
    const unfinishedBefore = stamp(new Date(Date.now() - UNFINISHED_MS))
    const leftover = names.filter((name) => name.endsWith('.tmp') && name < unfinishedBefore)
    const written = names.filter((name) => name.endsWith('.eml'))
    const old = written.slice(0, Math.max(0, written.length - FILES_MAX))
    for (const name of [...leftover, ...old]) await rm(join(folder, name), { force: true })
  }

  return {
    async send(mail, signal) {
      const content = await new MailComposer({ ...composed(mail), newline: 'windows' }).compile().build()
      signal.throwIfAborted()
      const file = join(folder, fileName(mail))
      // Named by the current time, because the mail may be old.
      const unfinished = join(folder, `${stamp(new Date())}-${newId()}.tmp`)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      try {
        await writeFile(unfinished, content, { mode: 0o600, flag: 'wx', flush: true })
        await rename(unfinished, file)
      } catch (error) {
        await rm(unfinished, { force: true })
        throw error
      }
      const links = showLinks ? linksIn(mail.text) : undefined
      log.info({ file, subject: mail.subject, links }, 'Mail written to a file')
      await removeOld().catch((error) => log.warn({ err: error }, 'Failed to delete old mail files'))
    },
    async close() {},
  }
}
