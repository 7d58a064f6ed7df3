/** Where the document of a scan comes from: a form, the stream of a listener, or a URL. */
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { DOCUMENT_BYTES_MAX } from '#base/document-limit.ts'
import { AppError } from '#base/errors.ts'
import { UPLOAD_GRACE_MS, type UploadRateOptions } from '#base/upload-rate.ts'
import { type CollectorOptions, createCollector, type FileInfo, type Received, tooLarge } from './collector.ts'
import { readUpload, UploadAborted } from './upload.ts'

export interface IntakeOptions extends CollectorOptions {
  /** Before the first byte. An error thrown here refuses the upload. */
  onFileStart: (info: FileInfo) => void
  rate?: UploadRateOptions
}

export interface Source {
  /** Length of the transfer, null when unknown. */
  declaredBytes: number | null
  /** Under which a place may have been held before the scan began. */
  place?: object
  /** Identifies a repeated request, where the document itself is not sent: 64 hexadecimal digits. */
  identity?: string
  /** Throws a refusal that is possible before the first byte. */
  check(): void
  /** Resolves with the document. Rejects with a refusal, or with `UploadAborted` after a disconnect. */
  receive(options: IntakeOptions): Promise<Received>
}

export interface DocumentStream {
  /** Its end is the end of the document: destroy it when the client disconnects before. Chunks must own their memory. */
  stream: Readable
  fileName: string
  declaredType?: string | null
  declaredBytes?: number | null
  password?: string
  /** If not given, that of uploads. */
  bytesMax?: number
  /** What its sender says of its length: with another one, `receive` rejects with `UploadAborted`. */
  lengths?: readonly number[]
  /** How long it may wait for memory before it is refused as `busy`, because its client cannot retry. */
  waitMs?: number
}

const RETRY_MS = 100

/** A part of the document could be harmless, and the rest not. */
export class OtherLength extends UploadAborted {}

/** A stream that is the document itself. */
export function streamSource({ stream, fileName, ...options }: DocumentStream): Source {
  const { declaredType = null, declaredBytes = null, password, bytesMax = DOCUMENT_BYTES_MAX, waitMs = 0 } = options
  const { lengths = [] } = options
  return {
    declaredBytes,
    check() {},
    async receive({ createSample, onFileStart, onGrowth }) {
      const info = { fileName, declaredType }
      onFileStart({ ...info, bytes: declaredBytes })
      const expected = declaredBytes ?? 0
      if (expected > bytesMax) throw tooLarge(bytesMax)
      // Before its bytes are fetched in vain.
      if (expected > DOCUMENT_BYTES_MAX) onGrowth?.(expected)
      const document = createCollector(info, { createSample, bytesMax }, expected)
      const grow = onGrowth && waitingGrowth(onGrowth, waitMs, () => stream.destroyed && !stream.readableEnded)
      let size = 0
      const add = (chunk: Buffer): void | Promise<void> => {
        size += chunk.length
        if (lengths.some((length) => size > length)) throw new OtherLength()
        // Before it waits for memory that it shall not have.
        if (size > bytesMax) throw tooLarge(bytesMax)
        const waiting = grow?.(size)
        if (waiting === undefined) document.add(chunk)
        else return waiting.then(() => document.add(chunk))
      }
      try {
        await readUpload(stream, add, { graceMs: UPLOAD_GRACE_MS + waitMs })
        if (lengths.some((length) => size !== length)) throw new OtherLength()
        return document.end(() => password)
      } catch (error) {
        document.dispose()
        throw error
      }
    },
  }
}

/** Calls `grow` until it does not throw `busy`, for `waitMs` in total. */
function waitingGrowth(grow: (bytes: number) => void, waitMs: number, isAborted: () => boolean) {
  let leftMs = waitMs

  async function retry(bytes: number): Promise<void> {
    for (;;) {
      await sleep(RETRY_MS)
      leftMs -= RETRY_MS
      if (isAborted()) throw new UploadAborted()
      if (isGrown(bytes)) return
    }
  }

  /** Throws when there is no time left. */
  function isGrown(bytes: number): boolean {
    try {
      grow(bytes)
      return true
    } catch (error) {
      if (leftMs <= 0 || !(error instanceof AppError && error.code === 'busy')) throw error
      return false
    }
  }

  return (bytes: number): Promise<void> | undefined => (isGrown(bytes) ? undefined : retry(bytes))
}
