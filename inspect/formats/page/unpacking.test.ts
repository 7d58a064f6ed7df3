/** Files that a page hides as a browser can undo it: each way with a program in the file, and with a report in it. */

import assert from 'node:assert/strict'
import { createCipheriv, createHash, pbkdf2Sync } from 'node:crypto'
import { suite, test } from 'node:test'
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { useInspector } from '#inspect/testing/inspector.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'

const { inspect } = useInspector()

const outcomeOf = (body: string, script: string): string => {
  const { findings, obstacle } = inspect(
    Buffer.from(
      `<!DOCTYPE html><html><body><p>A paragraph to read.</p>${body}<script>${script}</script></body></html>`,
    ),
  )
  assert.equal(obstacle, null)
  return findings.find(({ severity }) => severity !== 'notice')?.id.replace('Docvet.', '') ?? ''
}

const TOOL = Buffer.from(writeZip([{ name: 'statement.exe', data: Buffer.from('MZ and so on') }]))
const REPORT = Buffer.from(
  writeZip([
    { name: 'results/table.csv', data: Buffer.from('name;amount\n') },
    { name: 'results/chart.png', data: Buffer.from('picture') },
    { name: 'results/trace', data: Buffer.from('1 2 3') },
  ]),
)

const bytes = (data: Buffer): string => `Uint8Array.from(atob("${data.toString('base64')}"),c=>c.charCodeAt(0))`
const hex = (data: Buffer): string => data.toString('hex')
const turned = (text: string): string => [...text].reverse().join('')
const LINK = 'const l=document.createElement("a");l.download="statement.zip";'
const SAVE = `${LINK}l.href=URL.createObjectURL(new Blob([u]));l.click()`
const KEY = createHash('sha256').update('a key').digest()
const IV = Buffer.alloc(16, 7)

function encrypted(mode: 'gcm' | 'cbc' | 'ctr', data: Buffer, key = KEY): Buffer {
  const cipher = createCipheriv(`aes-${key.length * 8}-${mode}`, key, IV)
  const parts = [cipher.update(data), cipher.final()]
  return Buffer.concat(mode === 'gcm' ? [...parts, Object.assign(cipher).getAuthTag()] : parts)
}
const imported = (key: string, name: string): string =>
  `const k=await crypto.subtle.importKey("raw",${key},"${name}",false,["decrypt"]);`
const opened = (key: string, name: string, how: string, data: Buffer): string =>
  `${imported(key, name)}const u=await crypto.subtle.decrypt({name:"${name}",${how}},k,${bytes(data)});`
const iv = `iv:${bytes(IV)}`

const pieces = (data: Buffer, element: (piece: string, at: number) => string): string =>
  (
    hex(data)
      .padEnd(2_000, '00')
      .match(/.{1,60}/g) ?? []
  )
    .map((piece, at) => element(piece, at))
    .sort()
    .reverse()
    .join('')
const FROM_HEX = 'const u=new Uint8Array(v.match(/../g).map(x=>parseInt(x,16)));'

/** What is in the page, and the code that makes `u` of it. */
const WAYS: Readonly<Record<string, (data: Buffer) => readonly [body: string, code: string]>> = {
  'a stream of gzip': (data) => [
    '',
    `const u=await new Response(new Blob([${bytes(gzipSync(data))}]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();`,
  ],
  'a stream of an answer': (data) => [
    '',
    `const u=await new Response(new Response(${bytes(deflateSync(data))}).body.pipeThrough(new DecompressionStream("deflate"))).bytes();`,
  ],
  'numbers that are turned round and combined': (data) => [
    '',
    `const d=[${[...deflateRawSync(data)].map((byte, i) => byte ^ (i % 2 === 0 ? 42 : 145)).reverse()}],k=[42,145];const u=await new Response(new Response(Uint8Array.from(d.reverse(),(c,i)=>c^k[i%k.length])).body.pipeThrough(new DecompressionStream("deflate-raw"))).arrayBuffer();`,
  ],
  'a library of a server': (data) => ['', `const u=pako.inflate(${bytes(deflateSync(data))});`],
  'a cipher with a tag, and its key in attributes': (data) => [
    `<b id="q" data-k="${hex(KEY).slice(0, 32)}" data-s="${hex(KEY).slice(32)}"></b>`,
    `const h=s=>new Uint8Array(s.match(/../g).map(x=>parseInt(x,16))),t=document.getElementById("q").dataset;${opened('h(t.k+t.s)', 'AES-GCM', iv, encrypted('gcm', data))}`,
  ],
  'a cipher of blocks, and its key as a hash': (data) => [
    '',
    opened(
      'await crypto.subtle.digest("SHA-256",new TextEncoder().encode("a key"))',
      'AES-CBC',
      iv,
      encrypted('cbc', data),
    ),
  ],
  'a cipher with a counter': (data) => [
    '',
    opened(bytes(KEY), 'AES-CTR', `counter:${bytes(IV)},length:64`, encrypted('ctr', data)),
  ],
  'a key made of a password': (data) => [
    '',
    `const p=await crypto.subtle.importKey("raw",new TextEncoder().encode("word"),"PBKDF2",false,["deriveKey"]);const k=await crypto.subtle.deriveKey({name:"PBKDF2",salt:${bytes(IV)},iterations:1000,hash:"SHA-256"},p,{name:"AES-GCM",length:256},false,["decrypt"]);const u=await crypto.subtle.decrypt({name:"AES-GCM",${iv}},k,${bytes(encrypted('gcm', data, pbkdf2Sync('word', IV, 1000, 32, 'sha256')))});`,
  ],
  'pieces in attributes of hidden elements, reversed': (data) => [
    pieces(data, (piece, at) => `<i class="r" data-n="${at}" data-v="${turned(piece)}"></i>`),
    `const v=[...document.querySelectorAll(".r")].sort((a,b)=>a.dataset.n-b.dataset.n).map(e=>[...e.dataset.v].reverse().join("")).join("");${FROM_HEX}`,
  ],
  'pieces in the texts of elements': (data) => [
    pieces(data, (piece, at) => `<em class="x" title="${`${at}`.padStart(3, '0')}">${piece}</em>`),
    `const v=Array.from(document.getElementsByClassName("x")).sort((a,b)=>Number(a.title)-Number(b.title)).map(e=>e.textContent).join("");${FROM_HEX}`,
  ],
}

suite('a file that is saved on a click', () => {
  for (const [name, way] of Object.entries(WAYS))
    test(`from ${name}`, () => {
      const onClick = (data: Buffer): string => {
        const [body, code] = way(data)
        return outcomeOf(
          `${body}<button id="b">Save</button>`,
          `document.getElementById("b").onclick=async()=>{${code}${SAVE}}`,
        )
      }
      assert.equal(onClick(TOOL), 'Html.SmuggledFile')
      assert.equal(onClick(REPORT), '')
    })
})

suite('a file that is saved', () => {
  const save: Readonly<Record<string, string>> = {
    'as what a reader makes of it': `${LINK}const f=new FileReader();f.onload=()=>{l.href=f.result;l.click()};f.readAsDataURL(new Blob([u]))`,
    'as the file of an answer': `${LINK}new Response(u).blob().then(b=>{l.href=URL.createObjectURL(b);l.click()})`,
  }
  for (const [name, end] of Object.entries(save))
    test(name, () => {
      assert.equal(outcomeOf('', `const u=${bytes(TOOL)};${end}`), 'Html.SmuggledFile')
      assert.equal(outcomeOf('', `const u=${bytes(Buffer.from('name;amount\n'))};${end.replace('.zip', '.csv')}`), '')
    })
})

test('an archive that is locked, or holds a file that opens something, is no report', () => {
  const saved = (data: Buffer): string =>
    outcomeOf(
      '<button id="b">Save</button>',
      `document.getElementById("b").onclick=()=>{const u=${bytes(data)};${SAVE}}`,
    )
  const holding = (...names: string[]): Buffer =>
    Buffer.from(writeZip(names.map((name) => ({ name, data: Buffer.from('text') }))))
  for (const name of ['a.lnk', 'a.url', 'a.html', 'a.zip', 'a.iso', 'a.js'])
    assert.equal(saved(holding('table.csv', name)), 'Html.SmuggledFile', name)
  assert.equal(saved(holding('table.csv', 'report.docx')), 'Html.SmugglingParts')
  assert.equal(saved(holding('table.csv', 'log.txt')), '')
})

test('a key of the reader keeps a file unknown', () => {
  const code = opened(
    'new TextEncoder().encode(document.getElementById("p").value)',
    'AES-GCM',
    iv,
    encrypted('gcm', TOOL),
  )
  const page = (name: string): string =>
    outcomeOf('<input id="p">', `p.onchange=async()=>{${code}${SAVE.replace('statement.zip', name)}}`)
  assert.equal(page('statement.pdf'), '')
  assert.equal(page('statement.zip'), 'Html.SmugglingParts')
})
