/** Compares the matcher with a naive search. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { randomFrom } from '#inspect/testing/random.ts'
import { createMatcher, FAILED_CHECKS_MAX, LITERAL_BYTES_MIN, type Literal } from './matcher.ts'

// Node's types do not declare it.
declare const WebAssembly: { Instance: new (module: object) => { exports: { memory: { buffer: ArrayBuffer } } } }

const CHUNK_BYTES = 32_768
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1')

/** A copy with the given alignment. */
function shifted(bytes: Uint8Array, by: number): Uint8Array {
  const memory = new Uint8Array(bytes.length + by + 8).fill(0x61)
  memory.set(bytes, by)
  return memory.subarray(by, by + bytes.length)
}

const found = (literals: readonly Literal[], bytes: Uint8Array): number[] =>
  [...createMatcher(literals)(bytes)].sort((a, b) => a - b)

const folded = (bytes: Uint8Array): Buffer =>
  Buffer.from(bytes.map((byte) => (byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte)))

function naive(literals: readonly Literal[], bytes: Uint8Array): number[] {
  const [plain, lower] = [Buffer.from(bytes), folded(bytes)]
  const contains = ({ bytes: wanted, exact, fits = () => true }: Literal): boolean => {
    const [source, needle] = exact ? [plain, Buffer.from(wanted)] : [lower, folded(wanted)]
    for (let at = source.indexOf(needle); at !== -1; at = source.indexOf(needle, at + 1))
      if (fits(plain, at)) return true
    return false
  }
  return [...new Set(literals.filter(contains).map(({ id }) => id))].sort((a, b) => a - b)
}

describe('matcher', () => {
  for (const length of [3, 4, 5, 6, 7, 8, 17, 35, 70]) {
    test(`finds a literal of ${length} bytes at every offset, and not with a changed byte`, () => {
      const bytes = Uint8Array.from({ length }, (_, i) => 0x62 + ((i * 7) % 23))
      const matcher = createMatcher([{ bytes, id: 0 }])
      for (let at = 0; at <= 40; at++)
        for (const after of [0, 1, 2, 3, 9])
          for (const by of [0, 1, 3]) {
            const document = new Uint8Array(at + length + after).fill(0x2e)
            document.set(bytes, at)
            const place = `${at} bytes before, ${after} after, memory ${by}`
            assert.deepEqual([...matcher(shifted(document, by))], [0], place)
            document[at + ((at * 3 + after) % length)] = 0x01
            assert.deepEqual([...matcher(shifted(document, by))], [], place)
          }
    })
  }

  test('finds literals across the end of a chunk, and none in the rest of an earlier chunk', () => {
    for (const text of ['PE\0', 'PE\0\0', 'content-type']) {
      const matcher = createMatcher([{ bytes: latin1(text), id: 0 }])
      for (let at = CHUNK_BYTES - text.length - 1; at <= CHUNK_BYTES + 1; at++) {
        const document = Buffer.alloc(at + text.length, 'x')
        document.write(text, at, 'latin1')
        assert.deepEqual([...matcher(document)], [0], `${text} at ${at}`)
        assert.deepEqual([...matcher(document.subarray(0, -1))], [], `${text} at ${at}, truncated`)
        assert.deepEqual([...matcher(document.subarray(0, at))], [], `nothing at ${at}`)
      }
    }
  })

  test('ignores case only for letters, and not for exact literals', () => {
    // `[` and `{`, `@` and the backquote differ by the same bit as letters do.
    const literals = [
      { bytes: latin1('[@AbC'), id: 0 },
      { bytes: latin1('[@AbC'), id: 1, exact: true },
    ]
    assert.deepEqual(found(literals, latin1('{`abc {@abc [`abc')), [])
    assert.deepEqual(found(literals, latin1('[@aBC')), [0])
    assert.deepEqual(found(literals, latin1('[@AbC')), [0, 1])
  })

  test('agrees with a naive search on random literals and documents', () => {
    const random = randomFrom(7)
    // Few letters, so that literals share windows, overlap and nearly match.
    const alphabets = ['ab', 'aAbB[{', 'abcABC01', '\0\x01\x20\x40PK\xff', 'etaoin shrdlu.<>=/']
    for (let round = 0; round < 300; round++) {
      const alphabet = alphabets[round % alphabets.length] ?? ''
      const text = (length: number): Buffer =>
        latin1(Array.from({ length }, () => alphabet[random(alphabet.length)]).join(''))
      const literals: Literal[] = Array.from({ length: 1 + random(60) }, () => ({
        bytes: text(LITERAL_BYTES_MIN + random(9)),
        id: random(40),
        exact: random(2) === 0,
        ...(random(3) === 0 ? { fits: (_: Buffer, at: number) => at % 3 !== 0 } : {}),
      }))
      const matcher = createMatcher(literals)
      for (const length of [0, 2, 3, 5, 16, 17, 64, 300]) {
        const document = shifted(text(length), random(4))
        const result = [...matcher(document)].sort((a, b) => a - b)
        assert.deepEqual(result, naive(literals, document), `round ${round}: ${latin1(alphabet).toString('hex')}`)
      }
    }
  })

  test('agrees with a naive search on thousands of literals', () => {
    const random = randomFrom(8)
    const literals = Array.from({ length: 1_500 }, (_, id) => ({
      bytes: Uint8Array.from({ length: 3 + random(6) }, () => random(256)),
      id,
    }))
    const document = Uint8Array.from({ length: 70_000 }, () => random(256))
    for (const { bytes } of literals.slice(0, 500)) document.set(bytes, random(69_000))
    assert.deepEqual(found(literals, document), naive(literals, document))
  })

  test('leaves a literal to the format after too many failed checks', () => {
    const matcher = createMatcher([{ bytes: latin1('obj'), id: 0, exact: true, fits: () => false }])
    assert.deepEqual([...matcher(latin1('obj'.repeat(FAILED_CHECKS_MAX)))], [])
    assert.deepEqual([...matcher(latin1('obj'.repeat(FAILED_CHECKS_MAX + 1)))], [0])
    assert.deepEqual([...matcher(latin1('obj'))], [], 'counted again for each search')
  })

  test('keeps no bytes of a document in memory, also if a search is interrupted', () => {
    const created: { exports: { memory: { buffer: ArrayBuffer } } }[] = []
    const { Instance } = WebAssembly
    WebAssembly.Instance = class extends Instance {
      constructor(module: object) {
        super(module)
        created.push(this)
      }
    }
    const matcher = createMatcher([{ bytes: latin1('obj'), id: 0, fits: () => assert.fail('interrupted') }])
    // The first search makes it.
    matcher(Buffer.alloc(10))
    WebAssembly.Instance = Instance
    const memory = Buffer.from(created[0]!.exports.memory.buffer)
    for (const length of [10, 16, 100, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 2, CHUNK_BYTES * 2 + 100]) {
      matcher(Buffer.alloc(length, 'secret'))
      assert.equal(memory.indexOf('secret'), -1, `${length} bytes`)
      assert.throws(() => matcher(Buffer.alloc(length, 'obj, secret ')), /interrupted/)
      assert.equal(memory.indexOf('secret'), -1, `${length} bytes, interrupted`)
    }
  })

  test('rejects literals that are too short', () => {
    createMatcher([{ bytes: new Uint8Array(LITERAL_BYTES_MIN), id: 0 }])
    assert.throws(() => createMatcher([{ bytes: new Uint8Array(LITERAL_BYTES_MIN - 1), id: 0 }]), RangeError)
  })
})
