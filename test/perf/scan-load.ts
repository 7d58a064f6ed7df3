/** Load for the scan benchmarks: unique documents from concurrent clients. */

import { randomBytes, randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type Agent, request } from 'node:http'
import { deflateSync } from 'node:zlib'
import { docx, pdf } from '#inspect/testing/samples.ts'

const ROUND_MS = 2_000
/** Occurs in no document. */
const BOUNDARY = `docvet-bench-${randomBytes(12).toString('hex')}`

const WORDS = Array.from({ length: 4_000 }, () => randomLetters(2 + randomInt(9)))

function randomLetters(length: number): string {
  return String.fromCharCode(...Array.from({ length }, () => 97 + randomInt(26)))
}

function randomWords(size: number): string {
  let text = ''
  while (text.length < size) text += `${WORDS[randomInt(WORDS.length)]}${randomInt(12) === 0 ? '.\n' : ' '}`
  return text.slice(0, size)
}

/** A document with a random first line, so that no cache of clean files applies. */
function withUniqueLine(document: Buffer, at = 0): () => Buffer {
  return () => {
    const copy = Buffer.from(document)
    copy.write(randomBytes(24).toString('hex'), at)
    return copy
  }
}

/** Random words. */
export function documents(size: number): () => Buffer {
  return withUniqueLine(Buffer.from(randomWords(size)))
}

const PAGES = 20

/** Pages of compressed text and a comment. */
export function pdfDocuments(): () => Buffer {
  const pages = Array.from({ length: PAGES }, () => {
    const data = deflateSync(Buffer.from(`BT /F1 11 Tf (${randomWords(8_000)}) Tj ET`))
    return `<< /Length ${data.length} /Filter /FlateDecode >>\nstream\n${data.toString('latin1')}\nendstream`
  })
  const kids = pages.map((_, i) => `${PAGES + i + 3} 0 R`).join(' ')
  const leaves = pages.map((_, i) => `<< /Type /Page /Parent 2 0 R /Contents ${i + 3} 0 R >>`)
  const tree = `<< /Type /Pages /Kids [${kids}] /Count ${PAGES} >>`
  const file = pdf(['<< /Type /Catalog /Pages 2 0 R >>', tree, ...pages, ...leaves])
  return withUniqueLine(Buffer.concat([file, Buffer.from(`%${' '.repeat(48)}\n`)]), file.length + 1)
}

/** Paragraphs, styles and a picture that cannot be compressed; unique by the picture, which is stored. */
export function docxDocuments(): () => Buffer {
  const paragraphs = Array.from({ length: 400 }, () => `<w:p><w:r><w:t>${randomWords(400)}</w:t></w:r></w:p>`)
  const picture = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), randomBytes(40_000)])
  return () => {
    picture.write(randomBytes(24).toString('hex'), 100)
    return docx({
      'word/document.xml': `<?xml version="1.0"?><w:document><w:body>${paragraphs.join('')}</w:body></w:document>`,
      'word/media/image1.png': picture,
    })
  }
}

interface ScanTarget {
  agent: Agent
  port: number
  path: string
  headers: Record<string, string>
}

export const serviceScan = (agent: Agent, port: number, apiKey: string, document: Buffer): Promise<void> =>
  postDocument({ agent, port, path: '/api/v1/scan', headers: { 'x-api-key': apiKey } }, document)

/** Rejects unless the document is clean. */
export async function postDocument(target: ScanTarget, document: Buffer): Promise<void> {
  const body = await sendDocument(target, document)
  if (!body.includes('"status":"clean"')) throw new Error(body)
}

/** Resolves with the body of the response. */
export function sendDocument({ headers, ...target }: ScanTarget, document: Buffer, name = 'a.txt'): Promise<string> {
  const head = Buffer.from(
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`,
  )
  const tail = Buffer.from(`\r\n--${BOUNDARY}--\r\n`)
  return new Promise((resolve, reject) => {
    const all = {
      ...headers,
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      'content-length': head.length + document.length + tail.length,
    }
    const sent = request({ ...target, host: '127.0.0.1', method: 'POST', headers: all }, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (text) => (body += text))
      response.on('end', () => resolve(body))
    })
    sent.on('error', reject)
    sent.write(head)
    sent.write(document)
    sent.end(tail)
  })
}

export interface Round {
  count: number
  perSecond: number
  p50: number
  p99: number
}

export async function round(parallel: number, once: () => Promise<unknown>): Promise<Round> {
  const times: number[] = []
  const startedAt = performance.now()
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      do {
        const start = performance.now()
        await once()
        times.push(performance.now() - start)
      } while (performance.now() - startedAt < ROUND_MS)
    }),
  )
  const seconds = (performance.now() - startedAt) / 1000
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
  return { count: times.length, perSecond: times.length / seconds, p50: at(0.5), p99: at(0.99) }
}

export function residentMb(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}

export async function signUp(url: string): Promise<string> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${url}/api/v1/signup`, {
    method: 'POST',
    headers,
    body: '{"email":"bench@example.com"}',
  })
  return ((await response.json()) as { apiKey: string }).apiKey
}
