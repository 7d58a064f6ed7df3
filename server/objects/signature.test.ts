/** Signature Version 4: the examples of Amazon's documentation, and what keys of objects can hold. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodePath, encodeQuery, signed } from './signature.ts'

const CREDENTIALS = {
  region: 'us-east-1',
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
}
const AT = new Date('2013-05-24T00:00:00Z')
const BUCKET = 'https://examplebucket.s3.amazonaws.com'

/** "Examples: Signature Calculations" of the S3 API reference. */
const EXAMPLES: [string, Parameters<typeof signed>[0], string][] = [
  [
    'GET of an object',
    { method: 'GET', url: `${BUCKET}/test.txt`, headers: { range: 'bytes=0-9' } },
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  ],
  [
    'PUT of an object',
    {
      method: 'PUT',
      url: `${BUCKET}/${encodePath('test$file.text')}`,
      headers: { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
      body: 'Welcome to Amazon S3.',
    },
    '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  ],
  [
    'GET with a query without a value',
    { method: 'GET', url: `${BUCKET}/?${encodeQuery({ lifecycle: '' })}` },
    'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  ],
  [
    'a list',
    { method: 'GET', url: `${BUCKET}/?${encodeQuery({ prefix: 'J', 'max-keys': '2' })}` },
    '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  ],
]

for (const [name, request, signature] of EXAMPLES)
  test(`signs ${name} as Amazon's example`, () => {
    const { authorization, ...headers } = signed(request, CREDENTIALS, AT)
    assert.equal(authorization?.split('Signature=')[1], signature)
    assert.match(
      authorization ?? '',
      /^AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE\/20130524\/us-east-1\/s3\/aws4_request,SignedHeaders=[a-z0-9;-]+,Signature=/,
    )
    assert.equal(headers['x-amz-date'], '20130524T000000Z')
  })

test('another secret, region, time or header gives another signature, and a session token is signed', () => {
  const request = { method: 'GET', url: `${BUCKET}/a` }
  const of = (...args: Parameters<typeof signed>) => signed(...args).authorization?.split('Signature=')[1]
  const variants = [
    of(request, CREDENTIALS, AT),
    of(request, { ...CREDENTIALS, secretAccessKey: 'x' }, AT),
    of(request, { ...CREDENTIALS, region: 'eu-west-1' }, AT),
    of(request, { ...CREDENTIALS, sessionToken: 't' }, AT),
    of(request, CREDENTIALS, new Date(AT.getTime() + 1_000)),
    of({ ...request, headers: { 'if-match': '"e"' } }, CREDENTIALS, AT),
    of({ ...request, method: 'PUT' }, CREDENTIALS, AT),
    of({ ...request, url: `${BUCKET}/a?versionId=1` }, CREDENTIALS, AT),
  ]
  assert.equal(new Set(variants).size, variants.length)
  const withToken = signed(request, { ...CREDENTIALS, sessionToken: 't' }, AT)
  assert.equal(withToken['x-amz-security-token'], 't')
  assert.match(withToken.authorization ?? '', /;x-amz-security-token,/)
})

const PATHS: [string, string][] = [
  ['a b', 'a%20b'],
  ['a+b', 'a%2Bb'],
  ['ü/ß', '%C3%BC/%C3%9F'],
  ['100%', '100%25'],
  ["!'()*", '%21%27%28%29%2A'],
  ['a//b/', 'a//b/'],
  ['~-_.', '~-_.'],
  ['?#[]@', '%3F%23%5B%5D%40'],
  ['\ud800', '%EF%BF%BD'],
  ['\n', '%0A'],
]

for (const [key, encoded] of PATHS)
  test(`encodes ${JSON.stringify(key)} once, and a URL keeps it`, () => {
    assert.equal(encodePath(key), encoded)
    assert.equal(new URL(`https://a/${encoded}`).pathname, `/${encoded}`)
  })
