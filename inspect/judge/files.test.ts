import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { judgeFile } from './files.ts'

const text = Buffer.from('hello, world\n')
const program = (() => {
  const bytes = Buffer.alloc(256)
  bytes.write('MZ')
  bytes.writeUInt32LE(0x80, 0x3c)
  bytes.write('PE\0\0', 0x80, 'latin1')
  bytes.writeUInt16LE(0x14c, 0x84)
  return bytes
})()
const shortcut = Buffer.from('4c0000000114020000000000c000000000000046'.padEnd(152, '0'), 'hex')
const pdf = Buffer.from('%PDF-1.7\n')
const zip = Buffer.from('PK\x05\x06'.padEnd(22, '\0'), 'latin1')

suite('attached files', () => {
  const BY_NAME: readonly (readonly [string, string, string])[] = [
    ['setup.exe', 'program', 'malicious'],
    ['a.js', 'script', 'malicious'],
    ['A.HTA', 'script', 'malicious'],
    ['a.vbs. . ', 'script', 'malicious'],
    ['folder\\a.lnk', 'shortcut', 'malicious'],
    ['a.searchConnector-ms', 'link', 'suspicious'],
    ['a.py', 'script', 'suspicious'],
    ['a.iso', 'diskImage', 'suspicious'],
    ['notes.txt', 'text', 'notice'],
    ['table.csv', 'text', 'notice'],
    ['report.docm', 'document', 'notice'],
    ['README', 'text', 'notice'],
  ]
  for (const [name, kind, severity] of BY_NAME)
    test(`${JSON.stringify(name)} is ${kind}, ${severity}`, () => {
      const judged = judgeFile(name, text)
      assert.deepEqual([judged.kind, judged.severity], [kind, severity])
      assert.equal(judged.isDangerous, severity === 'malicious')
    })

  test('a script under the name of a script is as severe as its name', () => {
    assert.equal(judgeFile('specs.bat', Buffer.from('@echo off\r\nstart a.exe\r\n')).severity, 'malicious')
    assert.equal(judgeFile('build.sh', Buffer.from('#!/bin/sh\nmake\n')).severity, 'suspicious')
  })

  const BY_CONTENT: readonly (readonly [Uint8Array, string, string])[] = [
    [program, 'program', 'malicious'],
    [shortcut, 'shortcut', 'malicious'],
    [pdf, 'document', 'notice'],
    [zip, 'archive', 'notice'],
    [Buffer.from('#@~^AAAAAA==abc'), 'script', 'malicious'],
    [Buffer.from('[InternetShortcut]\r\nURL=https://example.com/'), 'link', 'suspicious'],
    [Buffer.from('<html><hta:application id=a>'), 'script', 'malicious'],
    [
      Buffer.from(
        '\xff\xfeW\0i\0n\0d\0o\0w\0s\0 \0R\0e\0g\0i\0s\0t\0r\0y\0 \0E\0d\0i\0t\0o\0r\0 \0V\0e\0r\0s\0i\0o\0n\0',
        'latin1',
      ),
      'script',
      'malicious',
    ],
    [Buffer.from('MZ means mark Zbikowski'), 'text', 'notice'],
    [Buffer.alloc(0), 'data', 'notice'],
  ]
  for (const [bytes, kind, severity] of BY_CONTENT)
    test(`${JSON.stringify(Buffer.from(bytes).toString('latin1', 0, 24))} is ${kind}, ${severity}`, () => {
      const judged = judgeFile('a.bin', bytes)
      assert.deepEqual([judged.kind, judged.severity], [kind, severity])
    })

  test('a program under the name of a document is a program', () => {
    assert.equal(judgeFile('report.pdf', program).isDangerous, true)
  })

  test('a document under the name of a program is suspicious', () => {
    assert.equal(judgeFile('example.com', pdf).severity, 'suspicious')
  })

  test('names that hide the extension are recognised', () => {
    assert.equal(judgeFile('invoice.pdf.exe', text).disguise, 'doubleExtension')
    assert.equal(judgeFile('invoice.pdf                .js', text).disguise, 'doubleExtension')
    assert.equal(judgeFile('invoice\u202efdp.exe', text).disguise, 'reversed')
    assert.equal(judgeFile('invoice.v2.pdf', pdf).disguise, null)
    assert.equal(judgeFile('setup.exe', program).disguise, null)
  })
})
