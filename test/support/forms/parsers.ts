/** Other parsers of forms: busboy, Go, PHP and six of Python. */

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { Readable, type Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { rawRequest } from '#test/support/client.ts'
import { send } from '#test/support/raw-http.ts'
import { atExit, exitOf, freePort, temporaryFolder } from '#test/support/service.ts'
import { PYTHON } from '#test/support/suite.ts'
import type { FormRow } from './row.ts'

interface SeenFile {
  name: string
  fileName: string
  sha256: string
}

/** The files of a form as a parser reported them, also those before an error. */
export interface Seen {
  files: SeenFile[]
  error: string | null
}

/** By parser. */
export type Sightings = Map<string, Seen>

const run = promisify(execFile)
const HERE = import.meta.dirname
const OUTPUT_BYTES_MAX = 64_000_000

const busboy = createRequire(import.meta.url)('busboy') as (options: {
  headers: Record<string, string>
}) => Writable & {
  on(event: 'file', listener: (name: string, stream: Readable, info: { filename: string }) => void): void
}

async function readWithBusboy({ type, body }: FormRow): Promise<Seen> {
  const files: SeenFile[] = []
  try {
    const parser = busboy({ headers: { 'content-type': type } })
    const contents: Promise<void>[] = []
    parser.on('file', (name, stream, { filename }) => {
      const hash = createHash('sha256')
      const file = { name, fileName: filename, sha256: '' }
      files.push(file)
      stream.on('data', (chunk: Buffer) => hash.update(chunk))
      const ended = new Promise<void>((resolve) => {
        stream.once('error', () => resolve())
        stream.once('close', () => resolve())
      })
      contents.push(ended.then(() => void Object.assign(file, { sha256: hash.digest('hex') })))
    })
    const error = await new Promise<string | null>((resolve) => {
      parser.once('error', (reason: Error) => resolve(reason.message))
      parser.once('close', () => resolve(null))
      Readable.from([body]).pipe(parser)
    })
    await Promise.all(contents)
    return { files, error }
  } catch (error) {
    return { files, error: (error as Error).message }
  }
}

async function startPhp(): Promise<{ port: number; child: ChildProcess }> {
  const port = await freePort()
  const limits = ['post_max_size=64M', 'upload_max_filesize=32M', 'display_errors=stderr'].flatMap((each) => [
    '-d',
    each,
  ])
  const child = spawn('php', [...limits, '-S', `127.0.0.1:${port}`, path.join(HERE, 'reader.php')], { stdio: 'ignore' })
  const cancel = atExit(() => child.kill('SIGKILL'))
  child.once('exit', cancel)
  for (let attempt = 0; attempt < 100; attempt++) {
    const answered = await send(port, rawRequest('GET /')).catch(() => null)
    if (answered?.responses[0]?.status === 200) return { port, child }
    await sleep(100)
  }
  child.kill('SIGKILL')
  throw new Error('PHP did not start')
}

async function readWithPhp(forms: readonly FormRow[]): Promise<Seen[]> {
  const { port, child } = await startPhp()
  const seen: Seen[] = []
  try {
    for (const { type, body } of forms) {
      const lines = [`Content-Type: ${type}`, `Content-Length: ${body.length}`]
      const { responses } = await send(port, rawRequest('POST /', lines, body))
      const [answer] = responses
      seen.push(answer?.status === 200 ? (answer.json() as Seen) : { files: [], error: `status ${answer?.status}` })
    }
  } finally {
    child.kill('SIGKILL')
    await exitOf(child)
  }
  return seen
}

interface Line extends Seen {
  form: string
  parser: string
}

const linesOf = (output: string): Line[] =>
  output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)

/** One program reads all forms from a folder. */
async function readWithPrograms(forms: readonly FormRow[]): Promise<Line[]> {
  const folder = temporaryFolder('forms')
  try {
    for (const [i, { type, body }] of forms.entries()) {
      const head = Buffer.from(`${type}\r\n`, 'latin1')
      writeFileSync(path.join(folder, `${String(i).padStart(4, '0')}.form`), Buffer.concat([head, body]))
    }
    const options = { maxBuffer: OUTPUT_BYTES_MAX, env: { ...process.env, GO111MODULE: 'off', CGO_ENABLED: '0' } }
    const outputs = await Promise.all([
      run('go', ['run', path.join(HERE, 'reader.go'), folder], options),
      run(PYTHON, [path.join(HERE, 'reader.py'), folder], options),
    ])
    return outputs.flatMap(({ stdout }) => linesOf(stdout))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** In the order of the forms. */
export async function readWithOthers(forms: readonly FormRow[]): Promise<Sightings[]> {
  const [busboySeen, php, lines] = await Promise.all([
    Promise.all(forms.map(readWithBusboy)),
    readWithPhp(forms),
    readWithPrograms(forms),
  ])
  const all = forms.map(
    (_, i): Sightings =>
      new Map([
        ['busboy', busboySeen[i] as Seen],
        ['php', php[i] as Seen],
      ]),
  )
  for (const { form, parser, files, error } of lines) all[Number(form)]?.set(parser, { files, error })
  return all
}
