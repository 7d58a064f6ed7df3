/** The specification of a listener: addresses, keys and options, and the sentences that refuse a wrong one. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Listener, listenerWarnings, parseListeners } from './specification.ts'

const KEY = '0190a0b0-1111-7222-8333-444455556666'
const TCP = `tcp://127.0.0.1:3310?key=${KEY}`
const UNIX = `unix:/run/docvet/clamd.ctl?key=${KEY}`

function parsed(text: string, protocol: 'clamd' | 'icap' = 'clamd'): Listener[] {
  const result = parseListeners(protocol, text)
  assert.ok('value' in result, 'wrong' in result ? result.wrong : '')
  return result.value
}

function wrong(text: string, protocol: 'clamd' | 'icap' = 'clamd'): string {
  const result = parseListeners(protocol, text)
  assert.ok('wrong' in result, 'it was accepted')
  return result.wrong
}

describe('a listener', () => {
  test('has options of its protocol by default', () => {
    const [clamd] = parsed(TCP)
    assert.deepEqual(clamd, {
      protocol: 'clamd',
      url: 'tcp://127.0.0.1:3310',
      address: { host: '127.0.0.1', port: 3310 },
      keyId: KEY,
      unscannable: 'error',
      failure: 'error',
      other: 'default',
      from: null,
      tls: null,
    })
    assert.equal(parsed(TCP, 'icap')[0]?.unscannable, 'found')
  })

  test('on a unix socket has a mode and a group', () => {
    const [listener] = parsed(`${UNIX}&mode=0660&group=www-data`)
    assert.deepEqual(listener?.address, { path: '/run/docvet/clamd.ctl', mode: 0o660, group: 'www-data' })
    assert.deepEqual(parsed(UNIX)[0]?.address, { path: '/run/docvet/clamd.ctl', mode: null, group: null })
  })

  test('can be one of several, although values contain commas', () => {
    const first = `tcp://0.0.0.0:3310?key=${KEY}&from=10.0.0.0/8,fd00::/8&tls=cert.pem,key.pem&other=pass:image,video`
    const [open, local] = parsed(`${first}, ${UNIX}`)
    assert.deepEqual(open?.from, ['10.0.0.0/8', 'fd00::/8'])
    assert.deepEqual(open?.other, { pass: ['image', 'video'] })
    assert.match(open?.tls?.cert ?? '', /\/cert\.pem$/)
    assert.equal(local?.url, 'unix:/run/docvet/clamd.ctl')
  })

  test('may have an IPv6 address', () => {
    assert.deepEqual(parsed(`tcp://[::1]:3310?key=${KEY}`)[0]?.address, { host: '::1', port: 3310 })
  })

  for (const [failure, protocol] of [
    ['error', 'clamd'],
    ['close', 'clamd'],
    ['limits', 'clamd'],
    ['error', 'icap'],
    ['found', 'icap'],
  ] as const) {
    test(`of ${protocol} can have failure=${failure}`, () => {
      assert.equal(parsed(`${TCP}&failure=${failure}`, protocol)[0]?.failure, failure)
    })
  }
})

const REFUSED: [text: string, sentence: RegExp, protocol?: 'icap'][] = [
  ['tcp://127.0.0.1:3310', /has no key: add \?key=/],
  [`tcp://127.0.0.1:3310?key=dv_live_abc`, /not its secret/],
  ['tcp://127.0.0.1:3310?key=abc', /is not the id of an API key/],
  [`tcp://0.0.0.0:3310?key=${KEY}`, /can be reached from other machines: add from=/],
  [`tcp://[::]:3310?key=${KEY}`, /add from=/],
  [`tcp://example.com:3310?key=${KEY}`, /add from=/],
  [`tcp://127.0.0.1:0?key=${KEY}`, /between 1 and 65535/],
  [`tcp://127.0.0.1:65536?key=${KEY}`, /between 1 and 65535/],
  [`tcp://127.0.0.1?key=${KEY}`, /must be tcp:\/\/host:port or unix:\/path/],
  [`http://127.0.0.1:3310?key=${KEY}`, /must be tcp/],
  [`unix:run.ctl?key=${KEY}`, /full path/],
  [`unix:/${'a'.repeat(107)}?key=${KEY}`, /at most 107 bytes/],
  [`${TCP}&mode=0660`, /unknown parameter mode; known are key, unscannable, failure, other, from, tls/],
  [`${UNIX}&from=10.0.0.0/8`, /unknown parameter from/],
  [`${TCP}&ttl=3`, /unknown parameter ttl/],
  [`${TCP}&failure=found`, /must be error or close or limits/],
  [`${TCP}&failure=limits`, /must be error or found/, 'icap'],
  [`${TCP}&unscannable=clean`, /must be error or found/],
  [`${TCP}&unscannable=error&unscannable=found`, /twice/],
  [`${TCP}&other=pass`, /must be error, clamd or pass:/],
  [`${TCP}&other=pass:application`, /must be error, clamd or pass:/],
  [`${TCP}&from=10.0.0.0/33`, /IP addresses and networks/],
  [`${TCP}&from=anyone`, /IP addresses and networks/],
  [`${TCP}&tls=cert.pem`, /certificate and its key/],
  [`${UNIX}&mode=999`, /octal/],
  [`${UNIX}&group=a b`, /name or number of a group/],
  [`${TCP}, ${TCP}`, /named twice/],
]

describe('the start is refused', () => {
  for (const [text, sentence, protocol] of REFUSED) {
    test(text, () => assert.match(wrong(text, protocol), sentence))
  }
})

test('the longest path of a socket is accepted', () => {
  assert.equal(parsed(`unix:/${'a'.repeat(106)}?key=${KEY}`).length, 1)
})

test('content that passes without an inspection is warned of', () => {
  const [warning, ...more] = listenerWarnings(parsed(`${TCP}&other=pass:image,font, ${UNIX}`))
  assert.match(warning ?? '', /image, font pass without an inspection/)
  assert.deepEqual(more, [])
})
