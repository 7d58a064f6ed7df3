/** Envelopes: the published test vector, and what must and must not be accepted. */
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { openEnvelope, preAuthenticationEncoding, publicJwkOf, signBody, signerOf, thumbprintOf } from './dsse.ts'

const { privateKey, publicKey: key } = generateKeyPairSync('ed25519')
const TYPE = 'http://example.com/HelloWorld'

test('what is signed has the lengths of bytes', () => {
  const encoded = (body: string) => preAuthenticationEncoding(TYPE, Buffer.from(body)).toString()
  assert.equal(encoded('hello world'), 'DSSEv1 29 http://example.com/HelloWorld 11 hello world')
  assert.equal(encoded('ä€'), 'DSSEv1 29 http://example.com/HelloWorld 5 ä€')
})

test('the thumbprint is that of RFC 8037', () => {
  const x = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'
  assert.equal(thumbprintOf({ kty: 'OKP', crv: 'Ed25519', x }), 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k')
  assert.deepEqual(publicJwkOf(privateKey), publicJwkOf(key))
})

const body = Buffer.from('{"ä":"??>>"}')
const envelope = {
  payload: body.toString('base64'),
  payloadType: TYPE,
  signatures: [{ keyid: 'x', sig: signBody(TYPE, body, privateKey) }],
}
const isValid = (value: unknown): boolean => {
  const opened = openEnvelope(value)
  return opened !== null && signerOf(opened, [{ key }]) !== undefined
}
const urlSafe = (text: string) => text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')

const ACCEPTED: Record<string, unknown> = {
  'the envelope itself': envelope,
  'URL-safe Base64': {
    ...envelope,
    payload: urlSafe(envelope.payload),
    signatures: [{ sig: urlSafe(envelope.signatures[0]!.sig) }],
  },
  'fields that are not known': { ...envelope, extra: 1, signatures: [{ ...envelope.signatures[0], extra: 1 }] },
  'another key id': { ...envelope, signatures: [{ ...envelope.signatures[0], keyid: 'wrong' }] },
  'a second signature of somebody else': { ...envelope, signatures: [{ sig: 'AAAA' }, ...envelope.signatures] },
}
for (const [what, value] of Object.entries(ACCEPTED)) test(`accepts ${what}`, () => assert.ok(isValid(value)))

const REFUSED: Record<string, unknown> = {
  'another type': { ...envelope, payloadType: `${TYPE}/` },
  'another body': { ...envelope, payload: Buffer.from('{}').toString('base64') },
  'no signature': { ...envelope, signatures: [] },
  'a signature with spaces': { ...envelope, signatures: [{ sig: ` ${envelope.signatures[0]!.sig}` }] },
  'text instead of an envelope': 'x',
  nothing: null,
}
for (const [what, value] of Object.entries(REFUSED)) test(`refuses ${what}`, () => assert.ok(!isValid(value)))
