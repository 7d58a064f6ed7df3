/** Where the files of a channel come from: a server, or a folder that was carried here. */
import { mkdir, open, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createProxiedHttp } from '#base/outbound-http.ts'
import type { ReadChannel } from './channel.ts'

/** Of one file. A server that sends slowly is given up. */
const FETCH_MS = 60_000

const NAME = /^(?:metadata|targets)\/[A-Za-z0-9._-]{1,200}$/

export function fromServer(url: string, proxy: string | null = null, fetchMs = FETCH_MS): ReadChannel {
  const http = createProxiedHttp([url], proxy)
  return async (name, bytesMax) => {
    const outcome = await http.send({
      ...{ method: 'GET', url: `${url}/${name}`, headers: {}, responseBytesMax: bytesMax },
      deadline: AbortSignal.timeout(fetchMs),
    })
    if (outcome.kind !== 'answered')
      throw new Error(`${name}: ${outcome.kind === 'late' ? 'it takes too long' : outcome.why}`)
    if (outcome.status === 404 || outcome.status === 403) return null
    if (outcome.status !== 200) throw new Error(`${name}: the status is ${outcome.status}`)
    return Buffer.from(outcome.body)
  }
}

export function fromFolder(folder: string): ReadChannel {
  return async (name, bytesMax) => {
    if (!NAME.test(name)) return null
    try {
      await using handle = await open(path.join(folder, name))
      const { size } = await handle.stat()
      if (size > bytesMax) throw new Error(`${name} has more than ${bytesMax} bytes`)
      return await handle.readFile()
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
      throw error
    }
  }
}

/** Keeps what is read, so that it can be carried to a machine without a network. */
export function recording(read: ReadChannel) {
  const files = new Map<string, Buffer>()
  return {
    read: async (name: string, bytesMax: number) => {
      const bytes = await read(name, bytesMax)
      if (bytes !== null) files.set(name, bytes)
      return bytes
    },
    async writeTo(folder: string): Promise<void> {
      for (const [name, bytes] of files) {
        if (!NAME.test(name)) throw new Error(`${name} is no name of a file`)
        await mkdir(path.join(folder, path.dirname(name)), { recursive: true })
        await writeFile(path.join(folder, name), bytes)
      }
    },
  }
}
