/** Reads the body of an upload to its end, and refuses one that arrives too slowly. */
import type { Readable } from 'node:stream'
import { createUploadRate, type UploadRateOptions } from '#base/upload-rate.ts'

/** The client disconnected, so no response can be sent. */
export class UploadAborted extends Error {
  constructor(cause?: unknown) {
    super('The client closed the connection before the upload was complete', { cause })
    this.name = 'UploadAborted'
  }
}

/**
 * Passes on every chunk; resolves at the end with the number of bytes. Stops reading when `write` throws, and pauses until
 * its promise is fulfilled.
 */
export function readUpload(
  stream: Readable,
  write: (chunk: Buffer) => void | Promise<void>,
  rateOptions?: UploadRateOptions,
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const rate = createUploadRate(rateOptions)
  let total = 0
  let timer: NodeJS.Timeout
  let writing: Promise<void> | null = null
  let isOver = false

  function stop(): void {
    isOver = true
    clearTimeout(timer)
    stream.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onError)
    // Without a listener, an error after the response would end the process.
    stream.on('error', () => {})
  }
  function refuse(error: unknown): void {
    stop()
    stream.pause()
    reject(error)
  }
  function onData(chunk: Buffer): void {
    total += chunk.length
    rate.arrived(chunk.length)
    try {
      const pending = write(chunk)
      if (pending) wait(pending)
    } catch (error) {
      refuse(error)
    }
  }
  function wait(pending: Promise<void>): void {
    stream.pause()
    writing = pending
    pending.then(() => {
      writing = null
      if (!isOver) stream.resume()
    }, refuse)
  }
  function onEnd(): void {
    // The end of a stream is also reported while it is paused, and then its close.
    stream.off('close', onClose)
    if (writing) writing.then(onEnd, refuse)
    else if (!isOver) {
      stop()
      resolve(total)
    }
  }
  const onClose = () => refuse(new UploadAborted())
  const onError = (error: Error) => refuse(new UploadAborted(error))
  function onTimer(): void {
    try {
      rate.check()
      timer = setTimeout(onTimer, Math.ceil(rate.remainingMs()) + 1)
    } catch (error) {
      refuse(error)
    }
  }

  onTimer()
  stream.on('end', onEnd).on('close', onClose).on('error', onError)
  // A stream that is destroyed already emits no event.
  if (stream.destroyed) onClose()
  else stream.on('data', onData)
  return promise
}
