/** Load for the scan benchmarks: unique documents from concurrent clients. */

import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type Agent, request } from 'node:http'

const ROUND_MS = 2_000

/** Text with a random first line, so that no cache of clean files applies. */
export function documents(size: number): () => Buffer {
  const line = 'The quick brown fox jumps over the lazy dog, again and again, until the page is full. '
  const text = Buffer.alloc(size, line)
  return () => {
    const copy = Buffer.from(text)
    copy.write(randomBytes(24).toString('hex'))
    return copy
  }
}

export function serviceScan(agent: Agent, port: number, apiKey: string, document: Buffer): Promise<void> {
  const head = Buffer.from(
    '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n',
  )
  const tail = Buffer.from('\r\n--b--\r\n')
  return new Promise((resolve, reject) => {
    const headers = {
      'x-api-key': apiKey,
      'content-type': 'multipart/form-data; boundary=b',
      'content-length': head.length + document.length + tail.length,
    }
    const sent = request(
      { agent, port, host: '127.0.0.1', method: 'POST', path: '/api/v1/scan', headers },
      (response) => {
        let body = ''
        response.setEncoding('utf8').on('data', (text) => (body += text))
        response.on('end', () => (body.includes('"status":"clean"') ? resolve() : reject(new Error(body))))
      },
    )
    sent.on('error', reject)
    sent.write(head)
    sent.write(document)
    sent.end(tail)
  })
}

export interface Round {
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
  return { perSecond: times.length / seconds, p50: at(0.5), p99: at(0.99) }
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
