/** `docvet mcp`: scans for a program that speaks the Model Context Protocol over standard input and output. */
import { constants, realpathSync } from 'node:fs'
import { open, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { DOCUMENT_BYTES_MAX } from '#base/document-limit.ts'
import { createMcp, ERRORS, failure, type McpServer, type Reply, type ToolResult } from '#base/mcp.ts'
import { explainTool, INSTRUCTIONS, listTool, type ScannedDocument, scanResult, scanTool } from '#base/mcp-tools.ts'
import { messageOf } from '#base/message-of.ts'
import { VERSION } from '#base/version.ts'
import { CATALOGUE } from '#inspect/catalogue/catalogue.ts'
import { MCP } from './commands.ts'
import { startEngine } from './engine.ts'
import { readOpen } from './files.ts'
import { judgingOf, serverOf } from './options.ts'
import { remoteScan } from './remote.ts'
import type { Result } from './result.ts'
import { localScan, type Scan } from './scan-files.ts'
import { onInterrupt } from './signals.ts'
import { type Given, helpOf, parse, UsageError } from './usage.ts'

/** Scans that are remembered for `list_scans`. */
const REMEMBERED_MAX = 200
/** A client sends short requests; one that is longer is not from one. */
const LINE_LENGTH_MAX = 1_048_576

class Refused extends Error {}

export async function runMcp(args: readonly string[], key: string | undefined): Promise<number> {
  const given = parse(MCP, args)
  if (given.is('help')) {
    process.stdout.write(helpOf(MCP))
    return 0
  }
  const folders = foldersOf(given.positionals)
  const stop = new AbortController()
  const interruption = onInterrupt(() => {
    stop.abort()
    process.stdin.destroy()
  })
  await using scanner = lazyScanner(given, key, stop.signal)
  const server = { ...toolsOf(folders, scanner.scan), name: 'docvet', title: 'Docvet', version: VERSION }
  await serve(server, stop.signal)
  return interruption.exitCode() ?? 0
}

/** As they really are, so that a link into them or out of them is seen. */
function foldersOf(given: readonly string[]): string[] {
  return (given.length === 0 ? ['.'] : given).map((each) => {
    try {
      return realpathSync(each)
    } catch {
      throw new UsageError(`The folder ${each} does not exist.`)
    }
  })
}

/** Starts with the first scan: most sessions only list the tools, and rules that are broken end no session. */
function lazyScanner(given: Given, key: string | undefined, signal: AbortSignal) {
  const server = serverOf(given)
  const judging = judgingOf(given, 1)
  let started: Promise<{ scan: Scan; close(): Promise<void> }> | null = null
  async function start() {
    if (server !== null) {
      const { password } = judging
      return { scan: await remoteScan(server, { password, signal, keyOfEnvironment: key }), close: async () => {} }
    }
    const engine = await startEngine(judging, judging.workers)
    return { scan: localScan(engine, judging.password, signal), close: () => engine.close() }
  }
  return {
    async scan(file: string, bytes: Buffer): Promise<Result> {
      started ??= start()
      const { scan } = await started.catch((error: unknown) => {
        started = null
        throw error
      })
      return await scan(file, bytes)
    },
    async [Symbol.asyncDispose]() {
      await (await started?.catch(() => null))?.close()
    },
  }
}

function toolsOf(folders: readonly string[], scan: Scan): Pick<McpServer, 'instructions' | 'tools'> {
  const scans: { status: ScannedDocument['status']; scannedAt: string; path: string; threat: string | null }[] = []

  async function scanPath(given: string): Promise<ToolResult> {
    const file = await allowedFile(given, folders)
    const result = await scan(file, await readAllowed(file, folders))
    const document = documentOf(result)
    scans.unshift({ status: document.status, scannedAt: new Date().toISOString(), path: file, threat: document.threat })
    scans.length = Math.min(scans.length, REMEMBERED_MAX)
    return scanResult(document)
  }

  const place = { name: 'path' as const, description: `The path of a file below ${folders.join(', ')}.` }
  return {
    instructions: INSTRUCTIONS,
    tools: [
      scanTool(place, (file) =>
        scanPath(file).catch((error: unknown): ToolResult => {
          if (error instanceof Refused || error instanceof UsageError) return { text: error.message, isError: true }
          process.stderr.write(`${messageOf(error)}\n`)
          return { text: 'The file could not be scanned.', isError: true }
        }),
      ),
      explainTool((id) => CATALOGUE.get(id) as ReturnType<Parameters<typeof explainTool>[0]>),
      listTool(async ({ status, since, limit }) => {
        const fromMs = since === undefined ? 0 : Date.parse(since)
        const isWanted = (each: (typeof scans)[number]) =>
          (status === undefined || each.status === status) && Date.parse(each.scannedAt) >= fromMs
        return scans.filter(isWanted).slice(0, limit)
      }),
    ],
  }
}

function documentOf({
  path: file,
  verdict,
  threat,
  error,
  sha256,
  size,
  detectedType,
  findings,
}: Result): ScannedDocument {
  const status = verdict === 'clean' || verdict === 'infected' ? verdict : 'refused'
  const reason = status === 'refused' ? (error?.code ?? 'empty_file') : null
  return { status, threat, reason, findings, about: { path: file, sha256, fileSize: size, detectedType } }
}

const isBelow = (file: string, folder: string): boolean => {
  const below = path.relative(folder, file)
  return below !== '' && below !== '..' && !below.startsWith(`..${path.sep}`) && !path.isAbsolute(below)
}

const OUTSIDE = 'This path is not in a folder that this program may scan.'

/** The file without links. What is outside of the folders is refused in the same way whether it exists or not. */
async function allowedFile(given: string, folders: readonly string[]): Promise<string> {
  const named = path.resolve(given)
  const file = await realpath(named).catch(() => null)
  if (file === null)
    throw new Refused(folders.some((each) => isBelow(named, each)) ? 'There is no such file.' : OUTSIDE)
  if (!folders.some((each) => isBelow(file, each))) throw new Refused(OUTSIDE)
  return file
}

/** Opens without following a link or waiting for a writer, and looks again where the opened file is. */
async function readAllowed(file: string, folders: readonly string[]): Promise<Buffer> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  await using handle = await open(file, flags).catch(() => {
    throw new Refused('The file cannot be read.')
  })
  const info = await handle.stat()
  if (!info.isFile()) throw new Refused('This is not a regular file.')
  const now = await stat(await allowedFile(file, folders)).catch(() => null)
  if (now?.ino !== info.ino || now.dev !== info.dev) throw new Refused('The file was replaced while it was opened.')
  const bytes = info.size > DOCUMENT_BYTES_MAX ? null : await readOpen(handle, info.size).catch(() => null)
  if (bytes === null) throw new Refused(`The file is larger than ${DOCUMENT_BYTES_MAX} bytes.`)
  return bytes
}

/** One message a line. Standard output has nothing else. */
async function serve(server: McpServer, signal: AbortSignal): Promise<void> {
  const answer = createMcp(server)
  const running = new Set<Promise<void>>()
  const write = (reply: Reply | null): void => {
    if (reply !== null) process.stdout.write(`${JSON.stringify(reply)}\n`)
  }
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue
    const message = line.length > LINE_LENGTH_MAX ? undefined : parsed(line)
    if (message === undefined) write(failure(null, ERRORS.parse, 'Not JSON'))
    else {
      const work = answer(message, signal).then(write)
      running.add(work)
      work.finally(() => running.delete(work))
    }
  }
  await Promise.all(running)
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
