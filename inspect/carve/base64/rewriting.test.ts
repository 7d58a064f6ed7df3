/** Texts as scripts and style sheets read them, and which of these readings are searched. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { char, unreferenced } from '#inspect/codecs/character-references.ts'
import { decodeBase64Variants } from '#inspect/codecs/transfer-encodings.ts'
import { randomFrom } from '#inspect/testing/random.ts'
import { bodiesOf } from './bodies.ts'
import { addedBase64, WORDS_MAX } from './changes.ts'
import { longRunsOf } from './long-runs.ts'
import {
  joinsList,
  type Rewriting,
  scriptUnescaped,
  styleUnescaped,
  withoutJoints,
  withoutListJoints,
  withoutZeros,
  ZERO_SHARE,
} from './rewriting.ts'
import { runsOf } from './runs.ts'
import { surveyOf } from './survey.ts'
import { unescaped } from './unescaped.ts'

const TEXTS = 10_000

function* textsOf(parts: readonly string[], seed: number, length = 12): Generator<string> {
  const random = randomFrom(seed)
  for (let i = 0; i < TEXTS; i++)
    yield Array.from({ length: random(length) }, () => parts[random(parts.length)]).join('')
}

const CONTROLS: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }
/** As far as it goes. The name is that of the group, which a pattern has once. */
const between = (name: string, signs = '\\s()'): string =>
  `(?=(?<${name}>(?:[${signs}]|/\\*[^*]*\\*+(?:[^/*][^*]*\\*+)*/|//[^\\r\\n"'\`]*(?=[\\r\\n]|$))*))\\k<${name}>`
type Ways = readonly (readonly [
  name: string,
  rewrite: (source: Buffer) => Rewriting | null,
  pattern: RegExp,
  replacement: (match: readonly (string | undefined)[]) => string,
])[]
const WAYS: Ways = [
  [
    'escapes of scripts',
    scriptUnescaped,
    /\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|u\{0*([0-9a-f]{1,6})\}|([0-3]?[0-7]{1,2})|(\r\n|[\s\S]))/gi,
    ([, hex, wide, long, octal, other = '']) => {
      const digits = hex ?? wide ?? long
      if (digits !== undefined) return char(digits, 16)
      if (octal !== undefined) return char(octal, 8)
      return CONTROLS[other] ?? (/[\r\n]/.test(other) ? '' : other)
    },
  ],
  [
    'escapes of style sheets',
    styleUnescaped,
    /\\(?:([0-9a-f]{1,6})(?:\r\n|[ \t\r\n\f])?|(\r\n|[\r\n\f]))/gi,
    ([, hex]) => (hex === undefined ? '' : char(hex, 16)),
  ],
  [
    'joined strings',
    withoutJoints,
    new RegExp(
      `["'\`]${between('a')}(?:\\+|\\.concat\\(|;${between('b', '\\s')}[\\w$.]+${between('c', '\\s')}\\+=)${between('d')}["'\`]|\\$\\{\\s*["'\`]{2}\\s*\\}`,
      'g',
    ),
    () => '',
  ],
  ['lists of strings', withoutListJoints, new RegExp(`["'\`]${between('a')},${between('b')}["'\`]`, 'g'), () => ''],
  ['zeros', withoutZeros, /\0/g, () => ''],
]
const SIGNS = [
  '\\',
  '\\',
  '\\x',
  '\\u',
  '\\u{',
  '{',
  '}',
  '0',
  '00',
  '3',
  '7',
  '8',
  '62',
  '0062',
  'a',
  'F',
  'x',
  'u',
  'n',
  '\r',
  '\n',
  '\f',
  ' ',
  '\t',
  '\xa0',
  '"',
  "'",
  '`',
  '+',
  '+',
  '+=',
  ';',
  'x',
  'a.b$',
  '(',
  ')',
  '.concat(',
  '/*',
  '*/',
  '//',
  '\\62 ',
  '/',
  '$',
  '$'.concat('{'),
  ',',
  ',',
  '.join(',
  '.join',
  '\0',
  '\0\0',
  ' '.repeat(15),
  ' '.repeat(8),
  'x'.repeat(39),
]

const JOINTS = ['"', "'", '+', '"', '"', ' ', '+=', '"+', '+ "', '; x ', ',', '"', '()', '/**/', '".concat(', '"']

suite('is read as the pattern says', () => {
  for (const [name, rewrite, pattern, replacement] of WAYS)
    test(name, () => {
      let count = 0
      for (const text of textsOf([...SIGNS, ...JOINTS, ...JOINTS, ...JOINTS], 3)) {
        const expected = text.replace(pattern, (...match) => replacement(match as string[]))
        const found = rewrite(Buffer.from(text, 'latin1'))
        assert.equal(found?.bytes.toString('latin1') ?? text, expected, JSON.stringify(text))
        if (found !== null) count += 1
      }
      assert.ok(count > 100, `${count} texts`)
    })

  test('a call that joins a list', () => {
    for (const text of textsOf(['.join', '(', ' ', '\n', '.', 'join(', 'x'], 4))
      assert.equal(joinsList(Buffer.from(text)), /\.join\s*\(/.test(text), JSON.stringify(text))
  })
})

suite('at the limit, and one past it', () => {
  const read = (rewrite: (source: Buffer) => Rewriting | null, text: string): string =>
    rewrite(Buffer.from(text, 'latin1'))?.bytes.toString('latin1') ?? text
  const spaces = (count: number): string => ' '.repeat(count)

  test('digits of an escape', () => {
    assert.equal(read(styleUnescaped, '\\0000621'), 'b1')
    assert.equal(read(styleUnescaped, '\\000062'), 'b')
    assert.equal(read(scriptUnescaped, '\\u{0000000062}'), 'b')
    assert.equal(read(scriptUnescaped, '\\u{100062}'), '?')
    assert.equal(read(scriptUnescaped, '\\u{1000062}'), 'u{1000062}')
  })
  test('signs that may begin a reference', () => {
    for (const count of [100_000, 100_001]) {
      const signs = '& '.repeat(count)
      assert.equal(unreferenced(`${signs}&#98;`), `${signs}b`)
      assert.equal(unreferenced(signs), signs)
    }
  })
  test('zeros that are looked at one by one', () => {
    const isDense = (zeros: number): boolean => {
      const found = withoutZeros(Buffer.from('\0'.repeat(zeros).padEnd(ZERO_SHARE * 10, '. ')))
      return found !== null && addedBase64(found) === found.bytes
    }
    assert.deepEqual([10, 11].map(isDense), [false, true])
  })
  test('changes that are looked at as words', () => {
    const searched = (count: number) => {
      const found = scriptUnescaped(Buffer.from('\\x62ab. '.repeat(count)))
      return found !== null && addedBase64(found) === found.bytes
    }
    // One more for the length of the text.
    assert.deepEqual([WORDS_MAX + 1, WORDS_MAX + 2].map(searched), [false, true])
  })
  test('what is around a word', () => {
    for (const count of [40, 60, 70, 500, 520, 1_100]) {
      const source = Buffer.from(`data:a/b;base64${spaces(count)}\\x2cQUJD. ;base6${spaces(count)}\\x34,QUJD`)
      const found = scriptUnescaped(source)
      assert.ok(found !== null && addedBase64(found) === found.bytes, `${count}`)
    }
  })
})

/** Everything that a search for Base64 finds in a text, decoded. */
function foundIn(bytes: Buffer): Set<string> {
  const decoded = (part: Uint8Array): string[] =>
    decodeBase64Variants(unescaped(part)).map((file) => Buffer.from(file).toString('latin1'))
  const runs = [...runsOf(bytes), ...longRunsOf(bytes, surveyOf(bytes))]
  const bodies = [...bodiesOf(bytes.toString('latin1'))]
  return new Set([...runs, ...bodies].flatMap(({ start, end }) => decoded(bytes.subarray(start, end))))
}

suite('is searched if it has Base64 that the text has not', () => {
  const digits = Buffer.from('PK\x03\x04 is the beginning of an archive, which has about a hundred bytes.').toString(
    'base64',
  )
  const escaped = (text: string): string => [...text].map((one) => `\\x${one.charCodeAt(0).toString(16)}`).join('')
  const styled = (text: string): string => [...text].map((one) => `\\${one.charCodeAt(0).toString(16)} `).join('')
  const twice = (text: string): string => escaped(text).replaceAll('\\', '\\\\')
  const words = [
    ';base64,',
    ';base64&comma;',
    ';base64:',
    ';encoding=b:',
    ';ENCODING=B;X=Y:',
    'data:',
    'base64,',
    'a,',
    'a:',
  ]
  const pieces = [
    ...words,
    ...words,
    digits,
    digits,
    digits.slice(0, 20),
    digits.slice(20, 50),
    'UEsDBB',
    'some words',
    'QUJD',
  ]
  const parts = [
    ...pieces,
    ...pieces.flatMap((piece) => [escaped(piece), styled(piece), twice(piece)]),
    ...pieces.map((piece) => piece.replaceAll(/.{3}/g, '$&"+"')),
    ...pieces.map((piece) => piece.replaceAll(/.{2}/g, '$&","')),
    ...pieces.map((piece) => piece.replaceAll(/.{3}/g, '$&\\n')),
    ...pieces.map((piece) => `${piece.slice(0, 4)}\0${piece.slice(4)}${' and words'.repeat(20)}`),
    `.\0${' and more words'.repeat(20)}`,
    `word\0s${' and others'.repeat(20)}`,
    '\\n',
    '\\t',
    '\\\\',
    '\\"',
    '\\\n',
    '\\d',
    '"',
    "'",
    ' ',
    '.',
    '(',
    ';',
    ',',
    '&',
    '"+"',
    '","',
    ' '.repeat(70),
    '\\n',
    '\\t',
    '\\\\',
    '\\"',
    '\\\n',
    '\\d',
    '"',
    "'",
    ' ',
    '.',
    '(',
    ';',
    ',',
    '&',
    '"+"',
    '","',
    '\\x20',
  ]
  /** Throws if something is not searched. */
  function isSkipped(text: string, rewriting: Rewriting): boolean {
    const { bytes } = rewriting
    const searched = addedBase64(rewriting)
    const seen = foundIn(Buffer.from(text, 'latin1')).union(foundIn(searched))
    const missed = [...foundIn(bytes)].filter((each) => each !== '' && !seen.has(each))
    assert.deepEqual(missed, [], `${JSON.stringify(text)} → ${JSON.stringify(bytes.toString('latin1'))}`)
    return searched !== bytes
  }

  for (const [seed, [name, rewrite]] of WAYS.entries())
    test(name, () => {
      const skipped: boolean[] = []
      for (const text of textsOf(parts, seed + 7, 8)) {
        const found = rewrite(Buffer.from(text, 'latin1'))
        if (found !== null) skipped.push(isSkipped(text, found))
      }
      const count = skipped.filter(Boolean).length
      assert.ok(count > 100 && skipped.length - count > 100, `${count} of ${skipped.length} skipped`)
    })

  test('not for every escape', () => {
    const source =
      'var a = /^[\\d.]+\\s*$/, b = "It\'s \\"plain\\".\\n\\tYes" + "no", c = ["a", "b"].join("\\u2026"); // \\x41\n'
    for (const [name, rewrite] of WAYS) {
      const found = rewrite(Buffer.from(source.repeat(50)))
      assert.ok(found === null || addedBase64(found).length === 0, name)
    }
  })
})
