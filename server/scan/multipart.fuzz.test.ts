/** Compares the multipart reader with a simple one over whole bodies: random forms, chunks and damage. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AppError } from '#base/errors.ts'
import { createMultipartReader } from './multipart.ts'
import { MULTIPART_LIMITS as LIMITS, malformed, parsePart } from './part-header.ts'

const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))
const PROPERTY_CASES = 2_000
const FUZZ_CASES = 50_000

/** Mulberry32: small, and the same everywhere. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

interface Read {
  malformed: boolean
  /** Null for a field, the data for a file, in order. In a malformed body, the parts before the fault. */
  parts: { name: string; fileName: string | null; data: string | null }[]
}

const isRefusal = (error: unknown) => error instanceof AppError && error.code === 'malformed_multipart'

function must(holds: boolean): void {
  if (!holds) throw malformed('by the reference')
}

/** Parses one part after a delimiter; returns the rest from its delimiter on. */
function referencePart(text: string, boundary: string, parts: Read['parts']): string {
  const headEnd = text.indexOf('\r\n\r\n', 2)
  must(text.startsWith('\r\n') && parts.length < LIMITS.partsMax && headEnd > 0 && headEnd <= LIMITS.headerBytesMax)
  const head = text.slice(2, headEnd)
  must(!head.includes(`--${boundary}`))
  const { name, fileName, length } = parsePart(head)
  must(fileName !== null || parts.filter((part) => part.fileName === null).length < LIMITS.fieldsMax)
  const content = text.slice(headEnd + 4)
  const found = content.indexOf(`--${boundary}`)
  const isDelimiter = found >= 2 && content.startsWith('\r\n', found - 2)
  const data = isDelimiter ? content.slice(0, found - 2) : content
  parts.push({ name, fileName, data: fileName === null ? null : data })
  must(isDelimiter && (fileName !== null || data.length <= LIMITS.valueBytesMax))
  must(length === null || length === data.length)
  return content.slice(found - 2)
}

const isLineEnds = (text: string) => /^(?:\r\n)*$/.test(text) && text.length <= LIMITS.lineEndBytesMax

/** The forms that every parser accepts, over the whole body as a string. */
function reference(body: Buffer, boundary: string): Read {
  const delimiter = `\r\n--${boundary}`
  const parts: Read['parts'] = []
  const text = `\r\n${body.toString('latin1')}`
  const begin = text.indexOf(delimiter)
  try {
    must(begin >= 0 && isLineEnds(text.slice(2, begin)))
    let rest = text.slice(begin + delimiter.length)
    while (!rest.startsWith('--')) rest = referencePart(rest, boundary, parts).slice(delimiter.length)
    must(rest === '--' || (rest.startsWith('--\r\n') && isLineEnds(rest.slice(4))))
    return { malformed: false, parts }
  } catch (error) {
    if (!isRefusal(error)) throw error
    return { malformed: true, parts }
  }
}

function streamed(body: Buffer, boundary: string, cuts: number[]): Read {
  const parts: Read['parts'] = []
  const reader = createMultipartReader(boundary, {
    onPart: ({ name, fileName }) => parts.push({ name, fileName, data: fileName === null ? null : '' }),
    onData(data) {
      const part = parts.at(-1)
      assert.ok(part !== undefined && part.data !== null && data.length > 0)
      part.data += data.toString('latin1')
    },
  })
  try {
    let from = 0
    for (const cut of [...cuts, body.length]) {
      // A copy that is overwritten afterwards, so that a kept view would show.
      const chunk = Buffer.from(body.subarray(from, cut))
      reader.write(chunk)
      chunk.fill(0x2a)
      from = cut
    }
    reader.end()
    return { malformed: false, parts }
  } catch (error) {
    if (!isRefusal(error)) throw error
    return { malformed: true, parts }
  }
}

/** Of a malformed body, only a prefix of the reference's data may have been delivered. */
function assertSame(actual: Read, expected: Read): void {
  assert.equal(actual.malformed, expected.malformed)
  if (!expected.malformed) assert.deepEqual(actual.parts, expected.parts)
  assert.ok(actual.parts.length <= expected.parts.length)
  for (const [i, { data, ...info }] of actual.parts.entries()) {
    const { data: whole, ...wanted } = expected.parts[i] as Read['parts'][number]
    assert.deepEqual(info, wanted)
    assert.ok(data === whole || (data !== null && whole?.startsWith(data)), 'delivered what is not of the file')
  }
}

type Random = ReturnType<typeof randomFrom>
const pick = <T>(random: Random, from: readonly T[]): T => from[random(from.length)] as T

function randomData(random: Random, boundary: string): string {
  const bait = [
    '\r',
    '\n',
    '\r\n',
    '\r\n-',
    '\r\n--',
    `\r\n--${boundary.slice(0, -1)}`,
    `--${boundary}`,
    '-',
    '\0',
    '\xff',
    'abc',
  ]
  let data = Array.from({ length: random(30) }, () => pick(random, bait)).join('')
  while (data.includes(`--${boundary}`)) data = data.replaceAll(`--${boundary}`, `-.-${boundary}`)
  return data
}

function randomForm(random: Random) {
  const boundary = pick(random, [
    'b',
    'bb',
    '--',
    '----WebKitFormBoundary7MA4YWxkTrZu0gW',
    "a'()+_,-./:=?",
    'x y',
    'q'.repeat(70),
  ])
  const parts: Read['parts'] = Array.from({ length: random(6) }, (_, i) => {
    const isFile = i === 4 || random(2) === 0
    const whole = randomData(random, boundary)
    const data = isFile ? whole : whole.slice(0, LIMITS.valueBytesMax)
    return {
      name: pick(random, ['file', 'a', 'ü']),
      fileName: isFile ? pick(random, ['', 'a.txt', 'b c', '報.pdf']) : null,
      data,
    }
  })
  const sections = parts.map(({ name, fileName, data }) => {
    const disposition = `Content-Disposition: form-data; name="${name}"${fileName === null ? '' : `; filename="${fileName}"`}`
    const type = random(2) === 0 ? '' : '\r\nContent-Type: application/pdf'
    const length = random(2) === 0 ? '' : `\r\nContent-Length: ${data?.length}`
    const head = Buffer.from(`--${boundary}\r\n${disposition}${type}${length}\r\n\r\n`)
    return Buffer.concat([head, Buffer.from(`${data}\r\n`, 'latin1')])
  })
  const preamble = pick(random, ['', '', '\r\n', '\r\n\r\n'])
  const epilogue = pick(random, ['', '\r\n', '\r\n\r\n'])
  const body = Buffer.concat([Buffer.from(preamble), ...sections, Buffer.from(`--${boundary}--${epilogue}`)])
  return { boundary, body, parts: parts.map((part) => (part.fileName === null ? { ...part, data: null } : part)) }
}

const randomCuts = (random: Random, length: number) =>
  Array.from({ length: random(12) }, () => random(length + 1)).sort((a, b) => a - b)

function damage(random: Random, body: Buffer, boundary: string): Buffer {
  const tokens = [
    '\r',
    '\n',
    '\r\n',
    '\r\n\r\n',
    '--',
    `--${boundary}`,
    `\r\n--${boundary}`,
    `\r\n--${boundary}--`,
    '"',
    '\\',
    ';',
    '=',
    ':',
    ' ',
    '\0',
    '\xff',
    "filename*=utf-8''a",
    'name="file"',
    'x'.repeat(1_100),
    'y'.repeat(4_200),
  ]
  let damaged = body
  for (let times = 1 + random(3); times > 0; times--) {
    const at = random(damaged.length + 1)
    const before = damaged.subarray(0, at)
    const after = damaged.subarray(Math.min(damaged.length, at + pick(random, [0, 0, 1, 2, 20])))
    const token = Buffer.from(pick(random, tokens), 'latin1')
    const kinds = [
      () => [before, token, after],
      () => [before, after],
      () => [before],
      () => [before, Buffer.from([random(256)]), after],
      () => [before, damaged.subarray(random(damaged.length + 1)), after],
    ]
    damaged = Buffer.concat(pick(random, kinds)())
  }
  return damaged
}

describe(`multipart reader, seed ${SEED} (set SEED to repeat)`, () => {
  test(`${PROPERTY_CASES} forms: the same result whole, byte by byte and in random chunks`, () => {
    const random = randomFrom(SEED)
    for (let i = 0; i < PROPERTY_CASES; i++) {
      const { boundary, body, parts } = randomForm(random)
      const expected: Read = { malformed: false, parts }
      const everyByte = Array.from({ length: body.length }, (_, at) => at)
      try {
        assertSame(reference(body, boundary), expected)
        for (const cuts of [[], everyByte, randomCuts(random, body.length)])
          assertSame(streamed(body, boundary, cuts), expected)
      } catch (cause) {
        throw new Error(`case ${i} of seed ${SEED}: ${JSON.stringify(body.toString('latin1'))}`, { cause })
      }
    }
    console.log(`seed ${SEED}: ${PROPERTY_CASES} forms`)
  })

  test('one form, split at every position and every pair of positions', () => {
    const body = Buffer.from(
      '--b\r\nContent-Disposition: form-data; name=file; filename=a\r\n\r\n\r\n--\r\r\n-b\r\n--b\r\nContent-Disposition: form-data; name=n\r\n\r\nv\r\n--b--\r\n',
    )
    const expected = reference(body, 'b')
    assert.deepEqual(
      expected.parts.map(({ data }) => data),
      ['\r\n--\r\r\n-b', null],
    )
    for (let a = 0; a <= body.length; a++) {
      for (let b = a; b <= body.length; b++) assertSame(streamed(body, 'b', [a, b]), expected)
    }
  })

  test(`${FUZZ_CASES} damaged forms: the same outcome, only typed refusals, no other bytes`, {
    timeout: 100_000,
  }, () => {
    const random = randomFrom(SEED + 1)
    let refused = 0
    for (let i = 0; i < FUZZ_CASES; i++) {
      const form = randomForm(random)
      const body = damage(random, form.body, form.boundary)
      try {
        const expected = reference(body, form.boundary)
        if (expected.malformed) refused++
        assertSame(streamed(body, form.boundary, randomCuts(random, body.length)), expected)
      } catch (cause) {
        throw new Error(`case ${i} of seed ${SEED}: ${JSON.stringify(body.toString('latin1'))}`, { cause })
      }
    }
    // Both outcomes are exercised.
    assert.ok(refused > FUZZ_CASES / 10 && refused < FUZZ_CASES * 0.95, `${refused} refused`)
    console.log(`seed ${SEED}: ${FUZZ_CASES} damaged forms, ${refused} refused`)
  })
})
