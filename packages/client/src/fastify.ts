/** Fastify: a `preHandler` for @fastify/multipart, which lets only clean files through. */
import { type Blocked, decide, type FileVerdict, type GateOptions, type Incoming, notAForm } from './gate.ts'
import type { Docvet } from './index.ts'

export type { FileVerdict } from './gate.ts'

interface SavedFile {
  filename: string
  filepath: string
}

interface Request {
  raw: Incoming
  isMultipart?(): boolean
  saveRequestFiles?(): Promise<unknown>
  cleanRequestFiles?(): Promise<void>
  savedRequestFiles?: SavedFile[] | null
  body?: unknown
  docvet?: FileVerdict[]
}

interface Reply {
  code(status: number): { header(name: string, value: string): { send(body: string): unknown } }
}

/**
 * `app.post('/upload', { preHandler: requireClean(docvet) }, handler)`. The files are in `request.savedRequestFiles`, the
 * verdicts in `request.docvet`. A file that is not clean is answered with 422, one without a verdict with 503.
 */
export function requireClean(docvet: Docvet, options: GateOptions = {}) {
  return async (received: object, reply: object): Promise<unknown> => {
    const request = received as Request
    if (request.isMultipart === undefined || request.saveRequestFiles === undefined)
      throw new TypeError('Register @fastify/multipart before @docvet/client/fastify is used')
    if (!request.isMultipart()) {
      const blocked = notAForm(request.raw, request.body, options)
      request.docvet = []
      return blocked === null ? undefined : answer(reply as Reply, blocked)
    }
    checkMode(request.body)
    await request.saveRequestFiles()
    const files = request.savedRequestFiles ?? []
    try {
      const uploads = files.map(({ filename, filepath }) => ({ fileName: filename, input: filepath }))
      const { verdicts, blocked } = await decide(docvet, uploads, options)
      request.docvet = verdicts
      if (blocked === null) return undefined
      await request.cleanRequestFiles?.()
      return answer(reply as Reply, blocked)
    } catch (error) {
      await request.cleanRequestFiles?.()
      throw error
    }
  }
}

const answer = (reply: Reply, { status, body }: Blocked): unknown =>
  reply.code(status).header('Content-Type', 'application/problem+json').send(JSON.stringify(body))

/** In one mode of the plugin files are plain values among the fields, which would pass unseen. */
function checkMode(body: unknown): void {
  const parts = Object.values(body ?? {}).flat()
  if (parts.every((part) => typeof part === 'object' && part !== null && 'fieldname' in part)) return
  throw new TypeError("Use @fastify/multipart without attachFieldsToBody: 'keyValues'")
}
