import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { factsIn, findFacts } from './check-facts.ts'

const FACTS: readonly (readonly [name: string, source: string, fact: string])[] = [
  ['a program in a pattern', 'const A = /(?:cmd|powershell)/', 'powershell'],
  ['a program in a text', 'const A = `start mshta`', 'mshta'],
  ['a list of programs', "const A = ['certutil', 'curl']", 'certutil'],
  ['a folder', 'const A = /%temp%/i', '%temp%'],
  ['one of several folders', 'const A = /%(?:tmp|public)%/i', '%(?:tmp|'],
  ['a list of extensions', 'const A = /\\.(?:exe|vbs|js)$/', '.(?:exe|vbs|js'],
  ['extensions in a text', "const A = 'exe com scr pif'", 'exe com scr pif'],
  ['a class', 'const A = /^adodb\\.stream$/', 'adodb\\.stream'],
  ['a library', 'const A = /kernel32|user32/', 'kernel32'],
  ['a key of the registry', 'const A = /currentversion\\\\run/', 'currentversion\\\\run'],
]

for (const [name, source, fact] of FACTS)
  test(`reports ${name}`, () => {
    assert.deepEqual(
      factsIn('a.ts', source).map((found) => found.fact),
      [fact],
    )
  })

for (const source of [
  "const language = 'powershell'",
  "import 'windows/powershell.ts'",
  '/** powershell */',
  'const A = /\\.(?:js|css)$/',
])
  test(`passes ${source}`, () => {
    assert.deepEqual(factsIn('a.ts', source), [])
  })

test('facts of Windows are only in inspect/windows/', () => {
  assert.deepEqual(findFacts(path.join(import.meta.dirname, '..')), [])
})
