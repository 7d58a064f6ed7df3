/** Random YARA rules of every shape, and documents in which they often match. The same seed gives the same ones. */

import { createHash } from 'node:crypto'
import type { RuleSource } from '#inspect/inspect.ts'
import { program } from './samples.ts'

type Roll = (below: number) => number

export function dice(seed: number): Roll {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % below
  }
}

const pick = <T>(roll: Roll, from: readonly T[]): T => from[roll(from.length)] as T

const WORDS = [
  'alphaword',
  'Beta.Func(1)',
  'gamma|delta',
  'aaaaaaaa',
  'EPSILON_zeta',
  'http://eta.example/',
  'theta theta',
  'K9',
  'MZ',
  '%PDF-1.7',
  'iota\tkappa',
  '\x90\x90\xeb\x0c\x5b',
  'lambda-mu',
] as const

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1')
const wide = (text: string): string => text.replace(/[\s\S]/g, '$&\0')
const hexOf = (text: string): string[] => [...latin1(text)].map((byte) => byte.toString(16).padStart(2, '0'))

/** As a string of a rule. */
const quoted = (text: string): string => `"${text.replace(/["\\]|[^ -~]/g, (letter) => `\\x${hexOf(letter)[0]}`)}"`

function wordOf(roll: Roll): string {
  const word = pick(roll, WORDS)
  return word.length > 6 && roll(4) === 0 ? word.slice(roll(3), word.length - roll(2)) : word
}

function textPattern(roll: Roll): string {
  const long = pick(
    roll,
    WORDS.filter(({ length }) => length > 5),
  )
  const modifiers = [
    '',
    '',
    'nocase',
    'wide',
    'ascii wide',
    'wide nocase ascii',
    'fullword',
    'wide fullword',
    'private',
  ]
  const encoded = ['xor', 'xor(1-20)', 'xor wide', 'xor(7) ascii wide', 'base64', 'base64wide', 'wide base64']
  return roll(3) === 0 ? `${quoted(long)} ${pick(roll, encoded)}` : `${quoted(wordOf(roll))} ${pick(roll, modifiers)}`
}

function hexPattern(roll: Roll): string {
  const bytes = hexOf(pick(roll, WORDS))
  const last = bytes.length - 1
  const changed = bytes.map((byte, index) => {
    const inside = index > 0 && index < last
    const kind = inside ? roll(12) : 11
    if (kind === 0) return '??'
    if (kind === 1) return `${byte[0]}?`
    if (kind === 2) return '[0-3]'
    if (kind === 3) return `( ${byte} | 41 42 | 7? )`
    if (kind === 4) return '~00'
    if (kind === 5) return `${byte} /* } */`
    return byte
  })
  // A jump must not follow a jump.
  return `{ ${changed.filter((part, index) => part !== '[0-3]' || changed[index - 1] !== '[0-3]').join(' ')} }`
}

const REGEX_SPECIAL = /[.()|/\\[\]{}+*?^$]/

const escaped = (letter: string): string => (REGEX_SPECIAL.test(letter) ? `\\${letter}` : letter)
const inBothCases = (letter: string): string => `[${letter.toLowerCase()}${letter.toUpperCase()}]`

/** Ways to write a letter in a regular expression. */
const VARIANTS: readonly ((letter: string) => string)[] = [
  () => '.',
  (letter) => `(${escaped(letter)}|xyz|q{2})`,
  (letter) => `${escaped(letter)}+`,
  (letter) => `${escaped(letter)}?`,
  () => '[^!]{0,3}',
  (letter) => (/[a-z]/i.test(letter) ? inBothCases(letter) : escaped(letter)),
  (letter) => `(?:${escaped(letter)}){1,2}`,
  (letter) => `\\x${hexOf(letter)[0]}`,
  () => '\\S',
  ...Array.from({ length: 8 }, () => escaped),
]

function regexPattern(roll: Roll): string {
  const word = pick(
    roll,
    WORDS.filter((each) => each.length > 4 && /^[ -~]+$/.test(each)),
  )
  const parts = [...word].map((letter, index) => (index === 0 ? escaped(letter) : pick(roll, VARIANTS)(letter)))
  const anchor = roll(6)
  const body = `${anchor === 0 ? '^' : ''}${parts.join('')}${anchor === 1 ? '$' : ''}`
  const both = roll(5) === 0 ? `(${body}|${pick(roll, ['K9[0-9]', 'lambda.mu', 'zzz'])})` : body
  return `/${both}/${pick(roll, ['', 'i', 's', 'is'])} ${pick(roll, ['', 'wide', 'ascii wide', 'nocase', 'fullword'])}`
}

const pattern = (roll: Roll): string => pick(roll, [textPattern, textPattern, hexPattern, regexPattern])(roll)

/** Conditions over $a, $b and $c that use all of them. */
const PRESENCE = [
  'any of them',
  'all of them',
  '2 of them',
  '1 of ($a, $b) or $c',
  '$a and ($b or $c)',
  '($a and $b) or $c',
  'any of ($a*) or all of ($b, $c)',
  '$a or 50% of them',
  'for any of them : ( $ )',
]
// Without `0 of them`: its result in YARA-X 1.20 depends on the other rules of the set.
const NEEDS_ALL = [
  'none of them',
  'not any of them',
  'not $a and ($b or $c)',
  '$a at 0 or $b at 2 or ($c and filesize > 5)',
  '($a in (0..100)) or $b or $c',
  'any of them in (0..40)',
  'any of them at 0',
  '#a > 2 or #b == 1 or #c >= 2',
  '#a == 0 and ($b or $c)',
  '#a + #b > #c',
  '#a in (0..30) >= 1 or $b or $c',
  '@a[1] < 12 or @b < 3 or !c[1] == 5',
  'for any of them : ( $ at 0 )',
  'for all of them : ( # > 1 )',
  'for 2 of ($a, $b, $c) : ( # == 0 )',
  'for any of ($a, $b, $c) : ( @ < 20 )',
  'for any i in (1..#a) : ( @a[i] > 10 ) or ($b and $c)',
  'for all i in (1..#a) : ( @a[i] > 10 ) and ($b or $c)',
  'not not $a or ($b and not $c)',
  '($a or $b or $c) and defined @a',
  'with x = filesize : ( x > 10 and ($a or $b or $c) )',
  '($a or $b) and #c < 2',
]
const GUARDS = [
  'uint16(0) == 0x5A4D',
  'uint16(0) != 0x5A4D',
  'uint16be(0) == 0x4D5A',
  'not uint16(0) == 0x5A4D',
  'uint32(0) == 0x46445025',
  'uint32(uint32(0x3C)) == 0x00004550',
  'uint8(filesize - 1) == 0x21',
  'int8(0) < 0',
  'uint16(100000) == 0',
  'not uint16(100000) == 0',
  'filesize < 60',
  'filesize > 60 and filesize < 1MB',
  'filesize & 1 == 1',
  'filesize % 2 == 0',
  'filesize * 2 - 10 > 100',
  'uint8(0) | 0x20 == 0x6d',
  'uint8(0) + 1 > 0x4D',
  'math.entropy(0, filesize) > 3.5',
  'math.mean(0, filesize) >= 90.5',
  'not math.entropy(0, 20) < 2.5',
  'math.entropy(2, 30) >= 3',
  'pe.is_pe',
  'not pe.is_pe',
  'pe.number_of_sections > 0',
  'not pe.number_of_sections > 7',
  'pe.number_of_sections != 2',
  'pe.machine == pe.MACHINE_I386',
  'pe.imports("kernel32.dll") == 0',
  'not pe.is_dll()',
  'not pe.exports("x")',
  'for any s in pe.sections : ( s.name == ".text" )',
  'for all i in (0..pe.number_of_sections - 1) : ( pe.sections[i].raw_data_size > 1 )',
  'pe.pdb_path contains "x"',
  'not pe.pdb_path contains "x"',
  'pe.version_info["CompanyName"] == ""',
  'elf.type == elf.ET_EXEC',
  'not defined elf.machine',
  'elf.number_of_sections == 0',
  'not elf.number_of_sections == 9',
  'dotnet.is_dotnet',
  'not dotnet.is_dotnet',
  'time.now() > 1',
  'string.length("abc") == 3',
  'hash.md5(0, filesize) != "00"',
  'not hash.sha256(0, filesize) == "00"',
  '"abc" == "abc"',
  'true',
  'false',
  '-1 < filesize',
] as const
const MODULES = ['pe', 'math', 'hash', 'elf', 'dotnet', 'time', 'string']

function guard(roll: Roll, documents: readonly Buffer[]): string {
  if (roll(12) > 0) return pick(roll, GUARDS)
  const bytes = pick(roll, documents)
  const name = pick(roll, ['md5', 'sha1', 'sha256'] as const)
  const digest = createHash(name).update(bytes).digest('hex')
  return `hash.${name}(0, filesize) == "${roll(2) ? digest : digest.toUpperCase()}"`
}

function condition(roll: Roll, documents: readonly Buffer[], earlier: readonly string[]): string {
  const base = pick(roll, roll(2) ? PRESENCE : NEEDS_ALL)
  const kind = roll(10)
  if (kind < 4) return base
  if (kind < 6) return `${guard(roll, documents)} and (${base})`
  if (kind === 6) return `(${base}) and (${guard(roll, documents)} or ${guard(roll, documents)})`
  if (kind === 7) return `(${base}) or (${guard(roll, documents)} and ${guard(roll, documents)})`
  if (earlier.length === 0) return base
  return kind === 8
    ? `${roll(2) ? 'not ' : ''}${pick(roll, earlier)} and (${base})`
    : `(${base}) or any of (${pick(roll, earlier)}, ${pick(roll, earlier)})`
}

/** A file with `count` rules, some of which are private or global or refer to others. */
export function randomFile(roll: Roll, name: string, count: number, documents: readonly Buffer[]): RuleSource {
  const earlier: string[] = []
  const rules = Array.from({ length: count }, (_, index) => {
    const flag = roll(8) === 0 ? 'private ' : roll(40) === 0 ? 'global ' : ''
    const own = `rule_${index}`
    const isBare = roll(10) === 0
    const body = isBare
      ? `condition: ${guard(roll, documents)}`
      : `strings:\n  $a = ${pattern(roll)}\n  $b = ${pattern(roll)} // "\n  $c = ${pattern(roll)}\n condition: ${condition(roll, documents, earlier)}`
    earlier.push(own)
    return `${flag}rule ${own} : tag {\n meta: a = "} rule x {" b = 7 c = true\n ${body}\n}\n`
  })
  return {
    name,
    text: `${MODULES.map((module) => `import "${module}"\n`).join('')}/* rule no { */\n${rules.join('\n')}`,
  }
}

function fragment(roll: Roll): Buffer {
  const word = pick(roll, WORDS)
  const key = roll(256)
  const shift = roll(3)
  const forms = [
    () => word,
    () => word,
    () => word.toUpperCase(),
    () => wide(word),
    () => word.slice(0, -1),
    () => word.replace(/[\s\S]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) ^ key)),
    () => wide(word).replace(/[\s\S]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) ^ 7)),
    () => latin1('?'.repeat(shift) + word + '!'.repeat(roll(3))).toString('base64'),
    () => wide(latin1('?'.repeat(shift) + word).toString('base64')),
    () => latin1(wide(word)).toString('base64'),
    () => ' '.repeat(roll(30)),
    () => '!',
    () => '\n',
    () => `x${word}y`,
  ]
  return latin1(pick(roll, forms)())
}

export function randomDocument(roll: Roll): Buffer {
  const start = pick(roll, ['', '', '', 'MZ', '%PDF-1.7\n', '\x7fELF\x02\x01\x01', '\xff\xfe'])
  const parts = Array.from({ length: roll(9) }, () => fragment(roll))
  return roll(12) === 0 ? Buffer.concat([program(), ...parts]) : Buffer.concat([latin1(start), ...parts])
}
