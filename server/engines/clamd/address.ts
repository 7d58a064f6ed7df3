/** Where a clamd listens: `unix:/path` or `tcp://host:port`. */

export interface ClamdAddress {
  /** As it is shown in logs and health. */
  url: string
  /** What `net.connect` takes. */
  target: { path: string } | { host: string; port: number }
}

/** Linux keeps 108 bytes for the path of a socket, the closing zero among them; a longer one is cut without a word. */
const SOCKET_PATH_BYTES_MAX = 107

/** Throws with a sentence that says what is wrong. */
export function parseClamdUrl(text: string): ClamdAddress {
  if (text.startsWith('unix:')) return unixAddress(text)
  if (text.startsWith('tcp:')) return tcpAddress(text)
  throw new Error(`"${text}" is not an address of a clamd: write unix:/path/of/socket or tcp://host:port`)
}

function unixAddress(text: string): ClamdAddress {
  const path = text.slice('unix:'.length).replace(/^\/\/(?=\/)/, '')
  if (!path.startsWith('/') || path.startsWith('//') || path.includes('\0')) {
    throw new Error(`"${text}" must give the socket's full path, as in unix:/run/clamav/clamd.ctl`)
  }
  if (Buffer.byteLength(path) > SOCKET_PATH_BYTES_MAX) {
    throw new Error(`"${text}": the path of a socket has at most ${SOCKET_PATH_BYTES_MAX} bytes`)
  }
  return { url: `unix:${path}`, target: { path } }
}

function tcpAddress(text: string): ClamdAddress {
  const match = /^tcp:\/\/(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+):(\d{1,5})\/?$/.exec(text)
  const [, host = '', digits = ''] = match ?? []
  if (host === '') throw new Error(`"${text}" must give a host and a port, as in tcp://127.0.0.1:3310`)
  const port = Number(digits)
  if (port < 1 || port > 65_535) throw new Error(`"${text}": the port must be from 1 to 65535`)
  return { url: `tcp://${host}:${port}`, target: { host: host.replace(/^\[|\]$/g, ''), port } }
}
