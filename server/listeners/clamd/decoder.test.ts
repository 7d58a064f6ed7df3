/** Commands and streams, however their bytes are divided into packets. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { COMMAND_BYTES_MAX, createDecoder, type Item } from './decoder.ts'

function textOf(item: Item): string {
  if (item.kind === 'piece') return `+${item.bytes.toString('latin1')}`
  if (item.kind !== 'command') return item.kind
  return `${item.isOldStyle ? 'old' : item.terminator === '\0' ? 'z' : 'n'} ${item.text}`
}

/** The events of a connection with these packets; INSTREAM starts a stream. */
function decoded(packets: readonly string[]): string[] {
  const decoder = createDecoder()
  const found: string[] = []
  for (const packet of packets) {
    decoder.add(Buffer.from(packet, 'latin1'))
    for (let item = decoder.next(); item !== null && found.at(-1) !== 'invalid'; item = decoder.next()) {
      found.push(textOf(item))
      if (found.at(-1)?.endsWith(' INSTREAM')) decoder.startStream()
    }
  }
  return found
}

const CASES: [name: string, bytes: string, expected: string[]][] = [
  ['z', 'zPING\0zVERSION\0', ['z PING', 'z VERSION']],
  ['n', 'nPING\nnVERSION\r\n', ['n PING', 'n VERSION']],
  ['old style with a newline', 'PING\nVERSION\r\n', ['old PING', 'old VERSION']],
  ['a path', 'nSCAN /a b\nzCONTSCAN /c\nd\0', ['n SCAN /a b', 'z CONTSCAN /c\nd']],
  [
    'a stream',
    'zINSTREAM\0\0\0\0\x05\0\0\0\0zEND\0'.replace('\x05', '\x02ab'),
    ['z INSTREAM', '+ab', 'end of stream', 'z END'],
  ],
  ['an empty stream', 'nINSTREAM\n\0\0\0\0', ['n INSTREAM', 'end of stream']],
]

/** Pieces of a stream are divided like its packets. */
const joined = (items: readonly string[]): string => items.join('|').replaceAll('|+', '')

describe('bytes of a connection', () => {
  for (const [name, bytes, expected] of CASES) {
    test(`${name}, in one packet`, () => assert.deepEqual(decoded([bytes]), expected))
    test(`${name}, byte by byte`, () => {
      // Without a prefix, a command may end with its packet.
      if (name.startsWith('old')) assert.equal(decoded([...bytes])[0], 'old PING')
      else assert.equal(joined(decoded([...bytes])), joined(expected))
    })
  }

  test('without a prefix and newline, a packet is a command', () => {
    assert.deepEqual(decoded(['PING']), ['old PING'])
    assert.deepEqual(decoded(['PI', 'NG']), ['old PING'])
    assert.deepEqual(decoded(['GET / HTTP/1.1\r\nHost: a\r\n\r\n']).slice(0, 1), ['old GET / HTTP/1.1'])
  })

  test('a length of four gigabytes allocates nothing', () => {
    assert.deepEqual(decoded(['zINSTREAM\0\xff\xff\xff\xffab']), ['z INSTREAM', '+ab'])
  })

  for (const prefix of ['z', 'n', 'X']) {
    test(`the longest command with the prefix ${prefix}, and one byte more`, () => {
      const end = prefix === 'z' ? '\0' : '\n'
      const longest = prefix.padEnd(COMMAND_BYTES_MAX, 'a')
      assert.notEqual(decoded([longest + end])[0], 'invalid')
      assert.equal(decoded([`${longest}a${end}`])[0], 'invalid')
      if (prefix !== 'X') assert.equal(decoded([`${longest}aa`])[0], 'invalid')
    })
  }
})
