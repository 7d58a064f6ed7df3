/** Compares the finder with a simple search, at every offset and alignment. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createFinder, LITERAL_BYTES_MIN } from './literal-finder.ts'

const bytesOf = (text: string): Buffer => Buffer.from(text, 'latin1')

function find(literals: readonly Uint8Array[], bytes: Uint8Array): number[] {
  const finder = createFinder(literals.map((each, id) => ({ bytes: each, id })))
  return [...new Set(finder(bytes))].sort((a, b) => a - b)
}

/** A copy with the given alignment. */
function shifted(bytes: Uint8Array, by: number): Uint8Array {
  const memory = new Uint8Array(bytes.length + by + 8).fill(0x61)
  memory.set(bytes, by)
  return memory.subarray(by, by + bytes.length)
}

describe('literal finder', () => {
  for (const length of [5, 6, 7, 8, 10, 11, 25, 34, 35, 36, 70]) {
    test(`finds a literal of ${length} bytes at every offset, and not with a changed byte`, () => {
      const literal = Uint8Array.from({ length }, (_, i) => 0x62 + ((i * 7) % 23))
      for (let at = 0; at <= 40; at++)
        for (const after of [0, 1, 2, 3, 9])
          for (let by = 0; by < 4; by++) {
            const document = new Uint8Array(at + length + after).fill(0x2e)
            document.set(literal, at)
            const place = `${at} bytes before, ${after} after, memory ${by}`
            assert.deepEqual(find([literal], shifted(document, by)), [0], place)
            document[at + ((at * 3 + after) % length)] = 0x01
            assert.deepEqual(find([literal], shifted(document, by)), [], place)
          }
    })
  }

  test('finds many literals of different lengths, ignoring case', () => {
    const words = ['eval(', 'ATOB(', 'a=cmd|', 'powershell -enc', 'content-transfer-encoding', 'Zürich']
    const document = bytesOf('..EVAL(x) atob(y) A=CMD|z PowerShell -Enc  CONTENT-transfer-ENCODING: Zürich')
    assert.deepEqual(find(words.map(bytesOf), document), [0, 1, 2, 3, 4, 5])
    assert.deepEqual(find(words.map(bytesOf), bytesOf('evaL atob powershell-enc content-transfer')), [])
  })

  test('ignores case only for letters', () => {
    // `[` and `{`, `@` and the backquote differ by the same bit as letters do.
    assert.deepEqual(find([bytesOf('[@abc')], bytesOf('{`abc {@abc [`abc')), [])
    assert.deepEqual(find([bytesOf('[@abc')], bytesOf('[@ABC')), [0])
  })

  test('rejects literals that are too short', () => {
    createFinder([{ bytes: new Uint8Array(LITERAL_BYTES_MIN), id: 0 }])
    assert.throws(() => createFinder([{ bytes: new Uint8Array(LITERAL_BYTES_MIN - 1), id: 0 }]), RangeError)
  })
})
