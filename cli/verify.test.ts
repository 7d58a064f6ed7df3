/** `docvet verify` with statements and keys that nobody should sign or publish. */
import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { test } from 'node:test'
import { publicJwkOf, signBody } from '#base/dsse.ts'
import { commandFolder, runCommand } from '#test/support/command.ts'
import { openReceipt, parseKeys } from './receipt.ts'

const TYPE = 'application/vnd.in-toto+json'
const SHA256 = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'
const MIB = 1_048_576

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const jwk = publicJwkOf(publicKey)
const keySet = (...keys: unknown[]) => JSON.stringify({ keys })
const pemOf = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }) as string

const predicate = { scanId: 'x', verdict: 'clean', threat: null, obstacle: null, scannedAt: '2026-11-18T06:00:00.000Z' }
const statement = {
  _type: 'https://in-toto.io/Statement/v1',
  subject: [{ digest: { sha256: SHA256 } }],
  predicateType: 'https://docvet.example/receipt/v1',
  predicate,
}
const signed = (value: unknown) => {
  const body = Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value))
  const sig = signBody(TYPE, body, privateKey)
  return { payload: body.toString('base64'), payloadType: TYPE, signatures: [{ sig }] }
}
const open = (value: unknown, keys = keySet(jwk)) => openReceipt(JSON.stringify(signed(value)), parseKeys(keys))

const NO_RECEIPTS: Record<string, unknown> = {
  'no object': null,
  'no JSON': Buffer.from('{'),
  'a text that is not UTF-8': Buffer.from(JSON.stringify({ ...statement, more: '\xff' }), 'latin1'),
  'no subject': { ...statement, subject: undefined },
  'no subject in the list': { ...statement, subject: [] },
  'null as the subject': { ...statement, subject: [null] },
  'a subject without a digest': { ...statement, subject: [{ name: 'a' }] },
  'a subject with another digest': { ...statement, subject: [{ digest: { sha1: 'a' } }] },
  'a digest that is too long': { ...statement, subject: [{ digest: { sha256: `${SHA256}0` } }] },
  'a list as the digest': { ...statement, subject: [{ digest: { sha256: [SHA256] } }] },
  'a second subject': { ...statement, subject: [...statement.subject, ...statement.subject] },
  'another type': { ...statement, _type: 'https://in-toto.io/Statement/v0.1' },
  'another predicate': { ...statement, predicateType: 'https://slsa.dev/provenance/v1' },
  'a list as the predicate type': { ...statement, predicateType: ['/receipt/v1'] },
  'no predicate': { ...statement, predicate: null },
  'no verdict': { ...statement, predicate: { ...predicate, verdict: undefined } },
  'an unknown verdict': { ...statement, predicate: { ...predicate, verdict: 'safe' } },
  'neither a verdict nor an obstacle': { ...statement, predicate: { ...predicate, verdict: null } },
  'no id': { ...statement, predicate: { ...predicate, scanId: undefined } },
  'a time that is a number': { ...statement, predicate: { ...predicate, scannedAt: 2026 } },
  'a time that is none': { ...statement, predicate: { ...predicate, scannedAt: 'yesterday' } },
}

test('signed, and a receipt of Docvet', () => {
  assert.deepEqual(open(statement), { statement, warnings: [] })
  const refused = { ...statement, predicate: { ...predicate, verdict: null, obstacle: 'encrypted', more: 1 }, more: 1 }
  assert.deepEqual(open(refused).statement, refused)
})
for (const [what, value] of Object.entries(NO_RECEIPTS))
  test(`signed, but not a receipt of Docvet: ${what}`, () => {
    assert.throws(() => open(value), { name: 'Invalid', message: 'It is signed, but is not a receipt of Docvet.' })
  })

const UNUSABLE: Record<string, string> = {
  'no key set': '{}',
  null: 'null',
  'no JSON': '{',
  'a key set that is no list': '{"keys":{}}',
  'a key without its bytes': keySet({ ...jwk, x: 5 }),
  'a PEM that is none': '-----BEGIN PUBLIC KEY-----',
  'a time of revocation that is none': keySet({ ...jwk, revoked_at: 'soon' }),
  'an empty time of revocation': keySet({ ...jwk, revoked_at: '' }),
  'null as the time of revocation': keySet({ ...jwk, revoked_at: null }),
  'an end that is a number': keySet({ ...jwk, until: 5 }),
}
for (const [what, text] of Object.entries(UNUSABLE))
  test(`keys that cannot be used: ${what}`, () => {
    assert.throws(
      () => parseKeys(text),
      ({ message }) => !/undefined|Cannot (read|destructure)|not iterable/.test(message),
    )
  })

test('keys of other kinds are left out', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey
  assert.deepEqual([pemOf(rsa), keySet(), keySet(null, 5, rsa.export({ format: 'jwk' }))].map(parseKeys), [[], [], []])
  assert.equal(parseKeys(keySet(null, jwk)).length, 1)
})

const files = commandFolder('verify')
const KEYS = files.file('jwks.json', keySet(jwk))
const run = (envelope: object, keys = KEYS, ...more: string[]) => {
  const receipt = files.file(`receipt-${Math.random()}.json`, JSON.stringify(envelope))
  return runCommand(['verify', '--keys', keys, receipt, ...more], { cwd: files.folder })
}

test('exit status 1 for what is no receipt, 2 for keys that cannot be used', async () => {
  const [noReceipt, noKeys, noneOfOurs] = await Promise.all([
    run(signed(NO_RECEIPTS['null as the subject'])),
    run(signed(statement), files.file('none.json', '{}')),
    run(signed(statement), files.file('empty.json', keySet())),
  ])
  assert.deepEqual(
    [noReceipt.code, noReceipt.stderr],
    [1, 'Not valid. It is signed, but is not a receipt of Docvet.\n'],
  )
  assert.deepEqual([noKeys.code, noneOfOurs.code], [2, 2])
  assert.match(noKeys.stderr, /none\.json cannot be used: It is not a JSON Web Key Set\n/)
  assert.match(noneOfOurs.stderr, /empty\.json has no Ed25519 key\.\n/)
})

test('receipts and keys of 1 MiB are read; larger ones and more than 16 signatures are not', async () => {
  const envelope = signed(statement)
  const padded = <T extends object>(value: T, bytes: number) => {
    const empty = JSON.stringify({ ...value, more: '' })
    return { ...value, more: 'x'.repeat(bytes - empty.length) }
  }
  const [signature] = envelope.signatures
  const many = (count: number) => ({ ...envelope, signatures: Array.from({ length: count }, () => signature) })
  const keys = (bytes: number) => files.file(`${bytes}.json`, JSON.stringify(padded({ keys: [jwk] }, bytes)))
  const runs = [
    ...[run(padded(envelope, MIB)), run(padded(envelope, MIB + 1)), run(many(16)), run(many(17))],
    ...[run(envelope, keys(MIB)), run(envelope, keys(MIB + 1))],
  ]
  const codes = (await Promise.all(runs)).map(({ code }) => code)
  assert.deepEqual(codes, [0, 1, 0, 1, 0, 2])
})

test('with --json, nothing in the statement hides what was found out', async () => {
  const late = files.file('late.json', keySet({ ...jwk, since: '2030-01-01T00:00:00.000Z' }))
  const { code, stdout } = await run(signed({ ...statement, warnings: [], isGenuine: false }), late, '--json')
  const { isGenuine, warnings } = JSON.parse(stdout) as { isGenuine: boolean; warnings: string[] }
  assert.deepEqual([code, isGenuine, warnings.length], [0, true, 1])
})

test('a receipt cannot control the terminal', async () => {
  const envelope = signed({ ...statement, predicate: { ...predicate, verdict: 'infected', threat: 'a\u001b[2Jb' } })
  const foreign = files.file('foreign.pem', pemOf(generateKeyPairSync('ed25519').publicKey))
  const named = { ...envelope, signatures: [{ ...envelope.signatures[0], keyid: 'k\u001b[2J' }] }
  const [genuine, unknown] = await Promise.all([run(envelope), run(named, foreign)])
  assert.match(genuine.stdout, /a\\u001b\[2Jb/)
  assert.deepEqual([unknown.code, unknown.stderr.includes('\u001b')], [2, false])
})
