/** Files that a browser saves from addresses of a page, without a click. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { useInspector } from '#inspect/testing/inspector.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'

const { inspect, outcome } = useInspector()

const ARCHIVE = Buffer.from(writeZip([{ name: 'notes.txt', data: Buffer.from('text') }])).toString('base64')
const TABLE = btoa('name,amount\nMiller,120\n')
const link = (data: string): string =>
  `<a id="l" download="a" href="data:application/octet-stream;base64,${data}">.</a>`
const CLICK = '<script>document.getElementById("l").click()</script>'

test('a file that only a browser decrypts is judged by its name', () => {
  const page = (name: string): Buffer =>
    Buffer.from(
      `<html><body><p>A paragraph to read.</p><script>(async()=>{const k=await crypto.subtle.importKey("raw",new Uint8Array(16),"AES-CBC",false,["decrypt"]);const d=await crypto.subtle.decrypt({name:"AES-CBC",iv:new Uint8Array(16)},k,Uint8Array.from(atob("${ARCHIVE}"),(c)=>c.charCodeAt(0)));const l=document.createElement("a");l.href=URL.createObjectURL(new Blob([d]));l.download="${name}";l.click()})()</script></body></html>`,
    )
  const has = (name: string): boolean =>
    inspect(page(name)).findings.some(({ id }) => id === 'Docvet.Html.SmugglingParts')
  assert.equal(has('statement.zip'), true)
  assert.equal(has('statement.pdf'), false)
})

suite('an archive in an address is saved', () => {
  const pages: Record<string, (data: string) => string> = {
    'by a link that a script clicks': (data) => link(data) + CLICK,
    'by a link that the body clicks': (data) => `<body onload="document.links[0].click()">${link(data)}</body>`,
    'by a frame': (data) => `<iframe src="data:application/octet-stream;base64,${data}"></iframe>`,
    'by an object': (data) => `<object data=" data:application/zip;base64,${data}"></object>`,
    'in place of the page': (data) => `<script>location.href="data:application/zip;base64,${data}"</script>`,
  }
  const page = (body: string): Buffer => Buffer.from(`<html><body><p>A paragraph to read.</p>${body}</body></html>`)
  for (const [name, content] of Object.entries(pages))
    test(name, () => {
      assert.equal(outcome(page(content(ARCHIVE))), 'Docvet.Html.SmuggledFile')
      assert.equal(outcome(page(content(TABLE))), undefined)
    })

  test('but not if the reader must click', () => assert.equal(outcome(page(link(ARCHIVE))), undefined))
  test('but not if it is shown', () =>
    assert.equal(outcome(page(`<iframe src="data:application/pdf;base64,${ARCHIVE}"></iframe>`)), undefined))
})
