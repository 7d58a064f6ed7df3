import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readReply } from './reply.ts'

const read = (text: string) => readReply(Buffer.from(text, 'latin1'))

test('only exactly "stream: OK" and a zero byte is clean', () => {
  assert.deepEqual(read('stream: OK\0'), { kind: 'clean' })
})

const FAILED = {
  'no answer': '',
  'half an answer': 'stream: O',
  'an answer without its end': 'stream: OK',
  'an end of line instead of the zero': 'stream: OK\n',
  'OK without its prefix': 'OK\0',
  'another prefix': 'streem: OK\0',
  'a number of a session before it': '1: stream: OK\0',
  'a path': '/etc/passwd: OK\0',
  'two answers': 'stream: OK\0stream: OK\0',
  'clean, then infected': 'stream: OK\0stream: Eicar FOUND\0',
  'infected, then clean': 'stream: Eicar FOUND\0stream: OK\0',
  'one byte more': 'stream: OK\0\0',
  'a space more': 'stream:  OK\0',
  'small letters': 'stream: ok\0',
  'only the zero': '\0',
  'the size limit': 'INSTREAM size limit exceeded. ERROR\0',
  'a full disk': "stream: Can't write to file ERROR\0",
  'a full disk, other words': 'Error writing to temporary file ERROR\0',
  'an unknown command': 'UNKNOWN COMMAND\0',
  'a timeout': 'COMMAND READ TIMED OUT\n',
  'an answer to PING': 'PONG\0',
  'found, but no name': 'stream:  FOUND\0',
  'found, but only blanks': 'stream: \t\x1b FOUND\0',
  'found, cut off': 'stream: Eicar FOUND',
  'found, other prefix': 'Eicar FOUND\0',
  HTTP: 'HTTP/1.1 200 OK\r\n\r\nstream: OK\0',
}
for (const [name, reply] of Object.entries(FAILED)) {
  test(`failed: ${name}`, () => {
    const outcome = read(reply)
    assert.equal(outcome.kind, 'failed')
    assert.equal(outcome.kind === 'failed' && outcome.late, false)
  })
}

test('a name is a detection', () => {
  assert.deepEqual(read('stream: Win.Test.EICAR_HDB-1 FOUND\0'), {
    kind: 'detected',
    threat: 'Win.Test.EICAR_HDB-1',
    path: [],
  })
  assert.deepEqual(read('stream: Heuristics.PDF.ObfuscatedNameObject FOUND\0'), {
    kind: 'detected',
    threat: 'Heuristics.PDF.ObfuscatedNameObject',
    path: [],
  })
})

test('a name that only begins like a limit is a detection', () => {
  assert.equal(read('stream: Heuristics.EncryptedThing FOUND\0').kind, 'detected')
  assert.equal(read('stream: Heuristics.Limits.ExceededBy FOUND\0').kind, 'detected')
  assert.equal(read('stream: My.Heuristics.Encrypted.Zip FOUND\0').kind, 'detected')
})

for (const name of ['', '.Zip', '.7Zip', '.RAR', '.PDF', '.OLE2', '.EGG', '.Doc']) {
  test(`Heuristics.Encrypted${name} is encrypted`, () => {
    const detail = `The document, or a part of it, is protected by a password (Heuristics.Encrypted${name}), and clamd cannot use one.`
    assert.deepEqual(read(`stream: Heuristics.Encrypted${name} FOUND\0`), {
      kind: 'unscannable',
      obstacle: 'encrypted',
      detail,
    })
  })
}
const LIMITS = {
  '': 'The document exceeds a limit of clamd (Heuristics.Limits.Exceeded).',
  '.MaxRecursion': 'The document is nested too deeply for clamd (Heuristics.Limits.Exceeded.MaxRecursion).',
  '.MaxFiles': 'The document has too many parts for clamd (Heuristics.Limits.Exceeded.MaxFiles).',
  '.MaxFileSize': 'A part of the document is too large for clamd (Heuristics.Limits.Exceeded.MaxFileSize).',
  '.MaxScanSize': 'The unpacked document is too large for clamd (Heuristics.Limits.Exceeded.MaxScanSize).',
  '.MaxScanTime': 'The document takes too long for clamd (Heuristics.Limits.Exceeded.MaxScanTime).',
  '.EmailMIMEPartsPerMessage':
    'The document exceeds a limit of clamd (Heuristics.Limits.Exceeded.EmailMIMEPartsPerMessage).',
  '.constructor': 'The document exceeds a limit of clamd (Heuristics.Limits.Exceeded.constructor).',
}
for (const [name, detail] of Object.entries(LIMITS)) {
  test(`Heuristics.Limits.Exceeded${name} is too complex`, () => {
    assert.deepEqual(read(`stream: Heuristics.Limits.Exceeded${name} FOUND\0`), {
      kind: 'unscannable',
      obstacle: 'too_complex',
      detail,
    })
  })
}

test('a name is printable: no control or bidi characters, bounded length', () => {
  const threatOf = (name: string) => {
    const outcome = readReply(Buffer.from(`stream: ${name} FOUND\0`))
    return outcome.kind === 'detected' ? outcome.threat : assert.fail(outcome.kind)
  }
  assert.equal(threatOf('A\u001b[31mB\r\nC\u202eD'), 'A [31mB C D')
  assert.equal(threatOf('x'.repeat(3_000)), 'x'.repeat(200))
})

test('of 100,000 mutated answers only the exact one is clean', () => {
  const seed = Number(process.env.SEED ?? Date.now() % 1_000_000_007)
  console.log(`seed ${seed}`)
  const random = randomFrom(seed)
  const clean = Buffer.from('stream: OK\0')
  const origins = [clean, Buffer.from('stream: Eicar FOUND\0'), Buffer.from('stream: Heuristics.Encrypted.Zip FOUND\0')]
  const kinds = { clean: 0, detected: 0, unscannable: 0, failed: 0 }
  for (let i = 0; i < 100_000; i++) {
    let bytes: Buffer = origins[i % origins.length]!
    for (let n = random(4); n > 0; n--) bytes = mutate(bytes, random, origins)
    const { kind } = readReply(bytes)
    kinds[kind]++
    assert.equal(kind === 'clean', Buffer.compare(bytes, clean) === 0, JSON.stringify(bytes.toString('latin1')))
  }
  for (const [kind, count] of Object.entries(kinds)) assert.ok(count > 500, `only ${count} were ${kind}`)
})

function mutate(bytes: Buffer, random: (below: number) => number, origins: Buffer[]): Buffer {
  const at = random(bytes.length + 1)
  const head = bytes.subarray(0, at)
  const tail = bytes.subarray(at)
  switch (random(6)) {
    case 0:
      return head
    case 1:
      return tail
    case 2:
      return Buffer.concat([head, Buffer.from([random(256)]), tail])
    case 3:
      return Buffer.concat([head, tail.subarray(1)])
    case 4:
      return Buffer.concat([head, Buffer.from([random(256)]), tail.subarray(1)])
    default:
      return Buffer.concat([head, origins[random(origins.length)]!, tail])
  }
}

/** mulberry32: the same numbers for the same seed. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) % below
  }
}
