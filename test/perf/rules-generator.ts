/** Rules of the shapes of public rule sets, in their proportions. The same seed gives the same rules. */

import { createHash } from 'node:crypto'
import type { RuleSource } from '#inspect/inspect.ts'

type Roll = (below: number) => number

function dice(seed: number): Roll {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return (state >>> 8) % below
  }
}

const pick = <T>(roll: Roll, from: readonly T[]): T => from[roll(from.length)] as T
const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i))

const SYLLABLES =
  'ba co du fe gi ho ju ka lo mi nu pa re so ti vu wa xe yo za Dll Exe Run Key Reg Net Win Sys Http'.split(' ')
/** Frequent in rules and also in harmless documents. */
const COMMON = [
  'http://',
  'https://www.',
  'Content-Type: ',
  'application/',
  'Mozilla/5.0 (',
  'cmd.exe /c ',
  'powershell',
  'kernel32.dll',
  'VirtualAlloc',
  'CreateObject(',
  'This program cannot be run in DOS mode',
  'SOFTWARE\\\\Microsoft\\\\Windows\\\\CurrentVersion\\\\Run',
  'AutoOpen',
  'document.write(',
  'eval(',
  '<script>',
  'base64_decode(',
  'JavaScript',
  'OpenAction',
] as const

const word = (roll: Roll): string => times(2 + roll(3), () => pick(roll, SYLLABLES)).join('')
const hexByte = (roll: Roll): string => roll(256).toString(16).padStart(2, '0').toUpperCase()

function text(roll: Roll): string {
  if (roll(9) === 0) return `"${pick(roll, COMMON)}"`
  const forms = [
    () => word(roll),
    () => `${word(roll)}.${pick(roll, ['dll', 'exe', 'php', 'pdb', 'tmp'])}`,
    () => `C:\\\\${word(roll)}\\\\${word(roll)}.pdb`,
    () => `${word(roll)} ${word(roll)} %s`,
    () => `http://${word(roll).toLowerCase()}.example/${word(roll)}`,
  ]
  const modifiers = [
    '',
    '',
    '',
    ' ascii',
    ' wide',
    ' ascii wide',
    ' nocase',
    ' fullword',
    ' fullword ascii',
    ' nocase wide ascii',
  ]
  return `"${pick(roll, forms)()}"${roll(120) === 0 ? ' xor' : roll(120) === 0 ? ' base64' : pick(roll, modifiers)}`
}

function hex(roll: Roll): string {
  const parts = times(8 + roll(24), () => {
    const kind = roll(14)
    if (kind === 0) return '??'
    if (kind === 1) return `[${1 + roll(4)}-${6 + roll(10)}]`
    if (kind === 2) return `(${hexByte(roll)} | ${hexByte(roll)} ${hexByte(roll)})`
    return hexByte(roll)
  })
  const start = times(4, () => hexByte(roll))
  return `{ ${[...start, ...parts, hexByte(roll)].filter((part, i, all) => !(part[0] === '[' && all[i - 1]?.[0] === '[')).join(' ')} }`
}

function regex(roll: Roll): string {
  const forms = [
    () => `/${word(roll)}[A-Za-z0-9]{4,16}\\.${pick(roll, ['php', 'exe', 'dll'])}/`,
    () => `/https?:\\/\\/[a-z0-9.-]{3,40}\\/${word(roll)}\\.php/ nocase`,
    () => `/(${word(roll)}|${word(roll)}|${word(roll)})\\s{0,4}=\\s{0,4}["'][A-Za-z0-9+\\/]{20,80}/`,
    () => `/\\\\${word(roll)}\\\\[a-z]{3,9}\\\\${word(roll)}/ wide ascii`,
    () => `/\\b${word(roll)}_[0-9a-f]{8}\\b/i`,
  ]
  return pick(roll, forms)()
}

const MAGIC = ['uint16(0) == 0x5A4D', 'uint16(0) == 0x5a4d', 'uint32(0) == 0x464C457F', 'uint32(0) == 0xE011CFD0']
const DOCUMENT_MAGIC = [
  'uint32(0) == 0x04034B50',
  'uint32(0) == 0x46445025',
  'uint16(0) == 0x4B50',
  'uint32be(0) == 0x7B5C7274',
]

function strings(roll: Roll, count: number): string {
  const make = (): string => (roll(25) === 0 ? regex : roll(7) === 0 ? hex : text)(roll)
  return `strings:\n${times(count, (i) => `    $${i % 3 === 0 ? 'x' : 's'}${i} = ${make()}`).join('\n')}`
}

const digest = (roll: Roll): string =>
  createHash('md5')
    .update(String(roll(1 << 24)))
    .digest('hex')

/** Weighted by how often they occur. */
const SHAPES: readonly [number, (roll: Roll) => string][] = [
  [
    30,
    (roll) =>
      `${strings(roll, 4 + roll(8))}\n  condition: ${pick(roll, MAGIC)} and filesize < ${1 + roll(9)}00KB and ${2 + roll(2)} of them`,
  ],
  [8, (roll) => `${strings(roll, 4 + roll(6))}\n  condition: ${pick(roll, MAGIC)} and (all of ($x*) or 3 of ($s*))`],
  [12, (roll) => `${strings(roll, 3 + roll(6))}\n  condition: all of them`],
  [10, (roll) => `${strings(roll, 6 + roll(6))}\n  condition: ${4 + roll(2)} of them`],
  [6, (roll) => `${strings(roll, 5)}\n  condition: filesize < ${1 + roll(90)}KB and all of ($x*) and any of ($s*)`],
  [
    9,
    (roll) =>
      `strings:\n${times(1 + roll(3), (i) => `    $h${i} = ${hex(roll)}`).join('\n')}\n  condition: any of them`,
  ],
  [5, (roll) => `strings:\n    $re = ${regex(roll)}\n    $a = ${text(roll)}\n  condition: $re and $a`],
  [2, (roll) => `strings:\n    $re = ${regex(roll)}\n  condition: $re`],
  [4, (roll) => `${strings(roll, 5)}\n  condition: ${pick(roll, DOCUMENT_MAGIC)} and 3 of them`],
  [
    3,
    (roll) =>
      `strings:\n    $a = ${text(roll)}\n    $b = ${text(roll)}\n    $mz = { 4D 5A }\n  condition: $mz at 0 and #a > 2 and $b in (0..4096)`,
  ],
  [3, (roll) => `condition: uint16(0) == 0x5A4D and pe.imphash() == "${digest(roll)}"`],
  [
    2,
    (roll) =>
      `${strings(roll, 3)}\n  condition: pe.number_of_sections > ${2 + roll(5)} and pe.imports("kernel32.dll", "VirtualAlloc") and 2 of them`,
  ],
  [1, (roll) => `condition: for any i in (0..pe.number_of_sections - 1) : (pe.sections[i].name == ".${word(roll)}")`],
  [1, (roll) => `${strings(roll, 3)}\n  condition: math.entropy(0, filesize) >= 7.${roll(10)} and all of them`],
  [1, (roll) => `condition: filesize < 2MB and hash.md5(0, filesize) == "${digest(roll)}"`],
  [1, (roll) => `${strings(roll, 3)}\n  condition: is_program and 2 of them`],
  [1, (roll) => `${strings(roll, 3)}\n  condition: 2 of them and not is_program`],
]

const TOTAL = SHAPES.reduce((sum, [weight]) => sum + weight, 0)

function shape(roll: Roll): (roll: Roll) => string {
  const wanted = roll(TOTAL)
  let sum = 0
  for (const [weight, make] of SHAPES) {
    sum += weight
    if (wanted < sum) return make
  }
  throw new RangeError(`${wanted}`)
}

const HEAD = `import "pe"
import "math"
import "hash"
private rule is_program { condition: uint16(0) == 0x5A4D }
`

/** Thirty-five rules per file, the first of which is private. */
export function generateRules(count: number, seed = 1): RuleSource[] {
  const roll = dice(seed)
  const perFile = 35
  return times(Math.ceil(count / perFile), (file) => {
    const size = Math.min(perFile, count - file * perFile) - 1
    const rules = times(size, (index) => {
      const meta = `  meta:\n    description = "${word(roll)} ${word(roll)}"\n    score = ${roll(100)}\n`
      // The compiler rejects patterns that no condition uses.
      return `rule generated_${file}_${index} : ${word(roll)} {\n${meta}  ${shape(roll)(roll)}\n}\n`
    })
    return { name: `set-${String(file).padStart(3, '0')}.yar`, text: HEAD + rules.join('\n') }
  })
}
