import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  keyCreated,
  type Message,
  passwordChanged,
  passwordReset,
  SHOWN_NAME_LENGTH_MAX,
  usageReached,
} from './messages.ts'

const AT = Date.parse('2026-11-15T06:30:43.123Z')
const publicUrl = 'https://scan.example.org'
const usage = { keyName: 'Build', lastFour: 'bFWr', used: 7_500, quota: 10_000, period: '2026-11', publicUrl }

const listedKey = { name: 'Build server', prefix: 'dv_live_aB3d', lastFour: 'bFWr' }

const MESSAGES: [name: string, message: Message, facts: string[]][] = [
  [
    'passwordReset',
    passwordReset({ link: `${publicUrl}/reset?a=1&b=2#token=abc`, minutes: 10 }),
    [`${publicUrl}/reset?a=1&b=2#token=abc`, '10 minutes'],
  ],
  ['passwordChanged', passwordChanged({ at: AT, keys: [], publicUrl }), ['2026-11-15 06:30 UTC', publicUrl]],
  [
    'passwordChanged with active keys',
    passwordChanged({ at: AT, keys: Array.from({ length: 23 }, () => listedKey), publicUrl }),
    ['"Build server" (dv_live_aB3d…bFWr)', 'and 3 more', `${publicUrl}/keys`],
  ],
  [
    'keyCreated',
    keyCreated({ name: 'Build server', lastFour: 'bFWr', at: AT, publicUrl }),
    ['"Build server"', 'bFWr', '2026-11-15 06:30 UTC', publicUrl],
  ],
  ...([75, 90, 100] as const).map((share): [string, Message, string[]] => [
    `usageReached ${share}`,
    usageReached({ ...usage, share }),
    ['"Build"', 'bFWr', '7,500', '10,000', `${share} %`, '2026-11', publicUrl],
  ]),
]

/** The visible text of the HTML part. */
function readable(html: string): string {
  const body = html.slice(html.indexOf('<body'))
  const words = body.replace(/<a href="([^"]*)"[^>]*>([^<]*)<\/a>/g, '$2:').replace(/<[^>]*>/g, '')
  const signs: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' }
  return words.replace(/&(?:lt|gt|quot|#39|amp);/g, (sign) => signs[sign]!)
}

const wordsOf = (text: string) => text.split(/\s+/).filter((word) => word !== '')

for (const [name, message, facts] of MESSAGES) {
  describe(name, () => {
    test('has the same text in both parts', () => {
      for (const fact of facts) assert.ok(message.text.includes(fact), fact)
      assert.deepEqual(wordsOf(readable(message.html)), wordsOf(message.text))
    })

    test('links only to the public URL and loads no resources', () => {
      for (const part of [message.text, message.html]) {
        for (const [link] of part.matchAll(/[a-z]+:\/\/[^\s"<]*/gi)) assert.ok(link.startsWith(publicUrl), link)
      }
      assert.doesNotMatch(message.html, /<(?:img|script|link|style|iframe|object|form)|\bsrc=|url\(|@import/i)
      for (const [, href] of message.html.matchAll(/href="([^"]*)"/g)) assert.ok(href?.startsWith(publicUrl), href)
    })

    test('has a one-line subject without secrets', () => {
      assert.match(message.subject, /^[\x20-\x7e]{10,70}$/)
      assert.doesNotMatch(message.subject, /token|bFWr|Build/)
    })
  })
}

test('each usage threshold has its own subject', () => {
  const subjects = ([75, 90, 100] as const).map((share) => usageReached({ ...usage, share }).subject)
  assert.equal(new Set(subjects).size, 3)
})

describe('a name chosen by a user', () => {
  const inKey = (name: string) => keyCreated({ name, lastFour: 'bFWr', at: AT, publicUrl })
  const inUsage = (keyName: string) => usageReached({ ...usage, keyName, share: 90 })
  const inList = (name: string) => passwordChanged({ at: AT, keys: [{ ...listedKey, name }], publicUrl })
  const both = (name: string) => [inKey(name), inUsage(name), inList(name)]

  test('cannot break out of the HTML', () => {
    for (const { html, text } of both(`</p><script>alert(1)</script><a href='x' onclick="y">&amp;`)) {
      assert.doesNotMatch(html, /<script|<a href='|onclick="/)
      assert.ok(html.includes('&lt;/p&gt;&lt;script&gt;alert(1)&lt;/script&gt;'), html)
      assert.deepEqual(wordsOf(readable(html)), wordsOf(text))
    }
  })

  test('stays on one line without control or invisible characters', () => {
    const plain = both('a b')
    const forged = both('a\r\n\r\nb')
    assert.deepEqual(forged, plain)
    for (const sign of ['\n', '\r', '\u0085', '\u2028', '\u2029', '\v', '\f', '\0', '\u001b', '\u202e', '\u200b']) {
      assert.deepEqual(both(`a${sign}b`), plain, JSON.stringify(sign))
    }
    assert.deepEqual(both('a\ud800b'), plain)
  })

  test('cannot end its quotes', () => {
    for (const { text } of both('x", and it is fine. "y')) assert.ok(text.includes(`"x', and it is fine. 'y"`), text)
  })

  test('cannot become a link in a mail client', () => {
    const names: [string, string][] = [
      ['https://evil.example/a', 'https[:]//evil[.]example/a'],
      ['www.evil.example', 'www[.]evil[.]example'],
      ['help@evil.example', 'help@evil[.]example'],
      ['evil.xn--p1ai', 'evil[.]xn--p1ai'],
      ['Build 1.2: fast.', 'Build 1.2: fast.'],
    ]
    for (const [name, shown] of names) {
      for (const { text, html } of both(name)) {
        assert.ok(text.includes(`"${shown}"`), text)
        assert.ok(html.includes(`&quot;${shown}&quot;`), html)
      }
    }
  })

  test(`is cut past ${SHOWN_NAME_LENGTH_MAX} characters`, () => {
    const dogs = (count: number) => '🐕'.repeat(count)
    assert.ok(inKey(dogs(100)).text.includes(`"${dogs(100)}"`))
    assert.ok(inKey(dogs(101)).text.includes(`"${dogs(100)}…"`))
  })
})
