/** A threat counts however much precedes it: limits end in a refusal, not in a clean document. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { useInspector } from './testing/inspector.ts'
import { pdf } from './testing/samples.ts'
import { writeZip } from './testing/zip-writer.ts'

const { inspect } = useInspector()
const packed = (name: string, data: string): Buffer => writeZip([{ name, data }])
const RUN = 'new ActiveXObject("WScript.Shell").Run("powershell -enc AAAA")'

suite('after much else', () => {
  const cases: [string, Buffer][] = [
    ['a formula', Buffer.from(`${'-1,-2,-3\n'.repeat(20_000)}=cmd|' /C calc'!A0\n`)],
    ['a value of the registry', packed('a.reg', registry('"a"="b"\r\n'.repeat(20_000)))],
    ['an attachment', Buffer.from(mail(Array.from({ length: 1_500 }, (_, i) => `a${i}.txt`).concat('b.js')))],
    ['a script', packed('a.js', `${`// ${'x'.repeat(97)}\n`.repeat(20_000)}${RUN}\n`)],
    [
      'a script element',
      packed('a.hta', `<hta:application>${'<script>a=1</script>'.repeat(500)}<script>${RUN}</script>`),
    ],
    [
      'a text of an annotation',
      pdf([
        '<< /Type /Catalog >>',
        ...Array.from({ length: 25_000 }, () => '<< /T (a) >>'),
        '<< /Type /Annot /T (<img src=x onerror=alert\\(1\\)>) >>',
      ]),
    ],
  ]
  for (const [name, bytes] of cases)
    test(name, () => {
      const { findings, obstacle } = inspect(bytes)
      assert.ok(obstacle !== null || findings.some(({ severity }) => severity !== 'notice'))
    })
})

function registry(lines: string): string {
  const key = '[HKEY_CURRENT_USER\\Software\\Microsoft\\Windows\\CurrentVersion\\Run]'
  return `Windows Registry Editor Version 5.00\r\n\r\n[HKEY_CURRENT_USER\\A]\r\n${lines}${key}\r\n"a"="powershell -w hidden -enc AAAA"\r\n`
}

function mail(names: readonly string[]): string {
  const parts = names.map(
    (name) =>
      `--b\r\nContent-Type: application/octet-stream; name="${name}"\r\nContent-Disposition: attachment; filename="${name}"\r\n\r\nx\r\n`,
  )
  return `From: a@example.com\r\nTo: b@example.com\r\nSubject: c\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${parts.join('')}--b--\r\n`
}
