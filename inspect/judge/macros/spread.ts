/** Macros that copy themselves, mail themselves, or report to a server. */

import type { Definition } from '#inspect/catalogue/definition.ts'
import { MACROS } from '#inspect/catalogue/macros.ts'
import type { BasicEffect, BasicReading } from '#inspect/programs/basic/basic.ts'
import { hasPartFrom } from '#inspect/programs/basic/values.ts'
import { classifyTarget, reachOf } from '#inspect/targets/targets.ts'
import { isBareServer } from '../references.ts'

interface Judged {
  definition: Definition
  text: string
}

/** Only of code that runs by itself: by a click, people send documents and copy modules on purpose. */
export function judgeSpread({ effects, mentions }: BasicReading): Judged[] {
  const automatic = effects.filter(({ isAutomatic }) => isAutomatic)
  return [copies(automatic), mails(automatic, mentions), reports(automatic)].filter((found) => found !== null)
}

/** A module that is written to a file and read into another project, or the document on every disk. */
function copies(effects: readonly BasicEffect[]): Judged | null {
  const exported = new Set(effects.filter(({ kind }) => kind === 'export').map(({ text }) => text.toLowerCase()))
  const found = effects.find(
    ({ kind, text, copiesItself }) =>
      (kind === 'rewrite' && exported.has(text.toLowerCase())) || (copiesItself === true && hasPartFrom('drive', text)),
  )
  return found === undefined ? null : { definition: MACROS.replication, text: found.text }
}

const ADDRESS_BOOK = [
  'addressentries',
  'addresslists',
  'getglobaladdresslist',
  'email1address',
  'olfoldercontacts',
  'exchangeuser',
  'reply',
  'replyall',
  'senderemailaddress',
]

/** To people of the address book. Mails to an address that is in the macro are ordinary. */
function mails(effects: readonly BasicEffect[], mentions: ReadonlySet<string>): Judged | null {
  if (!effects.some(({ kind }) => kind === 'mail') || !ADDRESS_BOOK.some((name) => mentions.has(name))) return null
  const attachesItself = effects.some(
    ({ kind, text, name }) => (kind === 'attach' && hasPartFrom('self', text)) || name === 'sendmail',
  )
  return attachesItself ? { definition: MACROS.massMailer, text: '' } : null
}

const IDENTITIES = [
  /%username%|\bwhoami\b/i,
  /%computername%/i,
  /%user(?:dns)?domain%|%logonserver%/i,
  /%(?:processor_\w+|os|number_of_processors)%/i,
]
const SECRET_FILE =
  /logins\.json|login data|\\cookies|key[34]\.db|\.ssh\\|id_rsa|wallet\.dat|\.kdbx|\\credentials\\|web data|\.pst\b|\\microsoft\\protect/i

/** Names of the user and the computer, or secrets, for a server on the internet. */
function reports(effects: readonly BasicEffect[]): Judged | null {
  const requests = effects.filter(
    ({ kind, copiesItself }) => kind === 'fetch' || kind === 'document' || (kind === 'save' && copiesItself === true),
  )
  const servers = requests.filter(({ text }) => {
    const { kind, host } = classifyTarget(text)
    return /^(?:web|webIp|share)$/.test(kind) && reachOf(host) !== 'company'
  })
  const [server] = servers
  if (server === undefined) return null
  const sent = [...servers, ...effects.filter(({ kind }) => kind === 'send')].map(({ text }) => text).join(' ')
  const names = IDENTITIES.filter((pattern) => pattern.test(sent)).length + (sent.match(IDENTITY_GAP)?.length ?? 0)
  const bare = servers.find(({ text }) => isBareServer(classifyTarget(text), text))
  const sendsFile = hasPartFrom('file', sent) || servers.some(({ copiesItself }) => copiesItself === true)
  const readsSecret = effects.some(({ kind, text }) => kind === 'read' && SECRET_FILE.test(text))
  if (sendsFile && readsSecret) return { definition: MACROS.spy, text: server.text }
  if (bare !== undefined && (names > 0 || sendsFile)) return { definition: MACROS.spy, text: bare.text }
  if (names >= NAMES_MIN) return { definition: MACROS.beacon, text: server.text }
  const share = servers.find(({ text }) => classifyTarget(text).kind === 'share')
  return share === undefined ? null : { definition: MACROS.beacon, text: share.text }
}

/** A licence is often checked with one. */
const NAMES_MIN = 2
const IDENTITY_GAP = /\ufffd\u2062/g
