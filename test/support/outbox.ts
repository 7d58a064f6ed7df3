/** Mail of a service without a mail server, read from its outbox folder. */

import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Service } from '#test/support/service.ts'

const WAIT_MS = 45_000

/** Decodes quoted-printable UTF-8. */
function decoded(eml: string): string {
  const bytes = eml
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_all, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

type Outbox = Pick<Service, 'dataDir' | 'output'>

export function mailTo(service: Outbox, address: string): string[] {
  const folder = path.join(service.dataDir, 'outbox')
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.endsWith('.eml'))
    .sort()
    .map((name) => decoded(readFileSync(path.join(folder, name), 'latin1')))
    .filter((eml) => eml.includes(`To: ${address}`))
}

/** Waits for `count` mails to this address with this text and returns the newest. */
export async function untilMail(service: Outbox, address: string, words: RegExp, count = 1): Promise<string> {
  const deadline = Date.now() + WAIT_MS
  for (;;) {
    const found = mailTo(service, address).filter((eml) => words.test(eml))
    if (found.length >= count) return found.at(-1) as string
    assert.ok(Date.now() < deadline, `only ${found.length} mails to ${address} with ${words}\n${service.output()}`)
    await sleep(50)
  }
}

/** The path of the newest reset link mailed to this address. */
export async function resetPathIn(service: Service, address: string, count = 1): Promise<string> {
  const eml = await untilMail(service, address, /#token=/, count)
  const link = /\/reset-password(?:\?first)?#token=[A-Za-z0-9_-]{43}\b/.exec(eml)?.[0]
  assert.ok(link, eml)
  return link
}

/** The token of the newest reset link mailed to this address. */
export async function resetLinkIn(service: Service, address: string, count = 1): Promise<string> {
  const eml = await untilMail(service, address, /#token=/, count)
  const token = /#token=([A-Za-z0-9_-]{43})\b/.exec(eml)?.[1]
  assert.ok(token, eml)
  return token
}
