/** Shell scripts that grow when their variables are resolved: the work and memory of each are bounded, never its text. */

import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { LIMITS } from '#inspect/core/limits.ts'
import type { Inspector } from '#inspect/inspect.ts'
import { expandBatch } from '#inspect/programs/shells/batch.ts'
import { ourInspector } from '#inspect/testing/inspector.ts'

const LINE_MAX = 8_191
const lines = (count: number, line: string): string => `${line}\r\n`.repeat(count)

/** None of them runs anything. */
const BATCH: Readonly<Record<string, string>> = {
  'a value that doubles': `@echo off\r\nset a=x\r\n${lines(20_000, 'set a=%a%%a%')}`,
  'a value that names itself': `@echo off\r\nset a=%%a%%%%a%%%%a%%\r\n${lines(20_000, 'set a=%a%%a%')}`,
  'a value that names itself late': `setlocal enabledelayedexpansion\r\nset a=!a!!a!\r\n${lines(20_000, 'set a=!a!!a!')}`,
  'two values in turns': `@echo off\r\nset a=x\r\nset b=y\r\n${lines(10_000, 'set a=%a%%b%\r\nset b=%b%%a%')}`,
  'replaced letters': `@echo off\r\nset a=${'x'.repeat(8_000)}\r\n${lines(5_000, `set a=%a:x=${'x'.repeat(150)}%`)}`,
  'many replacements in a line': `@echo off\r\nset a=${'x'.repeat(8_000)}\r\necho ${`%a:x=${'y'.repeat(20)}%`.repeat(300)}\r\n`,
  'parts of a value': `@echo off\r\nset a=${'x'.repeat(8_000)}\r\n${lines(5_000, `echo ${'%a:~0,7000%'.repeat(300)}`)}`,
  'a loop with many values': `@echo off\r\nfor %%i in (${'a '.repeat(1_900)}) do echo ${'%%i'.repeat(2_000)}\r\n`,
  'a loop with a long value': `@echo off\r\nfor %%i in (${'a'.repeat(3_900)}) do echo ${'%%i'.repeat(100_000)}\r\n`,
  'loops in loops': `@echo off\r\n${'for %%i in (a b c d) do '.repeat(200)}echo %%i\r\n`,
  'loops over each other': `@echo off\r\nfor %%i in (${'a '.repeat(1_900)}) do for %%j in (${'b '.repeat(1_900)}) do echo %%i%%j\r\n`,
  'many carets': `@echo off\r\n${'^a'.repeat(500_000)}\r\n`,
  'many lines that go on': `@echo off\r\n${'a^\r\n'.repeat(200_000)}\r\n`,
  'many quotes': `@echo off\r\n${'"a" ^'.repeat(200_000)}\r\n`,
  'many alternatives': `@echo off\r\n${Array.from({ length: 5_000 }, (_, i) => `if %x%==${i} set c=${i}%c%`).join('\r\n')}\r\n`,
  'many variables': `@echo off\r\n${Array.from({ length: 20_000 }, (_, i) => `set v${i}=${i}%v${i - 1}%`).join('\r\n')}\r\n`,
  'many blocks': `@echo off\r\n${lines(50_000, 'if 1==1 (')}`,
}
const POWERSHELL: Readonly<Record<string, string>> = {
  'a formatted text': `${"$a = '{0}{0}{0}{0}{0}{0}{0}{0}' -f '".concat('x'.repeat(190), "'\n").repeat(5_000)}iex $a\n`,
  'joined texts': `iex (${"'a'+".repeat(200_000)}'b')\n`,
  numbers: `iex ([char[]](${'97,'.repeat(200_000)}97) -join '')\n`,
  'a list that is keyed': `$k = ${'97,'.repeat(100_000)}1\niex (-join($k | % { [char]($_ -bxor 7) }))\n`,
  'replaced texts': `iex ('a'${".Replace('a','aa')".repeat(50_000)})\n`,
  'variables in a row': `$v0 = 'x'\n${Array.from({ length: 20_000 }, (_, i) => `$v${i + 1} = $v${i} + $v${i}`).join('\n')}\niex $v20000\n`,
  'variables backwards': `${Array.from({ length: 20_000 }, (_, i) => `$v${i} = $v${i + 1}`).join('\n')}\niex $v0\n`,
  'functions that call each other': `${Array.from({ length: 5_000 }, (_, i) => `function F${i}($p) { F${i + 1} $p; F${i + 2} $p }`).join('\n')}\niex (F0 1)\n`,
  'many mentions': `iex 1\n${lines(2_000, `$a = ${'$b + $c + '.repeat(200)}1`)}`,
  'open blocks': `${'{ '.repeat(200_000)}\niex 1\n`,
  'closed blocks': `$a = 1 ${'} '.repeat(200_000)}\niex 1\n`,
  'blocks in blocks': `${'if (1) { '.repeat(50_000)}iex 1${' }'.repeat(50_000)}\n`,
  'blocks in pipes': `$a ${'| % { $_ }'.repeat(50_000)} | iex\n`,
  'open comments': `iex 1\n${'<# '.repeat(200_000)}\n`,
  'open texts': `iex 1\n${"@'\n".repeat(100_000)}`,
  backticks: `iex 1\n${'a`'.repeat(300_000)}\n`,
  brackets: `iex ${'('.repeat(300_000)}\n`,
  'encoded commands': lines(
    3_000,
    `powershell -enc ${Buffer.from('Write-Host 1; '.repeat(20), 'utf16le').toString('base64')}`,
  ),
  addresses: `iex (irm ${'http://a.example/b '.repeat(30_000)})\n`,
}
const SHELL: Readonly<Record<string, string>> = {
  'variables in a row': `#!/bin/sh\na=x\n${lines(50_000, 'a=$a$a')}`,
  'decoded pipes': `#!/bin/sh\n${lines(5_000, `echo ${'QUJD'.repeat(20)} | base64 -d | sh`)}`,
  downloads: `#!/bin/sh\n${lines(20_000, 'curl -s https://www.example.com/a -o /tmp/a')}`,
}

let inspector: Inspector
before(async () => {
  inspector = await ourInspector()
})
after(() => inspector.dispose())

const FAMILIES = { 'a.bat': BATCH, 'a.ps1': POWERSHELL, 'a.sh': SHELL }

for (const [name, texts] of Object.entries(FAMILIES))
  suite(name, () => {
    for (const [what, text] of Object.entries(texts))
      test(what, () => {
        const { obstacle } = inspector.inspect(Buffer.from(text), { name })
        const { work, keptBytes } = inspector.cost
        // The charge that ends the inspection is the last one.
        assert.ok(work < LIMITS.workMax * 1.1 && keptBytes < LIMITS.keptBytesMax * 1.1, `${work} ${keptBytes}`)
        assert.ok(obstacle === null || obstacle.reason === 'too_complex')
      })
  })

suite('the lines of a batch file', () => {
  const longest = (source: string): number =>
    Math.max(
      ...expandBatch(source)
        .split('\n')
        .map(({ length }) => length),
    )
  test('are as long as Windows allows, and no longer', () => {
    const value = 'x'.repeat(4_000)
    assert.equal(longest(`set a=${value}\r\necho %a%%a%\r\n`), 8_005)
    assert.equal(longest(`set a=${value}\r\necho %a%%a%%a%\r\n`), LINE_MAX)
  })
  test('have every value that a variable may have', () => {
    for (const [source, expected] of [
      ['set c=mshta\r\nif %x%==1 set c=notepad\r\n%c% a', ['mshta a', 'notepad a']],
      [
        'set c=notepad\r\nif exist a (\r\n  set c=mshta\r\n) else (\r\n  set "c=calc"\r\n)\r\n%c% a',
        ['mshta a', 'calc a'],
      ],
      ['set c=mshta\r\ngoto run\r\nset c=notepad\r\n:run\r\n%c% a', ['mshta a']],
      ['set c=ms\r\nset d=hta\r\nif 1==2 set d=x\r\n%c%%d% a', ['mshta a']],
      ['set c=mshta\r\nfind "a" b || set c=notepad\r\n%c% a', ['mshta a']],
      ['set c=ms\r\nif 1==2 set c=x\r\nset c=%c%hta\r\n%c% a', ['mshta a', 'xhta a']],
    ] as const)
      for (const line of expected) assert.ok(expandBatch(source).split('\n').includes(line), `${source}: ${line}`)
    assert.ok(!expandBatch('set c=mshta\r\nset c=notepad\r\n%c% a').includes('mshta a'))
  })
  test('have as many values as are counted, and no more', () => {
    const source = (count: number): string =>
      `set c=v0\r\n${Array.from({ length: count - 1 }, (_, i) => `if %x%==1 set c=v${i + 1}\r\n`).join('')}%c% end`
    assert.ok(expandBatch(source(32)).includes('v0 end'))
    assert.ok(!expandBatch(source(33)).includes('v0 end'))
    assert.ok(expandBatch(source(33)).includes('v1 end'))
  })
})
