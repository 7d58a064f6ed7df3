/** How every client of ICAP reads every response, with the options of its recipe: nothing but clean is taken for clean. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { icapReply, OUTCOMES, type OutcomeName } from '#listeners/outcomes.ts'
import { type Listener, parseListeners } from '#listeners/specification.ts'
import { outcomeResponse, statusResponse, unmodifiedMessage } from './responses.ts'

/** `refused`: neither clean nor infected; the client reports an error, defers or refuses. */
type Reading = 'clean' | 'infected' | 'refused'

interface IcapClient {
  /** All bytes of the response. */
  read(response: string): Reading
  method: 'REQMOD' | 'RESPMOD'
  /** Parameters of its recipe. */
  recipe: string
  /** Its page in docs/connect/. */
  page: string
  /** It takes an error for clean, so that its page begins with a warning. */
  failsOpen?: true
}

const statusOf = (response: string): number => Number(/^ICAP\/1\.0 (\d{3}) /.exec(response)?.[1])
const headOf = (response: string): string => response.slice(0, response.indexOf('\r\n\r\n'))
const httpOf = (response: string): string => headOf(response.slice(headOf(response).length + 4))
const field = (head: string, name: string): string | null =>
  new RegExp(`^${name}: (.*)$`, 'm').exec(head)?.[1]?.trim() ?? null

/** Errors are errors, and the page is a block. */
function strict(response: string): Reading {
  const status = statusOf(response)
  if (status === 204) return 'clean'
  if (status !== 200) return 'refused'
  const isBlocked = field(headOf(response), 'X-Infection-Found') !== null || /^HTTP\/1\.\d 403 /.test(httpOf(response))
  return isBlocked ? 'infected' : 'clean'
}

/** Nextcloud reads no header after 204. A 500 with one of these codes is "unscannable", and all else fails. */
function nextcloud(response: string): Reading {
  if (statusOf(response) === 204) return 'clean'
  if (statusOf(response) !== 200) return 'refused'
  const isFound =
    /\r\nX-Infection-Found: /.test(response) || httpOf(response).split('\r\n')[0]?.includes('403 Forbidden')
  return isFound ? 'infected' : 'clean'
}

/** Reads the header up to `Encapsulated` only. */
function ownCloud(response: string): Reading {
  if (statusOf(response) === 204) return 'clean'
  if (statusOf(response) !== 200) return 'refused'
  const read = response.slice(0, response.indexOf('\r\nEncapsulated:'))
  return read.includes('\r\nX-Infection-Found: ') ? 'infected' : 'clean'
}

/** Never looks at the status: a header, or a line with a status 403, is a threat. Later start lines replace earlier ones. */
function ocis(response: string): Reading {
  const [head = ''] = response.split('\r\nEncapsulated:')
  const startLines = response.split('\r\n').filter((line) => line.includes('HTTP/1.1') || line.includes('ICAP/1.0'))
  const isBlocked = startLines.some((line) => line.startsWith('HTTP/1.1 403'))
  return head.includes('\r\nX-Infection-Found: ') || isBlocked ? 'infected' : 'clean'
}

/** As its Lua source: `fail` for `Type=2` and for 4xx and 5xx, the name up to the last semicolon. */
function rspamd(response: string): Reading {
  const head = headOf(response)
  if (/^ICAP\/1\.. [45]\d\d/.test(head)) return 'refused'
  if (!/^ICAP\/1\.. 2\d\d/.test(head)) return 'refused'
  const found = field(head, 'X-Infection-Found')
  if (found !== null) {
    const [, type, , threat] = /Type=(.*?); Resolution=(.*?); Threat=(.*?);$/.exec(found) ?? []
    if (type === '2') return 'refused'
    assert.ok(threat, 'otherwise the whole field becomes the name')
    return 'infected'
  }
  if (field(head, 'X-Virus-ID') !== null) return 'infected'
  if (field(head, 'Encapsulated')?.includes('null-body=0')) return 'clean'
  const http = httpOf(response)
  if (!/^HTTP\/[12]\.. [234]\d\d/.test(http)) return 'refused'
  return /^HTTP\/[12]\.. 4\d\d/.test(http) ? 'infected' : 'clean'
}

const CLIENTS: Record<string, IcapClient> = {
  'Nextcloud, reqmod': { read: nextcloud, method: 'REQMOD', recipe: 'unscannable=error', page: 'nextcloud-icap.md' },
  'Nextcloud, respmod': { read: nextcloud, method: 'RESPMOD', recipe: 'unscannable=error', page: 'nextcloud-icap.md' },
  'ownCloud 10': { read: ownCloud, method: 'REQMOD', recipe: 'failure=found', page: 'owncloud.md' },
  'oCIS and OpenCloud': { read: ocis, method: 'REQMOD', recipe: 'failure=found', page: 'owncloud.md', failsOpen: true },
  rspamd: { read: rspamd, method: 'RESPMOD', recipe: '', page: 'rspamd.md' },
  'Squid, downloads': { read: strict, method: 'RESPMOD', recipe: '', page: 'squid.md' },
  'Squid, uploads': { read: strict, method: 'REQMOD', recipe: '', page: 'squid.md' },
  'MOVEit and firewalls': { read: strict, method: 'REQMOD', recipe: '', page: 'icap.md' },
}

const NAMES = Object.keys(OUTCOMES) as OutcomeName[]
const IS_CLEAN: readonly OutcomeName[] = ['clean', 'empty', 'passed']
const CONTEXT = { tag: '"0123"', isLast: false }
const PAGES = new URL('../../../docs/connect/', import.meta.url)
const KEY = '019a8b1c-7f4e-7c3a-9d2b-5e6f70819203'

function listenerOf(recipe: string): Listener {
  const parsed = parseListeners('icap', `tcp://127.0.0.1:1344?key=${KEY}${recipe === '' ? '' : `&${recipe}`}`)
  const [listener] = 'value' in parsed ? parsed.value : []
  assert.ok(listener)
  return listener
}

/** Both ways of an unmodified message, and the only one of the others. */
function responsesOf(name: OutcomeName, recipe: string, method: IcapClient['method'], threat: string): string[] {
  const listener = listenerOf(recipe)
  const response = outcomeResponse({ name, threat }, listener, CONTEXT)
  assert.equal(response === null, icapReply({ name }, listener).kind === 'unmodified')
  if (response !== null) return [response.toString('latin1')]
  const [section, header] =
    method === 'REQMOD' ? ['req-hdr', 'PUT /a HTTP/1.0\r\n\r\n'] : ['res-hdr', 'HTTP/1.0 200 OK\r\n\r\n']
  const sections = [{ name: section, bytes: Buffer.from(header) }]
  const whole = Buffer.concat([
    ...unmodifiedMessage({ method, sections, body: [Buffer.from('Good morning')] }, CONTEXT),
  ])
  return [statusResponse(204, CONTEXT).toString('latin1'), whole.toString('latin1')]
}

/** Of a document, chosen by its sender. */
const THREATS = ['Docvet.Test.Eicar', 'a; b', 'a\r\n\r\nICAP/1.0 204 Unmodified', 'HTTP/1.1 200 OK', '', 'no threats']

for (const [client, { read, method, recipe, page, failsOpen }] of Object.entries(CLIENTS)) {
  describe(client, () => {
    for (const name of NAMES) {
      test(`${name} is ${IS_CLEAN.includes(name) ? 'clean' : 'never clean'}`, () => {
        for (const threat of THREATS) {
          for (const response of responsesOf(name, recipe, method, threat)) {
            const reading = read(response)
            assert.equal(reading === 'clean', IS_CLEAN.includes(name), response)
            if (name === 'infected') assert.equal(reading, 'infected')
          }
        }
      })
    }

    test('has a page with its options', () => {
      const text = readFileSync(new URL(page, PAGES), 'utf8')
      const settings = [...text.matchAll(/^DOCVET_ICAP_LISTEN=(.+)$/gm)].map(([, setting = '']) => setting)
      assert.ok(settings.length > 0, 'it has no setting')
      for (const setting of settings) assert.ok(setting.includes(recipe), `${setting} does not have ${recipe}`)
      if (failsOpen)
        assert.match(text.split('\n')[2] ?? '', /accept/, 'its first line must say that errors are accepted')
    })
  })
}

test('a client that accepts errors would do so without its recipe', () => {
  for (const { read, method, failsOpen } of Object.values(CLIENTS)) {
    const [response = ''] = responsesOf('failed', '', method, '')
    assert.equal(read(response) === 'clean', failsOpen === true)
  }
})

describe('the setting of a recipe', () => {
  for (const page of globSync('[a-z]*.md', { cwd: PAGES })) {
    const text = readFileSync(new URL(page, PAGES), 'utf8')
    for (const [, setting = ''] of text.matchAll(/^DOCVET_ICAP_LISTEN=(.+)$/gm)) {
      test(`of ${page} is valid`, () => {
        const parsed = parseListeners('icap', setting.replaceAll('<key id>', KEY))
        assert.ok('value' in parsed, 'wrong' in parsed ? parsed.wrong : '')
      })
    }
  }
})
