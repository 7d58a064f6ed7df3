/**
 * The least program with the duties of a scan, to show how far the service is from what Node needs for them: it looks a key
 * up, hashes the document, has the same analyser inspect it in another process, and answers when the verdict is on the disk.
 * It checks nothing, limits nothing, and trusts everyone.
 */

import { spawn } from 'node:child_process'
import { createHash, hash, randomUUID } from 'node:crypto'
import { fdatasync, openSync } from 'node:fs'
import { createServer } from 'node:http'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'

interface Job {
  chunks: Buffer[]
  size: number
  done(answer: { bytes: number }): void
}

const [port, folder = ''] = process.argv.slice(2)
const KEYS = new Set([hash('sha256', 'key')])
const file = path.join(folder, 'scans.sqlite')
const db = new DatabaseSync(file)
db.exec(`pragma journal_mode = wal; pragma synchronous = normal;
  create table scans (id text primary key, sha256 text, size integer, answer text) without rowid;
  create table ledger (id text primary key, at integer) without rowid;
  create table counters (key text primary key, used integer);
  insert into counters values ('key', 0)`)
const insertScan = db.prepare('insert into scans values (?, ?, ?, ?)')
const insertCharge = db.prepare('insert into ledger values (?, ?)')
const count = db.prepare('update counters set used = used + ?')
const log = openSync(`${file}-wal`, 'r+')

const waiting: Job[] = []
const idle: (() => void)[] = []
let starting = availableParallelism()
for (let i = starting; i > 0; i--) {
  const worker = path.join(import.meta.dirname, 'least-worker.ts')
  const { stdin, stdout } = spawn(process.execPath, [worker], { stdio: ['pipe', 'pipe', 'inherit'] })
  let current: Job | undefined
  let text = ''
  const next = () => {
    current = waiting.shift()
    if (!current) return void idle.push(next)
    const length = Buffer.allocUnsafe(4)
    length.writeUInt32BE(current.size)
    stdin.cork()
    for (const chunk of [length, ...current.chunks]) stdin.write(chunk)
    stdin.uncork()
  }
  stdout.setEncoding('latin1').on('data', (piece: string) => {
    text += piece
    if (!text.endsWith('\n')) return
    const [answered, answer] = [current, JSON.parse(text)]
    text = ''
    next()
    if (answered) answered.done(answer)
    else if (--starting === 0) process.send?.('ready')
  })
}

interface Row {
  values: [id: string, sha256: string, size: number, answer: string]
  done(): void
}

let rows: Row[] = []
let isWriting = false
function write(): void {
  if (isWriting || rows.length === 0) return
  isWriting = true
  const group = rows
  rows = []
  db.exec('begin immediate')
  for (const { values } of group) {
    insertScan.run(...values)
    insertCharge.run(values[0], Date.now())
  }
  count.run(group.length)
  db.exec('commit')
  fdatasync(log, () => {
    isWriting = false
    for (const { done } of group) done()
    write()
  })
}

const server = createServer((request, response) => {
  if (!KEYS.has(hash('sha256', String(request.headers['x-api-key'])))) return void response.writeHead(401).end()
  const delimiter = `\r\n--${request.headers['content-type']?.split('boundary=')[1]}`
  const hasher = createHash('sha256')
  const chunks: Buffer[] = []
  let size = 0
  let isFirst = true
  request.on('data', (piece: Buffer) => {
    const from = isFirst ? piece.indexOf('\r\n\r\n') + 4 : 0
    const to = piece.indexOf(delimiter, from)
    isFirst = false
    const chunk = piece.subarray(from, to < 0 ? piece.length : to)
    if (chunk.length === 0) return
    hasher.update(chunk)
    chunks.push(chunk)
    size += chunk.length
  })
  request.on('end', () => {
    const done = ({ bytes }: { bytes: number }) => {
      if (bytes !== size) throw new Error('The worker has another document')
      const id = randomUUID()
      const answer = JSON.stringify({ scanId: id, status: 'clean', threat: null, fileSize: size })
      const headers = { 'content-type': 'application/json', 'content-length': answer.length, 'x-request-id': id }
      rows.push({
        values: [id, hasher.digest('hex'), size, answer],
        done: () => response.writeHead(200, headers).end(answer),
      })
      setImmediate(write)
    }
    waiting.push({ chunks, size, done })
    idle.pop()?.()
  })
})
server.listen(Number(port), '127.0.0.1')
