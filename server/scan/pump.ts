/** Reads the stream of a request to its end, at a pace that is fast enough, or not at all. */
import type { Readable } from 'node:stream'
import { createUploadRate, type UploadRateOptions } from './upload-rate.ts'

/** The client went away in the middle. There is nobody to answer. */
export class UploadAborted extends Error {
  constructor(cause?: unknown) {
    super('The client closed the connection before the upload was complete', { cause })
    this.name = 'UploadAborted'
  }
}

/** Hands on every chunk as it comes; resolves at the end with the number of bytes. After the first refusal nothing is read. */
export function pump(
  stream: Readable,
  write: (chunk: Buffer) => void,
  rateOptions?: UploadRateOptions,
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const rate = createUploadRate(rateOptions)
  let total = 0
  let timer: NodeJS.Timeout

  function stop(): void {
    clearTimeout(timer)
    stream.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onError)
    // An error that comes after the answer concerns nobody, but without a listener it would end the process.
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
      write(chunk)
    } catch (error) {
      refuse(error)
    }
  }
  function onEnd(): void {
    stop()
    resolve(total)
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
  // Gone already, so that no event will tell.
  if (stream.destroyed) onClose()
  else stream.on('data', onData)
  return promise
}
