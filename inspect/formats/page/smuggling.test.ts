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
  assert.equal(outcome(page('statement.zip')), 'Docvet.Html.SmuggledFile')
  assert.equal(outcome(page('statement.pdf')), undefined)
})

const SAVE =
  'const l=document.createElement("a");l.href=URL.createObjectURL(new Blob([u]));l.download="statement.zip";l.click()'
const scripted = (body: string, script: string): Buffer =>
  Buffer.from(`<html><body><p>A paragraph to read.</p>${body}<script>${script}</script></body></html>`)
const PIECES = `<i data-r="0" data-v="${ARCHIVE.slice(0, 40)}"></i><i>${ARCHIVE.slice(80)}</i><style>:root{--t1:"${ARCHIVE.slice(40, 80)}"}</style>`
const JOINED = `const s=getComputedStyle(document.documentElement);const b=atob(document.querySelector("[data-r='0']").getAttribute("data-v")+s.getPropertyValue("--t1"));const u=new Uint8Array(b.length);for(let k=0;k<b.length;k++)u[k]=b.charCodeAt(k);`
const COMPUTED = `const {instance:{exports:x}}=await WebAssembly.instantiate(Uint8Array.from(atob("${btoa('\0asm')}"),(c)=>c.charCodeAt(0)));const u=new Uint8Array(x.memory.buffer,x.o(),x.n());`

suite('a file of unknown content that is saved without a click', () => {
  const pages: Record<string, [string, string]> = {
    'from pieces in attributes and styles': [PIECES, JOINED],
    'from a program of the browser': ['', COMPUTED],
  }
  for (const [name, [body, code]] of Object.entries(pages))
    test(name, () => {
      assert.equal(outcome(scripted(body, `(async()=>{${code}${SAVE}})()`)), 'Docvet.Html.SmuggledFile')
      const onClick = `document.getElementById("b").addEventListener("click",async()=>{${code}${SAVE}})`
      const { findings } = inspect(scripted(`${body}<button id="b">Save</button>`, onClick))
      assert.ok(!findings.some(({ severity }) => severity === 'malicious'))
    })
})

test('a page that decrypts another with a key that it contains', () => {
  const shown = (key: string): Buffer =>
    scripted(
      '<input id="p">',
      `(async()=>{const k=await crypto.subtle.importKey("raw",new TextEncoder().encode(${key}),"AES-CBC",false,["decrypt"]);const d=await crypto.subtle.decrypt({name:"AES-CBC",iv:new Uint8Array(16)},k,Uint8Array.from(atob("${ARCHIVE}"),(c)=>c.charCodeAt(0)));document.write(new TextDecoder().decode(d))})()`,
    )
  assert.equal(outcome(shown('"9d2f-Quarantine"')), 'Docvet.Html.HiddenScript')
  assert.equal(outcome(shown('document.getElementById("p").value')), undefined)
  assert.equal(outcome(shown('prompt("Password")')), undefined)
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

suite('a report whose table takes longer to show than a script may', () => {
  const rows = Array.from({ length: 1_500 }, (_, i) => [i, `Shop ${(i * 7) % 91}`, 'North', i * i])
  const report = (end: string, count = rows.length): Buffer =>
    Buffer.from(
      `<!DOCTYPE html><html><body><h1>Report</h1><p>The sales of the month, by shop and region.</p><table><tbody></tbody></table><button id="b">Save</button>` +
        `<script id="d" type="application/json">${JSON.stringify(rows.slice(0, count))}</script><script>(function(){var rows=JSON.parse(document.getElementById("d").textContent),dir=1;` +
        'function esc(s){return String(s).replace(/[&<>"]/g,function(c){return {"&":"&amp;","<":"&lt;"}[c]})}' +
        'function draw(l){document.querySelector("tbody").innerHTML=l.map(function(r){return "<tr>"+r.map(function(v){return "<td>"+esc(v)+"</td>"}).join("")+"</tr>"}).join("")}draw(rows);' +
        'document.querySelectorAll("th").forEach(function(th,i){th.addEventListener("click",function(){dir=-dir;rows.sort(function(a,b){return (a[i]>b[i]?1:-1)*dir});draw(rows)})});' +
        `document.getElementById("b").addEventListener("click",function(){var text=rows.map(function(r){return r.join(",")}).join("\\n");${end}})})()</script></body></html>`,
    )
  const link = (name: string): string =>
    `var a=document.createElement("a");a.href=URL.createObjectURL(new Blob([text],{type:"text/csv"}));a.download=${name};a.click()`
  const mail = 'location.href="mailto:a@b.example?body="+encodeURIComponent(text)'

  test('may save it as a table, and open a message with it', () => {
    for (const end of [
      link('"a.csv"'),
      link('"a_"+new Date().toISOString()+".csv"'),
      'saveAs(new Blob([text]),"a.txt")',
      mail,
    ])
      assert.equal(outcome(report(end)), undefined, end)
  })
  test('is judged by any other use of what was not seen', () => {
    for (const end of [
      link('"a.js"'),
      link('"a.xml"'),
      'saveAs(new Blob([text]),"a.hta")',
      'eval(text)',
      'location.href=text',
    ])
      assert.notEqual(outcome(report(end)), undefined, end)
  })
  test('is followed as far as its data are long', () => {
    assert.equal(outcome(report('navigator.clipboard.writeText(text)', 300)), undefined)
  })
})
