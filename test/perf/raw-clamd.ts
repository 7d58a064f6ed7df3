/** One document on one connection to clamd. */

import { connect } from 'node:net'

/** The reply as it came. */
export function askClamd(url: string, document: Buffer): Promise<Buffer> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    const reply: Buffer[] = []
    const length = Buffer.alloc(4)
    length.writeUInt32BE(document.length)
    socket.on('data', (data) => reply.push(data))
    socket.on('error', reject)
    socket.on('close', () => resolve(Buffer.concat(reply)))
    socket.cork()
    socket.write('zINSTREAM\0')
    socket.write(length)
    socket.write(document)
    socket.write(Buffer.alloc(4))
    socket.uncork()
  })
}
