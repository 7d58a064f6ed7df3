/** The files of a browser form, each scanned as a document of its own. The worst outcome is that of the form. */
import { Readable } from 'node:stream'
import type { Incoming } from '#listeners/gateway.ts'
import type { Outcome, OutcomeName } from '#listeners/outcomes.ts'
import type { Part } from '#scan/part-header.ts'

interface FormHandlers {
  onPart(part: Part): void
  onData(data: Buffer): void
  onValue(data: Buffer): void
}

export interface FormTools {
  /** Throws unless the type is that of a form, without ambiguity. */
  parseBoundary(contentType: string): string
  /** Its methods throw if the form is malformed. */
  createFormReader(boundary: string, handlers: FormHandlers): { write(chunk: Buffer): void; end(): void }
  displayFileName(reported: string): string
}

/** Null when the client has disconnected. */
export type ScanDocument = (incoming: Incoming) => Promise<Outcome | null>

/** A refusal comes before a failure, which the client may take for permission. */
const SEVERITY: Record<OutcomeName, number> = {
  empty: 0,
  passed: 1,
  clean: 2,
  failed: 3,
  too_slow: 4,
  unsupported: 5,
  damaged: 6,
  too_complex: 7,
  encrypted: 8,
  too_large: 9,
  infected: 10,
}

const worse = (a: Outcome, b: Outcome): Outcome => (SEVERITY[b.name] > SEVERITY[a.name] ? b : a)

/** Without a parameter that could name a file. Some parsers take a field of another type for one. */
const FIELD_TYPE = /^text\/plain *(?:; *charset=(?:[\w.:+-]+|"[\w.:+-]+") *)?$/i
const isFile = ({ fileName, type }: Part): boolean => fileName !== null || (type !== null && !FIELD_TYPE.test(type))

/** One file, whose scan begins with its first byte. */
function createFile({ fileName, type }: Part, tools: FormTools, scan: ScanDocument) {
  let isSettled = false
  let isFull = false
  let onChange = (): void => {}
  let stream: Readable | null = null
  let outcome = Promise.resolve<Outcome | null>({ name: 'empty' })

  function changed(): void {
    isFull = false
    onChange()
  }

  function start(): Readable {
    const started = new Readable({ read: changed })
    started.on('error', () => {})
    const incoming = { stream: started, fileName: tools.displayFileName(fileName ?? ''), declaredType: type }
    outcome = scan(incoming).then((ended) => {
      isSettled = true
      started.destroy()
      changed()
      return ended
    })
    return started
  }

  return {
    add(data: Buffer): void {
      stream ??= start()
      if (isSettled) return
      const copy = Buffer.allocUnsafeSlow(data.length)
      data.copy(copy)
      isFull = !stream.push(copy)
    },
    /** When more can be added. */
    async ready(): Promise<void> {
      if (!isFull || isSettled) return
      const { promise, resolve } = Promise.withResolvers<void>()
      onChange = resolve
      await promise
    },
    end(): Promise<Outcome | null> {
      stream?.push(null)
      return outcome
    },
    abort(): void {
      stream?.destroy()
    },
  }
}

/** Scans the files of a form. A form that other programs could read in another way is damaged. */
export async function scanForm(
  body: Readable,
  contentType: string,
  tools: FormTools,
  scan: ScanDocument,
): Promise<Outcome | null> {
  let current: ReturnType<typeof createFile> | null = null
  /** Complete, but without an outcome yet. */
  let ended: Promise<Outcome | null>[] = []
  let worst: Outcome = { name: 'empty' }

  function endFile(): void {
    if (current !== null) ended.push(current.end())
    current = null
  }

  /** False when the client has disconnected. */
  async function settle(): Promise<boolean> {
    const outcomes = await Promise.all(ended)
    ended = []
    for (const outcome of outcomes) {
      if (outcome === null) return false
      worst = worse(worst, outcome)
    }
    return true
  }

  const add = (data: Buffer): void => current?.add(data)

  try {
    const reader = tools.createFormReader(tools.parseBoundary(contentType), {
      onPart(part) {
        endFile()
        if (isFile(part)) current = createFile(part, tools, scan)
      },
      onData: add,
      onValue: add,
    })
    for await (const chunk of body as AsyncIterable<Buffer>) {
      reader.write(chunk)
      chunk.fill(0)
      await (current as ReturnType<typeof createFile> | null)?.ready()
      if (!(await settle())) return null
      // The rest of the form comes as slowly.
      if (worst.name === 'too_slow') return worst
    }
    reader.end()
    endFile()
    return (await settle()) ? worst : null
  } catch {
    const open = current as ReturnType<typeof createFile> | null
    open?.abort()
    return worse(worst, { name: 'damaged' })
  }
}
